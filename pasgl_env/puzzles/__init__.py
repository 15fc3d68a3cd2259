"""Puzzles: positions in which exactly one action wins, mined from games and solved positions.

``pasgl puzzles`` finds them. A file of a variant has a line for each puzzle: its difficulty, its
solution, its position text and what proves it, separated by tabs.

>>> puzzle = load("pasgl312")[0]
>>> puzzle.attempt(puzzle.solution).verdict
<Verdict.DONE: 'done'>
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from pasgl_env.engine.position import Position
from pasgl_env.lessons import Attempt, Step

RATERS = "greedy", "td", "search:20", "search:100"
"""The players that are set a puzzle, from weak to strong."""
SUFFIX = ".tsv"


class Proof(StrEnum):
    """What shows that exactly one action wins."""

    TABLE = "table"
    """Exact values of all positions that can be reached, by the rules."""
    SEARCH = "search"
    """A search agrees with one of ten times as many simulations."""


class Puzzle(NamedTuple):
    """A position in which exactly one action of the player to act wins.

    Attributes:
        variant: the variant's name; its options are the defaults.
        text: the position, in which a player is to act.
        solution: labels of the winning action and of those that follow in the same turn, as long as
            exactly one of them wins.
        difficulty: the number of players, of the four of :data:`RATERS`, that do not find the
            solution: 0 for an easy puzzle.
        proof: what shows that the solution is the only one.
    """

    variant: str
    text: str
    solution: tuple[str, ...]
    difficulty: int
    proof: Proof

    def start(self) -> Position:
        """The position."""
        return Position.from_text(self.variant, self.text)

    def attempt(self, labels: Sequence[str]) -> Attempt:
        """Judge the actions played since the start.

        Raises:
            IllegalMove: if one of them is not legal.
        """
        return self.step().attempt(list(labels))

    def step(self) -> Step:
        """The puzzle as a task."""
        return Step(self.variant, "", "", "", (self.solution,), "", "", position=self.text)


@cache
def load(variant: str) -> tuple[Puzzle, ...]:
    """The puzzles of a variant that come with the package, the easiest first; () without any."""
    file = resources.files(__name__) / "positions" / f"{variant}{SUFFIX}"
    return read(variant, file.read_text("utf-8")) if file.is_file() else ()


def available() -> tuple[str, ...]:
    """The variants with puzzles."""
    files = (resources.files(__name__) / "positions").iterdir()
    return tuple(sorted(file.name.removesuffix(SUFFIX) for file in files))


def read(variant: str, content: str) -> tuple[Puzzle, ...]:
    """Parse the output of :func:`written`."""
    rows = (line.split("\t") for line in content.splitlines())
    return tuple(
        Puzzle(variant, text, tuple(solution.split(",")), int(difficulty), Proof(proof))
        for difficulty, solution, text, proof in rows
    )


def read_own(file: Path, variant: str) -> tuple[Puzzle, ...]:
    """The puzzles in a file that need not be one of puzzles.

    Raises:
        OSError: if it cannot be read.
        ValueError: if a line is no puzzle of the variant, whose solution can be played; says which.
    """
    found = []
    for number, line in enumerate(file.read_bytes().splitlines(), 1):
        try:
            (puzzle,) = read(variant, line.decode())
            if not 0 <= puzzle.difficulty <= len(RATERS):
                raise ValueError(f"a difficulty is from 0 to {len(RATERS)}")
            position = puzzle.start()
            for label in puzzle.solution:
                position.play(label)
        except ValueError as error:
            raise ValueError(f"{file}, line {number} is no puzzle of {variant}") from error
        found.append(puzzle)
    return tuple(found)


def written(puzzles: Iterable[Puzzle]) -> str:
    """The content of a file, the easiest puzzles first."""
    rows = sorted(
        (each.difficulty, ",".join(each.solution), each.text, each.proof) for each in puzzles
    )
    return "".join("\t".join(map(str, row)) + "\n" for row in rows)
