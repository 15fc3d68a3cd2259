"""``pasgl tune``: find rules under which games are as wanted."""

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
    pair_option,
    read_ruleset,
    value,
    wrong_input,
)
from pasgl_env.cli.openings import OpeningPlayer, OpeningTurns, read_openings
from pasgl_env.cli.output import out
from pasgl_env.cli.questions import keep, run
from pasgl_env.cli.sweeps import Retrain, read_retraining
from pasgl_env.cli.tables import shown


def command(
    variant: Variant,
    varied: Annotated[
        list[str],
        value(
            "NAME=VALUES",
            "An option, and the values that it may have: 1..7, 10..60:10 or 2,4. Repeat for more.",
            "--vary",
        ),
    ],
    wanted: Annotated[
        list[str],
        value(
            "AIM",
            "What games are to be like: first_mover_score=0.5, turns=40..80, 'draws<0.05' or"
            " 'comebacks>0.2'. Repeat for more.",
            "--aim",
        ),
    ],
    names: Annotated[
        str,
        pair_option("greedy; with --retrain, td"),
    ] = "",
    trials: Annotated[int, number("Number of rules to try.")] = 30,
    games: Annotated[int, number("Games of each rule at most, even.", least=2)] = 640,
    retrain: Retrain = None,
    opening_turns: OpeningTurns = "2",
    opening_player: OpeningPlayer = "random",
    seed: GamesSeed = 0,
    threads: Threads = 1,
    folder: Annotated[Path | None, out_option("runs/tune-VARIANT")] = None,
    settings: Settings = None,
) -> None:
    r"""Find values of options under which games are as wanted.

    An optimiser proposes rules, and games measure how far each is from every aim: few games where
    that is clear, more where it is close. The rules that no other one beats in all aims are played
    again with fresh seeds. The folder holds tune.md, tune.json and the games. If the command is
    interrupted, run it again to continue; more rules may be tried.

    \b
    Examples:
      pasgl tune pasgl312 --vary turkey_range=1..7 --aim first_mover_score=0.5
      pasgl tune pachessi --vary size=5..11:2 --vary hole=1..3 --aim turns=60..120
    """
    with wrong_input():
        from pasgl_env.playtest.play import Plan
        from pasgl_env.playtest.swept import Swept
        from pasgl_env.playtest.tune import Aim, Tuning

        retraining = read_retraining(retrain)
        ruleset = read_ruleset(variant, settings)
        players = (names or ("td,td" if retraining else "greedy,greedy")).split(",")
        openings = read_openings(ruleset, opening_turns, opening_player)
        plan = Plan.of(ruleset, players, seed, openings=openings)
        swept = tuple(Swept.read(variant, text) for text in varied)
        aims = tuple(map(Aim.read, wanted))
        search = Tuning(plan, plan.whole_groups(games), swept, aims, trials, retraining)
        folder = folder or Path("runs") / f"tune-{variant}"
        found = run(search, folder, is_most=True, threads=threads)
        out.print(shown(found.table, splits=True))
        keep(folder, "tune", found.table.to_markdown(), found.to_dict())
