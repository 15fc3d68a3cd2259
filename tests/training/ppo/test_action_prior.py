"""Networks that observe the greedy player's action prior."""

import shutil
from typing import Any

import numpy as np
import pytest
import torch

from pasgl_env import Batch, players, variants
from pasgl_env.envs.vec import SelfPlayVecEnv
from pasgl_env.players import trained
from pasgl_env.players.networks import checkpoint
from pasgl_env.players.networks.policy import (
    LEAD_WEIGHT,
    PRIOR_WEIGHTS,
    DensePlanes,
    NetworkPlayer,
    features_of,
    new_policy,
    observations_of,
    prior_of,
)
from pasgl_env.players.trained import LAYERS
from pasgl_env.players.values import weights
from pasgl_env.players.values.action_prior import action_priors_in
from pasgl_env.training.ppo import train as trainer
from pasgl_env.training.ppo.action_prior import ActionPriorVecEnv
from pasgl_env.training.settings import PpoSettings

EVERY = np.arange(8)
STEPS = 8 * trainer.ROLLOUT


def train(out, *, resume=False, **changes):
    values: dict[str, Any] = {"minutes": None, "steps": STEPS, "games": 8, "threads": 1, "seed": 3}
    values |= {"evaluations": 0, "action_prior": "greedy", "width": 4}
    return trainer.train(PpoSettings("pachessi", **{**values, **changes}), out, resume=resume)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("action_prior") / "run"
    train(folder)
    return folder


@pytest.mark.parametrize("prior", ["greedy", "td"])
@pytest.mark.parametrize("layers", LAYERS)
def test_an_untrained_network_plays_what_its_prior_holds_best(layers, prior):
    policy = new_policy(variants.ruleset("pachessi"), layers=layers, action_prior=prior)
    player = NetworkPlayer(policy, "new", temperature=0, seed=1)
    batch = Batch("pachessi", 8, seed=1)
    for _ in range(30):
        chosen = players.choose(player, batch, EVERY)
        assert (action_priors_in(batch, EVERY, prior).actions[EVERY, chosen] == 0).all()
        batch.step(batch.sample())


@pytest.mark.parametrize("prior", ["greedy", "td"])
def test_the_learner_is_told_of_its_own_actions(prior):
    games = SelfPlayVecEnv("pachessi", 8, opponents=["random"], seed=1, turn_limit=20)
    env = ActionPriorVecEnv(games, prior)
    seen: Any = env.reset()
    ended = 0
    for _ in range(60):
        assert (seen["planes"] == games.batch.observation).all()
        action_prior = action_priors_in(games.batch, EVERY, prior)
        assert (seen["action_prior"] == action_prior.actions).all()
        assert (seen["standing"] == action_prior.standing).all()
        assert env.observation_space.contains({name: part[0] for name, part in seen.items()})
        seen, _, _, infos = env.step(games.sample())
        for info in infos:
            if "terminal_observation" in info:
                ended += 1
                assert env.observation_space.contains(info["terminal_observation"])
    assert ended


@pytest.mark.parametrize("prior", ["greedy", "td"])
def test_where_a_game_was_truncated_the_action_prior_is_that_of_the_last_position(prior):
    games = SelfPlayVecEnv("pachessi", 8, opponents=["random"], seed=1, turn_limit=20)
    env = ActionPriorVecEnv(games, prior)
    env.reset()
    truncated = 0
    for _ in range(60):
        _, _, _, infos = env.step(games.sample())
        ended = games.duel.ended
        for row, game in enumerate(ended.game):
            last: Any = infos[game]["terminal_observation"]
            if not infos[game]["TimeLimit.truncated"]:
                assert not last["action_prior"].any() and not last["standing"].any()
                continue
            truncated += 1
            there = Batch("pachessi", 1)
            there.states = ended.state[row : row + 1]
            action_prior = action_priors_in(there, EVERY[:1], prior)
            assert (last["action_prior"] == action_prior.actions[0]).all()
            assert (last["standing"] == action_prior.standing[0]).all()
    assert truncated


