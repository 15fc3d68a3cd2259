"""Rules, "A turn": its moves, its end, passing, and the end of the game."""

import pytest

from pasgl_env import IllegalMove, Position

from ...rows import rows
from .positions import fields, mirrored, place

# Nobody commanded can move: the Knights around the Chieftain have friends wherever they go.
STUCK = "Ca1 Na2 Nb1 Nb2 Ma3 Ma4 Mb4 Mc1 Mc3 Mc4 Md1 Md2 Md3"
HALVES = f"{STUCK} {mirrored(STUCK, '4x8')}"
NARROW = {"command_range": 1, "size": "4x8"}


# Moves in sequence.


def test_white_moves_first():
    for variant in ("chieftain", "superchief", "overlord"):
        assert Position(variant).to_move == 0


def test_players_take_turns():
    position = Position("chieftain", setup="c2m/4/4/C2M")
    movers = []
    for label in ["Md1-d2", "Md4-d3", "Ca1-a2", "Ca4-a3"]:
        movers.append(position.to_move)
        position.play(label)
    assert movers == [0, 1, 0, 1]
    assert position.text == "4/c2m/C2M/4 w 0 4"


def test_one_move_makes_way_for_the_next(side):
    pieces = "Ca1 Cb1 Ra2 Ma3 me2"
    assert side.targets(pieces, "Ra2") == "b2 c2 c4 d2 xe2"
    labels = ["Ma3-b3", "by a1"]
    assert side.targets(pieces, "Ra2", *labels) == "a3 a4 a5 a6 b2 c2 c4 d2 xe2"
    assert side.after(pieces, *labels, "Ra2-a6") == "Ca1 Cb1 Mb3 Ra6 me2"


def test_one_capture_makes_way_for_the_next(side):
    pieces = "Ca1 Cb1 Ra2 Ma3 ma4 mb4"
    assert "xa4" not in side.targets(pieces, "Ra2").split()
    assert side.after(pieces, "Ma3xb4", "by a1", "Ra2xa4") == "Ca1 Cb1 Mb4 Ra4"


def test_moves_are_legal_when_they_are_made(side):
    # What one piece has taken or entered the other cannot.
    pieces = "Ca1 Cb1 Mc1 Md2 nc2"
    assert {"Mc1xc2", "Md2xc2"} <= set(side.labels(pieces))
    assert "xc2" not in " ".join(side.labels(pieces, "Mc1xc2", "by a1"))
    assert "Md2-c2" not in side.labels(pieces, "Mc1xc2", "by a1")


def test_same_player_acts_until_the_turn_is_over(side):
    pieces = "Ca1 Cb1 Cc1 Mb2 Mc2"
    labels = ["Mb2-b3", "by a1", "Mc2-c3", "by b1", "Cc1-c2"]
    for played in range(len(labels)):
        assert side.position(pieces, *labels[:played]).to_move == side.index
    assert side.position(pieces, *labels).to_move == 1 - side.index


# The end of a turn.


def test_a_turn_has_at_least_one_move(side):
    assert not {"end", "pass"} & set(side.labels("Ca1 Cb1 Mc1"))


@rows(
    ("pieces", "labels"),
    [
        ("Ca1 Cb1 Mc1", ["Mc1-d1", "by a1"]),
        ("Ca1 Ch1 Mc1", ["Mc1-d1"]),
        ("Ca1 Cb1 Cc1 Mc2", ["Mc2-d2", "by a1", "Cb1-b2", "by b1"]),
    ],
)
def test_end_ends_the_turn_after_a_move(side, pieces, labels):
    legal = side.labels(pieces, *labels)
    assert "end" in legal and len(legal) > 1
    assert "pass" not in legal
    ended = side.position(pieces, *labels, "end", turns=5)
    assert ended.to_move == 1 - side.index
    assert fields(ended)[1:4] == ("bw"[side.index], "0", "6")


def test_end_undoes_no_move(side):
    assert side.after("Ca1 Cb1 Mc1", "Mc1-d1", "by a1", "end") == "Ca1 Cb1 Md1"


def test_turn_cannot_end_before_the_activating_chieftain_is_named(side):
    assert "end" not in side.labels("Ca1 Cb1 Cc1 Mc2", "Mc2-d2", "by a1", "Cb1-b2")


