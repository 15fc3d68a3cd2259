"""Rules, "Position text": what it says, and what is refused."""

import pytest

from pasgl_env import IllegalMove, Position

from ...rows import rows
from .positions import fields

# Two of a kind at most, of each side: but one white Knight and no black Rookish.
SETUP = "ccmm/hhss/BBRN/CCMM"
BOARD = "c3/4/4/3C"
# White's Chieftains on a1 and b1, its Men on c1 and c2.
MID = "7c/8/8/8/8/8/2M5/CCM5"


def read(text, setup=SETUP, variant="chieftain", **options):
    return Position.from_text(variant, text, setup=setup, **options)


def text(board=BOARD, mover="w", passes="0", turns="0"):
    return f"{board} {mover} {passes} {turns}"


def refused(refuses, reason="", **rest):
    with pytest.raises(ValueError, match=rf"(?i){reason}"):
        read(refuses, **rest)


# What is read.


@rows(
    "accepted",
    [
        text(SETUP),
        text(),
        text(mover="b"),
        text(passes="1"),
        text(mover="b", passes="1", turns="1"),
        text(turns="1"),
        text(turns="10"),
        text(turns="999999999"),
        text("CC2/4/4/2cc"),
        text("C1c1/M2m/h2B/R1N1"),
        text("ccmm/hhss/BBRN/CCMM", "b"),
        text("C2c/4/4/4", "b", "0", "57"),
    ],
)
def test_text_of_any_possible_position_is_read_and_written_alike(accepted):
    position = read(accepted)
    assert position.text == accepted
    assert not position.is_over
    assert position.returns is None


def test_text_of_a_position_without_options():
    start = Position("chieftain").text
    board = start.split(" ")[0].replace("1HCS1CHS", "1HC2CHS")
    for accepted in (start, f"{board} b 1 7"):
        assert Position.from_text("chieftain", accepted).text == accepted


def test_mover():
    assert read(text(mover="w")).to_move == 0
    assert read(text(mover="b")).to_move == 1


def test_ranks_run_from_the_highest_and_files_from_a():
    assert read(text("c3/4/4/2C1")).legal_moves()[:2] == ["Cc1-a1", "Cc1-a2"]
    assert read(text("c3/4/4/2C1", "b")).legal_moves()[:2] == ["Ca4-a2", "Ca4-a3"]


def test_two_digits_are_one_run():
    setup = "12c/13/13/C12"
    position = read(f"{setup} b 0 0", setup)
    assert "Cm4-k2" in position.legal_moves()


def test_turns_of_both_players_are_counted_when_they_are_completed():
    position = read(text(turns="9"))
    for turn, label in enumerate(["Cd1-d2", "Ca4-a3", "Cd2-d1"], 10):
        assert fields(position.play(label)).turns == str(turn)


def test_turn_of_several_moves_is_counted_once():
    position = read(f"{MID} w 0 4", MID)
    for label, turns in (("Mc1-d1", "4"), ("by a1", "4"), ("Mc2-d2", "5")):
        assert fields(position.play(label)).turns == turns


# Finished games.


@rows(
    ("finished", "returns"),
    [
        (text("4/4/4/C3", "b", "0", "7"), (1, -1)),
        (text("c3/4/4/4", "w", "0", "8"), (-1, 1)),
        (text("4/M3/4/C3", "b", "1", "0"), (1, -1)),
        # Without a Chieftain the mover has lost, no matter what the passes say.
        (text("4/4/4/C3", "b", "2", "7"), (1, -1)),
        (text("c3/4/4/4", "w", "2", "7"), (-1, 1)),
        (text(passes="2"), (0, 0)),
        (text(mover="b", passes="2", turns="77"), (0, 0)),
    ],
)
def test_text_of_a_finished_game_is_read(finished, returns):
    position = read(finished)
    assert position.is_over
    assert position.text == finished
    assert position.to_move is None
    assert position.legal_moves() == []
    assert position.returns == returns
    assert position.perft(1) == 0
    with pytest.raises(IllegalMove):
        position.play("pass")


