"""The ladder: the strength of the players in every variant, and their time per action.

``python -m studies.ladder --minutes 10`` plays every variant for ten minutes, in a folder from
which the same command resumes after a kill, and writes the page ``docs/results/ladder.md``. With
names of variants it plays only those; the results of the others, in ``studies/ladder.json``, stay.
Pairings are chosen so that ratings are known after few games: everybody meets the greedy player,
whose rating is 0, and players of similar strength.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import zip_longest
from math import isfinite, nan
from pathlib import Path
from statistics import median
from textwrap import fill
from time import perf_counter
from typing import Annotated, Any, Literal

import numpy as np
import typer
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Annotation
from matplotlib.transforms import Bbox

from agents.recipes import LONG_TURNS
from pasgl_env import Batch, players, variants
from pasgl_env.cli.arguments import GamesSeed, Threads, wrong_input
from pasgl_env.cli.complaints import program
from pasgl_env.cli.output import say
from pasgl_env.cli.progress import countdown, interruptible, progress_bar
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.duration import short_time
from pasgl_env.evaluation.journal import pair_points
from pasgl_env.evaluation.ladder import FILE
from pasgl_env.evaluation.openings import SHIPPED, Openings, set_of
from pasgl_env.evaluation.table import markdown_table
from pasgl_env.evaluation.tournament import PART, Standings, Tournament
from pasgl_env.players import trained
from pasgl_env.playtest.plot import STYLE
from pasgl_env.statistics.ratings import Pairing, Rating, largest_misfit, rate_players
from pasgl_env.statistics.texts import elo_interval_text, elo_text
from pasgl_env.storage.files import json_bytes, write_whole
from pasgl_env.storage.runs import hardware
from studies.entries import (
    PAGES,
    are_replaced,
    check_names,
    commands,
    entries_file,
    read_entries,
    values_now,
    write_entries,
)

ANCHOR = "greedy"
PLAYERS = (
    "random",
    "greedy",
    "td",
    "ppo",
    "search:25",
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
    ("greedy", "search:25"),
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
    ("td", "search:25"),
    ("td", "search:50"),
    ("search:25", "search:50"),
    ("td", "search:20ms"),
    ("ppo", "search:20ms"),
    ("mcts:20ms", "search:20ms"),
    ("ppo", "mcts:100"),
    ("search:50", "mcts:1600"),
    ("search:50", "search:400"),
    ("mcts:100", "mcts:400"),
    ("mcts:400", "mcts:1600"),
)
FAST_PLAYERS = (
    "random",
    "greedy",
    "td:temperature=0.02",
    "td",
    "ppo",
    "search:1",
    "search:20ms",
    "mcts:100",
    "mcts:400",
    "mcts:20ms",
)
"""The players of these: none takes much longer than 20 ms for an action.

