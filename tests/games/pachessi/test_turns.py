"""Rules: who plays when, and who wins."""

import pytest

from pasgl_env import IllegalMove, Position

from ...rows import rows
from .positions import COLOURS, Seat, fields


@rows("players", COLOURS)
def test_play_runs_counterclockwise_round_the_seats(players):
    position = Position("pachessi", players=players)
    for turn in range(players):
        assert position.is_chance
        assert fields(position).mover == COLOURS[players][turn]
        position.play("roll 4 5")
        for _ in range(2):
            assert position.to_move == turn
            position.play(position.legal_moves()[0])
        assert fields(position).turns == str(turn + 1)
    assert fields(position).mover == "black"


def test_seats_after_each_other(seat):
    position = seat.position("Ra7 Hc7", "2:Hc7-b5", foe="Rd1 Hb1", dice="2")
    assert seat.state(position) == "foe - i 1"
    assert position.to_move == -1
    position.play("roll 4 4")
    assert seat.offset(position) == 1


def test_turns_are_counted_for_all_players(seat):
    position = seat.position("Ha7", turns=5)
    for turn in range(5, 15):
        assert fields(position).turns == str(turn)
        position.play("roll 2 3").play("pass")


def test_nobody_can_ever_move_and_there_is_no_draw(seat_of_two):
    """Ruling 7."""
    position = seat_of_two.position("Ha7", foe="Hg1")
    for _ in range(100):
        assert position.legal_moves()[-1] == "roll 6 6"
        position.play("roll 6 6")
        assert position.legal_moves() == ["pass"]
        position.play("pass")
    assert not position.is_over
    assert position.returns is None


@rows("corner", ["a7", "g7", "a1", "g1"])
def test_horse_on_a_corner_can_never_move_again(seat, corner):
    """Ruling 7."""
    assert seat.legal(f"H{corner}", dice="2,6") == "pass"


@rows("corner", ["a11", "k11", "a1", "k1"])
def test_horse_on_a_corner_of_the_grand_board_can_never_move_again(corner):
    """Ruling 7."""
    assert Seat(4, "red", "grand_pachessi").legal(f"H{corner}", dice="2,6") == "pass"


# The end.


@rows(
    ("last_piece", "dice", "roll", "label", "state"),
    [
        ("Hc7:1", "2", "i", "2:Hc7-off", "me - i 4"),
        ("Hc7:1", "2,6", "i", "2:Hc7-off", "me 6 i 4"),
        ("Hc7:1", "2,6", "i", "6:Hc7-off", "me 2 i 4"),
        ("Hc7:1", "6,6", "i", "6:Hc7-off", "me 6 i 4"),
        ("Hc7:1", "3,4", "i", "4:Hc7-off", "me 3 i 4"),
        ("Hc7:1", "2", "i+", "2:Hc7-off", "me - i 4"),
        ("Hc7:1", "2", "g", "2:Hc7-off", "me - g 4"),
        ("Eb7:5", "3", "i", "3:Eb7-off", "me - i 4"),
        ("Ra7:1", "4", "g", "4:Ra7-off", "me - g 4"),
        ("Ra7:1", "5,5", "i", "5:Ra7-off", "me 5 i 4"),
    ],
)
def test_first_player_with_every_piece_born_off_wins_at_once(
    seat, last_piece, dice, roll, label, state
):
    position = seat.position(last_piece, dice=dice, roll=roll, foe="Rd1", turns=4)
    assert not position.is_over
    seat.play(position, label)
    assert position.is_over
    assert seat.state(position) == state
    assert seat.pieces(position) == ""
    assert position.to_move is None
    assert not position.is_chance
    assert position.legal_moves() == []
    assert position.perft(0) == 1
    assert position.perft(1) == position.perft(3) == 0


def test_nothing_can_be_played_once_the_game_is_over(seat):
    position = seat.position("Hc7:1", "2:Hc7-off", dice="2,6", foe="Rd1")
    before = position.text
    for label in ("roll 1 2", "roll 6", "pass", "6:Hc7-off"):
        with pytest.raises(IllegalMove):
            position.play(label)
    assert position.text == before


def test_winner_of_two(seat_of_two):
    position = seat_of_two.position("Hc7:1", "2:Hc7-off", dice="2", foe="Rd1")
    assert position.returns == ((1, -1), (-1, 1))[seat_of_two.index]


def test_team_wins_together(seat_of_four):
    others = {"foe": "Rd1", "friend": "Rb1", "last": "R@"}
    position = seat_of_four.position("Hc7:1", "2:Hc7-off", dice="2", **others)
    assert position.returns == ((1, -1, 1, -1), (-1, 1, -1, 1))[seat_of_four.index % 2]
    assert all(type(value) is float for value in position.returns)


@rows("left", ["Ra7", "E@", "Ea1", "Eb7:1"])
def test_game_goes_on_while_a_piece_is_left(seat, left):
    position = seat.position(f"{left} Hc7:1", "2:Hc7-off", foe="Rd1", dice="2")
    assert seat.pieces(position) == left
    assert not position.is_over
    assert position.returns is None
