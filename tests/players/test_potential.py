"""The potential that shapes rewards."""

import numpy as np

from pasgl_env import Batch
from pasgl_env.contract.variants import find
from pasgl_env.players.potential import potential


def test_is_the_squashed_potential_of_each_seat(variant):
    batch, game = Batch(variant, 16, seed=1), find(variant)
    for _ in range(30):
        batch.step(batch.sample())
    seats = np.arange(16) % batch.num_players
    stand = game.potential or game.evaluate
    expected = [
        np.tanh(stand(state, batch.options_record[0], seat) / game.decisive_lead)
        for state, seat in zip(batch.states, seats.tolist(), strict=True)
    ]
    assert potential(batch, seats).tolist() == np.array(expected, np.float32).tolist()
    assert len(set(expected)) > 2


def test_what_is_good_for_one_is_bad_for_the_other():
    batch = Batch("spalding", 8, seed=2)
    for _ in range(25):
        batch.step(batch.sample())
    white, black = (potential(batch, np.full(8, seat)) for seat in range(2))
    assert (white == -black).all()
    assert np.abs(white).max() > 0.1
