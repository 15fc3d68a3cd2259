"""The inventor's diagrams and examples."""

from pasgl_env import Position

from ...rows import rows
from .diagrams import GRAND, PACHESSI, SIX_BY_SIX, SIX_BY_SIX_START, cells, forbidden, targets
from .positions import COLOURS, Seat, fields, place, point

START_OF_TWO = """
 7 | R | E | H | S |   |   |   |
 6 |   |   |   |   |   |   |   |
 5 |   |   |           |   |   |
 4 |   |   | PACHESSI  |   |   |
 3 |   |   |           |   |   |
 2 |   |   |   |   |   |   |   |
 1 |   |   |   | s | h | e | r |
"""
START_OF_FOUR = """
 7 | R | E | H |   |   |   |*R*|
 6 |   |   |   |   |   |   |*E*|
 5 |   |   |           |   |*H*|
 4 |   |   | PACHESSI  |   |   |
 3 |*h*|   |           |   |   |
 2 |*e*|   |   |   |   |   |   |
 1 |*r*|   |   |   | h | e | r |
"""
GRAND_START = """
 11 | R | E | H | S |   |   |   |   |   |   |*R*|
 10 |   |   |   |   |   |   |   |   |   |   |*E*|
  9 |   |   |   |   |   |   |   |   |   |   |*H*|
  8 |   |   |   |                   |   |   |*S*|
  7 |   |   |   |                   |   |   |   |
  6 |   |   |   |     PACHESSI      |   |   |   |
  5 |   |   |   |                   |   |   |   |
  4 |*s*|   |   |                   |   |   |   |
  3 |*h*|   |   |   |   |   |   |   |   |   |   |
  2 |*e*|   |   |   |   |   |   |   |   |   |   |
  1 |*r*|   |   |   |   |   |   | s | h | e | r |
"""
MOVES = """
 7 |   | s |   |   | r | r |   |
 6 |   |   | S |   | r | R |   |
 5 |   | s |           | e |   |
 4 | s |   | PACHESSI  | e |   |
 3 |   | H |           | e |   |
 2 |   |   |   | h |   | E | e |
 1 | h |   | h |   |   |   |   |
"""
GRAND_MOVES = """
 11 |   | s |   |   |   |   | r |   | r |   |   |
 10 |   |   | s |   |   |   |   | r | r |   |   |
  9 |   |   |   | S |   |   | r | r | R |   |   |
  8 |   |   | s |                   | e |   |   |
  7 |   | s |   |                   | e |   |   |
  6 | s |   |   |                   | e |   |   |
  5 |   |   |   |                   | e |   |   |
  4 |   |   | H |                   | e |   |   |
  3 | h |   |   |   | h | h |   |   | E | e | e |
  2 |   | h |   | h |   |   |   |   |   |   |   |
  1 |   | h |   | h |   |   |   |   |   |   |   |
"""
OWNERS = {("R", 3): "red", ("R", 1): "black", ("r", 3): "green", ("r", 1): "yellow"}


def start_text(diagram, players):
    """The start's text: letters say the colour by case and asterisks, as the inventor has them."""
    pieces: dict[str, dict[str, str]] = {colour: {} for colour in COLOURS[4]}
    for where, cell in cells(diagram):
        if cell:
            letter = cell.strip("*")
            colour = OWNERS["R" if letter.isupper() else "r", len(cell)]
            pieces[colour][letter.upper()] = where
    words = [
        " ".join(letter + pieces[colour][letter] for letter in "REHS" if letter in pieces[colour])
        for colour in COLOURS[players]
    ]
    return place(*words, letters="REHS" if "S" in pieces["black"] else "REH")


@rows(
    ("diagram", "variant", "options"),
    [
        (START_OF_TWO, "pachessi", {"players": 2}),
        (START_OF_FOUR, "pachessi", {"players": 4}),
        (GRAND_START, "grand_pachessi", {"players": 2}),
        (GRAND_START, "grand_pachessi", {"players": 4}),
        (SIX_BY_SIX_START, "pachessi", {"size": 6, "hole": 2, "players": 4, "grand": True}),
    ],
)
def test_ruling_6_two_play_black_against_yellow(diagram, variant, options):
    """Ruling 6: two play Black against Yellow, on the Grand board, too."""
    assert Position(variant, **options).text == start_text(diagram, options["players"])


