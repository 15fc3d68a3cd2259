"""Rules, "A turn": taking pieces, entering them again, a taken Raja, grace dice."""

from ...rows import rows
from .positions import Seat


@rows(
    ("foe", "label", "left"),
    [
        ("Rc1 Ed2:2 H@", "2:Hb3-c1", "R@ Ed2:2 H@"),
        ("Rc1 Ed2:2 H@", "2:Hb3-d2", "Rc1 E@ H@"),
        ("Rc1 Ha1:-1", "2:Hb3-a1", "Rc1 H@"),
        ("R@ Ha1", "2:Hb3-a1", "R@ H@"),
    ],
)
def test_taken_piece_leaves_the_board(seat, foe, label, left):
    assert seat.after("Hb3", label, foe=foe, dice="2", name="foe") == left
    assert seat.after("Hb3", label, foe=foe, dice="2") == f"H{label[-2:]}"
    assert seat.then("Hb3", label, foe=foe, dice="2") == "me - g 0"


def test_ship_takes_and_is_taken(seat_of_two):
    position = seat_of_two.position("Rg7 Sd1", "1:Sd1-g4", foe="Sg4", dice="1")
    assert seat_of_two.pieces(position) == "Rg7 Sg4"
    assert seat_of_two.pieces(position, "foe") == "S@"


def test_pieces_of_either_enemy_may_be_taken(seat_of_four):
    assert seat_of_four.after("Hb3", "2:Hb3-c1", last="Rc1", dice="2", name="last") == "R@"
    assert seat_of_four.then("Hb3", "2:Hb3-c1", last="Rc1", dice="2") == "me - g 0"


# Entering.


@rows(
    ("words", "die", "legal", "after"),
    [
        ("Rg7 Ea4 H@", 2, "2:H@-c7", "Rg7 Ea4 Hc7"),
        ("Rg7 E@ Hg6", 3, "3:E@-b7", "Rg7 Eb7 Hg6"),
        ("R@ Eg5 Hg6", 4, "4:R@-a7", "Ra7 Eg5 Hg6"),
        ("R@ Eg5 Hg6", 5, "5:R@-a7", "Ra7 Eg5 Hg6"),
        ("R@ Eg5 Hg6", 6, "6:R@-a7", "Ra7 Eg5 Hg6"),
    ],
)
def test_taken_piece_enters_on_its_starting_square_by_a_die_for_it(seat, words, die, legal, after):
    assert seat.legal(words, dice=str(die)) == legal
    assert seat.after(words, legal, dice=str(die)) == after
    assert seat.then(words, legal, dice=str(die)) == "foe - i 1"


def test_taken_ship_enters(seat_of_two):
    assert seat_of_two.after("Rg7 S@", "1:S@-d7", dice="1") == "Rg7 Sd7"


@rows("colour", ["black", "green", "yellow", "red"])
@rows(
    ("words", "die", "legal"),
    [
        ("R@ Ek6", 4, "4:R@-a11"),
        ("Rk6 E@", 3, "3:E@-b11"),
        ("Rk6 H@", 2, "2:H@-c11"),
        ("Rk6 S@", 1, "1:S@-d11"),
    ],
)
def test_entering_on_the_grand_board(colour, words, die, legal):
    assert Seat(4, colour, "grand_pachessi").legal(words, dice=str(die)) == legal


def test_any_taken_piece_enters_by_a_six(seat):
    assert seat.legal("Ra4 E@ H@", dice="6") == "6:E@-b7 6:H@-c7 6:Ra4-a3 6:Ra4-b3 6:Ra4-b4"


def test_die_for_a_taken_piece_is_for_no_other(seat):
    assert seat.legal("Ra7 Eb7 H@", dice="3") == "3:Eb7-b4 3:Eb7-b5 3:Eb7-b6"
    assert seat.legal("Ra7 Ec7 H@", dice="2") == "pass"