@rows(
    ("pieces", "labels"),
    [
        ("Ca1", ["Ca1-a2"]),
        ("Ca1 Mb1 Mc1", ["Mb1-b2"]),
        ("Ca1 Cb1 Mc1 Md1", ["Mc1-c2", "by b1", "Md1-d2"]),
        ("Ca1 Cb1", ["Ca1-a2", "by a1", "Cb1-b2"]),
    ],
)
def test_turn_ends_by_itself_when_every_activation_is_spent(side, pieces, labels):
    ended = side.position(pieces, *labels, turns=5)
    assert fields(ended)[1:4] == ("bw"[side.index], "0", "6")


def test_end_is_the_only_action_when_nothing_can_use_what_is_left(side):
    # The Chieftain moved by the other may not move again and commands nobody else.
    labels = ["Cb1-d1", "by a1"]
    assert side.legal("Ca1 Cb1", *labels, command_range=1) == "end"
    assert side.legal("Ca1 Cb1 Mc4", *labels, command_range=1) == "end"
    assert side.legal("Ca1 Cb1 Mc2", *labels, command_range=1) != "end"
    assert side.legal("Ca1 Cd1 Mb3", "Cd1-f1", "by a1") == "end"
    ended = side.position("Ca1 Cb1", *labels, "end", command_range=1)
    assert ended.to_move == 1 - side.index


def test_end_is_the_only_action_when_those_commanded_are_stuck(side):
    assert side.legal(f"{STUCK} Cb8", "Cb8-a7", **NARROW) == "end"


def test_activations_are_not_saved_for_a_later_turn(side):
    pieces = "Ca1 Cb1 Ma2 Mb2 Mc2 mg8"
    labels = ["Ma2-a3", "by a1", "end", "Mg8-g7", "Mb2-b3", "by b1", "Mc2-c3"]
    assert side.position(pieces, *labels).to_move == 1 - side.index


def test_every_turn_brings_new_activations_and_moves(side):
    pieces = "Ca1 Mb2"
    labels = ["Mb2-b3", "Ch8-h7", "Mb3-b4", "Ch7-h8", "Mb4-b5"]
    after = side.position(pieces, *labels)
    assert fields(after).turns == "5"
    assert side.after(pieces, *labels) == "Ca1 Mb5"


def test_captured_chieftain_activates_no_more(side):
    pieces = "Ca1 Hg1 Ch1 ca8 cg4 mb8 mh4"
    assert side.movers(pieces, "Ca1-a2", "end") == "Ca8 Cg4 Mb8 Mh4"
    assert side.movers(pieces, "Hg1xg4", "end") == "Ca8 Mb8"


# Passing.


def test_pass_is_the_only_action_when_nothing_is_legal(side):
    assert side.legal(STUCK, **NARROW) == "pass"
    # With the default range the Men are commanded.
    assert "pass" not in side.labels(STUCK, size="4x8")


def test_pass_is_the_only_action_when_all_are_stuck(side):
    # The enemy Chieftain is attacked by nobody; every other square is a friend's.
    blocked = "Ca1 " + " ".join(
        f"M{square}" for square in "a2 a3 a4 b1 b2 b3 b4 c1 c2 d1 d2".split()
    )
    assert side.legal(f"{blocked} Hc3 Sc4 Sd3", size="4x4") == "pass"
    assert side.legal(f"{blocked} Mc3 Sc4 Sd3", size="4x4") == "Mc3xd4"


def test_pass_is_not_legal_when_there_is_a_move(side):
    assert "pass" not in side.labels("Ca1 Na2 Nb1 Nb2 Ma3 mb4", command_range=1)


def test_passing_is_counted_and_moves_nothing(side):
    passed = side.position(HALVES, "pass", turns=8, **NARROW)
    assert fields(passed)[1:4] == ("bw"[side.index], "1", "9")
    assert passed.to_move == 1 - side.index
    assert not passed.is_over
    assert side.after(HALVES, "pass", **NARROW) == " ".join(sorted(HALVES.split()))


def test_two_passes_in_a_row_are_a_draw(side):
    drawn = side.position(HALVES, "pass", "pass", turns=8, **NARROW)
    assert drawn.is_over
    assert drawn.returns == (0, 0)
    assert drawn.to_move is None
    assert drawn.legal_moves() == []
    assert fields(drawn)[1:4] == (side.name[0], "2", "10")


