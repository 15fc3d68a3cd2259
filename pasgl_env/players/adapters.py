"""Players made from functions and trained policies."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from pasgl_env.contract.game import meant
from pasgl_env.engine.batch import Batch
from pasgl_env.players.player import as_array
from pasgl_env.programs import module_of


class FunctionPlayer:
    """A function ``f(observation[k, C, H, W], action_mask[k, A]) -> actions[k]`` as a player.

    Raises:
        TypeError: if it does not take two arguments.
    """

    def __init__(self, function: Callable[[np.ndarray, np.ndarray], Any]) -> None:
        self.name = getattr(function, "__name__", type(function).__name__)
        if not _takes_two(function):
            raise TypeError(f"{self.name} must take two arguments: observation and action_mask")
        self._function = function

    def choose(self, batch: Batch, games: np.ndarray) -> np.ndarray:
        seen = batch.observation[games], batch.action_mask[games]
        return as_array(self._function(*seen), self.name)


class PolicyPlayer:
    """A policy with a ``predict`` like that of MaskablePPO of Stable-Baselines3 as a player.

    Args:
        policy: an object with ``predict(observation, action_masks=..., deterministic=...)``, which
            returns actions and a state, which is ignored.
        deterministic: whether it plays its most probable action instead of drawing one. Draws use
            the policy's generator, which is global in PyTorch.
        name: the player's name, for tables and messages; None for the class's name.

    Raises:
        TypeError: if ``predict`` does not take ``action_masks``.
    """

    def __init__(self, policy: Any, deterministic: bool = False, name: str | None = None) -> None:
        self.name = type(policy).__name__ if name is None else name
        if not _takes_masks(policy.predict):
            raise TypeError(
                f"predict of {self.name} takes no action_masks, so it would choose illegal actions;"
                " MaskablePPO of sb3-contrib takes them"
            )
        self._policy = policy
        self._deterministic = deterministic

    def choose(self, batch: Batch, games: np.ndarray) -> np.ndarray:
        actions, _ = self._policy.predict(
            batch.observation[games],
            action_masks=batch.action_mask[games].view(np.bool_),
            deterministic=self._deterministic,
        )
        return as_array(actions, self.name)


def object_in(file: Path, name: str) -> Any:
    """An object of this name in a Python file, which is run once, with its folder to import from.

    Raises:
        ValueError: if there is none, or if the file is no Python or ends the program.
        OSError: if it cannot be read.
    """
    module = module_of(file.resolve(strict=True))
    if not hasattr(module, name):
        raise ValueError(f"there is no {name} in {file}{meant(name, vars(module))}")
    return getattr(module, name)


def _takes_two(function: Callable[..., Any]) -> bool:
    try:
        inspect.signature(function).bind(None, None)
    except TypeError:
        return False
    except ValueError:  # it does not say what it takes
        pass
    return True


def _takes_masks(predict: Callable[..., Any]) -> bool:
    parameters = inspect.signature(predict).parameters
    return "action_masks" in parameters or any(
        parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()
    )
