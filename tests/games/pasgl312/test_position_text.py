"""Rules, "Position text": what it says, and what is refused."""

import pytest

from pasgl_env import IllegalMove, Position

from ...rows import rows
from .positions import listed, place

START = "tsfhbdwt/pppppppp/8/8/8/8/PPPPPPPP/TSFHBDWT ./././. ./. 1 w 0:0 0 0"
EMPTY = "4b3/8/8/8/8/8/8/4B3"


def read(text, **options):
    return Position.from_text("pasgl312", text, **options)


def refused(text, reason=""):
    with pytest.raises(ValueError, match=rf"(?i){reason}"):
        read(text)


def text(
    board=EMPTY,
    terminals="./././.",
    riders="./.",
    phase="1",
    mover="w",
    score="0:0",
    passes="0",
    turns="0",
):
    return f"{board} {terminals} {riders} {phase} {mover} {score} {passes} {turns}"


@rows(
    "accepted",
    [
        START,
        text(),
        text(board="4b3/8/8/8/4[F-W*dt]3/8/8/4B3"),
        text(board="4b3/8/8/[*h][*-d][-f]5/8/8/8/4B3"),
        text(board="4b3/8/8/8/8/[T*T][M*M]6/8/4B3"),
        text(board="4[b*-w]3/8/8/8/[B-HDFWS*T*TMMMMPPPP]7/8/8/8"),
        text(board="4b3/TTMMMMMM/MM6/8/8/pppppppp/tt6/4B3"),
        text(terminals="T/[~T]/[S~M~s]/[HDF]"),
        text(terminals="[T~T]/./[~F~t]/[~t]"),
        text(riders="T/[Fs]"),
        text(riders="[HDtt]/."),
        text(phase="20"),
        text(mover="b"),
        text(score="29:0"),
        text(score="1000:1029"),
        text(score="999999999:999999999"),
        text(passes="39"),
        text(turns="999999999"),
        text(phase="7", mover="b", passes="12", turns="3"),
    ],
)
def test_text_of_any_possible_position_is_read_and_written_alike(accepted):
    position = read(accepted)
    assert position.text == accepted
    assert not position.is_over


def test_mover():
    assert read(text(mover="w")).to_move == 0
    assert read(text(mover="b")).to_move == 1


def test_turns_and_passes_are_counted_for_both_players():
    position = read(START)
    for turn, label in enumerate(["Pa2b3", "pa7b6", "Pb3c4"], 1):
        assert position.play(label).text.endswith(f" 0 {turn}")


def test_score_is_white_then_black():
    assert read(text(score="30:0")).returns == (1, -1)
    assert read(text(score="0:30")).returns == (-1, 1)


def test_ranks_run_from_the_highest_and_files_from_a():
    assert listed(read("t3b3/8/8/8/8/8/8/4B2T ./././. ./. 1 w 0:0 0 0")) == "Th1 ta8"
    assert "Th1h2" in read("t3b3/8/8/8/8/8/8/4B2T ./././. ./. 1 w 0:0 0 0").legal_moves()


@rows(
    ("terminals", "phase", "label"),
    [
        ("T/././.", 1, "Tz4z5"),
        ("./T/./.", 1, "Tz5z4"),
        ("././T/.", 9, "Tx4x5"),
        ("./././T", 9, "Tx5x4"),
        ("[~T]/././.", 1, "Tz4a4"),
        ("./././[~T]", 9, "Tx5h5"),
    ],
)
def test_order_of_the_terminal_squares(terminals, phase, label):
    assert label in read(text(terminals=terminals, phase=phase)).legal_moves()


@rows(("riders", "after"), [("T/.", "./[~T]/./."), ("./T", "[~T]/././.")])
def test_riders_are_those_of_the_head_car_then_of_the_tail_car(riders, after):
    position = read(text(riders=riders, phase=10, mover="b")).play("be8d8")
    assert position.text.split()[1] == after


STACK = "B -H D *-F W S T *T M *M P *P *-h -d f *w s t m *m p *p".split()


def test_stack_is_white_before_black_then_by_size_then_by_signs():
    assert read(text(board=f"4b3/8/8/8/4[{''.join(STACK)}]3/8/8/8"))


@rows("place", range(1, len(STACK)))
def test_stack_out_of_order_is_refused(place):
    swapped = [*STACK[: place - 1], STACK[place], STACK[place - 1], *STACK[place + 1 :]]
    refused(text(board=f"4b3/8/8/8/4[{''.join(swapped)}]3/8/8/8"), "board")


