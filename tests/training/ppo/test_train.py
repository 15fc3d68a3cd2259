"""Training runs: their files, how they stop, and how they resume."""

import errno
import fcntl
import json
import multiprocessing
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
from time import monotonic, sleep
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO

from pasgl_env import Batch, players, variants
from pasgl_env.cli.train import time_table
from pasgl_env.envs.vec import SelfPlayVecEnv
from pasgl_env.evaluation import play_match
from pasgl_env.players.networks import checkpoint
from pasgl_env.players.networks.checkpoint import BadCheckpoint
from pasgl_env.players.networks.policy import (
    NetworkPlayer,
    design_of,
    drawn,
    features_of,
    new_policy,
    observations_of,
)
from pasgl_env.storage.files import InUse
from pasgl_env.training import runs
from pasgl_env.training.ppo import league
from pasgl_env.training.ppo import train as trainer
from pasgl_env.training.ppo.imitation import Imitation
from pasgl_env.training.ppo.league import ITSELF, is_own
from pasgl_env.training.ppo.run import Status
from pasgl_env.training.runs import RunExists, read_settings, seed_of
from pasgl_env.training.settings import MOST_SEED, PpoSettings

from . import tiny
from .tiny import GAMES, ROLLOUT_STEPS

FILES = {".lock", "agent.pt", "log.jsonl", "settings.json", "tensorboard", "training.pt"}


def training(folder):
    return checkpoint.read(folder / "training.pt", "pasgl312")


def training_of_spalding(folder):
    return checkpoint.read(folder / "training.pt", "spalding")


def change(folder, **entries):
    """Write another training.pt."""
    checkpoint.write(folder / "training.pt", {**training(folder), **entries})


def log(folder):
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


def updates(folder):
    """How many steps the optimizer has made."""
    return training(folder)["optimizer"]["state"][0]["step"]


def files_of(folder):
    return {path.name for path in folder.iterdir()}


def at_step(wanted, action):
    """A report that does something once, after a number of steps."""
    done: list[Status] = []

    def report(status):
        if status.steps >= wanted and not done:
            done.append(status)
            action()

    return report


def interrupt():
    signal.raise_signal(signal.SIGINT)


