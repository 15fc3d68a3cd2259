"""Chance nodes: positions show them, batches roll, and no state reveals the next roll."""

import copy
from collections import Counter
from typing import Any

import numpy as np
import pytest

from pasgl_env import Batch, Dice, IllegalMove, Position, players, variants

ROLL_DUE = "Ra7:0,Eb7:0,Hc7:0,Sd7:0/Rg1:0,Ef1:0,He1:0,Sd1:0 yellow - i 7"
GRACE_DUE = ROLL_DUE.replace("- i", "- g")
GAMES = 20_000


def dice(batch):
    """The dice on the table in each game."""
    return batch.states["dice"]


def rolled(batch, steps=30):
    """The dice after each of several steps."""
    seen = []
    for _ in range(steps):
        seen.append(dice(batch).copy())
        batch.step(batch.action_mask.argmax(axis=1))
    return np.array(seen)


def labelled(state):
    return "roll " + " ".join(str(die) for die in state["dice"] if die)


class TestPosition:
    def test_chance_acts_before_a_player_does(self):
        position = Position("pachessi")
        assert (position.is_chance, position.to_move, position.is_over) == (True, -1, False)
        position.play("roll 2 6")
        assert (position.is_chance, position.to_move) == (False, 0)

    def test_probabilities_add_up_and_doubles_are_half_as_likely(self):
        position = Position("pachessi")
        chances = [position.outcome_probability(label) for label in position.legal_moves()]
        assert sum(chances) == pytest.approx(1)
        assert position.outcome_probability("roll 3 3") == pytest.approx(1 / 36)
        assert position.outcome_probability("roll 3 4") == pytest.approx(2 / 36)

    def test_actions_are_the_numbers_of_outcomes_and_the_mask_is_empty(self):
        position = Position("pachessi")
        actions = position.legal_actions()
        assert [position.label(action) for action in actions] == position.legal_moves()
        assert not position.action_mask.any()
        assert position.copy().play_action(actions[4]).text == position.play("roll 1 5").text

    def test_every_player_sees_a_chance_node_and_nobody_is_to_act(self):
        position = Position("pachessi")
        assert position.observation(0).shape == position.observation(1).shape
        with pytest.raises(ValueError, match="player"):
            position.observation()

    def test_rolling_is_playing_an_outcome(self):
        position = Position("pachessi")
        label = position.copy().roll(Dice(3))
        assert position.play(label).text == Position("pachessi").play(label).text

    def test_the_same_dice_roll_the_same(self):
        dice, others = Dice(5), Dice(5)
        start = Position("pachessi")
        labels = [start.copy().roll(dice) for _ in range(20)]
        assert labels == [start.copy().roll(others) for _ in range(20)]
        assert len(set(labels)) > 5

    @pytest.mark.parametrize("variant", ["pasgl312", "pachessi"])
    def test_nothing_is_rolled_where_a_player_acts(self, variant):
        position = Position(variant)
        if position.is_chance:
            position.play("roll 2 6")
        before = position.text
        with pytest.raises(IllegalMove, match="no dice are due"):
            position.roll(Dice(1))
        with pytest.raises(IllegalMove):
            position.outcome_probability(position.legal_moves()[0])
        assert position.text == before

    def test_outcomes_that_cannot_be_are_refused(self):
        position = Position("pachessi", players=4)
        for action in (-1, 0, 21, 31, 10**9):  # 0 is roll 1 1, 21 a grace die
            with pytest.raises(IllegalMove):
                position.play_action(action)

    def test_perft_counts_outcomes_as_actions(self):
        position = Position("pachessi")
        after = [position.copy().play(label) for label in position.legal_moves()]
        assert position.perft(3) == sum(each.perft(2) for each in after)

    def test_players_have_nothing_to_choose(self):
        with pytest.raises(ValueError, match="dice are due"):
            players.choose_one(players.make("random", "pachessi"), Position("pachessi"))


class TestLot:
    """The player who begins, where lots decide (Ruling 4)."""

    @pytest.mark.parametrize("number", [2, 4])
    def test_every_colour_is_as_likely(self, number):
        position = Position("pachessi", players=number, first="lot")
        assert len(position.legal_moves()) == number
        for seat, colour in enumerate(name.lower() for name in position.seats):
            assert position.outcome_probability(colour) == pytest.approx(1 / number)
            begun = position.copy().play(colour)
            assert begun.text == Position("pachessi", players=number, first=colour).text
            assert begun.play("roll 2 6").to_move == seat

    def test_text_of_a_lot_is_read_only_where_lots_are_drawn(self):
        text = Position("pachessi", first="lot").text
        assert Position.from_text("pachessi", text, first="lot").text == text
        with pytest.raises(ValueError, match="mover"):
            Position.from_text("pachessi", text)
        for wrong in (text.replace("- i", "2,6 i"), text.replace("- i", "- g")):
            with pytest.raises(ValueError, match=r"dice|roll"):
                Position.from_text("pachessi", wrong, first="lot")

    def test_batches_draw_a_lot_unless_told_who_begins(self):
        firsts = Counter(Batch("pachessi", GAMES, seed=1, players=4).to_move.tolist())
        assert all(abs(firsts[seat] - GAMES / 4) < 4 * (GAMES * 3 / 16) ** 0.5 for seat in range(4))
        assert set(Batch("pachessi", 50, first="yellow").to_move.tolist()) == {1}


