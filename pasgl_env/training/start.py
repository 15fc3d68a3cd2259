"""Starting a run of any algorithm, or going on with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

from pasgl_env.cluster import LOCAL
from pasgl_env.training.runs import check_run, resumed
from pasgl_env.training.settings import LocalSettings, RllibSettings, RunSettings, TdSettings


def train(
    settings: RunSettings,
    out: Path,
    report: Callable[[Any], None],
    *,
    resume: bool = False,
    address: str = LOCAL,
) -> Any:
    """Train by the ``train`` of the settings' algorithm; return the run's status.

    Args:
        settings: of any algorithm.
        out: the folder.
        report: called with the status from time to time.
        resume: whether to go on with the run that the folder holds.
        address: of the Ray cluster of algorithms with workers.

    Raises:
        ImportError: without an extra that the algorithm needs.
        Exception: further ones as that function.
    """
    if isinstance(settings, TdSettings):
        from pasgl_env.training.td import run as td

        return td.train(settings, out, address=address, resume=resume, report=report)
    if isinstance(settings, RllibSettings):
        from pasgl_env.training.rllib import train as rllib

        return rllib.train(settings, out, address=address, resume=resume, report=report)
    from pasgl_env.training.ppo import train as ppo

    own: Any = settings
    return ppo.train(own, out, resume=resume, report=report)


def holds_run(out: Path, kind: type[RunSettings]) -> bool:
    """Whether a folder holds a run to go on with; ``ImportError`` as :func:`train`."""
    return (out / _training_file(kind)).exists()


def check_start(out: Path, kind: type[RunSettings], resume: bool) -> None:
    """Check that :func:`train` can begin in a folder, or go on there.

    Raises:
        ImportError: as :func:`train`.
        RunExists: as :func:`~pasgl_env.training.runs.folder_of_one_run`.
    """
    check_run(out, _training_file(kind), resume)


def _training_file(kind: type[RunSettings]) -> str:
    if issubclass(kind, TdSettings):
        from pasgl_env.training.td.run import TRAINING_FILE
    else:
        from pasgl_env.players.networks.checkpoint import TRAINING_FILE
    return TRAINING_FILE


def start_or_resume(settings: LocalSettings, out: Path, report: Callable[[Any], None]) -> Any:
    """Train to the end in a folder, or go on with the run that it holds, as :func:`train`.

    Raises:
        KeyboardInterrupt: after Ctrl-C; the same call continues.
        ValueError: if the run in the folder has other settings, but for limits and threads.
    """
    if resume := holds_run(out, type(settings)):
        wanted = {field.name: getattr(settings, field.name) for field in fields(settings)}
        settings = resumed(out, wanted, type(settings))
    status = train(settings, out, report, resume=resume)
    if status.progress < 1:
        raise KeyboardInterrupt
    return status