@rows("blocker", ["Rc7", "Ra7 Ec7", "Ra7 Ec7:2"])
def test_own_piece_blocks_the_entrance(seat, blocker):
    assert seat.legal(f"{blocker} H@", dice="2") == "pass"


@rows("friend", ["Rc7", "Rc1 Ec7", "R* Ec7:1", "Rc1 Hc7"])
def test_team_mates_piece_blocks_the_entrance(seat_of_four, friend):
    assert seat_of_four.legal("Ra7 H@", friend=friend, dice="2") == "pass"


@rows(("foe", "left"), [("Rc7", "R@"), ("Rc1 Ec7:1", "Rc1 E@"), ("R@ Hc7", "R@ H@")])
def test_enemy_on_the_starting_square_is_taken_which_earns_grace(seat, foe, left):
    """Ruling 3."""
    position = seat.position("Ra7 H@", "2:H@-c7", foe=foe, dice="2")
    assert seat.pieces(position) == "Ra7 Hc7"
    assert seat.pieces(position, "foe") == left
    assert seat.state(position) == "me - g 0"


def test_piece_entered_has_no_laps(seat):
    assert seat.after("Rg7 H@", "2:H@-c7", dice="2") == "Rg7 Hc7"
    assert seat.legal("Rg7 H@", "2:H@-c7", dice="2,2") == "2:Hc7-a6 2:Hc7-b5"


# A taken Raja.


@rows(
    ("words", "dice", "legal"),
    [
        ("R@ Eb5 Hc7", "2,3", "pass"),
        ("R@ Eb5 Hc7", "2,4", "4:R@-a7"),
        ("R@ Eb5 Hc7", "5,6", "5:R@-a7 6:R@-a7"),
        ("R@ E@ H@", "3,6", "6:R@-a7"),
        ("R@ E@ H@", "2,3", "pass"),
        ("R@ Eb7:1 Hc7:1", "2,3", "pass"),
        ("R@ Eb7:1 Hc7:1", "6,6", "6:R@-a7"),
        ("R@ Hc7", "3", "3:R@-a7"),
        ("R@ Hc7", "2", "pass"),
    ],
)
def test_only_use_of_dice_is_to_enter_the_taken_raja(seat, words, dice, legal):
    assert seat.legal(words, dice=dice) == legal


def test_pieces_are_free_again_once_the_raja_has_entered(seat):
    assert seat.legal("R@ Ea3 Hc7", "4:R@-a7", dice="2,4") == "2:Hc7-a6 2:Hc7-b5"
    assert seat.legal("R@ E@ H@", "6:R@-a7", dice="3,6") == "3:E@-b7"


def test_raja_born_off_leaves_its_side_free(seat):
    assert seat.legal("R* Ea3 Hc7", dice="2") == "2:Hc7-a6 2:Hc7-b5"
    assert seat.legal("R* E@ Hc7", dice="3") == "3:E@-b7"


def test_player_whose_raja_is_taken_still_rolls(seat):
    assert seat.position("R@ Ea3 Hc7").is_chance


def test_pieces_of_a_player_whose_raja_is_taken_may_be_taken(seat):
    position = seat.position("Rg7 Hc7", "2:Hc7-b5", foe="R@ Eb5 Hc1", dice="2")
    assert seat.pieces(position, "foe") == "R@ E@ Hc1"
    assert seat.state(position) == "me - g 0"


def test_taken_raja_binds_only_its_own_player(seat_of_four):
    legal = seat_of_four.legal("Ra7 Hc7", friend="R@ Eg1", dice="2")
    assert legal == "2:Hc7-a6 2:Hc7-b5"


