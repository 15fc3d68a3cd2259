"""Train a network by playing against itself with search, as AlphaZero does.

See Silver and others, "A general reinforcement learning algorithm that masters chess, shogi, and Go
through self-play", Science 2018. In every position of its games the network is asked to say what a
search with it finds out: which actions are visited how often, and who wins in the end. Only some of
the decisions are searched far enough to learn from, which ends more games in the same time (playout
cap randomisation: Wu, "Accelerating Self-Play Learning in Go", arXiv:1902.10565, 2019). Visits that
only noise has brought are not learnt from (policy target pruning, there).

``python -m pasgl_env.agents.alphazero VARIANT --minutes N --out FOLDER`` trains;
``--start AGENT`` begins with the network of a trained agent instead of an empty one.
"""

from __future__ import annotations

import math
import shlex
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, Literal, NamedTuple, get_args

import numpy as np
import torch
import typer
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.utils import update_learning_rate
from torch.nn.functional import mse_loss

from pasgl_env import Batch, players, variants
from pasgl_env.agents import checkpoint
from pasgl_env.agents.network import (
    DESIGN,
    NetworkPlayer,
    StandingHead,
    Told,
    design_of,
    features_of,
    is_told_opinions,
    new_policy,
    planes_of,
    sharpen,
)
from pasgl_env.agents.replay import (
    MOST_SIMULATIONS,
    Lesson,
    Pending,
    Positions,
    Replay,
    cross_entropy_of,
)
from pasgl_env.agents.run import (
    Limited,
    Status,
    Stopwatch,
    begin_log,
    check_above_zero,
    check_shapes,
    folder_of_one_run,
    log_row,
    pytorch_settings,
    seed_of,
    settings_in,
    stopped_by_interrupt,
    tensorboard_in,
    write_settings,
)
from pasgl_env.agents.search import NetworkSearchPlayer, search_player
from pasgl_env.cli.arguments import Settings, Variant, read_options, wrong_input
from pasgl_env.cli.complaints import Command
from pasgl_env.cli.output import out as terminal
from pasgl_env.cli.output import say
from pasgl_env.cli.train import (
    NetworkSeed,
    ProcessorThreads,
    Resume,
    changed,
    display,
    given,
    set_again,
    time_table,
)
from pasgl_env.evaluation.match import play_match
from pasgl_env.games.contract import OptionValue, options_array
from pasgl_env.players.mcts import check_number
from pasgl_env.players.potential import standings
from pasgl_env.players.puct import EXPLORATION, HOTTEST

KIND = "alphazero"
Device = Literal["auto", "cpu", "cuda"]

MINIBATCH = 256
FEWEST_POSITIONS = 4 * MINIBATCH
WEIGHT_DECAY = 1e-4
STEEPEST_GRADIENT = 1.0
KEPT_BYTES = 16 << 20
# Of the games that the first policy plays alone: how many decisions are learnt from, and how.
# More of both went with much weaker searches in the one run that had it; why is not known.
SHARE_KEPT_ALONE, REUSE_ALONE, RATE_ALONE = 0.25, 4.0, 1e-3
NOISE, WARMTH, WARM_TURNS = 0.25, 1.0, 30
SECONDS_BETWEEN_CHECKPOINTS, SECONDS_BETWEEN_ROWS = 20.0, 5.0
EVALUATION_GAMES = 20
RECENT_GAMES = 200


