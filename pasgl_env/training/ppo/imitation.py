"""Imitation: a network learns from a player's decisions before it plays for itself.

Games that are decided by few captures among hundreds of actions give self-play little to learn from
at first. A player that sees captures, or searches, shows the network where to start. The network
itself plays half of the actions, so the games reach positions that it would reach (Ross, Gordon and
Bagnell, "A reduction of imitation learning and structured prediction to no-regret online learning",
AISTATS 2011).
"""

from __future__ import annotations

import math

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.utils import update_learning_rate

from pasgl_env import players
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.batch import Batch
from pasgl_env.players.networks.policy import (
    ActionPriorHead,
    NetworkPlayer,
    features_of,
    prior_of,
)
from pasgl_env.players.trained import TEMPERATURE
from pasgl_env.training.ppo.replay import Positions, Replay, cross_entropy_of, expected_cost_of

MOST_GAMES, MINIBATCH = 128, 256
# Mean number of times a decision is learned from. Searching for one takes longer than learning it.
REUSE, REUSE_OF_SEARCHES = 2, 8
MOST_DECISIONS = 200_000
MOST_ACTIONS = 64
SHARE_OF_TEACHER = 0.5


class Imitation:
    """Supervised learning from a player's decisions.

    From a search player the network learns how often actions were visited. A network that sees
    action priors learns from the actions' values instead: it starts near its teacher, and most
    differences in visits matter little, so it learns to lose less (Ross and Bagnell,
    "Reinforcement and imitation learning via interactive no-regret learning", arXiv:1406.5979,
    2014).

    Args:
        policy: the policy that learns.
        ruleset: the variant under its options.
        teacher: the player's name.
        seed: seed of games and players.
        games: number of games to watch in lockstep; at most :data:`MOST_GAMES`.
        temperature: the temperature at which the network will play; it learns what actions cost at
            this temperature, except with learned values as a prior, at 1.

    Raises:
        ValueError: for an unknown player.
    """

    def __init__(
        self,
        policy: MaskableActorCriticPolicy,
        ruleset: Ruleset,
        teacher: str,
        seed: int,
        *,
        games: int = MOST_GAMES,
        temperature: float = TEMPERATURE,
    ) -> None:
        self._policy = policy
        # At 0 there would be no gradient; a sharp policy would hardly ever doubt learned values.
        self._temperature = 1.0 if prior_of(policy) == "td" else temperature or 1.0
        self._batch = Batch(ruleset, min(games, MOST_GAMES), seed=seed)
        self._teacher = players.make(teacher, ruleset.name, seed=seed)
        self._pupil = NetworkPlayer(policy, "pupil", seed=seed)
        self._random = np.random.default_rng(seed)
        is_search = isinstance(self._teacher, players.TreePlayer)
        self._reuse = REUSE_OF_SEARCHES if is_search else REUSE
        self._debt = 0
        prior = prior_of(policy)
        self._by_cost = prior != "none" and is_search
        self._positions = Positions(
            self._batch.observation_shape,
            self._batch.num_actions,
            MOST_ACTIONS,
            action_prior=prior,
            costs=self._by_cost,
        )
        self._replay = Replay(MOST_DECISIONS, self._positions.dtype)
        parameters = [*policy.features_extractor.parameters(), *policy.action_net.parameters()]
        self._optimizer = torch.optim.AdamW(parameters)

    def begin(self) -> None:
        """Prepare an untrained network."""
        if self._by_cost and prior_of(self._policy) == "greedy":
            # Otherwise the action prior's best action would hardly ever be doubted.
            head = self._policy.action_net
            assert isinstance(head, ActionPriorHead)
            head.ignore_best()

    def set_rate(self, rate: float) -> None:
        """Set the learning rate."""
        update_learning_rate(self._optimizer, rate)

    def step(self) -> int:
        """Watch a decision in half of the games, and learn; return the number with a choice."""
        decisions = self._watch()
        self._debt += self._reuse * decisions
        self._policy.set_training_mode(True)
        while self._debt >= MINIBATCH:
            self._debt -= MINIBATCH
            self._learn()
        self._policy.set_training_mode(False)
        return decisions

    def _watch(self) -> int:
        """Ask the teacher in some games, store its decisions, and play on in all games.

        Neighbouring decisions of a game teach much the same, and the teacher's time costs most, so
        the teacher is asked only in the games where it plays.
        """
        batch = self._batch
        actions = batch.action_mask.argmax(axis=1)
        games = self._random.permutation(len(batch))
        taught, alone = np.split(games, [math.ceil(SHARE_OF_TEACHER * games.size)])
        taught, alone = (each[batch.legal_count[each] > 1] for each in (taught, alone))
        if taught.size:
            actions[taught] = players.choose(self._teacher, batch, taught)
            self._remember(taught, actions[taught])
        if alone.size:
            actions[alone] = players.choose(self._pupil, batch, alone)
        batch.step(actions)
        return taught.size

    def _remember(self, games: np.ndarray, chosen: np.ndarray) -> None:
        """Store the teacher's latest decisions, made in these games."""
        visits = visits_of(self._teacher, chosen, self._batch.num_actions)
        costs = costs_of(self._teacher) if self._by_cost else None
        self._replay.add(self._positions.recorded(self._batch, games, visits, costs))

    def _learn(self) -> None:
        minibatch = self._positions.minibatch(self._replay.sample(MINIBATCH, self._random))
        features = features_of(self._policy, minibatch.parts)
        scores = self._policy.action_net(features)
        if self._by_cost:
            loss = expected_cost_of(
                scores / self._temperature, minibatch
            )  # at the temperature of play
        else:
            loss = cross_entropy_of(scores, minibatch)
        self._optimizer.zero_grad()
        torch.autograd.backward(loss)
        self._optimizer.step()


def costs_of(player: players.Player) -> np.ndarray:
    """``float32[k, A]``: how much worse than the best the last search valued each action.

    NaN if there was no choice.
    """
    assert isinstance(player, players.TreePlayer)
    values = np.nan_to_num(player.action_values, nan=-np.inf)
    costs: np.ndarray = values.max(axis=1, keepdims=True) - player.action_values
    return costs


def visits_of(player: players.Player, chosen: np.ndarray, actions: int) -> np.ndarray:
    """``int32[k, actions]``: visits of a player's last search; without one, 1 for its choice."""
    if isinstance(player, players.TreePlayer):
        return player.visits
    shown = np.zeros((chosen.size, actions), np.int32)
    shown[np.arange(chosen.size), chosen] = 1
    return shown