That which errs now and then is about halfway between the greedy player and ``td``, so that their
distance does not depend on the few games that greedy wins.
"""
FAST_MEETINGS = (
    ("greedy", "random"),
    ("greedy", "ppo"),
    ("greedy", "td"),
    ("greedy", "search:1"),
    ("greedy", "td:temperature=0.02"),
    ("td:temperature=0.02", "td"),
    ("td:temperature=0.02", "search:1"),
    ("td", "search:1"),
    ("greedy", "search:20ms"),
    ("greedy", "mcts:100"),
    ("greedy", "mcts:400"),
    ("greedy", "mcts:20ms"),
    ("random", "ppo"),
    ("ppo", "td"),
    ("ppo", "search:1"),
    ("ppo", "search:20ms"),
    ("td", "search:20ms"),
    ("mcts:20ms", "search:20ms"),
    ("ppo", "mcts:100"),
    ("search:1", "mcts:400"),
    ("mcts:100", "mcts:400"),
)
# Games per meeting after each round: few at first, because their duration is unknown.
ROUNDS = (2, 10, 40, 80, 160, 320)
FAR_BELOW = 1e9
COLUMNS = 2
WIDEST = 400.0
"""The longest arm of an interval in the plot, Elo."""
Side = tuple[Literal[-1, 1], Literal[-1, 0, 1]]
SIDES: tuple[Side, ...] = ((1, 1), (-1, 1), (1, -1), (-1, -1), (1, 0), (-1, 0))
"""The possible places of a name in the plot, see ``_move``; the first is preferred."""
BLOCKED = 100
"""The cost, in covered lines, of covering another name or leaving the panel."""
COLORS = {
    "random": "#8a8378",
    "greedy": "#8a8378",
    "td": "#1f6f8b",
    "search": "#1f6f8b",
    "ppo": "#b5482a",
    "mcts": "#5d7f2e",
}
PAGE = PAGES / "ladder.md"
DATA = Path("pasgl_env/evaluation") / FILE
"""Written with :data:`PAGE`."""

Meeting = tuple[str, str]


@dataclass(frozen=True)
class Rung:
    """A variant on the ladder, possibly with other rules.

    Attributes:
        name: the name of its trained agents, ``ppo:NAME``.
        ruleset: the rules.
        title: the title for people.
        candidates: the players that may take part.
        meetings: who meets whom.
        anchor: the player whose rating is 0.
    """

    name: str
    ruleset: Ruleset
    title: str
    candidates: Sequence[str]
    meetings: Sequence[Meeting]
    anchor: str = ANCHOR

    def player(self, name: str) -> str:
        """The name of a player of the ladder for :func:`pasgl_env.players.make`."""
        return f"{name}:{self.name}" if name == "ppo" else name

    @property
    def openings(self) -> Openings:
        """The openings of its games."""
        return Openings.of_set(SHIPPED, self.ruleset)

    @property
    def players(self) -> list[str]:
        """The candidates that exist for it."""
        shipped = trained.shipped_names()
        return [name for name in self.candidates if name != "ppo" or self.player(name) in shipped]


def rungs(names: Sequence[str] = ()) -> dict[str, Rung]:
    """Rungs of the ladder, by name; all if no names are given.

    Raises:
        ValueError: for an unknown name; lists the known ones.
    """
    own = [_usual_rung(name) for name in variants.names()]
    title = "Pachessi, four players in two teams"
    four = Rung("pachessi_four", set_of("pachessi_four"), title, PLAYERS, MEETINGS)
    known = {rung.name: rung for rung in (*own, four)}
    check_names(names, list(known), "variant")
    return {name: known[name] for name in names or known}


def _usual_rung(variant: str) -> Rung:
    """The rung of a variant's default options."""
    ruleset = variants.ruleset(variant)
    fast = variant in LONG_TURNS
    who = (FAST_PLAYERS, FAST_MEETINGS) if fast else (PLAYERS, MEETINGS)
    return Rung(variant, ruleset, ruleset.game.title, *who)


@dataclass
class Results:
    """The results of a rung so far.

    Attributes:
        standings: the standings of each meeting.
        seconds: time per action of each player.
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
        rated = rate_players(len(names), self._pairings, anchor=names.index(self.rung.anchor))
        return dict(zip(names, rated, strict=True))

    @property
    def misfit(self) -> str:
        """See :func:`misfit_text`."""
        return misfit_text(self.rung.players, self._pairings, list(self.ratings.values()))

    @property
    def _pairings(self) -> list[Pairing]:
        names = self.rung.players
        return [
            Pairing(names.index(first), names.index(second), pair_points(standings.outcomes[0, 1]))
            for (first, second), standings in self.standings.items()
        ]

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

        Unknown games are as long, in actions, as those of the slowest players known: the faster the
        players, the more of the time is not theirs.
        """
        if meeting in self.standings:
            return self.standings[meeting].duration / self.standings[meeting].games
        if not self.standings:
            return 0.0
        slowest = max(self.standings, key=self._seconds_per_action)
        actions = self.expected(slowest) / self._seconds_per_action(slowest)
        return actions * self._seconds_per_action(meeting)

    def _seconds_per_action(self, meeting: Meeting) -> float:
        return sum(self.seconds[name] for name in meeting) / 2


