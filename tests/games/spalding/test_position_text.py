"""Rules, "Position text": what it says, and what is refused."""

import pytest

from pasgl_env import Position

from ...rows import rows
from .positions import fields, listed, place

START = "j2x3p/8/8/8/8/8/8/P3X2J w RHErhe 0"
BOXES = "7x/8/8/8/8/8/8/7X"


def read(text):
    return Position.from_text("spalding", text)


def refused(text, reason=""):
    with pytest.raises(ValueError, match=rf"(?i){reason}"):
        read(text)


def text(board=BOXES, mover="w", left="-", turns="0"):
    return f"{board} {mover} {left} {turns}"


def test_start():
    assert Position("spalding").text == START


@rows(
    "accepted",
    [
        START,
        text(),
        text(mover="b"),
        text(left="RHErhe"),
        text(left="R"),
        text(left="Ee"),
        text(left="Hrh"),
        text(turns="7"),
        text(turns="999999999"),
        text(board="8/XPJRHVWC/MLE1N1B1/D6x/pjrhvwcm/le6/8/8", mover="b"),
        text(board="xrhe4/8/8/8/8/8/8/RHE4X"),
        text(board="7x/RHE5/8/8/8/8/8/7X", left="rhe"),
        text(board="xCCccCCc/CCCCcccc/NNNNNNNN/BBBBBBBB/DDDDDDDD/MMMMmmmm/WWWWwwww/7X"),
        text(board="7x/VVVVVVVV/8/8/8/8/vvvvvvvv/7X"),
        text(board="vvvvvvvx/8/8/8/8/8/8/VVVVVVVX"),
        text(board="WWWWwwwx/8/8/8/8/8/8/wwwwWWWX"),
        text(board="Xmx5/8/8/8/8/8/8/MMMMMMMM"),
        text(board="x6X/8/8/8/8/8/8/8"),
        text(board="P6x/8/8/8/8/8/8/p6X"),
    ],
)
def test_text_of_any_possible_position_is_read_and_written_alike(accepted):
    position = read(accepted)
    assert position.text == accepted
    assert position.copy().text == accepted


def test_ranks_run_from_the_highest_and_files_from_a():
    assert listed(read(text(board="r6x/8/8/1N6/8/8/8/6RX"))) == "Nb5 Rg1 ra8"


def test_white_is_upper_case_and_black_lower_case():
    assert "Va2-a3" in read(text(board="7x/v7/8/8/8/8/V7/7X")).legal_moves()
    position = read(text(board="7x/v7/8/8/8/8/8/7X", mover="b"))
    assert "Va7-a6" in position.legal_moves()


def test_mover():
    assert read(text(mover="w")).to_move == 0
    assert read(text(mover="b")).to_move == 1


@rows(("left", "found"), [("Rhe", "R"), ("HErh", "H"), ("RHErhe", "HR"), ("e", "")])
def test_left_names_what_may_still_be_found(left, found):
    position = read(text(left=left)).play("Xh1-g2")
    assert {label[1] for label in position.legal_moves()} == {"C", "V", *found}


@rows(("left", "found"), [("RHEr", "R"), ("RHEhe", "H"), ("rh", "HR"), ("E", "")])
def test_lower_case_is_what_black_may_still_find(left, found):
    position = read(text(left=left, mover="b")).play("Xh8-g7")
    assert {label[1] for label in position.legal_moves()} == {"C", "V", *found}


def test_left_is_in_order_and_a_hyphen_when_nothing_is_left():
    position = read("p6x/8/8/8/8/8/J7/7X w RE 0").play("Ja2-a4").play("/Eb5")
    assert fields(position).left == "R"
    position = read("7x/8/8/8/8/8/J7/7X w E 0").play("Ja2-a4").play("/Eb5")
    assert fields(position).left == "-"


def test_left_keeps_its_order_when_something_is_found():
    assert fields(read(text(left="RHErhe")).play("Xh1-g2").play("/Hg1")).left == "RErhe"
    black = read(text(left="RHErhe", mover="b")).play("Xh8-g7").play("/Rg8")
    assert fields(black).left == "RHEhe"


def test_turns_of_both_players_are_counted():
    position = Position("spalding")
    for turns, (move, creation) in enumerate([("Xe1-e2", "/Rd3"), ("Xd8-e7", "/Ce6")], 1):
        assert fields(position.play(move).play(creation)).turns == str(turns)


def test_neutral_pieces_are_upper_case_whoever_made_them(side):
    assert "N" in fields(side.position("Pe3", "Pe3-e4", "/Nd4")).board
    assert "B" in fields(side.position("Je3", "Je3-e4", "/Bd4")).board
    assert "D" in fields(side.position("Je3 Bd4", "Je3-e4", "/Dd4")).board


# Finished games.