@rows(
    ("before", "label", "after"),
    [
        ("c3/1M2/4/C3 w 0 6", "Mb3xa4", "M3/4/4/C3 b 0 7"),
        ("c3/1m2/C3/4 b 1 7", "Mb3xa2", "c3/4/m3/4 w 0 8"),
    ],
)
def test_text_of_a_finished_game_is_that_of_the_turn_that_would_follow(before, label, after):
    position = read(before).play(label)
    assert position.text == after
    assert read(after).is_over


@rows("passes", ["0", "1", "2"])
@rows(
    ("board", "mover"),
    [("4/4/4/C3", "w"), ("c3/4/4/4", "b"), ("4/4/4/4", "w"), ("4/4/4/4", "b"), ("m3/4/4/M3", "w")],
)
def test_side_that_moved_last_always_has_a_chieftain(board, mover, passes):
    refused(text(board, mover, passes), "board")


# Boards that cannot be.


@rows(
    ("possible", "impossible"),
    [
        ("c3/4/4/CC2", "c3/4/4/CCC1"),
        ("cc2/4/4/C3", "cc2/c3/4/C3"),
        ("c3/MM2/4/C3", "c3/MMM1/4/C3"),
        ("c3/mm2/4/C3", "c3/mm2/m3/C3"),
        ("c3/BB2/4/C3", "c3/BB2/4/CB2"),
        ("c3/hh2/4/C3", "c3/hh2/4/Ch2"),
        ("c3/ss2/4/C3", "c3/ss2/4/Cs2"),
        ("c3/N3/4/C3", "c3/NN2/4/C3"),
        ("c3/R3/4/C3", "c3/RR2/4/C3"),
        # A kind that only the other side has.
        ("c3/R3/4/C3", "c3/r3/4/C3"),
        ("c3/h3/4/C3", "c3/H3/4/C3"),
        ("c3/N3/4/C3", "c3/n3/4/C3"),
    ],
)
def test_more_pieces_of_a_kind_than_the_side_starts_with_are_refused(possible, impossible):
    assert read(text(possible))
    refused(text(impossible), "board")


@rows(
    ("variant", "width", "height", "possible", "impossible"),
    [
        ("chieftain", 16, 12, "HHHH", "HHHHH"),
        ("chieftain", 16, 12, "M" * 16, "M" * 15 + "B"),
        ("chieftain", 16, 12, "ccc", "cccc"),
        ("superchief", 24, 12, "M" * 24, "M" * 23 + "R"),
        ("superchief", 24, 12, "ssssss", "sssssss"),
        ("overlord", 24, 16, "RRRR", "RRRRR"),
        ("overlord", 24, 16, "bbbb", "bbbbb"),
        ("overlord", 24, 16, "CCCCCCC", "CCCCCCCC"),
    ],
)
def test_pieces_that_a_variant_starts_with_are_the_most(
    variant, width, height, possible, impossible
):
    for pieces in (possible, impossible):
        rank = pieces + (str(width - len(pieces)) if len(pieces) < width else "")
        ranks = [f"c{width - 1}", rank, *[str(width)] * (height - 3), f"C{width - 1}"]
        text = f"{'/'.join(ranks)} w 0 0"
        if pieces == possible:
            assert Position.from_text(variant, text).text == text
        else:
            with pytest.raises(ValueError, match=r"(?i)board"):
                Position.from_text(variant, text)


@rows(
    "board",
    ["c4/5/5/5/C4", "c3/4/4/4/C3", "c4/5/5/C4", "c2/3/3/C2", "c3/4/C3", "1hcs1chsshc1sch1"],
)
def test_board_of_another_size_is_refused(board):
    refused(text(board), "board")


def test_board_of_another_variant_is_refused():
    with pytest.raises(ValueError, match=r"(?i)board"):
        Position.from_text("superchief", Position("chieftain").text)
    with pytest.raises(ValueError, match=r"(?i)board"):
        Position.from_text("chieftain", text())


# Malformed text.


