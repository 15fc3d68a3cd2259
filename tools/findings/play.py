"""Plays the runs of questions in folders, as long as there is time, and goes on from there.

Each run gets a pair of games, then as many as a verdict needs, then more: always that run whose
next games are expected to take the least time, so that in the end most have taken about as long.
The time that they took is kept: a command that was stopped goes on with the time that was left.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from time import perf_counter

from pasgl_env.evaluation.tournament import Progress
from pasgl_env.playtest.folder import GAMES, Totals
from pasgl_env.playtest.play import Plan, Shard, play_shard
from pasgl_env.playtest.results import Results
from pasgl_env.playtest.run import run as play_run
from pasgl_env.storage.files import held, write_whole
from pasgl_env.storage.runs import LOCK, MANIFEST
from tools.findings.numbers import Played
from tools.findings.question import Asked, Run

SECONDS = "seconds.json"
LEAST_GAMES = 200
"""A run with fewer has no say: a few pairs hardly show how much pairs differ."""
MOST_SHARDS, MOST_RANDOM_SHARDS = 64, 2
"""So many shards are played at most; those of random games are larger."""

Report = Callable[[float, str], None]


class Runs:
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
        self._seconds: dict[str, float] = {}
        self._plans: dict[Run, Plan] = {}
        self._totals: dict[Run, Totals] = {}

    def play(self, runs: Iterable[Run], seconds: float) -> None:
        """Play runs.

        Args:
            runs: each is played once.
            seconds: how long in all, what was played before included, compiling not. A pair of
                games of each run is played in any case.

        Raises:
            BadRun: if the folder holds something else, or is damaged.
            InUse: if another process is at work there.
            OSError: if something cannot be written.
            ValueError: for an unknown player, an option that is not possible, or a damaged file of
                seconds.
        """
        wanted = list(dict.fromkeys(runs))
        self._folder.mkdir(parents=True, exist_ok=True)
        with held(self._folder / LOCK):
            self._seconds = _read_seconds(self._folder / SECONDS)
            for run in wanted:
                self._plans[run] = run.plan(self._seed)
                self._step(run, 2)
            while fitting := [run for run in wanted if self._fits(run, seconds)]:
                following = min(fitting, key=lambda run: (self._has_say(run), self._cost(run)))
                self._step(following, self._next_games(following))

    def played(self, asked: Asked) -> Played:
        """What a run, and the one beside it, came to."""
        run, beside = asked
        return Played(
            Results.of(self._plans[run], self._totals[run]),
            self._folder / run.name / GAMES,
            self.played(Asked(beside, None)) if beside else None,
        )

    def _fits(self, run: Run, seconds: float) -> bool:
        """Whether a run has more games to play, and time for them."""
        is_whole = self._next_games(run) <= self._games(run)
        return not is_whole and sum(self._seconds.values()) + self._cost(run) <= seconds

    def _has_say(self, run: Run) -> bool:
        return self._games(run) >= LEAST_GAMES

    def _games(self, run: Run) -> int:
        return self._totals[run].counts.games

    def _next_games(self, run: Run) -> int:
        """How many games a run is to have next: twice as many."""
        plan = self._plans[run]
        most = MOST_RANDOM_SHARDS if plan.is_random else MOST_SHARDS
        return min(max(2 * self._games(run), 10), most * plan.shard)

    def _cost(self, run: Run) -> float:
        """Seconds that the next games of a run are expected to take."""
        more = self._next_games(run) - self._games(run)
        return self._seconds[run.name] / self._games(run) * more

    def _step(self, run: Run, games: int) -> None:
        """Play a run up to so many games, or read what it has if it has more."""
        _compile(run.variant, run.player)
        passed, begun = sum(self._seconds.values()), perf_counter()

        def tell(progress: Progress) -> None:
            about = f"{run.variant}, {run.player}, {progress.done} of {games} games"
            self._report(passed + perf_counter() - begun, about)

        known, done = self._seconds.get(run.name, 0.0), self._begun(run)
        self._totals[run] = play_run(
            self._plans[run],
            max(games, done),
            self._folder / run.name,
            keeps_games=True,
            threads=self._threads,
            command=self._command,
            report=tell,
        )
        if games > done or run.name not in self._seconds:
            self._seconds[run.name] = known + perf_counter() - begun
            write_whole(self._folder / SECONDS, json.dumps(self._seconds, indent=1).encode())

    def _begun(self, run: Run) -> int:
        """How many games a run was to have when it was played last; 0 if it never was."""
        try:
            return int(json.loads((self._folder / run.name / MANIFEST).read_bytes())["games"])
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return 0  # a damaged folder is told by the run itself


@cache
def _compile(variant: str, player: str) -> None:
    """Play two turns, so that compiling does not count as time that games take."""
    plan = Plan.of(variant, (player, player), turn_limit=2)
    play_shard(Shard(plan, 0, 2, False, 1))


def _read_seconds(file: Path) -> dict[str, float]:
    if not file.exists():
        return {}
    try:
        return {name: float(taken) for name, taken in json.loads(file.read_bytes()).items()}
    except (ValueError, TypeError, AttributeError) as error:
        raise ValueError(f"{file} is damaged: delete it, and time is counted anew") from error
