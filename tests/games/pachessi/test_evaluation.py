"""How good positions of Pachessi are for their players, and what the greedy player makes of it."""

import numpy as np

from pasgl_env import Batch, Position, players, variants
from pasgl_env.contract.game import options_array

from ...rows import rows
from .positions import Seat, place, turned

FAR = "Rg1 E@ H@ S@"


def value(text, player=0, variant="pachessi", **options):
    game = variants.find(variant)
    state = Position.from_text(variant, text, **options).state[0]
    return game.evaluate(state, options_array(game, options)[0], player)


def of_black(pieces, foe=FAR, **rest):
    return value(place(pieces, foe, **rest))


@rows(
    ("better", "worse"),
    [
        ("Ra3", "Ra5"),
        ("Rg4", "Ra4"),
        ("Ra7 E*", "Ra7 Eb7:1"),
        ("Ra7 Eb7:1", "Ra7 Ec7"),
        ("Ra7 Eb7:1", "Ra7 Ea6:1"),
        ("Ra7 Ed7", "Ra7 E@"),
        ("Ra7 Ef7", "Ra7 Ef7:-1"),
        ("Ra7 E@", "R@ Eb7"),
        ("Ra7 H@", "Ra7 Ha1"),
        ("Ra7 Hb1", "Ra7 Hg7"),
    ],
)
def test_what_is_better(better, worse):
    assert of_black(better) > of_black(worse)
    assert value(place(better, FAR), 1) < value(place(worse, FAR), 1)


def test_a_piece_that_can_be_taken_is_worth_less():
    assert of_black("Ra7 Ea1", "Rg1 Eb1 H@ S@") > of_black("Ra7 Ed1", "Rg1 Eb1 H@ S@")
    assert of_black("Ra7 Ed1", "R@ Eb1 H@ S@") > of_black("Ra7 Ed1", "Rf1 Eb1 H@ S@")


def test_a_grace_die_is_worth_something():
    plain = place("Ra7", FAR, dice="4")
    assert value(plain.replace(" i ", " i+ ")) > value(plain)
    assert value(place("Ra7", FAR, roll="g")) > value(place("Ra7", FAR))


def test_the_end_is_worth_more_than_anything_to_all_of_a_team():
    letters = "REH"
    words = [turned("Ra7 E@ H@", quarters, 7) for quarters in range(4)]
    pieces = "/".join(place(word, letters=letters).split(" ")[0] for word in words)
    black = pieces.split("/")
    black[0] = "R*,E*,H*"
    text = f"{'/'.join(black)} black 4 i 9"
    values = [value(text, player, players=4) for player in range(4)]
    assert values == [100, -100, 100, -100]


@rows("number", [2, 4])
def test_it_is_the_same_from_every_corner(number):
    names = ("black", "green", "yellow", "red") if number == 4 else ("black", "yellow")
    values = []
    for colour in names:
        seat = Seat(number, colour)
        position = seat.position("Ra5:1 Eb2", foe="Rc1 Ha4", dice="4")
        game = variants.find("pachessi")
        record = options_array(game, {"players": number})[0]
        values.append(game.evaluate(position.state[0], record, seat.index))
    assert len(set(values)) == 1


def test_of_two_what_is_good_for_one_is_bad_for_the_other():
    game = variants.find("pachessi")
    batch = Batch("pachessi", 4, seed=1)
    record = batch.options_record[0]
    for _ in range(60):
        batch.step(batch.sample())
        for state in batch.states:
            own = game.evaluate(state, record, 0)
            assert own == -game.evaluate(state, record, 1)
            assert own * 2**19 == np.round(own * 2**19)


@rows(
    ("pieces", "foe", "dice", "label"),
    [
        ("Ra7:1 Ea5", "Rg1", "4", "4:Ra7-off"),
        ("Ra6 Ea5", "Rg1 Ea2", "3", "3:Ea5-a2"),
        # With both dice: only after the Raja's step can the Elephant take.
        ("Ra4 Ea5", "Rg1 Ea2", "3,4", "4:Ra4-b3"),
    ],
)
def test_the_greedy_player_bears_off_and_takes(pieces, foe, dice, label):
    position = Position.from_text("pachessi", place(pieces, foe, dice=dice))
    for seed in range(5):
        greedy = players.make("greedy", "pachessi", seed=seed)
        assert position.label(players.choose_one(greedy, position)) == label


def test_the_greedy_player_does_not_know_the_next_roll():
    """Its choice depends on the position alone, whatever the batch will roll."""
    position = Position.from_text("pachessi", place("Ra6 Ea5 Hb4", "Rg1 Eb3", dice="6"))
    chosen = set()
    for seed in range(20):
        batch = Batch("pachessi", 1, seed=seed)
        batch.states = position.state
        greedy = players.make("greedy", "pachessi", seed=0)
        chosen.add(int(players.choose(greedy, batch, np.arange(1))[0]))
    assert len(chosen) == 1
