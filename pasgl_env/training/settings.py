"""Settings of training runs.

A setting is stated once, as a field with name, type, default, range and help. The checks, the
options of ``pasgl train``, the commands on agents' cards and the settings stored in a run's folder
all follow from the fields.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from pasgl_env.contract import variants
from pasgl_env.contract.base import Learning
from pasgl_env.contract.game import OptionValue
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.results import RewardKind
from pasgl_env.envs.credit import MOST_SCALE, DiscountPer
from pasgl_env.players.trained import (
    LAYERS,
    MOST_TEMPERATURE,
    MOST_WIDTH,
    TEMPERATURE,
    Layers,
    usual_layers,
)
from pasgl_env.players.values.action_prior import PRIORS, Prior
from pasgl_env.players.values.network import features_of
from pasgl_env.players.values.weights import FILE, SUFFIX, shipped

MOST_SEED, MOST_GAMES = 2**63 - 1, 2**16

_KEY = "setting"


@dataclass(frozen=True)
class Setting:
    """The description of a field.

    Attributes:
        help: for people; ends with a full stop.
        metavar: stands for the value in help; empty for a flag.
        above: the value must be above this.
        low: the smallest value.
        high: the largest value; together with ``low``.
        choices: the allowed texts.
        is_even: whether the value must be even.
        usual: the default in words, if it depends on other settings.
        is_always_shown: whether cards state it even if it is the default.
    """

    help: str
    metavar: str = "N"
    above: float | None = None
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    is_even: bool = False
    usual: str = ""
    is_always_shown: bool = False

    @property
    def range(self) -> str:
        """The allowed values in words."""
        if self.choices:
            return " or ".join(self.choices)
        if self.high is not None:
            least = f"from {self.low}" if self.above is None else f"above {self.above:g}, up"
            return f"{least} to {self.high}"
        text = f"above {self.above:g}" if self.above is not None else f"{self.low:g} or above"
        return f"even and {text}" if self.is_even else text

    def allows(self, value: Any) -> bool:
        """Whether a value is allowed. NaN never is."""
        if self.choices:
            return value in self.choices
        if self.above is self.low is None:
            return True
        above = -math.inf if self.above is None else self.above
        low = -math.inf if self.low is None else self.low
        high = math.inf if self.high is None else self.high
        return above < value < math.inf and low <= value <= high and not self.is_even * value % 2


def setting(default: Any, help: str, **known: Any) -> Any:
    """A field of settings; ``known`` holds attributes of :class:`Setting`."""
    return field(default=default, metadata={_KEY: Setting(help, **known)})


def settings_of(kind: type[RunSettings]) -> dict[str, Setting]:
    """The settings of a class by name, except the variant and its options."""
    return {each.name: each.metadata[_KEY] for each in fields(kind) if _KEY in each.metadata}


@dataclass(frozen=True)
class RunSettings:
    """The settings of every run. They are stored in the run's folder, and a resumed run reads them.

    Attributes:
        algorithm: the name that ``pasgl train --algorithm`` takes.
        limits: settings that end a run. If one of them is given, the others become None.
        changeable: further settings that may change when a run is resumed.
        variant: a name of :func:`pasgl_env.contract.variants.names`.
        options: the variant's options that differ from the default.

    Raises:
        ValueError: for an unknown variant or option, or an invalid value.
    """

    algorithm: ClassVar[str]
    limits: ClassVar[tuple[str, ...]] = ("minutes",)
    changeable: ClassVar[tuple[str, ...]] = ("threads",)

    variant: str
    minutes: float | None = setting(3.0, "Train for N minutes in total.", above=0)
    seed: int = setting(
        0, "Seed of weights and games.", low=0, high=MOST_SEED, is_always_shown=True
    )
    options: dict[str, OptionValue] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, each in settings_of(type(self)).items():
            value = getattr(self, name)
            if value is not None and not each.allows(value):
                is_number = not isinstance(value, float) or math.isfinite(value)
                allowed = each.range if is_number else "a finite number"
                raise ValueError(f"{name} must be {allowed}, not {value!r}")
        _ = self.training_ruleset  # raises an error for wrong options

    @cached_property
    def ruleset(self) -> Ruleset:
        """The variant under its options, those of the inventor's game by default."""
        return variants.published_ruleset(self.variant, **self.options)

    @cached_property
    def training_ruleset(self) -> Ruleset:
        """The variant under the options of training games, those of environments by default."""
        return variants.ruleset(self.variant, **self.options)

    @property
    def amount(self) -> int | None:
        """Number of decisions, games or iterations that ends the run; None for no limit."""
        raise NotImplementedError

    def progress(self, seconds: float, done: int) -> float:
        """Progress of the run, from 0 to 1; 0 without any limit.

        Args:
            seconds: time spent so far.
            done: number completed, in units of :attr:`amount`.
        """
        by_time = seconds / (60 * self.minutes) if self.minutes else 0.0
        by_amount = done / self.amount if self.amount else 0.0
        return min(1.0, max(by_time, by_amount))

    def seconds_left(self, seconds: float, done: int, pace: float | None) -> float | None:
        """Estimated remaining time in seconds; None if unknown.

        Args:
            seconds: time spent so far.
            done: number completed, in units of :attr:`amount`.
            pace: seconds per unit; None if unknown.
        """
        left = []
        if self.minutes:
            left.append(60 * self.minutes - seconds)
        if self.amount and pace is not None:
            left.append((self.amount - done) * pace)
        return max(0.0, min(left)) if left else None


