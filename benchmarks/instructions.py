"""Instructions per decision, counted by Valgrind, compared with those in a file.

Counts do not depend on the machine's load, so they show changes of a few per cent that a clock
cannot show. Everything is compiled for a generic processor, so that the counts do not depend on the
machine. They depend on the versions of Python, NumPy and Numba, which the file names: count again
after an update.

Run as ``python -m benchmarks.instructions``; it exits with 1 if a line has grown by more than 3%.
``--write`` writes the file. It needs the program ``valgrind``.
"""

from __future__ import annotations

import json
import os
import platform
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.table import Table

import pasgl_env
from benchmarks.peers import drawn
from benchmarks.throughput import gymnasium_env
from pasgl_env import Batch, variants

FILE = Path(__file__).with_suffix(".json")
TOLERANCE = 0.03
GENERIC = {
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    "PYTHONHASHSEED": "0",
    # Otherwise the C library clears arrays with an instruction that is counted once per byte.
    "GLIBC_TUNABLES": "glibc.cpu.x86_rep_stosb_threshold=1000000000",
}
# A function of the C library that nothing else calls: each call makes Callgrind write its counts.
MARKER = "getpriority"
GAMES, STEPS = 64, 40
WARM_UP = 60  # steps, so that games are at all stages


Line = tuple[str, int, Callable[[], None]]


def work() -> Iterator[Line]:
    """The lines: a name, its number of decisions, and a function that makes them."""
    for variant in variants.names():
        batch = Batch(variant, GAMES, seed=0)
        for _ in range(WARM_UP):
            batch.step(batch.sample())

        def steps(batch: Batch = batch) -> None:
            for _ in range(STEPS):
                batch.step(batch.sample())

        yield f"{variant}: Batch of {GAMES}", GAMES * STEPS, steps

    env = pasgl_env.make("pasgl312")
    yield from _twice("pasgl312: PettingZoo env()", partial(_play_aec, env))
    gym = gymnasium_env("pasgl312")
    yield from _twice("pasgl312: Gymnasium environment", partial(_play_gymnasium, gym))


def _twice(name: str, play: Callable[[int], None]) -> Iterator[Line]:
    """Play once so that everything is loaded, and then as a line."""
    play(STEPS)
    yield name, GAMES * STEPS, partial(play, GAMES * STEPS)


def _play_aec(env: Any, decisions: int) -> None:
    env.reset(seed=0)
    rng = random.Random(0)
    for _ in range(decisions):
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.reset()
            observation, *_ = env.last()
        env.step(drawn(observation["action_mask"], rng))


def _play_gymnasium(env: Any, decisions: int) -> None:
    _, info = env.reset(seed=0)
    rng = random.Random(0)
    for _ in range(decisions):
        _, _, terminated, truncated, info = env.step(drawn(info["action_mask"], rng))
        if terminated or truncated:
            _, info = env.reset()


def run_marked() -> None:
    """Do the work, with a mark before and after each line; print its names and decisions."""
    for name, decisions, play in work():
        os.getpriority(os.PRIO_PROCESS, 0)
        play()
        os.getpriority(os.PRIO_PROCESS, 0)
        print(json.dumps([name, decisions]), flush=True)


def counted() -> dict[str, float]:
    """Instructions per decision of every line."""
    command = [sys.executable, "-m", __spec__.name, "--marked"]
    environment = {**os.environ, **GENERIC}
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)  # compiles
    with tempfile.TemporaryDirectory() as folder:
        valgrind = [
            "valgrind",
            "--tool=callgrind",
            f"--dump-before={MARKER}",
            f"--callgrind-out-file={folder}/out",
        ]
        done = subprocess.run(
            [*valgrind, *command], env=environment, check=True, capture_output=True, text=True
        )
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        # The first dump covers everything before the first mark, the second the first line, and so
        # on.
        totals = [_total(Path(folder, f"out.{2 * row}")) for row in range(1, len(lines) + 1)]
    return {name: total / n for (name, n), total in zip(lines, totals, strict=True)}


def _total(dump: Path) -> int:
    found = re.search(r"^(?:totals|summary): (\d+)", dump.read_text(), re.MULTILINE)
    if found is None:
        raise ValueError(f"{dump.name} is not output of callgrind")
    return int(found[1])


def versions() -> dict[str, str]:
    """Versions that the counts depend on."""
    packages = ("numpy", "numba", "llvmlite", "gymnasium", "pettingzoo")
    return {"python": platform.python_version()} | {name: version(name) for name in packages}


def main(
    write: Annotated[bool, typer.Option("--write", help="Write the file.")] = False,
    marked: Annotated[bool, typer.Option("--marked", hidden=True)] = False,
) -> None:
    """Count instructions and compare them with the file."""
    if marked:
        run_marked()
        return
    if shutil.which("valgrind") is None:
        raise typer.BadParameter("this needs valgrind (Debian, Ubuntu: apt install valgrind)")
    counts = {name: round(count) for name, count in counted().items()}
    if write:
        FILE.write_text(json.dumps({"versions": versions(), "counts": counts}, indent=2) + "\n")
        return
    kept = json.loads(FILE.read_text())
    if kept["versions"] != versions():
        print(f"note: the file was made with other versions: {kept['versions']}", file=sys.stderr)
    sys.exit(compare(counts, kept["counts"]))


def compare(counts: dict[str, int], kept: dict[str, int]) -> int:
    """Print both; return 1 if a line has grown beyond the tolerance or is new, else 0."""
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("instructions a decision", no_wrap=True)
    for heading in ("file", "now", "change"):
        table.add_column(heading, justify="right")
    failed = False
    for name, count in counts.items():
        before = kept.get(name)
        grown = before is None or count > before * (1 + TOLERANCE)
        change = "new" if before is None else f"{count / before - 1:+.1%}"
        table.add_row(name, str(before), str(count), change, style="red" if grown else None)
        failed |= grown
    Console().print(table)
    return int(failed)


if __name__ == "__main__":
    typer.run(main)
