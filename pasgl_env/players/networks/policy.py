"""The policy network of the baselines, and a trained network as a player."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.type_aliases import Schedule
from torch import nn

from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.loops import random_bits
from pasgl_env.players.networks.chosen import scores_of
from pasgl_env.players.networks.distribution import LegalDistribution, NotFinite
from pasgl_env.players.player import SeededPlayer
from pasgl_env.players.trained import Layers, usual_layers
from pasgl_env.players.values.action_prior import FAR, ActionPrior, Prior, action_priors_in
from pasgl_env.players.values.weights import learned_options

WIDTHS: Mapping[Layers, int] = {"dense": 256, "convolutional": 32}
"""Default width of each kind of network."""

PRIOR_WEIGHTS = (20.0, 4.0)
"""Initial weights of an action prior: per unit, and for its best action."""

LEAD_WEIGHT = 1.0
"""Initial weight of the lead of the player to act."""


class DensePlanes(BaseFeaturesExtractor):
    """Two dense layers over all planes: suits any game, and fastest on small boards."""

    def __init__(self, observation_space: gymnasium.Space[Any], width: int) -> None:
        super().__init__(observation_space, width)
        inputs = int(np.prod(observation_space.shape or ()))
        self.layers = nn.Sequential(
            nn.Flatten(), nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        """Features ``float32[k, width]`` of planes ``float32[k, C, H, W]``."""
        features: torch.Tensor = self.layers(planes)
        return features

    def heads(self, actions: int) -> tuple[nn.Module, nn.Sequential]:
        """The layers that score the actions and that estimate the value from the features."""
        head = nn.Linear(self.features_dim, actions)
        value = nn.Sequential(nn.Linear(self.features_dim, 64), nn.ReLU(), nn.Linear(64, 1))
        return _alike_at_first(head), value


class ConvolvedPlanes(BaseFeaturesExtractor):
    """Three convolutions: weights are shared by all squares."""

    def __init__(self, observation_space: gymnasium.Space[Any], width: int) -> None:
        planes, *self.board = observation_space.shape or ()
        self.width = width
        super().__init__(observation_space, width * self.board[0] * self.board[1])
        self.layers = nn.Sequential(
            nn.Conv2d(planes, width, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1),
            nn.ReLU(),
            nn.Flatten(),
        )

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        """Features ``float32[k, width * H * W]`` of planes ``float32[k, C, H, W]``."""
        features: torch.Tensor = self.layers(planes)
        return features

    def heads(self, actions: int) -> tuple[nn.Module, nn.Sequential]:
        """The layers that score the actions square by square and that estimate the value."""
        height, columns = self.board
        value = nn.Sequential(
            nn.Unflatten(1, (self.width, height, columns)),
            nn.Conv2d(self.width, 4, 1),
            # With so few channels, some initialisations leave a plain ReLU dead from the start.
            nn.LeakyReLU(),
            nn.Flatten(),
            nn.Linear(4 * height * columns, 64),
            nn.ReLU(),
            nn.Linear(64, 1),
        )
        head = PlaneHead(self.width, height, columns, actions)
        return _alike_at_first(head), value


EXTRACTORS: Mapping[Layers, type[DensePlanes] | type[ConvolvedPlanes]] = {
    "dense": DensePlanes,
    "convolutional": ConvolvedPlanes,
}


class PriorFeatures(NamedTuple):
    """Inputs of the heads of a network that sees an action prior.

    Attributes:
        features: features of the planes, ``float32[k, F]``.
        action_prior: the prior of each action, ``float32[k, A]``.
        standing: the lead of the player to act, ``float32[k, 1]``.
    """

    features: torch.Tensor
    action_prior: torch.Tensor
    standing: torch.Tensor


class PlanesWithPrior(BaseFeaturesExtractor):
    """Features of the planes, together with an action prior.

    Attributes:
        prior: the player whose evaluation it is.
    """

    def __init__(
        self, observation_space: gymnasium.Space[Any], width: int, layers: Layers, prior: Prior
    ) -> None:
        assert isinstance(observation_space, spaces.Dict)
        planes = EXTRACTORS[layers](observation_space["planes"], width)
        super().__init__(observation_space, planes.features_dim)
        self.planes, self.prior = planes, prior

    def forward(self, observations: dict[str, torch.Tensor]) -> PriorFeatures:
        """Not concatenated: copying the priors of thousands of actions takes time."""
        features = self.planes(observations["planes"])
        return PriorFeatures(features, observations["action_prior"], observations["standing"])


class ActionPriorHead(nn.Module):
    """The scores of another head, added to an action prior."""

    def __init__(self, head: nn.Module) -> None:
        super().__init__()
        self.head = head
        self.trust = nn.Parameter(torch.tensor(PRIOR_WEIGHTS))

    def ignore_best(self) -> None:
        """Weight the differences of actions from the best one, but not which one is best."""
        with torch.no_grad():
            self.trust[1] = 0.0

    def forward(self, inputs: PriorFeatures) -> torch.Tensor:
        """``float32[k, A]``."""
        scores: torch.Tensor = self.head(inputs.features) + self._weighted(inputs.action_prior)
        return scores

    def among(
        self, inputs: PriorFeatures, rows: torch.Tensor, actions: torch.Tensor
    ) -> torch.Tensor:
        """Scores as of :func:`pasgl_env.players.networks.chosen.scores_of`."""
        scores = scores_of(self.head, inputs.features, rows, actions)
        return scores + self._weighted(inputs.action_prior[rows, actions])

    def _weighted(self, action_prior: torch.Tensor) -> torch.Tensor:
        return self.trust[0] * action_prior + self.trust[1] * (action_prior == 0)


class StandingHead(nn.Module):
    """The value of another head, added to a multiple of the lead of the player to act."""

    def __init__(self, head: nn.Module) -> None:
        super().__init__()
        self.head = head
        self.trust = nn.Parameter(torch.empty(()))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Reset to the initial weight."""
        nn.init.constant_(self.trust, LEAD_WEIGHT)

    def start_from_lead(self) -> None:
        """Estimate the value from the lead alone until the other head has learned something."""
        *_, last = self.head.children()
        assert isinstance(last, nn.Linear)
        nn.init.zeros_(last.weight)
        nn.init.zeros_(last.bias)

    def forward(self, inputs: PriorFeatures) -> torch.Tensor:
        """``float32[k, 1]``."""
        value: torch.Tensor = self.head(inputs.features)
        return value + self.trust * inputs.standing


