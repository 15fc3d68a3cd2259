"""The levels for human opponents: eight players a variant, about evenly spaced in Elo.

``python -m studies.levels --minutes 5`` rates candidates from random play to a search of 100 ms for
five minutes in every variant, picks the players whose ratings are nearest to even steps, and writes
``pasgl_env/players/levels.json`` and the page ``docs/results/levels.md``. If interrupted, the same
command resumes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from math import inf
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from pasgl_env import variants
from pasgl_env.cli.arguments import GamesSeed, Threads, wrong_input
from pasgl_env.cli.complaints import program
from pasgl_env.cli.output import say
from pasgl_env.cli.progress import countdown, interruptible, progress_bar
from pasgl_env.evaluation.table import markdown_table
from pasgl_env.players.levels import FILE, LEVELS
from pasgl_env.statistics.ratings import Rating
from pasgl_env.storage.files import json_bytes, write_whole
from pasgl_env.storage.runs import hardware
from studies.entries import PAGES, check_names, commands, entries_file, read_entries, write_entries
from studies.ladder import Minutes, Names, Results, climb, rungs

TEMPERATURES = (1, 0.5, 0.3, 0.2, 0.14, 0.1, 0.07, 0.05, 0.035, 0.025, 0.015)
CANDIDATES = (
    "random",
    *(f"td:temperature={each:g}" for each in TEMPERATURES),
    "td",
    "search:4",
    "search:10",
    "search:30",
    "search:100ms",
)
MEETINGS = (*pairwise(CANDIDATES), *zip(CANDIDATES, CANDIDATES[2:], strict=False))
DATA = Path("pasgl_env/players") / FILE
PAGE = PAGES / "levels.md"

Row = dict[str, Any]
"""A level's player and its Elo relative to the weakest; None if it is not known."""


@dataclass(frozen=True)
class Entry:
    """The measurement of a variant's levels.

    Attributes:
        minutes: time for the games.
    """

    minutes: float


def chosen(names: Sequence[str], ratings: Mapping[str, Rating]) -> list[Row]:
    """The candidates that come nearest to even steps, from the first to the last.

    Args:
        names: the candidates, the weakest first.
        ratings: of the candidates. Those without a finite rating are left out, but for the last:
            if it is not rated above all others, it has no Elo.

    Raises:
        ValueError: if too few candidates have a finite rating.
    """
    first, *between, last = names
    elo = {name: ratings[name].elo - ratings[first].elo for name in names}
    rated = sorted((name for name in between if 0 < elo[name] < inf), key=elo.__getitem__)
    is_last_rated = bool(rated) and elo[rated[-1]] < elo[last] < inf
    top = [last] if is_last_rated else rated[-1:]
    inner = [name for name in rated if name not in top]
    wanted = len(LEVELS) - 2 if is_last_rated else len(LEVELS) - 3
    if len(inner) < wanted:
        raise ValueError(f"{len(inner)} candidates are rated, {wanted} are needed: play longer")
    even = np.linspace(0, elo[top[0]], wanted + 2)[1:-1]
    best = min(
        combinations(inner, wanted),
        key=lambda some: float(((np.array([elo[name] for name in some]) - even) ** 2).sum()),
    )
    rows: list[Row] = [{"player": name, "elo": round(elo[name])} for name in (first, *best, *top)]
    return rows if is_last_rated else [*rows, {"player": last, "elo": None}]


def page(levels: Mapping[str, list[Row]], entries: Mapping[str, Entry]) -> str:
    """The page, as Markdown."""
    measured = commands("levels", {name: each.minutes for name, each in entries.items()})
    lines = [_INTRODUCTION.format(commands=measured, hardware=hardware())]
    for variant, rows in levels.items():
        cells = [
            [level.name, f"`{row['player']}`", "-" if row["elo"] is None else str(row["elo"])]
            for level, row in zip(LEVELS, rows, strict=True)
        ]
        lines += [
            f"## {variants.find(variant).title}\n",
            *markdown_table(["level", "player", "Elo"], cells, left=(0, 1)),
            "",
        ]
    return "\n".join(lines)


_INTRODUCTION = """# Levels

The opponents that the [web page](../web.md) offers to people, eight a variant, measured by

{commands}

Candidates from random play to a search of 100 ms an action met those near to them in strength, in
pairs of games from the shipped openings with swapped sides. The levels are the candidates nearest
to even steps of *Elo*, which is relative to random play here. `search:100ms` is the highest level
everywhere; it has no Elo where it won all games, or they would have taken too long.
Hardware: {hardware}.
"""


def measured(
    variant: str, seconds: float, folder: Path, threads: int, seed: int, report: Any
) -> Results:
    """Play a variant's candidates against each other."""
    rung = replace(rungs()[variant], candidates=CANDIDATES, meetings=MEETINGS, anchor=CANDIDATES[0])
    return climb(rung, seconds, folder, threads=threads, seed=seed, report=report)


def main(
    names: Names = None,
    minutes: Minutes = 5.0,
    folder: Annotated[
        Path, typer.Option("--out", metavar="FOLDER", help="Folder of the results.")
    ] = Path("runs/levels"),
    data: Annotated[Path, typer.Option(metavar="FILE", help="The table of the levels.")] = DATA,
    to: Annotated[Path, typer.Option("--page", metavar="FILE", help="The page.")] = PAGE,
    threads: Threads = 1,
    seed: GamesSeed = 0,
) -> None:
    """Measure the levels, and write their table and page; other variants keep theirs."""
    with wrong_input():
        check_names(names or (), variants.names(), "variant")
        kept, levels = entries_file(to), json.loads(data.read_bytes()) if data.exists() else {}
        entries = read_entries(kept, "levels", lambda each: Entry(**each))
        with progress_bar() as show, interruptible(folder):
            for name in names or variants.names():
                tell = countdown(show, name, 60 * minutes)
                results = measured(name, 60 * minutes, folder, threads, seed, tell)
                levels[name] = chosen(CANDIDATES, results.ratings)
                entries[name] = Entry(minutes)
        ordered = {name: levels[name] for name in variants.names() if name in levels}
        write_entries(kept, entries, ordered)
        write_whole(data, json_bytes(ordered))
        write_whole(to, page(ordered, entries).encode())
    say(f"The levels are in {data} and {to}.")


app = program(main)

if __name__ == "__main__":
    app()