# Finished games.


@rows(
    ("finished", "returns"),
    [
        (text(score="30:0"), (1, -1)),
        (text(score="7:50"), (-1, 1)),
        (text(passes="40"), (0, 0)),
        (text(passes="40", score="2:3"), (-1, 1)),
        (text(board="8/8/8/8/8/8/8/4B3", score="20:0"), (1, -1)),
        (text(board="8/8/8/8/8/8/8/4B3", score="20:25"), (-1, 1)),
        (text(board="4b3/8/8/8/8/8/8/8", score="0:20"), (-1, 1)),
        (text(board="4b3/8/8/8/8/8/8/8", score="20:20"), (0, 0)),
    ],
)
def test_text_of_a_finished_game_is_read(finished, returns):
    position = read(finished)
    assert position.is_over
    assert position.text == finished
    assert position.to_move is None
    assert position.legal_moves() == []
    assert position.returns == returns


@rows(
    ("board", "score"),
    [
        ("8/8/8/8/8/8/8/4B3", "19:0"),
        ("8/8/8/8/8/8/8/4B3", "0:20"),
        ("8/8/8/8/8/8/8/4B3", "0:0"),
        ("4b3/8/8/8/8/8/8/8", "0:19"),
        ("4b3/8/8/8/8/8/8/8", "20:0"),
        ("8/8/8/8/8/8/8/8", "20:20"),
    ],
)
def test_missing_bear_without_the_points_for_it_is_refused(board, score):
    refused(text(board=board, score=score))


# Impossible positions.


@rows(
    ("possible", "impossible"),
    [
        ("Bd4", "Bd5"),
        ("bd5", "bd4"),
        ("Bd4", "Bd4 Bd3"),
        ("be6", "be6 be7"),
        ("Hd4", "Hd4 Hd4"),
        ("Da1", "Da1 *Da2"),
        ("Fe3 fe3", "Fe3 -Fe4"),
        ("-Wa1", "-Wa1 *-Wa2"),
        ("Se3", "Se3 S@head"),
        ("Td4 Td4", "Td4 Td4 Td4"),
        ("ta1 ta2", "ta1 ta2 ta3"),
        ("Te3 Tz4", "Te3 Te2 Tz4"),
        ("T@head T@tail", "T@head T@tail ~Tx5"),
        ("Pa2 " * 8, "Pa2 " * 9),
        ("ma2 " * 8, "ma2 " * 9),
        ("Pa2 " * 4 + "Ma3 " * 4, "Pa2 " * 4 + "Ma3 " * 5),
        ("Pa2 " * 7 + "Mz4", "Pa2 " * 8 + "Mz4"),
    ],
)
def test_more_critters_than_a_side_starts_with_and_stray_bears_are_refused(possible, impossible):
    assert read(place(possible))
    refused(place(impossible))


@rows(
    ("possible", "impossible"),
    [
        ("-Se3", "*Se3"),
        ("-se3", "*-se3"),
        ("*Te3", "-Te3"),
        ("*Me3", "-Me3"),
        ("*Pe3", "-Pe3"),
        ("*te3", "*-te3"),
        ("Pe7", "Ph8"),
        ("Pe7", "*Ph8"),
        ("pe2", "ph1"),
        ("Ph1", "ph1"),
        ("ph8", "Ph8"),
        ("Mh8 mh1", "Mh8 ph1"),
        ("Te3", "~Te3"),
        ("Te3 te3", "Te3 ~te3"),
    ],
)
def test_critter_that_cannot_be_so_on_the_board_is_refused(possible, impossible):
    assert read(place(possible))
    refused(place(impossible), "board")


@rows("symbol", ["B", "-B", "*T", "-H", "*-d", "*m", "-s", "*s", "-T"])
@rows("square", ["z4", "x5"])
def test_critter_that_cannot_be_so_in_a_terminal_is_refused(symbol, square):
    refused(place(f"{symbol}{square}"), "terminals")


@rows("symbol", ["~-H", "~*T", "~B"])
def test_leaving_critter_is_clean_has_lunch_and_is_no_bear(symbol):
    refused(place(f"{symbol}z4"), "terminals")


