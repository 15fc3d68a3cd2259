"""Train a MaskablePPO agent by self-play, from scratch or from the last checkpoint.

A learner plays in every game of a :class:`pasgl_env.envs.vec.SelfPlayVecEnv`. The environment plays
its opponents: itself, past selves and fixed players, drawn by
:class:`pasgl_env.training.ppo.league.League`. Alternatively the learner plays all sides of a
:class:`pasgl_env.envs.both_sides.BothSidesVecEnv`. The network may first imitate a player
(:mod:`pasgl_env.training.ppo.imitation`). In games with points the reward is the growth of the
lead, so that every point counts as soon as it is made.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback

from pasgl_env import players
from pasgl_env.envs.batch_vec import BatchVecEnv
from pasgl_env.envs.both_sides import BothSidesVecEnv
from pasgl_env.envs.vec import SelfPlayVecEnv
from pasgl_env.evaluation.match import play_match
from pasgl_env.players.networks import checkpoint
from pasgl_env.players.networks.distribution import NotFinite
from pasgl_env.players.networks.policy import (
    NetworkPlayer,
    new_policy,
    policy_class,
    policy_settings,
    prior_of,
    sharpen,
)
from pasgl_env.players.trained import Layers
from pasgl_env.training.ppo.action_prior import ActionPriorVecEnv
from pasgl_env.training.ppo.imitation import Imitation
from pasgl_env.training.ppo.league import ITSELF, PAST, League
from pasgl_env.training.ppo.rollout import SideDictRolloutBuffer, SideRolloutBuffer
from pasgl_env.training.ppo.run import (
    Status,
    Stopwatch,
    check_shapes,
    pytorch_settings,
    tensorboard_in,
)
from pasgl_env.training.runs import (
    begin_files,
    diverged,
    folder_of_one_run,
    is_checkpoint_due,
    log_row,
    seed_of,
    stopped_by_interrupt,
)
from pasgl_env.training.settings import PpoSettings

ROLLOUT = 32
# After imitation, and often at the start, the critic is untrained, and its estimates would spoil
# what was learned.
ROLLOUTS_OF_CRITIC = 6
# Learning from a rollout stops early at this approximate KL divergence from the old policy.
TARGET_KL = 0.03
# For runs without a limit; otherwise evaluations are spread evenly over the run.
SECONDS_BETWEEN_EVALUATIONS = 300.0


# What suits each kind of network.
MINIBATCHES: Mapping[Layers, int] = {"dense": 2048, "convolutional": 512}
ENTROPIES: Mapping[Layers, float] = {"dense": 0.01, "convolutional": 0.002}


def rewards_of(settings: PpoSettings) -> dict[str, Any]:
    """The arguments of the games' environment that concern rewards."""
    by_points, has_values = settings.rewards_points, settings.action_prior == "td"
    scale, shaping = settings.reward_scale, settings.shaping
    return {
        "reward": "points" if by_points else "outcome",
        "reward_scale": (0.1 if by_points else 1.0) if scale is None else scale,
        "shaping": (0.0 if by_points or has_values else 0.5) if shaping is None else shaping,
        "adjudicate": settings.horizon is not None,
        "discount": settings.discount,
        "discount_per": settings.discount_per,
    }


def games_of(settings: PpoSettings, seed: int, past: Sequence[NetworkPlayer]) -> BatchVecEnv:
    """The games of a run; the first opponent in them becomes the learner itself."""
    common = {
        **rewards_of(settings),
        "threads": settings.threads,
        "seed": seed,
    }
    if settings.both_sides:
        return BothSidesVecEnv(settings.training_ruleset, settings.games, **common)
    opponents = ["random", *past, *settings.opponents]
    return SelfPlayVecEnv(
        settings.training_ruleset,
        settings.games,
        opponents=opponents,
        opening=settings.opening,
        **common,
    )


def train(
    settings: PpoSettings,
    out: Path,
    *,
    resume: bool = False,
    report: Callable[[Status], None] = lambda status: None,
) -> Status:
    """Train until a limit is reached, or until Ctrl-C; write checkpoints and a log to a folder.

    Args:
        settings: settings of the run.
        out: the folder; created if needed.
        resume: whether to resume from the folder's last checkpoint instead of starting a run.
        report: called after every step of the games.

    Raises:
        RunExists: if the folder holds a run or an agent and ``resume`` is not set, or holds no run
            and it is.
        InUse: if another process is at work there.
        BadCheckpoint: if its checkpoint cannot be used with these settings.
        ValueError: if ``settings.start`` is not a trained agent with weights that fit.
        OSError: if files cannot be written or read.
    """
    with (
        folder_of_one_run(out, checkpoint.TRAINING_FILE, resume),
        pytorch_settings(settings.threads),
    ):
        return _train(settings, out, resume, report)


