"""Data sets as episodes of Minari: a game is one for each side, as a learner would live it.

Observations, rewards and infos are those of the variant's Gymnasium environment,
:mod:`pasgl_env.envs.gym`: an opponent's actions are part of the learner's step.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np

from pasgl_env.engine.position import Position
from pasgl_env.envs.registration import gymnasium_id
from pasgl_env.envs.selfplay import viewers
from pasgl_env.version import __version__

if TYPE_CHECKING:
    from pasgl_env.contract.ruleset import Ruleset
    from pasgl_env.datasets.loading import DataSet

FORMAT = "parquet"


def write_minari(data: DataSet, dataset_id: str, **about: Any) -> Any:
    """Write a Minari dataset; see :meth:`pasgl_env.datasets.DataSet.to_minari`."""
    try:
        import minari
    except ImportError as error:
        raise ImportError("Minari is not installed: pip install 'pasgl-env[minari]'") from error
    spec = deepcopy(gymnasium.spec(gymnasium_id(data.ruleset.name)))
    spec.kwargs |= {"opponent": data.player or "random", **data.ruleset.options}
    usual = {
        "algorithm_name": data.player or "several",
        "description": f"Games of {data.ruleset.game.title}, for each side an episode.",
        "requirements": [f"pasgl-env=={__version__}"],
        "eval_env": spec,
        "data_format": FORMAT,
    }
    return minari.create_dataset_from_buffers(
        dataset_id, (_buffer(each) for each in episodes(data)), env=spec, **{**usual, **about}
    )


def _buffer(episode: dict[str, Any]) -> Any:
    from minari.data_collector import EpisodeBuffer

    # Minari cannot read back infos that are arrays of numbers.
    infos = episode["infos"].items()
    readable = {name: each if each.ndim > 1 else each.tolist() for name, each in infos}
    return EpisodeBuffer(**{**episode, "infos": readable})


def episodes(data: DataSet) -> Iterator[dict[str, Any]]:
    """The episodes of all games, the sides in order; none for a side that never acted.

    Each is a dictionary: ``observations`` ``uint8[t + 1, C, H, W]``, ``actions`` ``int64[t]``,
    ``rewards`` ``float32[t]``, ``terminations`` and ``truncations`` ``bool[t]``, and ``infos``, a
    dictionary of arrays ``[t + 1]``.
    """
    teams = np.array(data.ruleset.teams)
    ends = np.flatnonzero(np.diff(data.columns["game"])) + 1
    for rows in np.split(np.arange(len(data)), ends):
        game = data[rows]
        sides = teams[game["player"]]
        final = Position.from_state(data.ruleset, data.states[rows[-1]])
        final.play_action(int(game["action"][-1]))
        for side in np.unique(sides).tolist():
            yield _episode(data.ruleset, game, np.flatnonzero(sides == side), final, side)


def _episode(
    ruleset: Ruleset, game: dict[str, np.ndarray], own: np.ndarray, final: Position, side: int
) -> dict[str, Any]:
    """The episode of one side, which acts in the rows ``own`` of a game."""
    seen = {name: values[own] for name, values in game.items()}
    viewer = int(viewers(ruleset, final.state, np.array([side]))[0])
    acts = final.to_move == viewer
    last_mask = final.action_mask if acts else np.zeros_like(final.action_mask)
    outcome, truncated = seen["outcome"][0], seen["truncated"]
    is_last = np.arange(own.size) == own.size - 1
    outcomes = np.append(np.zeros(own.size), outcome)
    return {
        "observations": np.concatenate([seen["observation"], final.observation(viewer)[None]]),
        "actions": seen["action"],
        "rewards": outcomes[1:].astype(np.float32),
        "terminations": is_last & ~truncated,
        "truncations": is_last & truncated,
        "infos": {
            "action_mask": np.concatenate([seen["action_mask"], last_mask[None]]).astype(np.int8),
            "side": np.full(own.size + 1, side),
            "length": np.append(own, len(game["action"])),
            "outcome": outcomes,
            "is_success": outcomes > 0,
        },
    }
