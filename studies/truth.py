"""How far players are from perfect play, in positions that are solved exactly.

``python -m studies.truth`` solves the positions and writes the page ``docs/results/truth.md``;
`pasgl solve --players` does the same for any position.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from pasgl_env import solve, variants
from pasgl_env.cli.arguments import GamesSeed, wrong_input
from pasgl_env.cli.complaints import program
from pasgl_env.cli.output import say
from pasgl_env.cli.progress import progress_bar
from pasgl_env.evaluation.regret import decisions, regret, regret_table
from pasgl_env.storage.files import write_whole
from pasgl_env.storage.runs import hardware
from studies.entries import PAGES

PAGE = PAGES / "truth.md"
PLAYERS = "random", "greedy", "td", "ppo", "search:50", "search:400"
TRAINED = "ppo"


class Solved(NamedTuple):
    """A position to solve; the variant's start under the options if there is no text."""

    title: str
    variant: str
    text: str | None = None
    options: tuple[tuple[str, str], ...] = ()


POSITIONS = (
    Solved("Lone Chieftains", "chieftain", "16/16/16/16/16/5c10/16/10C5/16/16/16/16 w 0 0"),
    Solved("A Chieftain and a Man", "chieftain", options=(("setup", "cm2/4/4/2MC"),)),
    Solved("Two Bears", "pasgl312", "4b3/8/8/8/8/8/8/4B3 ./././. ./. 1 w 0:0 0 0"),
    Solved("The last Soldiers", "pachessi", "R*,E*,H*,Sd7:0/R*,E*,H*,Sd1:0 black - i 20"),
)


def section(solved: Solved, most: int, seed: int) -> str:
    """The part of the page about a position."""
    ruleset = variants.ruleset(solved.variant, **dict(solved.options))
    table = solve(ruleset, solved.text)
    given = decisions(table, most, seed)
    names = [name for name in PLAYERS if name != TRAINED or not ruleset.unusual]
    found = regret_table([regret(table, name, given, seed) for name in names])
    options = "".join(f" --set {name}={value}" for name, value in solved.options)
    start = f' --from "{solved.text}"' if solved.text else ""
    return (
        f"## {ruleset.game.title}: {solved.title}\n\n"
        f"    pasgl solve {ruleset.name}{options}{start} --players {','.join(names)}\n\n"
        f"{len(table):,} positions; {given.turns.size:,} decisions of each player.\n\n"
        f"{found._replace(notes=()).to_markdown()}"
    )


_INTRODUCTION = """# Distance from truth

How far players are from perfect play in positions whose [values are exact](../exact_values.md), as
measured by

    {command}

They decide in positions drawn from all that can be reached, of those in which the choice matters.
*Regret* is the expected result that a decision loses, from 0 to 2. *Optimal* is the share of
decisions that lose nothing, with a 95% interval; on the right it is divided by the number of turns
before a forced win. *Error* is the mean distance, from 0 to 2, of what the player thinks of the
position from its exact value: `greedy` by the game's evaluation, `td` and `search` by their
[calibrated](calibration.md) values. `ppo` is left out where it was trained with other options.
Hardware: {hardware}.

"""


def main(
    most: Annotated[
        int, typer.Option("--decisions", min=1, metavar="N", help="Decisions of each player.")
    ] = 1000,
    to: Annotated[Path, typer.Option("--page", metavar="FILE", help="The page.")] = PAGE,
    seed: GamesSeed = 0,
) -> None:
    """Measure the players, and write the page."""
    with wrong_input(), progress_bar() as show:
        command = f"python -m studies.truth --decisions {most}"
        parts = [_INTRODUCTION.format(command=command, hardware=hardware())]
        for number, solved in enumerate(POSITIONS):
            show(number / len(POSITIONS), solved.title)
            parts.append(section(solved, most, seed))
        write_whole(to, "\n".join(parts).encode())
    say(f"The page is {to}.")


app = program(main)

if __name__ == "__main__":
    app()
