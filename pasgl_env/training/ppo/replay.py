"""A replay buffer of a teacher's decisions.

A position is stored as bits: its planes, its legal actions, and how often the teacher's search
visited some of the actions.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
from torch.nn.functional import log_softmax, softmax

from pasgl_env.engine.batch import Batch
from pasgl_env.players.networks.policy import parts_of
from pasgl_env.players.values.action_prior import ActionPrior, Prior, action_priors_in

MOST_SIMULATIONS = 2**16 - 1
"""Maximum number of visits stored for an action."""

# Positions of variants with large boards take kilobytes each.
MOST_BYTES = 256 << 20


class Minibatch(NamedTuple):
    """Positions to learn from.

    Attributes:
        parts: the network's observations: ``planes``, ``uint8[k, C, H, W]``, perhaps a prior.
        mask: ``bool[k, A]``.
        action: ``int64[k, most]``: the visited actions; padded with zeros.
        share: ``float32[k, most]``: each action's share of the visits; padded with zeros.
        cost: ``float32[k, most]``: how much worse than the best each of these actions is, padded
            with the highest cost, which all other actions are assumed to have. None if not stored.
    """

    parts: dict[str, torch.Tensor]
    mask: torch.Tensor
    action: torch.Tensor
    share: torch.Tensor
    cost: torch.Tensor | None = None


class Positions:
    """Converts positions to records, and records to minibatches.

    Args:
        observation: shape (C, H, W) of the planes.
        actions: number of actions.
        most: number of actions stored for each position: the cheapest if costs are known,
            otherwise the most visited.
        action_prior: the player whose action prior to store.
        costs: whether to store how much worse than the best each action is.

    Attributes:
        dtype: of the records.
    """

    def __init__(
        self,
        observation: tuple[int, int, int],
        actions: int,
        most: int,
        *,
        action_prior: Prior = "none",
        costs: bool = False,
    ) -> None:
        self._observation, self._actions = observation, actions
        self._action_prior, self._costs = action_prior, costs
        self._most = min(most, actions)
        kept: list[tuple[str, type, int]] = [
            ("planes", np.uint8, -(-int(np.prod(observation)) // 8)),
            ("mask", np.uint8, -(-actions // 8)),
            ("action", np.int32, self._most),  # the stored actions, padded with zeros
            ("visits", np.uint16, self._most),  # visits of each of them
        ]
        if action_prior != "none":
            kept += [("action_prior", np.uint8, actions), ("standing", np.float32, 1)]
        if costs:
            kept.append(("cost", np.float32, self._most))
        self.dtype = np.dtype([(name, kind, (size,)) for name, kind, size in kept])

    def recorded(
        self,
        batch: Batch,
        games: np.ndarray,
        visits: np.ndarray,
        costs: np.ndarray | None = None,
    ) -> np.ndarray:
        """Records ``[k]`` of the current positions of some games of a batch.

        Args:
            batch: the games.
            games: indices ``int64[k]``.
            visits: ``int32[k, A]``: visits of a search there.
            costs: ``float32[k, A]``, NaN for unknown costs, at least one known in each row; only if
                costs are stored.
        """
        records = np.zeros(games.size, self.dtype)
        records["planes"] = np.packbits(batch.observation[games].reshape(games.size, -1), axis=1)
        records["mask"] = np.packbits(batch.action_mask[games], axis=1)
        for row, (record, counts) in enumerate(zip(records, visits, strict=True)):
            if costs is None:
                kept = _first(-counts, np.flatnonzero(counts), self._most)
            else:
                kept = _first(costs[row], np.flatnonzero(~np.isnan(costs[row])), self._most)
                record["cost"] = costs[row, kept[-1]]
                record["cost"][: kept.size] = costs[row, kept]
            record["action"][: kept.size] = kept
            record["visits"][: kept.size] = np.minimum(counts[kept], MOST_SIMULATIONS)
        if self._action_prior != "none":
            action_prior = action_priors_in(batch, games, self._action_prior)
            # Only the best action has cost 0.
            records["action_prior"] = np.ceil(-255 * action_prior.actions)
            records["standing"] = action_prior.standing
        return records

    def minibatch(self, records: np.ndarray) -> Minibatch:
        """A minibatch from records ``[k]``."""
        bits = int(np.prod(self._observation))
        planes = np.unpackbits(records["planes"], axis=1, count=bits)
        mask = np.unpackbits(records["mask"], axis=1, count=self._actions)
        visits = records["visits"].astype(np.float32)
        action_prior = None
        if self._action_prior != "none":
            held = records["action_prior"] / np.float32(-255)
            action_prior = ActionPrior(held, records["standing"].copy())
        parts = parts_of(planes.reshape(-1, *self._observation), action_prior)
        return Minibatch(
            {name: torch.from_numpy(part) for name, part in parts.items()},
            torch.from_numpy(mask.astype(np.bool_)),
            torch.from_numpy(records["action"].astype(np.int64)),
            torch.from_numpy(visits / np.maximum(visits.sum(axis=1, keepdims=True), 1)),
            torch.from_numpy(records["cost"].copy()) if self._costs else None,
        )


def _first(heights: np.ndarray, actions: np.ndarray, most: int) -> np.ndarray:
    """At most ``most`` of the actions, those with the lowest ``heights[A]``, in order."""
    order = np.argsort(heights[actions], kind="stable")
    return np.asarray(actions[order[:most]])


class Replay:
    """The most recent positions, ``room`` of them, or as many as fit in 256 MiB."""

    def __init__(self, room: int, dtype: np.dtype[Any]) -> None:
        room = min(room, MOST_BYTES // dtype.itemsize)
        self._records = np.zeros(room, dtype)
        self._next = 0
        self._size = 0

    def add(self, records: np.ndarray) -> None:
        """Store records; they replace the oldest."""
        room = self._records.size
        latest = records[-room:]
        self._records[(self._next + np.arange(latest.size)) % room] = latest
        self._next = (self._next + latest.size) % room
        self._size = min(room, self._size + latest.size)

    def sample(self, size: int, random: np.random.Generator) -> np.ndarray:
        """Draw records uniformly."""
        return self._records[(self._next - 1 - random.integers(self._size, size=size))]


def cross_entropy_of(scores: torch.Tensor, minibatch: Minibatch) -> torch.Tensor:
    """The cross-entropy of the shares of visits and of scores ``float32[k, A]``, if legal."""
    chances = log_softmax(scores.masked_fill(~minibatch.mask, -1e9), dim=1)
    return -(minibatch.share * chances.gather(1, minibatch.action)).sum(dim=1).mean()


def expected_cost_of(scores: torch.Tensor, minibatch: Minibatch) -> torch.Tensor:
    """What a policy of scores ``float32[k, A]`` loses by not always playing the best action."""
    assert minibatch.cost is not None
    chances = softmax(scores.masked_fill(~minibatch.mask, -1e9), dim=1).gather(1, minibatch.action)
    highest = minibatch.cost.amax(1, keepdim=True)
    return (highest + (chances * (minibatch.cost - highest)).sum(1, keepdim=True)).mean()
