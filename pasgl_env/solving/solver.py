"""Solving all positions that can be reached from one."""

from __future__ import annotations

import numpy as np

from pasgl_env.contract import variants
from pasgl_env.contract.game import OptionValue, checked_number
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.position import Position
from pasgl_env.jit.compiled import wrapping
from pasgl_env.solving import iteration, retrograde
from pasgl_env.solving.estimate import estimate
from pasgl_env.solving.graph import Graph, Report, TooMany
from pasgl_env.solving.table import ValueTable

MOST_POSITIONS = 20_000_000


def _nothing(done: float, text: str) -> None:
    """The report of those who want none."""


def solve(
    variant: str | Ruleset,
    start: str | Position | None = None,
    *,
    most_positions: int = MOST_POSITIONS,
    report: Report = _nothing,
    **options: OptionValue,
) -> ValueTable:
    """The exact values of all positions that can be reached from one, by the rules.

    Without dice, games may cycle: a game that never ends is a draw. With dice, expected results are
    between bounds that are at most 2e-9 apart, unless players can keep games from ending. There is
    no turn limit.

    >>> table = solve("chieftain", "4/4/1c2/3C w 0 0", setup="c3/4/4/3C")
    >>> table.exact(0)
    Exact(returns=(1.0, -1.0), turns=1, error=0.0)

    Args:
        variant: a name of :func:`pasgl_env.contract.variants.names`, or a ruleset.
        start: a position or its text; None for the start of a game.
        most_positions: if more positions can be reached, the function gives up.
        report: called now and then with the part of the work that is done, from 0 to 1, and a line
            of text.
        options: the variant's options, by default those of environments and batches.

    Raises:
        TooMany: if more positions can be reached, mostly before any are enumerated; names the
            number, as far as it is known, and the memory.
        ValueError: for an invalid argument, or a game with more than two teams.
    """
    most_positions = checked_number("most_positions", most_positions, 1, 2**30)
    ruleset = variants.ruleset(variant, **options)
    if len(ruleset.members) != 2:
        raise ValueError(f"only games between two teams can be solved, not {ruleset.name}")
    position = start if isinstance(start, Position) else Position.from_text(ruleset, start)
    report(0.0, "estimating the number of positions")
    guess = estimate(ruleset, position.state)
    if guess.positions > most_positions:
        size = guess.positions * guess.bytes
        raise TooMany(
            f"at least {guess.positions:,} positions can be reached, an estimate from random games;"
            f" all of them would need {_shown(size)} or more, and at most"
            f" {most_positions:,} are allowed"
        )
    graph = Graph(ruleset, position.state, most_positions, report)
    with wrapping():
        return _solved(ruleset, graph, report)


def _shown(size: int) -> str:
    """A number of bytes in words."""
    return f"{size / 1e9:,.0f} GB" if size >= 1e10 else f"{size / 1e6:,.0f} MB"


def _solved(ruleset: Ruleset, graph: Graph, report: Report) -> ValueTable:
    rows, none = graph.rows, np.zeros(0)
    bytes_ = rows.byte_of[rows.byte_of >= 0]
    positions = rows.words[: graph.count].copy()
    if ruleset.game.chance.outcomes:
        low, high = iteration.analyse(graph, report)
        turns, errors = none.astype(np.int32), ((high - low) / 2).astype(np.float32)
        return ValueTable(ruleset, rows.base, bytes_, positions, (low + high) / 2, turns, errors)
    result, distance = retrograde.analyse(graph, report)
    distance = distance.astype(np.int32)
    return ValueTable(
        ruleset, rows.base, bytes_, positions, result, distance, none.astype(np.float32)
    )