def test_an_untrained_network_values_positions_as_its_prior_does():
    policy, batch = (
        new_policy(variants.ruleset("pachessi"), 8, action_prior="td"),
        Batch("pachessi", 8, seed=1),
    )
    for _ in range(30):
        batch.step(batch.sample())
    parts = observations_of(policy, batch, EVERY)
    features = features_of(policy, {name: torch.from_numpy(part) for name, part in parts.items()})
    assert (policy.value_net(features).detach().numpy() == parts["standing"]).all()


@pytest.fixture(scope="module")
def run_on_values(tmp_path_factory):
    folder = tmp_path_factory.mktemp("action_prior") / "run"
    train(folder, action_prior="td")
    return folder


def test_a_run_on_learned_values_goes_on_and_plays(run_on_values, tmp_path):
    folder = shutil.copytree(run_on_values, tmp_path / "run")
    status = train(folder, resume=True, steps=2 * STEPS, action_prior="td")
    assert status.steps == 2 * STEPS
    assert prior_of(checkpoint.load_player(folder).policy) == "td"


def test_other_learned_values_than_those_of_training_are_refused(
    run_on_values, tmp_path, monkeypatch
):
    folder = shutil.copytree(run_on_values, tmp_path / "run")
    monkeypatch.setattr(weights, "shipped", weights.unlearned)
    with pytest.raises(checkpoint.BadCheckpoint, match="other learned values of pachessi"):
        checkpoint.load_player(folder)
    with pytest.raises(checkpoint.BadCheckpoint, match="other learned values of pachessi"):
        train(folder, resume=True, steps=2 * STEPS, action_prior="td")


def test_a_run_does_not_start_with_an_agent_of_another_prior(run, tmp_path):
    with pytest.raises(ValueError, match="does not fit"):
        train(tmp_path / "run", action_prior="td", start=str(run))


@pytest.mark.parametrize("layers", LAYERS)
def test_value_depends_on_the_standing_and_on_no_action_prior_of_actions(layers):
    policy = new_policy(variants.ruleset("pachessi"), layers=layers, action_prior="greedy")
    planes = torch.rand(2, 65, 7, 7)

    def scored(action_prior, standing):
        parts = {
            "planes": planes,
            "action_prior": torch.full((2, 393), action_prior),
            "standing": torch.full((2, 1), standing),
        }
        features = policy.features_extractor(parts)
        return policy.action_net(features), policy.value_net(features)

    actions, value = scored(-1.0, 0.5)
    others, same_value = scored(0.0, 0.5)
    assert torch.equal(value, same_value)
    assert not torch.equal(actions, others)
    same_actions, other_value = scored(-1.0, 1.0)
    assert torch.equal(actions, same_actions)
    assert torch.allclose(other_value - value, torch.tensor(0.5 * LEAD_WEIGHT))


@pytest.mark.parametrize("layers", LAYERS)
def test_what_is_learned_from_are_the_chances_by_which_it_plays(layers):
    """Learning scores the legal actions only, play scores all."""
    policy = new_policy(variants.ruleset("pachessi"), layers=layers, action_prior="greedy")
    torch.manual_seed(1)
    mask = torch.rand(5, 393) < 0.1
    mask[:, 7] = True
    parts = {
        "planes": torch.rand(5, 65, 7, 7).round(),
        "action_prior": torch.where(torch.rand(5, 393) < 0.2, 0.0, -torch.rand(5, 393)),
        "standing": torch.rand(5, 1),
    }
    with torch.no_grad():
        scores = policy.action_net(features_of(policy, parts)).masked_fill(~mask, -torch.inf)
        learned = policy.get_distribution(parts, mask.numpy()).log_prob(torch.full((5,), 7))
    assert torch.allclose(learned, scores.log_softmax(1)[:, 7], atol=1e-5)


def test_how_much_it_trusts_is_learned(run):
    trust = checkpoint.read(run / "agent.pt", "pachessi")["policy"]["action_net.trust"]
    assert trust.tolist() != pytest.approx(PRIOR_WEIGHTS)


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
    train(tmp_path / "dense", layers="dense", width=None)
    content = checkpoint.read(tmp_path / "dense" / trained.AGENT_FILE, "pachessi", "layers")
    assert (content["layers"], content["width"]) == ("dense", 256)
    player = checkpoint.load_player(tmp_path / "dense", seed=1)
    assert isinstance(player, NetworkPlayer)
    assert isinstance(player.policy.features_extractor.planes, DensePlanes)
