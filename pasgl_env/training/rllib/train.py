"""Train an agent by self-play with PPO on Ray RLlib, on one machine or on a cluster of them.

Workers play the PettingZoo environment of a variant, a learner learns from their games, and all
players of a game share one network. It starts from scratch, without a teacher or fixed opponents: a
cluster adds games. Training needs the extra ``ray``; the resulting ``agent.pt`` does not.

    pasgl train pachessi --algorithm rllib --minutes 30 --workers 16
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import torch
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.connectors.connector_v2 import ConnectorV2
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.env_context import EnvContext
from ray.rllib.env.multi_agent_env import MultiAgentEnv

from pasgl_env.cluster import LOCAL, connected
from pasgl_env.contract import variants
from pasgl_env.duration import time_left
from pasgl_env.engine.batch import Batch
from pasgl_env.envs.aec import Observation, VariantEnv
from pasgl_env.players.networks import checkpoint
from pasgl_env.players.networks.policy import WIDTHS, new_policy
from pasgl_env.players.potential import potential
from pasgl_env.players.trained import usual_layers
from pasgl_env.training.ppo.run import check_shapes
from pasgl_env.training.runs import (
    HOW_TO_GO_ON,
    begin_files,
    diverged,
    folder_of_one_run,
    is_checkpoint_due,
    log_row,
    seed_of,
    stopped_by_interrupt,
)
from pasgl_env.training.settings import RllibSettings

POLICY = "self"  # RLlib's name for the one network
# Decisions per game in an iteration. Far more than an agent has to wait for its turn: RLlib fails
# if it cuts a game twice between two actions of an agent.
FRAGMENT = 128
MINIBATCH, EPOCHS = 512, 3
DISCOUNT = 0.995
# Points come in tens; the value network learns best in ones.
SCALE_OF_POINTS = 0.1
# In games without points: the weight of the shaping rewards.
SHAPING = 0.5
ILLEGAL = -1e9


def game_of(settings: RllibSettings) -> dict[str, Any]:
    """The arguments of :class:`TurnsEnv`."""
    shaping = 0.0 if settings.ruleset.game.has_points else SHAPING
    return {"variant": settings.variant, "options": settings.options, "shaping": shaping}


def batch_of(settings: RllibSettings) -> int:
    """Number of decisions in an iteration."""
    return max(1, settings.workers) * settings.games * FRAGMENT


@dataclass
class RllibStatus:
    """Progress of a run.

    Attributes:
        iterations: number of batches learned from. All counts include earlier parts of the run.
        steps: number of decisions in these batches.
        seconds: training time.
        progress: from 0 to 1; 0 if the run has no limit.
        seconds_left: estimated remaining time; None if unknown.
    """

    iterations: int = 0
    steps: int = 0
    seconds: float = 0.0

    progress: float = 0.0
    seconds_left: float | None = None

    @property
    def text(self) -> str:
        """A line for people."""
        left = time_left(self.seconds_left)
        return f"{left} left, {self.iterations} iterations, {self.steps:,} steps"


# The environment that RLlib plays.


class TurnsEnv(MultiAgentEnv):  # type: ignore[misc] # mypy does not follow Ray
    """The PettingZoo environment of a variant for RLlib: the agent that observes acts next.

    An agent's reward is the sum of its rewards since its own last action, across the actions of
    others, and every agent gets its last observation and reward at the end. RLlib's own adapter,
    ``PettingZooEnv``, reports a turn limit as a truncation of each agent; RLlib takes that for an
    end by the rules, without further rewards. Here the game as a whole is truncated.

    The value of a truncated game is the network's value of each agent's last observation. Only the
    agent to act observes what the network was trained on, with the real mask. The masks of the
    others are empty, so that :class:`DropUnansweredActions` recognises them.

    Shaping adds ``shaping`` × (``DISCOUNT`` × the new potential - the potential at the
    agent's last observation) to every reward; see :func:`pasgl_env.players.potential.potential`.

    Attributes:
        aec: the PettingZoo environment.

    Args:
        config: ``variant``, ``options``, ``shaping``; see :func:`game_of`.

    Raises:
        IllegalMove: from :meth:`step`, if the action is not legal.
    """

    def __init__(self, config: EnvContext) -> None:
        super().__init__()
        by_points = variants.find(config["variant"]).has_points
        self.aec = VariantEnv(
            config["variant"], reward="points" if by_points else "outcome", **config["options"]
        )
        self._scale = SCALE_OF_POINTS if by_points else 1.0
        self._shaping: float = config["shaping"]
        self._potentials: dict[str, float] = {}
        self._table = Batch(config["variant"], 1, **config["options"])
        self._worker = config.worker_index
        self.possible_agents = self.aec.possible_agents
        self.agents = self.aec.possible_agents
        self.observation_spaces: Any = self.aec.observation_spaces
        self.action_spaces: Any = self.aec.action_spaces

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, Any]]:
        """Start a game; the options are those of :meth:`VariantEnv.reset`."""
        if seed is not None:
            # RLlib numbers seeds over workers and over the games of each: they would coincide.
            seed = int(np.random.SeedSequence((seed, self._worker)).generate_state(1)[0])
        self.aec.reset(seed=seed, options=options)
        agent = self.aec.agent_selection
        self._potentials = {agent: self._potential(agent)}
        return {agent: self.aec.observe(agent)}, {}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, Any],
    ]:
        """Play an action for the agent that observed."""
        env = self.aec
        env.step(int(actions[env.agent_selection]))
        seen, rewards = {}, {}
        terminated = truncated = False
        while env.agents:
            agent = env.agent_selection
            seen[agent], reward, terminated, truncated, _ = env.last()
            rewards[agent] = self._scale * reward + self._growth(agent, terminated)
            if truncated and env.agent_name_mapping[agent] == env.position.to_move:
                seen[agent]["action_mask"][:] = env.position.action_mask
            if not (terminated or truncated):
                break
            env.step(None)
        return seen, rewards, {"__all__": terminated}, {"__all__": truncated}, {}

    def _growth(self, agent: str, terminated: bool) -> float:
        """The shaping reward of an agent that observes now."""
        new = 0.0 if terminated else self._potential(agent)
        old = self._potentials.get(agent, new / DISCOUNT)  # RLlib ignores the first reward
        self._potentials[agent] = new
        return DISCOUNT * new - old

    def _potential(self, agent: str) -> float:
        if not self._shaping:
            return 0.0
        self._table.states = self.aec.position.state
        seat = self.aec.agent_name_mapping[agent]
        return self._shaping * float(potential(self._table, np.array([seat]))[0])


class DropUnansweredActions(ConnectorV2):  # type: ignore[misc]
    """Drops actions without an answer when the turn limit truncates a game.

    After its last action, an agent that does not act again has no observation that the network was
    trained on, so there is no value to bootstrap from. Its part of the game ends with the
    observation before that action, whose value is known.
    """

    def __call__(self, *, batch: dict[str, Any], episodes: list[Any], **_: Any) -> dict[str, Any]:
        """Change the columns that RLlib's own connector has made."""
        for episode in self.single_agent_episode_iterator(episodes, agents_that_stepped_only=False):
            if not episode.is_truncated or episode.get_observations(-1)["action_mask"].any():
                continue
            key = (episode.multi_agent_episode_id, episode.agent_id, episode.module_id)
            # The item after the actions is the value of the last observation.
            batch[Columns.LOSS_MASK][key][-2] = False
            if (truncated := batch[Columns.TRUNCATEDS][key])[:-2]:
                truncated[-3] = True
        return batch


class MaskedModule(TorchRLModule, ValueFunctionAPI):  # type: ignore[misc]
    """The network of all baselines as an RLlib module; illegal actions get probability 0."""

    def setup(self) -> None:
        config = self.model_config  # RLlib adds entries of its own
        ruleset = variants.ruleset(config["variant"], **config["options"])
        self.policy = new_policy(ruleset, config["width"])

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, torch.Tensor]:
        features = self._features(batch)
        illegal = batch[Columns.OBS]["action_mask"] == 0
        scores = self.policy.action_net(features).masked_fill(illegal, ILLEGAL)
        return {Columns.ACTION_DIST_INPUTS: scores, Columns.EMBEDDINGS: features}

    def compute_values(
        self, batch: dict[str, Any], embeddings: torch.Tensor | None = None
    ) -> torch.Tensor:
        """``float32[k]``."""
        features = self._features(batch) if embeddings is None else embeddings
        values: torch.Tensor = self.policy.value_net(features).squeeze(-1)
        return values

    def _features(self, batch: dict[str, Any]) -> torch.Tensor:
        features: torch.Tensor = self.policy.features_extractor(
            batch[Columns.OBS]["observation"].float()
        )
        return features


