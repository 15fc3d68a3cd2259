"""Positions for the rules tests, in words: a critter's symbol and where it is.

    He2  *-Wg6  ~Tz4  T@head      White's Hunter on e2, its stinky and lunchless Woodchuck on g6,
                                  its leaving Turkey on z4, its Turkey in the head car

Bears at home go without saying: `place` adds those not named, `listed` leaves them out.

Most rules are the same for both sides. A test of such a rule is written for White, and its `Side`
plays it for Black too: colours exchanged, ranks mirrored, the Train where the mirror shows it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any, NamedTuple

from pasgl_env import Position

FILES = "abcdefgh"
TERMINALS = ("z4", "z5", "x4", "x5")
CARS = ("@head", "@tail")
LETTERS = "BHDFWSTMP"
SIGNS = ("", "-", "*", "*-")
SYMBOL = re.compile(r"[~*-]*[A-Za-z]")
STACK = re.compile(r"\[[^\]]*\]|.")
WORD = re.compile(r"([~*-]*)([A-Za-z])(\S*)")
SQUARE = re.compile(r"[a-hxz][1-8]")
HOME_BEARS = ("Be1", "be8")


class Fields(NamedTuple):
    """The fields of a position text; `labels` are those of a turn under way."""

    board: str
    terminals: str
    riders: str
    phase: str
    mover: str
    score: str
    passes: str
    turns: str
    labels: str = ""


def fields(position: Position) -> Fields:
    return Fields(*position.text.split(" "))


def stack_order(symbol: str) -> tuple[bool, int, int, bool]:
    signs, letter = symbol.lstrip("~")[:-1], symbol[-1]
    leaving = symbol.startswith("~")
    return letter.islower(), LETTERS.index(letter.upper()), SIGNS.index(signs), leaving


def stack(symbols: list[str], empty: str = ".") -> str:
    """The critters of one square, car or terminal square as a position text has them."""
    text = "".join(sorted(symbols, key=stack_order))
    return text if len(text) == 1 else f"[{text}]" if text else empty


def place(
    critters: str = "",
    *,
    phase: int = 1,
    mover: str = "w",
    score: str = "0:0",
    passes: int = 0,
    turns: int = 0,
) -> str:
    """The position text with those critters."""
    at: dict[str, list[str]] = defaultdict(list)
    named = set()
    for signs, letter, where in WORD.findall(critters):
        named.add(letter)
        at[where].append(signs + letter)
    for bear in HOME_BEARS:
        if bear[0] not in named:
            at[bear[1:]].append(bear[0])
    ranks = []
    for rank in "87654321":
        squares = "".join(stack(at.pop(file + rank, []), empty=" ") for file in FILES)
        ranks.append(re.sub(" +", lambda run: str(len(run[0])), squares))
    terminals = "/".join(stack(at.pop(square, [])) for square in TERMINALS)
    riders = "/".join(stack(at.pop(car, [])) for car in CARS)
    assert not at, f"no such places: {sorted(at)}"
    board = "/".join(ranks)
    return f"{board} {terminals} {riders} {phase} {mover} {score} {passes} {turns}"


def listed(position: Position) -> str:
    """All critters of a position in words, sorted; Bears at home go without saying."""
    now = fields(position)
    at = dict(zip(TERMINALS + CARS, (now.terminals + "/" + now.riders).split("/"), strict=True))
    for rank, row in zip("87654321", now.board.split("/"), strict=True):
        squares = re.sub(r"\d", lambda run: " " * int(run[0]), row)
        at |= zip((file + rank for file in FILES), STACK.findall(squares), strict=True)
    found = [symbol + where for where, item in at.items() for symbol in SYMBOL.findall(item)]
    return " ".join(sorted(word for word in found if word not in HOME_BEARS))


def mirrored(critters: str) -> str:
    """Critters or labels, as the other side would have them."""
    return " ".join(sorted(map(mirrored_word, critters.split())))


def mirrored_word(word: str) -> str:
    match = WORD.fullmatch(word)
    if word == "pass" or not match:
        return word
    signs, letter, rest = match.groups()
    return signs + letter.swapcase() + re.sub(r"\d", lambda rank: str(9 - int(rank[0])), rest)


def mirrored_phase(phase: int) -> int:
    """The phase whose Train covers the mirrored squares (it heads the other way)."""
    return 1 if phase == 1 else 22 - phase


class Side:
    """Plays tests that are written for White as that side, and answers as if it were White."""

    def __init__(self, name: str):
        self.name = name
        self.index = ("white", "black").index(name)

    def __repr__(self) -> str:
        return self.name

    def view(self, critters: str) -> str:
        return mirrored(critters) if self.index else critters

    def position(
        self,
        critters: str,
        *labels: str,
        phase: int = 1,
        score: str = "0:0",
        options: dict[str, int] | None = None,
        **rest: Any,
    ) -> Position:
        """The position with this side to move, after the labels were played."""
        if self.index:
            critters, labels = mirrored(critters), tuple(map(mirrored_word, labels))
            phase, score = mirrored_phase(phase), ":".join(reversed(score.split(":")))
        text = place(critters, phase=phase, mover=self.name[0], score=score, **rest)
        position = Position.from_text("pasgl312", text, **(options or {}))
        for label in labels:
            position.play(label)
        return position

    def legal(self, critters: str, *labels: str, **rest: Any) -> str:
        """The legal labels, sorted."""
        return self.view(" ".join(self.position(critters, *labels, **rest).legal_moves()))

    def targets(self, critters: str, start: str, *labels: str, **rest: Any) -> str:
        """The squares that follow this start of a label: "Te4", "He4:", "Wg6^"."""
        legal = self.legal(critters, *labels, **rest).split()
        ends = [label.removeprefix(start) for label in legal if label.startswith(start)]
        return " ".join(sorted(end for end in ends if SQUARE.fullmatch(end)))

    def after(self, critters: str, *labels: str, **rest: Any) -> str:
        """The critters after the labels, as `listed` has them."""
        return self.view(listed(self.position(critters, *labels, **rest)))

    def score(self, critters: str, *labels: str, **rest: Any) -> str:
        """The score after the labels, this side's first."""
        score = fields(self.position(critters, *labels, **rest)).score.split(":")
        return ":".join(reversed(score) if self.index else score)
