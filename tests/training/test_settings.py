"""Settings of runs: validation, storage, and the commands on cards."""

from dataclasses import fields

import pytest

from pasgl_env.training.runs import RunExists, read_settings, write_settings
from pasgl_env.training.settings import (
    ALGORITHMS,
    PpoSettings,
    RllibSettings,
    TdSettings,
    command_of,
    settings_of,
)


@pytest.mark.parametrize("kind", ALGORITHMS.values())
def test_every_setting_has_help_and_every_number_a_range(kind):
    known = settings_of(kind)
    assert {each.name for each in fields(kind)} == {*known, "variant", "options"}
    for each in known.values():
        assert each.help.endswith(".")
        assert each.metavar != "N" or not each.allows(-1)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"width": 10_000}, "width must be from 1 to 8192, not 10000"),
        ({"games": 10**6}, "games must be from 1 to 65536, not 1000000"),
        ({"seed": 2**64}, "seed must be from 0 to 9223372036854775807"),
    ],
)
def test_numbers_that_no_machine_can_use_are_refused(wrong, reason):
    with pytest.raises(ValueError, match=reason):
        PpoSettings("pasgl312", **wrong)


@pytest.mark.parametrize("kind", ALGORITHMS.values())
def test_a_folder_keeps_them(kind, tmp_path):
    settings = kind("pasgl312", seed=7, options={"win_margin": 20})
    write_settings(settings, tmp_path)
    assert read_settings(tmp_path, kind) == settings


def test_a_folder_of_another_algorithm_is_refused(tmp_path):
    write_settings(TdSettings("pachessi"), tmp_path)
    message = r"no run to resume with --algorithm rllib \(settings.json: there is no iterations\)"
    with pytest.raises(RunExists, match=message):
        read_settings(tmp_path, RllibSettings)


@pytest.mark.parametrize("variant, imitated_decisions", [("pasgl312", 0), ("spalding", 60_000)])
def test_convolutional_networks_imitate_first(variant, imitated_decisions):
    assert PpoSettings(variant).imitated_decisions == imitated_decisions
    assert PpoSettings(variant, imitation=500).imitated_decisions == 500


def test_a_prior_of_learned_values_needs_them():
    assert PpoSettings("pachessi", action_prior="td", horizon=50).action_prior == "td"
    for variant, options in [("overlord", {"command_range": 2}), ("pachessi", {"laps": 2})]:
        with pytest.raises(ValueError, match="action_prior td needs learned values"):
            PpoSettings(variant, action_prior="td", options=options)


@pytest.mark.parametrize(
    "variant, prior, rewards_points",
    [("pasgl312", "none", True), ("pasgl312", "td", False), ("pachessi", "none", False)],
)
def test_learned_values_are_of_winning_and_so_are_the_rewards(variant, prior, rewards_points):
    assert PpoSettings(variant, action_prior=prior).rewards_points == rewards_points
    assert PpoSettings(variant, action_prior=prior, reward="outcome").rewards_points is False


class TestCommand:
    def test_of_ppo(self):
        settings = PpoSettings(
            "pasgl312",
            minutes=None,
            steps=1_234_567,
            start="ppo:pasgl312",
            horizon=9,
            opponents=("greedy",),
            past_selves=0,
            learning_rate=0.00003,
            imitation=5000,
            teacher="mcts:50",
            action_prior="greedy",
            temperature=1.0,
        )
        assert command_of(settings) == (
            "pasgl train pasgl312 --seed 0 --threads 2 --start ppo:pasgl312 --horizon 9"
            " --steps 1234567 --games 256 --opponents greedy --past-selves 0"
            " --learning-rate 3e-05 --imitation 5000 --teacher mcts:50 --action-prior greedy"
            " --temperature 1"
        )

    def test_of_temporal_differences(self):
        settings = TdSettings("pachessi", decay=0.8, options={"players": 4})
        assert command_of(settings) == (
            "pasgl train pachessi --algorithm td --minutes 8 --seed 0 --threads 2 --decay 0.8"
            " --set players=4"
        )
        assert command_of(TdSettings("overlord", extra_variants=())).endswith(
            ' --threads 2 --extra-variants ""'
        )