def test_passes_of_both_players_count_together(side):
    assert side.position(STUCK, "pass", passes=1, **NARROW).returns == (0, 0)


@rows(
    ("pieces", "labels"),
    [
        ("Ca1", ["Ca1-a2"]),
        ("Ca1 Mb2 nb3", ["Mb2xb3"]),
        ("Ca1 Mb2 cb3", ["Mb2xb3"]),
        ("Ca1 Cb1", ["Cb1-b2", "by a1", "end"]),
    ],
)
def test_any_move_sets_the_passes_to_zero(side, pieces, labels):
    assert fields(side.position(pieces, passes=1)).passes == "1"
    assert fields(side.position(pieces, *labels, passes=1)).passes == "0"


def test_two_passes_with_a_move_between_are_no_draw(side):
    position = side.position(STUCK, "pass", "Cd8-d7", "pass", **NARROW)
    assert not position.is_over
    assert fields(position).passes == "1"


# The end of the game.


@rows(
    ("pieces", "label"),
    [
        ("Ca1 Hd1 cd4", "Hd1xd4"),
        ("Ca1 cb2", "Ca1xb2"),
        ("Ca1 cc3", "Ca1xc3"),
        ("Ca1 Mb2 cb3 rh8", "Mb2xb3"),
        ("Ca1 Na2 cc3", "Na2xc3"),
    ],
)
def test_capturing_the_last_chieftain_wins(side, pieces, label):
    position = side.position(pieces, label, turns=7)
    assert position.is_over
    assert position.returns[side.index] == 1
    assert position.returns[1 - side.index] == -1
    assert position.to_move is None
    assert position.legal_moves() == []
    assert fields(position)[1:4] == ("bw"[side.index], "0", "8")


def test_capturing_a_chieftain_that_is_not_the_last_does_not_win(side):
    position = side.position("Ca1 Mb2 cb3 ch8", "Mb2xb3")
    assert not position.is_over
    assert position.returns is None
    assert position.to_move == 1 - side.index


def test_capturing_the_chieftains_one_after_the_other_wins(side):
    pieces = "Ca1 Cb1 Mb2 Mc2 cb3 cc3"
    position = side.position(pieces, "Mb2xb3", "by a1")
    assert not position.is_over
    position.play(side.label("Mc2xc3"))
    assert position.returns[side.index] == 1


def test_capture_of_the_last_chieftain_wins_in_the_middle_of_a_turn(side):
    pieces = "Ca1 Cd1 Ch1 Mb2 Md4 cd5"
    position = side.position(pieces, "Mb2-b3", "by a1", "Md4xd5", turns=3)
    assert position.is_over
    assert fields(position)[1:4] == ("bw"[side.index], "0", "4")


def test_nobody_is_asked_who_activated_the_winning_move(side):
    pieces = "Ca1 Cb1 Cc1 Mb2 cb3"
    assert side.position(pieces, "Mb2xb3").is_over
    assert side.position(pieces, "Ca1-a2", "by c1", "Mb2xb3").is_over
    assert not side.position(f"{pieces} ch8", "Mb2xb3").is_over


def test_player_whose_last_chieftain_is_captured_loses(side):
    assert side.position("Ca1 rd1 cc3", "Ca1-b1", "Rd1xb1").returns[side.index] == -1


def test_nothing_can_be_played_after_the_end(side):
    position = side.position("Ca1 Mb2 cb3", "Mb2xb3")
    before = position.text
    for label in ("end", "pass", "by a1", "Ca1-a2", side.label("Ca1-a2")):
        with pytest.raises(IllegalMove):
            position.play(label)
    assert position.text == before
    assert (position.perft(0), position.perft(1), position.perft(2)) == (1, 0, 0)


# Labels.


def test_labels_of_moves_have_capitals_and_tell_captures(side):
    legal = side.labels("Ca1 Nb1 mc3 me8")
    assert [label for label in legal if label.startswith("N")] == ["Nb1-a3", "Nb1-d2", "Nb1xc3"]


def test_label_of_a_capture_on_the_file_named_x(side):
    pieces = "Cw22 Rx24 hx21 cl1"
    assert "Rx24xx21" in side.labels(pieces, size="24x24")
    assert side.after(pieces, "Rx24xx21", size="24x24") == "Cw22 Rx21 cl1"