class TestARun:
    def test_what_it_leaves(self, finished):
        assert files_of(finished) == FILES
        assert training(finished)["steps"] == 2 * ROLLOUT_STEPS
        assert [row["steps"] for row in log(finished)] == [ROLLOUT_STEPS, 2 * ROLLOUT_STEPS]
        assert read_settings(finished, PpoSettings) == tiny.settings()
        assert any((finished / "tensorboard").iterdir())

    def test_its_agent(self, finished):
        content = checkpoint.read(finished / "agent.pt", "pasgl312")
        assert content["steps"] == 2 * ROLLOUT_STEPS
        agent, training_weights = content["policy"], training(finished)["policy"]
        assert all(torch.equal(agent[name], training_weights[name]) for name in agent)

    def test_the_last_rollout_is_learnt_from(self, finished):
        assert updates(finished) == 2 * 3, "three epochs, each of a minibatch"

    def test_steps_are_rounded_up_to_whole_rollouts(self, tmp_path):
        status = tiny.train(tmp_path / "run", steps=1)
        assert (status.steps, status.progress) == (ROLLOUT_STEPS, 1)
        assert updates(tmp_path / "run") == 3

    def test_a_limit_of_time(self, tmp_path):
        start = monotonic()
        status = tiny.train(tmp_path / "run", steps=None, minutes=0.01)
        assert 0.6 <= status.seconds <= monotonic() - start
        assert status.progress == 1

    def test_reports(self, tmp_path):
        reports: list[Status] = []
        tiny.train(tmp_path / "run", steps=ROLLOUT_STEPS, report=reports.append)
        assert [status.steps for status in reports] == list(range(8, ROLLOUT_STEPS + 1, 8))
        progress = [status.progress for status in reports]
        assert progress == sorted(progress)
        assert reports[-1].seconds_left == 0
        assert all(status.seconds_left for status in reports[:-1])

    @pytest.mark.parametrize(
        "limits, most",
        [({"minutes": 0.5, "steps": 10**9}, 30), ({"minutes": 1000}, 30_000), ({"steps": None}, 0)],
        ids=str,
    )
    def test_time_left_is_that_of_the_limit_that_comes_first(
        self, limits, most, tmp_path, interruptible
    ):
        report = at_step(ROLLOUT_STEPS + 8, interrupt)
        status = tiny.train(tmp_path / "run", report=report, **limits)
        assert (status.seconds_left or 0) <= most
        assert (status.seconds_left is None) == (limits == {"steps": None})

    def test_where_the_time_goes(self, finished):
        for row in log(finished):
            shares = row["time"]
            assert list(shares) == [
                "environment",
                "opponents",
                "network",
                "learning",
                "checkpoints",
            ]
            assert sum(shares.values()) == pytest.approx(1, abs=0.001)
            assert all(share >= 0 for share in shares.values())
        assert all(shares.values()), "every part takes some time"

    def test_the_same_seed_the_same_agent(self, finished, tmp_path):
        tiny.train(tmp_path / "again")
        tiny.train(tmp_path / "other", seed=4)
        first, again, other = (
            checkpoint.read(folder / "agent.pt", "pasgl312")["policy"]["action_net.weight"]
            for folder in (finished, tmp_path / "again", tmp_path / "other")
        )
        assert torch.equal(first, again)
        assert not torch.equal(first, other)

    def test_options_are_kept_in_the_agents_file(self, tmp_path):
        tiny.train(tmp_path / "run", steps=1, options={"win_margin": 5, "fox_range": 1})
        content = checkpoint.read(tmp_path / "run" / "agent.pt", "pasgl312")
        assert content["options"] == {"win_margin": 5, "fox_range": 1}
        assert read_settings(tmp_path / "run", PpoSettings).options == content["options"]

    @pytest.mark.parametrize("opponents", [(), ("random",), ("agent", "greedy")], ids=str)
    def test_fixed_players(self, opponents, finished, tmp_path):
        names = tuple(str(finished) if name == "agent" else name for name in opponents)
        status = tiny.train(
            tmp_path / "run", steps=1, games=16, opponents=names, options={"turn_limit": 8}
        )
        met = {name for name in status.win_rates if not is_own(name)}
        assert met == {"mine" if name == "agent" else name for name in opponents}

    def test_without_past_selves_only_itself_and_the_fixed_players_are_met(
        self, tmp_path, monkeypatch
    ):
        monkeypatch.setattr(league, "ROLLOUTS_BETWEEN_SELVES", 1)
        status = tiny.train(
            tmp_path / "run",
            steps=3 * ROLLOUT_STEPS,
            opponents=("greedy",),
            past_selves=0,
            options={"turn_limit": 8},
        )
        assert set(status.win_rates) == {ITSELF, "greedy"}

    def test_a_past_self_joins_every_so_many_rollouts(self, tmp_path, monkeypatch):
        monkeypatch.setattr(league, "ROLLOUTS_BETWEEN_SELVES", 2)
        tiny.train(tmp_path / "run", steps=3 * ROLLOUT_STEPS)
        assert len(training(tmp_path / "run")["league"]["selves"]) == 2

    def test_what_it_sets_for_pytorch_is_put_back(self, tmp_path):
        torch.set_num_threads(2)
        before = 2, torch.distributions.Distribution._validate_args
        tiny.train(tmp_path / "run", steps=1, threads=1)
        assert (
            torch.get_num_threads(),
            torch.distributions.Distribution._validate_args,
        ) == before

    def test_in_another_thread(self, tmp_path):
        thread = threading.Thread(target=tiny.train, args=(tmp_path / "run",), kwargs={"steps": 1})
        thread.start()
        thread.join(60)
        assert training(tmp_path / "run")["steps"] == ROLLOUT_STEPS

    @pytest.mark.parametrize("games", [1, 2, 7, 8, 64, 96, 100, 256, 257, 1024, 5000])
    def test_minibatches_divide_a_rollout(self, games):
        rollout = games * trainer.ROLLOUT
        size = trainer._minibatch(rollout, 2048)
        assert rollout % size == 0
        assert size == rollout or 1024 < size < max(3073, games + 1)


class TestSettings:
    @pytest.mark.parametrize(
        "changes, message",
        [
            ({"minutes": 0}, "minutes must be above 0"),
            ({"minutes": float("nan")}, "minutes must be a finite number, not nan"),
            ({"minutes": float("inf")}, "minutes must be a finite number, not inf"),
            ({"steps": -1}, "steps must be above 0"),
            ({"games": 0}, "games must be from 1 to 65536"),
            ({"learning_rate": 0}, "learning_rate must be above 0"),
            ({"shaping": -0.1}, "shaping must be from 0 to 1000000"),
            ({"imitation": -1}, "imitation must be 0 or above"),
            ({"temperature": -1}, "temperature must be from 0 to 1000"),
            ({"past_selves": -1}, "past_selves must be 0 or above"),
            ({"horizon": 0}, "horizon must be above 0"),
            ({"width": 0}, "width must be from 1 to 8192"),
            ({"horizon": 10**9}, "turn_limit"),
            ({"evaluations": -1}, "evaluations must be 0 or above"),
            ({"evaluation_games": 3}, "evaluation_games must be even and above 0, not 3"),
            ({"evaluation_games": 0}, "evaluation_games must be even and above 0, not 0"),
            ({"options": {"bears": 1}}, "no option 'bears'"),
            ({"options": {"win_margin": 0}}, "from 1 to 255"),
        ],
        ids=str,
    )
    def test_impossible_values(self, changes, message):
        with pytest.raises(ValueError, match=message):
            tiny.settings(**changes)

    def test_an_unknown_variant(self):
        with pytest.raises(ValueError, match="no variant 'chess'"):
            PpoSettings("chess")

    def test_an_unknown_player(self, tmp_path):
        with pytest.raises(ValueError, match="no player 'nobody'"):
            tiny.train(tmp_path / "run", opponents=("nobody",))
        assert "training.pt" not in files_of(tmp_path / "run")

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "{",
            "[]",
            "null",
            "{}",
            '{"variant": "pasgl312"}',
            '{"variant": "chess", "opponents": []}',
            '{"variant": "pasgl312", "opponents": [], "minutes": "many"}',
            '{"variant": "pasgl312", "opponents": [], "options": 3}',
            '{"variant": "pasgl312", "opponents": [], "gravity": 3}',
        ],
    )
    def test_a_damaged_file(self, text, tmp_path):
        (tmp_path / "settings.json").write_text(text)
        with pytest.raises(RunExists, match="holds no run to resume"):
            read_settings(tmp_path, PpoSettings)