@rows(
    ("field", "refuses"),
    [
        ("board", ""),
        ("board", "-"),
        ("board", "c3/4/4"),
        ("board", "c3/4/4/C3/4"),
        ("board", "c3/4/4/C3/"),
        ("board", "/c3/4/4/C3"),
        ("board", "c3/4//C3"),
        ("board", "c3/4/4/C2"),
        ("board", "c3/4/4/C4"),
        ("board", "c3/3/4/C3"),
        ("board", "c3/5/4/C3"),
        ("board", "c3/22/4/C3"),
        ("board", "c3/1111/4/C3"),
        ("board", "c3/13/4/C3"),
        ("board", "c3/12M/4/C3"),
        ("board", "c3/04/4/C3"),
        ("board", "c3/40/4/C3"),
        ("board", "c3/0M3/4/C3"),
        ("board", "c3/M03/4/C3"),
        ("board", "c3/0/4/C3"),
        ("board", "c3/K3/4/C3"),
        ("board", "c3/p3/4/C3"),
        ("board", "c3/.3/4/C3"),
        ("board", "c3/-4/4/C3"),
        ("board", "c3/+4/4/C3"),
        ("board", "c3/4_/4/C3"),
        ("board", "c3/[M]3/4/C3"),
        ("board", "c3,4,4,C3"),
        ("board", "c3/\t/4/C3"),
        ("board", "c3/4\n/4/C3"),
        ("board", "c3/\N{ARABIC-INDIC DIGIT FOUR}/4/C3"),
        ("board", "c3/\N{FULLWIDTH DIGIT FOUR}/4/C3"),
        ("board", "c3/M\N{SUPERSCRIPT THREE}/4/C3"),
        ("board", "c3/4/4/C1\N{ARABIC-INDIC DIGIT TWO}"),
        ("board", "c3/\N{CYRILLIC CAPITAL LETTER EM}3/4/C3"),
        ("board", "c3/\N{LATIN SMALL LETTER LONG S}3/4/C3"),
        ("board", "c3/99999999999999999999/4/C3"),
        ("mover", ""),
        ("mover", "W"),
        ("mover", "B"),
        ("mover", "white"),
        ("mover", "wb"),
        ("mover", "0"),
        ("mover", "-"),
        ("passes", ""),
        ("passes", "3"),
        ("passes", "-1"),
        ("passes", "-0"),
        ("passes", "00"),
        ("passes", "01"),
        ("passes", "+1"),
        ("passes", "1.0"),
        ("passes", "x"),
        ("passes", "10"),
        ("passes", "\N{ARABIC-INDIC DIGIT ONE}"),
        ("passes", "\N{SUPERSCRIPT TWO}"),
        ("passes", "9" * 30),
        ("turns", ""),
        ("turns", "-1"),
        ("turns", "-0"),
        ("turns", "00"),
        ("turns", "007"),
        ("turns", "+7"),
        ("turns", "1e3"),
        ("turns", "1_0"),
        ("turns", "1.0"),
        ("turns", "x"),
        ("turns", "\n"),
        ("turns", "7\n"),
        ("turns", "\N{SUPERSCRIPT TWO}"),
        ("turns", "\N{FULLWIDTH DIGIT ONE}"),
        ("turns", "1\N{ARABIC-INDIC DIGIT ZERO}"),
        ("turns", "1000000000"),
        ("turns", "9" * 30),
        ("turns", "9" * 5000),
    ],
)
def test_malformed_field_is_refused_by_name(field, refuses):
    refused(text(**{field: refuses}), field)


@rows(
    "refuses",
    [
        "",
        " ",
        BOARD,
        f"{BOARD} w",
        f"{BOARD} w 0",
        f"{BOARD} 0 0",
        text() + " ",
        " " + text(),
        text() + "\n",
        "\n" + text(),
        text().replace(" ", "  ", 1),
        text().replace(" w ", " w  "),
        text().replace(" ", "\t"),
        text().replace(" ", "\N{NO-BREAK SPACE}"),
        text() + " 0",
        text() + " 0 0",
        text() + " ,",
        text() + " -",
        text().replace("w 0", "0 w"),
    ],
)
def test_malformed_text_is_refused(refuses):
    refused(refuses)


# In the middle of a turn.


