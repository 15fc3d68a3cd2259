"""Rules, the table of pieces: where each moves and what it captures."""

from ...rows import rows

RING = "c3 c4 c5 d3 d5 e3 e4 e5".split()
OUTER_RING = "b2 b3 b4 b5 b6 c2 c6 d2 d6 e2 e6 f2 f3 f4 f5 f6".split()

# From d4: on an empty board, and with captures around it on all squares that are one step away, two
# steps, or both.
PIECES = {
    "X": ["c3 c4 c5 d3 d5 e3 e4 e5", "", "c3 c4 c5 d3 d5 e3 e4 e5", ""],
    "P": ["c3 c5 d5 e3 e5", "", "c3 c5 d5 e3 e5", ""],
    "J": ["b2 b6 c3 c5 d5 d6 e3 e5 f2 f6", "b2 b6 d6 f2 f6", "c3 c5 d5 e3 e5", ""],
    "R": [
        "b3 b5 c2 c4 c6 d3 d5 e2 e4 e6 f3 f5",
        "xc4 xd3 xd5 xe4",
        "xb3 xb5 xc2 c4 xc6 d3 d5 xe2 e4 xe6 xf3 xf5",
        "xc4 xd3 xd5 xe4",
    ],
    "H": [
        "b3 b5 c2 c4 c6 d3 d5 e2 e4 e6 f3 f5",
        "xc4 xd3 xd5 xe4",
        "c4 d3 d5 e4",
        "xc4 xd3 xd5 xe4",
    ],
    "V": ["d5", "xd5", "d5", "xd5"],
    "W": ["d1 d2 d3 d5 d6 d7 d8", "xc4 xd3 xd5 xe4", "d3 d5", "xc4 xd3 xd5 xe4"],
    "C": ["", "", "", ""],
    "M": ["", "", "", ""],
    "L": ["c3 c5 d5 e3 e5", "xc3 xc5 xd5 xe3 xe5", "c3 c5 d5 e3 e5", "xc3 xc5 xd5 xe3 xe5"],
    "N": ["", "", "", ""],
    "B": ["c3 c5 d5 e3 e5", "", "c3 c5 d5 e3 e5", ""],
    "E": [
        "b2 b6 c3 c5 d5 d6 e3 e5 f2 f6",
        "b2 b6 xc3 xc5 xd5 d6 xe3 xe5 f2 f6",
        "xb2 xb6 c3 c5 d5 xd6 e3 e5 xf2 xf6",
        "xb2 xb6 xc3 xc5 xd5 xd6 xe3 xe5 xf2 xf6",
    ],
    "D": [
        "b2 b6 c3 c5 d5 d6 e3 e5 f2 f6",
        "b2 b6 xc3 xc5 xd5 d6 xe3 xe5 f2 f6",
        "c3 c5 d5 e3 e5",
        "xc3 xc5 xd5 xe3 xe5",
    ],
}
LETTERS = rows("letter", PIECES)
AROUND = rows(("column", "squares"), [(1, RING), (2, OUTER_RING), (3, RING + OUTER_RING)])


def surrounded(letter, squares, by):
    return " ".join([f"{letter}d4", *(by + square for square in squares)])


def without_captures(targets):
    return " ".join(square for square in targets.split() if square[0] != "x")


@LETTERS
def test_moves_on_an_empty_board(side, letter):
    assert side.targets(f"{letter}d4", f"{letter}d4") == PIECES[letter][0]


@LETTERS
@AROUND
@rows("prey", ["c", "w", "N", "D"])
def test_captures_of_enemies_lint_and_dust_demons(side, letter, column, squares, prey):
    pieces = surrounded(letter, squares, by=prey)
    assert side.targets(pieces, f"{letter}d4") == PIECES[letter][column]


@LETTERS
@AROUND
@rows("obstacle", ["C", "W", "B"])
def test_neither_own_pieces_nor_dust_bunnies_are_captured(side, letter, column, squares, obstacle):
    pieces = surrounded(letter, squares, by=obstacle)
    assert side.targets(pieces, f"{letter}d4") == without_captures(PIECES[letter][column])