def configuration(settings: RllibSettings, seed: int) -> PPOConfig:
    """RLlib's configuration. To learn on several GPUs, add ``.learners(...)``."""
    game, width = game_of(settings), WIDTHS[usual_layers(settings.ruleset.game)]
    return (
        PPOConfig()
        # RLlib's check of an environment ignores the mask.
        .environment(TurnsEnv, env_config=game, disable_env_checking=True)
        .env_runners(
            num_env_runners=settings.workers,
            num_envs_per_env_runner=settings.games,
            rollout_fragment_length=FRAGMENT,
        )
        .multi_agent(policies={POLICY}, policy_mapping_fn=lambda agent, episode, **_: POLICY)
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=MaskedModule, model_config={**game, "width": width}
            )
        )
        .training(
            gamma=DISCOUNT,
            lambda_=0.95,
            lr=5e-4,
            clip_param=0.2,
            use_kl_loss=False,
            vf_loss_coeff=0.5,
            entropy_coeff=0.005,
            grad_clip=0.5,
            train_batch_size_per_learner=batch_of(settings),
            minibatch_size=min(MINIBATCH, batch_of(settings)),
            num_epochs=EPOCHS,
            learner_connector=lambda observation_space, action_space: DropUnansweredActions(),
        )
        # A failing worker would be restarted again and again.
        .fault_tolerance(restart_failed_env_runners=False)
        .debugging(seed=seed, log_level="CRITICAL")
    )


