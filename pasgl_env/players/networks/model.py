"""Models of Stable-Baselines3 and sb3-contrib as players, from memory or from their zips.

A zip is read without executing anything in it: its pickles may name classes of these libraries and
of this package, and nothing else. A model with a class of its own is loaded in Python.
"""

from __future__ import annotations

import base64
import io
import json
import pickle
import zipfile
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from sb3_contrib.common.recurrent.policies import RecurrentActorCriticPolicy
from sb3_contrib.qrdqn.policies import QRDQNPolicy
from stable_baselines3.common.policies import ActorCriticPolicy, BasePolicy
from stable_baselines3.dqn.policies import DQNPolicy
from torch import nn

from pasgl_env.engine.batch import Batch
from pasgl_env.players.networks.checkpoint import BadCheckpoint
from pasgl_env.players.networks.policy import HeadedPolicy, NetworkPlayer, drawn, other_shapes
from pasgl_env.players.player import SeededPlayer

Scores = Callable[[Any], torch.Tensor]

_POLICY = "policy_class", "observation_space", "action_space", "policy_kwargs"
_LIBRARIES = (
    *("stable_baselines3.", "sb3_contrib.", "torch.nn.modules.", "torch.optim."),
    *("gymnasium.spaces.", "numpy.", "collections.", "pasgl_env.players.networks."),
)
_KINDS = (
    *(nn.Module, torch.optim.Optimizer, gymnasium.Space),
    *(np.generic, np.ndarray, np.dtype, OrderedDict),
)
_OF_ARRAYS = "_reconstruct", "_frombuffer", "scalar"
"""NumPy's functions in pickles of arrays and numbers."""


class ModelPlayer(SeededPlayer):
    """A policy of Stable-Baselines3 as a player, which chooses among the legal actions.

    Also one that was trained without masks. Policies with probabilities draw by these; networks
    that estimate values choose the best.

    Raises:
        ValueError: if it has no scores of single actions, or remembers earlier observations.
    """

    def __init__(self, policy: BasePolicy, name: str, seed: int | None = None) -> None:
        super().__init__(seed)
        self.name, self.policy = name, policy
        self._temperature = 0.0 if isinstance(policy, DQNPolicy | QRDQNPolicy) else 1.0
        _ = self._scores

    @property
    def _scores(self) -> Scores:
        policy: Any = self.policy
        if isinstance(policy, RecurrentActorCriticPolicy):
            raise ValueError(f"{self.name} is recurrent: write a player that keeps its memory")
        if isinstance(policy.action_space, spaces.Discrete):
            if isinstance(policy, ActorCriticPolicy | MaskableActorCriticPolicy):
                return partial(_log_chances, policy)
            if isinstance(policy, DQNPolicy):
                return policy.q_net
            if isinstance(policy, QRDQNPolicy):
                return lambda seen: policy.quantile_net(seen).mean(dim=1)
        raise ValueError(f"{self.name} is a {type(policy).__name__}, which scores no actions")

    def _decide(
        self, batch: Batch, games: np.ndarray, generators: np.ndarray, actions: np.ndarray
    ) -> None:
        seen = self._observed(batch, games)
        self.policy.set_training_mode(False)
        with torch.no_grad():
            scores = self._scores(self.policy.obs_to_tensor(seen)[0]).cpu().numpy()
        actions[:] = drawn(scores, batch.action_mask[games], self._temperature, generators)

    def _observed(self, batch: Batch, games: np.ndarray) -> Any:
        """Observations as the policy expects: planes, flat or not, or a dict of them and a mask."""
        space, planes = self.policy.observation_space, batch.observation_shape
        parts = space.spaces if isinstance(space, spaces.Dict) else {"": space}
        known = {
            planes: batch.observation[games],
            (int(np.prod(planes)),): batch.observation[games].reshape(games.size, -1),
            (batch.num_actions,): batch.action_mask[games],
        }
        shapes = {name: part.shape for name, part in parts.items()}
        own: Any = self.policy.action_space
        if own.n != batch.num_actions or not all(shape in known for shape in shapes.values()):
            shape = shapes if isinstance(space, spaces.Dict) else space.shape
            raise other_shapes(self.name, shape, own.n, batch)
        seen = {name: known[shape] for name, shape in shapes.items() if shape is not None}
        return seen if isinstance(space, spaces.Dict) else seen[""]


def _log_chances(policy: Any, seen: Any) -> torch.Tensor:
    """Logarithms of the probabilities of all actions, ``float32[k, A]``."""
    return policy.get_distribution(seen).distribution.logits


def player_of(model: Any, name: str, seed: int | None = None) -> SeededPlayer:
    """The player of a model or a policy of Stable-Baselines3.

    Raises:
        ValueError: as :class:`ModelPlayer`.
    """
    policy = getattr(model, "policy", model)
    if isinstance(policy, HeadedPolicy):
        return NetworkPlayer(policy, name, seed=seed)
    return ModelPlayer(policy, name, seed)


def load_model(file: Path, seed: int | None = None) -> SeededPlayer:
    """Load the player in a zip that a model's ``save`` has written.

    Raises:
        BadCheckpoint: if it is not such a file, or needs code of its own.
        OSError: if it cannot be read.
        ValueError: as :class:`ModelPlayer`.
    """
    content = io.BytesIO(file.read_bytes())
    try:
        with zipfile.ZipFile(content) as archive:
            kept, weights = json.loads(archive.read("data")), archive.read("policy.pth")
        made, seen, acts, more = (_unpickled(kept[name]) for name in _POLICY)
        policy = made(seen, acts, lambda _: 0.0, **more)
        policy.load_state_dict(
            torch.load(io.BytesIO(weights), map_location="cpu", weights_only=True)
        )
    except _OwnCode as error:
        raise BadCheckpoint(
            f"{file} needs {error}, which is not of Stable-Baselines3: load the model in a file"
            " mine.py, and name it mine.py:model"
        ) from error
    except Exception as error:  # malicious files can make the readers raise anything
        raise BadCheckpoint(
            f"{file} is not a model of Stable-Baselines3, or a damaged one: {error}"
        ) from error
    return player_of(policy, file.stem, seed)


class _OwnCode(Exception):
    """A pickle names something that is not of the libraries."""


class _Ignored:
    """Stands for a random generator in a pickle."""

    def __init__(self, *_: Any) -> None:
        pass

    def __setstate__(self, state: Any) -> None:
        pass


class _Unpickler(pickle.Unpickler):
    """Reads what consists of the libraries' networks, optimizers, spaces and arrays."""

    def find_class(self, module: str, name: str) -> Any:
        if module.startswith("numpy.random."):
            return _Ignored
        if f"{module}.".startswith(_LIBRARIES) and "." not in name:
            found = super().find_class(module, name)
            is_class = isinstance(found, type) and issubclass(found, _KINDS)
            if is_class or (module.startswith("numpy.") and name in _OF_ARRAYS):
                return found
        raise _OwnCode(f"{module}.{name}")


def _unpickled(entry: Any) -> Any:
    """An entry of a model's data, as Stable-Baselines3 writes it: JSON, or a pickle in base64."""
    if isinstance(entry, dict) and ":serialized:" in entry:
        return _Unpickler(io.BytesIO(base64.b64decode(entry[":serialized:"]))).load()
    return entry
