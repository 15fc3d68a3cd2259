"""Endings: small positions with a certain win, to be played out against perfect replies.

Each turn is judged by exact values, which are computed when an ending is first played.

>>> progress = ENDINGS[0].attempt([])
>>> ENDINGS[0].attempt(progress.line).verdict
<Verdict.DONE: 'done'>
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from pasgl_env.contract import variants
from pasgl_env.contract.events import sentences
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.dice import Dice
from pasgl_env.engine.position import Position
from pasgl_env.lessons import Verdict
from pasgl_env.solving import CERTAIN, Exact, ValueTable, solve

SAY = (
    "You can win for certain, whatever the other side does. It replies as well as it can, by the"
    " exact values of all that can follow, by which your turns are judged."
)
"""What a learner is told before an ending."""
WHY_NONE = (
    "In PASGL 312 Chess more than two million positions can follow from three pieces, too many to"
    " be solved at once, and two Bears alone draw; in Captain Spalding Chess no position may come"
    " back, so that even more can follow."
)
"""Why other games have no endings."""
LONGEST_LINE = 200
"""Actions and rolls of a line of best play."""
MOST_TABLES = 4


class EndingAttempt(NamedTuple):
    """How far a try at an ending has come.

    Attributes:
        verdict: done once the game is won, wrong once the win is given away.
        labels: all actions and rolls since the start.
        shown: the numbers of them after which positions are worth a look: after the last action
            of the learner, and after each reply and roll.
        happened: what these did, and what the turn was worth, as sentences for the learner.
        line: the actions of the learner that win from here against the same replies.
    """

    verdict: Verdict
    labels: tuple[str, ...]
    shown: tuple[int, ...]
    happened: tuple[str, ...]
    line: tuple[str, ...]


class Ending(NamedTuple):
    """A position in which the player to act has a certain win.

    Attributes:
        variant: the variant's name.
        title: a few words.
        text: the position.
        options: options of the variant, with their values.
    """

    variant: str
    title: str
    text: str
    options: tuple[tuple[str, str], ...] = ()

    @property
    def ruleset(self) -> Ruleset:
        """The rules."""
        return variants.ruleset(self.variant, **dict(self.options))

    def start(self) -> Position:
        """The position."""
        return Position.from_text(self.ruleset, self.text)

    def attempt(self, labels: Sequence[str]) -> EndingAttempt:
        """Judge the learner's actions since the start, and play the replies to them.

        Raises:
            IllegalMove: if one of them is not legal.
        """
        game = _Game(self)
        for label in labels:
            game.play(label)
        return game.progress()


_SMALL = (("setup", "cm2/4/4/2MC"),)
_KNIGHTS = (("setup", "cn2/4/4/2NC"),)
_ROOKS = (("setup", "cr2/4/4/2RC"),)
ENDINGS = (
    Ending("chieftain", "win in 3 turns", "1c2/2m1/2M1/2C1 w 0 0", _SMALL),
    Ending("chieftain", "win in 4 turns", "1m2/c1MC/4/4 w 0 0", _SMALL),
    Ending("chieftain", "win in 6 turns", "1M1C/4/4/2cm w 0 0", _SMALL),
    Ending("superchief", "win in 2 turns", "1C2/4/1Nn1/2c1 w 0 0", _KNIGHTS),
    Ending("overlord", "win in 2 turns", "c2r/3R/4/C3 w 0 0", _ROOKS),
    Ending("overlord", "win in 4 turns", "4/r2c/C3/R3 w 0 0", _ROOKS),
    Ending("pachessi", "Horse and Horse", "R*,E*,Hd2:1,S*/R*,E*,Hg5:1,S* black 6 i 0"),
    Ending("pachessi", "Horse and Ship", "R*,E*,Hb3:1,S*/R*,E*,H*,Sf3:0 black 3,4 i 0"),
    Ending("pachessi", "Ship and Ship", "R*,E*,H*,Sb3:1/R*,E*,H*,Sc6:1 black 4,5 i 0"),
    Ending("grand_pachessi", "Ship and Ship", "R*,E*,H*,Sb5:1/R*,E*,H*,Si8:0 yellow 2,3 i 0"),
)
"""Endings by variants, the easiest first; each has at most 1,100,000 positions."""


@lru_cache(MOST_TABLES)
def table(ending: Ending) -> ValueTable:
    """The exact values of all positions that can follow."""
    return solve(ending.ruleset, ending.text)


class _Game:
    """An ending that is being played out."""

    def __init__(self, ending: Ending) -> None:
        self._table, self._position, self._dice = table(ending), ending.start(), Dice(0)
        assert self._position.to_move is not None
        self._learner = self._position.to_move
        self._labels, self._shown, self._happened = list[str](), [0], list[str]()
        self._before = self._worth()  # at the start of the learner's turn

    def _worth(self) -> Exact:
        exact = self._table.value(self._position)
        assert exact is not None
        return exact

    @property
    def _is_won(self) -> bool:
        """Whether the learner has won, or still wins for certain."""
        return self._worth().returns[self._learner] >= CERTAIN

    @property
    def _is_mine(self) -> bool:
        position = self._position
        return not position.is_chance and position.to_move == self._learner

    def play(self, label: str) -> None:
        """Play an action of the learner, judge it, and play the replies."""
        turn = self._position.turns
        self._shown, self._happened = [], []
        self._step(label)
        if not self._is_won:
            self._happened.append(f"That gave the win away: {self._result()}.")
            return
        if self._position.turns != turn or self._position.is_over:
            self._happened.append(self._judged())
        while not (self._position.is_over or self._is_mine):
            self._step(self._reply())
        self._before = self._worth() if self._position.turns != turn else self._before

    def _step(self, label: str) -> None:
        position = self._position
        effects = [] if position.is_chance else position.effects(position.action(label))
        self._happened += sentences(effects, position.seats, (self._learner,))
        position.play(label)
        self._labels.append(label)
        self._shown.append(len(self._labels))

    def _reply(self) -> str:
        """The roll that falls, or the best action of who is to act."""
        if self._position.is_chance:
            return self._position.copy().roll(self._dice)
        return self._position.label(self._table.choices(self._position)[0][0])

    def _result(self) -> str:
        """What the game comes to now if both sides play well."""
        value = self._worth().returns[self._learner]
        if abs(value) < 1 - CERTAIN:
            return "now it is a draw"
        if value < 0:
            return "now the other side wins"
        return f"now you win {50 + 50 * value:.0f}% of such games"

    def _judged(self) -> str:
        """What the learner's turn was worth, which keeps the win."""
        best, after = self._before.turns, self._worth().turns
        if best is None or after is None:
            return "That was as good as any turn: the win is certain, whatever is rolled."
        if after == best - 1:
            return f"That was the best turn.{f' {_turns(after)} to go.' if after else ''}"
        quickest = f"leaves {best - 1}" if best > 1 else "wins at once"
        return f"That wins, too, with {_turns(after)} to go. The best turn {quickest}."

    def progress(self) -> EndingAttempt:
        """How far the try has come."""
        labels, shown, happened = tuple(self._labels), tuple(self._shown), tuple(self._happened)
        verdict = Verdict.OPEN
        if not self._is_won:
            verdict = Verdict.WRONG
        elif self._position.is_over:
            verdict = Verdict.DONE
        return EndingAttempt(verdict, labels, shown, happened, self._line())

    def _line(self) -> tuple[str, ...]:
        """The learner's actions that win from here; the game is played to its end."""
        line = list[str]()
        for _ in range(LONGEST_LINE):
            if self._position.is_over or not self._is_won:
                break
            label = self._reply()
            if self._is_mine:
                line.append(label)
            self._position.play(label)
        return tuple(line)


def _turns(number: int) -> str:
    """A number of turns of both sides."""
    return f"{number} turn{'s' * (number != 1)} of both sides"
