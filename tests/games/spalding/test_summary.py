"""The page of rules of Captain Spalding Chess says what the rules do."""

import re

import pytest

from pasgl_env import Position, render
from pasgl_env.games.spalding.names import KIND_NAMES
from pasgl_env.games.spalding.summary import MOVES

from .positions import FILES, place

ROW = re.compile(r"([A-Z].{13}) ([A-Z])  (.{9})  (.{9})  (.*)")
STEPS = {"W": (1, 0), "F": (1, 1), "D": (2, 0), "A": (2, 2)}
SQUARES = [file + rank for file in FILES for rank in "12345678"]


def page(**options: bool | str) -> str:
    return render.summary(Position("spalding", **options).ruleset)


def rows(**options: bool | str) -> dict[str, tuple[str, str, str]]:
    """Moves, captures, and what a piece comes out of, by its letter."""
    found = [ROW.fullmatch(line) for line in page(**options).splitlines()]
    return {row[2]: (row[3].strip(), row[4].strip(), row[5]) for row in found if row}


def goes(moves: str) -> set[tuple[int, int]]:
    """Where these moves in Betza's letters lead, for White, on an empty board."""
    return {place for move in moves.split() if move != "-" for place in goes_by(move)}


def goes_by(move: str) -> set[tuple[int, int]]:
    if move == "W-F":
        return goes("W") | {
            (x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if x * x != y * y
        }
    if move == "vR":
        return {(0, y) for y in range(-7, 8) if y}
    if move == "K":
        return goes("W F")
    step = STEPS[move[-1]]
    around = {(x * way, y * up) for x, y in (step, step[::-1]) for way in (1, -1) for up in (1, -1)}
    return {(x, y) for x, y in around if move[0] != "f" or y > abs(x)}


def squares_from_d4(places: set[tuple[int, int]]) -> set[str]:
    names = {f"{chr(ord('d') + x)}{4 + y}" for x, y in places if 0 <= 3 + x < 8 and 0 <= 3 + y < 8}
    return names & set(SQUARES)


def labels(pieces: str) -> list[str]:
    boxes = [box for box in ("Xa8", "xh8") if box[0] not in pieces]
    return Position.from_text("spalding", place(" ".join([pieces, *boxes]))).legal_moves()


def test_every_piece_has_a_row():
    assert len(rows()) == len(MOVES) == len(KIND_NAMES)
    assert "".join(rows()) == "XPJRHVWCMLNBED"


@pytest.mark.parametrize("letter", "XPJRHVWCMLNBED")
def test_pieces_move_as_it_says(letter):
    moves, captures, _ = rows()[letter]
    start = f"{letter}d4-"
    ends = {label.removeprefix(start) for label in labels(f"{letter}d4") if label.startswith(start)}
    assert ends == squares_from_d4(goes(moves))
    taken = {
        square
        for square in SQUARES
        if square not in ("d4", "a8", "h8")
        and f"{letter}d4x{square}" in labels(f"{letter}d4 c{square}")
    }
    assert taken == squares_from_d4(goes(captures))


def test_neutral_pieces_and_those_that_are_never_captured():
    assert "Neutral: Lint, Dust Bunny, Dust Demon." in page()
    assert page().endswith("Never captured: Dust Bunny.")
    safe = [letter for letter in "pjrhvwcmleNBD" if "Wd4xd5" not in labels(f"Wd4 {letter}d5")]
    assert safe == ["B"]


def test_what_pieces_come_out_of():
    assert {letter: found for letter, (_, _, found) in rows().items()} == {
        "X": "e1, d8 at the start",
        "P": "a1, h8 at the start",
        "J": "h1, a8 at the start",
        "R": "Box, once a game",
        "H": "Box, once a game",
        "V": "Box, one on a file",
        "W": "a Bat on its last rank",
        "C": "Box",
        "M": "a Crumb on one's own Crumb",
        "L": "Pajama, one at a time",
        "N": "Pajama",
        "B": "a Lint on a Lint; Great Pajama",
        "E": "Great Pajama, once a game",
        "D": "a Dust Bunny on a Dust Bunny",
    }


@pytest.mark.parametrize(
    ("option", "found"),
    [
        ("box_rhino", {"R": "nowhere"}),
        ("box_headless", {"H": "nowhere"}),
        ("box_bat", {"V": "nowhere"}),
        ("box_crumb", {"C": "nowhere", "M": "nowhere"}),
        ("pajama_elephant", {"L": "nowhere"}),
        ("pajama_lint", {"N": "nowhere", "B": "Great Pajama"}),
        ("great_elephant", {"E": "nowhere"}),
        ("great_bunny", {"B": "a Lint on a Lint", "D": "nowhere"}),
    ],
)
def test_what_is_not_in_the_game_is_found_nowhere(option, found):
    usual = rows()
    now = {
        letter: row[2] for letter, row in rows(**{option: False}).items() if row != usual[letter]
    }
    assert now == found


def test_what_only_one_player_may_find():
    found = rows(white_finds="-", black_finds="HE")
    assert [found[letter][2] for letter in "RHE"] == [
        "nowhere",
        "Black's Box, once a game",
        "Black's Great Pajama, once a game",
    ]


def test_how_each_sides_box_moves():
    assert rows(white_box="W", black_box="W")["X"] == ("W", "-", "e1, d8 at the start")
    text = page(white_box="W", black_box="F")
    assert "\nWhite's Box    X  W          -          e1 at the start\n" in text
    assert "\nBlack's Box    X  F          -          d8 at the start\n" in text
