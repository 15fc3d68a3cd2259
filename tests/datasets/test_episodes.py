import gymnasium
import numpy as np
import pytest

pytest.importorskip("scipy")
pytest.importorskip("pyarrow")
pytest.importorskip("minari")

import minari

from pasgl_env import datasets
from pasgl_env.datasets.episodes import episodes
from pasgl_env.envs.registration import gymnasium_id


@pytest.mark.filterwarnings("ignore:.*is set to None:UserWarning")
def test_minari_reads_the_episodes_back(small_folder, tmp_path, monkeypatch):
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    data = datasets.load(small_folder("pachessi"))
    data.to_minari("pachessi/mcts-v0", author="somebody")
    read = minari.load_dataset("pachessi/mcts-v0")
    assert read.total_steps == len(data)
    assert read.total_episodes == 2 * np.unique(data.columns["game"]).size
    for episode in read.iterate_episodes():
        assert len(episode.observations) == len(episode.actions) + 1 == len(episode.rewards) + 1
        assert all(observation in read.observation_space for observation in episode.observations)
        assert all(action in read.action_space for action in episode.actions)
        done = episode.terminations | episode.truncations
        assert done[-1] and not done[:-1].any()
        legal = episode.infos["action_mask"][np.arange(len(episode)), episode.actions]
        assert legal.all()
    env = read.recover_environment()
    assert env.unwrapped.spec.kwargs["opponent"] == data.player
    assert env.observation_space == read.observation_space


class Replayed:
    """An opponent that plays the actions of a game in order, and then any."""

    def __init__(self, actions):
        self.name, self.actions = "replayed", list(actions)

    def choose(self, batch, games):
        return np.array([self.actions.pop(0) if self.actions else batch.action_mask[0].argmax()])


def test_an_episode_is_as_the_environment_gives_it(small_folder):
    """Replayed against the recorded opponent; PASGL 312 Chess has no dice."""
    data = datasets.load(small_folder("pasgl312"))
    game = data[data.columns["game"] == data.columns["game"][-1]]
    *_, first, second = episodes(data)
    for episode, side in ((first, 0), (second, 1)):
        theirs = game["action"][game["player"] != side]
        options = {"opponent": Replayed(theirs), "learner": side, **data.ruleset.options}
        duel = gymnasium.make(gymnasium_id("pasgl312"), **options).unwrapped
        observation, info = duel.reset(seed=0, options={"position": game_start(data)})
        for step, action in enumerate(episode["actions"]):
            assert (observation == episode["observations"][step]).all()
            assert set(info) == set(episode["infos"])
            assert all((info[name] == episode["infos"][name][step]).all() for name in info)
            observation, reward, terminated, truncated, info = duel.step(action)
            assert (reward, terminated) == (episode["rewards"][step], episode["terminations"][step])
        assert truncated == episode["truncations"][-1]
        if side == 0:  # which is to act at the turn limit; others wait for their opponent's turn
            assert (observation == episode["observations"][-1]).all()


def game_start(data):
    """The text of the position in which the last game begins."""
    first = np.flatnonzero(data.columns["step"] == 0)[-1]
    return data.table["text"][int(first)].as_py()