@rows(
    ("finished", "returns"),
    [
        (text(board="8/8/8/8/8/8/8/7X", mover="b"), (1, -1)),
        (text(board="8/8/8/8/8/8/8/7x", mover="w"), (-1, 1)),
        (text(board="8/pj6/8/8/8/8/PJ6/7X", mover="b", left="RHErhe", turns="9"), (1, -1)),
        (text(board="7x/8/8/8/8/8/PJ6/8", mover="w", turns="8"), (-1, 1)),
        (text(board="7x/8/8/8/8/8/6CC/6CX", mover="w"), (-1, 1)),
        (text(board="6cx/6cc/8/8/8/8/8/7X", mover="b"), (1, -1)),
    ],
)
def test_text_of_a_finished_game_is_read(finished, returns):
    position = read(finished)
    assert position.is_over
    assert position.text == finished
    assert position.to_move is None
    assert position.legal_moves() == []
    assert position.returns == returns


# Impossible positions.


@rows("letter", "XPJRHLExpjrhle")
def test_more_than_one_of_a_piece_that_is_alone_is_refused(letter):
    one = f"{letter}d4" if letter in "Xx" else f"Xa1 xa8 {letter}d4"
    assert read(place(one))
    refused(place(f"{one} {letter}f6"), "board")


@rows("letter", "RHErhe")
def test_what_is_on_the_board_is_not_left(letter):
    others = "RHErhe".replace(letter, "")
    assert read(place(f"{letter}d4", left=others))
    refused(place(f"{letter}d4", left=letter), "board|left")
    refused(place(f"{letter}d4", left="RHErhe"), "board|left")


@rows("square", ["a7", "h2", "d4"])
@rows("letter", "Vv")
def test_two_bats_of_a_player_on_a_file_are_refused(letter, square):
    other = letter.swapcase()
    pieces = f"Xb1 xb8 {letter}{square[0]}5"
    assert read(place(f"{pieces} {other}{square}"))
    refused(place(f"{pieces} {letter}{square}"), "board")


@rows("file", "aeh")
@rows(("letter", "last"), [("V", "8"), ("v", "1")])
def test_bat_on_its_last_rank_is_refused(letter, last, file):
    boxes = "Xc1 xc8"
    assert read(place(f"{boxes} {letter}{file}{9 - int(last)}"))
    refused(place(f"{boxes} {letter}{file}{last}"), "board")


@rows("letter", "nbd")
def test_lower_case_neutral_pieces_are_refused(letter):
    assert read(text(board=f"7x/8/8/{letter.upper()}7/8/8/8/7X"))
    refused(text(board=f"7x/8/8/{letter}7/8/8/8/7X"), "board")


@rows(
    ("board", "mover"),
    [
        ("8/8/8/8/8/8/8/7X", "w"),
        ("7x/8/8/8/8/8/8/8", "b"),
        ("8/8/8/8/8/8/8/8", "w"),
        ("8/8/8/8/8/8/8/8", "b"),
        ("8/8/8/8/8/8/8/PJ6", "b"),
    ],
)
def test_missing_box_other_than_the_movers_is_refused(board, mover):
    refused(text(board=board, mover=mover), "board|box|mover")


# Malformed text.


@rows(
    ("field", "refuses"),
    [
        ("board", "7x/8/8/8/8/8/7X"),
        ("board", "7x/8/8/8/8/8/8/8/7X"),
        ("board", "7x/8/8/8/8/8/8/7X/"),
        ("board", "/7x/8/8/8/8/8/8/7X"),
        ("board", "7x/8/8/8/8/8/8/6X"),
        ("board", "7x/8/8/8/8/8/8/7X1"),
        ("board", "7x/8/8/8/8/8/8/8X"),
        ("board", "7x//8/8/8/8/8/7X"),
        ("board", "7x/44/8/8/8/8/8/7X"),
        ("board", "7x/11111111/8/8/8/8/8/7X"),
        ("board", "7x/08/8/8/8/8/8/7X"),
        ("board", "7x/80/8/8/8/8/8/7X"),
        ("board", "07x/8/8/8/8/8/8/7X"),
        ("board", "7x/C0C6/8/8/8/8/8/7X"),
        ("board", "7x/9/8/8/8/8/8/7X"),
        ("board", "7x/12/8/8/8/8/8/7X"),
        ("board", "7x/CCCCCCCCC/8/8/8/8/8/7X"),
        ("board", "7x/CCCCCCC/8/8/8/8/8/7X"),
        ("board", "7x/99999999999999999999/8/8/8/8/8/7X"),
        ("board", "7x/-8/8/8/8/8/8/7X"),
        ("board", "7x/\N{FULLWIDTH DIGIT EIGHT}/8/8/8/8/8/7X"),
        ("board", "7x/\N{ARABIC-INDIC DIGIT EIGHT}/8/8/8/8/8/7X"),
        ("board", "7x/\N{SUPERSCRIPT TWO}6/8/8/8/8/8/7X"),
        ("board", "7x/K7/8/8/8/8/8/7X"),
        ("board", "7x/q7/8/8/8/8/8/7X"),
        ("board", "7x/\N{CYRILLIC CAPITAL LETTER ES}7/8/8/8/8/8/7X"),
        ("board", "7x/.7/8/8/8/8/8/7X"),
        ("board", "7x/[C]7/8/8/8/8/8/7X"),
        ("board", "7x\\8/8/8/8/8/8/7X"),
        ("board", "-"),
        ("mover", "W"),
        ("mover", "B"),
        ("mover", "white"),
        ("mover", "wb"),
        ("mover", "0"),
        ("mover", "-"),
        ("left", "HR"),
        ("left", "rR"),
        ("left", "EH"),
        ("left", "rheRHE"),
        ("left", "RR"),
        ("left", "RHErhee"),
        ("left", "L"),
        ("left", "RX"),
        ("left", "--"),
        ("left", "R-"),
        ("left", "-R"),
        ("left", "0"),
        ("left", "R,H"),
        ("turns", "00"),
        ("turns", "007"),
        ("turns", "-1"),
        ("turns", "+1"),
        ("turns", "-"),
        ("turns", "x"),
        ("turns", "1.0"),
        ("turns", "1e3"),
        ("turns", "1_0"),
        ("turns", "0x1"),
        ("turns", "\N{ARABIC-INDIC DIGIT ONE}"),
        ("turns", "\N{SUPERSCRIPT TWO}"),
    ],
)
def test_malformed_field_is_refused_by_name(field, refuses):
    refused(text(**{field: refuses}), field)