@dataclass(frozen=True)
class AlphaZeroSettings(Limited):
    """What a run is; kept in its folder and taken from there when it is resumed.

    Attributes:
        variant: a name of :func:`pasgl_env.variants.names`.
        minutes: how long to train in all, earlier parts of a resumed run included; None: no limit.
        steps: decisions of self-play to train for in all, those without a choice not counted; None:
            no limit.
        seed: of the network, the games and the searches.
        games: number of games played in step; their leaves are evaluated together.
        threads: threads for the games and, on a CPU, for the network.
        device: where the network is: ``"cpu"``, ``"cuda"``, or ``"auto"``, a GPU if there is one.
        start: a trained agent whose network is the first; None: an empty one.
        simulations: of the decisions that are learnt from.
        quick_simulations: of the others.
        searched: share of the decisions that are learnt from, above 0 to 1.
        options: the variant's options that are not the default.
        opponents: names of fixed players that the agent is measured against.
        positions: how many of the latest positions are learnt from, memory permitting.
        reuse: how often each of them is on the mean.
        learning_rate: at the start; it falls to a tenth. None: 0.001, or 0.0003 with a start, whose
            policy is soon spoilt by what the first searches find.
        trust: share of the search's value in what the network's value shall be, 0 to 1; the rest is
            how the game ended.
        value_games: with a start, how many games its policy plays alone, to learn how they end.
        horizon: after how many turns games are cut off that it learns from; what such a game came
            to is how well each player stands then by the game's own evaluation, see
            :func:`pasgl_env.players.potential.standings`. None: at the variant's turn limit, and it
            came to nothing.
        temperature: at which the agent plays when it has been trained: actions are drawn with their
            visits to the power of 1 / temperature; 0: the action visited most. Self-play begins at
            1 in any case, and is at 1 throughout where this is above 0.
        exploration: the constant of PUCT; see :class:`pasgl_env.players.SearchPlayer`.
        evaluation_share: of the time, at most, for measuring the agent, 0 to 1.

    Raises:
        ValueError: for an unknown variant or option, or a value that is not possible.
    """

    variant: str
    minutes: float | None = 10.0
    steps: int | None = None
    seed: int = 0
    games: int = 64
    threads: int = 2
    device: Device = "auto"
    start: str | None = None
    simulations: int = 32
    quick_simulations: int = 5
    searched: float = 0.25
    options: dict[str, OptionValue] = field(default_factory=dict)
    opponents: tuple[str, ...] = ("greedy",)
    positions: int = 50_000
    reuse: float = 4.0
    learning_rate: float | None = None
    trust: float = 0.5
    value_games: int = 200
    horizon: int | None = None
    temperature: float = 0.0
    exploration: float = EXPLORATION
    evaluation_share: float = 0.1

    def __post_init__(self) -> None:
        limits, rates = ("minutes", "steps", "horizon"), ("learning_rate", "reuse", "searched")
        counts = "games", "threads", "positions", "simulations", "quick_simulations"
        check_above_zero(self, *limits, *rates, *counts)
        options_array(variants.find(self.variant), self.training_options)
        for name in ("simulations", "quick_simulations"):
            if getattr(self, name) > MOST_SIMULATIONS:
                raise ValueError(
                    f"{name} must be at most {MOST_SIMULATIONS}, not {getattr(self, name)}"
                )
        for name in ("searched", "trust", "evaluation_share"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} must be from 0 to 1, not {getattr(self, name)!r}")
        check_number("temperature", self.temperature, 0.0, HOTTEST)
        for name in ("value_games", "exploration"):
            if not 0 <= getattr(self, name) < math.inf:
                raise ValueError(f"{name} must be 0 or above, not {getattr(self, name)!r}")
        if self.device not in get_args(Device):
            raise ValueError(f"device must be {', '.join(get_args(Device))}, not {self.device!r}")

    @property
    def times_longer(self) -> float:
        """How many times longer games may be than those that it learns from."""
        if self.horizon is None:
            return 1.0
        limit = int(options_array(variants.find(self.variant), self.options)[0]["turn_limit"])
        return limit / self.horizon if limit else math.inf

    @property
    def mean_simulations(self) -> float:
        """For a decision, those that are learnt from and the others together."""
        quick = (1 - self.searched) * self.quick_simulations
        return self.searched * self.simulations + quick

    @property
    def first_rate(self) -> float:
        """The learning rate at the start."""
        return self.learning_rate or (1e-3 if self.start is None else 3e-4)

    @property
    def torch_device(self) -> torch.device:
        """The device that ``device`` stands for here; ``ValueError`` if there is none."""
        if self.device == "auto":
            return torch.device("cuda" if torch.cuda.is_available() else "cpu")
        if self.device == "cuda" and not torch.cuda.is_available():
            raise ValueError("device cuda: PyTorch finds no GPU here")
        return torch.device(self.device)


