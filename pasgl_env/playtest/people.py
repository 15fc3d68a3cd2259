"""Games of people, from files of records, measured and compared with those of machines.

What people said about a game, their ratings and the time that they took are in the comments of its
record, as the page of ``pasgl serve`` writes them. Needs SciPy.
"""

from __future__ import annotations

import re
from collections import Counter as Tally
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from pasgl_env import players
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.evaluation.openings import Begins
from pasgl_env.evaluation.table import Table
from pasgl_env.players.trained import KINDS
from pasgl_env.playtest import generic
from pasgl_env.playtest.compare import MAIN
from pasgl_env.playtest.counting import GameCounter, cells_of, table_of
from pasgl_env.playtest.results import Results, estimate_of
from pasgl_env.records import GameRecord, Turn
from pasgl_env.records.clocks import seconds_of, without_clocks
from pasgl_env.records.game import UNFINISHED
from pasgl_env.statistics.clustered import count, ratio, sums_of
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.statistics.texts import estimate_text

LONGEST_TURN = 600
"""Seconds; in a longer turn somebody went away, so its time is left out."""
MOST_COMMENTS = 50
COMPARED = (*MAIN, "score", "points", "margin", "endings", "minutes", "actions_in_a_turn")

_RATED = re.compile(r"Rated ([1-5]) of 5(?: by .*?)?, (too short|too long|right length)\. ?(.*)")


class Said(NamedTuple):
    """What people said about games.

    Attributes:
        ratings: how often each rating from 1 to 5 was given.
        lengths: how often games were said to be too short, too long or of the right length.
        comments: all other comments and those on ratings, with the number of the game, from 1.
    """

    ratings: dict[int, int]
    lengths: dict[str, int]
    comments: list[tuple[int, str]]


@dataclass(frozen=True)
class People:
    """Games of people under one rule.

    Attributes:
        ruleset: the rule.
        games: those that ended, and in which not only programs played.
        left_out: the number of other games by the reason.
    """

    ruleset: Ruleset
    games: tuple[GameRecord, ...]
    left_out: dict[str, int]

    @classmethod
    def of(cls, ruleset: Ruleset, records: Iterable[GameRecord]) -> People:
        """The games among some records that can be measured; ``ValueError`` if there are none."""
        games: list[GameRecord] = []
        left_out = Tally[str]()
        for game in records:
            if reason := _unfit(game, ruleset):
                left_out[reason] += 1
            else:
                games.append(game)
        found = cls(ruleset, tuple(games), dict(left_out))
        if not games:
            raise ValueError(f"there is no game to measure: {found.others or 'no game at all'}")
        return found

    @property
    def others(self) -> str:
        """The games that were left out, in words."""
        return ", ".join(f"{number} {reason}" for reason, number in self.left_out.items())

    def tallies(self) -> np.ndarray:
        """``float64[games, cells]``: the counts of each game."""
        states = np.concatenate([game.begin().state for game in self.games])
        numbers = np.arange(len(self.games))
        begins = Begins(states, np.full(numbers.size, -1), numbers)
        return GameCounter(self.ruleset, begins=begins, marks_left=0).add_played(self.games)

    def times(self) -> tuple[np.ndarray, np.ndarray]:
        """``float64[games]``: the seconds of timed turns of people, and the decisions in them."""
        seconds, decisions = np.zeros((2, len(self.games)))
        for number, game in enumerate(self.games):
            known = seconds_of(game)
            for at, turn in enumerate(game.turns() if known else ()):
                if at in known and known[at] <= LONGEST_TURN:
                    movers = list(_movers(turn))
                    if movers and not is_program(_player(game, movers[0])):
                        seconds[number] += known[at]
                        decisions[number] += len(movers)
        return seconds, decisions

    def said(self) -> Said:
        """The ratings and comments in the games."""
        ratings, lengths = Tally[int](), Tally[str]()
        comments = []
        for number, game in enumerate(self.games, 1):
            for text in map(without_clocks, chain.from_iterable(game.comments.values())):
                if rated := _RATED.fullmatch(text):
                    ratings[int(rated[1])] += 1
                    lengths[rated[2]] += 1
                    text = rated[3]
                if text:
                    comments.append((number, text))
        return Said(dict(sorted(ratings.items())), dict(lengths), comments)


