"""What a network learns from a player before it plays for itself: supervised, decision by decision.

Games that are decided by few captures among hundreds of actions give self-play little to learn from
at first. A player that sees captures, or searches, shows the network where to begin. The games come
to positions that the network itself would come to, since it plays half of the actions (Ross, Gordon
and Bagnell, "A reduction of imitation learning and structured prediction to no-regret online
learning", AISTATS 2011).
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.utils import update_learning_rate

from pasgl_env import Batch, players
from pasgl_env.games.contract import OptionValue
from pasgl_env.training.ppo.network import (
    ActionPriorHead,
    NetworkPlayer,
    features_of,
    has_action_prior,
)
from pasgl_env.training.ppo.replay import Positions, Replay, cross_entropy_of, expected_cost_of
from pasgl_env.training.settings import TEMPERATURE

MOST_GAMES, MINIBATCH = 128, 256
# How often a decision is learned from on the mean. A search takes longer for it than learning does.
REUSE, REUSE_OF_SEARCHES = 2, 8
MOST_DECISIONS = 200_000
MOST_ACTIONS = 64
SHARE_OF_TEACHER = 0.5


class Imitation:
    """Lessons by a player.

    Of a search player the network learns how often actions were visited. If it is shown action
    priors, it learns from what they came to instead: it begins near its teacher, and of what it
    does otherwise little matters, so it learns to lose less by it (Ross and Bagnell,
    "Reinforcement and imitation learning via interactive no-regret learning", arXiv:1406.5979,
    2014).

    Args:
        policy: what learns.
        variant: the game.
        options: the variant's options.
        teacher: the player's name.
        seed: of games and players.
        games: number of games that are watched in step; at most :data:`MOST_GAMES` are.
        temperature: at which the network will play.

    Raises:
        ValueError: for an unknown player.
    """

    def __init__(
        self,
        policy: MaskableActorCriticPolicy,
        variant: str,
        options: Mapping[str, OptionValue],
        teacher: str,
        seed: int,
        *,
        games: int = MOST_GAMES,
        temperature: float = TEMPERATURE,
    ) -> None:
        self._policy = policy
        self._temperature = temperature or 1.0  # at 0 nothing is learned by degrees
        self._batch = Batch(variant, min(games, MOST_GAMES), seed=seed, **options)
        self._teacher = players.make(teacher, variant, seed=seed)
        self._pupil = NetworkPlayer(policy, "pupil", seed=seed)
        self._random = np.random.default_rng(seed)
        self._reuse = REUSE_OF_SEARCHES if isinstance(self._teacher, players.MctsPlayer) else REUSE
        self._debt = 0
        is_told = has_action_prior(policy)
        self._by_cost = is_told and isinstance(self._teacher, players.MctsPlayer)
        self._positions = Positions(
            self._batch.observation_shape,
            self._batch.num_actions,
            MOST_ACTIONS,
            action_prior=is_told,
            costs=self._by_cost,
        )
        self._replay = Replay(MOST_DECISIONS, self._positions.dtype)
        parameters = [*policy.features_extractor.parameters(), *policy.action_net.parameters()]
        self._optimizer = torch.optim.AdamW(parameters)

    def begin(self) -> None:
        """Make ready a network that has learned nothing yet."""
        if self._by_cost:
            # Else what the action prior holds best is hardly ever doubted.
            head = self._policy.action_net
            assert isinstance(head, ActionPriorHead)
            head.trust_differences()

    def set_rate(self, rate: float) -> None:
        """Learn at this rate from now on."""
        update_learning_rate(self._optimizer, rate)

    def lesson(self) -> int:
        """Watch a decision in half of the games, and learn from these and earlier ones.

        Returns:
            In how many of them there was a choice.
        """
        decisions = self._watch()
        self._debt += self._reuse * decisions
        self._policy.set_training_mode(True)
        while self._debt >= MINIBATCH:
            self._debt -= MINIBATCH
            self._learn()
        self._policy.set_training_mode(False)
        return decisions

    def _watch(self) -> int:
        """Ask the teacher in some games, remember what it did there, and play on in all.

        Neighbouring decisions of a game teach much the same: so the teacher, whose time is what
        costs most, is asked only where it plays.
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
        """Keep the teacher's last decisions, which were about these games."""
        visits = visits_of(self._teacher, chosen, self._batch.num_actions)
        costs = costs_of(self._teacher) if self._by_cost else None
        self._replay.add(self._positions.recorded(self._batch, games, visits, costs))

    def _learn(self) -> None:
        lesson = self._positions.lesson(self._replay.sample(MINIBATCH, self._random))
        features = features_of(self._policy, lesson.parts)
        scores = self._policy.action_net(features)
        if self._by_cost:
            loss = expected_cost_of(scores / self._temperature, lesson)  # as it will play
        else:
            loss = cross_entropy_of(scores, lesson)
        self._optimizer.zero_grad()
        torch.autograd.backward(loss)
        self._optimizer.step()


def costs_of(player: players.Player) -> np.ndarray:
    """``float32[k, A]``: how much worse than the best actions came out in the last search.

    NaN where there was no choice.
    """
    assert isinstance(player, players.MctsPlayer)
    values = np.nan_to_num(player.action_values, nan=-np.inf)
    costs: np.ndarray = values.max(axis=1, keepdims=True) - player.action_values
    return costs


def visits_of(player: players.Player, chosen: np.ndarray, actions: int) -> np.ndarray:
    """``int32[k, actions]``: visits of a player's last search; else a 1 for what it chose."""
    if isinstance(player, players.MctsPlayer):
        return player.visits
    shown = np.zeros((chosen.size, actions), np.int32)
    shown[np.arange(chosen.size), chosen] = 1
    return shown
