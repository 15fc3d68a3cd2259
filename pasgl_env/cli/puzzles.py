"""``pasgl puzzles``: positions in which exactly one action wins."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pasgl_env.cli.arguments import Variant, number, value, wrong_input
from pasgl_env.cli.output import err, say
from pasgl_env.cli.progress import INTERRUPTED, progress_bar
from pasgl_env.storage.files import held, write_whole
from pasgl_env.wording import counted

if TYPE_CHECKING:
    import numpy as np

    from pasgl_env.contract.ruleset import Ruleset
    from pasgl_env.solving import ValueTable


def command(
    variant: Variant,
    number: Annotated[int, number("Puzzles in the file.")] = 100,
    data: Annotated[
        Path | None, value("FOLDER", "Look in this data set, not in games played for it.")
    ] = None,
    known_values: Annotated[
        Path | None,
        value("FILE", "Look in this table of pasgl solve, which proves them.", "--table"),
    ] = None,
    seed: Annotated[int, number("The same seed looks at the same positions.", least=0)] = 0,
    file: Annotated[
        Path | None, value("FILE", "Default: runs/VARIANT.tsv. Its puzzles are kept.", "--out")
    ] = None,
) -> None:
    r"""Find puzzles: positions in which exactly one action wins.

    The positions are those of a data set, of a table of exact values, or of self-play. A search
    must value one action at 0.8 or more and all others at 0.2 or less, on a scale from -1 to 1, and
    find the same with ten times as many simulations. By a table, one action must win for certain.
    The difficulty is the number of players that fail, of greedy, td, search:20
    and search:100.

    \b
    Examples:
      pasgl puzzles chieftain --number 200
      pasgl puzzles spalding --data runs/dataset-spalding --out spalding.tsv
      pasgl puzzles pachessi --table soldiers.npz
    """
    with wrong_input():
        from pasgl_env.contract import variants
        from pasgl_env.puzzles import read_own, written
        from pasgl_env.puzzles.mining import mined

        if data is not None and known_values is not None:
            raise ValueError("--data and --table are two places to look in: leave one of them out")
        table = None if known_values is None else _table_of(known_values, variant)
        ruleset, file = variants.ruleset(variant), file or Path("runs") / f"{variant}.tsv"
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            with held(file.with_name(f".{file.name}.lock")), progress_bar() as report:
                known = read_own(file, variant) if file.is_file() else ()
                found, looked_at = {each.text: each for each in known}, 0
                blocks = _positions(ruleset, data, table, seed)
                while len(found) < number and (states := next(blocks, None)) is not None:
                    found |= {each.text: each for each in mined(ruleset, states, table)}
                    looked_at += len(states)
                    write_whole(file, written(found.values()).encode())
                    report(min(1.0, len(found) / number), f"{len(found)} of {looked_at} positions")
        except KeyboardInterrupt:
            kept = f"{file} has what was found" if file.exists() else "nothing was found yet"
            err.print(f"Interrupted; {kept}.", soft_wrap=True)
            raise typer.Exit(INTERRUPTED) from None
        say(f"{file}: {counted(len(found), 'puzzle')}; {looked_at} positions were searched.")


def _table_of(file: Path, variant: str) -> ValueTable:
    """A table of a variant under its default options."""
    from pasgl_env.contract import variants
    from pasgl_env.solving import ValueTable

    table = ValueTable.load(file)
    table.check(variants.ruleset(variant))
    return table


def _positions(
    ruleset: Ruleset, data: Path | None, table: ValueTable | None, seed: int
) -> Iterator[np.ndarray]:
    """Positions to look at, in blocks."""
    from pasgl_env.puzzles.mining import AT_ONCE, drawn, played

    if table is not None:
        yield from drawn(table, seed)
        return
    if data is None:
        yield from played(ruleset, seed)
        return
    from pasgl_env import datasets

    given = datasets.load(data)
    if given.ruleset != ruleset:
        raise ValueError(f"{data} holds no positions of {ruleset.name} under its default options")
    for first in range(0, len(given), AT_ONCE):
        yield given.states[first : first + AT_ONCE]
