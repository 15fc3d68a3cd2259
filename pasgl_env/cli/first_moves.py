"""``pasgl first-moves``: estimate the value of first moves, and of the answers to the best."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pasgl_env.cli.arguments import (
    GamesSeed,
    Settings,
    Start,
    Variant,
    number,
    out_option,
    read_ruleset,
    value,
    wrong_input,
)
from pasgl_env.cli.openings import OpeningPlayer, OpeningTurns, read_openings
from pasgl_env.cli.output import out, say
from pasgl_env.cli.questions import OnePlayer, keep, run
from pasgl_env.cli.tables import shown
from pasgl_env.storage.files import write_whole

PAGE_FILE = "first_moves.html"
MOST_SHOWN = 20


def command(
    variant: Variant,
    player: OnePlayer = "td:temperature=0.1",
    games: Annotated[int, number("Games of all first moves together, at most.", least=2)] = 2000,
    depth: Annotated[int, number("Depth of the tree in actions.")] = 2,
    start: Start = None,
    line: Annotated[str, value("LABELS", "Labels to play first, separated by commas.")] = "",
    opening_turns: OpeningTurns = "0",
    opening_player: OpeningPlayer = "random",
    seed: GamesSeed = 0,
    folder: Annotated[Path | None, out_option("runs/first-moves-VARIANT")] = None,
    settings: Settings = None,
) -> None:
    r"""Estimate the value of each first move, and of the answers to the best ones.

    All first moves get games, and those that do well get more. The player must vary its games:
    choose one that draws its moves, such as td:temperature=0.1, or a search. The folder holds
    first_moves.html, with the tree and heat maps of where pieces go, first_moves.md and
    first_moves.json. If the command is interrupted, run it again to continue, with the same result.

    \b
    Examples:
      pasgl first-moves pasgl312 --games 4000
      pasgl first-moves spalding --line Xe1-e2,/Rd3 --depth 1 --player search:25
    """
    with wrong_input():
        from pasgl_env.engine.position import Position
        from pasgl_env.playtest.first_moves import MoveTree
        from pasgl_env.playtest.play import Plan

        ruleset = read_ruleset(variant, settings)
        openings = read_openings(ruleset, opening_turns, opening_player, start=start)
        plan = Plan.of(ruleset, (player, player), seed, openings=openings)
        if line:
            position = Position.from_text(ruleset, start) if start else Position(ruleset)
            for label in line.split(","):
                position.play(label)
            plan = plan.from_position(position)
        folder = folder or Path("runs") / f"first-moves-{variant}"
        found = run(MoveTree(plan, games, depth), folder, is_most=True)
        write_whole(folder / PAGE_FILE, found.to_html().encode())
        out.print(shown(found.table, most_rows=MOST_SHOWN))
        keep(folder, "first_moves", found.table.to_markdown(), found.to_dict())
        say(f"Open {folder / PAGE_FILE} in a browser for the tree and where pieces go.")
