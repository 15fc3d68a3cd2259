"""Lessons: games learned on the board, a task at a time.

The lessons of a game are data in its folder, ``lessons.toml``, and are judged by its rules. The
file has a table for each variant::

    [tictactoe]
    aim = "..."            # the aim of the game in a line
    after = "..."          # another variant of the file, whose steps come first; may be left out

    [tictactoe.how]        # how to play: headings with a sentence or two, 150 words in all
    Turns = "..."

    [[tictactoe.steps]]
    title = "..."          # a few words, different for each step
    position = "XX.OO...." # a position text; without it, the start of the game
    options = {}           # options of the variant; may be left out
    before = "..."         # labels played from that position before the task; may be left out
    say = "..."            # what there is to learn here
    signs = "..."          # what drawings show of it; may be left out
    task = "..."           # what to do
    answers = ["c3"]       # what is accepted
    points = 1             # or: points to win in this turn; `answers` are then examples
    wins = true            # or: win in this turn; likewise
    done = "..."           # what is said when it is done
    help = "..."           # what is said after a failed try

An answer consists of labels with commas between them: those of the learner, and those of chance and
of the others, which are played when their turn comes.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from pasgl_env.contract import variants
from pasgl_env.contract.events import Event, sentences
from pasgl_env.contract.game import Game, OptionValue
from pasgl_env.dangers import certain
from pasgl_env.engine.position import Position


class Verdict(StrEnum):
    """What the actions of a learner are worth."""

    DONE = "done"
    """The task is done."""
    OPEN = "open"
    """So far they may lead to it."""
    WRONG = "wrong"
    """They do not do it."""


class Attempt(NamedTuple):
    """A try at a task.

    Attributes:
        verdict: whether it is done.
        positions: the positions after the last action of the learner and after each reply to it;
            the staged position before the first action.
        happened: what that action and the replies did, and what every reply to a wrong one
            would do, as sentences for the learner.
    """

    verdict: Verdict
    positions: tuple[Position, ...]
    happened: tuple[str, ...]


@dataclass(frozen=True)
class Step:
    """A task in a staged position; the module says what the fields mean."""

    variant: str
    title: str
    say: str
    task: str
    answers: tuple[tuple[str, ...], ...]
    done: str
    help: str
    signs: str = ""
    position: str | None = None
    options: dict[str, OptionValue] = field(default_factory=dict)
    before: tuple[str, ...] = ()
    points: int = 0
    wins: bool = False

    def start(self) -> Position:
        """The staged position."""
        position = Position.from_text(self.variant, self.position, **self.options)
        for label in self.before:
            position.play(label)
        return position

    def own(self, answer: tuple[str, ...]) -> list[str]:
        """The learner's actions of an answer."""
        position, own = self.start(), list[str]()
        learner = position.to_move
        for label in answer:
            if position.to_move == learner:
                own.append(label)
            position.play(label)
        return own

    def answer(self, labels: list[str]) -> list[str]:
        """What the learner has to play for an answer, without the labels that begin it."""
        own = self.own(self.answers[0])
        return own[len(labels) :] if own[: len(labels)] == labels else own

    @property
    def has_goal(self) -> bool:
        """Whether every turn that reaches a goal is accepted, not only the answers."""
        return self.wins or self.points > 0

    def attempt(self, labels: list[str]) -> Attempt:
        """Judge the learner's actions since the start of the step.

        Raises:
            IllegalMove: if one of them is not legal.
        """
        position = self.start()
        lines, shown, happened = list(self.answers), [position.copy()], list[Event]()
        learner, verdict = position.to_move, Verdict.OPEN
        for label in labels:
            happened = position.effects(position.action(label))
            shown = [position.play(label).copy()]
            lines = _continued(lines, label)
            while lines and lines[0] and position.to_move != learner and not self.has_goal:
                reply = lines[0][0]
                happened += position.effects(position.action(reply))
                shown.append(position.play(reply).copy())
                lines = _continued(lines, reply)
            verdict = self._judged(position, learner) if self.has_goal else _matched(lines)
        you = () if learner is None else (learner,)
        words = sentences(happened, position.seats, you)
        if verdict == Verdict.WRONG and learner is not None:
            harm = certain(position, position.teams[learner])
            words += sentences(harm, position.seats, you, would="would")
        return Attempt(verdict, tuple(shown), tuple(words))

    def _judged(self, position: Position, learner: int | None) -> Verdict:
        """The verdict on a position by the goal, which must be reached within the turn."""
        start = self.start()
        assert learner is not None
        earned = position.points[learner] - start.points[learner]
        has_won = position.returns is not None and position.returns[learner] > 0
        if has_won if self.wins else earned >= self.points:
            return Verdict.DONE
        is_turn_over = position.to_move != learner or position.turns != start.turns
        return Verdict.WRONG if is_turn_over else Verdict.OPEN


def _continued(lines: list[tuple[str, ...]], label: str) -> list[tuple[str, ...]]:
    """What remains of the lines that go on with a label."""
    return [line[1:] for line in lines if line[:1] == (label,)]


def _matched(lines: list[tuple[str, ...]]) -> Verdict:
    """The verdict by the answers that remain."""
    if not lines:
        return Verdict.WRONG
    return Verdict.OPEN if all(lines) else Verdict.DONE


@dataclass(frozen=True)
class Lesson:
    """A variant's lesson.

    Attributes:
        aim: the aim of the game in a line.
        how: how to play, by heading.
        steps: the tasks in order, those of the variant on which it builds first.
    """

    aim: str
    how: dict[str, str]
    steps: tuple[Step, ...]


@cache
def lesson(variant: str) -> Lesson:
    """The lesson of a variant.

    >>> lesson("pasgl312").steps[0].attempt(["Be1d1"]).verdict
    <Verdict.DONE: 'done'>

    Raises:
        ValueError: for an unknown variant.
        NotImplementedError: if it has no lesson.
    """
    game = variants.find(variant)
    table = _file(game).get(variant)
    if table is None:
        raise NotImplementedError(f"{variant} has no lesson")
    first = lesson(table["after"]).steps if "after" in table else ()
    return Lesson(table["aim"], table["how"], (*first, *_steps(variant, table)))


def taught() -> tuple[str, ...]:
    """The variants that have a lesson."""
    return tuple(name for name in variants.loadable() if name in _file(variants.find(name)))


def _file(game: Game) -> dict[str, Any]:
    """The content of a game's file; empty if it has none."""
    if not game.package:
        return {}
    file = resources.files(game.package) / "lessons.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def _steps(variant: str, table: dict[str, Any]) -> Iterator[Step]:
    for fields in table["steps"]:
        answers = tuple(tuple(answer.split(",")) for answer in fields["answers"])
        before = tuple(filter(None, fields.get("before", "").split(",")))
        yield Step(variant, **{**fields, "answers": answers, "before": before})
