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


KINGS = "solve", "chieftain", "--set", "setup=c3/4/4/3C"


def test_what_can_be_refused_is_refused_before_solving(refused, tmp_path):
    assert "no player 'greddy'" in refused(*KINGS, "--players", "greddy")
    assert "nowhere" in refused(*KINGS, "--out", str(tmp_path / "nowhere" / "kings.npz"))
    known = tmp_path / "known.npz"
    known.write_text("another table")
    assert "--force replaces it" in refused(*KINGS, "--out", str(known))
    assert known.read_text() == "another table"


def test_an_interrupted_measurement_does_not_lose_the_table(pasgl, tmp_path, monkeypatch):
    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("pasgl_env.evaluation.regret.regret", interrupted)
    file = tmp_path / "kings.npz"
    result = pasgl(*KINGS, "--players", "random", "--out", str(file))
    assert result.exit_code == 130
    assert "the players have not been measured" in result.stderr
    assert file.exists()