def test_legal_moves_are_sorted_and_distinct():
    setup = place("Ca10 Hb10 Cc10 cb1", "12x12")
    legal = Position("chieftain", setup=setup).legal_moves()
    assert legal == sorted(set(legal))
    assert legal[:4] == ["Ca10-a11", "Ca10-a12", "Ca10-a8", "Ca10-a9"]


@rows(
    "label",
    [
        "",
        "end",
        "pass",
        "by",
        "by a1",
        "Ca1",
        "a1-a2",
        "Ca1a2",
        "Ca1xa2",
        "ca1-a2",
        "Ma1-a2",
        "Ca1-a1",
        "Ca1-a4",
        "Ca1-a5",
        "Cd4-d3",
        "Ca1-a2 ",
        " Ca1-a2",
        "Ca1-A2",
        "Ca1-a02",
        "Ca1-a2,end",
    ],
)
def test_illegal_label_is_refused_and_changes_nothing(label):
    position = Position("chieftain", setup="3c/4/4/C3")
    before = position.text, position.legal_moves()
    with pytest.raises(IllegalMove):
        position.play(label)
    assert (position.text, position.legal_moves()) == before
    assert issubclass(IllegalMove, ValueError)


@rows(
    ("labels", "illegal"),
    [
        (
            ["Mc1-d1"],
            ["by c1", "by d1", "by  a1", "by A1", "a1", "end", "pass", "Ca1-a2"],
        ),
        (["Mc1-d1", "by a1"], ["by b1", "by a1", "pass", "Md1-e1", "End", "Mc1-d1"]),
    ],
)
def test_illegal_label_in_mid_turn_changes_nothing(labels, illegal):
    position = Position("chieftain", setup="7c/8/8/8/8/8/8/CCM5")
    for label in labels:
        position.play(label)
    before = position.text, position.legal_moves()
    for label in illegal:
        with pytest.raises(IllegalMove):
            position.play(label)
        assert (position.text, position.legal_moves()) == before


def test_copy_is_independent():
    position = Position("chieftain", setup="7c/8/8/8/8/8/8/CCM5").play("Mc1-d1")
    twin = position.copy()
    twin.play("by a1").play("end")
    assert position.text == f"{place('Ca1 Cb1 Mc1 ch8')} w 0 0 Mc1-d1"
    assert twin.text == f"{place('Ca1 Cb1 Md1 ch8')} b 0 1"


def test_there_is_no_chance(side):
    assert not side.position("Ca1 Cb1 Mc1", "Mc1-d1").is_chance


def test_perft_counts_actions(side):
    # The Chieftain has 8 moves, the other side's then 8 each.
    position = side.position("Ca1")
    assert [position.perft(depth) for depth in (0, 1, 2)] == [1, 8, 64]
    # Each move of the two is asked about.
    assert side.position("Ca1 Cd1", "Ca1-a2").perft(1) == 2


# The option for a shorter first turn.


def order(position, origin):
    """A Chieftain of the usual start goes two ranks ahead, activated by itself."""
    file, rank = origin[0], int(origin[1:])
    position.play(f"C{origin}-{file}{rank + 2 if rank == 1 else rank - 2}")
    if position.question.startswith("who"):
        position.play(f"by {origin}")
    return position


@rows("orders", [1, 2, 3])
def test_the_first_turn_of_the_game_may_have_fewer_orders(orders):
    position = Position("chieftain", first_turn_orders=orders)
    for number, origin in enumerate(["c1", "f1", "k1"][:orders], 1):
        assert position.to_move == 0
        order(position, origin)
        if number < orders:
            assert position.question == f"what next? (activations left: {orders - number})"
    for origin in ["c12", "f12", "k12"]:
        assert position.to_move == 1
        order(position, origin)
    assert position.question == "what next? (activations left: 1)"


def test_more_first_orders_than_there_are_activations_change_nothing():
    plain, generous = Position("chieftain"), Position("chieftain", first_turn_orders=9)
    for origin in ["c1", "f1", "k1", "n1"]:
        assert plain.legal_moves() == generous.legal_moves()
        assert order(plain, origin).text == order(generous, origin).text
    assert plain.to_move == 1


def test_a_text_of_a_later_turn_has_all_orders():
    text = fields(Position("chieftain"))._replace(turns="2")
    later = Position.from_text("chieftain", " ".join(filter(None, text)), first_turn_orders=1)
    assert order(later, "c1").to_move == 0
