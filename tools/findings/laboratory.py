"""Plays runs as long as there is time, in folders where it can go on.

Every run gets a pair of games, and then as many as a verdict needs, if they fit in the time. After
that those whose next games are expected to take the least time get them, so that in the end most
have taken about as long. How long they took is kept: a command that was killed goes on with the
time that was left.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from pasgl_env.evaluation.tournament import Progress
from pasgl_env.playtest.folder import GAMES, LOCK, MANIFEST, Totals
from pasgl_env.playtest.play import Plan, Shard, play_shard
from pasgl_env.playtest.results import Results
from pasgl_env.playtest.run import run as play_run
from pasgl_env.storage.files import held, write_whole
from tools.findings.question import Played, Run
from tools.findings.verdict import LEAST_GAMES

SECONDS_FILE = "seconds.json"
MOST_SHARDS, MOST_RANDOM_SHARDS = 64, 2
"""So many shards are played at most; those of random games are larger."""


FIRST_STEPS = 2, 10
"""Games after the first step and the second; with each other one there are twice as many."""


class BadSeconds(ValueError):
    """A damaged file of the time that runs took."""


class Pace(NamedTuple):
    """How long a run takes.

    Attributes:
        each: seconds that a game took in the last step; 0 before the first.
        total: seconds that all took.
    """

    each: float = 0.0
    total: float = 0.0


Report = Callable[[float, str], None]


class Laboratory:
    """Runs in a folder.

    Args:
        folder: made if need be.
        seed: of all games.
        threads: that share the work; games do not depend on them.
        command: what the runs were asked for with, for their manifests.
        report: told the seconds that have passed, and what is played.
    """

    def __init__(
        self,
        folder: Path,
        seed: int = 0,
        threads: int = 1,
        command: Sequence[str] = (),
        report: Report = lambda passed, doing: None,
    ) -> None:
        self._folder, self._seed, self._threads = folder, seed, threads
        self._command, self._report = command, report
        self._paces: dict[str, Pace] = {}
        self._plans: dict[Run, Plan] = {}
        self._totals: dict[Run, Totals] = {}

    def play(self, runs: Iterable[Run], seconds: float) -> dict[Run, Played]:
        """Play runs, and read what they have come to.

        Args:
            runs: each is played once, and what is beside it.
            seconds: how long in all, what was played before included, compiling not. A pair of
                games of each run is played in any case, and steps that were begun are finished.

        Raises:
            BadRun, BadSeconds: if the folder holds something else, or is damaged.
            InUse: if another process is at work there.
            OSError: if something cannot be written.
            ValueError: for an unknown player, or an option that is not possible.
        """
        wanted = list(dict.fromkeys(runs))
        alone = list(dict.fromkeys(chain.from_iterable(map(_parts, wanted))))
        self._folder.mkdir(parents=True, exist_ok=True)
        with held(self._folder / LOCK):
            self._paces = _read_paces(self._folder / SECONDS_FILE)
            for run in alone:
                self._plans[run] = run.plan(self._seed)
                self._step(run, self._games_begun(run) or FIRST_STEPS[0])
            while (following := self._next(alone, seconds)) is not None:
                self._step(following, self._next_games(following))
            return {run: self._played(run) for run in wanted}

    @property
    def passed(self) -> float:
        """Seconds that all runs of the folder took."""
        return sum(pace.total for pace in self._paces.values())

    def _next(self, runs: Sequence[Run], seconds: float) -> Run | None:
        """What is played next, of those whose next games fit in the time; None: nothing does."""
        fitting = (
            run
            for run in runs
            if self._next_games(run) > self._games(run) and self.passed + self._cost(run) <= seconds
        )
        return min(
            fitting,
            key=lambda run: (self._games(run) >= LEAST_GAMES, self._cost(run)),
            default=None,
        )

    def _games(self, run: Run) -> int:
        return self._totals[run].counts.games

    def _next_games(self, run: Run) -> int:
        """How many games a run is to have next: twice as many."""
        plan = self._plans[run]
        most = MOST_RANDOM_SHARDS if plan.is_random else MOST_SHARDS
        return min(max(2 * self._games(run), FIRST_STEPS[1]), most * plan.shard)

    def _cost(self, run: Run) -> float:
        """Seconds that the next games of a run are expected to take.

        An incomplete shard is played again.
        """
        shard, games = self._plans[run].shard, self._games(run)
        return self._paces[run.name].each * (self._next_games(run) - games // shard * shard)

    def _step(self, run: Run, games: int) -> None:
        """Play a run up to so many games."""
        if games > self._games_begun(run):
            _compile(run.variant, run.player)
        begun, before = perf_counter(), self.passed
        done: list[int] = []

        def tell(progress: Progress) -> None:
            done.append(progress.done)
            about = f"{run.variant}, {run.player}, {progress.done} of {games} games"
            self._report(before + perf_counter() - begun, about)

        self._totals[run] = play_run(
            self._plans[run],
            games,
            self._folder / run.name,
            keeps_games=True,
            threads=self._threads,
            command=self._command,
            report=tell,
        )
        if played := games - done[0]:
            taken = perf_counter() - begun
            total = self._paces.get(run.name, Pace()).total + taken
            self._paces[run.name] = Pace(taken / played, total)
            content = json.dumps(self._paces, indent=1)
            write_whole(self._folder / SECONDS_FILE, content.encode())
        self._paces.setdefault(run.name, Pace())

    def _games_begun(self, run: Run) -> int:
        """How many games a run was to have when it was played last; 0 if it never was."""
        manifest = self._folder / run.name / MANIFEST
        if not manifest.exists():
            return 0
        try:
            return int(json.loads(manifest.read_bytes())["games"])
        except (ValueError, KeyError, TypeError):
            return 0  # the run itself says what is wrong

    def _played(self, run: Run) -> Played:
        alone = run._replace(beside=None)
        results = Results.of(self._plans[alone], self._totals[alone])
        beside = self._played(run.beside) if run.beside else None
        return Played(run, results, self._folder / run.name / GAMES, beside)


@cache
def _compile(variant: str, player: str) -> None:
    """Play two turns, lest compiling counts as time that games take."""
    plan = Plan.of(variant, (player, player), turn_limit=2)
    play_shard(Shard(plan, 0, 2, False, 1))


def _parts(run: Run) -> list[Run]:
    """A run and the one beside it, each for itself."""
    return [run._replace(beside=None), *(_parts(run.beside) if run.beside else ())]


def _read_paces(file: Path) -> dict[str, Pace]:
    if not file.exists():
        return {}
    try:
        known = json.loads(file.read_bytes())
        return {name: Pace(float(each), float(total)) for name, (each, total) in known.items()}
    except (ValueError, TypeError, AttributeError) as error:
        raise BadSeconds(f"{file} is damaged: delete it, and time is counted anew") from error
