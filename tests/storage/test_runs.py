"""Storage of runs: whole manifests and lines, never mixed with another run's."""

import json

import pytest

from pasgl_env.storage.files import InUse
from pasgl_env.storage.runs import (
    MANIFEST,
    BadRun,
    JsonLines,
    check_manifest,
    check_same,
    opened,
    read_manifest,
    write_manifest,
)

ABOUT = {"format": "test 1", "seed": 1}


def test_a_manifest_comes_back_with_versions_and_machine(tmp_path):
    write_manifest(tmp_path, "test 1", {"seed": 1}, ["pasgl"])
    found = read_manifest(tmp_path, "test", "test 1")
    assert found is not None
    assert found.items() >= {**ABOUT, "command": ["pasgl"]}.items()
    assert found["versions"]["numpy"]


def test_the_manifest_of_another_run_is_refused(tmp_path):
    write_manifest(tmp_path, "test 1", {"plan": {"seed": 1}, "games": 8})
    assert check_manifest(tmp_path, "test", "test 1", {"plan": {"seed": 1}})
    with pytest.raises(BadRun, match="holds another test, whose seed is 1, not 2"):
        check_manifest(tmp_path, "test", "test 1", {"plan": {"seed": 2}})


def test_a_new_folder_has_no_manifest(tmp_path):
    assert read_manifest(tmp_path, "test", "test 1") is None


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"1", b"{}", b'{"format": "test 1"}', b'{"format": "x"}']
)
def test_a_damaged_or_foreign_manifest_is_refused(tmp_path, content):
    (tmp_path / MANIFEST).write_bytes(content)
    with pytest.raises(BadRun, match=r"manifest.json does not belong to a test \(test 1\)"):
        read_manifest(tmp_path, "test", "test 1")


def test_a_folder_with_other_files_is_refused_and_left_alone(tmp_path):
    (tmp_path / "diary.md").write_text("Dear diary")
    with pytest.raises(BadRun, match="is not empty and holds no test"), opened(tmp_path, "test"):
        pass
    assert [each.name for each in tmp_path.iterdir()] == ["diary.md"]


def test_only_one_process_has_a_folder(tmp_path):
    with opened(tmp_path / "new", "test"):  # noqa: SIM117
        with pytest.raises(InUse), opened(tmp_path / "new", "test"):
            pass
    with opened(tmp_path / "new", "test"):
        pass


def test_another_run_is_told_by_what_differs():
    check_same("it is another", {"seed": 1, "pair": [1, 2]}, {"seed": 1, "pair": (1, 2)})
    with pytest.raises(BadRun, match="it is another, whose seed is 1, not 2: give another folder"):
        check_same("it is another", {"seed": 1}, {"seed": 2})
    with pytest.raises(BadRun, match="whose more is True, not None"):
        check_same("it is another", {"seed": 1, "more": True}, {"seed": 1})


def test_lines_are_kept_as_they_are_added(tmp_path):
    file = tmp_path / "new" / "lines.jsonl"
    JsonLines(file, "test", ABOUT).add({"a": 1})
    again = JsonLines(file, "test", ABOUT)
    again.add([2])
    assert again.lines == [b'{"a":1}\n']
    assert list(map(json.loads, file.read_bytes().splitlines())) == [ABOUT, {"a": 1}, [2]]
