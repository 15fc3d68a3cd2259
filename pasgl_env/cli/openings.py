"""Options of the commands whose games begin with openings."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from pasgl_env.cli.arguments import value

if TYPE_CHECKING:
    from pasgl_env.contract.ruleset import Ruleset
    from pasgl_env.evaluation.openings import Openings

OpeningSet = Annotated[
    str | None,
    value(
        "FILE",
        "Begin pairs of games at these positions in turn: a file with a position text on each"
        " line, or records, whose last positions are used. `shipped`: the package's own positions;"
        " `even`: random ones that a search finds about even.",
        "--openings",
    ),
]
OpeningTurns = Annotated[
    str,
    value(
        "N|LOW..HIGH",
        "Turns of the opening that each pair of games, or in self-play each game, begins with;"
        " those of all players count.",
    ),
]
OpeningPlayer = Annotated[
    str,
    value(
        "PLAYER",
        "The player of these turns, such as td:temperature=0.15; random draws each action"
        " uniformly from the legal ones.",
    ),
]


def read_openings(
    ruleset: Ruleset,
    turns: str,
    player: str,
    *,
    name: str | None = None,
    start: str | None = None,
) -> Openings:
    """The openings that the options of a command describe.

    Raises:
        OSError: if a file cannot be read.
        ValueError: if an argument is invalid, or both a set and a start are given.
    """
    from pasgl_env.evaluation.openings import USUAL, Openings, read_turns

    if start is not None and name is not None:
        raise ValueError("--from is one position and --openings are several: leave one of them out")
    openings = USUAL if name is None else Openings.of_set(name, ruleset)
    if start is not None:
        openings = Openings((start,))
    return replace(openings, turns=read_turns(turns), player=player)
