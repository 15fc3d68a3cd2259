"""``pasgl first-moves``: what each first move is worth, and the answers to the best."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pasgl_env.cli.arguments import GamesSeed, Settings, Start, Variant, read_options, wrong_input
from pasgl_env.cli.balance import OnePlayer, OpeningPlayer, OpeningTurns, called
from pasgl_env.cli.output import out, say
from pasgl_env.cli.tournaments import display
from pasgl_env.evaluation.tables import plain_table
from pasgl_env.storage.files import write_whole

if TYPE_CHECKING:  # they need SciPy
    from pasgl_env.playtest.first_moves import FirstMoves, Tree

MARKDOWN_FILE, JSON_FILE, PAGE_FILE = "first_moves.md", "first_moves.json", "first_moves.html"
MOST_SHOWN = 20


def command(
    variant: Variant,
    player: OnePlayer = "td:temperature=0.1",
    games: Annotated[
        int, typer.Option(min=2, metavar="N", help="Of all first moves together.")
    ] = 2000,
    depth: Annotated[int, typer.Option(min=1, metavar="N", help="Actions that are looked at.")] = 2,
    start: Start = None,
    line: Annotated[
        str,
        typer.Option(metavar="LABELS", help="Labels, with commas between, that are played before."),
    ] = "",
    opening_turns: OpeningTurns = 0,
    opening_player: OpeningPlayer = "random",
    seed: GamesSeed = 0,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="Where games are kept, and from where the same command goes on after a kill;"
            " default: runs/first-moves-VARIANT.",
        ),
    ] = None,
    settings: Settings = None,
) -> None:
    r"""Find out what each first move is worth, and the answers to the best ones.

    All first moves get games, those that do well get more. The player must not play the same game
    again and again: one that draws its moves, such as td:temperature=0.1, or a search. In the
    folder are first_moves.html, with the tree and heat maps of where pieces go, first_moves.md and
    first_moves.json. Interrupted or killed, the same command goes on, to the same result.

    \b
    Examples:
      pasgl first-moves pasgl312 --games 4000
      pasgl first-moves spalding --line Xe1-e2,/Rd3 --depth 1 --player search:25
    """
    with wrong_input():
        from pasgl_env.playtest.first_moves import Tree
        from pasgl_env.playtest.trials import Trial

        trial = Trial.of(
            variant,
            player,
            read_options(variant, settings),
            seed=seed,
            opening_turns=opening_turns,
            opening_player=opening_player,
            begin=start or "",
            line=line.split(",") if line else (),
        )
        _grow(Tree.of(trial, games, depth), folder or Path("runs") / f"first-moves-{variant}")


def _grow(tree: Tree, folder: Path) -> None:
    """Play, write down what came of it, and show it."""
    from pasgl_env.playtest.first_moves import grow

    with display(folder, "left at most") as report:
        found = grow(tree, folder, command=called(), report=report)
    write_whole(folder / MARKDOWN_FILE, found.to_markdown().encode())
    write_whole(folder / JSON_FILE, found.to_json())
    write_whole(folder / PAGE_FILE, found.to_html().encode())
    _show(found)
    say(f"Open {folder / PAGE_FILE} in a browser for the tree and where pieces go.")
    say(f"All moves are in {folder / MARKDOWN_FILE} and {folder / JSON_FILE}.")


def _show(found: FirstMoves) -> None:
    table = plain_table(found.title, "\n".join(found.notes()))
    for heading in found.headings:
        table.add_column(heading, justify="right", overflow="fold")
    for place, cells in enumerate(found.rows()):
        if place < MOST_SHOWN:
            table.add_row(*cells)
    out.print(table)
