"""The ladder: the strength of the players in every variant, and their time per action.

``python -m tools.ladder --minutes 10`` plays every variant for ten minutes, in a folder from which
the same command resumes after a kill, and writes the page ``docs/ladder.md``. Pairings are chosen
so that ratings are known after few games: everybody meets the greedy player, whose rating is 0, and
players of similar strength.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import zip_longest
from math import isfinite
from pathlib import Path
from time import perf_counter
from typing import Annotated

import numpy as np
import typer
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pasgl_env import Batch, players, variants
from pasgl_env.cli.arguments import GamesSeed, Threads, wrong_input
from pasgl_env.cli.complaints import Command
from pasgl_env.cli.countdown import countdown
from pasgl_env.cli.output import say
from pasgl_env.evaluation.crosstable import duration, elo_text, interval_text
from pasgl_env.evaluation.ladder import FILE
from pasgl_env.evaluation.ledger import pair_points
from pasgl_env.evaluation.openings import SHIPPED, Openings
from pasgl_env.evaluation.tournament import PART, Standings, Tournament
from pasgl_env.games.contract import OptionValue
from pasgl_env.playtest.sweep.plot import STYLE
from pasgl_env.statistics.ratings import Pairing, Rating, rate_players
from pasgl_env.storage.files import write_whole
from pasgl_env.training.ppo import checkpoint
from tools.publish import hardware

ANCHOR = "greedy"
PLAYERS = (
    "random",
    "greedy",
    "td",
    "ppo",
    "search:50",
    "search:400",
    "search:20ms",
    "mcts:100",
    "mcts:400",
    "mcts:1600",
    "mcts:20ms",
)
MEETINGS = (
    ("greedy", "random"),
    ("greedy", "ppo"),
    ("greedy", "td"),
    ("greedy", "search:50"),
    ("greedy", "search:400"),
    ("greedy", "search:20ms"),
    ("greedy", "mcts:100"),
    ("greedy", "mcts:400"),
    ("greedy", "mcts:1600"),
    ("greedy", "mcts:20ms"),
    ("random", "ppo"),
    ("ppo", "td"),
    ("td", "mcts:400"),
    ("td", "search:50"),
    ("td", "search:20ms"),
    ("ppo", "search:20ms"),
    ("mcts:20ms", "search:20ms"),
    ("ppo", "mcts:100"),
    ("search:50", "mcts:1600"),
    ("search:50", "search:400"),
    ("mcts:100", "mcts:400"),
    ("mcts:400", "mcts:1600"),
)
# Games per meeting after each round: few at first, because nobody knows how long they take.
ROUNDS = (2, 10, 40, 80, 160, 320)
FAR_BELOW = 1e9
COLUMNS = 2
WIDEST = 400.0
"""The longest arm of an interval in the plot, Elo."""
COLORS = {
    "random": "#8a8378",
    "greedy": "#8a8378",
    "td": "#1f6f8b",
    "search": "#1f6f8b",
    "ppo": "#b5482a",
    "mcts": "#5d7f2e",
}
PAGE = Path("docs/ladder.md")
PLOT = "ladder.svg"
"""In the folder ``_static`` beside the page."""
DATA = Path("pasgl_env/evaluation") / FILE
"""Written with the page if it covers all games."""

Meeting = tuple[str, str]


@dataclass(frozen=True)
class Rung:
    """A variant on the ladder, possibly with other rules.

    Attributes:
        name: the name of its trained agents, ``ppo:NAME``.
        variant: a name of :func:`pasgl_env.variants.names`.
        options: options that differ from the default.
        title: the title for people.
        candidates: the players that may take part.
        meetings: who meets whom.
        anchor: the player whose rating is 0.
    """

    name: str
    variant: str
    options: Mapping[str, OptionValue]
    title: str
    candidates: Sequence[str]
    meetings: Sequence[Meeting]
    anchor: str = ANCHOR

    def player(self, name: str) -> str:
        """The name of a player of the ladder for :func:`pasgl_env.players.make`."""
        return f"{name}:{self.name}" if name == "ppo" else name

    @property
    def openings(self) -> Openings:
        """Where its games begin."""
        return Openings.of_set(SHIPPED, self.variant, self.options)

    @property
    def players(self) -> list[str]:
        """The candidates that exist for it."""
        shipped = checkpoint.shipped_names()
        return [name for name in self.candidates if name != "ppo" or self.player(name) in shipped]


def rungs(names: Sequence[str] = ()) -> dict[str, Rung]:
    """Rungs of the ladder, by name; all if no names are given.

    Raises:
        ValueError: for an unknown name; lists the known ones.
    """
    who = (PLAYERS, MEETINGS)
    own = [Rung(name, name, {}, variants.find(name).title, *who) for name in variants.names()]
    title = "Pachessi, four players in two teams"
    four = Rung("pachessi_four", "pachessi", {"players": 4}, title, *who)
    known = {rung.name: rung for rung in (*own, four)}
    if unknown := [name for name in names if name not in known]:
        raise ValueError(f"no variant {unknown[0]!r}: {', '.join(known)}")
    return {name: known[name] for name in names or known}


@dataclass
class Results:
    """The results of a rung so far.

    Attributes:
        standings: the standings of each meeting.
        seconds: mean time per action of each player.
    """

    rung: Rung
    standings: dict[Meeting, Standings] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def duration(self) -> float:
        """Seconds that all games took."""
        return sum(standings.duration for standings in self.standings.values())

    @property
    def ratings(self) -> dict[str, Rating]:
        """The ratings of all players, relative to the anchor's."""
        names = self.rung.players
        pairings = [
            Pairing(names.index(first), names.index(second), pair_points(standings.outcomes[0, 1]))
            for (first, second), standings in self.standings.items()
        ]
        rated = rate_players(len(names), pairings, anchor=names.index(self.rung.anchor))
        return dict(zip(names, rated, strict=True))

    def games(self, player: str) -> int:
        """The number of games of a player."""
        return sum(
            standings.games for meeting, standings in self.standings.items() if player in meeting
        )

    def score(self, player: str) -> float | None:
        """The share of the points that a player took from the greedy one; None without games."""
        if player == ANCHOR or (ANCHOR, player) not in self.standings:
            return None
        return self.standings[ANCHOR, player].score(1, 0)

    def expected(self, meeting: Meeting) -> float:
        """The expected seconds of a game of a meeting; 0 if nothing is known.

        Unknown games are as long as the longest ones known, in actions.
        """
        if meeting in self.standings:
            return self.standings[meeting].duration / self.standings[meeting].games
        lengths = [
            self.expected(played) / self._seconds_per_action(played) for played in self.standings
        ]
        return max(lengths, default=0.0) * self._seconds_per_action(meeting)

    def _seconds_per_action(self, meeting: Meeting) -> float:
        return sum(self.seconds[name] for name in meeting) / 2


