"""The DQN script."""

from dataclasses import replace

import pytest

pytest.importorskip("sb3_contrib")

import torch
from typer.testing import CliRunner

from agents import dqn
from pasgl_env import variants
from pasgl_env.evaluation import play_match
from pasgl_env.players.networks.policy import new_policy

RULESET = variants.ruleset("pachessi")
SETTINGS = dqn.Settings(RULESET, steps=256, games=16, replay=320, batch=8, decisions=32)


def test_what_it_writes_plays(tmp_path):
    told = list[float]()
    dqn.train(replace(SETTINGS, target=1), tmp_path, lambda done, text: told.append(done))
    assert told == sorted(told)
    assert 0 < told[-1] < 1
    agent = str(tmp_path / "agent.pt")
    assert play_match(RULESET, agent, "random", 2, seed=1).all.games == 2


def test_an_agent_is_not_overwritten_and_bad_arguments_are_told_in_a_line(tmp_path):
    (tmp_path / "agent.pt").write_bytes(b"mine")
    taken = ["pachessi", "--out", str(tmp_path)]
    wrong = [
        (taken, "holds an agent already: give another folder"),
        (["chess"], "no variant 'chess'"),
        (["pachessi", "--steps", "64"], "greater than or equal to 10000"),
        (["pachessi", "--out", str(tmp_path / "agent.pt" / "in")], "Not a directory"),
    ]
    for arguments, message in wrong:
        told = CliRunner().invoke(dqn.app, arguments)
        assert told.exit_code == 2
        assert message in told.output
    assert (tmp_path / "agent.pt").read_bytes() == b"mine"


def test_the_future_is_that_of_the_best_legal_action():
    torch.manual_seed(0)
    network, later = (new_policy(RULESET, layers="dense", width=4) for _ in range(2))
    planes, actions = RULESET.spaces.observation, RULESET.spaces.actions
    bias = torch.zeros(actions)
    bias[1], bias[2] = 0.5, 0.9  # the second is not legal
    for each in (network, later):
        assert isinstance(each.action_net, torch.nn.Linear)
        torch.nn.init.zeros_(each.action_net.weight)
        each.action_net.bias.data = bias.clone()
    mask = torch.zeros(2, actions)
    mask[:, 1] = 1
    rows = {
        "seen": torch.zeros(2, *planes),
        "then": torch.zeros(2, *planes),
        "mask": mask,
        "action": torch.tensor([3, 4]),
        "reward": torch.tensor([0.0, -1.0]),
        "ended": torch.tensor([False, True]),
    }
    adam = torch.optim.Adam(network.parameters(), 0.01)
    for _ in range(300):
        dqn.learn(network, later, adam, rows, planes, SETTINGS)
    learned = dqn.values(network, rows["seen"], planes)
    assert learned[0, 3].item() == pytest.approx(0.5 * SETTINGS.discount, abs=0.02)
    assert learned[1, 4].item() == pytest.approx(-1, abs=0.02)
