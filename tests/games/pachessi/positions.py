"""Positions for the rules tests, in words: a piece's letter, where it is, and its laps unless 0.

    Ra7  Ec6:-1  H@  S*      Raja on a7, Elephant on c6 with laps -1, Horse taken, Ship borne off

Pieces that are not named have been borne off; of a player without any named, all are taken.

The rules are the same for all players. A test is written for Black, and a `Seat` plays it for the
others too: the squares turned round the centre, the players moved on round the table.
"""

from __future__ import annotations

import re
from string import ascii_lowercase
from typing import Any, NamedTuple

from pasgl_env import Position

COLOURS = {2: ("black", "yellow"), 4: ("black", "green", "yellow", "red")}
NAMES = {2: ("me", "foe"), 4: ("me", "foe", "friend", "last")}
SQUARE = re.compile(r"(?<![a-z])([a-z])([1-9]\d?)")
SIZES = {"pachessi": 7, "grand_pachessi": 11}


class Fields(NamedTuple):
    pieces: str
    mover: str
    dice: str
    roll: str
    turns: str


def fields(position: Position) -> Fields:
    return Fields(*position.text.split(" "))


def player_text(words: str, letters: str = "REHS") -> str:
    """One player's part of the field of pieces."""
    named = {word[0]: word for word in words.split()}
    assert set(named) <= set(letters), words
    absent = "*" if named else "@"
    pieces = [named.get(letter, letter + absent) for letter in letters]
    return ",".join(piece if re.search("[:@*]", piece) else f"{piece}:0" for piece in pieces)


def player_words(text: str) -> str:
    """The inverse of `player_text`."""
    pieces = [piece.removesuffix(":0") for piece in text.split(",")]
    return " ".join(piece for piece in pieces if not piece.endswith("*"))


def place(
    *players: str,
    mover: str = "black",
    dice: str = "-",
    roll: str = "i",
    turns: int | str = 0,
    letters: str = "REHS",
) -> str:
    """The position text with those pieces of each player, in player order."""
    pieces = "/".join(player_text(words, letters) for words in players)
    return f"{pieces} {mover} {dice} {roll} {turns}"


def square(x: int, y: int) -> str:
    return f"{ascii_lowercase[x]}{y + 1}"


def point(name: str) -> tuple[int, int]:
    return ascii_lowercase.index(name[0]), int(name[1:]) - 1


def turned(text: str, quarters: int, size: int) -> str:
    """The text with its squares turned counterclockwise by quarters of a circle."""

    def turn(match: re.Match[str]) -> str:
        x, y = point(match[0])
        for _ in range(quarters % 4):
            x, y = size - 1 - y, x
        return square(x, y)

    return SQUARE.sub(turn, text)


class Seat:
    """Plays tests that are written for Black as that player, and answers as if it were Black."""

    def __init__(self, players: int, colour: str, variant: str = "pachessi", **options: Any):
        self.players = players
        self.colours = COLOURS[players]
        self.index = self.colours.index(colour)
        self.variant = variant
        self.options = {"players": players, **options}
        self.size = options.get("size", SIZES[variant])
        self.quarters = self.index * 4 // players
        grand = options.get("grand", variant == "grand_pachessi")
        self.letters = "REHS" if players == 2 or grand else "REH"

    def __repr__(self) -> str:
        return f"{self.colours[self.index]} of {self.players}"

    def position(
        self,
        me: str,
        *labels: str,
        foe: str = "",
        friend: str = "",
        last: str = "",
        dice: str = "-",
        roll: str = "i",
        turns: int = 0,
    ) -> Position:
        """The position with this player to act, after the labels were played.

        Of four, the foe plays next, the friend after that.
        """
        others = (foe, friend, last)[: self.players - 1]
        assert self.players == 4 or not (friend or last)
        words = [turned(player, self.quarters, self.size) for player in (me, *others)]
        words = words[-self.index :] + words[: -self.index] if self.index else words
        mover = self.colours[self.index]
        text = place(*words, mover=mover, dice=dice, roll=roll, turns=turns, letters=self.letters)
        return self.play(Position.from_text(self.variant, text, **self.options), *labels)

    def play(self, position: Position, *labels: str) -> Position:
        for label in labels:
            position.play(turned(label, self.quarters, self.size))
        return position

    def labels(self, position: Position) -> str:
        """The legal labels, sorted."""
        return " ".join(
            sorted(turned(label, -self.quarters, self.size) for label in position.legal_moves())
        )

    def legal(self, me: str, *labels: str, **rest: Any) -> str:
        return self.labels(self.position(me, *labels, **rest))

    def targets(self, piece: str, *, me: str = "", **rest: Any) -> str:
        """Where that piece can go by a die that shows 6."""
        legal = self.legal(f"{piece} {me}", dice="6", **rest).split()
        start = f"6:{piece.partition(':')[0]}-"
        ends = [label.removeprefix(start) for label in legal if label.startswith(start)]
        return " ".join(sorted(ends))

    def pieces(self, position: Position, name: str = "me") -> str:
        """The pieces of me, foe, friend or last, in words."""
        player = (self.index + NAMES[self.players].index(name)) % self.players
        text = fields(position).pieces.split("/")[player]
        return player_words(turned(text, -self.quarters, self.size))

    def after(self, me: str, *labels: str, name: str = "me", **rest: Any) -> str:
        return self.pieces(self.position(me, *labels, **rest), name)

    def state(self, position: Position) -> str:
        """Mover, dice, roll and turns; the mover as me, foe, friend or last."""
        now = fields(position)
        player = (self.colours.index(now.mover) - self.index) % self.players
        return f"{NAMES[self.players][player]} {now.dice} {now.roll} {now.turns}"

    def then(self, me: str, *labels: str, **rest: Any) -> str:
        return self.state(self.position(me, *labels, **rest))

    def offset(self, position: Position) -> int | None:
        """Who acts, counted from this player; -1 and None as the position has them."""
        acts = position.to_move
        return acts if acts is None or acts < 0 else (acts - self.index) % self.players
