"""Networks that observe the greedy player's action prior."""

from typing import Any

import numpy as np
import pytest
import torch

from pasgl_env import Batch, players
from pasgl_env.envs.vec import SelfPlayVecEnv
from pasgl_env.players.action_prior import action_priors_in
from pasgl_env.training.ppo import checkpoint
from pasgl_env.training.ppo import train as trainer
from pasgl_env.training.ppo.action_prior import ActionPriorVecEnv
from pasgl_env.training.ppo.network import (
    TRUST,
    TRUST_IN_LEAD,
    DensePlanes,
    NetworkPlayer,
    features_of,
    new_policy,
)
from pasgl_env.training.settings import LAYERS, PpoSettings

EVERY = np.arange(8)
STEPS = 8 * trainer.ROLLOUT


def train(out, *, resume=False, **changes):
    values = {"minutes": None, "steps": STEPS, "games": 8, "threads": 1, "seed": 3}
    values |= {"evaluations": 0, "action_prior": True, "width": 4}
    return trainer.train(PpoSettings("pachessi", **{**values, **changes}), out, resume=resume)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("action_prior") / "run"
    train(folder)
    return folder


@pytest.mark.parametrize("layers", LAYERS)
def test_an_untrained_network_plays_what_the_greedy_player_holds_best(layers):
    policy = new_policy("pachessi", {}, layers=layers, action_prior=True)
    player = NetworkPlayer(policy, "new", temperature=0, seed=1)
    batch = Batch("pachessi", 8, seed=1)
    for _ in range(30):
        chosen = players.choose(player, batch, EVERY)
        assert (action_priors_in(batch, EVERY).actions[EVERY, chosen] == 0).all()
        batch.step(batch.sample())


def test_the_learner_is_told_of_its_own_actions():
    games = SelfPlayVecEnv("pachessi", 8, opponents=["random"], seed=1, turn_limit=20)
    env = ActionPriorVecEnv(games)
    seen: Any = env.reset()
    ended = 0
    for _ in range(60):
        assert (seen["planes"] == games.batch.observation).all()
        action_prior = action_priors_in(games.batch, EVERY)
        assert (seen["action_prior"] == action_prior.actions).all()
        assert (seen["standing"] == action_prior.standing).all()
        assert env.observation_space.contains({name: part[0] for name, part in seen.items()})
        seen, _, _, infos = env.step(games.sample())
        for info in infos:
            if "terminal_observation" in info:
                ended += 1
                assert env.observation_space.contains(info["terminal_observation"])
    assert ended


def test_where_a_game_was_truncated_the_action_prior_is_that_of_the_last_position():
    games = SelfPlayVecEnv("pachessi", 8, opponents=["random"], seed=1, turn_limit=20)
    env = ActionPriorVecEnv(games)
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
            action_prior = action_priors_in(there, EVERY[:1])
            assert (last["action_prior"] == action_prior.actions[0]).all()
            assert (last["standing"] == action_prior.standing[0]).all()
    assert truncated


@pytest.mark.parametrize("layers", LAYERS)
def test_value_depends_on_the_standing_and_on_no_action_prior_of_actions(layers):
    policy = new_policy("pachessi", {}, layers=layers, action_prior=True)
    planes = torch.rand(2, 65, 7, 7)

    def told(action_prior, standing):
        parts = {
            "planes": planes,
            "action_prior": torch.full((2, 393), action_prior),
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
    """Learning scores the legal actions only, play scores all."""
    policy = new_policy("pachessi", {}, layers=layers, action_prior=True)
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
    train(tmp_path / "dense", layers="dense", width=None)
    content = checkpoint.read(tmp_path / "dense" / checkpoint.AGENT_FILE, "pachessi", "layers")
    assert (content["layers"], content["width"]) == ("dense", 256)
    player = checkpoint.load_player(tmp_path / "dense", seed=1)
    assert isinstance(player, NetworkPlayer)
    assert isinstance(player.policy.features_extractor.planes, DensePlanes)
