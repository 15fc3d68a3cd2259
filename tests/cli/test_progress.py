"""The progress of long work, in a terminal and elsewhere."""

import io
import re

import pytest
import typer
from rich.console import Console

from pasgl_env.cli import progress
from pasgl_env.cli.progress import countdown, playing, progress_bar
from pasgl_env.evaluation.progress import Progress

LONG = "1:02:03 left, 12,345,678 steps, wins: random 100%, greedy 100%"


@pytest.fixture
def screen(monkeypatch):
    """What is printed in a terminal of 80 columns."""
    file = io.StringIO()
    terminal = Console(file=file, force_terminal=True, width=80, color_system=None)
    monkeypatch.setattr(progress, "err", terminal)
    return file


def test_the_bar_fits_a_terminal_of_80_columns(screen):
    with progress_bar("Training.") as report:
        report(0.5, LONG)
        report(0.5, "0:00:42 left, 9 steps")
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen.getvalue())
    lines = re.split(r"[\r\n]+", text)
    widest = max(lines, key=len)
    assert len(widest) <= 80
    assert lines[0] == "Training."
    assert f"50% {LONG}" in widest
    assert any("0:00:42 left, 9 steps" in line for line in lines)


def test_nothing_is_drawn_before_the_first_report(screen):
    with progress_bar("Training."):
        assert screen.getvalue() == ""


@pytest.fixture
def lines(monkeypatch):
    """What is printed where there is no terminal, and a clock to set."""
    file, clock = io.StringIO(), [0.0]
    monkeypatch.setattr(progress, "err", Console(file=file, width=80))
    monkeypatch.setattr(progress, "monotonic", lambda: clock[0])
    return file, clock


def test_lines_where_there_is_no_terminal(lines):
    file, clock = lines
    with progress_bar("Training.") as report:
        for second in range(40):
            clock[0] = second
            report(0.5, f"{second} steps")
    assert file.getvalue().splitlines() == [f" 50% {steps} steps" for steps in (0, 15, 30)]


def test_games_are_counted(lines):
    file, _ = lines
    with playing(None, is_most=True) as report:
        report(Progress(16, 64, 61.0))
    assert file.getvalue() == " 25% 16 of 64 games, 0:01:01 left at most\n"


@pytest.mark.parametrize("is_terminal", [False, True])
def test_games_are_counted_without_a_total(request, is_terminal):
    if is_terminal:
        file = request.getfixturevalue("screen")
    else:
        file, _ = request.getfixturevalue("lines")
    with playing(None, units="positions") as report:
        report(Progress(1600, None, None))
    assert "1600 positions" in file.getvalue()
    assert not re.search("%| of |left", file.getvalue())


def test_the_time_counts_down(lines):
    file, _ = lines
    with progress_bar() as show:
        countdown(show, "pachessi", 60)(45.0, "greedy and td")
    assert file.getvalue() == " 75% pachessi: 0:00:15 left: greedy and td\n"


@pytest.mark.parametrize("is_kept", [True, False])
def test_after_ctrl_c_it_says_how_to_continue(lines, is_kept, tmp_path):
    file, _ = lines
    with pytest.raises(typer.Exit) as caught, playing(tmp_path if is_kept else None):
        raise KeyboardInterrupt
    assert caught.value.exit_code == 130
    text = "run the same command again to continue" if is_kept else "not kept without --out"
    assert text in " ".join(file.getvalue().split())
