"""``pasgl train --algorithm rllib``: PPO on Ray RLlib, on one machine or on a cluster of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from pasgl_env.cli.arguments import WrongInput, wrong_input
from pasgl_env.cli.output import SparseLines, say


def run(variant: str, folder: Path, resume: bool, address: str, given: dict[str, Any]) -> None:
    """Train, and say what can be done with the result.

    Args:
        variant: what to learn.
        folder: where the run is.
        resume: whether it goes on.
        address: of a Ray cluster: ``HOST:PORT``, ``auto`` or ``local``.
        given: settings of :class:`pasgl_env.training.rllib.RllibSettings`.
    """
    with wrong_input():
        from pasgl_env.training import rllib

        limits = {"iterations", "minutes"} & given.keys()
        given = {**dict.fromkeys(("iterations", "minutes") if limits else ()), **given}
        if resume:
            wanted = _resumed(rllib.read_settings(folder), folder, {"variant": variant, **given})
        else:
            wanted = rllib.RllibSettings(variant, **given)
        lines = SparseLines()
        try:
            progress = rllib.learn(
                wanted,
                folder,
                address=address,
                resume=resume,
                report=lambda progress: lines(progress.text(wanted)),
            )
        except rllib.WorkerFailed as error:
            raise WrongInput(str(error)) from error
    say(progress.text(wanted))
    say(f"To measure the agent: pasgl evaluate {variant} {folder} greedy")


def _resumed(kept: Any, folder: Path, given: dict[str, Any]) -> Any:
    """The settings of a run with other limits and workers."""
    changed = replace(kept, **given)
    for name in ("variant", "seed", "options"):
        if (own := getattr(kept, name)) != getattr(changed, name):
            raise ValueError(
                f"a resumed run keeps its settings: {name} of {folder} is {own},"
                f" not {getattr(changed, name)}"
            )
    return changed
