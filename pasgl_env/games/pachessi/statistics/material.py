"""The pieces of Pachessi on the board or borne off, without taken ones, and their laps."""

from __future__ import annotations

import numpy as np

from pasgl_env.games.pachessi.names import KIND_NAMES
from pasgl_env.games.pachessi.rules.board import PIECES
from pasgl_env.games.pachessi.rules.state import FIRST_SQUARE, OFF, PLAYERS, team

KINDS = (*KIND_NAMES, "piece borne off")
COVARIATES = ("lap",)
UNIT = "lap"

_TEAMS = np.array([team(player) for player in range(PLAYERS)])


def count(states: np.ndarray) -> np.ndarray:
    """See :class:`pasgl_env.contract.parts.Material`."""
    places = states["place"].reshape(-1, PLAYERS, PIECES)
    laps = states["laps"].reshape(-1, PLAYERS, PIECES)
    each = np.concatenate(
        [
            places >= FIRST_SQUARE,
            (places == OFF).sum(axis=2, keepdims=True),
            laps.sum(axis=2, keepdims=True),
        ],
        axis=2,
        dtype=np.int64,
    )
    return np.stack([each[:, side == _TEAMS].sum(axis=1) for side in range(2)], axis=1)