class TestHorizon:
    """Training games may be cut off early; other games are not."""

    def test_games_are_cut_off(self, tmp_path, monkeypatch):
        limits = []

        class Watched(SelfPlayVecEnv):
            def __init__(self, *arguments, **options):
                super().__init__(*arguments, **options)
                limits.append(self.batch.options["turn_limit"])

        monkeypatch.setattr(trainer, "SelfPlayVecEnv", Watched)
        tiny.train(tmp_path / "run", horizon=7, options={"win_margin": 20})
        assert limits == [7]
        assert training(tmp_path / "run")["options"] == {"win_margin": 20}

    def test_not_unless_it_is_asked_for(self):
        usual = tiny.settings()
        assert usual.training_ruleset == variants.ruleset(usual.variant)


def test_a_network_as_wide_as_asked_for(tmp_path):
    tiny.train(tmp_path / "run", width=24)
    agent = players.load(str(tmp_path / "run"))
    assert isinstance(agent, NetworkPlayer)
    assert design_of(agent.policy)["width"] == 24


class TestStart:
    """The first weights may be those of a trained agent."""

    def policy_at_first(self, folder, settings, monkeypatch):
        """Of a run that is stopped when it begins."""

        def stop(self):
            self.stop_asked = True
            return False

        monkeypatch.setattr(trainer.Run, "_goes_on", stop)
        trainer.train(settings, folder)
        return checkpoint.read(folder / "agent.pt", settings.variant)["policy"]

    def test_of_the_same_variant(self, run, tmp_path, monkeypatch):
        settings = tiny.settings(start=str(run))
        first = self.policy_at_first(tmp_path / "new", settings, monkeypatch)
        its = checkpoint.read(run / "agent.pt", "pasgl312")["policy"]
        assert all(torch.equal(first[name], its[name]) for name in its)

    def test_convolutions_fit_a_larger_board(self, tmp_path, monkeypatch):
        common: dict[str, Any] = {
            "games": 2,
            "threads": 1,
            "action_prior": "greedy",
            "temperature": 1.0,
        }
        small, large = tmp_path / "small", tmp_path / "large"
        its = self.policy_at_first(small, PpoSettings("chieftain", **common), monkeypatch)
        settings = PpoSettings("superchief", start=str(small), **common)
        first = self.policy_at_first(large, settings, monkeypatch)
        others = [name for name in first if not torch.equal(first[name], its[name])]
        assert others == ["value_net.head.4.weight"]

    @pytest.mark.parametrize("action_prior", ["none", "greedy"])
    @pytest.mark.parametrize("layers", ["dense", "convolutional"])
    def test_at_another_temperature_it_plays_alike(self, action_prior, layers, tmp_path):
        design = {"layers": layers, "action_prior": action_prior, "imitation": 0}
        tiny.train(tmp_path / "run", temperature=0.5, **design)
        settings, start = tiny.settings(**design), players.load(str(tmp_path / "run"))
        assert isinstance(start, NetworkPlayer)
        policy = new_policy(settings.ruleset, **settings.network)
        trainer.take_weights(policy, str(tmp_path / "run"), 2.0)
        batch = Batch("pasgl312", 64, seed=1, **settings.options)
        games = np.arange(64)
        for _ in range(5):
            batch.step(batch.sample())
        parts = {
            name: torch.tensor(part) for name, part in observations_of(policy, batch, games).items()
        }
        with torch.no_grad():
            earlier = start.policy.action_net(features_of(start.policy, parts))
            scores = policy.action_net(features_of(policy, parts))
        assert (scores / 2.0).allclose(earlier / 0.5, rtol=1e-4)

    @pytest.mark.parametrize("action_prior", ["none", "greedy"])
    def test_scores_are_multiplied_once_and_not_again_by_a_resumed_run(
        self, action_prior, tmp_path
    ):
        first, second = tmp_path / "first", tmp_path / "second"
        rules = {"action_prior": action_prior, "imitation": 0, "learning_rate": 1e-9}
        tiny.train(first, temperature=0.25, **rules)
        rules |= {"temperature": 1.0, "start": str(first)}
        tiny.train(second, **rules)
        tiny.train(second, resume=True, steps=768, **rules)
        plain, sharp = (
            checkpoint.read(folder / "agent.pt", "pasgl312")["policy"] for folder in (first, second)
        )
        for name, weights in plain.items():
            factor = 4 if name.startswith("action_net.") else 1
            assert sharp[name].allclose(factor * weights, rtol=1e-4, atol=1e-6), name

    @pytest.mark.parametrize("earlier, now", [(0.0, 1.0), (0.5, 0.0)])
    def test_from_the_likeliest_action_there_is_no_way_back(self, earlier, now, tmp_path):
        tiny.train(tmp_path / "run", temperature=earlier)
        policy = new_policy(tiny.settings().ruleset, **tiny.settings().network)
        trainer.take_weights(policy, str(tmp_path / "run"), now)
        its = checkpoint.read(tmp_path / "run" / "agent.pt", "pasgl312")["policy"]
        assert all(torch.equal(weights, its[name]) for name, weights in policy.state_dict().items())

    def test_the_critic_learns_alone_at_first(self, run, tmp_path):
        its = checkpoint.read(run / "agent.pt", "pasgl312")["policy"]
        tiny.train(tmp_path / "new", start=str(run))
        new = training(tmp_path / "new")["policy"]
        changed = {name for name in its if not torch.equal(new[name], its[name])}
        assert changed and all(name.startswith("value_net.") for name in changed)

    @pytest.mark.parametrize(
        "start, message",
        [
            ("ppo:spalding", "does not fit this variant"),
            ("ppo:chess", "no agent 'ppo:chess'"),
            ("greedy", "no trained agent 'greedy'"),
        ],
    )
    def test_of_what_does_not_fit(self, start, message, tmp_path):
        with pytest.raises(ValueError, match=message):
            tiny.train(tmp_path / "run", start=start)
        assert "training.pt" not in files_of(tmp_path / "run")


