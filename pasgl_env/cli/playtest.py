"""``pasgl playtest``: measure very many games of a variant, with intervals."""

from __future__ import annotations

from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pasgl_env.cli.arguments import (
    GamesSeed,
    Ray,
    Settings,
    Start,
    Threads,
    Variant,
    called,
    flag,
    number,
    out_option,
    pair_option,
    value,
    wrong_input,
)
from pasgl_env.cli.openings import OpeningPlayer, OpeningSet, OpeningTurns, read_openings
from pasgl_env.cli.output import err, out, say
from pasgl_env.cli.playtest_table import playtest_table
from pasgl_env.cli.progress import playing
from pasgl_env.cli.sweeps import (
    Alpha,
    Beta,
    Chosen,
    Retrain,
    Sweeps,
    Until,
    play_sweep,
    read_retraining,
    read_rule,
)
from pasgl_env.cli.tables import shown
from pasgl_env.cli.tournaments import ERROR_RATE
from pasgl_env.storage.files import json_bytes, write_whole

if TYPE_CHECKING:  # they need SciPy
    from pasgl_env.contract.ruleset import Ruleset
    from pasgl_env.playtest.people import People
    from pasgl_env.playtest.play import Plan
    from pasgl_env.playtest.results import Results
    from pasgl_env.playtest.stopping import StoppingRule

PEOPLE_MARKDOWN, PEOPLE_JSON = "people.md", "people.json"
OPENING_ROUNDS = 2
"""Turns of each player in the openings of players that do not vary their games."""


def command(
    variant: Variant,
    names: Annotated[
        str | None,
        pair_option(
            "the level 'casual' against itself or, where it learned other rules,"
            " greedy from random openings"
        ),
    ] = None,
    games: Annotated[
        int,
        number("Number of games; rounded up to whole pairs, or to a game for each side.", least=2),
    ] = 1000,
    seed: GamesSeed = 0,
    threads: Threads = 1,
    folder: Annotated[
        Path | None, out_option("runs/playtest-VARIANT or runs/sweep-VARIANT")
    ] = None,
    forbidden: Annotated[
        list[str] | None,
        value(
            "WHO:PATTERN",
            "Forbid a seat, or the first or second player, actions whose labels match, unless"
            " nothing else is legal. turn:WHO:PATTERN compares the labels of the whole turn so far."
            " Repeat for more.",
            "--forbid",
        ),
    ] = None,
    keeps_games: Annotated[
        bool | None,
        flag(
            "--record/--no-record",
            "Keep the games in games.pgb; default: if there are at most 10000.",
        ),
    ] = None,
    start: Start = None,
    opening_turns: OpeningTurns = "0",
    opening_player: OpeningPlayer = "random",
    opening_set: OpeningSet = None,
    address: Ray = None,
    sweeps: Sweeps = None,
    records: Annotated[
        Path | None,
        value(
            "PATH",
            "Measure games of people, in this record file or all those in this folder, also of"
            " the page (the data of pasgl serve), beside the games of the players.",
            "--records",
        ),
    ] = None,
    chosen: Chosen = None,
    retrain: Retrain = None,
    until: Until = None,
    alpha: Alpha = ERROR_RATE,
    beta: Beta = ERROR_RATE,
    settings: Settings = None,
) -> None:
    r"""Play many games and measure what happens in them.

    Games come in pairs with the same dice and swapped sides. Every measure has a 95% interval;
    docs/playtest.md defines them. If the games are kept, the values of pieces are estimated, too.
    The folder holds report.html, results.json, results.parquet, manifest.json and, if kept, the
    games. An interrupted run continues when the command is repeated, with the same result; so does
    a run with more games.

    With --sweep there is such a folder for each value of an option, and sweep.md, sweep.json,
    sweep.parquet and sweep.svg compare them.

    \b
    Examples:
      pasgl playtest pachessi --games 4000 --threads 2 --out runs/pachessi
      pasgl playtest pasgl312 --players greedy,greedy --set win_margin=20
      pasgl playtest chieftain --players greedy,greedy --forbid 'White:*x*'
      pasgl playtest pasgl312 --games 500 --from "$(cat opening.txt)"
      pasgl playtest pasgl312 --players greedy,greedy --opening-turns 4
      pasgl playtest pasgl312 --players td,greedy --openings shipped
      pasgl playtest pasgl312 --players greedy,greedy --sweep hunter_range=1..4
      pasgl playtest pasgl312 --sweep turkey_range=1,3,7 --retrain 2
      pasgl playtest spalding --games 400 --records our_games/
      pasgl playtest pachessi --games 20000 --until first_mover_score=0.48..0.52
    """
    with wrong_input():
        from pasgl_env.contract import variants
        from pasgl_env.playtest.play import Plan, play_shard, usual_player
        from pasgl_env.playtest.restrict import check_labels
        from pasgl_env.playtest.results import check_parquet
        from pasgl_env.playtest.run import play_here
        from pasgl_env.playtest.swept import Swept, check_not_set, rulesets_of

        check_parquet()
        options = variants.read_options(variant, settings)
        play_shards = play_here
        if address is not None:
            from pasgl_env.cli.cache import compile_game
            from pasgl_env.playtest.cluster import play_on

            play_shards = play_on(address, play_shard, partial(compile_game, variant))
        rule = read_rule(until, alpha, beta)
        how: dict[str, Any] = {"threads": threads, "play_shards": play_shards}
        retraining = read_retraining(retrain)
        if sweeps:
            _check_sweep(has_position=(start or opening_set) is not None, has_records=bool(records))
        elif chosen:
            raise ValueError("--measure is for --sweep: without it all measures are shown")
        elif retraining:
            raise ValueError("--retrain is for --sweep: without it there is one rule")
        swept = tuple(Swept.read(variant, text) for text in sweeps or ())
        check_not_set(swept, options)
        ruleset = variants.ruleset(
            variant, **options, **{each.name: each.values[0] for each in swept}
        )
        if names is None:
            every = [ruleset, *rulesets_of(ruleset, swept)]
            name = "td" if retraining else usual_player(every)
            names = f"{name},{name}"
            is_usual = (opening_turns, opening_set, start) == ("0", None, None)
            if name in ("greedy", "td") and is_usual:
                opening_turns = str(OPENING_ROUNDS * ruleset.spaces.players)
        openings = read_openings(
            ruleset, opening_turns, opening_player, name=opening_set, start=start
        )
        plan = Plan.of(ruleset, names.split(","), seed, forbidden or (), openings)
        check_labels(ruleset, plan.restrictions)
        games = plan.whole_groups(games)
        folder = folder or Path("runs") / f"{'sweep' if sweeps else 'playtest'}-{variant}"
        if sweeps:
            from pasgl_env.playtest.plot import check_plots
            from pasgl_env.playtest.sweep import Sweep

            check_plots()
            sweep = Sweep(plan, games, swept, tuple(chosen or ()), rule, keeps_games, retraining)
            play_sweep(sweep, folder, how)
        else:
            people = _people(ruleset, records) if records else None
            _play(plan, games, folder, rule, {**how, "keeps_games": keeps_games}, people)


