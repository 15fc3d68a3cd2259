"""Pachessi and Grand Pachessi written for reading, not for speed: the oracle of their tests.

It shares no code with the package and follows the rules page sentence by sentence: most functions
name the section of that page, and the sentence in it, that they carry out. Squares are pairs of
file and rank counted from 0, pieces know where they are, and nothing is precomputed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

from .position import IllegalMove, Reference, bad

Square = tuple[int, int]

# Variant: the defaults of size, hole and grand.
VARIANTS = {"pachessi": (7, 3, False), "grand_pachessi": (11, 5, True)}
GREATEST_SIZE = 26
OPTIONS = (
    "players",
    "first",
    "grand",
    "size",
    "hole",
    "elephant_range",
    "grace",
    "laps",
    "first_dice",
    "dice",
    "bear_off",
    "grace_move",
    "raja_range",
)

# The players in turn order: play runs counterclockwise round the seats.
COLOURS = {2: ("black", "yellow"), 4: ("black", "green", "yellow", "red")}

# The letters in the order in which they start from the corner, and are written.
LETTERS = "REHS"
LETTERS_WITHOUT_SHIPS = "REH"
PIECE_OF_DIE = {1: "S", 2: "H", 3: "E", 4: "R", 5: "R"}
ANY_PIECE = 6

ORTHOGONAL = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
KNIGHT = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
CAMEL = ((1, 3), (3, 1), (3, -1), (1, -3), (-1, -3), (-3, -1), (-3, 1), (-1, 3))

FIRST_ROLL, GRACE, CHOICE = "i", "g", "c"
DICE_OF_ROLL = {FIRST_ROLL: 2, GRACE: 1}


@dataclass
class Piece:
    """One piece; on no square it is borne off or taken."""

    owner: int
    letter: str
    home: Square
    square: Square | None
    laps: int = 0
    born_off: bool = False

    @property
    def taken(self) -> bool:
        """Whether it waits to enter."""
        return self.square is None and not self.born_off

    @property
    def place(self) -> str:
        """Labels and position text: the square, ``@`` taken, ``*`` borne off."""
        if self.square is not None:
            return square_name(self.square)
        return "*" if self.born_off else "@"

    @property
    def text(self) -> str:
        """Position text: letter, place, and laps for a piece on the board."""
        laps = "" if self.square is None else f":{self.laps}"
        return f"{self.letter}{self.place}{laps}"


@dataclass(frozen=True)
class Use:
    """One use of a die: a move, an entry, or to bear off, which has no target."""

    die: int
    piece: Piece
    target: Square | None

    @property
    def label(self) -> str:
        """A turn: ``2:Hc7-b5``, enter ``6:R@-a7``, bear off ``4:Ra7-off``."""
        target = "off" if self.target is None else square_name(self.target)
        return f"{self.die}:{self.piece.letter}{self.piece.place}-{target}"


def square_name(square: Square) -> str:
    """Words: squares are named by file letter and rank number."""
    return f"{chr(ord('a') + square[0])}{square[1] + 1}"


def moved(square: Square, dx: int, dy: int) -> Square:
    """The square some files to the right and some ranks up, which need not exist."""
    return square[0] + dx, square[1] + dy


@dataclass(frozen=True)
class Board:
    """A square board with a square hole in the middle."""

    size: int
    hole: int

    def exists(self, square: Square) -> bool:
        """Moves: which squares exist."""
        on_the_board = all(0 <= c < self.size for c in square)
        return on_the_board and not all(self._width <= c < self.size - self._width for c in square)

    @property
    def _width(self) -> int:
        return (self.size - self.hole) // 2

    def allows(self, square: Square, dx: int, dy: int) -> bool:
        """Moves: the prohibitions of the quadrants in which the start square lies."""
        x, y = square
        width, size = self._width, self.size
        north = y >= size - width and y >= x and x + y >= size - 1
        west = x < width and x <= y and x + y <= size - 1
        south = y < width and y <= x and x + y <= size - 1
        east = x >= size - width and x >= y and x + y >= size - 1
        return not (
            (north and dx > 0) or (west and dy > 0) or (south and dx < 0) or (east and dy < 0)
        )

    def home(self, colour: str, letter: str) -> Square:
        """Start rows: from the player's corner, in the order R E H S."""
        last = self.size - 1
        corner, (dx, dy) = {
            "black": ((0, last), (1, 0)),
            "green": ((0, 0), (0, 1)),
            "yellow": ((last, 0), (-1, 0)),
            "red": ((last, last), (0, -1)),
        }[colour]
        steps = LETTERS.index(letter)
        return moved(corner, dx * steps, dy * steps)

    def _from_centre(self, square: Square) -> tuple[int, int]:
        """Where the square is from the centre, in half squares."""
        return 2 * square[0] - (self.size - 1), 2 * square[1] - (self.size - 1)

    def turn(self, start: Square, end: Square) -> tuple[int, int]:
        """How end lies as seen from the centre with start straight ahead: so far on, so far left.

        Both are multiplied by the same positive number, to keep them whole.
        """
        (x, y), (u, v) = self._from_centre(start), self._from_centre(end)
        return x * u + y * v, x * v - y * u

    def angle(self, home: Square, square: Square) -> Fraction:
        """Laps: a number from 0 up to 4 that grows with the counterclockwise angle from home."""
        ahead, left = self.turn(home, square)
        part = Fraction(left, abs(ahead) + abs(left))
        if ahead < 0:
            return 2 - part
        return part if left >= 0 else 4 + part

    def laps_gained(self, home: Square, start: Square, end: Square) -> int:
        """Laps: up by one when a move reaches home counterclockwise, down when it goes below 0."""
        ahead, left = self.turn(start, end)
        before, after = self.angle(home, start), self.angle(home, end)
        # Straight through the centre counts as counterclockwise.
        if left > 0 or (left == 0 and ahead < 0):
            return int(after < before)
        return -int(after > before)


