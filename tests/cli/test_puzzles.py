"""``pasgl puzzles`` adds to its file, alone."""

from pasgl_env.storage.files import held


def test_a_second_writer_of_a_file_is_refused(tmp_path, refused):
    file = tmp_path / "found.tsv"
    with held(tmp_path / ".found.tsv.lock"):
        message = refused("puzzles", "pasgl312", "--number", "1", "--out", str(file))
    assert "another process is at work in" in message