class TestResume:
    def test_it_goes_on(self, run):
        before = training(run)
        status = tiny.train(run, resume=True, steps=3 * ROLLOUT_STEPS)
        assert status.steps == training(run)["steps"] == 3 * ROLLOUT_STEPS
        assert updates(run) == 9
        assert status.seconds > sum(before["parts"].values())
        assert [row["steps"] for row in log(run)] == [n * ROLLOUT_STEPS for n in (1, 2, 3)]
        assert training(run)["rollouts"] == before["rollouts"] + 1
        assert read_settings(run, PpoSettings) == tiny.settings(steps=3 * ROLLOUT_STEPS)
        assert files_of(run) == FILES

    def test_it_begins_with_the_weights_of_the_checkpoint(self, run, monkeypatch):
        restored = []

        def stop(self):
            restored.append({name: w.clone() for name, w in self.model.policy.state_dict().items()})
            self.stop_asked = True

        monkeypatch.setattr(trainer.Run, "_on_rollout_start", stop)
        tiny.train(run, resume=True, steps=3 * ROLLOUT_STEPS)
        before = checkpoint.read(run / "agent.pt", "pasgl312")["policy"]
        assert all(torch.equal(before[name], weight) for name, weight in restored[0].items())

    def test_other_numbers_are_drawn(self):
        first, later = (seed_of(3, earlier) for earlier in (None, {"steps": 8}))
        assert first == 3
        assert later != 3
        assert later == seed_of(3, {"steps": 8})

    def test_every_allowed_seed_is_one_of_stable_baselines3(self):
        assert seed_of(2**32 - 1, None) == 2**32 - 1
        large = {seed_of(seed, None) for seed in (2**32, 2**32 + 1, MOST_SEED)}
        assert len(large) == 3 and max(large) < 2**32

    def test_a_finished_run_stays_finished(self, run):
        before = training(run)
        status = tiny.train(run, resume=True)
        assert (status.steps, status.progress) == (2 * ROLLOUT_STEPS, 1)
        assert checkpoint.read(run / "agent.pt", "pasgl312")["steps"] == before["steps"]

    def test_the_log_loses_what_came_after_the_checkpoint(self, run):
        with open(run / "log.jsonl", "a") as file:
            file.write('{"steps": 9999}\nnull\n{"steps": 10')
        tiny.train(run, resume=True)
        assert [row["steps"] for row in log(run)] == [ROLLOUT_STEPS, 2 * ROLLOUT_STEPS]

    def test_a_second_run_in_the_folder_is_refused(self, run):
        before = {name: (run / name).stat().st_mtime_ns for name in FILES}
        with pytest.raises(RunExists, match="holds a run already: resume it"):
            tiny.train(run)
        assert {name: (run / name).stat().st_mtime_ns for name in FILES} == before

    def test_no_run_to_go_on_from(self, tmp_path):
        with pytest.raises(RunExists, match="holds no run to resume"):
            tiny.train(tmp_path / "run", resume=True)
        assert not (tmp_path / "run").exists()

    @pytest.mark.parametrize("resume", [False, True])
    def test_a_folder_in_use_is_refused(self, run, resume):
        folder = run if resume else run / "new"
        folder.mkdir(exist_ok=True)
        with open(folder / ".lock", "wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            with pytest.raises(InUse, match="another process is at work in"):
                tiny.train(folder, resume=resume)

    def test_a_file_is_no_folder(self, tmp_path):
        (tmp_path / "file").touch()
        for folder in (tmp_path / "file", tmp_path / "file" / "run"):
            with pytest.raises(OSError):
                tiny.train(folder)

    @pytest.mark.parametrize(
        "entries",
        [
            {"steps": -8},
            {"steps": "many"},
            {"imitated": -1},
            {"imitated": None},
            {"optimizer": {}},
            {"optimizer": None},
            {"optimizer": {"state": {}, "param_groups": []}},
            {"policy": {}},
            {"policy": None},
            {"parts": None},
            {"parts": {"learning": "long"}},
            {"rollouts": None},
            {"evaluated": -1},
            {"league": None},
            {"league": {"selves": [{}], "results": [[]] * 8}},
            {"league": {"selves": [], "results": []}},
            {"league": {"selves": [], "results": [["won"]] * 8}},
            {"variant": "chess"},
        ],
        ids=str,
    )
    def test_an_impossible_checkpoint(self, run, entries):
        change(run, **entries)
        before = (run / "training.pt").read_bytes()
        with pytest.raises(BadCheckpoint, match=r"training\.pt"):
            tiny.train(run, resume=True, steps=3 * ROLLOUT_STEPS)
        assert (run / "training.pt").read_bytes() == before

    def test_an_optimizer_of_another_shape(self, run):
        optimizer = training(run)["optimizer"]
        optimizer["state"][0]["exp_avg"] = torch.zeros(3)
        change(run, optimizer=optimizer)
        with pytest.raises(BadCheckpoint, match="no training state to resume from"):
            tiny.train(run, resume=True, steps=3 * ROLLOUT_STEPS)

    @pytest.mark.parametrize(
        "name",
        ["policy", "optimizer", "steps", "parts", "league", "imitated", "rollouts", "evaluated"],
    )
    def test_a_missing_entry(self, run, name):
        content = training(run)
        del content[name]
        checkpoint.write(run / "training.pt", content)
        with pytest.raises(BadCheckpoint, match=f"lacks {name}"):
            tiny.train(run, resume=True)


class TestImitation:
    """The greedy player is the default teacher of convolutional networks."""

    LESSON = GAMES // 2
    WANTED = 2 * LESSON

    def train(self, out, *, report=lambda status: None, **changes):
        wanted = {"minutes": None, "steps": ROLLOUT_STEPS, "games": 8, "threads": 1, "seed": 3}
        wanted |= {"imitation": self.WANTED, "evaluations": 0, "width": 4}
        settings = PpoSettings("spalding", **{**wanted, **changes})
        resume = (out / "training.pt").exists()
        return trainer.train(settings, out, resume=resume, report=report)

    def test_it_comes_before_self_play_and_once(self, tmp_path):
        self.train(tmp_path / "run")
        kept = checkpoint.read(tmp_path / "run" / "training.pt", "spalding")
        assert (kept["imitated"], kept["steps"]) == (self.WANTED, ROLLOUT_STEPS)
        status = self.train(tmp_path / "run", steps=2 * ROLLOUT_STEPS)
        later = checkpoint.read(tmp_path / "run" / "training.pt", "spalding")
        assert (later["imitated"], later["steps"]) == (self.WANTED, 2 * ROLLOUT_STEPS)
        assert later["parts"]["imitation"] == kept["parts"]["imitation"] > 0
        assert sum(status.shares.values()) == pytest.approx(1)
        assert len(time_table(status).rows) == len(status.shares)

    def test_its_progress_is_told_with_the_time_left(self, tmp_path):
        told: list[Status] = []
        self.train(tmp_path / "run", report=told.append)
        assert [status.imitation for status in told[:3]] == [0, 0.5, None]
        assert told[0].seconds_left is None and (told[1].seconds_left or 0) > 0
        progress = self.LESSON / (self.WANTED + ROLLOUT_STEPS)
        assert [status.progress for status in told[:2]] == [0, pytest.approx(progress)]

    def test_its_learning_rate_falls_to_a_tenth(self, tmp_path, monkeypatch):
        rates = []
        monkeypatch.setattr(Imitation, "set_rate", lambda self, rate: rates.append(rate))
        self.train(tmp_path / "run", imitation=10 * self.LESSON, learning_rate=0.5)
        assert rates == pytest.approx([0.5 * (1 - 0.9 * part / 10) for part in range(10)])

    def test_the_agent_is_measured_in_it(self, tmp_path):
        run = tmp_path / "run"
        self.train(
            run,
            imitation=ROLLOUT_STEPS,
            evaluations=3,
            evaluation_games=2,
            options={"turn_limit": 4},
        )
        rows = [row for row in log(run) if "evaluation" in row]
        assert rows[0]["imitated"] > rows[0]["steps"] == 0
        assert rows[-1]["steps"] == ROLLOUT_STEPS

    def test_a_run_stopped_in_it_goes_on_with_it(self, tmp_path, monkeypatch):
        monkeypatch.setattr(runs, "SECONDS_BETWEEN_CHECKPOINTS", 0)
        step = Imitation.step

        def interrupted(self):
            if "training.pt" in files_of(tmp_path / "run"):
                raise KeyboardInterrupt
            return step(self)

        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(Imitation, "step", interrupted)
            self.train(tmp_path / "run")
        kept = checkpoint.read(tmp_path / "run" / "training.pt", "spalding")
        assert (kept["imitated"], kept["steps"]) == (self.LESSON, 0)
        self.train(tmp_path / "run")
        kept = checkpoint.read(tmp_path / "run" / "training.pt", "spalding")
        assert (kept["imitated"], kept["steps"]) == (self.WANTED, ROLLOUT_STEPS)

    @pytest.mark.usefixtures("interruptible")
    def test_who_is_stopped_in_it_has_played_nothing(self, tmp_path):
        self.train(tmp_path / "run", report=at_step(0, interrupt))
        kept = checkpoint.read(tmp_path / "run" / "training.pt", "spalding")
        assert (kept["steps"], kept["rollouts"], kept["league"]["selves"]) == (0, 0, [])

    def test_any_player_may_teach(self, tmp_path):
        self.train(tmp_path / "run", imitation=1, teacher="random")
        assert training_of_spalding(tmp_path / "run")["imitated"] == self.LESSON
        with pytest.raises(ValueError, match="no player 'nobody'"):
            self.train(tmp_path / "other", teacher="nobody")

    def test_the_critic_learns_alone_at_first(self, tmp_path, monkeypatch):
        monkeypatch.setattr(trainer, "ROLLOUTS_OF_CRITIC", 1)
        policies = []
        for rollouts in (1, 2):
            out = tmp_path / str(rollouts)
            self.train(out, imitation=1, steps=rollouts * ROLLOUT_STEPS)
            policies.append(training_of_spalding(out)["policy"])
        untrained = new_policy(variants.ruleset("spalding"), 4).state_dict()
        assert not torch.equal(policies[0]["value_net.4.bias"], untrained["value_net.4.bias"])
        first, second = (policy["action_net.board.1.weight"] for policy in policies)
        imitated = self.policy_after_imitation(tmp_path)
        assert torch.equal(first, imitated["action_net.board.1.weight"])
        assert not torch.equal(first, second)

    def policy_after_imitation(self, folder):
        """Of a run that is stopped when the imitation has ended."""
        stop = KeyboardInterrupt()

        def interrupted(self):
            self.save()
            raise stop

        with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(trainer.Run, "_on_rollout_start", interrupted)
            self.train(folder / "imitated", imitation=1)
        return training_of_spalding(folder / "imitated")["policy"]

    def test_dense_networks_have_none_unless_it_is_asked_for(self):
        assert PpoSettings("pasgl312").imitated_decisions == 0
        assert PpoSettings("pasgl312", imitation=500).imitated_decisions == 500
        assert PpoSettings("spalding").imitated_decisions == 60_000


class TestBothSides:
    """The learner plays all seats, without other opponents."""

    @pytest.mark.parametrize("changes", [{}, {"action_prior": "greedy"}], ids=str)
    def test_a_run_learns_and_goes_on(self, changes, tmp_path):
        changes |= {"both_sides": True, "options": {"turn_limit": 8}}
        status = tiny.train(tmp_path / "run", **changes)
        assert (status.steps, status.win_rates) == (2 * ROLLOUT_STEPS, {})
        assert status.shares["opponents"] == 0
        before = updates(tmp_path / "run")
        status = tiny.train(tmp_path / "run", resume=True, steps=3 * ROLLOUT_STEPS, **changes)
        assert status.steps == 3 * ROLLOUT_STEPS
        assert updates(tmp_path / "run") > before > 0
        assert training(tmp_path / "run")["league"]["selves"] == []

    def test_the_agent_is_measured_against_the_fixed_players(self, tmp_path):
        tiny.train(
            tmp_path / "run",
            both_sides=True,
            evaluations=1,
            evaluation_games=2,
            options={"turn_limit": 8},
        )
        rows = [row["evaluation"] for row in log(tmp_path / "run") if "evaluation" in row]
        assert rows == [{"random": 0.5, "greedy": 0.5}]


class TestEvaluation:
    """The agent is evaluated against the fixed players from time to time."""

    def evaluated(self, folder):
        return [row for row in log(folder) if "evaluation" in row]

    def test_evenly_spread_over_the_run(self, tmp_path):
        tiny.train(
            tmp_path / "run",
            steps=4 * ROLLOUT_STEPS,
            evaluations=2,
            evaluation_games=2,
            options={"turn_limit": 8},
        )
        rows = self.evaluated(tmp_path / "run")
        assert [row["steps"] for row in rows] == [2 * ROLLOUT_STEPS, 4 * ROLLOUT_STEPS]
        assert all(row["evaluation"] == {"random": 0.5, "greedy": 0.5} for row in rows)
        assert all(row["games"] == 2 for row in rows)

    def test_a_resumed_run_does_not_repeat_them(self, tmp_path):
        settings = {"evaluations": 4, "evaluation_games": 2, "opponents": ("random",)}
        for resume, steps in ((False, 2), (True, 4)):
            options = {"turn_limit": 8}
            tiny.train(
                tmp_path / "run",
                resume=resume,
                **settings,
                steps=steps * ROLLOUT_STEPS,
                options=options,
            )
        rows = self.evaluated(tmp_path / "run")
        assert [row["steps"] for row in rows] == sorted({row["steps"] for row in rows})

    def test_every_five_minutes_without_a_limit(self, tmp_path, monkeypatch, interruptible):
        monkeypatch.setattr(trainer, "SECONDS_BETWEEN_EVALUATIONS", 0)
        tiny.train(
            tmp_path / "run",
            steps=None,
            evaluations=1,
            evaluation_games=2,
            options={"turn_limit": 8},
            report=at_step(2 * ROLLOUT_STEPS, interrupt),
        )
        assert len(self.evaluated(tmp_path / "run")) >= 2


@pytest.mark.usefixtures("interruptible")
class TestInterrupt:
    def test_ctrl_c_saves(self, tmp_path):
        before = signal.getsignal(signal.SIGINT)
        folder = tmp_path / "run"
        status = tiny.train(folder, report=at_step(ROLLOUT_STEPS + 24, interrupt))
        assert signal.getsignal(signal.SIGINT) is before
        assert status.progress < 1
        assert status.steps == training(folder)["steps"] == ROLLOUT_STEPS
        assert files_of(folder) == FILES
        assert tiny.train(folder, resume=True).progress == 1

    def test_a_rollout_that_was_cut_short_does_not_count(self, tmp_path, monkeypatch):
        monkeypatch.setattr(league, "ROLLOUTS_BETWEEN_SELVES", 1)
        folder = tmp_path / "run"
        for resume in (False, True, True):
            report = at_step(ROLLOUT_STEPS + 24, interrupt)
            tiny.train(folder, resume=resume, report=report)
            kept = training(folder)
            assert (kept["steps"], kept["rollouts"], updates(folder)) == (ROLLOUT_STEPS, 1, 3)
            assert len(kept["league"]["selves"]) == 2
            assert checkpoint.read(folder / "agent.pt", "pasgl312")["steps"] == ROLLOUT_STEPS

    def test_ctrl_c_while_it_learns_saves(self, tmp_path, monkeypatch):
        learn = MaskablePPO.train

        def interrupted(model):
            interrupt()
            learn(model)

        monkeypatch.setattr(MaskablePPO, "train", interrupted)
        status = tiny.train(tmp_path / "run", steps=10**6)
        assert status.steps == ROLLOUT_STEPS
        assert updates(tmp_path / "run") == 3

    def test_a_second_ctrl_c_stops_at_once(self, run):
        before = (run / "training.pt").read_bytes()

        def twice():
            interrupt()
            interrupt()

        with pytest.raises(KeyboardInterrupt):
            tiny.train(run, resume=True, steps=10**6, report=at_step(600, twice))
        assert training(run)["steps"] == 2 * ROLLOUT_STEPS
        assert len(before) <= (run / "training.pt").stat().st_size
        assert tiny.train(run, resume=True, steps=3 * ROLLOUT_STEPS).progress == 1

    def test_a_run_in_the_background_ignores_what_its_parent_ignores(self, tmp_path):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        status = tiny.train(tmp_path / "run", report=at_step(ROLLOUT_STEPS + 24, interrupt))
        assert status.progress == 1
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN

    def test_ctrl_c_while_a_checkpoint_is_written(self, run, monkeypatch):
        before = (run / "training.pt").read_bytes()

        def interrupted(number):
            raise KeyboardInterrupt

        monkeypatch.setattr(os, "fsync", interrupted)
        with pytest.raises(KeyboardInterrupt):
            tiny.train(run, resume=True)
        assert (run / "training.pt").read_bytes() == before
        assert files_of(run) == FILES


class TestDivergence:
    """Weights that are of no use are never written in place of those that are."""

    @pytest.mark.parametrize("spoilt", [np.nan, 1e30])
    def test_the_last_checkpoint_stays(self, run, tmp_path, monkeypatch, spoilt):
        folder = tmp_path / "run"
        shutil.copytree(run, folder)

        def spoil(model):
            for weight in model.policy.parameters():
                torch.nn.init.constant_(weight, spoilt)

        monkeypatch.setattr("sb3_contrib.MaskablePPO.train", spoil)
        monkeypatch.setattr(runs, "SECONDS_BETWEEN_CHECKPOINTS", 0)
        with pytest.raises(ValueError, match=r"diverged.*a smaller learning_rate than"):
            tiny.train(folder, resume=True, steps=10 * ROLLOUT_STEPS)
        for file in ("agent.pt", "training.pt"):
            assert checkpoint.are_sound(checkpoint.read(folder / file, "pasgl312")["policy"])

    def test_imitation_stops_too(self, tmp_path, monkeypatch):
        def spoil(imitation):
            for weight in imitation._policy.parameters():
                torch.nn.init.constant_(weight, 1e30)

        monkeypatch.setattr("pasgl_env.training.ppo.imitation.Imitation._learn", spoil)
        with pytest.raises(ValueError, match=r"diverged.*a smaller learning_rate than"):
            tiny.train(tmp_path / "run", imitation=2000, teacher="random")
        kept = checkpoint.read(tmp_path / "run" / "agent.pt", "pasgl312")
        assert checkpoint.are_sound(kept["policy"])

    @pytest.mark.parametrize("temperature", [0, 1e-46])
    def test_a_network_without_scores_plays_no_illegal_action(self, temperature):
        mask, generators = np.ones((1, 3), np.uint8), np.ones(1, np.uint64)
        with pytest.raises(ValueError, match="its training has failed"):
            drawn(np.array([[0, np.nan, 1]]), mask, temperature, generators)
        assert drawn(np.array([[0, 1, 2]], np.float32), mask, temperature, generators) == [2]


class TestKill:
    """A kill at any moment loses nothing before the last checkpoint."""

    def test_kill_and_go_on(self, tmp_path):
        folder = tmp_path / "run"
        # Forked from a server that has imported everything: a process of its own in no time.
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([tiny.__name__])
        steps = 0
        for _ in range(2):
            process = context.Process(target=tiny.train_until_killed, args=(folder,))
            process.start()
            self.wait_for_more(folder, steps, process)
            sleep(random.uniform(0, 0.3))
            process.kill()
            process.join()
            assert training(folder)["steps"] > steps
            assert checkpoint.read(folder / "agent.pt", "pasgl312")["steps"] >= steps
            steps = training(folder)["steps"]
        status = tiny.train(folder, resume=True, steps=steps + ROLLOUT_STEPS)
        assert status.steps >= steps + ROLLOUT_STEPS
        logged = [row["steps"] for row in log(folder)]
        assert logged == sorted(set(logged))
        assert files_of(folder) == FILES

    def wait_for_more(self, folder, steps, process):
        deadline = monotonic() + 120
        while monotonic() < deadline and process.is_alive():
            sleep(0.02)
            if (folder / "training.pt").exists() and training(folder)["steps"] > steps:
                return
        pytest.fail(f"no checkpoint with more than {steps} steps; exit code {process.exitcode}")


class TestFullDisk:
    def test_the_old_checkpoint_stays(self, run, monkeypatch):
        before = (run / "training.pt").read_bytes()

        def full(number):
            if os.fstat(number).st_size > len(before) // 2:  # room for all but training.pt
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(OSError, match=r"No space left on device: '.*training.pt'"):
                tiny.train(run, resume=True)
        assert (run / "training.pt").read_bytes() == before
        assert files_of(run) == FILES
        assert tiny.train(run, resume=True, steps=3 * ROLLOUT_STEPS).progress == 1

    def test_files_that_cannot_grow(self, run):
        before = (run / "training.pt").read_bytes()
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        room = (run / "agent.pt").stat().st_size // 2
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
        try:
            with pytest.raises(OSError, match=r"File too large: '.*agent.pt'"):
                tiny.train(run, resume=True, steps=3 * ROLLOUT_STEPS)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert (run / "training.pt").read_bytes() == before
        assert files_of(run) == FILES
        assert tiny.train(run, resume=True, steps=3 * ROLLOUT_STEPS).progress == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "variant, minutes, wanted",
    [("pasgl312", 3, 0.8), ("spalding", 5, 0.75), ("pachessi", 5, 0.65), ("chieftain", 5, 0.6)],
)
def test_minutes_of_training_beat_random(variant, minutes, wanted, tmp_path):
    folder = tmp_path / "run"
    pasgl = (sys.executable, "-c", "from pasgl_env.cli import main; main()")
    subprocess.run(
        [*pasgl, "train", variant, "--minutes", str(minutes), "--out", folder], check=True
    )
    shares = [row["time"] for row in log(folder) if "time" in row]
    assert shares[-1]["environment"] <= 0.1
    agent = players.make(str(folder), variant, seed=1)
    match = play_match(variant, agent, "random", games=400, seed=1)
    low = match.all.win_rate.low
    assert low is not None and low > wanted
