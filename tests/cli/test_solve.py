"""`pasgl solve`."""


def test_a_position_is_solved_and_its_table_plays(pasgl, tmp_path):
    file = str(tmp_path / "kings.npz")
    result = pasgl("solve", "chieftain", "--set", "setup=c3/4/4/3C", "--out", file)
    assert result.exit_code == 0
    assert "c3/4/4/3C w 0 0: a draw." in result.stdout
    assert "512 positions: " in result.stdout
    assert "Black wins in 1 turn" in result.stdout
    again = pasgl("solve", "chieftain", "--set", "setup=c3/4/4/3C", "--table", file)
    assert again.stdout in result.stdout
    other = "--set", "setup=c3/4/4/3C", "--from", "c3/4/4/3C w 1 0"
    refused = pasgl("solve", "chieftain", *other, "--table", file)
    assert "the position is not in the table" in refused.stderr
    options = "--set", "setup=c3/4/4/3C", "--set", "turn_limit=20", "--games", "10"
    played = pasgl("evaluate", "chieftain", f"exact:table={file}", "random", *options)
    assert played.exit_code == 0


def test_what_is_too_large_is_refused_in_one_line(pasgl):
    result = pasgl("solve", "superchief", "--most-positions", "1000")
    assert result.exit_code == 2
    assert "at most 1,000 are allowed" in result.stderr
    assert "Traceback" not in result.stderr
