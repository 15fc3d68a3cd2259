"""Lines of play that inventors looked at, judged by search and by playing on.

A search values the position before and after each turn of a line, which shows what each turn gave
away. Games are played from the end of the line; the verdict is whether the side that attacks, the
first one, scores more or less than half.

Needs SciPy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from pasgl_env import Batch, Position, players, variants
from pasgl_env.evaluation.markdown import Table
from pasgl_env.evaluation.match import sides
from pasgl_env.games import parts
from pasgl_env.games.parts import LineOfPlay
from pasgl_env.playtest.experiment import Experiment, Journal, check_chunks
from pasgl_env.playtest.trials import NO_VERDICT, Trial
from pasgl_env.search.tree_search import TreeSearchPlayer
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.statistics.texts import estimate_text

START = "The start, for comparison"
LOST = 0.3
"""A turn is marked if it gives away at least so much of a value from -1 to 1."""
EVEN = 0.05
"""A line is even if its score is nearer to one half than this."""


def lines_of(variant: str) -> tuple[LineOfPlay, ...]:
    """The start, and the lines that come with a game.

    Raises:
        NotImplementedError: if none do.
    """
    return LineOfPlay(START, "", ""), *parts.analyses(variants.find(variant)).ANALYSES


@dataclass(frozen=True)
class Task(Experiment[tuple["Judged", ...]]):
    """Lines to be judged.

    Attributes:
        lines: each says where its games begin; ``trial`` says how they are played.
        simulations: of the search, for each turn.

    Raises:
        ValueError: if a line cannot be played, or the numbers are impossible.
    """

    kind = "judge"

    lines: tuple[LineOfPlay, ...]
    simulations: int

    def __post_init__(self) -> None:
        check_chunks(self.games)
        if self.simulations < 1:
            raise ValueError(f"a search has 1 simulation or more, not {self.simulations}")
        for line in self.lines:
            self.trial_of(line)

    def trial_of(self, line: LineOfPlay) -> Trial:
        """Games from the end of a line."""
        labels = tuple(label for turn in line.labels() for label in turn)
        return replace(self.trial, begin=line.begin, line=labels)

    def play(self, journal: Journal) -> tuple[Judged, ...]:
        """Judge all lines."""
        journal.expect(self.games * len(self.lines))
        judged = []
        for line in self.lines:
            played = journal.play(f"{line.begin} {line.turns}", self.trial_of(line), self.games)
            steps = tuple(self._steps(line))
            judged.append(Judged(line, steps, played.score(0), played.hardly_vary))
        return tuple(judged)

    def table(self, judged: Sequence[Judged]) -> Table:
        """The lines as they were judged, a row for each."""
        trial = self.trial
        return Table(
            f"{variants.find(trial.variant).title}: lines of play, judged",
            [
                "Line",
                f"{sides(variants.ruleset(trial.variant, **trial.options))[0]} scores",
                "Verdict",
                "Turns that give much away",
            ],
            list(map(_row, judged)),
            [
                *([NO_VERDICT] if any(each.hardly_vary for each in judged) else []),
                f"From the end of each line {trial.player} plays {self.games} games for both"
                f" sides, seed {trial.seed}. In parentheses: 95% intervals. Works: the"
                " attacker scores more than half; fails: less; even: between"
                f" {0.5 - EVEN:.0%} and {0.5 + EVEN:.0%}; open: none of these is shown.",
                f"A search of {self.simulations} simulations values positions from -1 to 1 for"
                f" the side to act; a turn gives much away if it loses {LOST:g} or more.",
            ],
            rule="---",
        )

    def _steps(self, line: LineOfPlay) -> Iterator[Step]:
        """The values along a line."""
        trial = self.trial
        game = variants.find(trial.variant)
        player = TreeSearchPlayer(game, trial.seed, simulations=self.simulations, threads=1)
        position = replace(trial, begin=line.begin, line=()).start
        value = _value(player, position)
        for labels in line.labels():
            mover = position.to_move or 0
            before = value[mover]
            for label in labels:
                position.play(label)
            value = _value(player, position)
            yield Step("".join(labels), position.teams[mover], before, value[mover])


def _value(player: TreeSearchPlayer, position: Position) -> tuple[float, ...]:
    """The value of a position for each player, -1 to 1."""
    if position.returns is not None:
        return position.returns
    batch = Batch(position.variant, 1, **position.options)
    batch.states = position.state
    players.choose(player, batch, np.zeros(1, np.int64))
    visits, values = player.visits[0], player.action_values[0]
    best, own = float(values[visits.argmax()]), position.teams[position.to_move or 0]
    return tuple(best if team == own else -best for team in position.teams)


class Step(NamedTuple):
    """A turn of a line.

    Attributes:
        turn: its labels.
        side: whose it was.
        before: the value of the position before the turn, for that side, -1 to 1.
        after: that of the position after the turn.
    """

    turn: str
    side: int
    before: float
    after: float

    @property
    def is_bad(self) -> bool:
        """Whether it gave much away."""
        return self.before - self.after >= LOST


class Judged(NamedTuple):
    """A line and what was found of it.

    Attributes:
        line: which.
        steps: its turns.
        score: of the first side, in games from its end.
        hardly_vary: whether these games hardly differ.
    """

    line: LineOfPlay
    steps: tuple[Step, ...]
    score: Estimate
    hardly_vary: bool = False

    @property
    def verdict(self) -> str:
        """Whether the first side stands better at the end."""
        if self.score.low is None or self.score.high is None or self.hardly_vary:
            return "not settled"
        if self.score.low > 0.5 or self.score.high < 0.5:
            return "works" if self.score.low > 0.5 else "fails"
        is_even = self.score.low > 0.5 - EVEN and self.score.high < 0.5 + EVEN
        return "even" if is_even else "open"


def _row(judged: Judged) -> list[str]:
    bad = ", ".join(
        f"{step.turn} ({step.before:+.2f} to {step.after:+.2f})"
        for step in judged.steps
        if step.is_bad
    )
    return [judged.line.title, estimate_text(judged.score, True), judged.verdict, bad or "–"]
