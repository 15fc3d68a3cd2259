"""Runs too short to learn anything, which take a second."""

from __future__ import annotations

from pathlib import Path
from time import sleep
from typing import Any

from pasgl_env.players.networks import checkpoint
from pasgl_env.training import runs
from pasgl_env.training.ppo import train as trainer
from pasgl_env.training.ppo.run import Status
from pasgl_env.training.ppo.train import ROLLOUT
from pasgl_env.training.settings import PpoSettings

GAMES = 8
ROLLOUT_STEPS = ROLLOUT * GAMES


def settings(**changes: Any) -> PpoSettings:
    values = {
        "minutes": None,
        "steps": 2 * ROLLOUT_STEPS,
        "games": GAMES,
        "threads": 1,
        "seed": 3,
        "evaluations": 0,
        "width": 16,
    }
    return PpoSettings("pasgl312", **{**values, **changes})


def train(out: Path, *, resume: bool = False, report: Any = None, **changes: Any) -> Status:
    reports = {"report": report} if report else {}
    return trainer.train(settings(**changes), out, resume=resume, **reports)


def train_until_killed(out: Path) -> None:
    """Train in a process of its own, writing a checkpoint at every opportunity."""
    runs.SECONDS_BETWEEN_CHECKPOINTS = 0
    resume = (out / "training.pt").exists()
    train(out, resume=resume, steps=10**9, report=lambda status: sleep(0.001))


def training_steps(out: Path) -> int:
    steps: int = checkpoint.read(out / "training.pt", "pasgl312", "steps")["steps"]
    return steps
