"""What the experiments with trials share: a folder that keeps their games as they end.

Needs SciPy.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from pasgl_env.playtest.pace import Pace, Report
from pasgl_env.playtest.trials import CHUNK, Chunk, Played, Trial, play_chunk
from pasgl_env.storage import runs
from pasgl_env.storage.runs import BadRun, Lines

CHUNKS = "chunks.jsonl"

Result = TypeVar("Result")


class Journal:
    """The games of an experiment by arm, kept on disk as they end.

    Args:
        file: their chunks, as JSON lines.
        kind: of the experiment.
        form: the first line of the file names it.
        report: called whenever games have ended.
        tell: called with a line of text whenever an arm is done.

    Raises:
        BadRun: if the file holds something else, or is damaged.
        OSError: if it cannot be read or written.
    """

    def __init__(
        self,
        file: Path,
        kind: str,
        form: str,
        report: Report,
        tell: Callable[[str], None],
    ) -> None:
        self._report = report
        self.tell = tell
        self._lines = Lines(file, kind, {"format": form})
        self._arms: dict[str, list[Chunk]] = {}
        self._asked = Counter[str]()
        try:
            for line in self._lines.lines:
                self._take(**json.loads(line))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise BadRun(f"{file} is damaged: delete {file.parent}") from None

    def expect(self, games: int) -> None:
        """Begin with so many games to come, at most."""
        self.pace = Pace(games, self._report)

    def games(self, arm: str) -> int:
        """How many games of an arm there are."""
        return sum(len(chunk.outcomes) for chunk in self._arms.get(arm, ()))

    def play(
        self, arm: str, trial: Trial, games: int, *, samples: bool = False, visits: bool = False
    ) -> Played:
        """The first games of an arm; those that are not kept yet are played.

        Args:
            arm: its name.
            trial: what is played.
            games: how many, a multiple of ``trial.chunk``.
            samples: see :func:`pasgl_env.playtest.trials.play_chunk`.
            visits: see there.

        Raises:
            OSError: if they cannot be written.
            ValueError: as :func:`pasgl_env.playtest.trials.play_chunk`.
        """
        chunks, wanted = self._arms.setdefault(arm, []), games // trial.chunk
        kept = min(len(chunks), wanted)
        if kept > self._asked[arm]:
            self.pace.resume(trial.chunk * (kept - self._asked[arm]))
        self._asked[arm] = wanted
        for number in range(kept, wanted):
            chunk = play_chunk(trial, number, samples=samples, visits=visits)
            self._lines.add({"arm": arm, **asdict(chunk)})
            chunks.append(chunk)
            self.pace.add(trial.chunk)
        return Played(chunks[:wanted])

    def played(self) -> Played:
        """The games of all arms that were asked for; the folder may hold more."""
        return Played(
            [chunk for arm, wanted in self._asked.items() for chunk in self._arms[arm][:wanted]]
        )

    def _take(self, arm: str, **about: Any) -> None:
        """Take a chunk from the file."""
        chunk, chunks = Chunk(**about), self._arms.setdefault(arm, [])
        if chunk.number != len(chunks) or len(chunk.outcomes) != len(chunk.turns):
            raise ValueError("a chunk is missing")
        chunks.append(chunk)


@dataclass(frozen=True)
class Experiment(ABC, Generic[Result]):
    """Games of a trial, or of trials that differ in one thing, and what is made of them.

    Attributes:
        trial: what is played.
        games: how many, at most, in each arm.
    """

    kind: ClassVar[str]

    trial: Trial
    games: int

    def about(self) -> dict[str, Any]:
        """What must be the same for games in a folder to be used again, ready for JSON."""
        return self.trial.to_dict()

    @abstractmethod
    def play(self, journal: Journal) -> Result:
        """Play the games that the journal does not hold yet, and evaluate all of them."""

    def run(
        self,
        folder: Path,
        *,
        command: Sequence[str] = (),
        report: Report = lambda progress: None,
        tell: Callable[[str], None] = lambda text: None,
    ) -> Result:
        """Run the experiment, or continue one that was interrupted.

        Args:
            folder: keeps the games.
            command: how it was called, for people.
            report: called whenever games have ended.
            tell: called with a line of text whenever an arm is done.

        Raises:
            BadRun: if the folder holds something else, or damaged files.
            InUse: if another process uses the folder.
            OSError: if something cannot be written; games that were kept before are safe.
        """
        form, about = f"pasgl_env {self.kind} 2", self.about()
        with runs.opened(folder, self.kind):
            if known := runs.read_manifest(folder, self.kind, form, dict):
                same = {name: known.get(name) for name in about}
                runs.check_same(f"{folder} holds something else", same, about)
            runs.write_manifest(folder, {"format": form, **about, "command": list(command)})
            return self.play(Journal(folder / CHUNKS, self.kind, form, report, tell))


def check_chunks(games: int) -> None:
    """Raise ``ValueError`` unless games are whole chunks."""
    if games < CHUNK or games % CHUNK:
        raise ValueError(f"games are played {CHUNK} at once: give a multiple, not {games}")
