"""Starting a run of any algorithm on this machine, or going on with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

from pasgl_env.training.runs import resumed
from pasgl_env.training.settings import LocalSettings, TdSettings


def start_or_resume(settings: LocalSettings, out: Path, report: Callable[[Any], None]) -> Any:
    """Train in a folder, or go on with the run that it holds; return the run's status.

    Args:
        settings: a :class:`TdSettings` or :class:`PpoSettings`.
        out: the folder.
        report: called with the status from time to time.

    Raises:
        ValueError: if the run in the folder has other settings, but for limits and threads, or as
            the algorithm's ``train``.
        ImportError: for PPO without the extra ``train``.
        OSError: if files cannot be written or read.
    """
    train: Any
    if isinstance(settings, TdSettings):
        from pasgl_env.training.td import run as td

        file, train = td.TRAINING_FILE, td.train
    else:
        from pasgl_env.players.networks import checkpoint
        from pasgl_env.training.ppo import train as ppo

        file, train = checkpoint.TRAINING_FILE, ppo.train
    resume = (out / file).exists()
    if resume:
        wanted = {field.name: getattr(settings, field.name) for field in fields(settings)}
        settings = resumed(out, wanted, type(settings))
    return train(settings, out, resume=resume, report=report)
