import json
from dataclasses import replace

import pytest

from pasgl_env.evaluation.journal import FORMAT, Journal, Part, pair_points
from pasgl_env.storage.runs import BadRun

ABOUT = {"format": FORMAT, "variant": "pasgl312", "seed": 1}
PART = Part("random", "greedy", 0, "10=-", ("a", "b", "c", "d"), (7, 8), (0.5, 0.25), 1.5)


def journal(file, about=ABOUT):
    return Journal(file, "tournament", about, Part.of_json)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "new" / "results.jsonl"


@pytest.fixture
def kept(file):
    """A file with two parts."""
    book = journal(file)
    book.add(PART)
    book.add(replace(PART, number=1))
    return file


def test_parts_come_back_as_they_were(kept):
    book = journal(kept)
    assert book.get(PART.key) == PART
    assert book.get(("random", "greedy", 1)) == replace(PART, number=1)
    assert book.get(("greedy", "random", 0)) is None


def test_a_part_that_was_played_with_more_games_takes_the_place_of_the_shorter(kept):
    longer = replace(PART, outcomes="10=-11", endings=tuple("abcdef"))
    for part in (longer, PART):
        journal(kept).add(part)
    assert journal(kept).get(PART.key) == longer


@pytest.mark.parametrize("cut", [1, 20, 100])
def test_what_a_kill_left_of_a_line_is_dropped(kept, cut):
    whole = kept.read_bytes()
    kept.write_bytes(whole[:-cut])
    book = journal(kept)
    assert book.get(("random", "greedy", 1)) is None
    assert book.get(PART.key) == PART
    book.add(replace(PART, number=1))
    assert kept.read_bytes() == whole


def test_a_heading_that_broke_off_is_completed(kept):
    whole = kept.read_bytes()
    heading = whole.splitlines(keepends=True)[0]
    for length in (0, 5, len(heading) - 1):
        kept.write_bytes(heading[:length])
        journal(kept)
        assert kept.read_bytes() == heading


@pytest.mark.parametrize("content", [b"hello\n", b"{}\n", b"[]\n", b"\xff\x00", b"1", b"{" * 10**5])
def test_a_foreign_file_is_refused_and_left_alone(file, content):
    file.parent.mkdir()
    file.write_bytes(content)
    with pytest.raises(BadRun, match=r"results\.jsonl holds no results"):
        journal(file)
    assert file.read_bytes() == content


def test_another_tournament_is_refused_by_what_differs(kept):
    whole = kept.read_bytes()
    with pytest.raises(BadRun, match="whose seed is 1, not 2: give another folder"):
        journal(kept, {**ABOUT, "seed": 2})
    assert kept.read_bytes() == whole


@pytest.mark.parametrize(
    "change",
    [
        {"outcomes": "10x-"},
        {"outcomes": "10="},
        {"outcomes": ""},
        {"outcomes": ["1", "0", "=", "-"]},
        {"outcomes": 5},
        {"endings": ["a"]},
        {"endings": [1, 2, 3, 4]},
        {"actions": [1]},
        {"actions": [1, -1]},
        {"actions": [1, 10**400]},
        {"actions": None},
        {"thinking": [0.1, float("nan")]},
        {"seconds": "long"},
        {"seconds": -1},
        {"number": "0"},
        {"first": 3},
        {"extra": 1},
    ],
)
def test_a_damaged_line_is_named(kept, change):
    lines = kept.read_text().splitlines()
    lines[1] = json.dumps({**json.loads(lines[1]), **change})
    kept.write_text("\n".join(lines) + "\n")
    with pytest.raises(BadRun, match=r"results\.jsonl, line 2, is damaged"):
        journal(kept)


@pytest.mark.parametrize("line", [b"\n", b"\xff\n", b"3\n", b"[" * 10**5 + b"\n"])
def test_a_line_that_is_no_part_is_named(kept, line):
    kept.write_bytes(kept.read_bytes() + line)
    with pytest.raises(BadRun, match="line 4, is damaged"):
        journal(kept)


def test_a_full_disk_is_told_and_loses_nothing(kept, monkeypatch):
    def full(descriptor):
        raise OSError(28, "No space left on device")

    book = journal(kept)
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match=r"No space left on device: .*results\.jsonl"):
        book.add(replace(PART, number=2))
    monkeypatch.undo()
    assert journal(kept).get(PART.key) == PART


def test_without_a_file_parts_are_kept_in_memory():
    book = journal(None)
    book.add(PART)
    assert book.get(PART.key) == PART


def test_points_of_pairs():
    assert pair_points("11100=0-00").tolist() == [2, 1, 0.5, 0.5, 0]
    assert pair_points("").tolist() == []