@rows(
    ("labels", "legal"),
    [
        ("Mc1-d1", "by a1, by b1"),
        ("Mc1-d1,by b1", "Ca1-a2"),
        ("Ca1-a3", "by a1, by b1"),
        ("Ca1-a3,by b1", "Mc1-b2"),
        ("Cb1-b2,by b1", "Ca1-a2"),
        ("Cb1-b3,by a1", "end"),
    ],
)
@rows("rest", ["w 0 0", "w 1 7"])
def test_text_in_mid_turn_is_that_of_the_start_and_the_labels(labels, legal, rest):
    position = read(f"{MID} {rest}", MID)
    for label in labels.split(","):
        position.play(label)
    assert position.text == f"{MID} {rest} {labels}"
    again = read(position.text, MID)
    assert again.text == position.text
    assert again.legal_moves() == position.legal_moves()
    assert set(legal.split(", ")) <= set(again.legal_moves())
    while position.to_move == "wb".index(rest[0]):
        label = position.legal_moves()[-1]
        assert again.play(label).text == position.play(label).text
    assert position.text.endswith(f" b 0 {int(rest[-1]) + 1}")


def test_labels_are_all_that_follows_the_fourth_space():
    setup = "7c/8/8/8/8/8/1MMM4/CCCC4"
    labels = "Mb2-b3,by a1,Mc2-c3,by c1,Md2-d3,by d1"
    assert read(f"{setup} w 0 0 {labels}", setup).text == f"{setup} w 0 0 {labels}"


@rows(
    "labels",
    [
        # Those that complete the turn.
        "Mc1-d1,by a1,Mc2-d2",
        "Mc1-d1,by a1,end",
        "Mc1-d1,by a1,Mc2-d2,Mc2-d2",
        "Mc1-d1,by a1,end,Ch8-h7",
        # Those that are not legal, or not yet, or no more.
        "end",
        "pass",
        "by a1",
        "by a1,Mc1-d1",
        "Mc1-d1,Mc2-d2",
        "Mc1-d1,by c1",
        "Mc1-d1,by d1",
        "Mc1-d1,by a1,by b1",
        "Mc1-d1,Mc1-d1",
        "Mc1-d1,by a1,Md1-d2",
        "Mc1xd1",
        "Mc1-c2",
        "Mc1-e1",
        "Ch8-h7",
        # Those that are malformed.
        "mc1-d1",
        "Mc1d1",
        "Mc1-d1,",
        ",Mc1-d1",
        "Mc1-d1,,by a1",
        "Mc1-d1, by a1",
        "Mc1-d1 by a1",
        "Mc1-d1,by a1 ",
        "Mc1-d1,by  a1",
        "Mc1-d1,bya1",
        "Mc1-d1,by A1",
        "Mc1-d1,By a1",
        " Mc1-d1",
        "Mc1-d1 ",
        "Mc1-d1\n",
        "Mc1-d1\t",
        "Mc01-d1",
        "Mc1-d\N{FULLWIDTH DIGIT ONE}",
        "x",
        "0",
    ],
)
def test_labels_that_do_not_belong_in_mid_turn_are_refused(labels):
    refused(f"{MID} w 0 0 {labels}", "label", setup=MID)


@rows(
    ("before", "label"),
    [
        ("c3/1M2/4/C3 w 0 0", "Mb3xa4"),
        ("c3/4/4/C3 w 0 0", "Ca1-a2"),
        ("4/4/4/C3 b 0 0", "pass"),
        ("c3/4/4/C3 w 2 0", "Ca1-a2"),
        ("c3/4/4/C3 w 2 0", "pass"),
    ],
)
def test_labels_at_and_after_the_end_are_refused(before, label):
    refused(f"{before} {label}", "label")


def test_labels_of_black():
    setup = "5mMc/7c/8/8/8/8/2M5/CCM5"
    text = f"{setup} b 0 5 Mf8xg8,by h8"
    position = read(text, setup)
    assert position.text == text
    assert position.to_move == 1
    assert "Ch7-h6" in position.legal_moves()


def test_whether_labels_complete_the_turn_depends_on_the_options():
    setup = "3c/4/4/CM2"
    mid = f"{setup} w 0 0 Ca1-a2"
    assert read(mid, setup, activations=2).text == mid
    refused(mid, "label", setup=setup)
    refused(f"{mid},Mb1-b2", "label", setup=setup, activations=2)