# The run.


def train(
    settings: RllibSettings,
    out: Path,
    *,
    address: str = LOCAL,
    resume: bool = False,
    report: Callable[[RllibStatus], None] = lambda status: None,
) -> RllibStatus:
    """Train until a limit is reached, or until Ctrl-C; write checkpoints and a log to a folder.

    Args:
        settings: settings of the run.
        out: the folder; created if needed.
        address: address of a Ray cluster; ``auto`` for the one that this machine belongs to;
            ``local`` for one on this machine that ends with the run.
        resume: whether to resume from the folder's last checkpoint instead of starting a run.
        report: called after every iteration.

    Raises:
        ValueError: if the address is invalid, or the cluster has fewer processors than
            workers.
        RunExists: if the folder holds a run or an agent and ``resume`` is not set, or holds no run
            and it is.
        InUse: if another process is at work there.
        BadCheckpoint: if its checkpoint cannot be used with these settings.
        WorkerFailed: if Ray does not start or a worker fails; ``resume`` continues from the last
            checkpoint.
        OSError: if files cannot be written or read, or there is no cluster at the address.
    """
    with folder_of_one_run(out, checkpoint.TRAINING_FILE, resume):
        earlier = _read_training(settings, out) if resume else None
        # Compile the rules once, not in every worker.
        TurnsEnv(EnvContext(game_of(settings), worker_index=0)).reset(seed=0)
        with (
            connected(address, settings.workers, advice=HOW_TO_GO_ON),
            _algorithm(settings, earlier) as algorithm,
        ):
            run = _Run(settings, out, algorithm)
            if earlier is not None:
                run.restore(earlier)
            begin_files(settings, out, run.status.steps, "steps")
            with stopped_by_interrupt(run):
                while run.status.progress < 1 and not run.stop_asked:
                    run.iterate()
                    report(run.status)
            run.save()
            return run.status


@contextmanager
def _algorithm(settings: RllibSettings, earlier: dict[str, Any] | None) -> Iterator[Algorithm]:
    # RLlib logs at length; real problems raise errors.
    logging.getLogger("ray.rllib").setLevel(logging.CRITICAL)
    algorithm = configuration(settings, seed_of(settings.seed, earlier)).build_algo()
    try:
        # RLlib creates it, in the home folder, for logs.
        Path(algorithm.logdir).rmdir()
        yield algorithm
    finally:
        algorithm.stop()


