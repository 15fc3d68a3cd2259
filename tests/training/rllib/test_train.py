"""Self-play on RLlib: credit, legal actions, and the files of a run."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from itertools import count, pairwise
from time import monotonic, sleep
from typing import Any

import numpy as np
import pytest
import torch

pytest.importorskip("ray")

import ray
from ray.rllib.connectors.learner import AddOneTsToEpisodesAndTruncate
from ray.rllib.core.columns import Columns
from ray.rllib.env.env_context import EnvContext
from ray.rllib.env.multi_agent_episode import MultiAgentEpisode

from pasgl_env import Batch, Position, players
from pasgl_env.engine.errors import IllegalMove
from pasgl_env.evaluation import play_match
from pasgl_env.players.networks import checkpoint
from pasgl_env.players.networks.checkpoint import BadCheckpoint
from pasgl_env.players.potential import potential
from pasgl_env.training.rllib import train as rllib
from pasgl_env.training.rllib.train import (
    FRAGMENT,
    DropUnansweredActions,
    MaskedModule,
    TurnsEnv,
    batch_of,
    train,
)
from pasgl_env.training.runs import RunExists, read_settings, write_settings
from pasgl_env.training.settings import PpoSettings, RllibSettings

from ...cli.runner import run

# Black bears off its last piece, and has won with the team.
FOUR_AT_THE_END = "Ra7:1,E*,H*/Ra1:0,E@,H@/Rg1:0,E@,H@/Rg7:0,E@,H@ black 4,5 i 30"


def environment(variant, worker=1, shaping=0.0, **options):
    config = {"variant": variant, "options": options, "shaping": shaping}
    return TurnsEnv(EnvContext(config, worker_index=worker))


def legal_action(observation, random):
    return int(random.choice(np.flatnonzero(observation["action_mask"])))


def played(env, chunk, reset=None):
    """A random game as RLlib keeps it, in chunks of this many steps."""
    random = np.random.default_rng(1)
    observations, infos = env.reset(seed=1, options=reset)
    episode = MultiAgentEpisode(
        observation_space=env.observation_spaces,
        action_space=env.action_spaces,
        agent_to_module_mapping_fn=lambda agent, episode: "self",
    )
    episode.add_env_reset(observations=observations, infos=infos)
    chunks = [episode]
    for step in count(1):
        (agent,) = observations
        actions = {agent: legal_action(observations[agent], random)}
        observations, rewards, terminated, truncated, infos = env.step(actions)
        episode.add_env_step(
            observations, actions, rewards, infos, terminateds=terminated, truncateds=truncated
        )
        if episode.is_done:
            return chunks
        if step % chunk == 0:
            episode = episode.cut()
            chunks.append(episode)


def value(position, seat):
    """The standing of a player."""
    batch = Batch(position.variant, 1)
    batch.states = position.state
    return float(potential(batch, np.array([seat]))[0])


def earned(chunks):
    """The credit of each agent in RLlib."""
    agents = chunks[-1].agent_ids
    return {
        agent: sum(
            chunk.agent_episodes[agent].get_return()
            for chunk in chunks
            if agent in chunk.agent_episodes
        )
        for agent in agents
    }


class TestTurnsEnv:
    @pytest.mark.parametrize("options", [{}, {"players": 4}], ids=str)
    @pytest.mark.parametrize("chunk", [16, 10**6])
    def test_every_agent_is_credited_with_its_outcome(self, options, chunk):
        env = environment("pachessi", **options)
        chunks = played(env, chunk)
        assert chunks[-1].is_terminated and not chunks[-1].is_truncated
        outcome = dict(zip(env.possible_agents, env.aec.position.returns, strict=True))
        assert earned(chunks) == outcome
        assert set(outcome.values()) == {1, -1}

    def test_who_acted_last_pays_for_the_team(self):
        env = environment("pachessi", players=4)
        env.reset(seed=1, options={"position": FOUR_AT_THE_END})
        action = env.aec.position.action("4:Ra7-off")
        seen, rewards, terminated, truncated, _ = env.step({"player_0": action})
        assert rewards == {"player_0": 1, "player_1": -1, "player_2": 1, "player_3": -1}
        assert list(seen) == list(rewards)
        assert (terminated, truncated) == ({"__all__": True}, {"__all__": False})

    @pytest.mark.parametrize("turn_limit", [30, 10**4], ids=["cut off", "ended"])
    def test_discounted_shaping_adds_the_last_potential_less_the_first(self, turn_limit):
        rewards = []
        for shaping in (0.0, 0.5):
            env = environment("pachessi", shaping=shaping, turn_limit=turn_limit)
            ((agent, _),) = env.reset(seed=1)[0].items()
            seat = env.possible_agents.index(agent)
            first = value(env.aec.position, seat)
            (episode,) = played(env, 10**6)
            rewards.append(np.array(episode.agent_episodes[agent].get_rewards()))
        assert episode.is_truncated == (turn_limit == 30)
        last = value(env.aec.position, seat) if episode.is_truncated else 0
        discounts = rllib.DISCOUNT ** np.arange(1 + rewards[0].size)
        added = discounts[:-1] @ (rewards[1] - rewards[0])
        assert added == pytest.approx(0.5 * (discounts[-1] * last - first), abs=1e-5)
        assert np.abs(rewards[1] - rewards[0]).max() > 0.001

    @pytest.mark.parametrize("chunk", [16, 10**6])
    def test_points_are_credited_as_leads_in_tens(self, chunk):
        env = environment("pasgl312", turn_limit=120)
        chunks = played(env, chunk)
        white, black = env.aec.position.points
        assert white != black
        assert earned(chunks) == pytest.approx(
            {"player_0": (white - black) / 10, "player_1": (black - white) / 10}
        )

    def test_an_agent_goes_on_while_its_turn_lasts(self):
        env = environment("chieftain")
        observations, _ = env.reset(seed=1)
        random = np.random.default_rng(1)
        actors = []
        for _ in range(20):
            (agent,) = observations
            assert agent == env.aec.agent_selection
            actors.append(agent)
            observations, *_ = env.step({agent: legal_action(observations[agent], random)})
        assert any(one == other for one, other in pairwise(actors))
        assert len(set(actors)) == 2

    def test_a_turn_limit_cuts_off_and_does_not_end(self):
        env = environment("pachessi", turn_limit=6)
        (episode,) = played(env, 10**6)
        assert episode.is_truncated and not episode.is_terminated
        for agent in env.possible_agents:
            single = episode.agent_episodes[agent]
            assert single.is_truncated and not single.is_terminated

    @pytest.mark.parametrize("variant", ["pachessi", "chieftain"])
    def test_the_agent_to_act_where_it_is_truncated_has_the_real_mask(self, variant):
        env = environment(variant, turn_limit=6)
        (episode,) = played(env, 10**6)
        for agent, single in episode.agent_episodes.items():
            is_to_act = env.aec.agent_name_mapping[agent] == env.aec.position.to_move
            legal = env.aec.position.action_mask if is_to_act else 0
            assert (single.get_observations(-1)["action_mask"] == legal).all()

    def test_workers_with_seeds_alike_have_dice_of_their_own(self):
        firsts = []
        for worker in (1, 1, 2, 3):
            env = environment("pachessi", worker)
            texts = []
            for seed in range(8):
                env.reset(seed=seed)
                texts.append(env.aec.position.text)
            firsts.append(tuple(texts))
        assert firsts[0] == firsts[1]
        assert len(set(firsts)) == 3

    def test_an_illegal_action_is_an_error(self):
        env = environment("pachessi")
        observations, _ = env.reset(seed=1)
        (agent,) = observations
        with pytest.raises(IllegalMove):
            env.step({agent: int(np.argmin(observations[agent]["action_mask"]))})


class TestTruncatedGames:
    """The value of a truncated game is that of an observation on which an agent acts."""

    @staticmethod
    def learned_from(chunks):
        """Of each agent's part of a chunk: itself, which actions are learned from, what is cut."""
        batch: dict[str, Any] = {}
        for connector in (AddOneTsToEpisodesAndTruncate(), DropUnansweredActions()):
            connector(rl_module=None, batch=batch, episodes=chunks, shared_data={})
        for chunk in chunks:
            for agent, single in chunk.agent_episodes.items():
                key = (single.multi_agent_episode_id, agent, single.module_id)
                yield single, batch[Columns.LOSS_MASK][key], batch[Columns.TRUNCATEDS][key]

    @pytest.mark.parametrize("chunk", [16, 10**6])
    @pytest.mark.parametrize("turn_limit", [1, 2, 7, 30])
    @pytest.mark.parametrize(
        "variant, options",
        [("pasgl312", {}), ("pachessi", {"players": 4}), ("chieftain", {})],
        ids=str,
    )
    def test_every_bootstrap_is_of_an_observation_to_act_on(
        self, variant, options, turn_limit, chunk
    ):
        chunks = played(environment(variant, turn_limit=turn_limit, **options), chunk)
        assert chunks[-1].is_truncated
        for single, is_learned, is_truncated in self.learned_from(chunks):
            learned = sum(is_learned)
            assert is_learned[:learned] == [True] * learned
            # The value after the last of them is bootstrapped, and nothing later flows back.
            assert not learned or is_truncated[learned - 1]
            assert single.get_observations(learned)["action_mask"].any()

    def test_only_unanswered_actions_are_dropped(self):
        env = environment("pachessi", players=4, turn_limit=11)
        dropped = {
            single.agent_id: len(is_learned) - 1 - sum(is_learned)
            for single, is_learned, _ in self.learned_from(played(env, 10**6))
        }
        seat = env.aec.position.to_move
        assert dropped == {agent: int(agent != f"player_{seat}") for agent in env.possible_agents}

    def test_what_ends_by_the_rules_is_learned_from_to_its_end(self):
        for _, is_learned, _ in self.learned_from(played(environment("pachessi"), 10**6)):
            assert is_learned == [True] * (len(is_learned) - 1) + [False]