@rows(
    ("chart", "variant", "options", "elephant_range"),
    [
        (PACHESSI, "pachessi", {}, 3),
        (GRAND, "grand_pachessi", {}, 5),
        (PACHESSI, "pachessi", {"grand": True}, 3),
        (GRAND, "grand_pachessi", {"grand": False}, 5),
        (SIX_BY_SIX, "pachessi", {"size": 6, "hole": 2}, 2),
        (SIX_BY_SIX, "grand_pachessi", {"size": 6, "hole": 2}, 2),
    ],
)
@rows("letter", "REHS")
def test_quadrants_forbid_moves_as_charted(chart, variant, options, elephant_range, letter):
    seat = Seat(2, "black", variant, **options)
    grand = options.get("grand", variant == "grand_pachessi")
    for start, _ in cells(chart):
        expected = targets(chart, letter, start, grand=grand, elephant_range=elephant_range)
        assert (start, seat.targets(letter + start)) == (start, expected)


@rows(("diagram", "variant"), [(MOVES, "pachessi"), (GRAND_MOVES, "grand_pachessi")])
@rows("colour", COLOURS[2])
def test_examples_of_movement(diagram, variant, colour):
    pieces = {cell: where for where, cell in cells(diagram) if cell.isupper()}
    expected = sorted(
        f"6:{cell.upper()}{pieces[cell.upper()]}-{where}"
        for where, cell in cells(diagram)
        if cell.islower()
    )
    words = " ".join(letter + where for letter, where in pieces.items())
    players = [words, ""] if colour == "black" else ["", words]
    text = place(*players, mover=colour, dice="6")
    assert Position.from_text(variant, text).legal_moves() == expected


def is_clockwise(start, end, quadrants):
    """Back round the centre, d4, and as the quadrant of arrival forbids it."""
    (x, y), (end_x, end_y) = ((a - 3, b - 3) for a, b in map(point, (start, end)))
    back = x * end_y - y * end_x < 0
    return back and forbidden(quadrants[end], end_x - x, end_y - y)


def test_only_elephant_and_raja_move_clockwise_and_only_next_to_the_corners():
    """The inventor's minor exceptions."""
    seat, quadrants = Seat(2, "black"), dict(cells(PACHESSI))
    clockwise = {
        letter + start
        for letter in "REHS"
        for start in quadrants
        for end in seat.targets(letter + start).split()
        if is_clockwise(start, end, quadrants)
    }
    assert clockwise == {letter + start for letter in "ER" for start in ("b1", "g2", "f7", "a6")}


@rows(
    ("start", "back"),
    [("a6", "b6 c6 d6"), ("f7", "f4 f5 f6"), ("g2", "d2 e2 f2"), ("b1", "b2 b3 b4")],
)
def test_minor_exceptions(start, back):
    seat = Seat(2, "black")
    assert set(back.split()) < set(seat.targets(f"E{start}").split())
    assert set(back.split()) & set(seat.targets(f"R{start}").split())


# "Other Boards".


@rows(
    ("size", "hole", "elephant"),
    [
        (8, 4, "d1 e1 f1"),
        (9, 3, "d1 e1 f1 g1"),
        (10, 4, "d1 e1 f1 g1"),
        (11, 5, "d1 e1 f1 g1 h1"),
    ],
)
def test_boards_that_the_inventor_tried(size, hole, elephant):
    seat = Seat(2, "black", size=size, hole=hole)
    along = [end for end in seat.targets("Ec1").split() if end[1:] == "1"]
    assert " ".join(along) == elephant


@rows(("size", "hole"), [(8, 4), (10, 4), (9, 3), (11, 5)])
def test_start_of_other_boards(size, hole):
    start = fields(Position("pachessi", size=size, hole=hole, players=4)).pieces
    last = "abcdefghijk"[size - 1]
    assert start.split("/") == [
        f"Ra{size}:0,Eb{size}:0,Hc{size}:0",
        "Ra1:0,Ea2:0,Ha3:0",
        f"R{last}1:0,E{'abcdefghijk'[size - 2]}1:0,H{'abcdefghijk'[size - 3]}1:0",
        f"R{last}{size}:0,E{last}{size - 1}:0,H{last}{size - 2}:0",
    ]
