"""The PPO script for the GPU, tested as far as possible on a CPU."""

import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

torch = pytest.importorskip("torch")

SCRIPT = Path(__file__).parents[2] / "agents" / "ppo_cuda.py"
TINY: dict[str, Any] = {
    "variant": "pachessi",
    "device": "cpu",
    "games": 12,
    "random_games": 4,
    "copy_games": 4,
    "steps": 8,
    "updates": 2,
    "width": 2,
    "minibatch": 32,
    "copy_every": 1,
    "match_every": 2,
    "match_games": 2,
}


@pytest.fixture(scope="module")
def script():
    return SimpleNamespace(**runpy.run_path(str(SCRIPT)))


@pytest.fixture(autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def test_learns_on_a_cpu(script, capsys):
    network = script.train(script.Settings(**TINY))
    said = capsys.readouterr().out
    assert "update 2: 192 decisions" in said
    assert "against greedy" in said
    assert network.policy.weight.abs().sum() > 0  # 0 at first


def test_legal_actions_are_played_and_the_learner_learns_its_own(script):
    settings = script.Settings(**TINY)
    games = script.Games(settings)
    network = script.Network(games.batch.observation_shape, games.batch.num_actions, 2)
    opponents = script.Opponents(settings, network, games.device)
    rollout = script.Rollout.empty(games, 8)
    script.play(games, network, opponents, rollout)
    assert rollout.mask.gather(2, rollout.action[..., None]).all()
    assert rollout.learns[:, 8:].all()  # both sides of self-play
    own = rollout.learns[:, :8].float().mean()
    assert 0 < own < 1
    assert rollout.log_probability.isfinite().all()


def test_what_is_good_for_one_team_is_bad_for_the_other(script):
    """The first player acts, then the second twice, and wins with the second of these actions."""
    values = torch.tensor([0.1, 0.2, 0.3, 0.9])[:, None]
    empty = torch.empty(0)
    rollout = script.Rollout(
        empty,
        empty,
        empty,
        empty,
        value=values,
        reward=torch.tensor([0.0, 0.0, 1.0])[:, None],
        side=torch.tensor([-1.0, 1.0, 0.0])[:, None],
        learns=empty,
    )
    errors = [-0.2 - 0.1, 0.3 - 0.2, 1 - 0.3]
    alone = script.advantages(rollout, discount=1.0, trace=0.0).squeeze(1)
    assert alone.tolist() == pytest.approx(errors)
    whole = script.advantages(rollout, discount=1.0, trace=1.0).squeeze(1)
    # With λ = 1: the outcome from the acting team's view, minus the value.
    assert whole.tolist() == pytest.approx([-1 - 0.1, 1 - 0.2, 1 - 0.3])


def test_draws_are_as_likely_as_they_should_be(script):
    torch.manual_seed(0)
    probabilities = torch.tensor([0.7, 0.2, 0.1, 0.0])
    actions = script.drawn(probabilities.log().repeat(20_000, 1))
    shares = torch.bincount(actions, minlength=4) / 20_000
    assert shares.tolist() == pytest.approx(probabilities.tolist(), abs=0.02)
    assert shares[3] == 0
