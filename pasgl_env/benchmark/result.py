"""The result of an evaluation: scores, ratings and aggregates, which follow from the outcomes.

Needs SciPy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pasgl_env.benchmark.entry import Entry
from pasgl_env.benchmark.protocol import BenchmarkTask, Protocol, ReferencePlayer, json_digest
from pasgl_env.contract.game import brief
from pasgl_env.duration import short_time
from pasgl_env.evaluation.journal import OUTCOMES, pair_points
from pasgl_env.evaluation.table import Table
from pasgl_env.statistics.bootstrap import aggregate, interquartile_mean, mean_score
from pasgl_env.statistics.clustered import mean_of_pairs, score_of_pairs
from pasgl_env.statistics.estimates import Estimate, mean, proportion
from pasgl_env.statistics.ratings import GAMES_IN_PAIR, Rating, rate_against
from pasgl_env.statistics.texts import elo_interval_text, elo_text, interval_text, value_text

FORMAT = "pasgl_env benchmark 1"
DRAFT = "This version is a draft: its figures cannot be compared with those of a final one."


@dataclass(frozen=True)
class AgentRun:
    """The games of one agent, in all tasks.

    Attributes:
        agent: its identity in each task, as of :func:`pasgl_env.evaluation.tournament.identity`.
        outcomes: by task and reference, one character per game, see
            :class:`pasgl_env.evaluation.journal.Part`.
        choices: by task, the action in each solved position.
    """

    agent: Mapping[str, str]
    outcomes: Mapping[str, Mapping[str, str]]
    choices: Mapping[str, Sequence[int]]


@dataclass(frozen=True)
class Result:
    """The result of an evaluation.

    Attributes:
        protocol: the protocol.
        entry: what was evaluated.
        runs: an agent each, of the same method trained from different seeds.
        games: digest of the file of the games.
        machine: times, versions and hardware, which do not count for :attr:`hash`.
    """

    protocol: Protocol
    entry: Entry
    runs: tuple[AgentRun, ...]
    games: str
    machine: Mapping[str, Any]

    @property
    def tasks(self) -> list[BenchmarkTask]:
        """The tasks that were played."""
        return self.protocol.select(self.runs[0].outcomes)

    def score(self, task: BenchmarkTask, reference: ReferencePlayer) -> Estimate:
        """The score against a reference; the pair of games is the unit, in all runs at once."""
        return score_of_pairs(np.mean(self._game_scores(task, reference), axis=0))

    def task_score(self, task: BenchmarkTask) -> Estimate:
        """The mean score in a task over all references; the opening is the unit."""
        scores = np.mean([self._game_scores(task, each) for each in task.references], axis=(0, 1))
        found = mean_of_pairs(scores)
        if found.low == found.high:  # all openings alike, as when every game is won
            return score_of_pairs(scores)
        return found.map(lambda end: min(max(end, 0.0), 1.0))

    def rating(self, task: BenchmarkTask) -> Rating:
        """The rating on the frozen scale of a task."""
        rated = [each for each in task.references if each.elo is not None]
        points = [
            np.concatenate([pair_points(run.outcomes[task.name][each.name]) for run in self.runs])
            for each in rated
        ]
        return rate_against([each.elo for each in rated if each.elo is not None], points)

    def regret(self, task: BenchmarkTask) -> Estimate:
        """The expected result that a decision in the solved positions of a task loses, 0 to 2."""
        return mean(np.mean([task.losses(run.choices[task.name]) for run in self.runs], axis=0))

    def optimal(self, task: BenchmarkTask) -> Estimate:
        """The share of decisions in the solved positions of a task that lose nothing."""
        losses = np.array([task.losses(run.choices[task.name]) for run in self.runs])
        return proportion(float((losses == 0).mean() * losses.shape[1]), losses.shape[1])

    @cached_property
    def iqm(self) -> Estimate:
        """The interquartile mean of the scores of all runs in all tasks."""
        return aggregate([self._by_opening(task) for task in self.tasks], interquartile_mean)

    @cached_property
    def mean(self) -> Estimate:
        """The mean of the scores of all runs in all tasks."""
        return aggregate([self._by_opening(task) for task in self.tasks], mean_score)

    def _game_scores(self, task: BenchmarkTask, reference: ReferencePlayer) -> np.ndarray:
        """``float64[runs, pairs, 2]``: 1 for a win, 1/2 for half a point, 0 for a loss."""
        outcomes = [run.outcomes[task.name][reference.name] for run in self.runs]
        flat = [[OUTCOMES[each] for each in own] for own in outcomes]
        return np.array(flat).reshape(len(flat), -1, GAMES_IN_PAIR)

    def _by_opening(self, task: BenchmarkTask) -> list[np.ndarray]:
        """For each run ``float64[openings]``: the mean score over references."""
        scores = [self._game_scores(task, each) for each in task.references]
        return list(np.mean(scores, axis=(0, 3)))

    @cached_property
    def figures(self) -> dict[str, Any]:
        """All figures, as JSON values."""
        return {
            "iqm": asdict(self.iqm),
            "mean": asdict(self.mean),
            "tasks": {
                task.name: {
                    "score": asdict(self.task_score(task)),
                    "rating": self.rating(task).to_dict(),
                    **({"regret": asdict(self.regret(task))} if task.solved else {}),
                    "references": {
                        each.name: asdict(self.score(task, each)) for each in task.references
                    },
                }
                for task in self.tasks
            },
        }

    @cached_property
    def hash(self) -> str:
        """A digest of everything but :attr:`machine` and the figures, which follow from it."""
        return json_digest(self._content())

    def _content(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "protocol": {"name": self.protocol.name, "digest": self.protocol.digest},
            "entry": asdict(self.entry),
            "runs": [asdict(run) for run in self.runs],
            "games": self.games,
        }

    def to_json(self) -> dict[str, Any]:
        """The result as JSON values."""
        more = {"figures": self.figures, "hash": self.hash, "machine": self.machine}
        return {**self._content(), **more}

    @classmethod
    def of_json(cls, value: Any, protocol: Protocol | None = None) -> Result:
        """Parse the output of :meth:`to_json`.

        Args:
            value: the output.
            protocol: its protocol; None for the one of its name that comes with the package.

        Raises:
            ValueError: if it is not a whole result, or its protocol, scores or hash are not those
                that follow from its outcomes.
        """
        try:
            if value["format"] != FORMAT:
                raise ValueError(f"format {brief(value['format'])} is not {FORMAT!r}")
            protocol = protocol or Protocol.load(value["protocol"]["name"])
            runs = tuple(
                AgentRun(each["agent"], each["outcomes"], each["choices"]) for each in value["runs"]
            )
            entry = Entry(**{**value["entry"], "uses": tuple(value["entry"]["uses"])})
            found = cls(protocol, entry, runs, str(value["games"]), dict(value["machine"]))
            found._check_whole()
            _ = found.machine["versions"]["pasgl_env"]
            own = found.to_json()
            if unknown := value.keys() - own.keys():
                raise ValueError(f"the result has an unknown part: {brief(min(unknown))}")
            for name in ("protocol", "entry", "runs", "hash"):
                if json_digest(value[name]) != json_digest(own[name]):
                    raise ValueError(f"the {name} of the result is not that of its content")
            if not np.allclose(list(_scores(value["figures"])), list(_scores(own["figures"]))):
                raise ValueError("the scores of the result are not those of its outcomes")
        except (KeyError, TypeError, AttributeError, IndexError) as error:
            raise ValueError(f"not the result of a benchmark: {error!r}") from error
        return found

    def _check_whole(self) -> None:
        """Raise ``ValueError`` unless every run has all games of the same tasks."""
        if not self.runs:
            raise ValueError("the result has no runs")
        for run in self.runs:
            tasks = self.protocol.select(run.outcomes)
            if [task.name for task in tasks] != [task.name for task in self.tasks]:
                raise ValueError("the runs of the result have different tasks")
            for task in tasks:
                own = run.outcomes[task.name]
                if set(own) != {each.name for each in task.references} or any(
                    len(each) != self.protocol.games or set(each) - OUTCOMES.keys()
                    for each in own.values()
                ):
                    raise ValueError(f"not all games of {task.name} are in the result")
                task.losses(run.choices[task.name])

    @property
    def table(self) -> Table:
        """A row for each task, and the aggregates."""
        rows = [self._row(task) for task in self.tasks]
        rows += [
            [name, value_text(each, True), interval_text(each, True), "", "", ""]
            for name, each in (("IQM", self.iqm), ("mean", self.mean))
        ]
        runs = f", {len(self.runs)} runs" if len(self.runs) > 1 else ""
        return Table(
            f"{self.entry.name}, benchmark {self.protocol.name}{runs}",
            ["task", "score", "95% interval", "Elo", "95% interval", "time/action"],
            rows,
            [
                "Score: mean over all references. Where ratings and scores disagree, the scores"
                " lead.",
                f"Hash {self.hash[:16]}.",
                *([] if self.protocol.is_final else [DRAFT]),
            ],
            left=[0],
        )

    def _row(self, task: BenchmarkTask) -> list[str]:
        score, rating = self.task_score(task), self.rating(task)
        seconds = self.machine.get("seconds_per_action", {}).get(task.name)
        return [
            task.name,
            value_text(score, True),
            interval_text(score, True),
            elo_text(rating),
            elo_interval_text(rating),
            "" if seconds is None else short_time(seconds),
        ]

    @property
    def decisions(self) -> Table:
        """A row for each task with solved positions."""
        return Table(
            "Decisions in solved positions",
            ["task", "positions", "regret", "95% interval", "optimal", "95% interval"],
            [
                [
                    task.name,
                    str(len(task.solved)),
                    value_text(regret, False),
                    interval_text(regret, False),
                    value_text(optimal, True),
                    interval_text(optimal, True),
                ]
                for task in self.tasks
                if task.solved
                for regret, optimal in ((self.regret(task), self.optimal(task)),)
            ],
            ["Regret: the expected result that a decision loses, 0 to 2. It counts for no score."],
            left=[0],
        )

    @property
    def details(self) -> Table:
        """A row for each reference of each task."""
        return Table(
            "Scores against each reference",
            ["task", "reference", "Elo", "score", "95% interval"],
            [
                [
                    task.name,
                    each.name,
                    "" if each.elo is None else f"{each.elo:.0f}",
                    value_text(score, True),
                    interval_text(score, True),
                ]
                for task in self.tasks
                for each in task.references
                for score in (self.score(task, each),)
            ],
            [f"{self.protocol.games} games against each, in pairs from the same opening."],
            left=[0, 1],
        )


def _scores(figures: Mapping[str, Any]) -> Iterator[float]:
    """All scores in figures. Their intervals may differ in another version of the package."""
    yield from (figures["iqm"]["value"], figures["mean"]["value"])
    for task in figures["tasks"].values():
        own = (
            task["score"],
            *([task["regret"]] if "regret" in task else []),
            *task["references"].values(),
        )
        yield from (each["value"] for each in own)