@rows("own", ["Ea7", "Ea7:1", "Ea7:-1"])
def test_raja_enters_on_its_own_piece_which_earns_no_grace(seat, own):
    """Ruling 3."""
    assert seat.legal(f"R@ {own}", dice="4,4") == "4:R@-a7"
    assert seat.after(f"R@ {own}", "4:R@-a7", dice="4,4") == "Ra7 E@"
    assert seat.then(f"R@ {own}", "4:R@-a7", dice="4,4") == "me 4 i 0"
    assert seat.then(f"R@ {own}", "4:R@-a7", "4:Ra7-a6", dice="4,4") == "foe - i 1"
    assert seat.then(f"R@ {own}", "4:R@-a7", dice="4", roll="g") == "foe - i 1"


@rows("letter", "HS")
def test_raja_enters_on_any_piece_of_its_own(seat_of_two, letter):
    assert seat_of_two.after(f"R@ {letter}a7", "4:R@-a7", dice="4") == f"Ra7 {letter}@"


def test_raja_enters_on_an_enemy_which_earns_grace(seat):
    position = seat.position("R@ Hc7", "4:R@-a7", foe="Ra7", dice="4,4")
    assert seat.pieces(position) == "Ra7 Hc7"
    assert seat.pieces(position, "foe") == "R@"
    assert seat.state(position) == "me 4 i+ 0"


def test_grace_earned_before_is_kept_when_the_raja_takes_its_own_piece(seat):
    # Only the first of these captures earns grace: the own piece's would not.
    assert seat.then("R@ Ea7", "5:R@-a7", dice="5", roll="i+") == "me - g 0"


# Team-mates.


@rows(
    ("friend", "legal"),
    [
        ("Rg4 Eb5", "2:Hc7-a6"),
        ("R* Eb5", "2:Hc7-a6"),
        ("Rb5", "2:Hc7-a6"),
        ("R@ Eb5", "2:Hc7-a6 2:Hc7-b5"),
    ],
)
def test_team_mates_piece_may_be_taken_only_while_its_raja_is_taken(seat_of_four, friend, legal):
    assert seat_of_four.legal("Ra7 Hc7", friend=friend, dice="2") == legal


def test_other_players_taken_rajas_do_not_free_a_team_mates_pieces(seat_of_four):
    legal = seat_of_four.legal("Ra7 Hc7", friend="Rg4 Eb5", foe="R@ E@", last="R@ E@", dice="2")
    assert legal == "2:Hc7-a6"


def test_taking_a_team_mates_piece_earns_grace(seat_of_four):
    position = seat_of_four.position("Ra7 Hc7", "2:Hc7-b5", friend="R@ Eb5:1 Hg1", dice="2,4")
    assert seat_of_four.pieces(position, "friend") == "R@ E@ Hg1"
    assert seat_of_four.state(position) == "me 4 i+ 0"


def test_entering_takes_the_piece_of_a_team_mate_whose_raja_is_taken(seat_of_four):
    position = seat_of_four.position("Ra7 H@", "2:H@-c7", friend="R@ Ec7", dice="2")
    assert seat_of_four.pieces(position, "friend") == "R@ E@"
    assert seat_of_four.state(position) == "me - g 0"


@rows(
    ("friend", "legal"),
    [
        ("Ra7", "pass"),
        ("Rf1 Ea7", "pass"),
        ("R* Ea7", "pass"),
        ("R@ Ea7", "4:R@-a7"),
    ],
)
def test_team_mate_on_the_square_of_a_taken_raja(seat_of_four, friend, legal):
    assert seat_of_four.legal("R@ Hc7", friend=friend, dice="4") == legal


def test_raja_that_takes_its_team_mates_piece_earns_grace(seat_of_four):
    position = seat_of_four.position("R@ Hc7", "4:R@-a7", friend="R@ Ea7", dice="4")
    assert seat_of_four.pieces(position, "friend") == "R@ E@"
    assert seat_of_four.state(position) == "me - g 0"


# Grace dice. The Horse can take on a6 or b5, the Elephant on b6.

WORDS = "Rg4 Eb7 Hc7"


