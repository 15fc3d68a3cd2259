"""``pasgl demo``."""

import re
import subprocess
import sys

import pytest

pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from pasgl_env import Position
from pasgl_env.training.ppo import train as trainer
from pasgl_env.training.runs import read_settings
from pasgl_env.training.settings import PpoSettings

from ..small_networks import one_thread  # noqa: F401
from ..training.ppo import tiny
from ..training.ppo.tiny import ROLLOUT_STEPS
from .test_commands import fits
from .test_train import interrupted  # noqa: F401


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "demo"


@pytest.fixture
def quick(monkeypatch):
    """Makes the command train a tiny run, whatever its minutes."""
    real = trainer.train

    def train(settings, out, *, resume, report):
        limited = tiny.settings(minutes=settings.minutes, steps=ROLLOUT_STEPS)
        return real(limited, out, resume=resume, report=report)

    monkeypatch.setattr(trainer, "train", train)


@pytest.fixture
def demo(pasgl, folder):
    def run(*arguments):
        return pasgl("demo", "--out", str(folder), "--games", "6", *arguments)

    return run


def read_game(file):
    """The turns of a recorded game, its result, and its final position."""
    lines = file.read_text().splitlines()
    turns = [line for line in lines if re.match(r"\d+\. (White|Black) ", line)]
    end = lines.index(turns[-1]) + 1
    return turns, lines[end], lines[end + 2]


def test_it_trains_measures_and_shows_a_game(demo, folder, quick):
    result = demo("--minutes", "2")
    assert result.exit_code == 0
    text = result.stdout
    assert "PASGL 312 Chess by self-play for 2 minutes" in text
    assert "Time spent in" in text and "environment (games, masks, observations)" in text
    for opponent in ("random", "greedy"):
        (row,) = (line for line in text.splitlines() if line.split()[:2] == [opponent, "6"])
        assert row.count("%") == 3
    assert f"pasgl train pasgl312 --out {folder} --resume --minutes 6\n" in text
    assert fits(text.replace(str(folder), "runs/demo"))
    assert {"agent.pt", "training.pt", "log.jsonl", "game.txt"} <= {
        path.name for path in folder.iterdir()
    }


def test_the_game_is_written_down(demo, folder, quick):
    text = demo().stdout
    turns, end, last = read_game(folder / "game.txt")
    assert turns[0].startswith("1. White ")
    assert turns[1].startswith("2. Black ")
    assert end in text
    position = Position.from_text("pasgl312", last)
    assert position.is_over and position.turns == len(turns)
    assert str(position) in text
    record = (folder / "game.txt").read_text()
    heading = "pasgl312: demo (White) against greedy (Black)"
    assert record.startswith(f"{heading}\n{Position('pasgl312').text}\n\n1. White ")
    assert record.endswith(f"{position}\n")


def test_the_same_command_goes_on(demo, folder, quick):
    demo()
    before = tiny.training_steps(folder)
    result = demo()
    assert result.exit_code == 0
    assert tiny.training_steps(folder) == before


def test_ctrl_c_stops_all_of_it(demo, folder, interrupted):  # noqa: F811
    result = demo()
    assert result.exit_code == 0
    assert result.stdout.endswith("Stopped. Run the same command again to continue.\n")
    assert not (folder / "game.txt").exists()
    assert (folder / "training.pt").exists()


def test_ctrl_c_during_the_games_says_that_the_agent_is_kept(demo, folder, quick, monkeypatch):
    def stopped(*arguments, **more):
        raise KeyboardInterrupt

    monkeypatch.setattr("pasgl_env.evaluation.match.play_match", stopped)
    assert f"the results are in {folder}" in demo().stderr


def test_a_run_of_train_goes_on_with_its_settings(demo, folder, monkeypatch):
    tiny.train(folder, steps=1, options={"win_margin": 5})
    seen = []
    real = trainer.train

    def train(settings, out, **arguments):
        seen.append(settings)
        return real(read_settings(out, PpoSettings), out, **arguments)

    monkeypatch.setattr(trainer, "train", train)
    text = demo("--minutes", "4").stdout
    assert f"evaluate pasgl312 {folder} greedy --set win_margin=5\n" in text
    _, _, last = read_game(folder / "game.txt")
    assert Position.from_text("pasgl312", last, win_margin=5).is_over
    assert seen == [tiny.settings(minutes=4, steps=None, options={"win_margin": 5})]


@pytest.mark.parametrize(
    "arguments, complaint",
    [
        ("chess", "no variant 'chess'"),
        ("--minutes 0", "--minutes"),
        ("--minutes nan", "--minutes"),
        ("--games 1", "--games"),
        ("--frob", "No such option: --frob"),
    ],
)
def test_wrong_input(pasgl, tmp_path, arguments, complaint):
    result = pasgl("demo", *arguments.split(), "--out", str(tmp_path / "demo"))
    assert result.exit_code == 2
    assert complaint in result.stderr
    assert result.stderr.count("\n") == 1


def test_help(pasgl):
    text = pasgl("demo", "--help").stdout
    assert "\n    pasgl demo\n" in text.partition("Examples:")[2]
    assert fits(text)


def test_without_the_extra_it_says_so_before_anything_else(tmp_path):
    without = "import sys; sys.modules['torch'] = None; from pasgl_env.cli import main; main()"
    command = [sys.executable, "-c", without, "demo"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (2, "")
    assert "pip install 'pasgl-env[train]'" in result.stderr