def _train(
    settings: PpoSettings, out: Path, resume: bool, report: Callable[[Status], None]
) -> Status:
    earlier = _read_training(settings, out) if resume else None
    seed = seed_of(settings.seed, earlier)
    torch.manual_seed(seed)
    selves = 0 if settings.both_sides else settings.past_selves
    past = [
        NetworkPlayer(
            new_policy(settings.training_ruleset, **settings.network),
            f"{PAST} {number}",
            seed=seed,
        )
        for number in range(1, selves + 1)
    ]
    env = games_of(settings, seed, past)
    model = _model(settings, env, seed)
    itself = NetworkPlayer(model.policy, ITSELF, seed=seed)
    fixed: list[str] = []
    if isinstance(env, SelfPlayVecEnv):
        env.duel.opponents[0] = itself
        fixed = [player.name for player in env.duel.opponents[1 + len(past) :]]
    league = League(itself, past, fixed, seed)

    run = Run(settings, out, env, league, seed, report)
    run.model = model
    if earlier is not None:
        run.restore(model, earlier)
    elif settings.start is not None:
        take_weights(model.policy, settings.start, settings.temperature)
    begin_files(settings, out, run.decisions, "steps", "imitated")
    with stopped_by_interrupt(run), tensorboard_in(out) as logger:
        model.set_logger(logger)
        try:
            run.learn()
        except NotFinite as error:
            raise diverged(out, settings, "learning_rate") from error
    return run.status()


def _model(settings: PpoSettings, env: BatchVecEnv, seed: int) -> MaskablePPO:
    """An untrained network, and the algorithm that trains it in these games."""
    prior, layers = settings.action_prior, settings.kind_of_layers
    return MaskablePPO(
        policy_class(layers, action_prior=prior),
        env if prior == "none" else ActionPriorVecEnv(env, prior),
        n_steps=ROLLOUT,
        batch_size=_minibatch(ROLLOUT * settings.games, MINIBATCHES[layers]),
        n_epochs=3,
        gamma=settings.discount,
        gae_lambda=0.95,
        ent_coef=ENTROPIES[layers],
        target_kl=TARGET_KL,
        rollout_buffer_class=SideRolloutBuffer if prior == "none" else SideDictRolloutBuffer,
        rollout_buffer_kwargs={"env": env},
        learning_rate=settings.learning_rate,
        policy_kwargs=policy_settings(**settings.network),
        seed=seed,
    )


def take_weights(policy: MaskableActorCriticPolicy, name: str, temperature: float) -> None:
    """Load the fitting weights of a trained agent into a policy, and let it play like that agent.

    Args:
        policy: a policy of this variant or another.
        name: name of the agent, see :func:`pasgl_env.players.load`.
        temperature: the temperature at which the policy will play. If it differs from the agent's,
            and neither is 0, scores are multiplied to give the same probabilities.

    Raises:
        ValueError: if the agent does not exist, or not all weights that score actions fit.
    """
    agent = players.load(name)
    if not isinstance(agent, NetworkPlayer):
        raise ValueError(f"{name} is not a network that a run can start with")
    own, its = policy.state_dict(), agent.policy.state_dict()
    fitting = {key: its[key] for key in own if key in its and its[key].shape == own[key].shape}
    all_fit = all(key in fitting for key in own if not key.startswith("value_net."))
    if not all_fit or prior_of(policy) != prior_of(agent.policy):
        raise ValueError(f"the network of {name} does not fit this variant and kind of network")
    policy.load_state_dict({**own, **fitting})
    if temperature and agent.temperature:
        sharpen(policy, temperature / agent.temperature)
    if not checkpoint.are_sound(policy.state_dict()):
        raise ValueError(f"{name} played at too different a temperature, {agent.temperature:g}")