class TestMaskedModule:
    @pytest.fixture(scope="class", params=["pasgl312", "spalding"])
    def module(self, request):
        env = environment(request.param)
        torch.manual_seed(1)
        module = MaskedModule(
            observation_space=env.observation_spaces["player_0"],
            action_space=env.action_spaces["player_0"],
            model_config={"variant": request.param, "options": {}, "width": 8},
        )
        with torch.no_grad():  # strong opinions, of illegal actions too
            for parameter in module.policy.action_net.parameters():
                parameter.normal_(std=3)
        return request.param, module

    def batch(self, variant, games=64):
        batch = Batch(variant, games, seed=1)
        for _ in range(30):
            batch.step(batch.sample())
        observation = {
            "observation": torch.from_numpy(batch.observation.copy()),
            "action_mask": torch.from_numpy(batch.action_mask.astype(np.int8)),
        }
        return {Columns.OBS: observation}

    def test_only_legal_actions_are_drawn(self, module):
        variant, module = module
        batch = self.batch(variant)
        outputs = module.forward_exploration(batch)
        distribution = module.get_exploration_action_dist_cls().from_logits(
            outputs[Columns.ACTION_DIST_INPUTS]
        )
        mask = batch[Columns.OBS]["action_mask"]
        for _ in range(50):
            assert mask.gather(1, distribution.sample()[:, None]).all()
        assert distribution.entropy().isfinite().all()

    def test_legal_actions_have_the_policys_scores(self, module):
        variant, module = module
        batch = self.batch(variant)
        observation = batch[Columns.OBS]
        policy, legal = module.policy, observation["action_mask"].bool()
        wanted = policy.get_distribution(observation["observation"], legal.numpy())
        scores = module.forward_train(batch)[Columns.ACTION_DIST_INPUTS].log_softmax(1)
        for _ in range(20):
            actions = wanted.sample()
            chosen = scores.gather(1, actions[:, None])[:, 0]
            assert torch.allclose(chosen, wanted.log_prob(actions), atol=1e-5)

    def test_values_are_the_policys(self, module):
        variant, module = module
        batch = self.batch(variant)
        embeddings = module.forward_train(batch)[Columns.EMBEDDINGS]
        wanted = module.policy.predict_values(batch[Columns.OBS]["observation"])[:, 0]
        assert torch.allclose(module.compute_values(batch), wanted, atol=1e-5)
        assert torch.allclose(module.compute_values(batch, embeddings), wanted, atol=1e-5)