class PlaneHead(nn.Module):
    """Scores of actions that form planes over the squares, and of a few further actions."""

    def __init__(self, width: int, height: int, columns: int, actions: int) -> None:
        super().__init__()
        planes, others = divmod(actions, height * columns)
        self.board = nn.Sequential(
            nn.Unflatten(1, (width, height, columns)), nn.Conv2d(width, planes, 1), nn.Flatten()
        )
        self.others = nn.Sequential()
        if others:
            self.others = nn.Sequential(
                nn.Unflatten(1, (width, height * columns)),
                nn.AdaptiveMaxPool1d(1),
                nn.Flatten(),
                nn.Linear(width, others),
            )

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """``float32[k, actions]``."""
        scores: torch.Tensor = self.board(features)
        return torch.cat([scores, self.others(features)], 1) if len(self.others) else scores


def _alike_at_first(head: nn.Module) -> nn.Module:
    """The same head, initialised to score all actions about equally."""
    for parameter in head.parameters():
        nn.init.normal_(parameter, std=0.001)
    return head


class LegalPolicy(MaskableActorCriticPolicy):
    """The policy of MaskablePPO, computed over legal actions only, which are few.

    ``MaskablePPO(LegalPolicy, env, ...)`` learns what ``"MlpPolicy"`` learns, in less time.
    """

    def _build(self, lr_schedule: Schedule) -> None:
        super()._build(lr_schedule)
        assert isinstance(self.action_space, spaces.Discrete)
        self.action_dist = LegalDistribution(int(self.action_space.n))

    def _get_action_dist_from_latent(self, latent_pi: Any) -> MaskableDistribution:
        head, distribution = self.action_net, self.action_dist
        assert isinstance(distribution, LegalDistribution)
        features = latent_pi.features if isinstance(latent_pi, PriorFeatures) else latent_pi
        among = head.among if isinstance(head, ActionPriorHead) else partial(scores_of, head)
        return distribution.scored_by(partial(among, latent_pi), len(features), features.device)


