"""What is counted in games of Pachessi and Grand Pachessi."""

from itertools import pairwise

from pasgl_env import Position
from pasgl_env.games.pachessi.rules.state import FIRST_ROLL, GRACE, OFF, TAKEN

from ...playtest.counters import check_squares, counted, played
from ...rows import rows
from ...suites import SUITES
from .positions import place


def counts(name, black, label, *others, dice="6", variant="pachessi", roll="i", **options):
    """What Black's action counts."""
    players = options.get("players", 2)
    letters = "REHS" if players == 2 or variant == "grand_pachessi" else "REH"
    others = (*others, *["Rg4"] * players)[: players - 1]
    text = place(black, *others, dice=dice, roll=roll, letters=letters)
    return counted(Position.from_text(variant, text, **options), label).words(name)


@rows(
    ("pieces", "label", "used"),
    [
        ("Ra6 Hb3", "6:Ra6-a5", "0 Raja move"),
        ("R@ Hb3", "6:R@-a7", "0 Raja enter"),
        ("Eb7:1 Hb3", "6:Eb7-off", "0 Elephant bear off"),
        ("Ha1", "pass", ""),
    ],
)
def test_what_a_die_is_used_for(pieces, label, used):
    assert counts("dice_used", pieces, label) == used
    assert counts("dice_wasted", pieces, label) == ("" if used else "0")


@rows(
    ("pieces", "label", "dice", "wasted", "blocked"),
    [
        ("Ra6 Eb7 Ha1 Sd7", "pass", "2,2", "2 times 0", "0 otherwise"),
        ("R@ Eb7 Hb5 Sd7", "pass", "1,2", "2 times 0", "0 Raja taken"),
        ("Ra6 Eb7 Ha1 Sd7", "pass", "2", "0", ""),
        ("Ra6 Eb7 Ha1 Sd7", "4:Ra6-a5", "2,4", "", ""),
    ],
)
def test_dice_that_cannot_be_used(pieces, label, dice, wasted, blocked):
    assert counts("dice_wasted", pieces, label, dice=dice) == wasted
    assert counts("blocked_turns", pieces, label, dice=dice) == blocked


@rows(
    ("pieces", "label", "dice", "raja"),
    [
        ("Ra6 Ec7", "3:Ec7-b7", "3,3", "0 on the board"),
        ("R@ Ec7", "4:R@-a7", "3,4", "0 taken"),
        ("Ec7 Hb3", "3:Ec7-b7", "3,3", "0 borne off"),
        ("Ra6 Ec7", "3:Ec7-b7", "3", ""),
    ],
)
def test_where_the_raja_is_when_a_turn_begins(pieces, label, dice, raja):
    assert counts("raja", pieces, label, dice=dice) == raja
    assert counts("turns_taken", pieces, label, dice=dice) == ("0" if raja else "")


@rows(
    ("pieces", "label", "laps", "extra"),
    [
        ("Ra6 Ed7", "3:Ed7-b7", "0 Elephant", ""),
        ("Ra6 Ed7:1", "3:Ed7-b7", "0 Elephant", "0 Elephant"),
        ("Ra6 Ed7:-1", "3:Ed7-b7", "0 Elephant", ""),
        ("Ra6 Ed7", "3:Ed7-c7", "", ""),
        ("Ra6 Eb7:1", "3:Eb7-off", "", ""),
    ],
)
def test_laps(pieces, label, laps, extra):
    assert counts("laps", pieces, label, dice="3") == laps
    assert counts("extra_laps", pieces, label, dice="3") == extra