@rows("symbol", ["B", "*T", "-H", "*-d", "*m", "*s", "~T", "-M"])
@rows("car", ["@head", "@tail"])
def test_critter_that_cannot_ride_is_refused(symbol, car):
    refused(place(f"{symbol}{car}"), "riders")


@rows(
    ("phase", "square"),
    [
        (2, "h4"),
        (3, "h4"),
        (3, "g4"),
        (6, "d4"),
        (6, "e4"),
        (9, "a4"),
        (10, "a4"),
        (12, "a5"),
        (13, "a5"),
        (16, "e5"),
        (16, "d5"),
        (19, "h5"),
        (20, "h5"),
    ],
)
@rows("symbol", ["T", "h", "p"])
def test_critter_under_the_train_is_refused(phase, square, symbol):
    assert read(place(f"{symbol}{square}"))
    refused(place(f"{symbol}{square}", phase=phase), "board")


@rows(("phase", "square"), [(1, "x4"), (1, "x5"), (2, "x4"), (10, "z4"), (11, "z5"), (20, "x5")])
def test_critter_in_a_terminal_under_the_train_is_accepted(phase, square):
    assert listed(read(place(f"T{square} ~h{square}", phase=phase))) == f"T{square} ~h{square}"


# Malformed text.


@rows(
    ("field", "refuses"),
    [
        ("board", "4b3/8/8/8/8/8/8"),
        ("board", "4b3/8/8/8/8/8/8/4B3/8"),
        ("board", "4b3/8/8/8/8/8/8/4B2"),
        ("board", "4b3/8/8/8/8/8/8/4B4"),
        ("board", "4b3/8/8/8/8/8/8/4B2TT"),
        ("board", "4b3/44/8/8/8/8/8/4B3"),
        ("board", "4b3/8/8/8/8/8/8/4B12"),
        ("board", "4b3/08/8/8/8/8/8/4B3"),
        ("board", "4b3/80/8/8/8/8/8/4B3"),
        ("board", "4b03/8/8/8/8/8/8/4B3"),
        ("board", "4b3/9/8/8/8/8/8/4B3"),
        ("board", "4b3//8/8/8/8/8/4B3"),
        ("board", "4b3/11111111/8/8/8/8/8/4B3"),
        ("board", "4b3/12/8/8/8/8/8/4B3"),
        ("board", "4b3/\N{FULLWIDTH DIGIT EIGHT}/8/8/8/8/8/4B3"),
        ("board", "4b3/K7/8/8/8/8/8/4B3"),
        ("board", "4b3/x7/8/8/8/8/8/4B3"),
        ("board", "4b3/X7/8/8/8/8/8/4B3"),
        ("board", "4b3/[T]7/8/8/8/8/8/4B3"),
        ("board", "4b3/[]7/8/8/8/8/8/4B3"),
        ("board", "4b3/[TM7/8/8/8/8/8/4B3"),
        ("board", "4b3/TM]6/8/8/8/8/8/4B3"),
        ("board", "4b3/[[TM]]7/8/8/8/8/8/4B3"),
        ("board", "4b3/[TX]7/8/8/8/8/8/4B3"),
        ("board", "4b3/[T1]7/8/8/8/8/8/4B3"),
        ("board", "4b3/*T7/8/8/8/8/8/4B3"),
        ("board", "4b3/-H7/8/8/8/8/8/4B3"),
        ("board", "4b3/[-*H]7/8/8/8/8/8/4B3"),
        ("board", "4b3/[--H]7/8/8/8/8/8/4B3"),
        ("board", "4b3/[**H]7/8/8/8/8/8/4B3"),
        ("board", "4b3/[HD-]7/8/8/8/8/8/4B3"),
        ("board", "4b3/[DH]7/8/8/8/8/8/4B3"),
        ("board", "4b3/[hD]7/8/8/8/8/8/4B3"),
        ("board", "4b3/[*TT]7/8/8/8/8/8/4B3"),
        ("board", "4b3/[PM]7/8/8/8/8/8/4B3"),
        ("board", "4b3/[TS]7/8/8/8/8/8/4B3"),
        ("board", "4b3/[WF]7/8/8/8/8/8/4B3"),
        ("terminals", "././."),
        ("terminals", "././././."),
        ("terminals", "T/././"),
        ("terminals", "./././1"),
        ("terminals", "[T]/././."),
        ("terminals", "[~TT]/././."),
        ("terminals", "[tT]/././."),
        ("terminals", "~T/././."),
        ("terminals", "[T~]/././."),
        ("terminals", "[~~T]/././."),
        ("riders", "."),
        ("riders", "././."),
        ("riders", "T/"),
        ("riders", "[T]/."),
        ("riders", "TT/."),
        ("riders", "[sF]/."),
        ("phase", "0"),
        ("phase", "21"),
        ("phase", "01"),
        ("phase", "-1"),
        ("phase", "+1"),
        ("phase", "1.0"),
        ("phase", "x"),
        ("phase", "\N{ARABIC-INDIC DIGIT ONE}"),
        ("mover", "W"),
        ("mover", "white"),
        ("mover", "0"),
        ("mover", "-"),
        ("score", "0"),
        ("score", "0-0"),
        ("score", "0:0:0"),
        ("score", ":0"),
        ("score", "0:"),
        ("score", "00:0"),
        ("score", "0:-1"),
        ("score", "0:1_0"),
        ("score", "1000000000:0"),
        ("score", "0:1000000000"),
        ("passes", "41"),
        ("passes", "-1"),
        ("passes", "00"),
        ("passes", "x"),
        ("turns", "1000000000"),
        ("turns", "007"),
        ("turns", "-1"),
        ("turns", "1e3"),
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
        EMPTY,
        text()[:-2],
        text() + " ",
        " " + text(),
        text() + "\n",
        text().replace(" ", "  ", 1),
        text().replace(" ", "\t", 1),
        text() + " 0",
        text() + " ,",
        text() + " Be1d1 x",
        START.replace("pppppppp", "ppppppp1 "),
    ],
)
def test_malformed_text_is_refused(refuses):
    refused(refuses)


