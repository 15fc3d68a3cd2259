"""The DQN script."""

from dataclasses import replace

import pytest

pytest.importorskip("sb3_contrib")

import torch
from typer.testing import CliRunner

from agents import dqn
from pasgl_env import variants
from pasgl_env.evaluation import play_match
from pasgl_env.training.runs import check_is_free, log_rows

RULESET = variants.ruleset("pachessi")
SETTINGS = dqn.Settings(RULESET, steps=256, games=16, replay=320, batch=8, decisions=32)


def test_what_it_writes_plays_and_its_learning_curve_ends_with_it(tmp_path):
    told = list[float]()
    settings = replace(SETTINGS, evaluations=4, evaluation_games=6)
    dqn.train(settings, tmp_path, lambda done, text: told.append(done))
    assert told == sorted(told)
    assert 0 < told[-1] < 1
    agent, curve = str(tmp_path / "agent.pt"), log_rows(tmp_path)
    assert [row["steps"] for row in curve] == [64, 128, 192, 256]
    match = play_match(RULESET, agent, "greedy", 6, seed=0, paired=True)
    assert curve[-1]["evaluation"] == {"greedy": match.all.score_rate.value}


def test_matches_during_a_training_do_not_change_it(tmp_path):
    folders = [tmp_path / str(count) for count in (0, 4)]
    for count, folder in zip((0, 4), folders, strict=True):
        settings = replace(SETTINGS, evaluations=count, evaluation_games=2)
        dqn.train(settings, folder, lambda done, text: None)
    first, second = ((folder / "agent.pt").read_bytes() for folder in folders)
    assert first == second


@pytest.mark.parametrize("held", ["agent.pt", "training.safetensors", "log.jsonl"])
def test_what_a_folder_holds_is_not_overwritten(tmp_path, held):
    (tmp_path / held).write_bytes(b"mine")
    told = CliRunner().invoke(dqn.app, ["pachessi", "--out", str(tmp_path)])
    assert told.exit_code == 2
    assert f"holds {held} already: give another folder" in told.output
    assert (tmp_path / held).read_bytes() == b"mine"


def test_an_interrupted_run_leaves_nothing_that_refuses_its_repetition(tmp_path):
    def interrupted(done, text):
        if done > 0.5:
            raise KeyboardInterrupt

    settings = replace(SETTINGS, evaluations=4, evaluation_games=2)
    with pytest.raises(KeyboardInterrupt):
        dqn.train(settings, tmp_path, interrupted)
    check_is_free(tmp_path)


def test_bad_arguments_are_told_in_a_line(tmp_path):
    (tmp_path / "file").touch()
    wrong = [
        (["chess"], "no variant 'chess'"),
        (["pachessi", "--steps", "64"], "greater than or equal to 10000"),
        (["pachessi", "--out", str(tmp_path / "file" / "in")], "Not a directory"),
    ]
    for arguments, message in wrong:
        told = CliRunner().invoke(dqn.app, arguments)
        assert told.exit_code == 2
        assert message in told.output


def test_the_future_is_that_of_the_best_legal_action():
    learner = dqn.Learner(replace(SETTINGS, learning_rate=0.01))
    planes, actions = RULESET.spaces.observation, RULESET.spaces.actions
    bias = torch.zeros(actions)
    bias[1], bias[2] = 0.5, 0.9  # the second is not legal
    for each in (learner.network, learner.later):
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
    for _ in range(300):
        learner.update(rows)
    learned = learner.network.action_net(learner.features(learner.network, rows["seen"]))
    assert learned[0, 3].item() == pytest.approx(0.5 * SETTINGS.discount, abs=0.02)
    assert learned[1, 4].item() == pytest.approx(-1, abs=0.02)
