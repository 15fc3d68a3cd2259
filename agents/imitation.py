"""What a network learns from a player before it plays for itself: supervised, decision by decision.

Games that are decided by few captures among hundreds of actions give self-play little to learn from
at first. A player that sees captures, or searches, shows the network where to begin. The games come
to positions that the network itself would come to, since it plays half of the actions (Ross, Gordon
and Bagnell, "A reduction of imitation learning and structured prediction to no-regret online
learning", AISTATS 2011).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch.nn.functional import cross_entropy

from pasgl_env import Batch, players
from pasgl_env.agents.network import NetworkPlayer, features_of, told
from pasgl_env.games.contract import OptionValue

GAMES, STEPS, MINIBATCH, EPOCHS = 128, 32, 256, 2
LEARNING_RATE = 1e-3
SHARE_OF_TEACHER = 0.5


class Imitation:
    """Lessons by a player.

    Args:
        policy: what learns.
        variant: the game.
        options: the variant's options.
        teacher: the player's name.
        seed: of games and players.

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
    ) -> None:
        self._policy = policy
        self._batch = Batch(variant, GAMES, seed=seed, **options)
        self._teacher = players.make(teacher, variant, seed=seed)
        self._pupil = NetworkPlayer(policy, "pupil", seed=seed)
        self._random = np.random.default_rng(seed)
        parameters = [*policy.features_extractor.parameters(), *policy.action_net.parameters()]
        self._optimizer = torch.optim.Adam(parameters, LEARNING_RATE)

    def lesson(self) -> int:
        """Watch some decisions and learn from them; returns their number."""
        parts, masks, actions = self._watch()
        self._policy.set_training_mode(True)
        for _ in range(EPOCHS):
            for rows in torch.split(torch.randperm(len(actions)), MINIBATCH):
                seen = {name: part[rows] for name, part in parts.items()}
                features = features_of(self._policy, seen)
                scores = self._policy.action_net(features).masked_fill(~masks[rows], -1e9)
                self._optimizer.zero_grad()
                torch.autograd.backward(cross_entropy(scores, actions[rows]))
                self._optimizer.step()
        self._policy.set_training_mode(False)
        return len(actions)

    def _watch(self) -> tuple[dict[str, torch.Tensor], torch.Tensor, torch.Tensor]:
        """What the player to act was told and could do, and what the teacher would do there."""
        told_each, masks, actions = zip(*self._decisions(), strict=True)
        parts = {name: _joined([each[name] for each in told_each]) for name in told_each[0]}
        return parts, _joined(masks).bool(), _joined(actions)

    def _decisions(self) -> Iterator[tuple[dict[str, np.ndarray], np.ndarray, np.ndarray]]:
        batch, every = self._batch, np.arange(GAMES)
        for _ in range(STEPS):
            chosen = players.choose(self._teacher, batch, every)
            yield told(self._policy, batch, every), batch.action_mask.copy(), chosen
            by_teacher = self._random.random(GAMES) < SHARE_OF_TEACHER
            batch.step(np.where(by_teacher, chosen, players.choose(self._pupil, batch, every)))


def _joined(arrays: Sequence[np.ndarray]) -> torch.Tensor:
    return torch.from_numpy(np.concatenate(arrays))