class HeadedPolicy(LegalPolicy):
    """A policy whose heads match the features of its planes, and may see the action prior."""

    def _build(self, lr_schedule: Schedule) -> None:
        self._build_mlp_extractor()
        assert isinstance(self.action_space, spaces.Discrete)
        extractor, actions = self.features_extractor, int(self.action_space.n)
        self.action_dist = LegalDistribution(actions)
        if isinstance(extractor, PlanesWithPrior):
            head, value = extractor.planes.heads(actions)
            self.action_net = ActionPriorHead(head)
            standing = StandingHead(value)
            if extractor.prior == "td":  # its lead is already an estimate of the outcome
                standing.start_from_lead()
            self.value_net = standing  # type: ignore[assignment]
        else:
            assert isinstance(extractor, DensePlanes | ConvolvedPlanes)
            self.action_net, self.value_net = extractor.heads(actions)  # type: ignore[assignment]
        self.optimizer = self.optimizer_class(
            self.parameters(),
            lr=lr_schedule(1),  # type: ignore[call-arg]
            **self.optimizer_kwargs,
        )


def planes_of(space: gymnasium.Space[Any]) -> tuple[int, ...]:
    """The shape of the planes in a network's observations."""
    return (space["planes"] if isinstance(space, spaces.Dict) else space).shape or ()


def policy_class(layers: Layers, *, action_prior: Prior = "none") -> type[LegalPolicy]:
    """The policy class for these layers."""
    is_plain = layers == "dense" and action_prior == "none"
    return LegalPolicy if is_plain else HeadedPolicy


def policy_settings(
    layers: Layers, width: int | None = None, *, action_prior: Prior = "none"
) -> dict[str, Any]:
    """``policy_kwargs`` for MaskablePPO with a :func:`policy_class`; None for the default width."""
    own: dict[str, Any] = {"width": width or WIDTHS[layers]}
    extractor: type[BaseFeaturesExtractor] = EXTRACTORS[layers]
    if action_prior != "none":
        extractor = PlanesWithPrior
        own |= {"layers": layers, "prior": action_prior}
    return {
        "features_extractor_class": extractor,
        "features_extractor_kwargs": own,
        "net_arch": {"pi": [], "vf": []},
    }


def design_of(policy: MaskableActorCriticPolicy) -> dict[str, Any]:
    """The arguments of :func:`new_policy`, besides the game, for a network of the same shape."""
    extractor, prior = policy.features_extractor, prior_of(policy)
    planes = extractor if prior == "none" else extractor.planes
    layers = next(name for name, kind in EXTRACTORS.items() if isinstance(planes, kind))
    width = policy.features_extractor_kwargs["width"]
    return {"layers": layers, "width": width, "action_prior": prior}


def observation_space(planes: spaces.Box, actions: int) -> spaces.Dict:
    """The observation space of networks that see an action prior."""
    action_prior = spaces.Box(-1, 0, (actions,), np.float32)
    standing = spaces.Box(-FAR, FAR, (1,), np.float32)
    return spaces.Dict({"planes": planes, "action_prior": action_prior, "standing": standing})


def new_policy(
    ruleset: Ruleset,
    width: int | None = None,
    *,
    layers: Layers | None = None,
    action_prior: Prior = "none",
) -> MaskableActorCriticPolicy:
    """A policy for a variant, of the shape that MaskablePPO gives it, with random weights.

    Args:
        ruleset: the variant under its options.
        width: width of the network; None for the default.
        layers: kind of network; None for the game's :func:`usual_layers`.
        action_prior: the player whose action prior the network sees.
    """
    size = ruleset.spaces
    planes = spaces.Box(0, 1, size.observation, np.uint8)
    layers = layers or usual_layers(ruleset.game)
    return policy_class(layers, action_prior=action_prior)(
        planes if action_prior == "none" else observation_space(planes, size.actions),
        spaces.Discrete(size.actions),
        lambda _: 0.0,
        ortho_init=False,  # takes a second, and the weights are replaced anyway
        **policy_settings(layers, width, action_prior=action_prior),
    )


def observations_of(
    policy: MaskableActorCriticPolicy, batch: Batch, games: np.ndarray
) -> dict[str, np.ndarray]:
    """A network's observations of some games; see :func:`parts_of`."""
    prior = prior_of(policy)
    action_prior = None if prior == "none" else action_priors_in(batch, games, prior)
    return parts_of(batch.observation[games], action_prior)


def prior_of(policy: MaskableActorCriticPolicy) -> Prior:
    """The player whose action prior a network sees."""
    extractor = policy.features_extractor
    return extractor.prior if isinstance(extractor, PlanesWithPrior) else "none"


