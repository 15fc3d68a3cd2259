"""Curves are fitted to what strong players score, whether somebody wins every game or not."""

import numpy as np
import pytest

pytest.importorskip("scipy")

from pasgl_env.players.values.calibration import calibrated
from studies.calibration import fit

VALUES = np.tile([0.2, 0.6, 0.9, 0.98], 200)


def test_favourites_whose_games_are_cut_off_are_not_called_certain():
    """All above 90% score 80%: no power of the logit says that of both."""
    draw = np.random.default_rng(0).random(VALUES.size)
    share = np.select([VALUES < 0.5, VALUES < 0.8], [0.6, 0.7], 0.8)
    scores = np.where(draw < share - 0.1, 1.0, np.where(draw < share + 0.1, 0.5, 0.0))
    curve = fit(VALUES, scores)
    assert curve.most < 0.8
    assert [(1 + calibrated(value, curve)) / 2 for value in (0.9, 0.98)] == pytest.approx(
        [0.8, 0.8], abs=0.03
    )


def test_where_somebody_wins_every_game_any_value_is_possible():
    scores = (np.random.default_rng(0).random(VALUES.size) < (1 + VALUES) / 2).astype(float)
    assert fit(VALUES, scores).most == 1
