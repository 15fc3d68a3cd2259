"""The folder of a sweep: a run's folder for every arm, and ``manifest.json``, which says what."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pasgl_env.playtest.folder import LOCK, MANIFEST, BadRun, check_own, check_same
from pasgl_env.playtest.settle import Question
from pasgl_env.playtest.sweep.grid import Sweep
from pasgl_env.storage.files import held, write_whole

FORMAT = "pasgl_env sweep 1"


@contextmanager
def opened(
    path: Path, sweep: Sweep, games: int, until: Question | None, command: Sequence[str]
) -> Iterator[None]:
    """Hold a sweep's folder, made if need be.

    Args:
        path: of the folder.
        sweep: what is played there; another sweep only if it adds values to those there were.
        games: of each arm, as many as before or more.
        until: the question whose answer ends an arm.
        command: what was asked for.

    Raises:
        BadRun: if the folder holds a playtest, another sweep, more games, or other files.
        InUse: if another process is at work there.
        OSError: if it cannot be read or written.
    """
    check_own(path)
    path.mkdir(parents=True, exist_ok=True)
    with held(path / LOCK):
        file = path / MANIFEST
        swept = {each.option.name: list(each.values) for each in sweep.swept}
        about = {
            "format": FORMAT,
            "sweep": swept,
            "games": games,
            "settle": str(until) if until else None,
            "plan": sweep.to_dict(),
        }
        if file.exists():
            _check(path, _read(file), about)
        content = json.dumps({**about, "command": list(command)}, indent=2) + "\n"
        write_whole(file, content.encode())
        yield


def _read(file: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(file.read_bytes())
        is_sweep = found["format"] == FORMAT
        dict(found["sweep"], **found["plan"]["options"])
        _besides_options(found)
        is_sweep = is_sweep and isinstance(found["games"], int)
    except (ValueError, KeyError, TypeError, AttributeError):
        is_sweep = False
    if not is_sweep:
        raise BadRun(f"{file} does not belong to a sweep ({FORMAT}): give another folder")
    return found


def _check(path: Path, own: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Raise :class:`BadRun` if what is there would be lost or mixed with something else."""
    other = f"{path} holds another sweep"
    check_same(other, *({"options": list(about["sweep"])} for about in (own, wanted)))
    for name, values in own["sweep"].items():
        missing = [value for value in values if value not in wanted["sweep"][name]]
        if missing:
            raise BadRun(f"{other}, with {name}={missing[0]} too: give another folder")
    check_same(other, own["plan"]["options"], wanted["plan"]["options"])
    check_same(other, _besides_options(own), _besides_options(wanted))
    if own["games"] > wanted["games"]:
        raise BadRun(
            f"{path} holds a sweep of {own['games']} games an arm, more than {wanted['games']}"
        )


def _besides_options(about: dict[str, Any]) -> dict[str, Any]:
    """What all arms have in common besides options, of which one may have the same name."""
    plan = {name: value for name, value in about["plan"].items() if name != "options"}
    return {**plan, "settle": about["settle"]}