@rows("prey", "pjrhvwcmle")
def test_every_piece_of_the_enemy_can_be_captured(side, prey):
    assert side.after(f"Ld4 {prey}d5", "Ld4xd5") == "Ld5"


@rows("own", "XPJRHVWCMLE")
def test_no_own_piece_is_captured(side, own):
    assert side.targets(f"Wc5 {own}d5", "Wc5") == "c1 c2 c3 c4 c6 c7 c8"


@rows("own", "XPJRHVWCMLE")
def test_a_dust_demon_does_not_capture_pieces_of_its_mover(side, own):
    assert side.targets(f"Dd4 {own}d5", "Dd4") == "b2 b6 c3 c5 d6 e3 e5 f2 f6"


def test_captured_pieces_leave_the_board(side):
    assert side.after("Ed4 cf6 ve5", "Ed4xf6") == "Ef6 ve5"


@rows("mover", ["Re4", "He4", "Le4", "Ee4", "Vd3", "We4", "Dc3"])
@rows("prey", "ND")
def test_lint_and_dust_demons_are_captured_by_whoever_moves(side, mover, prey):
    prey_at = "d5" if mover[0] in "LE" else "d4"
    capture = f"{mover}x{prey_at}"
    assert side.after(f"{mover} {prey}{prey_at}", capture) == mover[0] + prey_at


@rows("letter", "XPJRHVWCMLE")
def test_pieces_of_the_enemy_do_not_move(side, letter):
    assert side.targets(f"{letter.lower()}d4", f"{letter}d4") == ""


@rows(
    ("mover", "reached"),
    [
        ("Xa1", "a2 b1 b2"),
        ("Xa8", "a7 b7 b8"),
        ("Pa1", "a2 b2"),
        ("Ph4", "g3 g5 h5"),
        ("Pd8", "c7 e7"),
        ("Ja1", "a2 a3 b2 c3"),
        ("Jg7", "e5 f6 f8 g8 h6"),
        ("Jb2", "a1 a3 b3 b4 c1 c3 d4"),
        ("Ra1", "a2 b1 b3 c2"),
        ("Rh4", "f3 f5 g2 g4 g6 h3 h5"),
        ("Ha8", "a7 b6 b8 c7"),
        ("Hd1", "b2 c1 c3 d2 e1 e3 f2"),
        ("Vh6", "h7"),
        ("Wa8", "a1 a2 a3 a4 a5 a6 a7"),
        ("La4", "a5 b3 b5"),
        ("Lh6", "g5 g7 h7"),
        ("Le8", "d7 f7"),
        ("Ba4", "a5 b3 b5"),
        ("Bd1", "c2 d2 e2"),
        ("Eh4", "f2 f6 g3 g5 h5 h6"),
        ("Ed7", "b5 c6 c8 d8 e6 e8 f5"),
        ("Dd8", "b6 c7 e7 f6"),
        ("Dg2", "e4 f1 f3 g3 g4 h3"),
    ],
)
def test_no_piece_leaves_the_board(side, mover, reached):
    assert side.targets(mover, mover) == reached


# Rhinos.


@rows("letter", "RH")
@rows("obstacle", "CcNBDm")
@rows(("middle", "beyond"), [("c4", "b3 b5"), ("d3", "c2 e2"), ("d5", "c6 e6"), ("e4", "f3 f5")])
def test_rhinos_go_on_from_an_empty_square_only(side, letter, obstacle, middle, beyond):
    reached = side.targets(f"{letter}d4 {obstacle}{middle}", f"{letter}d4").split()
    assert middle not in reached
    assert not set(beyond.split()) & set(reached)
    knight_squares = {"b3", "b5", "c2", "c6", "e2", "e6", "f3", "f5"}
    assert knight_squares - set(beyond.split()) <= set(reached)