def climb(
    rung: Rung,
    seconds: float,
    folder: Path,
    *,
    threads: int = 1,
    seed: int = 0,
    report: Callable[[float, str], None] = lambda passed, doing: None,
) -> Results:
    """Play a rung's meetings, round by round, as many games as the time allows.

    A meeting stops when its next games would take longer than the time left.

    Args:
        rung: the rung.
        seconds: total time, including that of stored games when they were played, so that a command
            that was killed reaches the same result.
        folder: folder of the results.
        threads: number of threads of the batches.
        seed: seed of all games.
        report: called with the seconds passed and the next meeting.

    Raises:
        BadResults: if the folder holds other results.
        OSError: if results cannot be stored.
    """
    results, names = Results(rung), set(rung.players)
    meetings = [each for each in rung.meetings if set(each) <= names]
    # Roughly, to know what would take too long.
    results.seconds = {
        name: time_per_action(rung, name, seed, games=2, actions=1) for name in rung.players
    }
    for games in ROUNDS:
        for meeting in sorted(meetings, key=results.expected):
            known = results.standings.get(meeting)
            is_given_up = known is None and games > ROUNDS[0]
            # The games of a round start with those of the rounds before, up to a part of 40.
            new = games - (known.games if known and known.games >= PART else 0)
            if is_given_up or results.duration + results.expected(meeting) * new > seconds:
                continue
            report(results.duration, f"{meeting[0]} and {meeting[1]}, {games} games")
            tournament = Tournament(
                rung.variant,
                {name: rung.player(name) for name in meeting},
                seed=seed,
                threads=threads,
                folder=folder / rung.name / "-".join(meeting).replace(":", ""),
                openings=rung.openings,
                **rung.options,
            )
            results.standings[meeting] = tournament.play(games, anchor=meeting[0])
    results.seconds = {
        name: time_per_action(rung, name, seed) for name in rung.players if results.games(name)
    }
    return results


