"""Trials: seeds, openings, and what is kept of the games."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("scipy")

from pasgl_env import Batch, variants
from pasgl_env.playtest import trials
from pasgl_env.playtest.positions import Draw
from pasgl_env.playtest.trials import MEASURES, Chunk, Played, Trial, _visits, play_chunk

SHORT = {"turn_limit": 12}


def trial(variant="pachessi", player="random", *, options=SHORT, **rest):
    return Trial(variant, player, options, chunk=8, **rest)


@pytest.mark.parametrize("about", [{}, {"variant": "pasgl312", "opening_turns": 0}])
def test_a_chunk_follows_from_its_number_and_the_trials_seed(about):
    chunk = play_chunk(trial(**about), 3, visits=True)
    assert chunk == play_chunk(trial(**about), 3, visits=True)
    assert chunk.visits != play_chunk(trial(**about), 4, visits=True).visits
    assert chunk.visits != play_chunk(trial(seed=1, **about), 3, visits=True).visits


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        (["Be1d1", "Hd7:c7", "Wg5^e7", "He2"], ["0 d1"]),
        (["Xe1-e2", "/Rd3"], ["0 e2", "0 d3"]),
        (["Cc1-c3", "by c1"], ["0 c3"]),
        (["2:R@-a7", "2:He1-off", "4:Ra7xb7"], ["0 a7", "0 b7"]),
    ],
)
def test_pieces_go_where_they_move_capture_enter_or_are_created(labels, told):
    class Told:
        teams, to_move = np.array([0, 1]), np.zeros(len(labels), int)

        def position(self, row):
            return self

        def label(self, action):
            return labels[action]

    batch: Any = Told()
    every = np.arange(len(labels))
    assert list(_visits(batch, every, every)) == told


@pytest.mark.parametrize("turns", [1, 2, 5])
@pytest.mark.parametrize("variant", ["pasgl312", "spalding", "chieftain"])
def test_every_game_has_an_opening_of_its_own(variant, turns):
    begun = openings(trial(variant, opening_turns=turns, options={}))
    game = variants.find(variant)
    assert {int(game.turns(state)) for state in begun} == {turns}
    assert not any(game.in_turn(state) for state in begun)
    assert len({state.tobytes() for state in begun}) > len(begun) // 2


def test_openings_do_not_depend_on_a_handicap():
    plain = openings(trial("pasgl312", options={}))
    handicap = openings(trial("pasgl312", options={"score_handicap": 5}))
    assert (plain["where"] == handicap["where"]).all()


def openings(trial):
    batch = Batch(trial.variant, trial.chunk, seed=0, **trial.options)
    seeds = np.arange(trial.chunk, dtype=np.uint64)
    trials._play_openings(trial, batch, trial.start, seeds, seeds)
    return batch.states


def test_the_side_that_begins_is_told_where_a_lot_decides():
    chunk = play_chunk(trial(options={"first": "lot", "turn_limit": 400}), 0)
    assert set(chunk.first_sides) == {0, 1}
    played = Played([chunk])
    own = {"1": (1, 0), "0": (0, 1), "-": (0.5, 0.5)}
    told = zip(chunk.outcomes, chunk.first_sides, strict=True)
    assert played.scores_of(0).tolist() == [own[mark][side] for mark, side in told]
    assert (played.scores_of(0) + played.scores_of(1) == 1).all()


def test_games_are_cut_off_at_the_turn_limit():
    chunk = play_chunk(trial(), 0)
    assert (chunk.outcomes, chunk.turns) == ("-" * 8, [12] * 8)


def test_a_line_may_end_the_game():
    begin = "4x3/4L3/8/8/8/8/8/P3X2J w RHErhe 2"
    chunk = play_chunk(trial("spalding", begin=begin, line=("Le7xe8",), options={}), 0)
    assert chunk.outcomes == "1" * 8
    assert Played([chunk]).score(0).value == 1


def test_a_line_may_reach_the_turn_limit():
    about = {"begin": "4x3/8/8/8/8/8/4L3/4X3 w - 9", "options": {"turn_limit": 10}}
    chunk = play_chunk(trial("spalding", line=("Le2-e3",), **about), 0)
    assert (chunk.outcomes, chunk.turns) == ("-" * 8, [10] * 8)


def test_what_games_count():
    played = Played([Chunk(0, "10=-", [3, 4, 5, 6], [0, 1, 0, 0])])
    assert [played.counted[each].sum() for each in MEASURES] == [2, 1, 1, 2]
    assert [played.estimate(each).value for each in MEASURES] == [0.5, 0.25, 0.25, 0.5]
    assert played.estimate("turns").value == 4.5
    assert [played.score(team).value for team in (0, 1)] == [0.75, 0.25]


@pytest.mark.parametrize(("player", "hardly"), [("td", True), ("td:temperature=0.5", False)])
def test_a_player_that_never_varies_plays_the_same_game(player, hardly):
    chunk = play_chunk(trial("pasgl312", player, opening_turns=0), 0)
    assert Played([chunk]).hardly_vary is hardly


def test_positions_tell_who_won_and_who_has_more():
    chunk = Chunk(0, "1001", [9] * 4, [0, 0, 1, 1], [[1, 2], [-1, -3], None, [1, 0]])
    sample = Played([chunk]).sample(1)
    assert sample.result.tolist() == [1, 0, 0]
    assert sample.to_move.tolist() == [1, -1, 1]
    assert sample.lead[:, 0].tolist() == [2, -3, 0]


def test_every_chunk_draws_its_positions_anew(monkeypatch):
    drawn = []

    class Noted(Draw):
        def __init__(self, games, players, rng):
            drawn.append(rng.bit_generator.state)
            super().__init__(games, players, rng)

    monkeypatch.setattr(trials, "Draw", Noted)
    for number in (0, 1, 0):
        play_chunk(trial(), number)
    first, other, again = drawn
    assert first == again != other


def test_sampled_positions_are_of_this_game():
    chunk = play_chunk(trial("pasgl312", options={"turn_limit": 60}), 0, samples=True)
    assert any(chunk.samples)
    assert all(abs(each[0]) == 1 for each in chunk.samples if each)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"player": "nobody"}, "no player"),
        ({"opening_player": "nobody"}, "no player"),
        ({"opening_turns": -1}, "0 turns or more"),
        ({"options": {"turn_limit": 10}, "opening_turns": 10}, "cut off after 10 turns"),
        ({"options": {"size": 1}}, "size"),
        ({"line": ("pass",)}, "pass"),
        ({"begin": "?"}, "fields"),
        ({"variant": "spalding", "begin": "4x3/8/8/8/8/8/8/4X3 w - 12"}, "at the turn limit"),
    ],
)
def test_impossible_trials_are_refused(arguments, complaint):
    with pytest.raises(ValueError, match=complaint):
        trial(**arguments)


def test_openings_longer_than_games_are_refused():
    short = trial("pasgl312", options={"win_margin": 1}, opening_turns=500)
    with pytest.raises(ValueError, match="games end before the 500 turns of an opening do"):
        play_chunk(short, 0)
