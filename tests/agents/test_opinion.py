"""Networks that are told what the greedy player thinks of their actions."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from pasgl_env import Batch, players, variants
from pasgl_env.agents import checkpoint, publish
from pasgl_env.agents import train as trainer
from pasgl_env.agents.alphazero import AlphaZeroSettings, learn
from pasgl_env.agents.network import (
    LAYERS,
    TRUST,
    TRUST_IN_LEAD,
    DensePlanes,
    NetworkPlayer,
    features_of,
    new_policy,
    parts_of,
    told,
)
from pasgl_env.agents.opinion import OpinionVecEnv
from pasgl_env.agents.search import NetworkSearchPlayer, network_evaluator
from pasgl_env.agents.train import TrainSettings
from pasgl_env.envs.vec import SelfPlayVecEnv
from pasgl_env.players.opinion import opinions_in

EVERY = np.arange(8)
STEPS = 8 * trainer.ROLLOUT


def train(out, *, resume=False, **changes):
    values = {"minutes": None, "steps": STEPS, "games": 8, "threads": 1, "seed": 3}
    values |= {"evaluations": 0, "opinion": True}
    return trainer.train(TrainSettings("pachessi", **{**values, **changes}), out, resume=resume)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("opinion") / "run"
    train(folder)
    return folder


@pytest.mark.parametrize("layers", LAYERS)
def test_an_untrained_network_plays_what_the_greedy_player_holds_best(layers):
    policy = new_policy("pachessi", {}, layers=layers, opinion=True)
    player = NetworkPlayer(policy, "new", temperature=0, seed=1)
    batch = Batch("pachessi", 8, seed=1)
    for _ in range(30):
        chosen = players.choose(player, batch, EVERY)
        assert (opinions_in(batch, EVERY).actions[EVERY, chosen] == 0).all()
        batch.step(batch.sample())


def test_the_learner_is_told_of_its_own_actions():
    games = SelfPlayVecEnv("pachessi", 8, opponents=["random"], seed=1, turn_limit=20)
    env = OpinionVecEnv(games)
    seen: Any = env.reset()
    ended = 0
    for _ in range(60):
        assert (seen["planes"] == games.batch.observation).all()
        opinion = opinions_in(games.batch, EVERY)
        assert (seen["opinion"] == opinion.actions).all()
        assert (seen["standing"] == opinion.standing).all()
        assert env.observation_space.contains({name: part[0] for name, part in seen.items()})
        seen, _, _, infos = env.step(games.sample())
        for info in infos:
            if "terminal_observation" in info:
                ended += 1
                assert env.observation_space.contains(info["terminal_observation"])
    assert ended


def test_where_a_game_was_truncated_the_opinion_is_that_of_the_last_position():
    games = SelfPlayVecEnv("pachessi", 8, opponents=["random"], seed=1, turn_limit=20)
    env = OpinionVecEnv(games)
    env.reset()
    truncated = 0
    for _ in range(60):
        _, _, _, infos = env.step(games.sample())
        ended = games.duel.ended
        for row, game in enumerate(ended.game):
            last: Any = infos[game]["terminal_observation"]
            if not infos[game]["TimeLimit.truncated"]:
                assert not last["opinion"].any() and not last["standing"].any()
                continue
            truncated += 1
            there = Batch("pachessi", 1)
            there.states = ended.state[row : row + 1]
            opinion = opinions_in(there, EVERY[:1])
            assert (last["opinion"] == opinion.actions[0]).all()
            assert (last["standing"] == opinion.standing[0]).all()
    assert truncated


@pytest.mark.parametrize("layers", LAYERS)
def test_value_depends_on_the_standing_and_on_no_opinion_of_actions(layers):
    policy = new_policy("pachessi", {}, layers=layers, opinion=True)
    planes = torch.rand(2, 65, 7, 7)

    def told(opinion, standing):
        parts = {
            "planes": planes,
            "opinion": torch.full((2, 393), opinion),
            "standing": torch.full((2, 1), standing),
        }
        features = policy.features_extractor(parts)
        return policy.action_net(features), policy.value_net(features)

    actions, value = told(-1.0, 0.5)
    others, same_value = told(0.0, 0.5)
    assert torch.equal(value, same_value)
    assert not torch.equal(actions, others)
    same_actions, other_value = told(-1.0, 1.0)
    assert torch.equal(actions, same_actions)
    assert torch.allclose(other_value - value, torch.tensor(0.5 * TRUST_IN_LEAD))


@pytest.mark.parametrize("layers", LAYERS)
def test_what_is_learned_from_are_the_chances_by_which_it_plays(layers):
    """Learning scores the legal actions only, playing all."""
    policy = new_policy("pachessi", {}, layers=layers, opinion=True)
    torch.manual_seed(1)
    mask = torch.rand(5, 393) < 0.1
    mask[:, 7] = True
    parts = {
        "planes": torch.rand(5, 65, 7, 7).round(),
        "opinion": torch.where(torch.rand(5, 393) < 0.2, 0.0, -torch.rand(5, 393)),
        "standing": torch.rand(5, 1),
    }
    with torch.no_grad():
        scores = policy.action_net(features_of(policy, parts)).masked_fill(~mask, -torch.inf)
        learned = policy.get_distribution(parts, mask.numpy()).log_prob(torch.full((5,), 7))
    assert torch.allclose(learned, scores.log_softmax(1)[:, 7], atol=1e-5)


def test_how_much_it_trusts_is_learned(run):
    trust = checkpoint.read(run / "agent.pt", "pachessi")["policy"]["action_net.trust"]
    assert trust.tolist() != pytest.approx(TRUST)


def test_it_imitates_nobody_unless_it_is_asked_to(run, tmp_path):
    assert checkpoint.read(run / "training.pt", "pachessi")["imitated"] == 0
    train(tmp_path / "run", imitation=1, teacher="random")
    assert checkpoint.read(tmp_path / "run" / "training.pt", "pachessi")["imitated"] > 0


def test_a_run_goes_on(run, tmp_path):
    train(tmp_path / "run")
    train(tmp_path / "run", resume=True, steps=2 * STEPS)
    assert checkpoint.read(tmp_path / "run" / "training.pt", "pachessi")["steps"] == 2 * STEPS


def test_the_agent_is_a_player(run):
    player = players.make(str(run), "pachessi", seed=1)
    batch = Batch("pachessi", 8, seed=1)
    for _ in range(20):
        batch.step(players.choose(player, batch, EVERY))


def test_dense_layers_learn_too_and_are_played_with(tmp_path):
    train(tmp_path / "dense", layers="dense")
    content = checkpoint.read(tmp_path / "dense" / checkpoint.AGENT_FILE, "pachessi", "layers")
    assert (content["layers"], content["width"]) == ("dense", 256)
    player = checkpoint.load_player(tmp_path / "dense", seed=1)
    assert isinstance(player, NetworkPlayer)
    assert isinstance(player.policy.features_extractor.planes, DensePlanes)
    assert "--layers dense" in publish.publish(tmp_path / "dense", None, 4, 1, tmp_path).read_text()


def test_the_card_says_so(run, tmp_path):
    assert "--opinion" in publish.publish(run, None, 4, 1, tmp_path).read_text()


def test_self_play_with_search_goes_on_from_it_and_is_resumed(run, tmp_path):
    settings = AlphaZeroSettings(
        "pachessi",
        minutes=None,
        steps=4000,
        games=64,
        threads=1,
        start=str(run),
        simulations=2,
        searched=1.0,
        opponents=(),
        value_games=2,
        options={"turn_limit": 8},
    )
    learn(settings, tmp_path / "other")
    content = checkpoint.read(tmp_path / "other" / "training.pt", "pachessi", "opinion", "updates")
    assert content["opinion"] is True
    assert content["updates"] > 0
    learn(replace(settings, steps=4500), tmp_path / "other", resume=True)
    player = checkpoint.load_player(tmp_path / "other", seed=1)
    batch = Batch("pachessi", 8, seed=1)
    for _ in range(5):
        batch.step(players.choose(player, batch, EVERY))


def test_the_values_of_a_search_begin_as_how_far_somebody_leads(run, tmp_path):
    settings = AlphaZeroSettings(
        "pachessi", minutes=None, steps=1, games=4, start=str(run), opponents=(), value_games=0
    )
    learn(settings, tmp_path / "other")
    player = checkpoint.load_player(tmp_path / "other", seed=1)
    assert isinstance(player, NetworkSearchPlayer)
    batch = Batch("pachessi", 8, seed=1)
    for _ in range(40):
        batch.step(batch.sample())
    parts = {
        name: torch.from_numpy(part) for name, part in told(player.policy, batch, EVERY).items()
    }
    with torch.no_grad():
        values = player.policy.value_net(features_of(player.policy, parts))
    assert parts["standing"].unique().numel() > 4
    assert torch.equal(values, parts["standing"])


def test_a_search_is_told_what_the_network_would_be():
    policy = new_policy("pachessi", {}, 8, opinion=True)
    batch = Batch("pachessi", 8, seed=1)
    for _ in range(20):
        batch.step(batch.sample())
    evaluate = network_evaluator(policy, variants.find("pachessi"))
    asked = batch.observation, batch.action_mask, batch.states, batch.options_record
    logits, values = evaluate(*asked)
    parts = parts_of(batch.observation, opinions_in(batch, EVERY))
    told = {name: torch.tensor(part) for name, part in parts.items()}
    with torch.no_grad():
        features = features_of(policy, told)
        assert logits == pytest.approx(policy.action_net(features).numpy(), abs=1e-5)
        assert values == pytest.approx(policy.value_net(features).tanh().numpy()[:, 0], abs=1e-5)