@dataclass(frozen=True)
class PeopleAndMachines:
    """The games of people compared with those of machines.

    Attributes:
        people: the games of people.
        results: those of machines, under the same rule.
    """

    people: People
    results: Results

    def rows(self) -> Iterator[tuple[str, dict[str, str], bool, Estimate, Estimate]]:
        """Each measure: its title, cell, whether it is a share, and both numbers."""
        ruleset, tallies = self.people.ruleset, self.people.tallies()
        table = table_of(ruleset.game)
        for counter in table.meant:
            if counter.name not in COMPARED:
                continue
            for at, cell in enumerate(cells_of(counter, ruleset.seats), table.firsts[counter.name]):
                if cell is None:
                    continue
                counted, divisor = tallies[:, at], tallies[:, table.divisors[at]]
                own = estimate_of(counter, sums_of(counted, divisor), sums_of(divisor, divisor))
                other = self.results.figure(counter.name, **cell).estimate
                title = counter.title_of(cell.values())
                yield title, cell, counter.is_share, own, other

    def pace(self) -> tuple[Estimate, Estimate] | None:
        """Seconds of people for a decision, and minutes for a game; None without any clock.

        The minutes of a game are the measured ones, as if its other decisions had taken as long.
        """
        seconds, decisions = self.people.times()
        timed = decisions > 0
        if not timed.any():
            return None
        each = ratio(sums_of(seconds, decisions), sums_of(decisions, decisions))
        actions, ones = self.people.tallies()[timed, generic.ACTIONS], np.ones(timed.sum())
        minutes = seconds[timed] / decisions[timed] * actions / 60
        return each, count(sums_of(minutes, ones), sums_of(ones, ones))

    @property
    def table(self) -> Table:
        """A row for each measure."""
        one, other = self.results.plan.shown_players
        return Table(
            f"{self.people.ruleset.game.title}: games of people beside {one} against {other}",
            ["", "People", "Machines"],
            [
                [title, estimate_text(own, is_share), estimate_text(machine, is_share)]
                for title, _, is_share, own, machine in self.rows()
            ],
            list(self._notes()),
            left=[0],
        )

    def _notes(self) -> Iterator[str]:
        said = self.people.said()
        others = self.people.others
        yield (
            f"{len(self.people.games):,} games of people, each a unit of its own, and"
            f" {self.results.games:,} of machines; 95% intervals in parentheses."
            + f" Left out: {others}."
            * bool(others)
        )
        if pace := self.pace():
            each, game = (estimate_text(number, False) for number in pace)
            yield (
                f"People took {each} seconds for a decision, so {game} minutes for a game, by their"
                f" clocks; turns of more than {LONGEST_TURN // 60} minutes are left out."
            )
        else:
            yield "No game has clocks, so the minutes are assumed, not measured."
        if said.ratings:
            ratings = sum(said.ratings.values())
            mean = sum(rating * times for rating, times in said.ratings.items()) / ratings
            lengths = ", ".join(f"{length} {times}" for length, times in said.lengths.items())
            yield f"{ratings} rating{'s' * (ratings > 1)}, {mean:.1f} of 5 on average; {lengths}."
        for number, text in said.comments[:MOST_COMMENTS]:
            yield f"Game {number}: {text}"

    def to_dict(self) -> dict[str, Any]:
        """Values for JSON; None where there is none."""
        pace, said = self.pace(), self.people.said()
        names = ("seconds_a_decision", "minutes_a_game")
        return {
            "games": len(self.people.games),
            "left_out": self.people.left_out,
            "machines": self.results.games,
            "measures": [
                {"measure": title, "cell": cell, "people": own.__dict__, "machines": other.__dict__}
                for title, cell, _, own, other in self.rows()
            ],
            "pace": pace and {name: each.__dict__ for name, each in zip(names, pace, strict=True)},
            "said": said._asdict(),
        }


def is_program(name: str | None) -> bool:
    """Whether a name in a record is that of a player of this package."""
    return (name or "").partition(":")[0] in (*players.names(), *KINDS)


def _movers(turn: Turn) -> Iterator[int]:
    """The player of each decision of a turn, in order."""
    position = turn.before.copy()
    for label in turn.labels:
        if position.to_move is not None and not position.is_chance:
            yield position.to_move
        position.play(label)


def _player(game: GameRecord, seat: int) -> str | None:
    return game.players[seat] if game.players else None


def _unfit(game: GameRecord, ruleset: Ruleset) -> str:
    """The reason why a game is not measured; empty if it is."""
    if game.ruleset.name != ruleset.name:
        return "of other variants"
    if others := game.ruleset.differing(ruleset):
        return "with " + " ".join(f"{name}={value}" for name, value in others.items())
    if game.players and all(map(is_program, game.players)):
        return "between programs"
    return "not ended" if game.termination == UNFINISHED else ""
