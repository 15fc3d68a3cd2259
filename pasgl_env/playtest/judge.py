"""Lines of play that inventors looked at, judged by search and by playing on.

Along a line a search says before every turn what it thinks of the position, and so what each turn
gave away. From the line's end games are played; whether the side that attacks, the first one,
scores more or less than half is the verdict.

Needs SciPy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pasgl_env import Batch, Position, players, variants
from pasgl_env.evaluation.crosstable import markdown_row
from pasgl_env.evaluation.match import sides
from pasgl_env.evaluation.tournament import Progress
from pasgl_env.games import parts
from pasgl_env.games.parts import LineOfPlay
from pasgl_env.playtest.balance import Pace
from pasgl_env.playtest.sheets import interval_text, value_text
from pasgl_env.playtest.trials import CHUNK, Played, Trial, journal, play_chunk
from pasgl_env.search.tree_search import TreeSearchPlayer
from pasgl_env.statistics.estimates import Estimate

START = "The start, for comparison"
LOST = 0.3
"""What a turn is marked for that gives away as much of a value from -1 to 1."""


@dataclass(frozen=True)
class Task:
    """What is judged, and how.

    Attributes:
        trial: how games are played on; where they begin is each line's own.
        analyses: the lines.
        games: from the end of each, a multiple of :data:`pasgl_env.playtest.trials.CHUNK`.
        simulations: of the search, for each turn.
    """

    trial: Trial
    analyses: tuple[LineOfPlay, ...]
    games: int
    simulations: int

    @classmethod
    def of(cls, trial: Trial, games: int, simulations: int) -> Task:
        """The task of judging all lines that a game knows of.

        Raises:
            NotImplementedError: if it knows of none.
            ValueError: if a line cannot be played, or the numbers are impossible.
        """
        if games < CHUNK or games % CHUNK:
            raise ValueError(f"games are played {CHUNK} at once: give a multiple, not {games}")
        if simulations < 1:
            raise ValueError(f"a search has 1 simulation or more, not {simulations}")
        lines = parts.analyses(variants.find(trial.variant)).ANALYSES
        task = cls(trial, (LineOfPlay(START, "", ""), *lines), games, simulations)
        for line in task.analyses:
            _ = task.trial_of(line).start
        return task

    def trial_of(self, line: LineOfPlay) -> Trial:
        """Games from the end of a line."""
        labels = tuple(label for turn in line.labels() for label in turn)
        return replace(self.trial, begin=line.begin, line=labels)


class Step(NamedTuple):
    """A turn of a line.

    Attributes:
        turn: its labels.
        side: whose it was.
        before: what the search thought of the position, for that side, -1 to 1.
        after: and of the position after the turn.
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
    """A line, judged.

    Attributes:
        line: which.
        steps: its turns.
        score: of the first side, in games from its end.
        games: how many there were.
    """

    line: LineOfPlay
    steps: tuple[Step, ...]
    score: Estimate
    games: int

    @property
    def verdict(self) -> str:
        """Whether the first side stands better at the end."""
        if self.score.low is None or self.score.high is None:
            return "not settled"
        return "works" if self.score.low > 0.5 else "fails" if self.score.high < 0.5 else "open"


def judge(
    task: Task,
    folder: Path,
    *,
    command: Sequence[str] = (),
    report: Callable[[Progress], None] = lambda progress: None,
) -> Verdicts:
    """Judge all lines, or go on with a task that was begun in a folder.

    Args:
        task: what is judged.
        folder: where games are kept.
        command: what was asked for, for people.
        report: called whenever games have ended.

    Raises:
        BadRun: if the folder holds something else, or damaged files.
        InUse: if another process is at work there.
        OSError: if something cannot be written; what was kept before is safe.
    """
    found = []
    with journal(folder, "judge", task.trial.to_dict(), command) as kept:
        pace = Pace(task.games * len(task.analyses), report)
        for line in task.analyses:
            trial, chunks = task.trial_of(line), kept.chunks(f"{line.begin} {line.turns}")
            while CHUNK * len(chunks) < task.games:
                kept.add(f"{line.begin} {line.turns}", play_chunk(trial, len(chunks)))
                pace.played(CHUNK)
            played = Played(chunks[: task.games // CHUNK])
            steps = tuple(_steps(task, line))
            found.append(Judged(line, steps, played.score(0), played.games))
    return Verdicts(task, tuple(found))


def _steps(task: Task, line: LineOfPlay) -> Iterator[Step]:
    """What a search says along a line."""
    trial = task.trial
    game = variants.find(trial.variant)
    player = TreeSearchPlayer(game, trial.seed, simulations=task.simulations, threads=1)
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
    """What a search thinks of a position, for each player, -1 to 1."""
    if position.returns is not None:
        return position.returns
    batch = Batch(position.variant, 1, **position.options)
    batch.states = position.state
    players.choose(player, batch, np.zeros(1, np.int64))
    visits, values = player.visits[0], player.action_values[0]
    best, own = float(values[visits.argmax()]), position.teams[position.to_move or 0]
    return tuple(best if team == own else -best for team in position.teams)


class Verdicts(NamedTuple):
    """What a task came to.

    Attributes:
        task: what was judged.
        judged: the lines, the start first.
    """

    task: Task
    judged: tuple[Judged, ...]

    @property
    def title(self) -> str:
        """What was asked."""
        return f"{variants.find(self.task.trial.variant).title}: lines of play, judged"

    @property
    def headings(self) -> list[str]:
        """Of the table's columns."""
        first = sides(self.task.trial.variant, self.task.trial.options)[0]
        return ["Line", f"{first} scores", "Verdict", "Turns that give much away"]

    def rows(self) -> Iterator[list[str]]:
        """The table, a row for each line."""
        for each in self.judged:
            between = interval_text(each.score, True)
            bad = ", ".join(
                f"{step.turn} ({step.before:+.2f} to {step.after:+.2f})"
                for step in each.steps
                if step.is_bad
            )
            score = value_text(each.score, True) + f" ({between})" * bool(between)
            yield [each.line.title, score, each.verdict, bad or "–"]

    def notes(self) -> Iterator[str]:
        """What a reader must know of the table, in sentences."""
        task = self.task
        yield (
            f"From the end of each line {task.trial.player} plays {task.games} games for both"
            f" sides, seed {task.trial.seed}. In parentheses: 95% intervals. Works: the"
            " attacker scores more than half; fails: less; open: these games do not tell."
        )
        yield (
            f"A search of {task.simulations} simulations values positions from -1 to 1 for who is"
            f" to act; a turn gives much away if it costs {LOST:g} or more of that."
        )

    def to_markdown(self) -> str:
        """The table, with its title above and notes below."""
        lines = [
            f"**{self.title}**",
            "",
            markdown_row(self.headings),
            markdown_row(["---"] * len(self.headings)),
            *map(markdown_row, self.rows()),
        ]
        return "\n".join([*lines, *(f"\n{each}" for each in self.notes())]) + "\n"
