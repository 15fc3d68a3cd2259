"""``pasgl balance``: the value of an option that makes a game even."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pasgl_env.cli.arguments import (
    PLAYER_HELP,
    GamesSeed,
    Settings,
    Variant,
    read_options,
    wrong_input,
)
from pasgl_env.cli.output import err, out, say, say_wrapped
from pasgl_env.cli.tournaments import display
from pasgl_env.evaluation.tables import plain_table
from pasgl_env.storage.files import write_whole

if TYPE_CHECKING:  # they need SciPy
    from pasgl_env.playtest.balance import Answered, Balance, Search

MARKDOWN_FILE, JSON_FILE = "balance.md", "balance.json"

OnePlayer = Annotated[
    str, typer.Option("--player", metavar="PLAYER", help=f"Of both sides: {PLAYER_HELP}")
]
OpeningTurns = Annotated[
    int,
    typer.Option(
        min=0,
        metavar="N",
        help="Turns at the beginning of every game, of all players together, that are not the"
        " player's.",
    ),
]
OpeningPlayer = Annotated[
    str,
    typer.Option(
        metavar="PLAYER", help="Who plays these turns: random, or such as td:temperature=0.2."
    ),
]


def command(
    variant: Variant,
    option: Annotated[
        str,
        typer.Option(
            metavar="NAME=VALUES",
            help="The option that is turned, and its values: 0..10, or RHE,HE,E.",
        ),
    ],
    target: Annotated[
        str,
        typer.Option(
            metavar="MEASURE=SHARE",
            help="What is to be reached: first_mover_score, draws, truncations, decisive_games.",
        ),
    ] = "first_mover_score=0.5",
    within: Annotated[
        float, typer.Option(metavar="SHARE", help="By how much a value may miss the target.")
    ] = 0.05,
    player: OnePlayer = "td",
    games: Annotated[
        int, typer.Option(min=2, metavar="N", help="At most so many for each value.")
    ] = 2000,
    opening_turns: OpeningTurns = 2,
    opening_player: OpeningPlayer = "random",
    alpha: Annotated[
        float,
        typer.Option(metavar="RATE", help="How often above or below may be wrong, in all."),
    ] = 0.05,
    beta: Annotated[
        float, typer.Option(metavar="RATE", help="How often even may be wrong, in all.")
    ] = 0.05,
    seed: GamesSeed = 0,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="Where games are kept, and from where the same command goes on after a kill;"
            " default: runs/balance-VARIANT.",
        ),
    ] = None,
    settings: Settings = None,
) -> None:
    r"""Find the value of an option that makes a game even.

    Each value is played until it is shown to be above the target, below it or even, within a
    margin of it. Numbers are searched by bisection, other values are tried one after another. In
    the folder are balance.md, balance.json and the games' results. Interrupted or killed, the same
    command goes on, to the same result.

    \b
    Examples:
      pasgl balance pasgl312 --option score_handicap=0..10
      pasgl balance spalding --option white_finds=RHE,HE,RE,RH,E,H,R,-
      pasgl balance pachessi --option laps=1..3 --target truncations=0.1
    """
    with wrong_input():
        from pasgl_env.playtest.balance import Search, Target
        from pasgl_env.playtest.sweep.grid import Swept
        from pasgl_env.playtest.trials import Trial

        trial = Trial.of(
            variant,
            player,
            read_options(variant, settings),
            seed=seed,
            opening_turns=opening_turns,
            opening_player=opening_player,
        )
        aim = Target.read(target, within, alpha, beta)
        search = Search.of(trial, Swept.read(variant, option), aim, games)
        _search(search, folder or Path("runs") / f"balance-{variant}")


def _search(search: Search, folder: Path) -> None:
    """Search, write down what came of it, and show it."""
    from pasgl_env.playtest.balance import find_even

    with display(folder, "left at most") as report:
        found = find_even(search, folder, command=called(), report=report, tell=_tell)
    write_whole(folder / MARKDOWN_FILE, found.to_markdown().encode())
    write_whole(folder / JSON_FILE, found.to_json())
    _show(found)
    say(f"The table is in {folder / MARKDOWN_FILE}, all numbers are in {folder / JSON_FILE}.")


def called() -> list[str]:
    """The command, for people."""
    return [Path(sys.argv[0]).name, *sys.argv[1:]]


def _tell(tested: Answered) -> None:
    err.print(
        f"{tested.value}: {tested.answer or 'not settled'} after {tested.played.games} games",
        soft_wrap=True,
    )


def _show(found: Balance) -> None:
    table = plain_table(found.title, "\n".join(found.notes()))
    for heading in found.headings:
        table.add_column(heading, justify="right", overflow="fold")
    for cells in found.rows():
        table.add_row(*cells)
    out.print(table)
    for sentence in found.sentences:
        say_wrapped(sentence)
