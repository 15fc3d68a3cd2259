"""Lines of play that inventors analysed, judged by a search and by playing on.

A search values the position before and after each turn of a line, which shows how much each turn
gave away. Games are played from the end of the line; the verdict is whether the attacker, side 0,
scores more or less than half of them.

Needs SciPy.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pasgl_env import players
from pasgl_env.contract import parts
from pasgl_env.contract.game import Game
from pasgl_env.contract.parts import LineOfPlay
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.position import Position
from pasgl_env.evaluation.match import sides
from pasgl_env.evaluation.table import Table
from pasgl_env.players import TreeSearchPlayer
from pasgl_env.players.values.calibration import calibrated, calibration_of
from pasgl_env.playtest.lab import NO_VERDICT, Lab, Question, conditions
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.verdict import cut_off_of, however_ended, side_of
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.statistics.texts import estimate_text

START = "The start, for comparison"
LOST = 0.3
"""A turn is marked if it gives away at least this much of a value from -1 to 1."""
EVEN = 0.05
"""A line is even if its score is nearer to one half than this."""


def lines_of(game: Game) -> tuple[LineOfPlay, ...]:
    """The start, and the lines that come with a game.

    Raises:
        NotImplementedError: if none do.
    """
    return LineOfPlay(START, "", ""), *parts.analyses(game).ANALYSES


@dataclass(frozen=True)
class JudgedLines(Question[tuple["JudgedLine", ...]]):
    """Lines to be judged.

    Attributes:
        lines: games begin at their ends, and are played as in ``plan``.
        simulations: of the search, for each turn.

    Raises:
        ValueError: if a line cannot be played, or the numbers are impossible.
    """

    kind = "judge"

    lines: tuple[LineOfPlay, ...]
    simulations: int

    def __post_init__(self) -> None:
        self.plan.ruleset.check_two_sides("lines of play are judged by who attacks, of")
        self.plan.check_games(self.games)
        if self.simulations < 1:
            raise ValueError(f"a search has 1 simulation or more, not {self.simulations}")
        for line in self.lines:
            self.end_of(line)

    def end_of(self, line: LineOfPlay) -> Position:
        """The position at the end of a line."""
        position = self._start_of(line)
        for turn in line.labels():
            for label in turn:
                position.play(label)
        return position

    def plan_of(self, line: LineOfPlay) -> Plan:
        """Games from the end of a line."""
        return self.plan.from_position(self.end_of(line))

    def answer(self, lab: Lab) -> tuple[JudgedLine, ...]:
        """Judge all lines."""
        lab.expect(self.games * len(self.lines))
        return tuple(self._judged(line, lab) for line in self.lines)

    def _judged(self, line: LineOfPlay, lab: Lab) -> JudgedLine:
        steps, end = tuple(self._steps(line)), self.end_of(line)
        if (score := result_for(end, 0)) is not None:
            return JudgedLine(line, steps, score)
        arm = lab.play(f"{line.begin} {line.turns}", self.plan_of(line), self.games)
        seat = arm.plan.ruleset.seats[arm.plan.ruleset.teams.index(0)]
        score, cut_off = arm.estimate("score", seat=seat), cut_off_of(arm.results)
        return JudgedLine(line, steps, score, arm.hardly_vary, cut_off)

    def _start_of(self, line: LineOfPlay) -> Position:
        ruleset = self.plan.ruleset
        return Position.from_text(ruleset, line.begin) if line.begin else Position(ruleset)

    def table(self, judged: tuple[JudgedLine, ...]) -> Table:
        """The lines as they were judged, a row for each."""
        ruleset = self.plan.ruleset
        known = calibration_of(ruleset)
        return Table(
            f"{ruleset.game.title}: lines of play, judged",
            [
                "Line",
                f"{sides(ruleset)[0]} scores",
                "Verdict",
                "Turns that give much away",
            ],
            list(map(_row, judged)),
            [
                *([NO_VERDICT] if any(each.hardly_vary for each in judged) else []),
                f"{self.games} games from the end of each line: {self.plan.shown_players[0]} plays"
                f" both sides{conditions(self.plan)}. In parentheses: 95% intervals. Works: the"
                " attacker scores more than half; fails: less; even: between"
                f" {0.5 - EVEN:.0%} and {0.5 + EVEN:.0%}; open: none of these is shown.",
                f"A search of {self.simulations} simulations values positions from -1 to 1 for"
                f" the side to act, {'' if known.is_measured else 'un'}calibrated; a turn gives"
                f" much away if it loses {LOST:g} or more.",
            ],
            left=range(4),
        )

    def _steps(self, line: LineOfPlay) -> Iterator[LineTurn]:
        """The values along a line."""
        player = TreeSearchPlayer(
            self.plan.ruleset.game, self.plan.seed, simulations=self.simulations, threads=1
        )
        position = self._start_of(line)
        value = _value(player, position)
        for labels in line.labels():
            mover = position.to_move or 0
            before = value[mover]
            for label in labels:
                position.play(label)
            value = _value(player, position)
            yield LineTurn("".join(labels), position.teams[mover], before, value[mover])


def _value(player: TreeSearchPlayer, position: Position) -> tuple[float, ...]:
    """The value of a position for each player, -1 to 1."""
    if position.returns is not None:
        return position.returns
    batch = Batch(position.variant, 1, **position.options)
    batch.states = position.state
    players.choose(player, batch, np.zeros(1, np.int64))
    visits, values = player.visits[0], player.action_values[0]
    curve = calibration_of(position.ruleset).search
    best = calibrated(float(values[visits.argmax()]), curve)
    own = position.teams[position.to_move or 0]
    return tuple(best if team == own else -best for team in position.teams)


class LineTurn(NamedTuple):
    """A turn of a line.

    Attributes:
        turn: its labels.
        side: the side that played it.
        before: the value of the position before the turn, for that side, -1 to 1.
        after: that of the position after the turn.
    """

    turn: str
    side: int
    before: float
    after: float

    @property
    def is_bad(self) -> bool:
        """Whether the turn gave away :data:`LOST` or more."""
        return self.before - self.after >= LOST


def result_for(position: Position, side: int) -> Estimate | None:
    """The score of a side in a finished or truncated game; None in one in progress."""
    if position.returns is not None:
        return Estimate((1 + position.returns[position.teams.index(side)]) / 2)
    return Estimate(0.5) if position.is_truncated else None


class JudgedLine(NamedTuple):
    """A line with its verdict.

    Attributes:
        line: the line.
        steps: its turns.
        score: of side 0, in games from its end; without an interval if the line ends the game.
        hardly_vary: whether these games hardly differ.
        cut_off: the share of these games that were cut off.
    """

    line: LineOfPlay
    steps: tuple[LineTurn, ...]
    score: Estimate
    hardly_vary: bool = False
    cut_off: float = 0.0

    @property
    def verdict(self) -> str:
        """Whether side 0 stands better at the end."""
        if self.score.value in (0.0, 1.0) and self.score.low is None:
            return "works" if self.score.value else "fails"
        if self.score.low is None or self.score.high is None or self.hardly_vary:
            return "not settled"
        words = {"above": "works", "below": "fails", "within": "even", "unknown": "open"}
        return words[side_of(however_ended(self.score, self.cut_off, 0.5), 0.5, EVEN)]


def _row(judged: JudgedLine) -> list[str]:
    bad = ", ".join(
        f"{step.turn} ({step.before:+.2f} to {step.after:+.2f})"
        for step in judged.steps
        if step.is_bad
    )
    return [judged.line.title, estimate_text(judged.score, True), judged.verdict, bad or "–"]
