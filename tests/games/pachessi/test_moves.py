"""Rules, "Moves": how pieces go, and what is in their way."""

from ...rows import rows
from .positions import Seat


@rows(
    ("piece", "targets"),
    [
        ("Ra4", "a3 b3 b4"),
        ("Ra5", "a4 b4 b5"),
        ("Rb5", "a4 a5 b4"),
        ("Rd7", "c6 c7 d6"),
        ("Rd6", "c6 c7 d7"),
        ("Rb6", "a5 a6 b5"),
        ("Ra7", "a6"),
        ("Ec1", "c2 d1 e1 f1"),
        ("Ea5", "a2 a3 a4 b5"),
        ("Eg1", "g2 g3 g4"),
        ("Ef6", "c6 d6 e6 f7"),
        ("Hd7", "b6"),
        ("He6", "c7"),
        ("Hg4", "f6"),
        ("Hc1", "e2"),
        ("Ha1", ""),
        ("Hf2", "g4"),
        ("Hb6", "a4"),
        ("Hf4", "e6 g6"),
    ],
)
def test_lone_piece(seat, piece, targets):
    assert seat.targets(piece) == targets


@rows(
    ("piece", "targets"),
    [
        ("Sd1", "e2 f3 g4"),
        ("Sd2", "e1"),
        ("Sf3", "g4"),
        ("Se1", "f2 g3"),
        ("Sg3", "f4"),
        ("Sb2", "c1"),
        ("Sa7", ""),
        ("Sc6", "a4 b5 b7"),
    ],
)
def test_lone_ship(seat_of_two, piece, targets):
    assert seat_of_two.targets(piece) == targets


@rows(
    ("piece", "way", "own", "enemy"),
    [
        ("Ef2", "f4", "f3 g2", "f3 f4 g2"),
        ("Ef2", "f3", "g2", "f3 g2"),
        ("Ef2", "g2", "f3 f4 f5", "f3 f4 f5 g2"),
        ("Ra4", "b3", "a3 b4", "a3 b3 b4"),
        ("Hb3", "c1", "a1 d2", "a1 c1 d2"),
        ("Hb3", "b2", "a1 c1 d2", "a1 c1 d2"),
        ("Hb3", "c2", "a1 c1 d2", "a1 c1 d2"),
    ],
)
def test_pieces_in_the_way(seat, piece, way, own, enemy):
    """Sliders need an empty way, Horses leap; no piece ends on a piece of its own side."""
    letter = "E" if piece[0] != "E" else "H"
    assert seat.targets(piece, me=letter + way) == own
    assert seat.targets(piece, foe=letter + way) == enemy
    if seat.players == 4:
        assert seat.targets(piece, friend=letter + way) == own
        assert seat.targets(piece, last=letter + way) == enemy


@rows(
    ("way", "own", "enemy"), [("e2", "", "e2"), ("f3", "e2", "e2 f3"), ("g4", "e2 f3", "e2 f3 g4")]
)
def test_pieces_in_the_ships_way(seat_of_two, way, own, enemy):
    assert seat_of_two.targets("Sd1", me=f"E{way}") == own
    assert seat_of_two.targets("Sd1", foe=f"E{way}") == enemy


# Grand Pachessi.


@rows("colour", ["black", "green", "yellow", "red"])
@rows(
    ("piece", "way", "own", "enemy"),
    [
        ("Ri9", "h10", "g9 h9 i10 i11", "g9 h10 h9 i10 i11"),
        ("Ri9", "g11", "g9 h10 h9 i10 i11", "g11 g9 h10 h9 i10 i11"),
        ("Ri9", "h9", "g11 h10 i10 i11", "g11 h10 h9 i10 i11"),
        ("Ri9", "i11", "g11 g9 h10 h9 i10", "g11 g9 h10 h9 i10 i11"),
        ("Rc6", "a1", "a4 a6 b5 b6 c4 c5", "a4 a6 b5 b6 c4 c5"),
        ("Ec1", "d1", "c2 c3 c4 c5 c6", "c2 c3 c4 c5 c6 d1"),
        ("Ec1", "c6", "c2 c3 c4 c5 d1 e1 f1 g1 h1", "c2 c3 c4 c5 c6 d1 e1 f1 g1 h1"),
        ("Hc4", "c3", "a3 b1 b2 d1 d2 e3 f3", "a3 b1 b2 d1 d2 e3 f3"),
        ("Hc4", "f3", "a3 b1 b2 d1 d2 e3", "a3 b1 b2 d1 d2 e3 f3"),
        ("Hc4", "d1", "a3 b1 b2 d2 e3 f3", "a3 b1 b2 d1 d2 e3 f3"),
        ("Hk11", "a1", "", ""),
        ("Sd9", "c8", "b11 c10", "b11 c10 c8"),
        ("Sd9", "b7", "b11 c10 c8", "b11 b7 c10 c8"),
    ],
)
def test_grand_pieces_and_pieces_in_their_way(colour, piece, way, own, enemy):
    seat = Seat(4, colour, "grand_pachessi")
    letter = "E" if piece[0] != "E" else "H"
    assert seat.targets(piece, me=letter + way) == own
    assert seat.targets(piece, friend=letter + way) == own
    assert seat.targets(piece, foe=letter + way) == enemy
    assert seat.targets(piece, last=letter + way) == enemy


@rows(
    ("grand", "piece", "targets"),
    [
        (True, "Rb3", "a2 a3 b1 b2 c2 d1"),
        (False, "Rb3", "a2 a3 b2 c2"),
        (True, "Hb3", "a1 c1 d2 e2"),
        (False, "Hb3", "a1 c1 d2"),
        (True, "Eb3", "a3 b1 b2"),
        (True, "Sb3", "a2 c2 d1"),
    ],
)
def test_only_horses_cross_a_hole_of_one(seat, grand, piece, targets):
    small = Seat(seat.players, seat.colours[seat.index], size=5, hole=1, grand=grand)
    assert small.targets(piece) == targets