def misfit_text(
    names: Sequence[str], pairings: Sequence[Pairing], ratings: Sequence[Rating]
) -> str:
    """The meeting that ratings describe worst, in words; empty if they describe all."""
    worst = largest_misfit(pairings, ratings)
    if worst is None:
        return ""
    return (
        f"Misfit: `{names[worst.first]}` scored {worst.score:.0%} against"
        f" `{names[worst.second]}`, where their Elo predicts {worst.predicted:.0%}."
    )


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
        BadRun: if the folder holds other results.
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
                rung.ruleset,
                {name: rung.player(name) for name in meeting},
                seed=seed,
                threads=threads,
                folder=folder / rung.name / "-".join(meeting).replace(":", ""),
                openings=rung.openings,
            )
            results.standings[meeting] = tournament.play(games, anchor=meeting[0])
    results.seconds = {
        name: time_per_action(rung, name, seed) for name in rung.players if results.games(name)
    }
    return results


def time_per_action(rung: Rung, name: str, seed: int, games: int = 8, actions: int = 7) -> float:
    """Seconds per action in several games at once, from positions after random play.

    The median over the actions: what else the machine does meets few of them.
    """
    batch = Batch(rung.ruleset, games, seed=seed)
    player = players.make(rung.player(name), rung.ruleset.name, seed=seed)
    every = np.arange(games)
    for _ in range(20):
        batch.step(batch.sample())
    players.choose(player, batch, every)  # the first action loads compiled rules
    taken = []
    for _ in range(actions):
        batch.step(batch.sample())
        start = perf_counter()
        players.choose(player, batch, every)
        taken.append(perf_counter() - start)
    return median(taken) / games


@dataclass(frozen=True)
class Row:
    """A player on the page.

    Attributes:
        player: its name.
        elo: its rating; None without two bounds.
        low: the lower end of the interval, or None.
        high: the upper end of the interval, or None.
        games: number of its games.
        score: its share of the points against the greedy player; None if they did not meet.
        seconds: time per action; None without games.
    """

    player: str
    elo: float | None
    low: float | None
    high: float | None
    games: int
    score: float | None
    seconds: float | None

    @property
    def rating(self) -> Rating:
        """The rating, infinite or NaN where it is not known."""
        return Rating.of_dict({"elo": self.elo, "low": self.low, "high": self.high})


@dataclass(frozen=True)
class Entry:
    """A rung on the page.

    Attributes:
        minutes: time for its games.
        rows: its players.
        misfit: see :attr:`Results.misfit`.
        values: a digest of the values by which its ``td`` and ``search`` played.
    """

    minutes: float
    rows: list[Row]
    misfit: str = ""
    values: str = ""


def entry_of(results: Results, minutes: float) -> Entry:
    """A rung's results as an entry of the page."""
    rows = []
    for name, rating in results.ratings.items():
        games = results.games(name)
        known = rating.to_dict() if games else dict.fromkeys(("elo", "low", "high"))
        seconds = results.seconds[name] if games else None
        rows.append(Row(name, **known, games=games, score=results.score(name), seconds=seconds))
    return Entry(minutes, rows, results.misfit, values_now(results.rung.ruleset))


def read_entry(known: Mapping[str, Any]) -> Entry:
    """An entry from its JSON."""
    return Entry(**{**known, "rows": [Row(**row) for row in known["rows"]]})


def page(entries: Mapping[str, Entry], known: Mapping[str, Rung]) -> str:
    """The page, as Markdown."""
    minutes = {name: entry.minutes for name, entry in entries.items()}
    parts = [_INTRODUCTION.format(commands=commands("ladder", minutes), hardware=hardware())]
    for name, entry in entries.items():
        earlier = f"{_EARLIER}\n\n" if are_replaced(entry.values, known[name].ruleset) else ""
        misfit = f"\n{fill(entry.misfit, 100)}\n" if entry.misfit else ""
        parts.append(f"## {known[name].title}\n\n{earlier}{table(entry)}\n{misfit}")
    return "\n".join(parts)