class TestBatch:
    @pytest.mark.parametrize(
        ("text", "options"),
        [(ROLL_DUE, {}), (GRACE_DUE, {}), (None, {"players": 4})],
        ids=["first roll", "grace die", "no ones"],
    )
    def test_rolls_are_as_likely_as_positions_say(self, text, options: dict[str, Any]):
        start = Position("pachessi", **options)
        position = Position.from_text("pachessi", text or start.text, **options)
        batch = Batch("pachessi", GAMES, seed=1, **options)
        batch.states = np.repeat(position.state, GAMES)
        counts = Counter(map(labelled, batch.states))
        assert set(counts) <= set(position.legal_moves())
        for label in position.legal_moves():
            expected = GAMES * position.outcome_probability(label)
            assert abs(counts[label] - expected) < 4.5 * expected**0.5

    def test_a_player_is_always_to_act(self):
        batch = Batch("pachessi", 20, seed=2, players=4, turn_limit=30)
        for _ in range(200):
            batch.step(batch.sample())
            assert (batch.to_move >= 0).all()
            assert (batch.legal_count > 0).all()
            assert (dice(batch)[:, 0] > 0).all()

    def test_dice_do_not_depend_on_what_is_sampled(self):
        one, other = (Batch("pachessi", 6, seed=3) for _ in range(2))
        for _ in range(5):
            other.sample()
        assert (rolled(one) == rolled(other)).all()

    def test_equal_states_do_not_roll_the_same(self):
        batch = Batch("pachessi", 50, seed=4)
        batch.states = np.repeat(Position("pachessi").state, 50)
        assert len(np.unique(dice(batch), axis=0)) > 10

    def test_reseeded_games_roll_what_dice_of_that_seed_do(self):
        batch = Batch("pachessi", 3, seed=5)
        position = Position("pachessi")
        batch.reseed([1], [77])
        batch.states = np.repeat(position.state, 3)
        own = Dice(77)
        for _ in range(40):
            while position.is_chance:
                position.roll(own)
            assert batch.states[1] == position.state[0]
            actions = batch.sample()
            batch.step(actions)
            position.play_action(actions[1])

    @pytest.mark.parametrize(
        ("games", "seeds"),
        [([3], [1]), ([-1], [1]), ([1, 0], [1, 2]), ([0], [1, 2]), ([0], [-1]), ([0], ["1"])],
    )
    def test_impossible_games_and_seeds_are_refused(self, games, seeds):
        batch, untouched = (Batch("pachessi", 3, seed=5) for _ in range(2))
        with pytest.raises(ValueError, match=r"games|seed"):
            batch.reseed(games, seeds)
        assert (rolled(batch) == rolled(untouched)).all()

    def test_saved_and_copied_batches_go_on_with_their_dice(self, tmp_path):
        batch = Batch("grand_pachessi", 4, seed=6, players=4)
        rolled(batch, 10)
        batch.save(tmp_path / "batch.npz")
        loaded, twin = Batch.load(tmp_path / "batch.npz"), copy.copy(batch)
        expected = rolled(batch)
        assert (rolled(loaded) == expected).all()
        assert (rolled(twin) == expected).all()

    def test_a_reset_with_the_same_seed_rolls_the_same(self):
        batch = Batch("pachessi", 5, seed=7)
        first = rolled(batch)
        batch.reset(seed=7)
        assert (rolled(batch) == first).all()
        batch.reset(seed=8)
        assert (rolled(batch) != first).any()

    def test_new_games_have_other_dice_than_those_that_ended(self):
        batch = Batch("pachessi", 1, seed=9, turn_limit=1, first="black")
        openings = set()
        for _ in range(60):
            openings.add(dice(batch).tobytes())
            batch.step(batch.sample())
        assert len(openings) > 10


def test_states_hold_nothing_random():
    """Everything a search can copy: two games in the same position are equal byte for byte."""
    one, other = (Position("pachessi").play("roll 2 6").play("6:Ra7-a6") for _ in range(2))
    assert one.state.tobytes() == other.state.tobytes()
    names = set(variants.find("pachessi").state.names or ())
    assert names == {
        "turn_count",
        "laps",
        "occupied",
        "place",
        "dice",
        "mover",
        "roll",
        "captured",
        "over",
    }
