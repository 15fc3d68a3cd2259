"""``pasgl train --algorithm td``: learned values by temporal differences."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import fields
from datetime import timedelta
from pathlib import Path
from typing import Any

from pasgl_env.cli.arguments import wrong_input
from pasgl_env.cli.output import SparseLines, say
from pasgl_env.training import td
from pasgl_env.training.td import TdSettings, TdStatus

SETTINGS = (
    "exploration",
    "temperature",
    "opening",
    "prelude",
    "decay",
    "step",
    "rivalry",
    "cut_worth",
    "start",
)
"""What ``--td NAME=VALUE`` takes: settings of :class:`TdSettings` that no other option has."""
KINDS: dict[str, Callable[[str], Any]] = {"int": int, "float": float, "str": str}


def run(
    variant: str,
    folder: Path,
    resume: bool,
    given: dict[str, Any],
    settings: Sequence[str],
) -> None:
    """Train, and say what can be done with the result.

    Args:
        variant: what to learn.
        folder: where the run is.
        resume: whether it goes on.
        given: settings that other options have, by their names.
        settings: texts ``NAME=VALUE``.
    """
    with wrong_input():
        own = read_settings(settings)
        if resume:
            wanted = _resumed(variant, folder, {**given, **own})
        else:
            wanted = TdSettings(variant, **given, **own)
        lines = SparseLines()
        status = td.train(
            wanted, folder, resume=resume, report=lambda status: lines(_line(wanted, status))
        )
    where = shlex.quote(str(folder))
    if status.progress < 1:
        say("Stopped. To go on:")
        say(f"  pasgl train {variant} --algorithm td --out {where} --resume")
        return
    options = "".join(f" --set {name}={value}" for name, value in wanted.options.items())
    say(f"{status.games:,} games in {status.seconds / 60:.1f} min.")
    say("To measure the values, to play against a search with them, to learn longer:")
    say(f"  pasgl evaluate {variant} td:values={where} greedy{options}")
    say(f"  pasgl play {variant} --player search:values={where}{options}")
    longer = 2 * (wanted.minutes or 4)
    say(f"  pasgl train {variant} --algorithm td --out {where} --resume --minutes {longer:g}")


def read_settings(texts: Sequence[str]) -> dict[str, Any]:
    """Settings given as ``NAME=VALUE``.

    Raises:
        ValueError: for an unknown name, or a value that is no number.
    """
    types = {field.name: str(field.type) for field in fields(TdSettings)}
    read: dict[str, Any] = {}
    for text in texts:
        name, _, value = text.partition("=")
        if name not in SETTINGS:
            raise ValueError(f"--td takes {', '.join(SETTINGS)}, not {name!r}")
        try:
            read[name] = KINDS[types[name]](value)
        except ValueError:
            raise ValueError(f"--td {name} must be a number, not {value!r}") from None
    return read


def _resumed(variant: str, folder: Path, given: dict[str, Any]) -> TdSettings:
    """The settings of a run that goes on, with other limits."""
    kept = td.read_settings(folder)
    changes = {name: given.pop(name) for name in ("minutes", "games", "threads") if name in given}
    for name, value in {"variant": variant, **given}.items():
        if getattr(kept, name) != value:
            raise ValueError(
                f"a resumed run keeps its settings: {name} of {folder} is {getattr(kept, name)},"
                f" not {value}"
            )
    return td.with_limits(kept, **changes)


def _line(settings: TdSettings, status: TdStatus) -> str:
    left = ""
    if settings.minutes:
        seconds = max(0.0, 60 * settings.minutes - status.seconds)
        left = f"{timedelta(seconds=round(seconds))} left, "
    return (
        f"{status.progress:4.0%} {left}{status.games:,} games of {status.length:.0f} actions,"
        f" values off by {status.error:.3f}"
    )
