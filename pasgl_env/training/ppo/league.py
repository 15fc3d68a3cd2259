"""The opponents of a learner: itself, past selves and fixed players.

Prioritised fictitious self-play, after Vinyals and others, "Grandmaster level in StarCraft II using
multi-agent reinforcement learning", Nature 2019: an opponent is drawn with a weight that falls with
the learner's score against it. An opponent that is always beaten teaches nothing; if the learner
forgets how to beat it, it is drawn more often again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from pasgl_env.players.networks import checkpoint
from pasgl_env.players.networks.policy import NetworkPlayer

ITSELF = "itself"
PAST = "past"
SHARE_OF_SELF = 0.3
RECENT_GAMES = 400
# Results start from this many drawn games against everybody, because a few results say little.
GAMES_BELIEVED = 10
# Opponents that never win are still drawn from time to time.
LEAST_WEIGHT = 0.02
# The current self joins the league when it has changed enough to be a different opponent.
ROLLOUTS_BETWEEN_SELVES = 10

Weights = dict[str, torch.Tensor]


class League:
    """The opponents of a run, in the order of :attr:`players`, and the learner's results.

    Attributes:
        names: names of all opponents: itself, past selves, fixed players.
    """

    def __init__(
        self, itself: NetworkPlayer, past: Sequence[NetworkPlayer], fixed: Sequence[str], seed: int
    ) -> None:
        self.names = (itself.name, *(player.name for player in past), *fixed)
        self._itself, self._past = itself, list(past)
        self._selves: list[Weights] = []
        self._joined = -1
        self._results = [deque[float](maxlen=RECENT_GAMES) for _ in self.names]
        self._random = np.random.default_rng(seed)

    def add_result(self, opponent: int, outcome: float) -> None:
        """Record a game of the learner: +1 for a win, -1 for a loss, otherwise 0."""
        self._results[opponent].append(outcome)

    @property
    def win_rates(self) -> dict[str, float]:
        """The learner's share of wins in its last games against each opponent it has met."""
        return {
            name: sum(outcome > 0 for outcome in results) / len(results)
            for name, results in zip(self.names, self._results, strict=True)
            if results
        }

    def shares(self) -> np.ndarray:
        """``float64``: the share of games to play against each opponent."""
        losing = np.array([1 - self._score(results) for results in self._results])
        weights = np.maximum(losing**2, LEAST_WEIGHT)
        weights[0] = 0
        weights[1 + len(self._selves) : 1 + len(self._past)] = 0
        if not weights.any():
            weights[0] = 1
            return weights
        shares = (1 - SHARE_OF_SELF) * weights / weights.sum()
        shares[0] = SHARE_OF_SELF
        return shares

    def draw(self, games: int) -> np.ndarray:
        """``int64[games]``: an opponent for each game."""
        return self._random.choice(len(self.names), games, p=self.shares())

    def join(self, rollouts: int) -> None:
        """Add the learner's current network once in so many rollouts that it learned from."""
        if rollouts % ROLLOUTS_BETWEEN_SELVES == 0 and rollouts != self._joined:
            self._joined = rollouts
            self.add_self()

    def add_self(self) -> None:
        """Add the learner's current network as an opponent, replacing the one beaten most often."""
        if not self._past:
            return
        place = len(self._selves)
        if place == len(self._past):
            scores = [self._score(results) for results in self._results[1 : 1 + place]]
            place = int(np.argmax(scores))
        else:
            self._selves.append({})
        self._selves[place] = _half(self._itself.policy)
        self._past[place].policy.load_state_dict(self._selves[place])
        self._results[1 + place].clear()

    def to_dict(self) -> dict[str, Any]:
        """The state for :meth:`restore`: tensors and plain values."""
        results = [list(results) for results in self._results]
        return {"selves": self._selves, "results": results, "joined": self._joined}

    def restore(self, content: Mapping[str, Any], file: Any) -> None:
        """Restore the state from :meth:`to_dict`.

        Raises:
            BadCheckpoint: names the file, if the state does not fit the run.
        """
        selves, results = content["selves"], content["results"]
        if len(selves) > len(self._past) or len(results) != len(self.names):
            raise checkpoint.BadCheckpoint(f"{file} holds no training state to resume from")
        for player, weights in zip(self._past, selves, strict=False):
            checkpoint.load_weights(player.policy, weights, file)
        self._selves, self._joined = list(selves), int(content["joined"])
        for mine, theirs in zip(self._results, results, strict=True):
            mine.extend(float(outcome) for outcome in theirs)

    @staticmethod
    def _score(results: Sequence[float]) -> float:
        """The learner's score against an opponent, from 0 to 1."""
        believed = GAMES_BELIEVED / 2 + sum((1 + outcome) / 2 for outcome in results)
        return believed / (GAMES_BELIEVED + len(results))


def is_own(name: str) -> bool:
    """Whether this is the name of the learner or of a past self."""
    return name == ITSELF or name.startswith(f"{PAST} ")


def _half(policy: torch.nn.Module) -> Weights:
    """A copy of the weights in half precision, enough for opponents; shared ones stay shared."""
    weights = policy.state_dict(keep_vars=True)
    copies = {weight: weight.detach().half().cpu() for weight in weights.values()}
    return {name: copies[weight] for name, weight in weights.items()}
