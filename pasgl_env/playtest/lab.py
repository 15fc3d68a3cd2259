"""Questions put to the laboratory: runs that belong together, each in a folder of its own.

The runs of a question differ in one thing: the values of options, the player, or the position at
which games begin. All of them have the same seed, so games of the same number have the same
openings, dice and draws (common random numbers: Law, *Simulation Modeling and Analysis*, 5th
edition, 2015, chapter 11). An interrupted question continues to the same result.

Needs SciPy.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from pasgl_env import players
from pasgl_env.contract.counters import Counter
from pasgl_env.evaluation.match import hardly_vary
from pasgl_env.evaluation.progress import Pace, Progress, Report
from pasgl_env.playtest import generic
from pasgl_env.playtest.counting import cells_of, table_of
from pasgl_env.playtest.folder import GAMES, Totals, games_in
from pasgl_env.playtest.pick import ALL, Pick
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.positions import tallies_of
from pasgl_env.playtest.results import Figure, Results, estimate_of
from pasgl_env.playtest.retrain import SEEDS, Retraining, learn
from pasgl_env.playtest.run import run
from pasgl_env.playtest.stopping import StoppingRule
from pasgl_env.statistics.clustered import sums_of
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.storage import runs
from pasgl_env.training.td.run import TdStatus

MEASURES = ("first_mover_score", "draws", "truncations", "decisive_games")
"""Shares of games that questions are about."""
TURNS = "turns"
NO_VERDICT = (
    "These games hardly vary, so there is no verdict: let them begin with openings of some turns,"
    " or choose a player that draws its actions, such as td:temperature=0.1."
)
"""Shown for :attr:`PlayedRun.hardly_vary`."""

VALUES = "values"
"""The folder of the values that players learn for each rule."""

Answer = TypeVar("Answer")
Stop = Callable[[Totals], bool]


@dataclass(frozen=True)
class PlayedRun:
    """The games of a plan that were played.

    Attributes:
        plan: of the games.
        totals: of them.
        folder: that keeps them.
        until: the rule that may have stopped them.
    """

    plan: Plan
    totals: Totals
    folder: Path
    until: StoppingRule | None = None

    @property
    def games(self) -> int:
        """Number of games."""
        return self.totals.counts.games

    @property
    def hardly_vary(self) -> bool:
        """Whether so few games differ that intervals are too narrow."""
        return hardly_vary(self.totals.counts.distinct, self.games)

    def estimate(self, measure: str, **cell: str) -> Estimate:
        """A measure with its interval."""
        return self.results.figure(measure, **cell).estimate

    def counted(self, measure: str) -> np.ndarray:
        """``float64[games]``: a measure in each game."""
        return self.tallies[:, table_of(self.plan.ruleset.game).firsts[measure]]

    def scores_of(self, side: int) -> np.ndarray:
        """``float64[games]``: the score of a side in each game."""
        return self.tallies[:, generic.SCORE + self.plan.ruleset.teams.index(side)]

    @cached_property
    def tallies(self) -> np.ndarray:
        """``float64[games, cells]``: the counts of each game."""
        return tallies_of(self.plan, self.folder / GAMES)

    def figure_of(self, pick: Pick) -> Figure | None:
        """A single number; None if there is none, or it needs games that were not kept.

        Where cells are added up, so are those that they are divided by, if there are several.

        Raises:
            ValueError: for a measure that can be neither added up nor counted by games.
        """
        if not pick.needs_games:
            figures = self.results.figures()
            return next((each for each in figures if pick.fits(each.measure, each.cell)), None)
        counter = self._counter(pick)
        if counter is None:
            raise ValueError(
                f"{pick} cannot be counted game by game: name one of the measure's numbers"
            )
        if self.totals.record_bytes == 0:
            return None
        counted, divisor = unit_counts(self.plan, self._counts(pick, counter)).T
        counter = picked(counter, pick)
        estimate = estimate_of(counter, sums_of(counted, divisor), sums_of(divisor, divisor))
        axes = [axis.name for axis in counter.axes] or ["range"]
        labels = dict(zip(axes, pick.labels, strict=True))
        return Figure(counter.name, labels, estimate, float(counted.sum()))

    def trained_numbers(self, pick: Pick) -> list[float]:
        """A number by each training, as :meth:`by_training`; none if games do not count it."""
        counter = self._counter(pick)
        return [] if counter is None else self.by_training(self._counts(pick, counter))

    def by_training(self, counts: np.ndarray) -> list[float]:
        """The ratio of counts ``[games, 2]`` in the games of each training of the players.

        None for players that did not learn the rules for this, or if those of one training never
        did what is divided by.
        """
        trainings = len(self.plan.learned)
        numbers = np.arange(len(counts)) // self.plan.shard % max(1, trainings)
        sums = np.array([counts[numbers == each].sum(axis=0) for each in range(trainings)])
        sums = sums.reshape(trainings, 2)
        return (sums[:, 0] / sums[:, 1]).tolist() if sums[:, 1].all() else []

    def _counter(self, pick: Pick) -> Counter | None:
        """The counter of a number; None if it is not counted game by game."""
        counters = table_of(self.plan.ruleset.game).counters
        found = next((each for each in counters if each.name == pick.measure), None)
        if found is None or found.is_log or (pick.ends and found.per != "games"):
            return None
        return found

    def _counts(self, pick: Pick, counter: Counter) -> np.ndarray:
        """``float64[games, 2]``: a number and what it is divided by in each game."""
        table = table_of(self.plan.ruleset.game)
        cells = cells_of(counter, self.plan.ruleset.seats)
        own = [
            at
            for at, cell in enumerate(cells, table.firsts[counter.name])
            if cell is not None
            and (
                pick.ends
                or all(
                    label in (ALL, mine)
                    for label, mine in zip(pick.labels, cell.values(), strict=True)
                )
            )
        ]
        divisors = sorted(set(table.divisors[own].tolist()))
        counts, games = (self.tallies[:, each].sum(axis=1) for each in (own, divisors))
        if pick.ends:
            low, high = pick.ends
            counts = (low <= counts) & (counts <= high)
        return np.column_stack([counts, games])

    @cached_property
    def results(self) -> Results:
        """The measures of the games, without values of pieces."""
        return Results.of(self.plan, self.totals, until=self.until)


def picked(counter: Counter, pick: Pick) -> Counter:
    """A counter as a pick uses it: games in a range are a share."""
    return counter._replace(is_share=True, phrase="share of games") if pick.ends else counter


def unit_counts(plan: Plan, counts: np.ndarray) -> np.ndarray:
    """The counts of games ``[n, k]`` by independent unit: ``float64[u, k]``."""
    units = np.array([plan.cluster(game) for game in range(len(counts))])
    names, rows = np.unique(units, return_inverse=True)
    sums = np.zeros((names.size, counts.shape[1]))
    np.add.at(sums, rows, counts)
    return sums


def regression_rows(
    arms: Iterable[tuple[float, PlayedRun]], measure: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The games of several arms as rows of a regression.

    Args:
        arms: the regressor and the games of each.
        measure: the response.

    Returns:
        The regressors ``float64[n, 2]``, the first of them 1; the responses ``float64[n]``; the
        clusters ``int64[n]``: games of the same number have the same seeds in all arms.
    """
    regressors, played = zip(*arms, strict=True)
    games = [each.games for each in played]
    columns = np.column_stack([np.ones(sum(games)), np.repeat(regressors, games)])
    counted = np.concatenate([each.counted(measure) for each in played])
    return columns, counted, np.concatenate([np.arange(each) for each in games])


