"""``pasgl balance``: the value of an option that makes a game even."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pasgl_env.cli.arguments import (
    GamesSeed,
    Settings,
    Variant,
    number,
    out_option,
    value,
    wrong_input,
)
from pasgl_env.cli.openings import OpeningPlayer, OpeningTurns, read_openings
from pasgl_env.cli.output import out, say_wrapped
from pasgl_env.cli.questions import OnePlayer, keep, run
from pasgl_env.cli.tables import shown


def command(
    variant: Variant,
    option: Annotated[
        str,
        value("NAME=VALUES", "The option to vary, with its values: 0..10, 10..60:10, or RHE,HE,E."),
    ],
    target: Annotated[
        str | None,
        value(
            "MEASURE=SHARE",
            "The target: first_mover_score, draws, truncations, decisive_games; default: an"
            " equal share as first_mover_score, 0.5 with two sides.",
        ),
    ] = None,
    within: Annotated[float, value("SHARE", "Margin within which a value is even.")] = 0.05,
    player: OnePlayer = "td",
    games: Annotated[int, number("Games for each value, at most.", least=2)] = 2000,
    opening_turns: OpeningTurns = "2",
    opening_player: OpeningPlayer = "random",
    alpha: Annotated[
        float, value("RATE", "Error rate of above and below, in the whole search.")
    ] = 0.05,
    beta: Annotated[float, value("RATE", "Error rate of even, in the whole search.")] = 0.05,
    seed: GamesSeed = 0,
    folder: Annotated[Path | None, out_option("runs/balance-VARIANT")] = None,
    settings: Settings = None,
) -> None:
    r"""Find the value of an option that makes a game even.

    Each value is played until it is shown to be above the target, below it or even, which is
    within a margin of it. Numbers are searched by bisection, other values are tried one after
    another. The folder holds balance.md, balance.json and the results of the games. If the command
    is interrupted, run it again to continue, with the same result.

    \b
    Examples:
      pasgl balance pasgl312 --option score_handicap=0..10
      pasgl balance spalding --option white_finds=RHE,HE,RE,RH,E,H,R,-
      pasgl balance pachessi --option first_dice=1,2 --within 0.03
    """
    with wrong_input():
        from pasgl_env.contract import variants
        from pasgl_env.playtest.balance import Search, Target
        from pasgl_env.playtest.play import Plan
        from pasgl_env.playtest.swept import Swept, check_not_set

        options, swept = variants.read_options(variant, settings), Swept.read(variant, option)
        check_not_set([swept], options)
        ruleset = variants.ruleset(variant, **options)
        openings = read_openings(ruleset, opening_turns, opening_player)
        plan = Plan.of(ruleset, (player, player), seed, openings=openings)
        wanted = target or f"first_mover_score={plan.even:g}"
        aim = Target.read(wanted, within, alpha, beta)
        search = Search(plan, plan.whole_groups(games), swept, aim)
        folder = folder or Path("runs") / f"balance-{variant}"
        found = run(search, folder, is_most=True)
        out.print(shown(found.table))
        for sentence in found.sentences:
            say_wrapped(sentence)
        keep(folder, "balance", found.to_markdown(), found.to_dict())
