"""Learned values: tested against those that are shipped, measured, and written with their cards."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from pathlib import Path

from agents.recipes import LONG_TURNS, matches_of
from pasgl_env import __version__, variants
from pasgl_env.benchmark.protocol import keep_values
from pasgl_env.cli.output import say
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.evaluation.match import MatchResult
from pasgl_env.evaluation.openings import EVEN_OPENINGS
from pasgl_env.evaluation.tournament import Decision, Tournament
from pasgl_env.players.values.weights import (
    FILE,
    SHIPPED,
    SUFFIX,
    read_start,
    read_tensors,
    shipped,
    write_network,
)
from pasgl_env.statistics.sprt import Sprt
from pasgl_env.statistics.texts import estimate_text
from pasgl_env.storage.files import write_whole
from pasgl_env.training.curves import Point, from_even_openings, measure_point
from pasgl_env.training.runs import log_rows, read_settings
from pasgl_env.training.settings import TdSettings, command_of
from pasgl_env.training.td.run import points_of
from tools.publish import CARDS

CURVE_GAMES = 200
"""Games of each point of the learning curve, against the last one; a quarter of long turns."""
MOST_ROWS = 10
GATES, GATES_OF_LONG_TURNS = ("td", "search:20"), ("td", "search:2")
"""The players that must be stronger with new values than with old ones, as a test shows."""
TEST = Sprt(elo0=0, elo1=30)
MOST_GAMES = 4000
"""The most games of a test."""
TOLD = ("command", "seed", "games", "minutes")
"""The fields of a file of weights that describe its training."""


def publish(run: Path, name: str | None, seed: int) -> list[Decision]:
    """Test, measure and install the values of a run.

    Args:
        run: folder of the run.
        name: name of the weights file, such as ``pachessi_four``; None for the variant's. That of
            another variant with the same features publishes the values for it.
        seed: seed of openings and players, different from that of the training.

    Returns:
        The tests against the old values, up to the first that new values do not pass; none if
        there were no old ones.
    """
    settings = read_settings(run, TdSettings)
    name = name or settings.variant
    ruleset = purpose_of(name, settings)
    decisions: list[Decision] = []
    for player in gates_of(name) if shipped(ruleset) is not None else ():
        decisions.append(decide(ruleset, player, run, seed))
        say(f"{player}: {decisions[-1].verdict or 'undecided'} after {decisions[-1].games} games.")
        if decisions[-1].verdict != "H1":
            return decisions
    played = []
    for own, other, games in matches_of(ruleset.name):
        mine = f"{own}:values={run}"
        played.append(from_even_openings(ruleset, mine, other, games, seed))
        say(str(played[-1]))
    *points, last = points_of(run)
    end, each = f"td:values={last}", curve_games(name)
    curve = [measure_point(point, ruleset, seed, end, each) for point in points]
    card = card_of(name, run, settings, played, curve, decisions)
    told = read_tensors(run / FILE)[1]
    network = read_start(run / FILE, ruleset)
    content = write_network(network, ruleset, {key: told[key] for key in TOLD})
    keep_values(SHIPPED / f"{name}{SUFFIX}")
    write_whole(SHIPPED / f"{name}{SUFFIX}", content)
    write_whole(CARDS / name / "td.md", card.encode())
    return decisions


def gates_of(name: str) -> Sequence[str]:
    """The players of the tests."""
    return GATES_OF_LONG_TURNS if name in LONG_TURNS else GATES


def curve_games(name: str) -> int:
    """The number of games of each point of the learning curve."""
    return CURVE_GAMES // 4 if name in LONG_TURNS else CURVE_GAMES


def decide(ruleset: Ruleset, player: str, run: Path, seed: int) -> Decision:
    """Test whether a player is stronger with new values than with the shipped ones."""
    pair = {"new": f"{player}:values={run}", "old": player}
    tournament = Tournament(ruleset, pair, seed=seed, openings=EVEN_OPENINGS)
    return tournament.decide(TEST, MOST_GAMES)


def purpose_of(name: str, settings: TdSettings) -> Ruleset:
    """The rules that values with this name are for."""
    if name in variants.names() and name != settings.variant:
        return variants.ruleset(name)
    return variants.ruleset(settings.variant, **settings.options)


def card_of(
    name: str,
    run: Path,
    settings: TdSettings,
    played: list[MatchResult],
    curve: list[Point],
    decisions: list[Decision],
) -> str:
    """The card in Markdown: the agent, how it was made, and its strength."""
    told = read_tensors(run / FILE)[1]
    rows = log_rows(run)
    lines = [
        f"# `td` and `search`: {name}",
        "",
        "Values learned by temporal-difference learning; see docs/learned_values.md.",
        "",
        "```sh",
        command_of(settings),
        "```",
        "",
        f"{int(told['games']):,} games, {told['minutes']} minutes of {crew_of(settings)}"
        " on a shared machine"
        f" ({platform.machine()}, Python {platform.python_version()}), version {__version__}.",
        "",
    ]
    if settings.start:
        lines += [
            f"The training began with the values of `{settings.start}`; `td.py` beside this card"
            " has all stages.",
            "",
        ]
    if decisions:
        scores = ", ".join(
            f"`{player}` {each.score:.1%} of {each.games} games"
            for player, each in zip(gates_of(name), decisions, strict=True)
        )
        lines += [
            f"It replaced earlier values after sequential tests against them (0 against 30 Elo"
            f" points, error rates 5%): {scores}.",
            "",
        ]
    lines += [
        "Pairs of games from varied, even openings, with 95% intervals; times per action are from"
        " the same match:",
        "",
        "| player | ms | against | ms | games | score |",
        "|---|---:|---|---:|---:|---|",
        *map(row_of, played),
        "",
        *(curve_table(curve, curve_games(name)) if curve else ()),
        "Difference between values and results during training (root mean square; values range"
        " from -1 to 1):",
        "",
        "| games | minutes | difference |",
        "|---:|---:|---:|",
        *(
            f"| {row['games']:,} | {row['seconds'] / 60:.1f} | {row['error']:.3f} |"
            for row in rows[:: max(1, -(-len(rows) // MOST_ROWS))]
        ),
    ]
    return "\n".join(lines) + "\n"


def curve_table(curve: list[Point], games: int) -> list[str]:
    """The learning curve, of so many games a point, as lines of Markdown."""
    return [
        f"Learning curve: `td` with the values at points of the training, {games} games each"
        " against those at its end. From the middle of the training on, values are means from"
        " there:",
        "",
        "| games | minutes | score |",
        "|---:|---:|---|",
        *(
            f"| {each.done:,} | {each.minutes:.1f} | {estimate_text(each.score, True)} |"
            for each in curve
        ),
        "",
    ]


def crew_of(settings: TdSettings) -> str:
    """The threads or workers that played the run's games, in words."""
    threads = f"{settings.threads} thread{'s' * (settings.threads > 1)}"
    if not settings.workers:
        return threads
    return f"{settings.workers} worker{'s' * (settings.workers > 1)} of {threads} each"


def row_of(match: MatchResult) -> str:
    """A match as a row of the card's table."""
    first = match.first.partition(":values=")[0]
    one, other = (f"{1000 * seconds:.2g}" for seconds in match.thinking.per_action)
    games, score = match.games.size, estimate_text(match.all.score_rate, True)
    return f"| `{first}` | {one} | `{match.second}` | {other} | {games} | {score} |"
