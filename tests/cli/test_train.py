"""``pasgl train``."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import asdict
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from pasgl_env.training import runs
from pasgl_env.training.ppo import train as trainer
from pasgl_env.training.ppo.run import Status
from pasgl_env.training.runs import read_settings, write_settings
from pasgl_env.training.settings import PpoSettings

from ..small_networks import one_thread  # noqa: F401
from ..training.ppo import tiny
from ..training.ppo.tiny import ROLLOUT_STEPS
from .test_commands import fits

TINY = ("--games", "8", "--threads", "1", "--width", "16")
STEPS = ("--steps", str(2 * ROLLOUT_STEPS))


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "my runs" / "one"


@pytest.fixture
def train(pasgl, folder):
    """Runs the command in a folder."""

    def run(*arguments):
        return pasgl("train", "pasgl312", "--out", str(folder), *arguments)

    return run


@pytest.fixture
def refused_train(refused, folder):
    def check(*arguments):
        return refused("train", "pasgl312", "--out", str(folder), *arguments)

    return check


@pytest.fixture
def interrupted(monkeypatch, interruptible):
    """Ctrl-C in the middle of a run."""
    real = trainer.train

    def train(settings, out, *, resume, report):
        def interrupt(status):
            report(status)
            signal.raise_signal(signal.SIGINT)

        return real(settings, out, resume=resume, report=interrupt)

    monkeypatch.setattr(trainer, "train", train)


@pytest.fixture
def no_training(monkeypatch):
    """Captures the settings of a run instead of running it."""
    seen: list[Any] = []

    def train(settings, out, *, resume, report):
        seen.append(settings)
        return Status(1, 60, 0, 8, {}, {"environment": 1.0})

    monkeypatch.setattr(trainer, "train", train)
    return seen


class TestARun:
    def test_it_tells_where_the_time_went_and_how_to_go_on(self, train, folder):
        result = train(*TINY, *STEPS, "--set", "win_margin=20")
        assert result.exit_code == 0
        assert f"({2 * ROLLOUT_STEPS} steps)" in result.stdout
        shares = re.findall(r"(\d+\.\d)%", result.stdout)
        assert len(shares) == 6
        assert sum(map(float, shares)) == pytest.approx(100, abs=0.5)
        assert f"  pasgl evaluate pasgl312 '{folder}' greedy --set win_margin=20\n" in result.stdout
        assert f"  pasgl play pasgl312 --player '{folder}' --set win_margin=20\n" in result.stdout
        assert f"--resume --steps {6 * ROLLOUT_STEPS}\n" in result.stdout
        assert read_settings(folder, PpoSettings).options == {"win_margin": 20}

    def test_what_it_trained_is_measured(self, train, pasgl, folder):
        train(*TINY, "--steps", "1", "--set", "win_margin=5")
        arguments = [str(folder), "random", "--games", "4", "--set", "win_margin=5"]
        result = pasgl("evaluate", "pasgl312", *arguments)
        assert "one against random" in result.stdout

    def test_the_default_folder(self, pasgl, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        result = pasgl("train", "pasgl312", *TINY, "--steps", "1")
        assert result.exit_code == 0
        assert (tmp_path / "runs" / "pasgl312" / "agent.pt").exists()

    def test_ctrl_c_and_on(self, train, folder, interrupted, monkeypatch):
        result = train(*TINY, *STEPS)
        assert result.exit_code == 0
        *_, stopped, again = result.stdout.splitlines()
        assert stopped == "Stopped. To continue:"
        assert again == f"  pasgl train pasgl312 --out '{folder}' --resume"
        monkeypatch.undo()
        result = train("--resume")
        assert f"({2 * ROLLOUT_STEPS} steps)" in result.stdout

    def test_help(self, pasgl):
        text = pasgl("train", "--help").stdout
        assert "\n    pasgl train pasgl312 --minutes 30\n" in text.partition("Examples:")[2]
        assert fits(text)
        flat = " ".join(text.split())
        defaults = PpoSettings("pasgl312")
        for told in (
            f"default: {defaults.minutes:g} with ppo",
            f"default: {defaults.seed}.",
            f"default: {defaults.games}.",
            f"default: {defaults.threads}.",
            f"default: {','.join(defaults.opponents)}.",
            f"every {runs.SECONDS_BETWEEN_CHECKPOINTS:g} seconds",
        ):
            assert told in flat


class TestSettings:
    def test_the_defaults(self, train, no_training):
        train()
        assert no_training == [PpoSettings("pasgl312")]

    def test_all_of_them(self, train, no_training):
        arguments = "--seed 4 --games 9 --threads 3 --opponents greedy --set bear_bonus=1"
        train(*arguments.split(), "--minutes", "7", "--steps", "99")
        wanted = PpoSettings(
            "pasgl312",
            minutes=7,
            steps=99,
            seed=4,
            games=9,
            threads=3,
            opponents=("greedy",),
            options={"bear_bonus": 1},
        )
        assert no_training == [wanted]

    def test_a_limit_of_steps_alone(self, train, no_training):
        train("--steps", "99")
        assert (no_training[0].minutes, no_training[0].steps) == (None, 99)

    @pytest.mark.parametrize("names", ["", ",", " "])
    def test_no_fixed_players(self, train, no_training, names):
        train("--opponents", names)
        assert no_training[0].opponents == ()

    @pytest.mark.parametrize(
        "arguments, limits",
        [
            ("", (None, 2 * ROLLOUT_STEPS)),
            ("--minutes 5", (5, None)),
            ("--steps 9", (None, 9)),
            ("--minutes 5 --steps 9", (5, 9)),
        ],
    )
    def test_a_resumed_run_keeps_its_settings(self, train, folder, no_training, arguments, limits):
        kept = tiny.settings(options={"win_margin": 20}, opponents=("random",))
        folder.mkdir(parents=True)
        write_settings(kept, folder)
        train("--resume", *arguments.split())
        settings = no_training[0]
        assert (settings.minutes, settings.steps) == limits
        assert (settings.games, settings.seed, settings.threads) == (8, 3, 1)
        assert (settings.opponents, settings.options) == (("random",), {"win_margin": 20})

    @pytest.mark.parametrize(
        "arguments, complaint",
        [
            ("--games 16", "games of {} is 8, not 16"),
            ("--seed 0", "seed of {} is 3, not 0"),
            ("--opponents greedy", "opponents of {} is random,greedy, not greedy"),
            ("--set bear_bonus=1", "options of {} is the default, not bear_bonus=1"),
        ],
    )
    def test_a_resumed_run_cannot_have_others(self, refused_train, folder, arguments, complaint):
        folder.mkdir(parents=True)
        write_settings(tiny.settings(), folder)
        told = refused_train("--resume", *arguments.split())
        assert f"a resumed run keeps its settings: {complaint.format(folder)}\n" in told
        given = "--games 8 --seed 3 --opponents random,greedy".split()
        assert "holds no run to resume" in refused_train("--resume", *given)

    def test_threads_may_change(self, train, folder, no_training):
        folder.mkdir(parents=True)
        write_settings(tiny.settings(), folder)
        train("--resume", "--threads", "2")
        assert no_training[0].threads == 2


class TestWrongInput:
    @pytest.mark.parametrize(
        "arguments, complaint",
        [
            ("--set bear_bonus", "an option must look like NAME=VALUE"),
            ("--set bears=3", "no option 'bears'"),
            ("--set bear_bonus=256", "an integer from 0 to 255, not 256"),
            ("--opponents nobody", "no player 'nobody'"),
            ("--opponents nothing.pt", "nothing.pt: No such file or directory"),
            ("--minutes 0", "minutes must be above 0, not 0.0"),
            ("--minutes nan", "minutes must be a finite number, not nan"),
            ("--minutes inf", "minutes must be a finite number, not inf"),
            ("--minutes long", "--minutes"),
            ("--steps 0", "steps must be above 0, not 0"),
            ("--games 0", "games must be from 1 to 65536, not 0"),
            ("--threads 0", "threads must be from 1 to 1024, not 0"),
            ("--seed -1", "seed must be from 0 to 9223372036854775807, not -1"),
            ("--resume", "holds no run to resume"),
            ("--resume --minutes 3", "holds no run to resume"),
            ("again", "unexpected extra argument"),
        ],
    )
    def test_it_is_refused(self, refused_train, capfd, arguments, complaint):
        assert complaint in refused_train(*arguments.split())
        assert capfd.readouterr() == ("", "")

    def test_an_unknown_variant(self, refused):
        assert "no variant 'chess'" in refused("train", "chess")
        assert "Missing argument 'VARIANT'" in refused("train")

    def test_a_folder_that_cannot_be_made(self, refused, tmp_path):
        (tmp_path / "file").touch()
        told = refused("train", "pasgl312", "--out", str(tmp_path / "file" / "run"))
        assert told == f"pasgl: {tmp_path / 'file' / 'run'}: Not a directory\n"

    @pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
    def test_a_folder_that_cannot_be_written(self, refused, tmp_path):
        tmp_path.chmod(0o500)
        assert "Permission denied" in refused("train", "pasgl312", "--out", str(tmp_path / "run"))

    def test_another_variant(self, refused_train, folder):
        folder.mkdir(parents=True)
        values = {**asdict(tiny.settings()), "variant": "chess"}
        (folder / "settings.json").write_text(json.dumps(values))
        assert "no variant 'chess'" in refused_train("--resume")

    def test_a_run_is_there(self, refused_train, folder):
        folder.mkdir(parents=True)
        (folder / "training.pt").touch()
        assert "holds a run already: resume it" in refused_train()

    @pytest.mark.parametrize("content", [b"", b"nothing of the kind", b"\x80\x04}."])
    def test_a_damaged_checkpoint(self, refused_train, folder, content):
        folder.mkdir(parents=True)
        write_settings(tiny.settings(), folder)
        (folder / "training.pt").write_bytes(content)
        assert "training.pt is not a checkpoint, or a damaged one\n" in refused_train("--resume")


def test_the_status_is_a_line():
    rates = {"itself": 0.5, "past 1": 1.0, "random": 1.0, "greedy": 1.0}
    status = Status(0.5, 60, 3723, 12_345_678, rates, {})
    assert status.text == "1:02:03 left, 12,345,678 steps, wins: random 100%, greedy 100%"


class TestProcess:
    """The command in its own process."""

    COMMAND = (sys.executable, "-c", "from pasgl_env.cli import main; main()")

    @pytest.mark.parametrize(
        "missing, algorithm, extra",
        [("torch", "ppo", "train"), ("sb3_contrib", "ppo", "train"), ("ray", "rllib", "ray")],
    )
    def test_without_the_extra(self, missing, algorithm, extra):
        code = (
            f"import sys; sys.modules[{missing!r}] = None; from pasgl_env.cli import main; main()"
        )
        arguments = [sys.executable, "-c", code, "train", "pasgl312", "--algorithm", algorithm]
        result = subprocess.run(arguments, capture_output=True, text=True, timeout=120)
        assert result.returncode == 2
        assert result.stdout == ""
        assert re.match(r"pasgl: training .* needs? the extra: pip", result.stderr)
        assert f"'pasgl-env[{extra}]'" in result.stderr
        assert result.stderr.count("\n") == 1

    @pytest.mark.skipif(os.name == "nt", reason="signals differ")
    def test_ctrl_c_in_a_terminal(self, folder, interruptible):
        import pty

        pid, terminal = pty.fork()
        if pid == 0:
            arguments = ["train", "pasgl312", "--out", str(folder), *TINY, "--minutes", "9"]
            os.execve(
                sys.executable,
                [*self.COMMAND, *arguments],
                {**os.environ, "TERM": "xterm", "COLUMNS": "80"},
            )
        text, pressed, deadline = "", False, time.monotonic() + 120
        with suppress(OSError):  # the end, on Linux
            while chunk := os.read(terminal, 65536):
                assert time.monotonic() < deadline
                text += chunk.decode(errors="replace")
                if "left, " in text and not pressed:
                    os.write(terminal, b"\x03")
                    pressed = True
        _, code = os.waitpid(pid, 0)
        os.close(terminal)
        assert os.waitstatus_to_exitcode(code) == 0, text
        assert "Stopped. To continue:" in text
        assert "Traceback" not in text
        assert (folder / "training.pt").exists()