_EARLIER = (
    """`td` and `search` played by earlier values; today's [are stronger](learned_values.md)."""
)


_INTRODUCTION = """# The ladder

The strength of the players and the time that they take per action, measured by

{commands}

*Elo* is relative to the greedy player, by maximum likelihood over all games of the table, with a
95% interval ([how](../evaluation.md)). Every player met the greedy player and one or two players of
similar strength, in pairs of games that begin at the same [shipped opening](../playtest.md), with
swapped sides; slow players played fewer games. *Score* is against the greedy player, with draws and
games cut off by the turn limit counting half. *Time* is per action, with eight games at once, on:
{hardware}. A game of Chieftain, Superchief or Overlord has thousands of actions, so nobody plays
there who takes much longer than 20 ms for one. Players without games would have taken too long. A
*misfit* below a table is a meeting, of its games or played since, that its ratings do not describe.

![Elo over time per action, a panel for each game](ladder.svg)

Elo over time per action, with 95% intervals; a line joins the same search with more simulations.
Players who won all games have no finite rating: a triangle is at the lower end of their interval.
"""


def plot(entries: Mapping[str, Entry], titles: Mapping[str, str]) -> bytes:
    """Elo over time per action as SVG, a panel for each rung."""
    stream = io.BytesIO()
    with style.context(STYLE, after_reset=True):
        rows = -(-len(entries) // COLUMNS)
        figure = Figure(figsize=(11, 2.9 * rows), layout="constrained")
        panels = figure.subplots(rows, COLUMNS, squeeze=False).ravel()
        for panel, name in zip_longest(panels, entries):
            if name is None:
                panel.set_axis_off()
            else:
                draw_panel(panel, titles[name], entries[name])
        figure.draw_without_rendering()  # gives the panels their place
        for panel in panels:
            place_names(panel)
        figure.savefig(stream, format="svg", metadata={"Date": None})
    return stream.getvalue()


def draw_panel(panel: Axes, title: str, entry: Entry) -> None:
    """Draw a rung's players; searches of a kind are joined.

    Those who won all games stand as triangles at the lower end of their interval.
    """
    shown = [row for row in entry.rows if isfinite(_place(row))]
    for row in shown:
        _draw_player(panel, row)
    for kind in ("search", "mcts"):
        joined = [
            row
            for row in shown
            if row.elo is not None
            and row.player.startswith(f"{kind}:")
            and not row.player.endswith("ms")
        ]
        times, elo = [_milliseconds(row) for row in joined], [_place(row) for row in joined]
        panel.plot(times, elo, "-", color=COLORS[kind], lw=1.2)
    panel.set_xscale("log")
    panel.xaxis.set_major_formatter("{x:g}")
    panel.margins(x=0.35, y=0.15)
    panel.set_title(title, fontsize=10)
    panel.set_xlabel("ms per action")
    panel.set_ylabel("Elo")


def _draw_player(panel: Axes, row: Row) -> None:
    """Draw a player with its interval and name."""
    color, at = COLORS[row.player.partition(":")[0]], (_milliseconds(row), _place(row))
    if row.elo is None:
        panel.plot(*at, "^", ms=6, color=color)
    else:
        low, high = row.elo - row.rating.low, row.rating.high - row.elo
        panel.errorbar(*at, np.minimum([[low], [high]], WIDEST), fmt="o", ms=4, color=color)
    panel.annotate(
        row.player, at, xytext=(0, 0), textcoords="offset points", fontsize=8, color=color
    )


def place_names(panel: Axes) -> None:
    """Move each name to the side of its player where it covers the least.

    The panel must have its place in the figure.
    """
    drawn = [line.get_path().transformed(line.get_transform()) for line in panel.lines]
    drawn += [
        path.transformed(bars.get_transform())
        for bars in panel.collections
        for path in bars.get_paths()
    ]
    names: list[Bbox] = []

    def covered(name: Annotation, side: Side) -> int:
        _move(name, side)
        # Wide enough to meet a player between the name and its own.
        box = name.get_window_extent().padded(6)
        lines = sum(path.intersects_bbox(box, filled=False) for path in drawn)
        is_inside = panel.bbox.count_contains(box.corners()) == 4
        return lines + BLOCKED * (box.count_overlaps(names) + (not is_inside))

    for name in panel.texts:
        assert isinstance(name, Annotation)
        _move(name, min(SIDES, key=partial(covered, name)))
        names.append(name.get_window_extent())


def _move(name: Annotation, side: Side) -> None:
    """Put a name right (1) or left (-1) of its player, and above (1), beside (0) or below (-1)."""
    right, above = side
    name.set_position((6 * right, 5 * above))
    name.set_horizontalalignment("left" if right > 0 else "right")
    name.set_verticalalignment("bottom" if above > 0 else "top" if above < 0 else "center")


def _place(row: Row) -> float:
    """The height of a player in the plot; infinite or NaN if it has none."""
    return row.rating.elo if row.elo is not None else row.rating.low


def _milliseconds(row: Row) -> float:
    return nan if row.seconds is None else 1000 * row.seconds


def texts(entries: Mapping[str, Entry]) -> dict[str, dict[str, str]]:
    """The ratings of players with games, as text for :mod:`pasgl_env.evaluation.ladder`.

    Those of players whose values have been replaced are left out.
    """
    known = rungs()
    return {
        name: {
            row.player: "0" if row.player == ANCHOR else _rating_text(row.rating)
            for row in entry.rows
            if row.games and not _is_replaced(row.player, entry, known[name].ruleset)
        }
        for name, entry in entries.items()
    }


def _is_replaced(player: str, entry: Entry, ruleset: Ruleset) -> bool:
    return players.takes_values(player) and are_replaced(entry.values, ruleset)


def _rating_text(rating: Rating) -> str:
    between = f" ({elo_interval_text(rating)})" if isfinite(rating.elo) else ""
    return elo_text(rating) + between


def table(entry: Entry) -> str:
    """A rung's table, the best player first."""
    rows = []
    for row in sorted(entry.rows, key=lambda row: _height(row.rating), reverse=True):
        interval = "anchor" if row.player == ANCHOR else elo_interval_text(row.rating)
        cells = [
            f"`{row.player}`",
            elo_text(row.rating) if row.games else "",
            interval if row.games else "",
            str(row.games),
            "" if row.score is None else f"{row.score:.1%}",
            "" if row.seconds is None else short_time(row.seconds),
        ]
        rows.append(cells)
    return "\n".join(markdown_table(_HEADINGS, rows))


_HEADINGS = "player", "Elo", "95% interval", "games", "score", "time per action"


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
    kept = entries_file(to)
    with wrong_input(), progress_bar() as show, interruptible(folder):
        wanted, seconds = rungs(names or ()), 60 * minutes
        entries = read_entries(kept, "results", read_entry)
        for name, rung in wanted.items():
            tell = countdown(show, name, seconds)
            results = climb(rung, seconds, folder, threads=threads, seed=seed, report=tell)
            entries[name] = entry_of(results, minutes)
            entries = {each: entries[each] for each in rungs() if each in entries}
            write(entries, to, kept)
    say(f"The ladder is in {to}.")


def write(entries: Mapping[str, Entry], to: Path, kept: Path) -> None:
    """Write the page, its plot, the entries and, with :data:`PAGE`, the ratings to ship."""
    known = rungs()
    titles = {name: rung.title for name, rung in known.items()}
    write_entries(kept, entries)
    write_whole(to, page(entries, known).encode())
    write_whole(to.with_name("ladder.svg"), plot(entries, titles))
    if to == PAGE:
        write_whole(DATA, json_bytes(texts(entries)))


app = program(main)

if __name__ == "__main__":
    app()