@dataclass(frozen=True)
class Options:
    """The options with their defaults filled in."""

    players: int
    first: int
    grand: bool
    board: Board
    elephant_range: int
    grace: bool
    laps: int
    first_dice: int
    uses_both: bool
    may_stay: bool
    may_leave_grace: bool
    by_lot: bool
    team_chooses: bool
    raja_range: int

    @property
    def colours(self) -> tuple[str, ...]:
        """The players' colours in turn order."""
        return COLOURS[self.players]

    @property
    def letters(self) -> str:
        """Four players, and Other boards: no Ships with four players unless Grand."""
        return LETTERS if self.players == 2 or self.grand else LETTERS_WITHOUT_SHIPS

    @property
    def faces(self) -> tuple[int, ...]:
        """Roll: with four players and no Ships a die never shows 1."""
        return (1, 2, 3, 4, 5, 6) if "S" in self.letters else (2, 3, 4, 5, 6)


def whole_number(name: str, value: Any, least: int, greatest: int) -> int:
    """Return the option's value, or raise a ValueError."""
    if type(value) is not int or not least <= value <= greatest:
        raise ValueError(f"option {name}: {value!r} is no integer from {least} to {greatest}")
    return value


def checked_options(
    variant: str,
    players: Any = 2,
    first: Any = "black",
    grand: Any = None,
    size: Any = None,
    hole: Any = None,
    elephant_range: Any = None,
    grace: Any = True,
    laps: Any = 1,
    first_dice: Any = 2,
    dice: Any = "each",
    bear_off: Any = "forced",
    grace_move: Any = "forced",
    raja_range: Any = None,
) -> Options:
    """Fill in the variant's defaults; a ValueError for what is impossible."""
    if variant not in VARIANTS:
        raise ValueError(f"no variant {variant!r}; there are {', '.join(VARIANTS)}")
    usual_size, usual_hole, usual_grand = VARIANTS[variant]
    if type(players) is not int or players not in COLOURS:
        raise ValueError(f"option players: {players!r} is neither 2 nor 4")
    if first not in (*COLOURS[players], "lot", "team"):
        raise ValueError(f"option first: {first!r} is none of {', '.join(COLOURS[players])}")
    grand = usual_grand if grand is None else grand
    if type(grand) not in (bool, int) or grand not in (0, 1):
        raise ValueError(f"option grand: {grand!r} is neither True nor False")
    size = whole_number("size", usual_size if size is None else size, 1, GREATEST_SIZE)
    hole = whole_number("hole", usual_hole if hole is None else hole, 1, GREATEST_SIZE)
    if (size - hole) % 2 or size - hole < 4:
        raise ValueError(
            f"option hole: {hole} leaves no even ring, two wide or more, of size {size}"
        )
    usual_range = (size - 1) // 2
    elephant_range = usual_range if elephant_range is None else elephant_range
    whole_number("elephant_range", elephant_range, 1, GREATEST_SIZE - 1)
    raja_range = 1 + int(grand) if raja_range is None else raja_range
    whole_number("raja_range", raja_range, 1, GREATEST_SIZE - 1)
    if type(grace) not in (bool, int) or grace not in (0, 1):
        raise ValueError(f"option grace: {grace!r} is neither True nor False")
    whole_number("laps", laps, 1, 3)
    whole_number("first_dice", first_dice, 1, 2)
    for name, value, values in (
        ("dice", dice, ("each", "all")),
        ("bear_off", bear_off, ("forced", "free")),
        ("grace_move", grace_move, ("forced", "free")),
    ):
        if value not in values:
            raise ValueError(f"option {name}: {value!r} is neither {' nor '.join(values)}")
    by_lot = first in ("lot", "team")
    start = 0 if by_lot else COLOURS[players].index(first)
    return Options(
        players,
        start,
        bool(grand),
        Board(size, hole),
        elephant_range,
        bool(grace),
        laps,
        first_dice,
        dice == "all",
        bear_off == "free",
        grace_move == "free",
        by_lot,
        first == "team" and players == 4,
        raja_range,
    )