def _check_sweep(*, has_position: bool, has_records: bool) -> None:
    """Raise ``ValueError`` for what cannot be combined with a sweep."""
    if has_position:
        raise ValueError(
            "--from and --openings are not for --sweep: options may change what a position is;"
            " --opening-turns is"
        )
    if has_records:
        raise ValueError("--records is not for --sweep: people play one rule")


def _people(ruleset: Ruleset, place: Path) -> People:
    """The games in a file, or in all record files and stores of pages in a folder."""
    from pasgl_env.playtest.people import People
    from pasgl_env.records.files import FORMS, read_records
    from pasgl_env.web.live_game import records_in
    from pasgl_env.web.store import STORE

    known = (*FORMS, STORE)
    files = [place]
    if place.is_dir():
        files = sorted(file for file in place.rglob("*") if file.name.endswith(known))
    if not files:
        raise ValueError(f"{place} holds no record files or games of a page ({', '.join(known)})")
    read = (records_in(file) if file.name == STORE else read_records(file) for file in files)
    return People.of(ruleset, chain.from_iterable(read))


def _show_people(people: People, results: Results, folder: Path) -> None:
    """Write the measures of people's games beside those of machines, and show them."""
    from pasgl_env.playtest.people import PeopleAndMachines

    both = PeopleAndMachines(people, results)
    write_whole(folder / PEOPLE_MARKDOWN, both.table.to_markdown().encode())
    write_whole(folder / PEOPLE_JSON, json_bytes(both.to_dict()))
    out.print(shown(both.table, splits=True))
    say(f"Games of people are measured in {folder / PEOPLE_MARKDOWN} and {folder / PEOPLE_JSON}.")


def _play(
    plan: Plan,
    games: int,
    folder: Path,
    until: StoppingRule | None,
    how: dict[str, Any],
    people: People | None,
) -> None:
    """Play a run, write its results and show them, beside those of people if there are any."""
    from pasgl_env.playtest.output import JSON_FILE, PARQUET_FILE, finish
    from pasgl_env.playtest.report import REPORT_FILE
    from pasgl_env.playtest.run import run

    with playing(folder, is_most=until is not None) as report:
        totals = run(plan, games, folder, command=called(), until=until, report=report, **how)
    doing = "Estimating the values of pieces and drawing the report"
    with err.status(doing) as status:

        def progress(looked_at: int) -> None:
            status.update(f"{doing}: {looked_at:,} of {totals.counts.games:,} games")

        results = finish(plan, totals, folder, until, progress)
    out.print(playtest_table(results))
    if results.values is not None:
        out.print(shown(results.values.table, wraps=False))
    for warning in results.warnings():
        err.print(warning, soft_wrap=True)
    if people:
        _show_people(people, results, folder)
    say(f"All numbers are in {folder / JSON_FILE} and {folder / PARQUET_FILE}.")
    say(f"Open {folder / REPORT_FILE} in a browser for plots, heat maps and games.")