@rows(
    ("foe", "labels", "state"),
    [
        ("Rb5 Eb6", ["2:Hc7-b5"], "me 3 i+ 0"),
        ("Rb5 Eb6", ["2:Hc7-b5", "3:Eb7-b6"], "me - g 0"),
        ("Rb5 Eb6", ["2:Hc7-b5", "3:Eb7-a7"], "me - g 0"),
        ("Rb5 Eb6", ["2:Hc7-a6"], "me 3 i 0"),
        ("Rb5 Eb6", ["2:Hc7-a6", "3:Eb7-b6"], "me - g 0"),
        ("Rb5 Eb6", ["2:Hc7-a6", "3:Eb7-a7"], "foe - i 1"),
        ("Rb5 Eb6", ["3:Eb7-b6", "2:Hc7-a6"], "me - g 0"),
        ("Rb5 Eb6", ["3:Eb7-b6"], "me 2 i+ 0"),
    ],
)
def test_capture_earns_a_grace_die_once_no_dice_remain(seat, foe, labels, state):
    assert seat.then(WORDS, *labels, foe=foe, dice="2,3") == state


def test_two_captures_with_the_first_roll_earn_one_grace_die(seat):
    """Ruling 2."""
    labels = ["2:Hc7-b5", "3:Eb7-b6", "roll 4", "4:Rg4-g5"]
    position = seat.position(WORDS, *labels[:2], foe="Rb5 Eb6", dice="2,3")
    assert position.to_move == -1
    assert position.legal_moves()[-1] == "roll 6"
    assert seat.then(WORDS, *labels, foe="Rb5 Eb6", dice="2,3") == "foe - i 1"


def test_grace_die_that_captures_earns_another_and_again(seat):
    labels = ["2:Hc7-b5", "roll 3", "3:Eb7-b6", "roll 2", "2:Hb5-a3", "roll 5", "5:Rg4-g5"]
    states = ["me - g 0", "me 3 g 0", "me - g 0", "me 2 g 0", "me - g 0", "me 5 g 0", "foe - i 1"]
    for count, state in enumerate(states, 1):
        assert seat.then(WORDS, *labels[:count], foe="Rb5 Eb6 Ha3", dice="2") == state


def test_grace_die_that_does_not_capture_ends_the_turn(seat):
    assert seat.then(WORDS, "2:Hc7-a6", dice="2", roll="g", turns=4) == "foe - i 5"


def test_grace_die_that_cannot_be_used_ends_the_turn(seat):
    assert seat.legal("Rg4 Ha1", dice="2", roll="g") == "pass"
    assert seat.then("Rg4 Ha1", "pass", dice="2", roll="g") == "foe - i 1"


def test_grace_die_must_be_used_in_the_same_way(seat):
    assert seat.legal("Rg4 Hc7", dice="2", roll="g") == "2:Hc7-a6 2:Hc7-b5"
    assert seat.legal("R@ Hc7", dice="2", roll="g") == "pass"


def test_grace_is_earned_even_if_the_other_die_had_to_be_thrown_away(seat):
    words = "Rg4 Ha1 Eb7"
    labels = ["3:Eb7-b6"]
    assert seat.legal(words, *labels, foe="Rb6", dice="2,3") == "pass"
    assert seat.then(words, *labels, foe="Rb6", dice="2,3") == "me 2 i+ 0"
    assert seat.then(words, *labels, "pass", foe="Rb6", dice="2,3") == "me - g 0"


def test_next_turn_starts_without_grace(seat):
    labels = ["2:Hc7-b5", "roll 4", "4:Rg4-g5", "roll 2 3"]
    position = seat.position(WORDS, *labels, foe="Rb5 Eb6 H@", dice="2")
    assert seat.state(position) == "foe 2,3 i 1"
    assert position.legal_moves() == ["pass"]
    position.play("pass")
    assert seat.state(position).endswith(" - i 2")