class Lab:
    """Plays the runs of a question, and reports their progress.

    Args:
        folder: of the runs.
        report: called whenever games have ended.
        tell: called with a line of text whenever a run has ended.
        how: other arguments of :func:`pasgl_env.playtest.run.run`, for all runs.
    """

    def __init__(
        self, folder: Path, report: Report, tell: Callable[[str], None], how: Mapping[str, Any]
    ) -> None:
        self._folder, self._report, self._how = folder, report, how
        self.tell = tell
        self._arms: dict[str, PlayedRun] = {}

    def expect(self, games: int) -> None:
        """Start to report the progress of at most this many games."""
        self.pace = Pace(games, self._report)

    def learn(self, plans: Mapping[str, Plan], retraining: Retraining | None) -> dict[str, Plan]:
        """The plans, by name, with players that learned the rules of each; as they are with None.

        Raises:
            RunExists, InUse, BadWeights, OSError: as :func:`pasgl_env.playtest.retrain.learn`.
        """
        if retraining is None:
            return dict(plans)
        learned = {}
        for number, (name, plan) in enumerate(plans.items()):
            doing = f"learning {name}, rule {number + 1} of {len(plans)}"

            def report(run: int, status: TdStatus, doing: str = doing) -> None:
                text = f"{doing}, run {run + 1} of {len(SEEDS)}"
                parts = round(100 * status.progress)
                self._report(Progress(parts, 100, status.seconds_left, text))

            threads = self._how.get("threads", 1)
            folder = self._folder / VALUES
            learned[name] = learn(plan, retraining, folder, file_word, threads, report)
            self.tell(f"{name}: the players learned from {learned[name].learned_text}.")
        return learned

    def play(
        self,
        name: str,
        plan: Plan,
        games: int,
        *,
        keeps_games: bool | None = True,
        until: StoppingRule | None = None,
        stop: Stop = lambda totals: False,
    ) -> PlayedRun:
        """Play the games of a run that its folder does not hold yet; it may hold more.

        Args:
            name: of the run, any text.
            plan: of its games.
            games: number of games, of whole groups; with ``until`` or ``stop`` the maximum.
            keeps_games: as for :func:`pasgl_env.playtest.run.run`.
            until: likewise.
            stop: likewise.

        Raises:
            BadRun: if the folder holds another run, or damaged files.
            OSError: if something cannot be written; games that were kept before are safe.
            ValueError: if games end before their openings do.
        """
        known = self._arms.get(name)
        if known is not None and known.games >= games:
            return known
        folder = self._folder / file_word(name)
        if known is not None:
            self.pace.forget(known.games)
        totals = run(
            plan,
            max(games, games_in(folder, plan)),
            folder,
            keeps_games=keeps_games,
            until=until,
            stop=stop,
            pace=self.pace,
            **self._how,
        )
        self._arms[name] = PlayedRun(plan, totals, folder, until)
        return self._arms[name]