SETTINGS = RllibSettings(
    "pachessi", iterations=2, minutes=None, games=1, options={"turn_limit": 40}
)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The folder of a run of two iterations by two workers, and what it reported."""
    folder = tmp_path_factory.mktemp("rllib") / "mine"
    reports = []
    train(SETTINGS, folder, report=lambda progress: reports.append(progress.iterations))
    return folder, reports


class TestARun:
    # No illegal action has reached the games of a run that ends: they would have raised.
    def test_two_workers_play_and_one_learns(self, finished):
        folder, reports = finished
        assert reports == [1, 2]
        rows = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
        assert len(rows) == 2
        assert rows[1]["steps"] == 2 * batch_of(SETTINGS) == 4 * FRAGMENT
        content = checkpoint.read(folder / "training.pt", "pachessi")
        assert content["steps"] == rows[1]["steps"]
        updates = content["optimizer"]["state"][0]["step"]
        assert updates >= 2 * rllib.EPOCHS

    def test_its_agent_plays_wherever_a_player_can(self, finished):
        folder, _ = finished
        assert checkpoint.read(folder / "agent.pt", "pachessi")["kind"] == "ppo"
        player = players.make(str(folder), "pachessi", seed=1)
        position = Position("pachessi").play("roll 4 4")
        assert players.choose_one(player, position) in position.legal_actions()
        match = play_match("pachessi", str(folder), "random", 4, seed=1, turn_limit=40)
        assert match.first == "mine"

    def test_it_goes_on_with_its_weights(self, finished, monkeypatch):
        folder, _ = finished
        before = checkpoint.read(folder / "training.pt", "pachessi")
        synced = []
        restore = rllib._Run.restore

        def restored(run, content):
            restore(run, content)
            module = run._algorithm.env_runner.module[rllib.POLICY]
            synced.append({name: each.clone() for name, each in module.policy.state_dict().items()})

        monkeypatch.setattr(rllib._Run, "restore", restored)
        progress = train(replace(SETTINGS, iterations=3, workers=0), folder, resume=True)
        after = checkpoint.read(folder / "training.pt", "pachessi")
        assert (progress.iterations, after["iterations"]) == (3, 3)
        assert after["steps"] == before["steps"] + FRAGMENT
        assert all(torch.equal(synced[0][name], before["policy"][name]) for name in synced[0])
        updates = [content["optimizer"]["state"][0]["step"] for content in (before, after)]
        assert updates[1] > updates[0]


class TestRefusals:
    def test_a_folder_with_a_run(self, finished):
        with pytest.raises(RunExists, match="holds a run already"):
            train(SETTINGS, finished[0])

    def test_a_folder_without_one(self, tmp_path):
        with pytest.raises(RunExists, match="holds no run to resume"):
            train(SETTINGS, tmp_path / "none", resume=True)

    def test_a_damaged_checkpoint(self, tmp_path):
        (tmp_path / "training.pt").write_bytes(b"nothing")
        with pytest.raises(BadCheckpoint, match="is not a checkpoint, or a damaged one"):
            train(SETTINGS, tmp_path, resume=True)

    @pytest.mark.parametrize(
        "settings, message",
        [
            ({"iterations": 0}, "iterations must be above 0, not 0"),
            ({"minutes": -1.0}, "minutes must be above 0"),
            ({"workers": -1}, "workers must be 0 or above, not -1"),
            ({"options": {"bears": 3}}, "no option 'bears'"),
        ],
        ids=str,
    )
    def test_impossible_settings(self, settings, message):
        with pytest.raises(ValueError, match=message):
            RllibSettings("pachessi", **settings)


class TestTheCommand:
    @pytest.mark.parametrize(
        "arguments, complaint",
        [
            (["--resume"], "holds no run to resume"),
            (["--ray", "there"], "must be HOST:PORT, auto or local, not 'there'"),
            (["--ray", "localhost:1"], "no Ray cluster answers at localhost:1"),
            (["--ray", "auto"], "no instance runs"),
        ],
        ids=str,
    )
    def test_wrong_input_is_told_in_one_line(self, arguments, complaint, tmp_path, monkeypatch):
        def find(**where):  # as Ray does, but for instances that other tests have started
            raise ConnectionError("no instance runs")

        monkeypatch.setattr(ray, "init", find)
        out = tmp_path / "run"
        result = run("train", "pachessi", "--algorithm", "rllib", *arguments, "--out", str(out))
        assert result.exit_code == 2
        assert complaint in result.stderr
        assert result.stderr.count("\n") == 1
        assert not (out / "training.pt").exists()

    def test_other_options_are_refused(self, finished):
        result = run(
            *("train", "pachessi", "--algorithm", "rllib", "--resume"),
            *("--set", "turn_limit=50", "--out", str(finished[0])),
        )
        assert result.exit_code == 2
        assert "a resumed run keeps its settings: options" in result.stderr

    def test_a_run_of_another_kind_is_refused(self, tmp_path):
        write_settings(PpoSettings("pachessi"), tmp_path)
        with pytest.raises(RunExists, match="holds no run to resume"):
            read_settings(tmp_path, RllibSettings)


@pytest.mark.slow
def test_ctrl_c_stops_and_saves(tmp_path, interruptible):
    out = tmp_path / "run"
    command = [
        sys.executable,
        "-c",
        "from pasgl_env.cli import main; main()",
        "train",
        "pachessi",
        "--algorithm",
        "rllib",
        "--out",
        str(out),
    ]
    process = subprocess.Popen(
        [*command, "--minutes", "5"], stderr=subprocess.PIPE, start_new_session=True
    )
    deadline = monotonic() + 120
    while not (out / "log.jsonl").exists() or not (out / "log.jsonl").read_bytes():
        assert monotonic() < deadline
        sleep(0.5)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers too
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert checkpoint.read(out / "training.pt", "pachessi")["iterations"] >= 1
    assert players.make(str(out), "pachessi").name == "run"