@rows(
    "refuses",
    [
        "",
        " ",
        BOXES,
        f"{BOXES} w",
        f"{BOXES} w -",
        f"{BOXES} w  0",
        f"{BOXES} - 0",
        f"w {BOXES} - 0",
        text() + " ",
        " " + text(),
        text() + "\n",
        text() + " -",
        text() + " 0",
        text() + " ,",
        text().replace(" ", "  ", 1),
        text().replace(" ", "\t", 1),
        text().replace(" ", "\N{NO-BREAK SPACE}", 1),
        text() + " Xh1-g2 /Cg1",
        text() + " Xh1-g2 ",
        START.replace("/", " "),
    ],
)
def test_malformed_text_is_refused(refuses):
    refused(refuses)


@rows("no_text", [3, b"", ["7x"]])
def test_what_is_no_text_is_refused(no_text):
    with pytest.raises((ValueError, TypeError)):
        read(no_text)


# In the middle of a turn.


@rows(
    ("pieces", "move", "goes_on"),
    [
        ("Xe1 Vd7 Vf2", "Xe1-e2", "/C /V"),
        ("Pe3", "Pe3-d4", "/L /N"),
        ("Jg2", "Jg2-e4", "/B /E"),
    ],
)
def test_text_in_mid_turn_is_that_of_the_start_and_the_label(side, pieces, move, goes_on):
    position = side.position(pieces, left="Ee", turns=5)
    start = position.text
    side.play(position, move)
    assert position.text == f"{start} {side.label(move)}"
    again = read(position.text)
    assert again.text == position.text
    assert again.to_move == side.index
    assert again.legal_moves() == position.legal_moves()
    assert {label[:2] for label in again.legal_moves()} == set(goes_on.split())
    creation = again.legal_moves()[0]
    assert again.play(creation).text == position.play(creation).text
    assert len(position.text.split()) == 4


@rows(
    "labels",
    [
        "Xe1-e3",
        "Xe1-d2,",
        ",Xe1-d2",
        "Xe1-d2,/Rd3",
        "Xe1-d2,/Rd3,Xd8-d7",
        "Xe1-d2,Xd2-d3",
        "Xe1-d2/Rd3",
        "Xe1-d2;/Rd3",
        "/Rd3",
        "Xd8-d7",
        "xe1-d2",
        "Rd5-d6",
        "-",
    ],
)
def test_labels_that_are_illegal_or_complete_the_turn_are_refused(labels):
    start = "j2x3p/8/8/3r4/8/8/V7/P3X2J w RHEhe 0"
    assert read(f"{start} Xe1-d2").to_move == 0
    refused(f"{start} {labels}")


@rows("label", ["Va2-a3", "Rd5-d6", "Rd5xc5"])
def test_move_that_completes_the_turn_is_no_label_of_a_mid_turn_text(label):
    start = "j2x3p/8/8/2cR4/8/8/V7/4X2J w HErhe 0"
    assert label in read(start).legal_moves()
    refused(f"{start} {label}")


def test_labels_after_a_finished_game_are_refused():
    assert read("7x/8/8/8/8/8/8/7X b - 0 Xh8-g8")
    refused("8/8/8/8/8/8/w7/7X b - 0 Wa2-a3")
    refused("8/8/8/8/8/8/w7/7X b - 0 Xh8-g8")