# In the middle of a turn.


@rows(
    ("critters", "labels", "goes_on"),
    [
        ("Df1 he3 fe3", "Df1e3", "f h"),
        ("Fc1 -wc3 tc3", "Fc1c3", "-w t"),
        ("He4 te7 he7", "He4:e7", "h t"),
        ("Wg6 hd3 wd3", "Wg6^d3", "h w"),
        ("Bb1 ta1", "Bb1a1", "ta2 tb1 tb2"),
        ("Bb1 Ta1 *-wa1 ta1", "Bb1a1,Tb2,*-wb1", "ta2 tb1 tb2"),
    ],
)
def test_text_in_mid_turn_is_that_of_the_start_and_the_labels(critters, labels, goes_on):
    start = place(critters, phase=12, score="3:4", turns=5)
    position = read(start)
    for label in labels.split(","):
        position.play(label)
    assert position.text == f"{start} {labels}"
    again = read(position.text)
    assert again.text == position.text
    assert again.to_move == 0
    assert again.legal_moves() == goes_on.split()
    label = goes_on.split()[0]
    assert again.play(label).text == position.play(label).text
    assert len(position.text.split()) == 8


@rows(
    "labels",
    [
        "Ba1b1",
        "Bb1b2",
        "Bb1c1",
        "Bb1a1,",
        ",Bb1a1",
        "Bb1a1,ta2",
        "Bb1a1,Ta2,ta3",
        "Bb1a1,Ta2,tb1",
        "Bb1a1,Ta2,tb1,Bb1a1",
        "Bb1a1,,Ta2",
        "Bb1a1 Ta2",
        "Bb1a1;Ta2",
        "bb1a1",
        "pass",
        "be8d8",
    ],
)
def test_labels_that_are_illegal_or_complete_the_turn_are_refused(labels):
    start = place("Bb1 Ta1 ta1")
    assert read(f"{start} Bb1a1,Ta2").legal_moves() == ["ta2", "tb1", "tb2"]
    refused(f"{start} {labels}")


def test_labels_after_a_finished_game_are_refused():
    assert read(place("Bb1 Ta1 ta1", score="29:0") + " Bb1a1")
    refused(place("Bb1 Ta1 ta1", score="30:0") + " Bb1a1")


def test_victim_in_a_text_completes_the_turn_and_is_refused():
    refused(place("Df1 he3 fe3") + " Df1e3,h")


def test_copies_are_independent_in_mid_turn_too():
    position = read(place("Df1 he3 fe3") + " Df1e3")
    copy = position.copy()
    copy.play("h")
    assert position.text == place("Df1 he3 fe3") + " Df1e3"
    assert copy.text != position.text
    with pytest.raises(IllegalMove):
        position.play("t")
