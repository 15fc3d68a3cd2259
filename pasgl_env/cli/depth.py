"""``pasgl depth``: count the levels of play of a variant, and measure luck."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pasgl_env.cli.arguments import (
    GamesSeed,
    Settings,
    Threads,
    Variant,
    number,
    out_option,
    read_ruleset,
    value,
    wrong_input,
)
from pasgl_env.cli.openings import OpeningPlayer, read_openings
from pasgl_env.cli.output import out
from pasgl_env.cli.questions import keep, run
from pasgl_env.cli.tables import shown

OPENING_ROUNDS = 1
"""Turns of each player in the openings of games without dice."""


def command(
    variant: Variant,
    names: Annotated[
        str | None,
        value(
            "A,B,...",
            "The players to try, in the order of their effort. Default: random, greedy and"
            " searches up to search:100 or, without learned values, mcts:400.",
            "--players",
        ),
    ] = None,
    games: Annotated[int, number("Games of each two players at most, even.", least=2)] = 400,
    opening_turns: Annotated[
        str | None,
        value(
            "N",
            "Turns of each opening, or LOW..HIGH. Default: none with dice, else one of each"
            " player.",
        ),
    ] = None,
    opening_player: OpeningPlayer = "random",
    seed: GamesSeed = 0,
    threads: Threads = 1,
    folder: Annotated[Path | None, out_option("runs/depth-VARIANT")] = None,
    settings: Settings = None,
) -> None:
    r"""Count the levels of play, and measure how much of the results is luck.

    The players are tried one after the other: the first that is known to score 60% against the
    level before is the next level. Games come in pairs with the same dice and openings and swapped
    players, from which follows what share of the results is due to luck. The folder holds depth.md,
    depth.json and the games. If the command is interrupted, run it again to continue; players may
    be added.

    \b
    Examples:
      pasgl depth pachessi
      pasgl depth pasgl312 --players random,greedy,td,search:25,search:100
    """
    with wrong_input():
        from pasgl_env.playtest.depth import Depth, usual_players
        from pasgl_env.playtest.play import Plan

        ruleset = read_ruleset(variant, settings)
        players = tuple(names.split(",")) if names else usual_players(ruleset)
        if opening_turns is None:
            has_dice = ruleset.game.chance.outcomes > 0
            opening_turns = "0" if has_dice else str(OPENING_ROUNDS * ruleset.spaces.players)
        openings = read_openings(ruleset, opening_turns, opening_player)
        plan = Plan.of(ruleset, (players[0], players[0]), seed, openings=openings)
        folder = folder or Path("runs") / f"depth-{variant}"
        levels = run(Depth(plan, games, players), folder, is_most=True, threads=threads)
        out.print(shown(levels.table, splits=True))
        keep(folder, "depth", levels.table.to_markdown(), levels.to_dict())
