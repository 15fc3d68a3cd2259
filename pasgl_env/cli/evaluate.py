"""``pasgl evaluate``: measure players against each other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pasgl_env.cli.arguments import (
    First,
    GamesSeed,
    RecordFile,
    Second,
    Settings,
    Threads,
    Variant,
    check_writable,
    flag,
    number,
    out_option,
    read_ruleset,
    value,
    wrong_input,
)
from pasgl_env.cli.openings import OpeningSet
from pasgl_env.cli.output import out
from pasgl_env.cli.progress import playing
from pasgl_env.cli.tables import shown
from pasgl_env.cli.tournaments import (
    ERROR_RATE,
    Alpha,
    Anchor,
    Beta,
    Hypotheses,
    check_no_rates,
    play_round_robin,
    play_test,
)
from pasgl_env.storage.files import json_bytes, write_whole

if TYPE_CHECKING:
    from pasgl_env.contract.ruleset import Ruleset
    from pasgl_env.evaluation.match import MatchResult
    from pasgl_env.evaluation.openings import Openings


def command(
    variant: Variant,
    first: First,
    second: Second,
    more: Annotated[
        list[str] | None,
        typer.Argument(metavar="MORE", help="More players, for a round robin.", show_default=False),
    ] = None,
    games: Annotated[
        int, number("Games per pairing, sides alternating; with --sprt, at most.")
    ] = 400,
    seed: GamesSeed = 0,
    threads: Threads = 1,
    file: Annotated[
        Path | None, value("FILE", "Also write the results to this file.", "--json")
    ] = None,
    record: RecordFile = None,
    times: Annotated[
        bool, flag("--time", "Also show each player's time per action, of a match.")
    ] = False,
    folder: Annotated[Path | None, out_option()] = None,
    opening_set: OpeningSet = None,
    anchor: Anchor = None,
    hypotheses: Hypotheses = None,
    alpha: Alpha = ERROR_RATE,
    beta: Beta = ERROR_RATE,
    settings: Settings = None,
) -> None:
    r"""Compare two players in a match, or several in a round robin.

    Two players alternate at moving first; win rate and means have 95% intervals. With three or
    more players, or with --out or --anchor, every player meets every other in pairs of games with
    the same dice and swapped sides; Elo ratings have 95% intervals. With --openings, the games of
    a match are such pairs, too. From the usual start, players that vary little repeat the same
    games: compare them with --openings even.

    \b
    Examples:
      pasgl evaluate pasgl312 greedy random
      pasgl evaluate pasgl312 random greedy mcts:50 --games 100 --out runs/ladder
      pasgl evaluate pasgl312 mcts:100 mcts:50 --sprt 0 50 --games 10000
      pasgl evaluate pasgl312 greedy greedy --set bear_bonus=10 --games 2000
      pasgl evaluate chieftain td greedy --openings shipped
      pasgl evaluate pasgl312 td mcts:400 --games 200 --openings even --time
      pasgl evaluate pasgl312 runs/mine/agent.pt greedy --json result.json
      pasgl evaluate spalding greedy random --record games.pgb
    """
    with wrong_input():
        from pasgl_env.evaluation.openings import Openings

        ruleset = read_ruleset(variant, settings)
        if file is not None:
            check_writable(file)
            _check_json(file)
        openings = Openings() if opening_set is None else Openings.of_set(opening_set, ruleset)
        if not hypotheses:
            check_no_rates(alpha, beta, "--sprt")
        if hypotheses and anchor is not None:
            raise ValueError("--anchor is for ratings, which --sprt does not give")
        if not (more or folder or anchor is not None or hypotheses):
            match = measure(ruleset, first, second, games, seed, threads, record, openings)
            out.print(shown(match.table(times=times), wraps=False))
            content = match.to_dict()
            if times:
                content["seconds_per_action"] = match.thinking.per_action
        elif record is not None or times:
            option = "--time" if record is None else "--record"
            raise ValueError(f"{option} is for a match: two players, no --out, --anchor or --sprt")
        else:
            from pasgl_env.evaluation.tournament import Tournament
            from pasgl_env.statistics.sprt import Sprt

            test = Sprt(*hypotheses, alpha, beta) if hypotheses else None
            names = [first, second, *(more or ())]
            tournament = Tournament(
                ruleset, names, seed=seed, threads=threads, folder=folder, openings=openings
            )
            content = (
                play_test(tournament, test, games, folder).to_dict()
                if test
                else play_round_robin(tournament, games, anchor, folder).to_dict()
            )
        if file is not None:
            write_whole(file, json_bytes(content))


def _check_json(file: Path) -> None:
    """Raise ``ValueError`` if a file holds something else than results, which would be lost."""
    if file.is_file():  # a pipe would wait for a writer
        with file.open("rb") as stream:
            if stream.read(1) not in (b"", b"{"):
                raise ValueError(f"{file} holds something else than results: give another file")


def measure(
    ruleset: Ruleset,
    first: str,
    second: str,
    games: int,
    seed: int,
    threads: int = 1,
    record: Path | None = None,
    openings: Openings | None = None,
    folder: Path | None = None,
) -> MatchResult:
    """Play a match with a progress bar; in whole pairs of games if there are openings.

    ``folder`` is where an interrupted command goes on, if it does.
    """
    from pasgl_env.evaluation.match import make_pair, play_match, whole_groups
    from pasgl_env.evaluation.progress import Pace

    paired = openings is not None and not openings.is_usual
    if paired:
        games = whole_groups(games, len(ruleset.members))
    one, other = make_pair(ruleset.name, first, second, seed)
    with playing(folder) as report:
        pace = Pace(games, report)
        return play_match(
            ruleset,
            one,
            other,
            games,
            seed=seed,
            threads=threads,
            progress=pace.reach,
            record=record,
            paired=paired,
            starts=openings,
        )
