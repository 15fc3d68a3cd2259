"""Models of Stable-Baselines3 are players, and nothing in their zips is executed."""

import base64
import json
import os
import pickle
import zipfile

import gymnasium
import numpy as np
import pytest
from sb3_contrib import QRDQN, TRPO, MaskablePPO, RecurrentPPO
from stable_baselines3 import A2C, DQN, PPO
from stable_baselines3.common.torch_layers import FlattenExtractor
from stable_baselines3.common.vec_env import DummyVecEnv

from pasgl_env import Batch, players
from pasgl_env.envs.vec import SelfPlayVecEnv
from pasgl_env.players.networks.checkpoint import BadCheckpoint
from pasgl_env.players.networks.policy import (
    LegalPolicy,
    NetworkPlayer,
    policy_class,
    policy_settings,
)

GAMES = np.arange(6)
SMALL = {"net_arch": [8]}


class Own(FlattenExtractor):
    """A features extractor that only this file has."""


def model(kind, policy="MlpPolicy", env=None, **settings):
    env = env or SelfPlayVecEnv("pachessi", 2, illegal="lose", seed=1)
    return kind(policy, env, **{"policy_kwargs": SMALL, "seed": 1, **settings})


def saved(folder, *arguments, **settings):
    model(*arguments, **settings).save(folder / "mine.zip")
    return folder / "mine.zip"


def choices(player):
    """What a player chooses in some games against itself."""
    batch, found = Batch("pachessi", GAMES.size, seed=2), []
    for _ in range(20):
        found.append(players.choose(player, batch, GAMES))
        batch.step(found[-1])
    return np.array(found)


@pytest.mark.parametrize("kind", [MaskablePPO, PPO, A2C, TRPO, DQN, QRDQN])
def test_the_zip_of_any_kind_chooses_legal_actions_as_the_model_does(tmp_path, kind):
    made = model(kind)
    made.save(tmp_path / "mine.zip")
    player = players.make(str(tmp_path / "mine.zip"), "pachessi", seed=3)
    assert player.name == "mine"
    found = choices(player)
    assert (found == choices(players.as_player(made, "pachessi", 3))).all()
    is_drawn = (found != choices(players.as_player(made.policy, "pachessi", 4))).any()
    assert is_drawn == (kind not in (DQN, QRDQN))


def test_a_network_of_values_chooses_the_best_legal_action(tmp_path):
    made, batch = model(DQN), Batch("pachessi", GAMES.size, seed=2)
    values = made.q_net(made.policy.obs_to_tensor(batch.observation)[0]).detach().numpy()
    best = np.where(batch.action_mask == 1, values, -np.inf).argmax(axis=1)
    player = players.make(str(saved(tmp_path, DQN)), "pachessi")
    assert (players.choose(player, batch, GAMES) == best).all()


@pytest.mark.parametrize("form", ["dict", "flat"])
def test_observations_may_be_flat_or_hold_the_mask(tmp_path, form):
    def make():
        env = gymnasium.make("pasgl_env/Pachessi-v0", mask_in_observation=form == "dict")
        return env if form == "dict" else gymnasium.wrappers.FlattenObservation(env)

    policy = "MultiInputPolicy" if form == "dict" else "MlpPolicy"
    file = saved(tmp_path, PPO, policy, DummyVecEnv([make]))
    choices(players.make(str(file), "pachessi", seed=1))


def test_networks_of_this_package_are_played_as_such(tmp_path):
    settings = {"policy_kwargs": policy_settings("dense", 8)}
    file = saved(tmp_path, MaskablePPO, policy_class("dense"), **settings)
    choices(players.make(str(file), "pachessi"))
    headed = {"policy_kwargs": policy_settings("convolutional", 8)}
    file = saved(tmp_path, MaskablePPO, policy_class("convolutional"), **headed)
    assert isinstance(players.make(str(file), "pachessi"), NetworkPlayer)


def test_a_distribution_over_legal_actions_chooses_as_the_usual_one(tmp_path):
    files = (saved(tmp_path, MaskablePPO, each) for each in (LegalPolicy, "MlpPolicy"))
    own, usual = (choices(players.make(str(file), "pachessi", seed=3)) for file in files)
    assert (own == usual).all()


def test_another_variant_is_refused_with_both_shapes(tmp_path):
    player = players.make(str(saved(tmp_path, PPO)), "pasgl312")
    with pytest.raises(ValueError, match=r"'mine' was trained on .* 393 actions, not .* pasgl312"):
        players.choose(player, Batch("pasgl312", 2), GAMES[:2])


def test_a_model_with_a_memory_is_refused(tmp_path):
    file = saved(tmp_path, RecurrentPPO, "MlpLstmPolicy")
    with pytest.raises(ValueError, match="mine is recurrent"):
        players.make(str(file), "pachessi")


def test_a_class_of_its_own_is_named(tmp_path):
    file = saved(tmp_path, PPO, policy_kwargs={"features_extractor_class": Own})
    with pytest.raises(
        BadCheckpoint, match=r"needs .*Own, which is not of Stable-Baselines3: load"
    ):
        players.make(str(file), "pachessi")


class Evil:
    def __reduce__(self):
        return os.mkdir, ("executed",)


def test_nothing_in_a_zip_is_executed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = saved(tmp_path, PPO)
    with zipfile.ZipFile(file) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    data = json.loads(content["data"])
    data["policy_kwargs"] = {":serialized:": base64.b64encode(pickle.dumps(Evil())).decode()}
    with zipfile.ZipFile(file, "w") as archive:
        for name, each in {**content, "data": json.dumps(data).encode()}.items():
            archive.writestr(name, each)
    with pytest.raises(BadCheckpoint, match=r"needs posix\.mkdir"):
        players.make(str(file), "pachessi")
    assert not (tmp_path / "executed").exists()


def test_another_zip_is_refused(tmp_path):
    (tmp_path / "diary.zip").write_bytes(b"my diary")
    with pytest.raises(BadCheckpoint, match="is not a model of Stable-Baselines3"):
        players.make(str(tmp_path / "diary.zip"), "pachessi")
    with pytest.raises(FileNotFoundError):
        players.make(str(tmp_path / "none.zip"), "pachessi")
