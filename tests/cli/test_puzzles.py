"""``pasgl puzzles`` adds to its file, alone."""

import pytest

from pasgl_env import puzzles
from pasgl_env.cli import puzzles as command
from pasgl_env.storage.files import held


def test_a_second_writer_of_a_file_is_refused(tmp_path, refused):
    file = tmp_path / "found.tsv"
    with held(tmp_path / ".found.tsv.lock"):
        message = refused("puzzles", "pasgl312", "--number", "1", "--out", str(file))
    assert "another process is at work in" in message


def line_of(variant, **changes):
    (puzzle, *_) = puzzles.load(variant)
    return puzzles.written([puzzle._replace(**changes)]).strip()


@pytest.mark.parametrize(
    "second",
    [
        "my notes",
        "",
        line_of("pasgl312"),
        line_of("chieftain", solution=("Ca1xa2",)),
        line_of("chieftain").replace("search", "guess"),
        "9\t" + line_of("chieftain").partition("\t")[2],
    ],
)
def test_a_file_of_anything_else_is_kept_and_the_line_named(tmp_path, refused, second):
    file = tmp_path / "notes.tsv"
    content = f"{line_of('chieftain')}\n{second}\n"
    file.write_text(content)
    message = refused("puzzles", "chieftain", "--number", "1", "--out", str(file))
    assert "notes.tsv, line 2 is no puzzle of chieftain" in message
    assert file.read_text() == content


def test_a_binary_file_holds_no_puzzles(tmp_path, refused):
    (tmp_path / "mine.tsv").write_bytes(b"\x89PGB")
    message = refused("puzzles", "chieftain", "--out", str(tmp_path / "mine.tsv"))
    assert "mine.tsv, line 1 is no puzzle of chieftain" in message


def test_puzzles_of_the_file_count(tmp_path, pasgl):
    (tmp_path / "mine.tsv").write_text(line_of("chieftain"))
    shown = pasgl("puzzles", "chieftain", "--number", "1", "--out", str(tmp_path / "mine.tsv"))
    assert "mine.tsv: 1 puzzle; 0 positions were searched" in shown.stdout


def test_positions_come_from_one_place(refused):
    message = refused("puzzles", "chieftain", "--data", "d", "--table", "t.npz")
    assert "--data and --table are two places to look in" in message


@pytest.mark.parametrize(("exists", "said"), [(True, "has what was found"), (False, "nothing was")])
def test_ctrl_c_promises_no_file_that_is_not_there(tmp_path, pasgl, monkeypatch, exists, said):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "_positions", interrupted)
    file = tmp_path / "pz.tsv"
    if exists:
        file.write_text(line_of("chieftain"))
    result = pasgl("puzzles", "chieftain", "--out", str(file))
    assert result.exit_code == 130
    assert said in result.stderr
