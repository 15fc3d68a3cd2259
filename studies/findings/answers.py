"""Answers: the numbers measured for each question, kept in a file beside the page.

The page is made from that file, so that some questions can be played again, with more time or on
another machine, without the others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pasgl_env.playtest.verdict import cut_off_of, doubt_of
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.storage.runs import MANIFEST
from studies.entries import read_entries
from studies.findings.numbers import Played, read
from studies.findings.question import Number, Question

LEAST_SHOWN = 10
"""Numbers from fewer games are left out."""


@dataclass(frozen=True)
class Row:
    """The measurements in the games of a player against itself.

    Attributes:
        player: the player.
        games: number of games.
        beside: number of games of the run that they are compared with; None: with none.
        estimates: the question's numbers, in their order; without a value if there are fewer than
            :data:`LEAST_SHOWN` games.
        cut_off: the share of games that were cut off.
        cut_off_beside: the same, of the run that they are compared with.
        doubt: the reason why the games give no verdict; empty if they may.
    """

    player: str
    games: int
    beside: int | None
    estimates: tuple[Estimate, ...]
    cut_off: float = 0.0
    cut_off_beside: float = 0.0
    doubt: str = ""

    @classmethod
    def of(cls, question: Question, played: Played) -> Row:
        """The numbers of a finished run."""
        results = played.results
        beside = played.beside.results.games if played.beside else None
        row = cls(results.plan.players[0], results.games, beside, ())
        estimates = (
            read(number, played) if row.games_of(number) >= LEAST_SHOWN else Estimate(None)
            for number in question.numbers
        )
        runs = [each.results for each in (played, played.beside) if each]
        doubt = next(filter(None, map(doubt_of, runs)), "")
        return replace(
            row,
            estimates=tuple(estimates),
            cut_off=cut_off_of(results),
            cut_off_beside=cut_off_of(played.beside.results) if played.beside else 0.0,
            doubt=doubt,
        )

    def cut_off_of(self, number: Number) -> float:
        """The share of games that were cut off, the sum of both runs' in a comparison."""
        return self.cut_off + self.cut_off_beside * number.compared

    def games_of(self, number: Number) -> int:
        """The number of games that an estimate rests on."""
        if self.beside is None or not number.compared:
            return self.games
        return min(self.games, self.beside)


@dataclass(frozen=True)
class Answer:
    """The answer to a question.

    Attributes:
        command: the command that played the games.
        seed: their seed.
        versions: of the libraries in use.
        headings: of the question's numbers: an answer to other numbers is not used.
        rows: the weakest player first.
    """

    command: str
    seed: int
    versions: Mapping[str, str]
    headings: tuple[str, ...]
    rows: tuple[Row, ...]

    @classmethod
    def of(cls, question: Question, played: Sequence[Played], command: str) -> Answer:
        """The answer of finished runs, in the order of the question."""
        first = played[0]
        manifest = json.loads((first.games.parent / MANIFEST).read_bytes())
        return cls(
            command,
            first.results.plan.seed,
            manifest["versions"],
            tuple(number.heading for number in question.numbers),
            tuple(Row.of(question, each) for each in played),
        )

    @classmethod
    def of_dict(cls, given: Mapping[str, Any]) -> Answer:
        """The inverse of :func:`dataclasses.asdict`, with JSON between them."""
        rows = tuple(
            Row(
                row["player"],
                row["games"],
                row["beside"],
                tuple(Estimate(**each) for each in row["estimates"]),
                row.get("cut_off", 0.0),
                row.get("cut_off_beside", 0.0),
                row.get("doubt", ""),
            )
            for row in given["rows"]
        )
        return cls(
            given["command"], given["seed"], given["versions"], tuple(given["headings"]), rows
        )

    def joined(self, known: Answer, question: Question) -> Answer:
        """This answer and an earlier one's rows of other players, in the order of the question."""
        rows = {row.player: row for row in (*known.rows, *self.rows)}
        players = [each.run.player for each in question.asked]
        ordered = tuple(rows[player] for player in players if player in rows)
        commands = dict.fromkeys((*known.command.split("\n"), self.command))
        return replace(self, command="\n".join(commands), rows=ordered)

    def fits(self, question: Question) -> bool:
        """Whether the question still asks for these numbers, of these players."""
        numbers = tuple(number.heading for number in question.numbers)
        players = [each.run.player for each in question.asked]
        return self.headings == numbers and [row.player for row in self.rows] == players


def check_seed(answers: Mapping[str, Answer], chosen: Iterable[Question], seed: int) -> None:
    """Raise ``ValueError`` if games of an answer, to which rows are added, have another seed."""
    for each in chosen:
        if each.key in answers and answers[each.key].seed != seed:
            raise ValueError(f"the games of {each.key} have --seed {answers[each.key].seed}")


def read_answers(file: Path) -> dict[str, Answer]:
    """The answers by the keys of their questions; none if the file does not exist.

    Raises:
        ValueError: if it is not a file of answers.
    """
    return read_entries(file, "answers", Answer.of_dict)
