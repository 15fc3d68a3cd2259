"""``--track``: the figures of a training in Weights & Biases."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from time import monotonic
from typing import Any

from pasgl_env.storage.files import write_whole
from pasgl_env.training.settings import PpoSettings, RunSettings

PROJECT = "pasgl_env"
"""The project of runs, unless the environment variable ``WANDB_PROJECT`` names another."""
ID_FILE = "wandb.txt"
"""Holds the run's identity in its folder, so that a resumed training continues its curves."""
SECONDS = 10.0
"""The shortest time between two figures."""


@contextmanager
def tracking(settings: RunSettings, folder: Path, resume: bool) -> Iterator[Callable[[Any], None]]:
    """Send a training to Weights & Biases: its settings, its status, and TensorBoard if it has it.

    Yields:
        A function to call with each status of the training, a dataclass.

    Raises:
        ImportError: without the extra ``track``.
    """
    try:
        import wandb
    except ImportError as error:
        raise ImportError(
            "--track needs Weights & Biases: pip install 'pasgl-env[track]'"
        ) from error
    file, last, due = folder / ID_FILE, dict[str, float](), 0.0
    run = wandb.init(
        project=os.environ.get("WANDB_PROJECT", PROJECT),
        name=folder.name,
        config={"algorithm": settings.algorithm, **asdict(settings)},
        sync_tensorboard=isinstance(settings, PpoSettings),
        id=file.read_text() if resume and file.exists() else None,
        resume="allow",
    )

    def send(status: Any) -> None:
        nonlocal last, due
        last = dict(_figures(asdict(status)))
        if monotonic() >= due:
            if not due:  # now the training has made its folder
                write_whole(file, run.id.encode())
            due = monotonic() + SECONDS
            run.log(last)

    try:
        yield send
        run.log(last)
    finally:
        run.finish()


def _figures(values: dict[str, Any], group: str = "") -> Iterator[tuple[str, float]]:
    """The numbers in a status by name, those of its parts as ``part/name``."""
    for name, value in values.items():
        if isinstance(value, dict):
            yield from _figures(value, f"{group}{name}/")
        elif isinstance(value, int | float):
            yield f"{group}{name}", value