def time_per_action(rung: Rung, name: str, seed: int, games: int = 8, actions: int = 3) -> float:
    """Mean seconds per action in several games at once, from positions after random play."""
    batch = Batch(rung.variant, games, seed=seed, **rung.options)
    player = players.make(rung.player(name), rung.variant, seed=seed)
    every = np.arange(games)
    for _ in range(20):
        batch.step(batch.sample())
    players.choose(player, batch, every)  # the first action loads compiled rules
    taken = 0.0
    for _ in range(actions):
        batch.step(batch.sample())
        start = perf_counter()
        players.choose(player, batch, every)
        taken += perf_counter() - start
    return taken / (actions * games)


def page(all_results: list[Results], command: str) -> str:
    """The page, as Markdown."""
    parts = [_INTRODUCTION.format(command=command, hardware=hardware(), plot=PLOT)]
    parts += [f"## {results.rung.title}\n\n{table(results)}\n" for results in all_results]
    return "\n".join(parts)


_INTRODUCTION = """# The ladder

The strength of the players and the time that they take per action, measured by

    {command}

*Elo* is relative to the greedy player, by maximum likelihood over all games of the table, with a
95% interval ([how](evaluation.md)). Every player met the greedy player and one or two players of
similar strength, in pairs of games that begin at the same [shipped opening](playtest.md), with
swapped sides; slow players played fewer games. *Score* is against the greedy player, with draws and
games cut off by the turn limit counting half. *Time* is per action, with eight games at once, on:
{hardware}. Players without games would have taken too long.

![Elo over time per action, a panel for each game](_static/{plot})

Elo over time per action, with 95% intervals; a line joins the same search with more simulations.
Players who won or lost all games have no finite rating, and are only in the tables.
"""