def parts_of(planes: np.ndarray, prior: ActionPrior | None) -> dict[str, np.ndarray]:
    """An observation by parts: ``planes``, and with a prior ``action_prior`` and ``standing``."""
    if prior is None:
        return {"planes": planes}
    return {
        "planes": planes,
        "action_prior": prior.actions,
        "standing": prior.standing,
    }


def sharpen(policy: MaskableActorCriticPolicy, factor: float) -> None:
    """Multiply a network's scores, which raises its probabilities to the power of a factor."""
    with torch.no_grad():  # one layer and what it adds to: all scores are multiples of these
        for parameter in policy.action_net.parameters():
            parameter.mul_(factor)


def features_of(
    policy: MaskableActorCriticPolicy, parts: Mapping[str, torch.Tensor]
) -> torch.Tensor | PriorFeatures:
    """A network's features of an observation, for its ``action_net`` and ``value_net``."""
    here = {name: part.to(policy.device).float() for name, part in parts.items()}
    seen = here["planes"] if prior_of(policy) == "none" else here
    features: torch.Tensor | PriorFeatures = policy.features_extractor(seen)
    return features


class NetworkPlayer(SeededPlayer):
    """A policy network as a player.

    Attributes:
        policy: the network.
        temperature: as below.

    Args:
        policy: a policy of the variant that will be played.
        name: the player's name, for tables and messages.
        temperature: actions are drawn by their probabilities to the power of 1 / temperature; at 0
            the most probable is played.
        seed: seed of the draws; None draws one.
        trained_for: the rules that it was trained with; None: not known.
    """

    def __init__(
        self,
        policy: MaskableActorCriticPolicy,
        name: str,
        *,
        temperature: float = 1.0,
        seed: int | None = None,
        trained_for: Ruleset | None = None,
    ) -> None:
        super().__init__(seed)
        self._trained_for = trained_for
        self.name = name
        self.policy = policy
        self.temperature = temperature

    def knows(self, ruleset: Ruleset) -> bool:
        """Whether it was trained with a ruleset's options, as far as is known."""
        own = self._trained_for
        return own is None or learned_options(own) == learned_options(ruleset)

    def _decide(
        self, batch: Batch, games: np.ndarray, generators: np.ndarray, actions: np.ndarray
    ) -> None:
        self._check_shapes(batch)
        with torch.no_grad():
            parts = observations_of(self.policy, batch, games)
            features = features_of(self.policy, {k: torch.from_numpy(v) for k, v in parts.items()})
            scores = self.policy.action_net(features).cpu().numpy()
        actions[:] = drawn(scores, batch.action_mask[games], self.temperature, generators)

    def _check_shapes(self, batch: Batch) -> None:
        actions = self.policy.action_space
        assert isinstance(actions, spaces.Discrete)
        own = planes_of(self.policy.observation_space)
        if (own, actions.n) != (batch.observation_shape, batch.num_actions):
            raise other_shapes(self.name, own, actions.n, batch)


def drawn(
    scores: np.ndarray, mask: np.ndarray, temperature: float, generators: np.ndarray
) -> np.ndarray:
    """Draw legal actions by their scores, ``int64[k]``; the best ones at temperature 0.

    Args:
        scores: ``float32[k, A]``, logarithms of probabilities up to a constant of each row.
        mask: ``uint8[k, A]``.
        temperature: probabilities are raised to the power of 1 / temperature.
        generators: ``uint64[k]``; they change.

    Raises:
        NotFinite: if scores are not finite numbers.
    """
    scores = np.where(mask, scores, -np.inf)
    best = scores.max(axis=1, keepdims=True)
    if not np.isfinite(best).all():
        raise NotFinite
    if temperature == 0:
        return scores.argmax(axis=1)
    heights = (scores - best) / max(temperature, 1e-30)  # 0 in float32, if it is much smaller
    chances = np.exp(heights).cumsum(axis=1)
    draws = [random_bits(generators, row) / 2**32 for row in range(len(scores))]
    return (chances > np.multiply(draws, chances[:, -1])[:, None]).argmax(axis=1)


def other_shapes(name: str, shape: object, actions: object, batch: Batch) -> ValueError:
    """The error of a network that is asked about other shapes than those that it learned from."""
    return ValueError(
        f"player {name!r} was trained on observations of shape {shape} and {actions} actions, not"
        f" {batch.observation_shape} and {batch.num_actions}, as {batch.variant} has here: use the"
        " variant and the options that it was trained with"
    )