def file_word(name: str) -> str:
    """A text as the name of a file: with a digest if it is long or contains unusual characters.

    >>> file_word("laps=1"), file_word("search:25")
    ('laps=1', 'search_25-0f7c2717')
    """
    plain = re.sub(r"[^\w.=,-]+", "_", name)
    if plain == name.lower() and len(plain) <= 100:
        return plain
    return f"{plain[:60]}-{blake2b(name.encode(), digest_size=4).hexdigest()}"


@dataclass(frozen=True)
class Question(ABC, Generic[Answer]):
    """A question that runs of games answer.

    Attributes:
        plan: of the games; the runs differ from it in one thing.
        games: number of games of each run, at most.
    """

    kind: ClassVar[str]
    runs_folder: ClassVar[str] = "runs"
    """The folder of the runs, within that of the question."""

    plan: Plan
    games: int

    @property
    def varied(self) -> tuple[str, ...]:
        """The options in which the runs differ."""
        return ()

    def about(self) -> dict[str, Any]:
        """The settings that all runs in a folder share, ready for JSON."""
        about = self.plan.to_dict()
        shared = {key: value for key, value in about["options"].items() if key not in self.varied}
        return {**about, "options": shared}

    @abstractmethod
    def answer(self, lab: Lab) -> Answer:
        """Play the games, and evaluate them."""

    def run(
        self,
        folder: Path,
        *,
        command: Sequence[str] = (),
        report: Report = lambda progress: None,
        tell: Callable[[str], None] = lambda text: None,
        **how: Any,
    ) -> Answer:
        """Answer the question, or continue an interrupted run of it.

        Args:
            folder: for the games.
            command: the command line, for the manifests.
            report: called whenever games have ended.
            tell: called with a line of text whenever a run has ended.
            how: other arguments of :func:`pasgl_env.playtest.run.run`: ``threads``,
                ``play_shards``.

        Raises:
            BadRun: if the folder holds something else, or damaged files.
            InUse: if another process uses the folder.
            OSError: if something cannot be written; games that were kept before are safe.
        """
        form, about = f"pasgl_env {self.kind} 3", self.about()
        with runs.opened(folder, self.kind):
            runs.check_manifest(folder, self.kind, form, about)
            runs.write_manifest(folder, form, about, command)
            how["command"] = command
            return self.answer(Lab(folder / self.runs_folder, report, tell, how))


def check_same_players(plans: Mapping[str, Plan], retraining: Retraining | None = None) -> None:
    """Refuse to compare rules by a player that knows some of them only.

    Args:
        plans: those to be compared, by name.
        retraining: how long players learn each of the rules; None if they do not.

    Raises:
        ValueError: if a player learned the rules of some, and of others not; or cannot learn.
    """
    if retraining is not None:
        for plan in plans.values():
            retraining.check(plan)
    if len({plan.sides for plan in plans.values()}) > 1:
        raise ValueError("rules are compared for the same number of sides")
    for name in dict.fromkeys(each for plan in plans.values() for each in plan.untrained):
        others = [each for each, plan in plans.items() if name not in plan.untrained]
        is_retrained = retraining and players.takes_values(name)
        if others and not is_retrained:
            first = next(each for each, plan in plans.items() if name in plan.untrained)
            raise ValueError(
                f"{name} has learned to play with {others[0]}, but not with {first}: the games"
                " would differ in the player, not only in the rule. Let it learn each rule, or"
                " choose a player that plays all alike, such as greedy or mcts:100"
            )


def conditions(plan: Plan) -> str:
    """The openings and the seed, for the end of a note."""
    opening = "" if plan.openings.is_usual else f", after an opening: {plan.openings}"
    return f"{opening}, seed {plan.seed}"