class ReferencePosition(Reference):
    """One game, with the interface of the package's ``Position``."""

    options: Options
    pieces: list[Piece]
    dice: list[int]
    roll: str
    captured: bool
    turns: int
    lot_due: bool

    def __init__(self, variant: str, **options: Any) -> None:
        """Set up the start position."""
        for name in options:
            if name not in OPTIONS:
                raise ValueError(f"option {name!r}: unknown; there are {', '.join(OPTIONS)}")
        self.options = checked_options(variant, **options)
        self.pieces = [
            Piece(owner, letter, home, home)
            for owner, colour in enumerate(self.options.colours)
            for letter in self.options.letters
            for home in [self.options.board.home(colour, letter)]
        ]
        self.mover = self.options.first
        self.dice = []
        self.roll = FIRST_ROLL
        self.captured = False
        self.turns = 0
        self.lot_due = self.options.by_lot

    def copy(self) -> ReferencePosition:
        """Return an independent copy."""
        twin = object.__new__(ReferencePosition)
        twin.options = self.options
        twin.pieces = [replace(piece) for piece in self.pieces]
        twin.mover, twin.roll = self.mover, self.roll
        twin.dice = list(self.dice)
        twin.captured, twin.turns = self.captured, self.turns
        twin.lot_due = self.lot_due
        return twin

    # ------------------------------------------------------------------ what is public

    @property
    def text(self) -> str:
        """Position text: ``pieces mover dice roll turns``."""
        dice = ",".join(map(str, self.dice)) or "-"
        roll = self.roll + "+" * (self.captured and bool(self.dice))
        return f"{self._pieces_text} {self._colour} {dice} {roll} {self.turns}"

    @property
    def _pieces_text(self) -> str:
        players = range(self.options.players)
        return "/".join(",".join(piece.text for piece in self._army(p)) for p in players)

    @property
    def _colour(self) -> str:
        return "lot" if self.lot_due else self.options.colours[self.mover]

    @property
    def is_over(self) -> bool:
        """A turn: the first player with every piece borne off wins."""
        return self._has_borne_off_all(self.mover)

    @property
    def is_chance(self) -> bool:
        """Position text: without dice a roll is due, unless a player chooses who begins."""
        return not self.is_over and not self.dice and self.roll != CHOICE

    @property
    def returns(self) -> tuple[float, ...] | None:
        """A turn: the winner wins with its team."""
        if not self.is_over:
            return None
        players = range(self.options.players)
        return tuple(1.0 if self._same_side(player, self.mover) else -1.0 for player in players)

    def legal_moves(self) -> list[str]:
        """The distinct labels that may be played now, sorted."""
        if self.is_over:
            return []
        if self.lot_due:
            return sorted(self.options.colours)
        if self.is_chance:
            return sorted(map(roll_label, self._outcomes()))
        if self.roll == CHOICE:
            return sorted(self.options.colours[self.mover % 2 :: 2])
        uses = self._legal_uses()
        # A turn, step 2: if no remaining die can be used, pass is the only action.
        return sorted({use.label for use in uses} | ({"pass"} if self._may_pass(uses) else set()))

    def _may_pass(self, uses: list[Use]) -> bool:
        """If nothing is usable; Options: dice that can only bear off, and grace dice."""
        can_only_bear_off = all(use.target is None for use in uses)
        return (
            not uses
            or (self.options.may_stay and can_only_bear_off)
            or (self.options.may_leave_grace and self.roll == GRACE)
        )

    def _legal_uses(self) -> list[Use]:
        """All uses; Options: only those that let both dice be used, where some do, or that win."""
        uses = self._uses()
        if not self.options.uses_both or len(self.dice) < 2:
            return uses
        later = [(use, self._after(use)) for use in uses]
        if not any(
            self._is_due(use) and any(map(then._is_due, then._uses())) for use, then in later
        ):
            return uses
        return [use for use, then in later if then.is_over or then._uses()]

    def _is_due(self, use: Use) -> bool:
        """Whether a player has to use a die so if it has no other use."""
        return use.target is not None or not self.options.may_stay

    def _after(self, use: Use) -> ReferencePosition:
        then = self.copy()
        same = next(each for each in then._uses() if each.label == use.label)
        then._carry_out(same)
        return then

    def outcome_probability(self, label: str) -> Fraction:
        """Roll: every die shows each of its faces equally often."""
        if self.lot_due and label in self.options.colours:
            return Fraction(1, self.options.players)
        for outcome in self._outcomes() if self.is_chance and not self.lot_due else ():
            if roll_label(outcome) == label:
                orders = len(set(outcome))
                return Fraction(orders, len(self.options.faces) ** len(outcome))
        raise IllegalMove(f"{label!r} is no outcome here")

    def _play(self, label: str) -> None:
        if self.lot_due:
            self.mover, self.lot_due = self.options.colours.index(label), False
            self.roll = CHOICE if self.options.team_chooses else FIRST_ROLL
        elif self.is_chance:
            self.dice = [int(die) for die in label.split(" ")[1:]]
        elif self.roll == CHOICE:
            self.mover, self.roll = self.options.colours.index(label), FIRST_ROLL
        elif label == "pass":
            self.dice = []
            self._finish_roll()
        else:
            self._carry_out(next(use for use in self._uses() if use.label == label))

    # ------------------------------------------------------------------ players and pieces

    def _army(self, player: int) -> list[Piece]:
        return [piece for piece in self.pieces if piece.owner == player]

    def _has_borne_off_all(self, player: int) -> bool:
        return all(piece.born_off for piece in self._army(player))

    def _raja_is_taken(self, player: int) -> bool:
        return any(piece.taken for piece in self._army(player) if piece.letter == "R")

    @staticmethod
    def _same_side(player: int, other: int) -> bool:
        """Black and Yellow play as a team against Green and Red; two players are no team."""
        return player % 2 == other % 2

    def _piece_on(self, square: Square) -> Piece | None:
        return next((piece for piece in self.pieces if piece.square == square), None)

    # ------------------------------------------------------------------ the dice

    def _outcomes(self) -> Iterator[tuple[int, ...]]:
        """A turn, steps 1 and 3: two dice, the smaller first, or one grace die."""
        return combinations_with_replacement(self.options.faces, self._number_of_dice)

    @property
    def _number_of_dice(self) -> int:
        """Of the roll that is due or has been made; Options: the game's first may be of one."""
        if self.roll == CHOICE:
            return 0
        is_first = self.roll == FIRST_ROLL and self.turns == 0
        return self.options.first_dice if is_first else DICE_OF_ROLL[self.roll]

    def _uses(self) -> list[Use]:
        """A turn, step 2: all uses of the remaining dice."""
        return [
            Use(die, piece, target)
            for die in self.dice
            for piece in self._pieces_for(die)
            for target in self._targets(piece)
        ]

    def _pieces_for(self, die: int) -> list[Piece]:
        """A turn, step 2: the pieces that the die's number stands for when it is used.

        While a player's Raja is taken, that is all that may be moved.
        """
        left = [piece for piece in self._army(self.mover) if not piece.born_off]
        named = [piece for piece in left if piece.letter == PIECE_OF_DIE.get(die)]
        # The number of a piece that has been borne off counts as 6.
        usable = left if die == ANY_PIECE or not named else named
        if self._raja_is_taken(self.mover):
            return [piece for piece in usable if piece.letter == "R"]
        return usable

    def _targets(self, piece: Piece) -> list[Square | None]:
        """A turn, step 2: move, enter, or bear off (None)."""
        if piece.square is None:
            return [piece.home] if self._may_enter(piece) else []
        targets: list[Square | None] = [*self._moves(piece, piece.square)]
        if piece.square == piece.home and piece.laps >= self.options.laps:
            targets.append(None)
        return targets

    def _carry_out(self, use: Use) -> None:
        """Use the die; then the game is over, the roll finished, or other dice remain."""
        self.dice.remove(use.die)
        self._displace(use.piece, use.target)
        if not self.is_over and not self.dice:
            self._finish_roll()

    def _displace(self, piece: Piece, target: Square | None) -> None:
        """Put the piece on its target, or off the board, and take what stands there."""
        start, piece.square = piece.square, target
        if target is None:
            piece.born_off = True
            return
        if start is None:
            piece.laps = 0
        else:
            piece.laps += self.options.board.laps_gained(piece.home, start, target)
        for victim in self.pieces:
            if victim.square == target and victim is not piece:
                self._take(victim)

    def _take(self, victim: Piece) -> None:
        """A taken piece leaves the board; one's own, taken by the Raja, earns no grace die."""
        victim.square = None
        self.captured |= self.options.grace and victim.owner != self.mover

    def _finish_roll(self) -> None:
        """A turn, step 3: a grace die for a capture, else the next player's turn."""
        if self.captured:
            self.roll = GRACE
        else:
            self.roll = FIRST_ROLL
            self.mover = (self.mover + 1) % self.options.players
            self.turns += 1
        self.captured = False

    # ------------------------------------------------------------------ where pieces can go

    def _may_enter(self, piece: Piece) -> bool:
        """A turn: a friendly piece on the starting square blocks, but a piece of its own a Raja."""
        occupant = self._piece_on(piece.home)
        if occupant is not None and occupant.owner == piece.owner:
            return piece.letter == "R"
        return self._may_land(piece.owner, piece.home)

    def _may_land(self, player: int, square: Square) -> bool:
        """Moves: on an enemy, or on a team-mate whose Raja is taken, but not on one's own side."""
        occupant = self._piece_on(square)
        if occupant is None:
            return True
        if occupant.owner == player:
            return False
        return not self._same_side(occupant.owner, player) or self._raja_is_taken(occupant.owner)

    def _moves(self, piece: Piece, start: Square) -> list[Square]:
        """Moves: what is in reach, may be landed on, and is not forbidden by the start square."""
        return [
            square
            for square in self._in_reach(piece.letter, start)
            if self._may_land(piece.owner, square)
            and self.options.board.allows(start, square[0] - start[0], square[1] - start[1])
        ]

    def _in_reach(self, letter: str, start: Square) -> list[Square]:
        """The table of the pieces, on this board among these pieces."""
        match letter:
            case "R":
                return self._slides(start, ORTHOGONAL + DIAGONAL, self.options.raja_range)
            case "E":
                return self._slides(start, ORTHOGONAL, self.options.elephant_range)
            case "H":
                return self._leaps(start, KNIGHT + CAMEL if self.options.grand else KNIGHT)
            case _:
                return self._slides(start, DIAGONAL, self.options.board.size)

    def _leaps(self, start: Square, leaps: tuple[tuple[int, int], ...]) -> list[Square]:
        """Moves: Horses leap."""
        squares = [moved(start, dx, dy) for dx, dy in leaps]
        return [square for square in squares if self.options.board.exists(square)]

    def _slides(
        self, start: Square, directions: tuple[tuple[int, int], ...], most: int
    ) -> list[Square]:
        """Moves: sliders need every square on the way to exist and be empty."""
        found = []
        for dx, dy in directions:
            for steps in range(1, most + 1):
                square = moved(start, dx * steps, dy * steps)
                if not self.options.board.exists(square):
                    break
                found.append(square)
                if self._piece_on(square) is not None:
                    break
        return found

    # ------------------------------------------------------------------ reading a text

    def _read(self, text: str) -> None:
        """Position text: take every field over and refuse what cannot be."""
        fields = text.split(" ")
        if len(fields) != 5:
            raise bad("text", f"has {len(fields)} fields separated by single spaces, not 5")
        pieces, mover, dice, roll, turns = fields
        self._read_pieces(pieces)
        self.lot_due = mover == "lot" and self.options.by_lot
        if mover not in self.options.colours and not self.lot_due:
            raise bad("mover", f"{mover!r} is none of {', '.join(self.options.colours)}")
        self.mover = 0 if self.lot_due else self.options.colours.index(mover)
        self.dice = self._read_dice(dice)
        self._read_roll(roll)
        self.turns = read_number("turns", turns)
        if self.turns < 0:
            raise bad("turns", f"{turns} is less than 0")
        if len(self.dice) + self.captured > self._number_of_dice:
            raise bad("dice", f"there are too many for the roll {roll}")
        self._refuse_impossible_ends()

    def _read_pieces(self, field: str) -> None:
        """Position text: each player's pieces, all of them and in order; no two on a square."""
        armies = field.split("/")
        if len(armies) != self.options.players:
            raise bad("pieces", f"of {len(armies)} players, not {self.options.players}")
        for player, text in enumerate(armies):
            words = text.split(",")
            if len(words) != len(self.options.letters):
                raise bad("pieces", f"{text!r} has {len(words)}, not {len(self.options.letters)}")
            for piece, word in zip(self._army(player), words, strict=True):
                self._read_piece(piece, word)
        standing = [piece.square for piece in self.pieces if piece.square is not None]
        if len(standing) != len(set(standing)):
            raise bad("pieces", "there are two on one square")

    def _read_piece(self, piece: Piece, word: str) -> None:
        """Position text: letter, square and laps; ``@`` taken; ``*`` borne off."""
        match = re.fullmatch(r"([REHS])(?:([@*])|([a-z])([1-9][0-9]?):(-?[0-9]+))", word)
        if match is None or match[1] != piece.letter:
            raise bad("pieces", f"{word!r} does not say where a {piece.letter} is")
        piece.square, piece.born_off, piece.laps = None, match[2] == "*", 0
        if match[2]:
            return
        piece.square = ord(match[3]) - ord("a"), int(match[4]) - 1
        if not self.options.board.exists(piece.square):
            raise bad("pieces", f"{word!r} is on a square that does not exist")
        # On the usual boards laps never fall below -1, but on others there is no least number.
        piece.laps = read_number("pieces", match[5])

    def _read_dice(self, field: str) -> list[int]:
        """Position text: remaining dice, ascending, ``-`` when a roll is due."""
        if field == "-":
            return []
        faces = "".join(map(str, self.options.faces))
        if not re.fullmatch(f"[{faces}](,[{faces}])?", field):
            raise bad("dice", f"{field!r} is neither - nor one or two dice that show {faces}")
        dice = [int(die) for die in field.split(",")]
        if dice != sorted(dice):
            raise bad("dice", f"{field!r} is not in ascending order")
        return dice

    def _read_roll(self, field: str) -> None:
        """Position text: ``i``, ``i+`` or ``g``; ``g+`` never occurs."""
        if field == CHOICE and self.options.team_chooses and not self.dice and not self.lot_due:
            self.roll, self.captured = field, False
            return
        if field not in ("i", "i+", "g"):
            raise bad("roll", f"{field!r} is not i, i+ or g")
        if self.lot_due and (field != "i" or self.dice):
            raise bad("roll", "a lot is due")
        self.roll, self.captured = field[0], field.endswith("+")
        if self.captured and len(self.dice) != 1:
            raise bad("roll", "+ needs exactly one die left")
        if not self.options.grace and field != "i":
            raise bad("roll", "no capture earns a grace die")

    def _refuse_impossible_ends(self) -> None:
        """Position text: only the mover can have won, and only by using a die."""
        for player, colour in enumerate(self.options.colours):
            has_begun = not self.lot_due and self.roll != CHOICE
            if (player != self.mover or not has_begun) and self._has_borne_off_all(player):
                raise bad("mover", f"is not {colour}, who has borne off every piece")
        if self.is_over and len(self.dice) == self._number_of_dice:
            raise bad("dice", "none is used, but the mover has borne off every piece")


# ---------------------------------------------------------------------- labels and text


def roll_label(dice: tuple[int, ...]) -> str:
    """A turn: ``roll 2 6``, smaller first, or ``roll 4``."""
    return " ".join(["roll", *map(str, dice)])


def read_number(field: str, text: str) -> int:
    """Words: no leading zeros; at most nine digits."""
    if not re.fullmatch("0|-?[1-9][0-9]{0,8}", text):
        raise bad(field, f"{text!r} is no plain number of at most nine digits")
    return int(text)