@rows(
    ("pieces", "foe", "label", "captor", "taken", "owner", "laps", "grace"),
    [
        (
            "Ed7",
            "Rg4 Hb7:2",
            "3:Ed7-b7",
            "0 Elephant",
            "1 Horse",
            "an enemy",
            "2 times 1",
            "0",
        ),
        ("Ed7", "Rg4 Hb7:-1", "3:Ed7-b7", "0 Elephant", "1 Horse", "an enemy", "", "0"),
        ("R@ Ea7", "Rg4", "4:R@-a7", "0 Raja", "0 Elephant", "the player", "", ""),
        ("R@ Eb7", "Ra7:1", "4:R@-a7", "0 Raja", "1 Raja", "an enemy", "1", "0"),
        ("Ed7", "Rg4", "3:Ed7-b7", "", "", "", "", ""),
    ],
)
def test_captures(pieces, foe, label, captor, taken, owner, laps, grace):
    names = ("captures", "taken", "taken_from", "laps_lost", "grace_dice")
    found = tuple(counts(name, pieces, label, foe, dice=label[0]) for name in names)
    assert found == (captor, taken, f"0 {owner}" if owner else "", laps, grace)
    square = label[-2:] if captor else ""
    assert counts("captures_on", pieces, label, foe, dice=label[0]) == square


def test_a_grace_die_is_earned_when_the_roll_is_finished():
    assert counts("grace_dice", "Ed7 Ra6", "3:Ed7-b7", "Rg4 Hb7", dice="3,4") == ""


def test_another_grace_die():
    grace = counts("grace_dice", "Ed7", "3:Ed7-b7", "Rg4 Hb7", dice="3", roll="g")
    assert grace == "0"
    assert counts("grace_dice", "Ed7", "3:Ed7-b7", "Rg4", dice="3", roll="g") == ""


def test_a_capture_of_the_team_mate():
    others = ("Rg4", "R@ Eb7", "Re7")
    game = {"dice": "3", "players": 4}
    assert counts("taken_from", "Ed7", "3:Ed7-b7", *others, **game) == "0 the team-mate"
    assert counts("taken", "Ed7", "3:Ed7-b7", *others, **game) == "2 Elephant"


@rows(
    ("variant", "label", "stuck"),
    [
        ("pachessi", "2:Hb3-a1", "0 Horse"),
        ("pachessi", "2:Hb3-c1", ""),
        ("grand_pachessi", "2:Hb3-a1", "0 Horse"),
    ],
)
def test_moves_to_where_a_piece_is_stuck(variant, label, stuck):
    assert counts("stuck", "Hb3", label, "Rg2", dice="2", variant=variant) == stuck


def test_in_steered_games_the_counts_add_up():
    captures = 0
    for game in played(SUITES["pachessi"], 1, 20):
        check_pieces(game)
        check_dice(game)
        captures += game.counted.array("captures").sum()
    assert captures


def check_pieces(game):
    """Pieces are taken, enter and are borne off as is counted."""
    then, now = (game.positions[index].state[0].place for index in (0, -1))
    counted = game.counted
    used, taken = counted.array("dice_used").reshape(16, 3), counted.array("taken").ravel()
    change = (now == TAKEN).astype(int) - (then == TAKEN)
    assert change.tolist() == (taken - used[:, 1]).tolist()
    assert ((now == OFF).astype(int) - (then == OFF)).tolist() == used[:, 2].tolist()
    captures = counted.array("captures").sum()
    assert captures == taken.sum() == counted.array("taken_from").sum()
    check_squares(game, captures)


def has_all_dice(position):
    """Whether the dice of a turn's first roll lie on the table, none of them played."""
    is_short = position.turns == 0 and position.options["first_dice"] == 1
    return position.state[0].roll == FIRST_ROLL and dice_of(position) == (1 if is_short else 2)


def check_dice(game):
    """All dice that were on the table or rolled are used, wasted, or still there."""
    rolls = rolled = graces = 0
    for before, after in pairwise(game.positions):
        if before.is_chance:
            dice = dice_of(after)
            rolled += dice
            rolls += has_all_dice(after)
            graces += before.state[0].roll == GRACE
    counted = game.counted
    used = counted.array("dice_used").sum() + counted.array("dice_wasted").sum()
    first, last = game.positions[0], game.positions[-1]
    assert used == dice_of(first) + rolled - dice_of(last)
    earned = counted.array("grace_dice").sum()
    assert earned == graces + is_due(last) - is_due(first)
    begun = rolls + has_all_dice(first) - has_all_dice(last)
    assert counted.array("turns_taken").sum() == counted.array("raja").sum() == begun


def dice_of(position):
    return int((position.state[0].dice != 0).sum())


def is_due(position):
    """Whether a grace die has to be rolled."""
    return position.is_chance and position.state[0].roll == GRACE