def test_headless_rhino_captures_on_its_first_step_only(side):
    pieces = "Hd4 ce4 ce6 cf5"
    assert side.targets(pieces, "Hd4") == "b3 b5 c2 c4 c6 d3 d5 e2 xe4"
    assert side.targets(pieces.replace("H", "R"), "Rd4") == "b3 b5 c2 c4 c6 d3 d5 e2 xe4 xe6"


def test_ways_of_a_rhino_to_one_square_are_one_move(side):
    legal = side.position("Rd4").legal_moves()
    assert len(legal) == len(set(legal))
    position = side.position("Rd4 ce4 Xh1 Ch2 Cg1 Cg2")
    assert position.perft(1) == len(position.legal_moves()) == 10


# Bat and Booh.


@rows(
    ("pieces", "label", "after"),
    [
        ("Vd7", "Vd7-d8", "Wd8"),
        ("Vd7 cd8", "Vd7xd8", "Wd8"),
        ("Vd7 Nd8", "Vd7xd8", "Wd8"),
        ("Vd6", "Vd6-d7", "Vd7"),
        ("Vd1", "Vd1-d2", "Vd2"),
    ],
)
def test_bat_is_a_booh_on_its_last_rank_and_not_before(side, pieces, label, after):
    assert side.after(pieces, label) == after


def test_promotion_does_not_show_in_labels(side):
    assert side.targets("Vd7", "Vd7") == "d8"


@rows(
    ("pieces", "reached"),
    [
        ("Wd4 Cd7", "d1 d2 d3 d5 d6"),
        ("Wd4 cd7", "d1 d2 d3 d5 d6"),
        ("Wd4 Nd2", "d3 d5 d6 d7 d8"),
        ("Wd4 Bd6 Dd2", "d3 d5"),
        ("Wd4 cd5 Cd3", "xd5"),
        ("Wd4 cc4 Ne4 ce5 cf4", "xc4 d1 d2 d3 d5 d6 d7 d8 xe4"),
    ],
)
def test_booh_slides_along_its_file_and_captures_next_to_it(side, pieces, reached):
    assert side.targets(pieces, "Wd4") == reached


# Leaps.


@rows("letter", "JED")
@rows("obstacle", "CcNB")
def test_leaps_pass_over_anything(side, letter, obstacle):
    pieces = surrounded(letter, ["c3", "c5", "d5", "e3", "e5"], by=obstacle)
    reached = without_captures(side.targets(pieces, f"{letter}d4"))
    assert reached == "b2 b6 d6 f2 f6"


def test_dust_demon_captures_nothing_by_leaps(side):
    assert side.targets("Dd4 cf6 cd6 cb2 Nb6 cf2", "Dd4") == "c3 c5 d5 e3 e5"


# Neutral pieces.


@rows(("letter", "ahead"), [("B", "d5"), ("D", "d5 d6")])
def test_forward_is_the_movers(side, letter, ahead):
    reached = side.targets(f"{letter}d4", f"{letter}d4").split()
    assert " ".join(square for square in reached if square[0] == "d") == ahead


@rows("letter", "BD")
def test_either_player_moves_the_same_neutral_piece(side, letter):
    position = side.position(f"{letter}d4", f"{letter}d4-e5")
    assert side.listed(side.play(position, f"{letter}e5-f4")) == f"{letter}f4"


def test_pajamas_and_boxes_capture_nothing(side):
    for mover in ("Pd4", "Je4", "Xc4"):
        assert "x" not in side.targets("Pd4 Je4 Xc4 Nd5 ce5 cf5 cb5 cc5 Dg6", mover)


def test_move_and_capture_labels(side):
    legal = side.legal("Rd4 ve4 Bb2").split()
    assert {"Rd4-d5", "Rd4xe4", "Bb2-c3"} <= set(legal)
    assert not {"Rd4-e4", "Rd4xd5", "Bb2xc3"} & set(legal)