def plot(all_results: list[Results]) -> bytes:
    """Elo over time per action as SVG, a panel for each rung."""
    stream = io.BytesIO()
    with style.context(STYLE, after_reset=True):
        rows = -(-len(all_results) // COLUMNS)
        figure = Figure(figsize=(11, 2.9 * rows), layout="constrained")
        panels = figure.subplots(rows, COLUMNS, squeeze=False).ravel()
        for panel, results in zip_longest(panels, all_results):
            if results is None:
                panel.set_axis_off()
            else:
                draw_panel(panel, results)
        figure.savefig(stream, format="svg", metadata={"Date": None})
    return stream.getvalue()


def draw_panel(panel: Axes, results: Results) -> None:
    """Draw a rung's players with finite ratings; searches of a kind are joined."""
    rated = {name: each for name, each in results.ratings.items() if isfinite(each.elo)}
    for kind, color in COLORS.items():
        names = [name for name in rated if name.partition(":")[0] == kind]
        joined = [name for name in names if not name.endswith("ms")]
        for line, members in (("-", joined), ("", [name for name in names if name not in joined])):
            if members:
                milliseconds = [1000 * results.seconds[name] for name in members]
                elo = [rated[name].elo for name in members]
                panel.plot(milliseconds, elo, line, color=color, lw=1.2)
                reach = [
                    [each - rated[name].low for each, name in zip(elo, members, strict=True)],
                    [rated[name].high - each for each, name in zip(elo, members, strict=True)],
                ]
                panel.errorbar(
                    milliseconds, elo, np.minimum(reach, WIDEST), fmt="o", ms=4, color=color
                )
        for name in names:
            panel.annotate(
                name,
                (1000 * results.seconds[name], rated[name].elo),
                xytext=(4, 4),
                textcoords="offset points",
                fontsize=8,
                color=color,
            )
    panel.set_xscale("log")
    panel.xaxis.set_major_formatter("{x:g}")
    panel.margins(x=0.2, y=0.12)
    panel.set_title(results.rung.title, fontsize=10)
    panel.set_xlabel("ms per action")
    panel.set_ylabel("Elo")


def texts(all_results: list[Results]) -> dict[str, dict[str, str]]:
    """The ratings of players with games, as text for :mod:`pasgl_env.evaluation.ladder`."""
    return {
        results.rung.name: {
            name: "0" if name == ANCHOR else _rating_text(rating)
            for name, rating in results.ratings.items()
            if results.games(name)
        }
        for results in all_results
    }


def _rating_text(rating: Rating) -> str:
    between = f" ({interval_text(rating)})" if isfinite(rating.elo) else ""
    return elo_text(rating) + between


def table(results: Results) -> str:
    """A rung's table, the best player first."""
    ratings = results.ratings
    lines = [
        "| player | Elo | 95% interval | games | score | time per action |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    ranked = sorted(ratings, key=lambda name: _height(ratings[name]), reverse=True)
    for name in ranked:
        rating, score, games = ratings[name], results.score(name), results.games(name)
        interval = "anchor" if name == ANCHOR else interval_text(rating)
        cells = [
            f"`{name}`",
            elo_text(rating) if games else "",
            interval if games else "",
            str(games),
            "" if score is None else f"{score:.1%}",
            duration(results.seconds[name]) if games else "",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _height(rating: Rating) -> float:
    """The key for ranking: winners of all games by their lower bound; unknown ratings last."""
    if isfinite(rating.elo):
        return rating.elo
    if isfinite(rating.high):
        return -FAR_BELOW
    return rating.low if isfinite(rating.low) else -np.inf


Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="[VARIANT...]", help="Default: all.", show_default=False),
]
Minutes = Annotated[float, typer.Option(min=0.01, metavar="N", help="Minutes per variant.")]


def main(
    names: Names = None,
    minutes: Minutes = 10.0,
    folder: Annotated[
        Path, typer.Option("--out", metavar="FOLDER", help="Folder of the results.")
    ] = Path("runs/ladder"),
    to: Annotated[Path, typer.Option("--page", metavar="FILE", help="The page.")] = PAGE,
    threads: Threads = 1,
    seed: GamesSeed = 0,
) -> None:
    """Play the ladder, and write its page."""
    with wrong_input():
        wanted, seconds = rungs(names or ()), 60 * minutes
        with countdown() as report:
            everything = []
            for name, rung in wanted.items():
                tell = partial(report, name, seconds)
                everything.append(
                    climb(rung, seconds, folder, threads=threads, seed=seed, report=tell)
                )
        command = " ".join([COMMAND, *(names or []), f"--minutes {minutes:g}"])
        write_whole(to, page(everything, command).encode())
        (to.parent / "_static").mkdir(exist_ok=True)
        write_whole(to.parent / "_static" / PLOT, plot(everything))
        if not names:
            write_whole(DATA, (json.dumps(texts(everything), indent=1) + "\n").encode())
    say(f"The ladder is in {to}.")


COMMAND = "python -m tools.ladder"


app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
app.command(cls=Command)(main)

if __name__ == "__main__":
    app()
