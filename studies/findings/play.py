"""Play the runs of questions in folders within the time given, and resume them.

Each run gets a pair of games, then as many as its questions ask for, then more: always the run
whose next games are expected to take the least time, so that in the end most runs have taken about
as long. The time used is stored: a command that was stopped continues with the time left.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from time import perf_counter

from pasgl_env.cli.progress import Passed
from pasgl_env.evaluation.progress import Progress
from pasgl_env.playtest.folder import GAMES, Totals
from pasgl_env.playtest.play import Plan, Shard, play_shard
from pasgl_env.playtest.results import Results
from pasgl_env.playtest.run import run as play_run
from pasgl_env.storage.files import write_whole
from pasgl_env.storage.runs import MANIFEST, alone_in
from studies.entries import read_entries
from studies.findings.numbers import Played
from studies.findings.question import Asked, Run

SECONDS = "seconds.json"
MOST_SHARDS, MOST_RANDOM_SHARDS = 128, 2
"""Maximum number of shards per run; those of random games are larger."""


class Runs:
    """Runs in a folder.

    Args:
        folder: the folder, created if needed.
        seed: seed of all games.
        threads: number of threads; games do not depend on it.
        command: the command that requested the runs, for their manifests.
        report: called with the seconds passed and the current activity.
    """

    def __init__(
        self,
        folder: Path,
        seed: int = 0,
        threads: int = 1,
        command: Sequence[str] = (),
        report: Passed = lambda passed, doing: None,
    ) -> None:
        self._folder, self._seed, self._threads = folder, seed, threads
        self._command, self._report = command, report
        self._seconds: dict[str, float] = {}
        self._plans: dict[Run, Plan] = {}
        self._totals: dict[Run, Totals] = {}
        self._wanted: Mapping[Run, int] = {}

    def play(self, runs: Mapping[Run, int], seconds: float) -> None:
        """Play runs.

        Args:
            runs: the runs, each with the number of games that it gets before others get more.
            seconds: total time, including earlier parts but not compilation. One pair of games of
                each run is played in any case.

        Raises:
            BadRun: if the folder holds something else, or is damaged.
            InUse: if another process is at work there.
            OSError: if something cannot be written.
            ValueError: for an unknown player, an invalid option, or a damaged file of
                seconds.
        """
        with alone_in(self._folder):
            self._seconds = read_entries(self._folder / SECONDS, "times", float)
            for run in runs:
                self._plans[run] = run.plan(self._seed)
                self._step(run, 2)
            self._wanted = runs
            while fitting := [run for run in runs if self._fits(run, seconds)]:
                following = min(fitting, key=lambda run: (self._has_wanted(run), self._cost(run)))
                self._step(following, self._next_games(following))

    def played(self, asked: Asked) -> Played:
        """The results of a run, and of the run it is compared with."""
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

    def _games(self, run: Run) -> int:
        return self._totals[run].counts.games

    def _next_games(self, run: Run) -> int:
        """The next number of games of a run: twice the last, at first up to those wanted."""
        plan = self._plans[run]
        most = plan.shard * (MOST_RANDOM_SHARDS if plan.is_random else MOST_SHARDS)
        if not self._has_wanted(run):
            most = min(most, self._wanted[run])
        return min(max(2 * self._games(run), 10), most)

    def _has_wanted(self, run: Run) -> bool:
        return self._games(run) >= self._wanted[run]

    def _cost(self, run: Run) -> float:
        """The expected seconds of the next games of a run."""
        more = self._next_games(run) - self._games(run)
        return self._seconds[run.name] / self._games(run) * more

    def _step(self, run: Run, games: int) -> None:
        """Play a run up to a number of games; if it has more, only read it."""
        _compile(run.ruleset.name, run.player)
        passed, begun = sum(self._seconds.values()), perf_counter()
        known, done = self._seconds.get(run.name, 0.0), self._begun(run)
        most = max(games, done)

        def tell(progress: Progress) -> None:
            about = f"{run.ruleset.name}, {run.player}, {progress.done} of {most} games"
            self._report(passed + perf_counter() - begun, about)

        self._totals[run] = play_run(
            self._plans[run],
            most,
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
        """The number of games that a run was last played for; 0 if it never was."""
        try:
            return int(json.loads((self._folder / run.name / MANIFEST).read_bytes())["games"])
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return 0  # the run itself reports a damaged folder


@cache
def _compile(variant: str, player: str) -> None:
    """Play two turns, so that compilation does not count as playing time."""
    plan = Plan.of(variant, (player, player), turn_limit=2)
    play_shard(Shard(plan, 0, 2, False, 1))
