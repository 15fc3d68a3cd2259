"""How many positions each game has: a lower bound from random games, an upper one by counting.

``python -m studies.state_space`` writes the page ``docs/results/state_space.md``, in a minute.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from math import comb, floor, log10
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from pasgl_env import Position, variants
from pasgl_env.cli.arguments import GamesSeed, wrong_input
from pasgl_env.cli.complaints import program
from pasgl_env.cli.output import say
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.evaluation.table import markdown_table
from pasgl_env.solving import estimate
from pasgl_env.storage.files import write_whole
from studies.entries import PAGES
from studies.findings.page import wrapped

PAGE = PAGES / "state_space.md"


class Kind(NamedTuple):
    """Pieces that look alike.

    Attributes:
        number: how many there are at most.
        on: states of one on a square.
        off: states of one that is on no square.
    """

    number: int
    on: int = 1
    off: int = 1


def arrangements(squares: int, kinds: Iterable[Kind], others: int = 0) -> int:
    """The number of ways to put pieces on squares, at most one on each.

    >>> arrangements(4, [Kind(1), Kind(1)])  # both, either alone, or none
    21

    Args:
        squares: number of squares.
        kinds: the pieces.
        others: things of which there may be any number, one on each square that is left.
    """
    ways = {0: 1}  # by the number of squares that are taken
    for number, on, off in kinds:
        before, ways = ways, Counter[int]()
        for taken, known in before.items():
            for here in range(min(number, squares - taken) + 1):
                states = on**here * comb(number - here + off - 1, off - 1)
                ways[taken + here] += known * comb(squares - taken, here) * states
    return sum(known * (1 + others) ** (squares - taken) for taken, known in ways.items())


def of_pasgl312(ruleset: Ruleset) -> int:
    """Critters share squares, so each is counted alone; alike ones only by where they are."""
    squares, lunch, stink, away = 64, 2, 2, 4 * 2 + 2  # boarding and leaving; in a car of the Train
    carrier, turkey = (squares * states + away + 1 for states in (lunch * stink, stink))
    shrew = 2 * (squares * stink + away) + 1  # or the Chipmunk that it becomes
    side = carrier**6 * comb(turkey + 1, 2) * comb(shrew + 7, 8)
    leads, passes = 2 * int(ruleset.options["win_margin"]) - 1, 40
    return side**2 * 2 * 20 * leads * passes


def of_spalding(ruleset: Ruleset) -> int:
    """Of seven kinds a side has one, of which three are found once a game; Bats one on a file."""
    side = [Kind(1)] * 4 + [Kind(1, off=2)] * 3 + [Kind(8)]
    return 2 * arrangements(64, side * 2, others=2 * 3 + 3)


def of_pachessi(ruleset: Ruleset) -> int:
    """On a square a piece has -1 lap up to one more than it needs; others are taken or off."""
    size, hole, laps = (int(ruleset.options[name]) for name in ("size", "hole", "laps"))
    players = ruleset.spaces.players
    return players * arrangements(size**2 - hole**2, [Kind(1, laps + 3, 2)] * 4 * players)


def of_chieftain(ruleset: Ruleset) -> int:
    """All pieces of the setup, or some of them, anywhere."""
    board = str(ruleset.options["setup"])
    pieces = Counter(re.findall("[A-Za-z]", board))
    empty = sum(map(int, re.findall(r"\d+", board)))
    return 2 * arrangements(pieces.total() + empty, map(Kind, pieces.values()))


COUNTS: dict[str, Callable[[Ruleset], int]] = {
    "pasgl312": of_pasgl312,
    "spalding": of_spalding,
    "pachessi": of_pachessi,
    "chieftain": of_chieftain,
}
"""Upper bounds, by the name of the rules."""


def most(ruleset: Ruleset) -> int:
    """An upper bound on the positions between turns."""
    return COUNTS[ruleset.game.cache_name](ruleset)


def least(ruleset: Ruleset, seed: int) -> int:
    """A lower bound on the positions, those within turns included."""
    return estimate(ruleset, Position(ruleset).state, seed).positions


def power(number: int) -> str:
    """A number with two digits.

    >>> power(1970)
    '1.9 × 10<sup>3</sup>'
    """
    exponent = floor(log10(number))
    return f"{number * 10 // 10**exponent / 10} × 10<sup>{exponent}</sup>"


def page(seed: int) -> str:
    """The page, as Markdown."""
    rulesets = [variants.ruleset(name) for name in variants.names()]
    rows = [[each.game.title, power(least(each, seed)), power(most(each))] for each in rulesets]
    table = markdown_table(["game", "at least", "at most"], rows)
    return "\n".join([_INTRODUCTION, *table, "", *map(_paragraph, _NOTES), _SOURCES])


def _paragraph(text: str) -> str:
    return wrapped(f"- {text}", "  ")


_INTRODUCTION = """# How many positions there are

The state-space complexity of each game under its usual rules, as measured by

    python -m studies.state_space

*At most* is an upper bound as Allis counts it: the ways to put the pieces on the board at the start
of a turn, of which games reach only some. The number of the turn is no part of a position. Ludii
has the same concept, with a coarser bound. *At least* is Chao's lower bound from 200,000 positions
of random games, those within turns included; most of them came up once, so the number itself is far
larger. The size of the game tree is a measure of every [playtest](../playtest.md), `game_tree`.
"""
_NOTES = (
    "PASGL 312: any number of critters share a square. Each is somewhere, boarding, on the Train,"
    " leaving or dead, stinky or not, with its lunch or without; then the phase of the Train, the"
    " lead and the passes in a row.",
    "Captain Spalding: the board and what is still to be found. The positions that a game has had"
    " may not come back, and are part of its state; they are not counted here.",
    "Pachessi, Grand Pachessi: for two players, before a roll. Laps above one more than a piece"
    " needs are alike, since it can lose one at most.",
    "Chieftain, Superchief, Overlord: the board.",
)
_SOURCES = """
L. V. Allis, *Searching for Solutions in Games and Artificial Intelligence*, dissertation,
Maastricht, 1994. É. Piette, M. Stephenson, D. J. N. J. Soemers and C. Browne, *General Board Game
Concepts*, IEEE Conference on Games, 2021. A. Chao, *Nonparametric Estimation of the Number of
Classes in a Population*, Scandinavian Journal of Statistics 11, 1984.
"""


def main(
    to: Annotated[Path, typer.Option("--page", metavar="FILE", help="The page.")] = PAGE,
    seed: GamesSeed = 0,
) -> None:
    """Estimate, and write the page."""
    with wrong_input():
        write_whole(to, page(seed).encode())
    say(f"The page is {to}.")


app = program(main)

if __name__ == "__main__":
    app()
