"""Endings: small positions with a certain win, to be played out against perfect replies.

Each turn is judged by exact values. ``python -m tools.endings`` has found them, and kept what is
needed of them.

>>> progress = ENDINGS[0].attempt([])
>>> ENDINGS[0].attempt(progress.line).verdict
<Verdict.DONE: 'done'>
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from pasgl_env.contract import variants
from pasgl_env.contract.events import sentences
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.dice import Dice
from pasgl_env.engine.position import Position
from pasgl_env.lessons import Verdict
from pasgl_env.solving import CERTAIN
from pasgl_env.wording import counted

FILE = Path(__file__).with_suffix(".json")
"""A list for each field of :class:`EndingNode`, of each ending."""
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
WORDS = {
    "draw": "That gave the win away: now it is a draw.",
    "loss": "That gave the win away: now the other side wins.",
    "chance": "That gave the win away: now you win {percent}% of such games.",
    "certain": "That was as good as any turn: the win is certain, whatever is rolled.",
    "best": "That was the best turn.",
    "good": "That was the best turn. {turns} of both sides to go.",
    "missed": "That wins, too, with {turns} of both sides to go. The best turn wins at once.",
    "slower": "That wins, too, with {turns} of both sides to go. The best turn leaves {best}.",
}
"""What a learner is told after a turn."""
NO_TURNS = -1
"""Of a node in games with dice."""
DRAW, LOSS = -1, -2
"""Stand for the number of a node in which the win was given away."""
LONGEST_LINE = 200
"""Actions and rolls of a line of best play."""


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

        Those after the win was given away are ignored.

        Raises:
            IllegalMove: if one of them is not legal.
        """
        game = _Game(self)
        for label in labels:
            if game.is_won:
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
"""Endings by variants, the easiest first."""


class EndingNode(NamedTuple):
    """A position that the learner wins for certain.

    Attributes:
        turns: the turns of both sides to go, or :data:`NO_TURNS`.
        best: the place of the best action among the legal ones; -1 where nobody acts.
        after: the numbers of the positions after each legal action or outcome of chance, or what
            :func:`given_away` says instead; of those who reply, after the best action alone.
    """

    turns: int
    best: int
    after: list[int]


def given_away(value: float) -> int:
    """A number for a position that is not won for certain, by its value for the learner.

    >>> given_away(0), given_away(-1), given_away(0.5)
    (-1, -2, -78)
    """
    if abs(value) < 1 - CERTAIN:
        return DRAW
    return LOSS if value < 0 else LOSS - 1 - round(50 + 50 * value)


def listed(endings: Sequence[Ending] = ENDINGS) -> dict[str, Any]:
    """Endings for pages: what they are, what a learner is told, why other games have none."""
    found = [{**each._asdict(), "options": dict(each.options)} for each in endings]
    return {"endings": found, "say": SAY, "others": WHY_NONE}


@lru_cache(1)
def _trees() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(FILE.read_bytes())
    return found


def tree(ending: Ending) -> dict[str, Any]:
    """The positions that can come about, the start first: lists of the fields of nodes."""
    return _trees()[ENDINGS.index(ending)]


@lru_cache(len(ENDINGS))
def nodes(ending: Ending) -> list[EndingNode]:
    """The same as nodes."""
    return list(map(EndingNode, *tree(ending).values()))


class _Game:
    """An ending that is being played out."""

    def __init__(self, ending: Ending) -> None:
        self._nodes, self._position, self._dice = nodes(ending), ending.start(), Dice(0)
        assert self._position.to_move is not None
        self._learner, self._at = self._position.to_move, 0
        self._labels, self._shown, self._happened = list[str](), [0], list[str]()
        self._before = self._node.turns  # at the start of the learner's turn

    @property
    def is_won(self) -> bool:
        """Whether the learner has won, or still wins for certain."""
        return self._at >= 0

    @property
    def _node(self) -> EndingNode:
        return self._nodes[self._at]

    @property
    def _is_mine(self) -> bool:
        position = self._position
        return not position.is_chance and position.to_move == self._learner

    def play(self, label: str) -> None:
        """Play an action of the learner, judge it, and play the replies."""
        turn = self._position.turns
        self._shown, self._happened = [], []
        self._step(label)
        if not self.is_won:
            self._happened.append(lost(self._at))
            return
        if self._position.turns != turn or self._position.is_over:
            self._happened.append(judged(self._before, self._node.turns))
        while not (self._position.is_over or self._is_mine):
            self._step(self._reply())
        self._before = self._node.turns if self._position.turns != turn else self._before

    def _step(self, label: str) -> None:
        position = self._position
        effects = [] if position.is_chance else position.effects(position.action(label))
        self._happened += sentences(effects, position.seats, (self._learner,))
        self._follow(label)
        self._labels.append(label)
        self._shown.append(len(self._labels))

    def _follow(self, label: str) -> None:
        """Go on to the next node."""
        position, after = self._position, self._node.after
        replies = not (position.is_chance or self._is_mine)
        place = 0 if replies else position.legal_actions().index(position.action(label))
        position.play(label)
        self._at = after[place]

    def _reply(self) -> str:
        """The roll that falls, or the best action of who is to act."""
        if self._position.is_chance:
            return self._position.copy().roll(self._dice)
        return self._position.label(self._position.legal_actions()[self._node.best])

    def progress(self) -> EndingAttempt:
        """How far the try has come."""
        labels, shown, happened = tuple(self._labels), tuple(self._shown), tuple(self._happened)
        verdict = Verdict.OPEN
        if not self.is_won:
            verdict = Verdict.WRONG
        elif self._position.is_over:
            verdict = Verdict.DONE
        return EndingAttempt(verdict, labels, shown, happened, self._line())

    def _line(self) -> tuple[str, ...]:
        """The learner's actions that win from here; the game is played to its end."""
        line = list[str]()
        for _ in range(LONGEST_LINE):
            if self._position.is_over or not self.is_won:
                break
            label = self._reply()
            if self._is_mine:
                line.append(label)
            self._follow(label)
        return tuple(line)


def lost(number: int) -> str:
    """What gave the win away, by :func:`given_away`."""
    word = {DRAW: "draw", LOSS: "loss"}.get(number, "chance")
    return WORDS[word].format(percent=LOSS - 1 - number)


def judged(before: int, after: int) -> str:
    """What a turn was worth that keeps the win, by the turns to go before and after it."""
    if before == NO_TURNS:
        return WORDS["certain"]
    best = before - 1
    word = ("good" if after else "best") if after == best else "slower" if best else "missed"
    return WORDS[word].format(turns=counted(after, "turn"), best=best)
