"""``pasgl solve``: the exact values of all positions that can be reached from one."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import numpy as np

from pasgl_env.cli.arguments import (
    Force,
    Settings,
    Start,
    Variant,
    check_new,
    check_writable,
    number,
    read_ruleset,
    value,
    wrong_input,
)
from pasgl_env.cli.output import out, say
from pasgl_env.cli.progress import interruptible, progress_bar
from pasgl_env.cli.tables import shown
from pasgl_env.wording import counted

if TYPE_CHECKING:
    from pasgl_env.engine.position import Position
    from pasgl_env.evaluation.table import Table
    from pasgl_env.solving import Exact, ValueTable


def command(
    variant: Variant,
    start: Start = None,
    settings: Settings = None,
    most_positions: Annotated[int, number("Give up if there are more.", max=2**30)] = 20_000_000,
    names: Annotated[
        str, value("A,B,...", "Measure how far these players are from perfect play.", "--players")
    ] = "",
    decisions: Annotated[int, number("Decisions of each of these players.")] = 1000,
    seed: Annotated[int, number("Seed of the positions in which they decide.", least=0)] = 0,
    known: Annotated[
        Path | None, value("FILE", "Look the position up in this table; solve nothing.", "--table")
    ] = None,
    file: Annotated[
        Path | None, value("FILE", "Write the table of values into this file.", "--out")
    ] = None,
    force: Force = False,
) -> None:
    r"""Solve a position exactly, with all positions that can be reached from it.

    Without dice: who wins, and in how many turns; a game that never ends is a draw. With dice: the
    expected result, from -1 to 1, with the largest possible error. There is no turn limit. With
    the table, exact:table=FILE plays perfectly. If there seem to be too many positions, the command
    says so before it enumerates them.

    Players decide in positions that are drawn from the table, of those in which the choice matters.
    Their regret is the expected result that a decision loses.

    \b
    Examples:
      pasgl solve chieftain --set setup=cc2/4/4/2CC --out kings.npz
      pasgl solve chieftain --set setup=cc2/4/4/2CC --players greedy,search:100
      pasgl solve pachessi --from "R*,E*,H*,Sd7:0/R*,E*,H*,Sd1:0 black - i 20"
      pasgl evaluate chieftain exact:table=kings.npz greedy --set setup=cc2/4/4/2CC
    """
    with wrong_input():
        from pasgl_env import players
        from pasgl_env.engine.position import Position

        if file is not None:
            check_new(file, force)
            check_writable(file)
        ruleset = read_ruleset(variant, settings)
        position = Position.from_text(ruleset, start)
        measured = [name for name in names.split(",") if name]
        for name in measured:
            players.make(name, variant)
        table = _loaded(known, position) if known else _solved(position, most_positions)
        _tell(table, position)
        if file is not None:
            table.save(file)
            say(f"The table is in {file}: {file.stat().st_size / 1e6:,.1f} MB.")
        if measured:
            with interruptible(None, "the players have not been measured"):
                out.print(shown(_measured(table, measured, decisions, seed)))


def _loaded(file: Path, position: Position) -> ValueTable:
    """A table that has the position.

    Raises:
        OSError: if the file cannot be read.
        ValueError: if it is no table, of other rules, or has not the position.
    """
    from pasgl_env.solving import ValueTable

    table = ValueTable.load(file)
    if table.value(position) is None:
        begin = table.position(0).text
        raise ValueError(f"the position is not in the table {file}, which begins at {begin!r}")
    return table


def _solved(position: Position, most_positions: int) -> ValueTable:
    """The table of the positions that can be reached from one, with the time that it took."""
    from pasgl_env.solving import solve

    begun = perf_counter()
    with interruptible(None, "nothing has been written"), progress_bar() as report:
        table = solve(position.ruleset, position, most_positions=most_positions, report=report)
    seconds = perf_counter() - begun
    say(f"Solved in {seconds:.1f} s, {len(table) / seconds:,.0f} positions a second.")
    return table


def _measured(table: ValueTable, names: list[str], most: int, seed: int) -> Table:
    """The regrets of players."""
    from pasgl_env.evaluation.regret import decisions, regret, regret_table

    given = decisions(table, most, seed)
    with progress_bar() as show:

        def report(name: str, done: int) -> None:
            show(done / given.turns.size, f"{name}: {done} decisions")

        return regret_table(
            [regret(table, name, given, seed, partial(report, name)) for name in names]
        )


def _tell(table: ValueTable, position: Position) -> None:
    exact, count = table.value(position), len(table)
    assert exact is not None
    say(f"{position.text}: {words(exact, position)}.")
    sides = [position.seats[member] for member in table.ruleset.members]
    shares = [(f"won by {sides[0]}", 1), (f"won by {sides[1]}", -1), ("drawn", 0)]
    numbers = ", ".join(
        f"{np.count_nonzero(table.values == value):,} {what}" for what, value in shares
    )
    if (decided := table.turns[table.turns >= 0]).size:
        numbers += f"; the longest win takes {counted(int(decided.max()), 'turn')}"
    say(f"{counted(count, 'position')}: {numbers}.")
    if not position.is_over:
        out.print(shown(_choices(table, position)))


def words(exact: Exact, position: Position) -> str:
    """What a position is worth, in words."""
    if exact.error == 0.0 and not any(exact.returns):
        return "a draw"
    if exact.error == 0.0 and 1.0 in exact.returns:
        wins = f"{position.seats[exact.returns.index(1.0)]} wins"
        return wins if exact.turns is None else f"{wins} in {counted(exact.turns, 'turn')}"
    who, value = position.seats[0], exact.returns[0]
    return f"expected result for {who} {value:+.9f}, error at most {exact.error:.1g}"


def _choices(table: ValueTable, position: Position) -> Table:
    """The actions or outcomes of dice with the values that they lead to, the best ones first."""
    from pasgl_env.evaluation.table import Table

    rows = [
        (position.label(action), words(exact, position))
        for action, exact in table.choices(position)
    ]
    return Table("", ["Outcome" if position.is_chance else "Action", "Then"], rows, left=[0, 1])
