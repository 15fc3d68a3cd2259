"""What self-play has to tell: positions of games that go on, and of those that have ended.

A position is kept in bits: a planes-full of zeros and ones, which legal actions there were, how
often a search visited some of them, and what it all came to for the player to act.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch

from pasgl_env.agents.network import parts_of
from pasgl_env.engine.batch import Batch
from pasgl_env.players.opinion import FAR, Opinion, opinions_in

MOST_SIMULATIONS = 2**16 - 1
"""More visits than that do not fit into a position."""


def position_dtype(
    observation: tuple[int, int, int], actions: int, most: int, *, opinion: bool = False
) -> np.dtype[Any]:
    """The record that keeps a position.

    Args:
        observation: shape (C, H, W) of the planes.
        actions: number of actions.
        most: how many actions a search may have visited.
        opinion: whether it keeps the greedy player's opinion.
    """
    kept = [("opinion", np.uint8, actions), ("standing", np.float32, 1)] if opinion else []
    return np.dtype(
        [
            ("planes", np.uint8, -(-int(np.prod(observation)) // 8)),
            ("mask", np.uint8, -(-actions // 8)),
            ("action", np.int32, most),  # the actions that were visited, then zeros
            ("visits", np.uint16, most),  # how often each of them was
            ("value", np.float32),  # what the search came to, for the player to act
            ("outcome", np.int8),  # 1: the player to act or its team won, -1: it lost, 0: neither
            ("player", np.int8),  # who acted
            *kept,
        ]
    )


class Lesson(NamedTuple):
    """Positions to learn from.

    Attributes:
        parts: what a network is told: ``planes``, ``uint8[k, C, H, W]``, and perhaps an opinion.
        mask: ``bool[k, A]``.
        action: ``int64[k, most]``: actions that were visited; padded with zeros.
        share: ``float32[k, most]``: each one's share of the visits; padded with zeros.
        value: ``float32[k]``: what searches came to for the players to act, -1 to 1.
        outcome: ``float32[k]``: how the games ended for them, -1 to 1.
    """

    parts: dict[str, torch.Tensor]
    mask: torch.Tensor
    action: torch.Tensor
    share: torch.Tensor
    value: torch.Tensor
    outcome: torch.Tensor

    def to(self, device: torch.device) -> Lesson:
        """The same on a device."""
        parts, *tensors = self
        return Lesson(
            {name: part.to(device) for name, part in parts.items()},
            *(tensor.to(device) for tensor in tensors),
        )


class Positions:
    """Makes records of positions, and lessons of records.

    Args:
        observation: shape (C, H, W) of the planes.
        actions: number of actions.
        most: how many actions a search may have visited.
        opinion: whether to remember the greedy player's opinion.
    """

    def __init__(
        self,
        observation: tuple[int, int, int],
        actions: int,
        most: int,
        *,
        opinion: bool = False,
    ) -> None:
        self._observation, self._actions, self._opinion = observation, actions, opinion
        self.dtype = position_dtype(observation, actions, min(most, actions), opinion=opinion)

    def recorded(
        self, batch: Batch, games: np.ndarray, visits: np.ndarray, values: np.ndarray
    ) -> np.ndarray:
        """Records ``[k]`` of where some games of a batch are; the outcomes are still to come.

        Args:
            batch: the games.
            games: indices ``int64[k]``.
            visits: ``int32[k, A]``, of a search there.
            values: ``float32[k]``, what it came to.
        """
        records = np.zeros(games.size, self.dtype)
        records["planes"] = np.packbits(batch.observation[games].reshape(games.size, -1), axis=1)
        records["mask"] = np.packbits(batch.action_mask[games], axis=1)
        for record, counts in zip(records, visits, strict=True):
            visited = np.flatnonzero(counts)
            record["action"][: visited.size] = visited
            record["visits"][: visited.size] = counts[visited]
        records["value"] = values
        records["player"] = batch.to_move[games]
        if self._opinion:
            told = opinions_in(batch, games)
            # Only what is best is 0.
            records["opinion"] = np.ceil(-255 * told.actions)
            records["standing"] = told.standing
        return records

    def lesson(self, records: np.ndarray) -> Lesson:
        """What can be learnt from records ``[k]``."""
        bits = int(np.prod(self._observation))
        planes = np.unpackbits(records["planes"], axis=1, count=bits)
        mask = np.unpackbits(records["mask"], axis=1, count=self._actions)
        visits = records["visits"].astype(np.float32)
        opinion = None
        if self._opinion:
            held = records["opinion"] / np.float32(-255)
            opinion = Opinion(held, records["standing"].copy())
        parts = parts_of(planes.reshape(-1, *self._observation), opinion)
        return Lesson(
            {name: torch.from_numpy(part) for name, part in parts.items()},
            torch.from_numpy(mask.astype(np.bool_)),
            torch.from_numpy(records["action"].astype(np.int64)),
            torch.from_numpy(visits / np.maximum(visits.sum(axis=1, keepdims=True), 1)),
            torch.from_numpy(records["value"].copy()),
            torch.from_numpy(records["outcome"].astype(np.float32)),
        )

    def to_tensor(self, records: np.ndarray) -> torch.Tensor:
        """Records ``[k]`` as a tensor ``uint8[k, bytes]``, for a checkpoint."""
        return torch.from_numpy(records.view(np.uint8).reshape(-1, self.dtype.itemsize))

    def from_tensor(self, kept: torch.Tensor) -> np.ndarray:
        """The inverse of :meth:`to_tensor`.

        Raises:
            ValueError: if the tensor holds no such records.
        """
        if kept.dtype != torch.uint8 or kept.shape[1:] != (self.dtype.itemsize,):
            raise ValueError(f"positions have {self.dtype.itemsize} bytes, not {kept.shape[1:]}")
        records = kept.contiguous().numpy().view(self.dtype).reshape(-1)
        in_range = (
            ((records["action"] >= 0) & (records["action"] < self._actions)).all()
            and (np.abs(records["value"]) <= 1).all()
            and (np.abs(records["outcome"]) <= 1).all()
            and (not self._opinion or (np.abs(records["standing"]) <= FAR).all())
        )
        if not in_range:
            raise ValueError("positions are damaged")
        return records


class Pending:
    """Positions of games that go on, until it is known how these end.

    Args:
        games: how many games are played at once.
        dtype: of the records.
    """

    def __init__(self, games: int, dtype: np.dtype[Any]) -> None:
        self._dtype = dtype
        self._of: list[list[np.ndarray]] = [[] for _ in range(games)]

    def add(self, games: np.ndarray, records: np.ndarray) -> None:
        """Keep a record ``[k]`` for each of some games, indices ``int64[k]``."""
        for game, record in zip(games.tolist(), records, strict=True):
            self._of[game].append(record.copy())  # else it keeps all of them in memory

    def clear(self) -> None:
        """Forget all records."""
        for records in self._of:
            records.clear()

    def ended(self, batch: Batch) -> np.ndarray:
        """The records of the games that ended in the batch's last step, with their outcomes."""
        finished = [
            self._credited(game, outcome)
            for game, outcome in zip(batch.ended.tolist(), batch.outcome, strict=True)
        ]
        return np.concatenate([np.zeros(0, self._dtype), *finished])

    def _credited(self, game: int, outcome: np.ndarray) -> np.ndarray:
        """Take out a game's records; ``outcome[P]`` is what each player got."""
        records = np.array(self._of[game], self._dtype)
        self._of[game] = []
        records["outcome"] = outcome[records["player"]]
        return records


class Replay:
    """The latest positions of games that have ended.

    Args:
        room: for how many records.
        dtype: of the records.
    """

    def __init__(self, room: int, dtype: np.dtype[Any]) -> None:
        self._records = np.zeros(room, dtype)
        self._next = 0
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def add(self, records: np.ndarray) -> None:
        """Keep these records; the oldest make room for them."""
        room = self._records.size
        latest = records[-room:]
        self._records[(self._next + np.arange(latest.size)) % room] = latest
        self._next = (self._next + latest.size) % room
        self._size = min(room, self._size + latest.size)

    def clear(self) -> None:
        """Forget all records."""
        self._size = 0

    def sample(self, size: int, random: np.random.Generator) -> np.ndarray:
        """Draw some records, all equally likely."""
        return self._records[(self._next - 1 - random.integers(self._size, size=size))]

    def latest(self, most: int) -> np.ndarray:
        """At most so many records, the oldest of them first."""
        count = min(most, self._size)
        return self._records[np.arange(self._next - count, self._next) % self._records.size]