def learn(
    settings: AlphaZeroSettings,
    out: Path,
    *,
    resume: bool = False,
    report: Callable[[Status], None] = lambda status: None,
) -> Status:
    """Train until a limit is reached, or until Ctrl-C; write checkpoints and a log to a folder.

    Args:
        settings: the run.
        out: the folder; made if need be.
        resume: go on from the folder's last checkpoint instead of beginning a run there.
        report: called after every step of the games and of learning.

    Raises:
        RunExists: if the folder holds a run and ``resume`` is not set, or holds none and it is, or
            another process is training there.
        BadCheckpoint: if its checkpoint cannot be used with these settings.
        ValueError: if ``settings.start`` is no trained agent for this game, or there is no such
            device.
        OSError: if files cannot be written or read.
    """
    with folder_of_one_run(out, resume), pytorch_settings(settings.threads):
        earlier = _read_training(settings, out) if resume else None
        seed = seed_of(settings.seed, earlier)
        torch.manual_seed(seed)
        run = Run(settings, out, seed, report)
        if earlier is None:
            run.begin()
        else:
            run.restore(earlier)
        begin_log(out, run.steps)
        write_settings(settings, out)
        with stopped_by_interrupt(run), tensorboard_in(out) as logger:
            run.train(logger)
            run.finish()
        return run.status()