class Run(BaseCallback):
    """Time, opponents, log, evaluations and checkpoints of a training run."""

    def __init__(
        self,
        settings: PpoSettings,
        out: Path,
        env: BatchVecEnv,
        league: League,
        seed: int,
        report: Callable[[Status], None],
    ) -> None:
        super().__init__()
        self.stop_asked = False
        self._settings = settings
        self._out = out
        self._env = env
        self._league = league
        self._seed = seed
        self._report = report
        self._watch = Stopwatch("rollout")
        self._earlier: defaultdict[str, float] = defaultdict(float)
        self._earlier_decisions = 0
        self._imitated = 0
        self._evaluated = 0
        self._evaluated_at = 0.0
        self._saved_at = -math.inf
        self._rollouts = 0  # that were learned from, and their decisions
        self._steps = 0

    def restore(self, model: MaskablePPO, content: dict[str, Any]) -> None:
        """Restore the model and this run from a checkpoint."""
        file = self._out / checkpoint.TRAINING_FILE
        with checkpoint.refusing(file):
            self._league.restore(content["league"], file)
            checkpoint.load_weights(model.policy, content["policy"], file)
            model.policy.optimizer.load_state_dict(content["optimizer"])
            check_shapes(model.policy.optimizer)
            parts = content["parts"].items()
            self._earlier.update({part: float(seconds) for part, seconds in parts})
        model.num_timesteps = self._steps = content["steps"]
        self._imitated = content["imitated"]
        self._earlier_decisions = self._imitated + content["steps"]
        self._rollouts = content["rollouts"]
        self._evaluated = content["evaluated"]
        self._evaluated_at = sum(self._earlier.values())

    @property
    def has_imitated(self) -> bool:
        """Whether the learner imitated as many decisions as the settings say."""
        return self._imitated >= self._settings.imitated_decisions

    def learn(self) -> None:
        """Imitate and play until the end, and save the agent."""
        if not self.has_imitated:
            self.imitate()
        if self.has_imitated:
            self.draw_opponents()
            left = (self._settings.steps or 10**12) - self.model.num_timesteps
            self.model.learn(left, callback=self, reset_num_timesteps=False)
        self.end()

    def imitate(self) -> None:
        """Learn from the teacher until the number of decisions in the settings is reached."""
        self._watch.switch("imitation")
        settings = self._settings
        imitation = Imitation(
            self._policy,
            settings.training_ruleset,
            settings.teacher,
            settings.seed + self._imitated,
            games=settings.games,
            temperature=settings.temperature,
        )
        if not self._imitated:
            imitation.begin()
        while not self.has_imitated and self._goes_on():
            # The rate falls with decisions, not with time, so that the last steps are small.
            learned = self._imitated / settings.imitated_decisions
            imitation.set_rate(settings.learning_rate * (1 - 0.9 * learned))
            self._imitated += imitation.step()
            self._check_weights()
            if self._is_evaluation_due():
                self._evaluate()
                self._watch.switch("imitation")
            if is_checkpoint_due(self._saved_at):
                self.save()
                self._watch.switch("imitation")
        self._watch.switch("rollout")

    def _goes_on(self) -> bool:
        """Report; return whether time is left and Ctrl-C has not been pressed.

        MaskablePPO handles a limit of steps, and learns from the last rollout too.
        """
        status = self.status()
        self._report(status)
        return not self.stop_asked and status.seconds < 60 * (self._settings.minutes or math.inf)

    def draw_opponents(self) -> None:
        """Draw the next opponent of each game, unless the learner plays all seats."""
        if isinstance(self._env, SelfPlayVecEnv):
            self._env.duel.assignment[:] = self._league.draw(self._settings.games)

    def save(self) -> None:
        """Write both checkpoints, unless the training has failed."""
        self._check_weights()
        self._watch.switch("checkpoints")
        agent = {
            "variant": self._settings.variant,
            "options": self._settings.options,
            "kind": "ppo",
            **checkpoint.network_in(self._policy),
            "prior_checksum": checkpoint.prior_checksum(
                self._settings.action_prior, self._settings.ruleset
            ),
            "temperature": self._settings.temperature,
            "steps": self.model.num_timesteps,
            "imitated": self._imitated,
        }
        training = {
            "optimizer": self.model.policy.optimizer.state_dict(),
            "parts": self._parts(),
            "rollouts": self._rollouts,
            "evaluated": self._evaluated,
            "league": self._league.to_dict(),
        }
        checkpoint.write_both(self._out, agent, training)
        self._saved_at = perf_counter()

    @property
    def _policy(self) -> MaskableActorCriticPolicy:
        policy = self.model.policy
        assert isinstance(policy, MaskableActorCriticPolicy)
        return policy

    @property
    def decisions(self) -> int:
        """Number of decisions learned from, the teacher's and its own."""
        return self._imitated + self.model.num_timesteps

    def status(self) -> Status:
        """The progress of the run."""
        parts, wanted = self._parts(), self._settings.imitated_decisions
        seconds, steps = sum(parts.values()), self.model.num_timesteps
        progress = self._settings.progress(seconds, self.decisions)
        learned = self.decisions - self._earlier_decisions
        pace = (seconds - sum(self._earlier.values())) / learned if learned else None
        return Status(
            progress,
            seconds,
            self._settings.seconds_left(seconds, self.decisions, pace),
            steps,
            self._league.win_rates,
            {name: part / seconds for name, part in parts.items()},
            None if self.has_imitated else self._imitated / wanted,
        )

    def end(self) -> None:
        """Evaluate the agent a last time, and save it.

        A rollout that was cut short is not learned from, so it does not count.
        """
        self.model.num_timesteps = self._steps
        if not self.stop_asked and self._is_evaluation_due():
            self._evaluate()
        self.save()

    def _check_weights(self) -> None:
        if not checkpoint.are_sound(self._policy.state_dict()):
            raise NotFinite

    def _on_rollout_start(self) -> None:
        self._check_weights()
        self._let_critic_learn_alone()
        self._league.join(self._rollouts)
        self.draw_opponents()
        if self._is_evaluation_due():
            self._evaluate()
        rate = self._settings.learning_rate * (1 - 0.9 * self.status().progress)
        self.model.lr_schedule = lambda _: rate
        if is_checkpoint_due(self._saved_at):
            self.save()
        self._watch.switch("rollout")

    def _on_step(self) -> bool:
        for info in self.locals["infos"]:
            if "outcome" in info:
                self._league.add_result(info["opponent"], info["outcome"])
        return self._goes_on()

    def _on_rollout_end(self) -> None:
        self._watch.switch("learning")
        self._rollouts, self._steps = self._rollouts + 1, self.model.num_timesteps
        status = self.status()
        for name, rate in status.win_rates.items():
            self.logger.record(f"win_rate/{name}", rate)
        for name, share in status.shares.items():
            self.logger.record(f"time/{name}", share)
        win_rates = {name: round(rate, 3) for name, rate in status.win_rates.items()}
        shares = {name: round(share, 4) for name, share in status.shares.items()}
        self._log(status, win_rate=win_rates, time=shares)

    def _let_critic_learn_alone(self) -> None:
        """Freeze the policy for some rollouts after imitation."""
        settings = self._settings
        is_new = settings.imitated_decisions == 0 and settings.start is None
        learns = self._rollouts >= ROLLOUTS_OF_CRITIC or is_new
        self._policy.features_extractor.requires_grad_(learns)
        self._policy.action_net.requires_grad_(learns)

    def _is_evaluation_due(self) -> bool:
        status, wanted = self.status(), self._settings.evaluations
        if wanted == 0:
            return False
        if self._settings.minutes is self._settings.steps is None:
            return status.seconds >= self._evaluated_at + SECONDS_BETWEEN_EVALUATIONS
        return status.progress >= (self._evaluated + 1) / wanted

    def _evaluate(self) -> None:
        """Evaluate the agent at the temperature of play against the fixed players."""
        self._watch.switch("evaluation")
        settings, policy = self._settings, self._policy
        policy.set_training_mode(False)
        results, sides = {}, len(settings.ruleset.members)
        games = max(settings.evaluation_games // sides, 1) * sides
        for opponent in settings.opponents:
            match = play_match(
                settings.variant,
                NetworkPlayer(policy, "agent", temperature=settings.temperature, seed=self._seed),
                opponent,
                games,
                seed=self._seed,
                threads=settings.threads,
                paired=True,
                **settings.options,
            ).all
            results[opponent] = match.score_rate.value
            self.logger.record(f"evaluation/{opponent}", match.score_rate.value)
        status = self.status()
        self._evaluated_at = status.seconds
        # Imitation may have taken the time of several evaluations.
        self._evaluated = max(self._evaluated + 1, int(status.progress * settings.evaluations))
        self._log(status, games=games, evaluation=results)

    def _log(self, status: Status, **more: Any) -> None:
        seconds = round(status.seconds, 1)
        common = {"steps": status.steps, "imitated": self._imitated, "seconds": seconds}
        log_row(self._out, {**common, **more})

    def _parts(self) -> dict[str, float]:
        """Seconds spent on each part of the work, including earlier parts of the run."""
        watched = self._watch.seconds()
        opponents = self._env.seconds_in_opponents
        own = {
            "environment": self._env.seconds - opponents,
            "opponents": opponents,
            "network": watched["rollout"] - self._env.seconds,
            "learning": watched["learning"],
            "checkpoints": watched["checkpoints"],
        }
        if self._settings.imitated_decisions:
            own["imitation"] = watched["imitation"]
        if self._settings.evaluations:
            own["evaluation"] = watched["evaluation"]
        return {part: self._earlier[part] + seconds for part, seconds in own.items()}


def _minibatch(rollout: int, wanted: int) -> int:
    """A size near ``wanted`` that divides a rollout into equal parts."""
    parts = 1
    while parts < ROLLOUT and rollout / parts > 1.5 * wanted:
        parts *= 2
    return rollout // parts


def _read_training(settings: PpoSettings, out: Path) -> dict[str, Any]:
    file = out / checkpoint.TRAINING_FILE
    counters = ("steps", "imitated", "rollouts", "evaluated")
    names = ("options", "action_prior", "policy", "optimizer", "parts", "league", *counters)
    content = checkpoint.read(file, settings.variant, *names)
    checkpoint.check_prior(content, file)
    counts = [content[name] for name in counters]
    if not all(isinstance(count, int) and count >= 0 for count in counts):
        raise checkpoint.BadCheckpoint(f"{file} holds no training state to resume from")
    return content
