"""A run's folder: its lock, settings and log, and stopping by Ctrl-C."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import asdict, fields, replace
from pathlib import Path
from threading import current_thread, main_thread
from time import perf_counter
from typing import Any, TypeVar

import numpy as np

from pasgl_env.players.trained import AGENT_FILE
from pasgl_env.players.values.weights import FILE
from pasgl_env.storage.files import append, write_whole
from pasgl_env.storage.runs import BadRun, alone_in, line_of, object_in
from pasgl_env.training.settings import RunSettings

LOG_FILE, SETTINGS_FILE = "log.jsonl", "settings.json"
# By name: the modules of the first two need PyTorch, or this one.
_LASTING = "training.pt", "training.safetensors", AGENT_FILE, FILE
SECONDS_BETWEEN_CHECKPOINTS = 20.0
DIVERGED = "training diverged: weights are too large, or no numbers any more"
HOW_TO_GO_ON = "resume from the last checkpoint"

Settings = TypeVar("Settings", bound=RunSettings)


class RunExists(ValueError):
    """The output folder already holds a run or an agent, or has no run to resume."""


def folder_of_one_run(out: Path, training_file: str, resume: bool) -> AbstractContextManager[None]:
    """Check the folder and lock it; the lock ends with the process, however that ends.

    Args:
        out: the folder; created if needed.
        training_file: the file that a run resumes from.
        resume: whether that file must exist.

    Raises:
        InUse: if another process is at work there.
        RunExists: if ``resume`` is set and the folder holds no run of this kind, or if it is not
            and the folder is not free, see :func:`check_is_free`.
        OSError: if the folder cannot be created or written to.
    """
    return alone_in(out, lambda: check_run(out, training_file, resume))


def check_run(out: Path, training_file: str, resume: bool) -> None:
    """Check the folder, as :func:`folder_of_one_run`, without locking it."""
    exists = (out / training_file).exists()
    if resume and not exists:
        raise RunExists(f"{out} holds no run to resume")
    if resume:
        return
    if exists:
        raise RunExists(f"{out} holds a run already: resume it, or give another folder")
    check_is_free(out)


def check_is_free(out: Path) -> None:
    """Check that a new training replaces nothing that a folder holds.

    What a run leaves that ended before its first checkpoint does not count: its settings, and the
    log beside them.

    Raises:
        RunExists: if the folder holds a run of any algorithm, an agent, or a log of something else.
    """
    is_of_run = (out / SETTINGS_FILE).exists()
    for name in _LASTING if is_of_run else (*_LASTING, LOG_FILE):
        if (out / name).exists():
            raise RunExists(f"{out} holds {name} already: give another folder")


def diverged(out: Path, settings: RunSettings, rate: str) -> ValueError:
    """The error of a run whose weights are no longer finite numbers.

    Args:
        out: its folder.
        settings: its settings.
        rate: the name of the setting by which weights change more or less.
    """
    return ValueError(
        f"{DIVERGED}. Train with a smaller {rate} than {getattr(settings, rate):g}; {out} has the"
        " last checkpoint, if there was one"
    )


def is_checkpoint_due(saved_at: float) -> bool:
    """Whether to write a checkpoint after one at this ``perf_counter()``."""
    return perf_counter() - saved_at > SECONDS_BETWEEN_CHECKPOINTS


def seed_of(seed: int, earlier: dict[str, Any] | None) -> int:
    """The run's seed; a different one after resuming, to avoid repeating the same draws.

    Below 2**32, as Stable-Baselines3 needs it.
    """
    if earlier is None and seed < 2**32:
        return seed
    sequence = np.random.SeedSequence((seed, earlier["steps"] if earlier else 0))
    return int(sequence.generate_state(1)[0])


def write_settings(settings: RunSettings, out: Path) -> None:
    """Store the settings of a run in its folder."""
    text = json.dumps(asdict(settings), indent=2) + "\n"
    write_whole(out / SETTINGS_FILE, text.encode())


def read_settings(out: Path, kind: type[Settings]) -> Settings:
    """The settings of the run in a folder.

    Raises:
        RunExists: if there are none, they cannot be read, or they are for another algorithm.
    """
    if not (out / SETTINGS_FILE).exists():
        raise RunExists(f"{out} holds no run to resume")
    try:
        return settings_in(json.loads((out / SETTINGS_FILE).read_text()), kind)
    except (OSError, ValueError, TypeError, AttributeError, RecursionError) as error:
        wanted = f"no run to resume with --algorithm {kind.algorithm}"
        raise RunExists(f"{out} holds {wanted} ({SETTINGS_FILE}: {error})") from error


def settings_in(kept: dict[str, Any], kind: type[Settings]) -> Settings:
    """Settings from the output of :func:`write_settings`; every field is required.

    Raises:
        TypeError: for a value of a wrong type, or an unknown field.
        ValueError: for an invalid value, or a missing field.
    """
    missing = [each.name for each in fields(kind) if each.name not in kept]
    if missing:
        raise ValueError(f"there is no {missing[0]}")
    values: dict[str, Any] = {
        name: tuple(value) if type(value) is list else value for name, value in kept.items()
    }
    return kind(**values)


def resumed(out: Path, wanted: dict[str, Any], kind: type[Settings]) -> Settings:
    """The settings of the run in a folder, with changed limits and the like.

    Args:
        out: the folder.
        wanted: settings by name; only ``limits`` and ``changeable`` may differ from the run's.
        kind: class of the settings.

    Raises:
        RunExists: if the folder holds no run of this kind.
        ValueError: if the run has other settings.
    """
    kept = read_settings(out, kind)
    for name, value in wanted.items():
        if name in (*kind.limits, *kind.changeable):
            continue
        if (own := getattr(kept, name)) != value:
            raise ValueError(
                f"a resumed run keeps its settings: {name} of {out} is {_shown(own)},"
                f" not {_shown(value)}"
            )
    return replace(kept, **wanted)


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{name}={each}" for name, each in value.items()) or "the default"
    return ",".join(value) if isinstance(value, tuple) else str(value)


def begin_files(settings: RunSettings, out: Path, decisions: int, *counts: str) -> None:
    """Write the settings of a run, and begin its log or go on with it.

    The log keeps the rows up to the checkpoint: anything later is played, or imitated, again.

    Args:
        settings: the settings.
        out: the folder of the run.
        decisions: number of decisions learned from at the checkpoint.
        counts: the entries of a row whose sum is that number at the time of the row.

    Raises:
        OSError: if a file cannot be read or written; if it is the log, nothing has been written.
    """
    rows = _rows_until(out / LOG_FILE, decisions, counts)
    write_settings(settings, out)  # first: a log without settings is not of a run
    write_whole(out / LOG_FILE, b"".join(line + b"\n" for line in rows))


def _rows_until(log: Path, decisions: int, counts: tuple[str, ...]) -> list[bytes]:
    """The lines of a log that are rows up to a number of decisions."""
    rows = []
    with suppress(FileNotFoundError):
        for line in log.read_bytes().splitlines():
            with suppress(KeyError, TypeError):
                row = object_in(line) or {}
                if sum(row[name] for name in counts) <= decisions:
                    rows.append(line)
    return rows


def log_row(out: Path, row: dict[str, Any]) -> None:
    """Add a row to the log."""
    append(out / LOG_FILE, line_of(row))


def log_rows(out: Path) -> list[dict[str, Any]]:
    """The rows of the log of a run.

    Raises:
        OSError: if there is none.
        BadRun: if it is damaged.
    """
    log = out / LOG_FILE
    lines = log.read_bytes().splitlines()
    return [_row(line, f"line {number} of {log}") for number, line in enumerate(lines, 1)]


def _row(line: bytes, name: str) -> dict[str, Any]:
    if (row := object_in(line)) is None:
        raise BadRun(f"{name} is damaged: it is not a JSON object")
    return row


@contextmanager
def stopped_by_interrupt(run: Any) -> Iterator[None]:
    """Let Ctrl-C end training after the current step, and a second one at once.

    The run ends soon after ``stop_asked`` is set.

    A process that ignores SIGINT from the start, like `pasgl train &` in a shell script, keeps
    ignoring it.
    """
    before = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or before == signal.SIG_IGN:
        yield
        return

    def ask_to_stop(number: int, frame: Any) -> None:
        run.stop_asked = True
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, ask_to_stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