class Run:
    """A run of self-play: games, network, what is remembered, log, checkpoints.

    Attributes:
        steps: decisions so far.
        games: games that have ended so far.
        updates: steps of the optimizer so far.
        value_games: games that the start's policy has played alone.
        stop_asked: whether to end soon.
    """

    def __init__(
        self,
        settings: AlphaZeroSettings,
        out: Path,
        seed: int,
        report: Callable[[Status], None],
    ) -> None:
        self.steps = self.games = self.updates = self.value_games = 0
        self._searched_steps = 0
        self.stop_asked = False
        self._settings, self._out, self._seed, self._report = settings, out, seed, report
        self._random = np.random.default_rng(seed)
        self._watch = Stopwatch("environment")
        self._earlier: defaultdict[str, float] = defaultdict(float)
        self._earlier_steps = 0
        self._saved_at, self._logged_at, self._logged_steps = -math.inf, perf_counter(), 0
        self._lengths = deque[int](maxlen=RECENT_GAMES)
        self._losses: list[Losses] = []
        self._win_rates: dict[str, float] = {}
        self._last_evaluation: float | None = None
        self._evaluated_at = 0.0
        self._debt = 0.0

    def begin(self) -> None:
        """Begin with an empty network, or with that of the start."""
        settings = self._settings
        if settings.start is None:
            self.value_games = settings.value_games  # nothing to learn from its games
            self._take(new_policy(settings.variant, settings.options))
            return
        agent = _trained_agent(settings, settings.start)
        if isinstance(agent, NetworkSearchPlayer):
            self.value_games = settings.value_games  # its values are of this kind already
        else:
            _forget(agent.policy.value_net)
            if agent.temperature:
                sharpen(agent.policy, 1 / agent.temperature)  # its chances are the first priors
        self._take(agent.policy)

    def restore(self, content: dict[str, Any]) -> None:
        """Begin where a checkpoint was made.

        Raises:
            BadCheckpoint: if it holds no such run.
        """
        file = self._out / checkpoint.TRAINING_FILE
        try:
            policy = checkpoint.policy_in({**content, "options": self._settings.options}, file)
            self._take(policy)
            self._learner.optimizer.load_state_dict(content["optimizer"])
            check_shapes(self._learner.optimizer)
            self._earlier.update(
                {part: float(seconds) for part, seconds in content["parts"].items()}
            )
            self._replay.add(self._positions.from_tensor(content["positions"]))
        except checkpoint.BadCheckpoint:
            raise
        except (ValueError, KeyError, TypeError, AttributeError, RuntimeError) as error:
            raise checkpoint.BadCheckpoint(f"{file} holds no state to train on from") from error
        self.steps = self._earlier_steps = self._logged_steps = content["steps"]
        self.games, self.updates = content["games"], content["updates"]
        self.value_games = content["value_games"]
        self._evaluated_at = sum(self._earlier.values())

    def _take(self, policy: MaskableActorCriticPolicy) -> None:
        """Train this policy: make what works with it."""
        settings = self._settings
        self._policy = policy.to(settings.torch_device)
        batch = Batch(
            settings.variant,
            settings.games,
            threads=settings.threads,
            seed=self._seed,
            **settings.training_options,
        )
        self._positions = Positions(
            batch.observation_shape,
            batch.num_actions,
            settings.simulations,
            opinion=is_told_opinions(policy),
        )
        self._replay = Replay(settings.positions, self._positions.dtype)
        self._play = SelfPlay(batch, self._positions, is_cut=settings.horizon is not None)
        self._learner = Learner(self._policy, settings.trust)

    def train(self, logger: Logger) -> None:
        """Play and learn until a limit is reached or a stop was asked for."""
        self._logger = logger
        settings = self._settings
        warmth = {
            "temperature": WARMTH,
            "warm_turns": None if settings.temperature else WARM_TURNS,
        }
        deep = self._player(settings.simulations, noise=NOISE, **warmth)
        quick = self._player(settings.quick_simulations, **warmth)
        self._watch = Stopwatch("environment")  # not before: the rules may have been compiled
        if self.value_games < settings.value_games:
            self._learn_values()
        while self._goes_on():
            # All games alike: then the network has as many leaves as there are games.
            is_deep = self._random.random() < settings.searched
            before = self.steps
            records = self._step(deep if is_deep else quick, "search", keep=is_deep)
            self._searched_steps += self.steps - before
            self._learner.set_rate(settings.first_rate * (1 - 0.9 * self.status().progress))
            self._learn(records, settings.reuse, self._learner.learn, "learning")
            if self._may_evaluate():
                self._evaluate()

    def _learn_values(self) -> None:
        """Let the policy of the start play alone, and learn how its games end.

        The values that it was trained with were about something else, such as points. The policy
        stays as it is.
        """
        wanted = self._settings.value_games
        alone = NetworkPlayer(self._policy, "alone", seed=self._seed)
        while self.value_games < wanted and self._goes_on():
            before = self.games
            keep = self._random.random() < SHARE_KEPT_ALONE
            records = self._step(alone, "values", keep=keep)
            self.value_games += self.games - before
            self._learner.set_rate(RATE_ALONE)
            self._learn(records, REUSE_ALONE, self._learner.learn_values, "values")
        if self.value_games >= wanted:  # what was learnt from them says nothing of the policy
            self._replay.clear()
            self._play.forget()
            self._debt = 0.0

    def _player(self, simulations: int, **settings: Any) -> NetworkSearchPlayer:
        seed = int(self._random.integers(2**63))
        variant, name = self._settings.variant, f"{KIND}:{simulations}"
        settings["exploration"] = self._settings.exploration
        return search_player(self._policy, variant, simulations, name, seed, **settings)

    def _step(self, player: players.Player, part: str, *, keep: bool) -> np.ndarray:
        """Play an action in every game; the positions of the games that this ended."""
        with self._watch.part(part):
            actions, decisions = self._play.choose(player, keep=keep)
        records = self._play.step(actions)
        self.steps += decisions
        lengths = self._play.final_length
        self._lengths.extend(lengths)
        self.games += len(lengths)
        return records

    def _learn(
        self, records: np.ndarray, reuse: float, learn_from: Callable[[Lesson], Losses], part: str
    ) -> None:
        """Remember these positions, and learn from all that are so often for each of these."""
        self._replay.add(records)
        self._debt += reuse * len(records)
        if len(self._replay) < FEWEST_POSITIONS:
            return
        with self._watch.part(part):
            while self._debt >= MINIBATCH and self._goes_on():
                self._debt -= MINIBATCH
                records = self._replay.sample(MINIBATCH, self._random)
                self._losses.append(learn_from(self._positions.lesson(records)))
                self.updates += 1

    def _goes_on(self) -> bool:
        """Report, write what is due, and tell whether there is a reason to stop."""
        status = self.status()
        self._report(status)
        if perf_counter() - self._logged_at > SECONDS_BETWEEN_ROWS:
            self._log(status)
        if perf_counter() - self._saved_at > SECONDS_BETWEEN_CHECKPOINTS:
            self.save()
        return not self.stop_asked and status.progress < 1

    def _may_evaluate(self) -> bool:
        """Whether measuring the agent would keep within its share of the time since the last."""
        if not self._settings.opponents or not self._lengths:
            return False
        settings, expected = self._settings, self._last_evaluation
        if expected is None:
            pace = self._watch.seconds()["search"] / max(1, self._searched_steps)
            # There all decisions are searched in full, and in fewer games at once.
            longer = 2 * settings.simulations / settings.mean_simulations
            decisions = EVALUATION_GAMES * float(np.mean(self._lengths)) / 2
            expected = pace * longer * decisions * settings.times_longer * len(settings.opponents)
        since = sum(self._parts().values()) - self._evaluated_at
        return expected <= settings.evaluation_share * since

    def _evaluate(self) -> None:
        """Measure the agent against the fixed players."""
        settings, start = self._settings, perf_counter()
        agent = self._player(settings.simulations, temperature=settings.temperature)
        player = _Watched(agent, self._goes_on)
        scores: dict[str, float | None] = {}
        with self._watch.part("evaluation"), suppress(_Stopped):
            for opponent in settings.opponents:
                match = play_match(
                    settings.variant,
                    player,
                    opponent,
                    EVALUATION_GAMES,
                    seed=self._seed + self.updates,
                    threads=settings.threads,
                    paired=True,
                    **settings.options,
                )
                self._win_rates[opponent] = match.all.wins / match.all.games
                scores[opponent] = match.all.score_rate
            row: dict[str, Any] = {"steps": self.steps, "seconds": round(self.status().seconds, 1)}
            log_row(self._out, {**row, "games": EVALUATION_GAMES, "evaluation": scores})
        self._last_evaluation = perf_counter() - start
        self._evaluated_at = sum(self._parts().values())

    def finish(self) -> None:
        """Write the last row of the log, and both checkpoints."""
        self._log(self.status())
        self.save()

    def save(self) -> None:
        """Write both checkpoints."""
        settings = self._settings
        with self._watch.part("checkpoints"):
            common = {
                "kind": KIND,
                "variant": settings.variant,
                "options": settings.options,
                **design_of(self._policy),
                "policy": _weights_of(self._policy),
                "steps": self.steps,
                "simulations": settings.simulations,
                "temperature": settings.temperature,
                "exploration": settings.exploration,
            }
            checkpoint.write(self._out / checkpoint.AGENT_FILE, common)
            latest = self._replay.latest(KEPT_BYTES // self._positions.dtype.itemsize)
            training = {
                **common,
                "optimizer": self._learner.optimizer.state_dict(),
                "parts": self._parts(),
                "games": self.games,
                "updates": self.updates,
                "value_games": self.value_games,
                "positions": self._positions.to_tensor(latest),
            }
            checkpoint.write(self._out / checkpoint.TRAINING_FILE, training)
        self._saved_at = perf_counter()

    def status(self) -> Status:
        """How the run stands."""
        parts = self._parts()
        seconds = sum(parts.values())
        played = self.steps - self._earlier_steps
        pace = (seconds - sum(self._earlier.values())) / played if played else None
        return Status(
            self._settings.progress(seconds, self.steps),
            seconds,
            self._settings.seconds_left(seconds, self.steps, pace),
            self.steps,
            dict(self._win_rates),
            {name: part / seconds for name, part in parts.items()},
        )

    def _parts(self) -> dict[str, float]:
        """Seconds that each part of the work has taken, earlier parts of the run included."""
        watched = self._watch.seconds()
        names = ["environment", "search", "learning", "evaluation", "checkpoints"]
        if self._settings.start is not None:
            names.insert(0, "values")
        return {name: self._earlier[name] + watched[name] for name in names}

    def _log(self, status: Status) -> None:
        """Write a row to the log and to TensorBoard, if anything has been played since."""
        self._logged_at = perf_counter()
        if status.steps == self._logged_steps:
            return
        self._logged_steps = status.steps
        numbers: dict[str, float] = {
            "games": self.games,
            "updates": self.updates,
            "positions": len(self._replay),
        }
        if self._lengths:
            numbers["length"] = round(float(np.mean(self._lengths)), 1)
        for name in Losses._fields:
            lost = [getattr(losses, name) for losses in self._losses]
            if lost and None not in lost:
                numbers[name] = round(float(np.mean(lost)), 4)
        self._losses.clear()
        rates = {name: round(rate, 3) for name, rate in status.win_rates.items()}
        shares = {name: round(share, 4) for name, share in status.shares.items()}
        for group, values in (("train", numbers), ("win_rate", rates), ("time", shares)):
            for name, value in values.items():
                self._logger.record(f"{group}/{name}", value)
        self._logger.dump(status.steps)
        row = {"steps": status.steps, "seconds": round(status.seconds, 1), **numbers}
        log_row(self._out, {**row, "win_rate": rates, "time": shares})


class SelfPlay:
    """Games whose players are all the same.

    Args:
        batch: the games.
        positions: makes records of where they are.
        is_cut: whether a game that the turn limit ends came to how well the players stand then;
            else to nothing.
    """

    def __init__(self, batch: Batch, positions: Positions, *, is_cut: bool = False) -> None:
        self._batch, self._positions, self._is_cut = batch, positions, is_cut
        self._pending = Pending(len(batch), positions.dtype)

    def choose(self, player: players.Player, *, keep: bool) -> tuple[np.ndarray, int]:
        """The player's actions ``int64[n]``, and in how many games it had a choice.

        Args:
            player: asked where there is a choice.
            keep: whether to remember these decisions, and what the player's search found.
        """
        batch = self._batch
        actions: np.ndarray = batch.action_mask.argmax(axis=1)
        games = np.flatnonzero(batch.legal_count > 1)
        if games.size:
            actions[games] = players.choose(player, batch, games)
            if keep:
                found = _findings(player, batch, games)
                self._pending.add(games, self._positions.recorded(batch, games, *found))
        return actions, games.size

    def step(self, actions: np.ndarray) -> np.ndarray:
        """Play actions ``int64[n]``; what was remembered of the games that this ended."""
        self._batch.step(actions)
        return self._pending.ended(self._batch.ended, self._outcomes())

    def _outcomes(self) -> np.ndarray:
        """What each player got from the games that the last step ended: ``float32[k, P]``."""
        batch = self._batch
        outcomes = batch.outcome
        if self._is_cut:
            game, cut = variants.find(batch.variant), batch.truncated[batch.ended]
            states = batch.final_states[cut]
            for seat in range(batch.num_players):
                seats = np.full(states.size, seat)
                outcomes[cut, seat] = standings(game, states, batch.options_record, seats)
        return outcomes

    @property
    def final_length(self) -> list[int]:
        """How many actions the games had that ended in the last step."""
        lengths: list[int] = self._batch.final_length.tolist()
        return lengths

    def forget(self) -> None:
        """Forget all decisions so far."""
        self._pending.clear()


class Losses(NamedTuple):
    """How far the network was from what it should say; None for what was not learnt."""

    policy_loss: float | None
    value_loss: float


class Learner:
    """Makes a network say what searches found out, and how games ended.

    Attributes:
        optimizer: of all the network's weights.

    Args:
        policy: the network.
        trust: as in :class:`AlphaZeroSettings`.
    """

    def __init__(self, policy: MaskableActorCriticPolicy, trust: float) -> None:
        self._policy, self._trust = policy, trust
        self.optimizer = torch.optim.AdamW(policy.parameters(), weight_decay=WEIGHT_DECAY)

    def set_rate(self, rate: float) -> None:
        """Learn at this rate from now on."""
        update_learning_rate(self.optimizer, rate)

    def learn(self, lesson: Lesson) -> Losses:
        """Learn which actions were visited, and what the positions were worth."""
        lesson = lesson.to(self._policy.device)
        features = features_of(self._policy, lesson.parts)
        policy_loss = cross_entropy_of(self._policy.action_net(features), lesson)
        # The outcome is what counts, but of a long game it depends on much that came later. The
        # search's value depends on nothing else, but is only what the network believed itself.
        wanted = torch.lerp(lesson.outcome, lesson.value, self._trust)
        value_loss = self._value_loss(features, wanted)
        self._descend(policy_loss + value_loss)
        return Losses(policy_loss.item(), value_loss.item())

    def learn_values(self, lesson: Lesson) -> Losses:
        """Learn how the games ended, and leave all weights alone that the policy depends on."""
        lesson = lesson.to(self._policy.device)
        with torch.no_grad():
            features = features_of(self._policy, lesson.parts)
        value_loss = self._value_loss(features, lesson.outcome)
        self._descend(value_loss)
        return Losses(None, value_loss.item())

    def _value_loss(self, features: torch.Tensor | Told, wanted: torch.Tensor) -> torch.Tensor:
        return mse_loss(torch.tanh(self._policy.value_net(features)).squeeze(1), wanted)

    def _descend(self, loss: torch.Tensor) -> None:
        """Take a step; weights that the loss does not depend on stay as they are."""
        self.optimizer.zero_grad()
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(self._policy.parameters(), STEEPEST_GRADIENT)
        self.optimizer.step()


class _Stopped(Exception):
    """There is a reason to stop in the middle of a match."""


class _Watched:
    """A player that stops a match if there is a reason to."""

    def __init__(self, player: NetworkSearchPlayer, goes_on: Callable[[], bool]) -> None:
        self.name = player.name
        self._player, self._goes_on = player, goes_on

    def choose(self, batch: Batch, games: np.ndarray) -> np.ndarray:
        if not self._goes_on():
            raise _Stopped
        return self._player.choose(batch, games)

    def reseed(self, games: np.ndarray, seeds: Sequence[int]) -> None:
        self._player.reseed(games, seeds)


def _findings(
    player: players.Player, batch: Batch, games: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Visits to learn from, and values, of the last search; nothing, where nobody searched."""
    if isinstance(player, NetworkSearchPlayer):
        return player.visits_without_noise, player.values
    return np.zeros((games.size, batch.num_actions), np.int32), np.zeros(games.size, np.float32)


def _trained_agent(settings: AlphaZeroSettings, name: str) -> NetworkPlayer | NetworkSearchPlayer:
    """The agent to start from.

    Raises:
        ValueError: if the name stands for none, or for one of a game of another size.
    """
    agent = players.make(name, settings.variant)
    if not isinstance(agent, NetworkPlayer | NetworkSearchPlayer):
        raise ValueError(f"a run starts from a trained agent, which {name!r} is not")
    game = variants.find(settings.variant)
    size = game.spaces(options_array(game, settings.options)[0])
    planes, actions = planes_of(agent.policy.observation_space), agent.policy.action_space
    if planes != size.observation or actions != spaces.Discrete(size.actions):
        raise ValueError(f"{name} was trained under options that make another board")
    return agent


def _weights_of(policy: MaskableActorCriticPolicy) -> dict[str, torch.Tensor]:
    """The weights, on the CPU; shared ones stay so."""
    weights = policy.state_dict(keep_vars=True)
    here = {weight: weight.detach().cpu() for weight in weights.values()}
    return {name: here[weight] for name, weight in weights.items()}


def _forget(network: torch.nn.Module) -> None:
    """Make the weights of a network's layers what they are in a new one.

    What tells values besides how far somebody leads begins with zeros: a lead may be worth some
    hundredths, and layers without training say as much at random.
    """
    for layer in network.modules():
        if isinstance(layer, torch.nn.Linear | torch.nn.Conv2d | StandingHead):
            layer.reset_parameters()
    if isinstance(network, StandingHead):
        network.trust_nothing_else()


def _read_training(settings: AlphaZeroSettings, out: Path) -> dict[str, Any]:
    file = out / checkpoint.TRAINING_FILE
    content = checkpoint.read(file, settings.variant, "kind")
    if content["kind"] != KIND:
        raise checkpoint.BadCheckpoint(f"{file} is of a run of another kind than {KIND}")
    counts = "steps", "games", "updates", "value_games"
    content = checkpoint.read(
        file, settings.variant, *DESIGN, "policy", "optimizer", "parts", "positions", *counts
    )
    if not all(isinstance(content[name], int) and content[name] >= 0 for name in counts):
        raise checkpoint.BadCheckpoint(f"{file} holds no state to train on from")
    return content


def read_settings(out: Path) -> AlphaZeroSettings:
    """The settings of the run in a folder.

    Raises:
        RunExists: if there are none that can be read.
    """
    return settings_in(
        out, lambda kept: AlphaZeroSettings(**{**kept, "opponents": tuple(kept["opponents"])})
    )


def main(
    variant: Variant,
    minutes: Annotated[
        float | None,
        typer.Option(min=0.01, metavar="N", help="Train so long in all; 10 without --steps."),
    ] = None,
    value_games: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="With --start: games that its policy plays alone first, for the network to learn"
            " how they end; default: 200.",
        ),
    ] = None,
    horizon: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Cut games off after so many turns while it learns; then what counts is how the"
            " players stand. Default: the variant's limit.",
        ),
    ] = None,
    steps: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Train for so many decisions of self-play in all."),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="Where the agent goes; default: runs/alphazero-VARIANT.",
        ),
    ] = None,
    resume: Resume = False,
    start: Annotated[
        str | None,
        typer.Option(metavar="AGENT", help="Begin with the network of this trained agent."),
    ] = None,
    simulations: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="For each decision that is learnt from; default: 32."
        ),
    ] = None,
    games: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Games played in step; default: 64.")
    ] = None,
    learning_rate: Annotated[
        float | None,
        typer.Option(
            min=1e-9,
            metavar="N",
            help="At the start; it falls to a tenth; default: 0.001, with --start 0.0003.",
        ),
    ] = None,
    temperature: Annotated[
        float | None,
        typer.Option(
            min=0,
            metavar="N",
            help="At which the agent plays when it has been trained: it draws actions by their"
            " visits; default: 0, the action visited most.",
        ),
    ] = None,
    exploration: Annotated[
        float | None,
        typer.Option(
            min=0,
            metavar="N",
            help="How much the search tries besides what looks best; default: 1.5.",
        ),
    ] = None,
    evaluation_share: Annotated[
        float | None,
        typer.Option(
            min=0, max=1, metavar="N", help="Of the time, for measuring the agent; default: 0.1."
        ),
    ] = None,
    seed: NetworkSeed = None,
    device: Annotated[
        str | None,
        typer.Option(metavar="cpu|cuda|auto", help="Default: auto, a GPU where there is one."),
    ] = None,
    threads: ProcessorThreads = None,
    settings: Settings = None,
) -> None:
    r"""Train an agent by self-play with search.

    Checkpoints are written every 20 seconds: after Ctrl-C or a kill, --resume goes on from the
    last one, with the settings that the run began with and, if they are given, new limits. In the
    folder are agent.pt (a player for the commands of pasgl), training.pt, log.jsonl and
    tensorboard/.
    """
    place = folder or Path("runs") / f"{KIND}-{variant}"
    limits: dict[str, Any] = (
        {} if minutes is steps is None else {"minutes": minutes, "steps": steps}
    )
    changeable = {**limits, **given(threads=threads, device=device)}
    fixed = given(
        start=start,
        value_games=value_games,
        horizon=horizon,
        simulations=simulations,
        games=games,
        learning_rate=learning_rate,
        temperature=temperature,
        exploration=exploration,
        evaluation_share=evaluation_share,
        seed=seed,
    )
    with wrong_input():
        fixed |= given(options=read_options(variant, settings) or None)
        if resume:
            wanted = changed(read_settings(place), place, {"variant": variant, **fixed}, changeable)
        else:
            wanted = AlphaZeroSettings(variant, **fixed, **changeable)
        with display() as report:
            status = learn(wanted, place, resume=resume, report=report)
    terminal.print(time_table(status))
    where = shlex.quote(str(place))
    if status.progress < 1:
        say("Stopped. To go on:")
        say(f"  python -m pasgl_env.agents.alphazero {variant} --out {where} --resume")
        return
    say("To measure the agent:")
    say(f"  pasgl evaluate {variant} {where} greedy{set_again(wanted)}")


app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
app.command(cls=Command)(main)

if __name__ == "__main__":
    app()