class _Run:
    """A learning algorithm with its logs and checkpoints."""

    def __init__(self, settings: RllibSettings, out: Path, algorithm: Algorithm) -> None:
        self.stop_asked = False
        self.status = RllibStatus()
        self._settings = settings
        self._out = out
        self._algorithm = algorithm
        self._began = self._saved_at = perf_counter()
        self._earlier = RllibStatus()

    def restore(self, content: dict[str, Any]) -> None:
        """Restore the learner, the workers and the counts from a checkpoint."""
        file = self._out / checkpoint.TRAINING_FILE
        self._of_learner(lambda learner: _set_state(learner, content, file))
        algorithm = self._algorithm
        algorithm.env_runner_group.sync_weights(
            from_worker_or_learner_group=algorithm.learner_group, inference_only=True
        )
        self._earlier = RllibStatus(content["iterations"], content["steps"], content["seconds"])
        done = self._settings.progress(content["seconds"], content["iterations"])
        self.status = replace(self._earlier, progress=done)

    def iterate(self) -> None:
        """Run one iteration."""
        result = self._algorithm.train()
        played = result["env_runners"]
        iterations = self.status.iterations + 1
        seconds = self._earlier.seconds + perf_counter() - self._began
        pace = seconds / iterations
        self.status = RllibStatus(
            iterations,
            self._earlier.steps + int(played["num_env_steps_sampled_lifetime"]),
            seconds,
            self._settings.progress(seconds, iterations),
            self._settings.seconds_left(seconds, iterations, pace),
        )
        self._log(played, result["learners"][POLICY])
        if is_checkpoint_due(self._saved_at):
            self.save()

    def save(self) -> None:
        """Write both checkpoints, unless the training has failed."""
        (state,) = self._of_learner(_state)[:1]
        if not checkpoint.are_sound(state["network"]["policy"]):
            raise diverged(self._out, self._settings, "learning_rate")
        agent = {
            "kind": "ppo",
            "variant": self._settings.variant,
            "options": self._settings.options,
            **state["network"],
            "steps": self.status.steps,
        }
        training = {
            "optimizer": state["optimizer"],
            "iterations": self.status.iterations,
            "seconds": self.status.seconds,
        }
        checkpoint.write_both(self._out, agent, training)
        self._saved_at = perf_counter()

    def _of_learner(self, function: Callable[[Any], Any]) -> Sequence[Any]:
        """The results of a function for each learner, wherever it runs."""
        return [result.get() for result in self._algorithm.learner_group.foreach_learner(function)]

    def _log(self, played: dict[str, Any], learnt: dict[str, Any]) -> None:
        length = float(played.get("episode_len_mean", math.nan))
        row = {
            "steps": self.status.steps,
            "seconds": round(self.status.seconds, 1),
            "length": None if math.isnan(length) else round(length, 1),
            **{
                name: round(float(learnt[name]), 5)
                for name in ("policy_loss", "vf_loss", "vf_explained_var", "entropy")
            },
        }
        log_row(self._out, row)


def _state(learner: Any) -> dict[str, Any]:
    policy = learner.module[POLICY].unwrapped().policy
    network = checkpoint.network_in(policy)
    weights = {name: weight.cpu() for name, weight in network["policy"].items()}
    return {
        "network": {**network, "policy": weights},
        "optimizer": learner.get_optimizer(POLICY).state_dict(),
    }


def _set_state(learner: Any, content: dict[str, Any], file: Path) -> None:
    checkpoint.load_weights(learner.module[POLICY].unwrapped().policy, content["policy"], file)
    optimizer = learner.get_optimizer(POLICY)
    with checkpoint.refusing(file):
        optimizer.load_state_dict(content["optimizer"])
        check_shapes(optimizer)


def _read_training(settings: RllibSettings, out: Path) -> dict[str, Any]:
    file = out / checkpoint.TRAINING_FILE
    counts = {"iterations": int, "steps": int, "seconds": float}
    content = checkpoint.read(file, settings.variant, "policy", "optimizer", *counts)
    for name, kind in counts.items():
        if not isinstance(content[name], kind) or not content[name] >= 0:
            raise checkpoint.BadCheckpoint(f"{file} holds no training state to resume from")
    return content