@dataclass(frozen=True)
class LocalSettings(RunSettings):
    """Settings of runs on one machine."""

    threads: int = setting(2, "Processor threads.", low=1, high=1024, is_always_shown=True)
    start: str | None = setting(
        None,
        "Start with the weights of this agent, of this variant or of one with the same planes and"
        " actions: the folder or file of a run; for ppo also the name of an agent.",
        metavar="AGENT",
    )
    horizon: int | None = setting(
        None,
        "Cut training games off after N turns, and score them by the players' standing.",
        above=0,
        usual="the variant's limit",
    )


@dataclass(frozen=True)
class PpoSettings(LocalSettings):
    """A run of MaskablePPO."""

    algorithm: ClassVar[str] = "ppo"
    limits: ClassVar[tuple[str, ...]] = ("minutes", "steps")

    steps: int | None = setting(
        None, "Train for N decisions of the learner in total, in whole rollouts.", above=0
    )
    games: int = setting(
        256, "Games played in lockstep.", low=1, high=MOST_GAMES, is_always_shown=True
    )
    both_sides: bool = setting(
        False,
        "Play every game against itself and learn from all players' decisions. There is no league;"
        " the fixed players only evaluate the agent.",
        metavar="",
    )
    opening: int = setting(
        0, "Start each game with up to N uniformly random actions.", low=0, high=100_000
    )
    opponents: tuple[str, ...] = setting(
        ("random", "greedy"),
        "Fixed opponents, in addition to the agent's own networks.",
        metavar="NAMES",
    )
    past_selves: int = setting(
        5,
        "Number of earlier networks that are opponents too; with 0, more games are against"
        " the fixed players.",
        low=0,
    )
    learning_rate: float = setting(
        1e-3, "Initial learning rate; it falls to a tenth.", above=0, high=1
    )
    reward: RewardKind | None = setting(  # noqa: RUF009 # it makes a field
        None,
        "What is rewarded: winning, or each growth of the lead.",
        metavar="outcome|points",
        choices=("outcome", "points"),
        usual="points in games with points, except with the action prior td",
    )
    reward_scale: float | None = setting(
        None, "Factor for rewards.", above=0, high=MOST_SCALE, usual="0.1 for points, otherwise 1"
    )
    shaping: float | None = setting(
        None,
        "Weight of shaping rewards, which follow the game's evaluation.",
        low=0,
        high=MOST_SCALE,
        usual="0 for points or with the action prior td, otherwise 0.5",
    )
    discount: float = setting(0.99, "Discount factor of rewards.", low=0, high=1)
    discount_per: DiscountPer = setting(  # noqa: RUF009 # it makes a field
        "turn",
        "Discount later rewards per turn of the player or per action. A turn may be"
        " several actions.",
        metavar="turn|action",
        choices=("turn", "action"),
    )
    imitation: int | None = setting(
        None,
        "Decisions of the teacher to learn from before self-play begins.",
        low=0,
        usual="60000 for convolutional networks without an action prior, otherwise 0",
        is_always_shown=True,
    )
    teacher: str = setting("greedy", "The player to imitate.", metavar="NAME")
    layers: Layers | None = setting(  # noqa: RUF009 # it makes a field
        None,
        "Kind of network.",
        metavar="dense|convolutional",
        choices=LAYERS,
        usual="convolutional where actions are planes of squares",
    )
    width: int | None = setting(
        None,
        "Number of units, or channels, of each layer.",
        low=1,
        high=MOST_WIDTH,
        usual="256 for dense layers, 32 for convolutional ones",
    )
    action_prior: Prior = setting(  # noqa: RUF009 # it makes a field
        "none",
        "Give the network this player's evaluation of each action, so that it starts as strong as"
        " that player.",
        metavar="none|greedy|td",
        choices=PRIORS,
    )
    temperature: float = setting(
        TEMPERATURE,
        "Temperature of the trained agent's play; at 0 it always plays its most probable action.",
        low=0,
        high=MOST_TEMPERATURE,
    )
    evaluations: int = setting(10, "Number of evaluations against the fixed players.", low=0)
    evaluation_games: int = setting(
        100, "Games per evaluation against each fixed player.", above=0, is_even=True
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.both_sides and self.opening:
            raise ValueError("opening is for games against opponents, not for both_sides")
        if self.action_prior == "td" and shipped(self.ruleset) is None:
            raise ValueError(
                f"action_prior td needs learned values, and none come with {self.variant} and these"
                " options: use greedy or none"
            )

    @property
    def rewards_points(self) -> bool:
        """Whether each growth of the lead is rewarded, not only the outcome."""
        if self.reward is not None:
            return self.reward == "points"
        return self.ruleset.game.has_points and self.action_prior != "td"

    @cached_property
    def training_ruleset(self) -> Ruleset:
        limit = {} if self.horizon is None else {"turn_limit": self.horizon}
        return variants.ruleset(self.variant, **{**self.options, **limit})

    @property
    def kind_of_layers(self) -> Layers:
        """The kind of the network's layers."""
        return self.layers or usual_layers(self.ruleset.game)

    @property
    def network(self) -> dict[str, Any]:
        """The arguments of :func:`pasgl_env.players.networks.policy.new_policy` for the network."""
        return {
            "layers": self.kind_of_layers,
            "width": self.width,
            "action_prior": self.action_prior,
        }

    @property
    def imitated_decisions(self) -> int:
        """Number of the teacher's decisions to learn from."""
        if self.imitation is not None:
            return self.imitation
        is_untaught = self.kind_of_layers == "convolutional" and self.action_prior == "none"
        return 60_000 if is_untaught else 0

    @property
    def amount(self) -> int | None:
        return None if self.steps is None else self.imitated_decisions + self.steps


@dataclass(frozen=True)
class TdSettings(LocalSettings):
    """A run of temporal-difference learning.

    With one thread, no workers, and games or steps as the only limit, its result depends on the
    settings only.
    """

    algorithm: ClassVar[str] = "td"
    limits: ClassVar[tuple[str, ...]] = ("minutes", "games", "steps")
    changeable: ClassVar[tuple[str, ...]] = ("threads", "workers")

    minutes: float | None = setting(8.0, "Train for N minutes in total.", above=0)
    games: int | None = setting(None, "Number of games to learn from in total.", above=0)
    steps: int | None = setting(
        None, "Train for N decisions of all players in total, in whole games.", above=0
    )
    workers: int = setting(
        0,
        "Number of processes that play on a Ray cluster, each with its threads; with 0 only this"
        " process plays.",
        low=0,
    )
    horizon: int | None = setting(
        None,
        settings_of(LocalSettings)["horizon"].help,
        above=0,
        usual="the variant's limit or the game's own",
    )
    exploration: float | None = setting(
        None,
        "Share of actions that are drawn by value instead of being the best.",
        low=0,
        high=1,
        usual="0.2 or the game's own",
    )
    temperature: float = setting(0.1, "Temperature of exploring actions.", above=0)
    opening: int | None = setting(
        None,
        "Start each game with up to N uniformly random actions.",
        low=0,
        high=100_000,
        usual="8 or the game's own",
    )
    decay: float | None = setting(None, "λ of TD(λ).", low=0, high=1, usual="0.7 or the game's own")
    step: float = setting(0.03, "Adagrad's initial step size; it falls to a hundredth.", above=0)
    rival_share: float = setting(
        0.0,
        "Share of games in which one side is a rival that does not learn.",
        low=0,
        high=1,
    )
    rival: str | None = setting(
        None,
        "The rival: td or the folder or file of values, by which compiled code plays; or any other"
        " player, which is asked for its actions.",
        metavar="PLAYER",
        usual="the hand-written evaluation",
    )
    truncated_value: float | None = setting(
        None,
        "Largest value of a game that was cut off; a win counts 1.",
        low=0,
        high=1,
        usual="0.5 or the game's own",
    )
    discount: float | None = setting(
        None,
        "Discount factor per turn, up to 1; below 1, earlier wins count more.",
        low=0,
        high=1,
        usual="1 or the game's own",
    )
    extra_variants: tuple[str, ...] | None = setting(
        None,
        "Also learn from games of these variants, with the same number of decisions from each. They"
        " must have the same rules and features.",
        metavar="VARIANTS",
        usual="the game's own; none with options",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.ruleset.check_two_sides("td learns what one side wins and the other loses, of")
        if self.minutes is None and self.amount is None:
            raise ValueError("a run needs a limit: minutes, games or steps")
        if self.games is not None and self.steps is not None:
            raise ValueError("a run can be limited by games or by steps, not by both")
        if self.rival is not None and self.rival_share == 0:
            raise ValueError("a rival needs games to play in: set rival_share above 0")
        if self.rival == "td" and shipped(self.ruleset) is None:
            raise ValueError(
                f"rival td needs learned values, and none come with {self.variant} and these"
                " options: name a run"
            )
        if self.asks_rival and len(self.learned_variants) > 1:
            raise ValueError(
                f"rival {self.rival} plays {self.variant} alone: set extra_variants to none"
            )
        for name in self.extra_variants or ():
            if name == self.variant or _kind_of(name) != _kind_of(self.variant):
                raise ValueError(
                    "extra_variants must name other variants with the rules and features of"
                    f" {self.variant}, not {name}"
                )

    @property
    def asks_rival(self) -> bool:
        """Whether the rival is a player, and not the values that compiled code plays by."""
        if self.rival in (None, "td"):
            return False
        path = Path(str(self.rival))
        return path.suffix != SUFFIX and not (path / FILE).exists()

    @property
    def learned_variants(self) -> tuple[str, ...]:
        """The variants whose games are learned from, the run's own first."""
        usual = () if self.options else self.learning(self.variant).extra_variants
        return (self.variant, *(usual if self.extra_variants is None else self.extra_variants))

    def learning(self, variant: str) -> Learning:
        """The settings of learning from games of a variant: its own, except those set here."""
        usual = features_of(variants.find(variant)).learning
        own = {name: getattr(self, name) for name in Learning._fields}
        return usual._replace(**{name: value for name, value in own.items() if value is not None})

    @property
    def amount(self) -> int | None:
        return self.games if self.steps is None else self.steps


@dataclass(frozen=True)
class RllibSettings(RunSettings):
    """A run of PPO on Ray RLlib."""

    algorithm: ClassVar[str] = "rllib"
    limits: ClassVar[tuple[str, ...]] = ("minutes", "iterations")
    changeable: ClassVar[tuple[str, ...]] = ("workers",)

    minutes: float | None = setting(10.0, "Train for N minutes in total.", above=0)
    iterations: int | None = setting(None, "Number of batches to learn from in total.", above=0)
    workers: int = setting(
        2,
        "Number of processes that play; with 0 the learning process plays.",
        low=0,
        is_always_shown=True,
    )
    games: int = setting(16, "Number of games that each worker plays in lockstep.", above=0)

    @property
    def amount(self) -> int | None:
        return self.iterations


ALGORITHMS: Mapping[str, type[RunSettings]] = {
    kind.algorithm: kind for kind in (PpoSettings, TdSettings, RllibSettings)
}


def _kind_of(variant: str) -> tuple[str, int]:
    """The rules of a variant, and its number of features."""
    ruleset = variants.ruleset(variant)
    return ruleset.game.cache_name, features_of(ruleset.game).count(ruleset.record[0])


def command_of(settings: RunSettings) -> str:
    """The command that starts such a run, with the main settings and all unusual ones."""
    parts = ["pasgl train", settings.variant]
    if settings.algorithm != PpoSettings.algorithm:
        parts.append(f"--algorithm {settings.algorithm}")
    usual = {each.name: each.default for each in fields(settings)}
    for name, each in settings_of(type(settings)).items():
        value = getattr(settings, name)
        is_shown = each.is_always_shown or name in settings.limits or value != usual[name]
        if value is not None and is_shown:
            parts.append(_option(name, value))
    parts += [f"--set {name}={value}" for name, value in settings.options.items()]
    return " ".join(parts)


def _option(name: str, value: Any) -> str:
    """A command-line option with its value."""
    flag = f"--{name.replace('_', '-')}"
    if value is True:
        return flag
    if isinstance(value, tuple):
        return f"{flag} {','.join(value)}" if value else f'{flag} ""'
    return f"{flag} {value:g}" if isinstance(value, float) else f"{flag} {value}"
