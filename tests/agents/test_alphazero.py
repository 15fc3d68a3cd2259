"""Self-play with search: what it learns, what a run leaves, how it stops and goes on."""

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from pasgl_env import Batch, players, variants
from pasgl_env.agents import alphazero, checkpoint
from pasgl_env.agents.alphazero import (
    AlphaZeroSettings,
    Learner,
    SelfPlay,
    learn,
)
from pasgl_env.agents.checkpoint import BadCheckpoint
from pasgl_env.agents.network import design_of, features_of, new_policy
from pasgl_env.agents.replay import Lesson, Positions, cross_entropy_of
from pasgl_env.agents.run import RunExists
from pasgl_env.agents.search import NetworkSearchPlayer, search_player
from pasgl_env.evaluation import play_match

FILES = {".lock", "agent.pt", "log.jsonl", "settings.json", "tensorboard", "training.pt"}
# Games of some actions, so that there are positions to learn from at once.
SHORT: dict[str, Any] = {"win_margin": 1, "turn_limit": 12}
STEPS = 400


def settings(**changes):
    values = {
        "minutes": None,
        "steps": STEPS,
        "games": 16,
        "threads": 1,
        "device": "cpu",
        "simulations": 4,
        "quick_simulations": 1,
        "searched": 0.5,
        "options": SHORT,
        "opponents": (),
        "value_games": 8,
        "seed": 3,
    }
    return AlphaZeroSettings("pasgl312", **{**values, **changes})


@pytest.fixture(autouse=True)
def few_positions_suffice(monkeypatch):
    monkeypatch.setattr(alphazero, "MINIBATCH", 32)
    monkeypatch.setattr(alphazero, "FEWEST_POSITIONS", 32)


@pytest.fixture(scope="module")
def searched(tmp_path_factory):
    """The folder of a run, only to be read."""
    folder = tmp_path_factory.mktemp("searched") / "mine"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alphazero, "MINIBATCH", 32)
        patch.setattr(alphazero, "FEWEST_POSITIONS", 32)
        learn(settings(), folder)
    return folder


@pytest.fixture
def run(searched, tmp_path):
    """A copy of a run's folder."""
    return shutil.copytree(searched, tmp_path / "mine")


def training(folder):
    return checkpoint.read(folder / "training.pt", "pasgl312")


def counters(folder):
    kept = training(folder)
    return {name: kept[name] for name in ("steps", "games", "updates", "value_games")}


def log(folder):
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


def command(*arguments):
    return CliRunner().invoke(alphazero.app, arguments, catch_exceptions=False)


class TestARun:
    def test_what_it_leaves(self, searched):
        assert {path.name for path in searched.iterdir()} == FILES
        kept = training(searched)
        assert kept["kind"] == "alphazero"
        assert STEPS <= kept["steps"] < STEPS + 16
        assert kept["updates"] > 0
        assert kept["games"] > 0
        assert 0 < len(kept["positions"]) < kept["steps"]
        row = log(searched)[-1]
        assert (row["steps"], row["games"]) == (kept["steps"], kept["games"])
        assert row["policy_loss"] > 0
        assert sum(row["time"].values()) == pytest.approx(1, abs=0.001)

    def test_its_agent(self, searched):
        content = checkpoint.read(searched / "agent.pt", "pasgl312")
        assert (content["kind"], content["simulations"]) == ("alphazero", 4)
        assert content["options"] == SHORT
        policy = new_policy("pasgl312", SHORT, content["width"])
        checkpoint.load_weights(policy, content["policy"], searched / "agent.pt")

    def test_the_same_seed_the_same_agent(self, searched, tmp_path):
        learn(settings(), tmp_path / "again")
        learn(settings(seed=4), tmp_path / "other")
        one, again, other = (
            training(folder)["policy"]["action_net.weight"]
            for folder in (searched, tmp_path / "again", tmp_path / "other")
        )
        assert torch.equal(one, again)
        assert not torch.equal(one, other)

    def test_a_limit_of_time(self, tmp_path):
        status = learn(settings(steps=None, minutes=0.02), tmp_path / "run")
        assert (status.progress, status.seconds_left) == (1, 0)
        assert status.seconds >= 1.2

    def test_it_is_measured_within_its_share_of_the_time(self, tmp_path, monkeypatch):
        monkeypatch.setattr(alphazero, "EVALUATION_GAMES", 2)
        wanted = settings(opponents=("random", "greedy"), evaluation_share=0.9)
        status = learn(wanted, tmp_path / "run")
        assert set(status.win_rates) == {"random", "greedy"}
        assert 0 < status.shares["evaluation"] < 0.95

    @pytest.mark.parametrize("seconds, may", [(149.0, False), (150.0, True)])
    def test_measurements_are_spread_over_the_run(self, seconds, may):
        """Time in which it could not be measured is not made up for."""
        wanted = settings(opponents=("random",), evaluation_share=0.2)
        run = SimpleNamespace(
            _settings=wanted,
            _lengths=[4],
            _last_evaluation=10.0,
            _evaluated_at=100.0,
            _parts=lambda: {"search": seconds},
        )
        assert alphazero.Run._may_evaluate(run) == may  # type: ignore[arg-type]

    @pytest.mark.parametrize("temperature, warm_turns", [(0.0, 30), (0.5, None)])
    def test_an_agent_that_draws_its_actions(self, temperature, warm_turns, tmp_path, monkeypatch):
        made = []

        def watched(*arguments, **wanted):
            assert wanted["exploration"] == 0.5
            made.append((wanted["temperature"], wanted.get("warm_turns")))
            return search_player(*arguments, **wanted)

        monkeypatch.setattr(alphazero, "search_player", watched)
        learn(settings(temperature=temperature, exploration=0.5, steps=1), tmp_path / "run")
        assert made == [(1.0, warm_turns)] * 2, "it explores while it learns"
        player = players.load(str(tmp_path / "run"))
        assert isinstance(player, NetworkSearchPlayer)
        assert player.temperature == temperature

    def test_a_game_with_dice_and_teams(self, tmp_path):
        wanted = AlphaZeroSettings(
            "pachessi",
            minutes=None,
            steps=200,
            games=4,
            simulations=4,
            options={"players": 4, "turn_limit": 20},
            opponents=(),
        )
        learn(wanted, tmp_path / "run")
        assert checkpoint.read(tmp_path / "run" / "training.pt", "pachessi")["games"] > 0


class TestSettings:
    @pytest.mark.parametrize(
        "changes, message",
        [
            ({"minutes": 0}, "minutes must be above 0"),
            ({"simulations": 0}, "simulations must be above 0"),
            ({"simulations": 10**6}, "simulations must be at most 65535"),
            ({"searched": 1.5}, "searched must be from 0 to 1"),
            ({"searched": 0}, "searched must be above 0"),
            ({"trust": -0.1}, "trust must be from 0 to 1"),
            ({"value_games": -1}, "value_games must be 0 or above"),
            ({"temperature": -1}, "temperature must be a number from 0.0 to 1000.0, not -1"),
            ({"temperature": 1e9}, "temperature must be a number from 0.0 to 1000.0"),
            ({"exploration": -1}, "exploration must be 0 or above"),
            ({"evaluation_share": 2}, "evaluation_share must be from 0 to 1"),
            ({"horizon": 0}, "horizon must be above 0"),
            ({"horizon": 10**9}, "turn_limit"),
            ({"device": "abacus"}, "device must be auto, cpu, cuda, not 'abacus'"),
            ({"options": {"bears": 1}}, "no option 'bears'"),
        ],
        ids=str,
    )
    def test_impossible_values(self, changes, message):
        with pytest.raises(ValueError, match=message):
            settings(**changes)

    @pytest.mark.parametrize(
        "options, longer", [({}, 62.5), ({"turn_limit": 40}, 2.5), ({"turn_limit": 0}, np.inf)]
    )
    def test_how_much_longer_games_are_than_the_horizon(self, options, longer):
        assert AlphaZeroSettings("pasgl312", horizon=16, options=options).times_longer == longer
        assert AlphaZeroSettings("pasgl312", options=options).times_longer == 1

    @pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
    def test_no_gpu(self, tmp_path):
        with pytest.raises(ValueError, match="finds no GPU here"):
            learn(settings(device="cuda"), tmp_path / "run")
        assert not (tmp_path / "run" / "training.pt").exists()


class TestLearner:
    """One position of three legal actions, of which a search visited two."""

    @pytest.fixture
    def policy(self):
        torch.manual_seed(1)
        return new_policy("pasgl312", {}, 16)

    def lesson(self, *, outcome=1.0, value=-0.5):
        batch = Batch("pasgl312", 2, seed=1)
        batch.step(batch.sample())
        legal = [np.flatnonzero(mask)[:2] for mask in batch.action_mask]
        return Lesson(
            {"planes": torch.tensor(batch.observation)},
            torch.tensor(batch.action_mask).bool(),
            torch.tensor(np.array(legal)),
            torch.tensor([[0.75, 0.25]] * 2),
            torch.full((2,), value),
            torch.full((2,), outcome),
        )

    def says(self, policy, lesson):
        with torch.no_grad():
            features = features_of(policy, lesson.parts)
            scores = policy.action_net(features).masked_fill(~lesson.mask, -torch.inf)
            return scores.softmax(1), policy.value_net(features)[:, 0].tanh()

    def test_the_policy_comes_to_the_visits_and_the_value_in_between(self, policy):
        learner, lesson = Learner(policy, 0.5), self.lesson()
        learner.set_rate(0.003)
        for _ in range(200):
            losses = learner.learn(lesson)
        chances, values = self.says(policy, lesson)
        assert chances.gather(1, lesson.action) == pytest.approx(lesson.share, abs=0.03)
        assert values == pytest.approx(torch.tensor([0.25, 0.25]), abs=0.03)
        assert losses.policy_loss == pytest.approx(0.562, abs=0.03), "the entropy of 3/4 and 1/4"

    @pytest.mark.parametrize("trust, wanted", [(0.0, 1.0), (1.0, -0.5)])
    def test_how_much_the_search_is_trusted(self, policy, trust, wanted):
        learner, lesson = Learner(policy, trust), self.lesson()
        learner.set_rate(0.01)
        for _ in range(100):
            learner.learn(lesson)
        assert self.says(policy, lesson)[1] == pytest.approx(wanted * torch.ones(2), abs=0.1)

    def test_values_alone_leave_the_policy_as_it_is(self, policy):
        learner, lesson = Learner(policy, 0.5), self.lesson(outcome=-1.0)
        learner.set_rate(0.05)
        before, _ = self.says(policy, lesson)
        for _ in range(100):
            learner.learn_values(lesson)
        chances, values = self.says(policy, lesson)
        assert torch.equal(chances, before)
        assert values.max() < -0.8

    def test_illegal_actions_cost_nothing(self, policy):
        lesson = self.lesson()
        scores = torch.zeros(lesson.mask.shape)
        loss = cross_entropy_of(scores, lesson)
        assert loss == pytest.approx(lesson.mask.sum(1).float().log().mean())
        assert cross_entropy_of(scores.masked_fill(~lesson.mask, 50.0), lesson) == loss


class TestSelfPlay:
    def player(self):
        return search_player(new_policy("pasgl312", {}, 8), "pasgl312", 4, "searcher", 1)

    def play(self, *, keep):
        """What is left of a game, and how many decisions it had."""
        batch = Batch("pasgl312", 1, seed=1, **SHORT)
        positions = Positions(batch.observation_shape, batch.num_actions, 4)
        play, player, decisions = SelfPlay(batch, positions), self.player(), 0
        while True:
            actions, count = play.choose(player, keep=keep)
            decisions += count
            records = play.step(actions)
            if batch.ended.size:
                return records, decisions

    def test_what_is_kept(self):
        records, decisions = self.play(keep=True)
        assert len(records) == decisions > 1
        assert (records["visits"].sum(axis=1) == 4).all()

    def test_what_only_noise_has_brought_is_not_kept(self):
        policy = new_policy("pasgl312", {}, 8)
        player = search_player(policy, "pasgl312", 16, "searcher", 1, noise=0.9)
        batch = Batch("pasgl312", 8, seed=1, **SHORT)
        positions = Positions(batch.observation_shape, batch.num_actions, 16)
        play, seen, left = SelfPlay(batch, positions), 0, 0
        records: list[Any] = []
        while not records:
            actions, _ = play.choose(player, keep=True)
            seen, left = seen + player.visits.sum(), left + player.visits_without_noise.sum()
            records = play.step(actions).tolist()
        assert left < seen
        assert sum(visits.sum() for _, _, _, visits, *_ in records) < 16 * len(records)

    @pytest.mark.parametrize("is_cut", [True, False])
    def test_what_a_game_came_to_that_was_cut_off(self, is_cut):
        batch = Batch("chieftain", 1, seed=1, turn_limit=14)
        positions = Positions(batch.observation_shape, batch.num_actions, 4)
        play = SelfPlay(batch, positions, is_cut=is_cut)
        anybody = players.make("random", "chieftain", seed=1)
        while not batch.ended.size:
            actions, _ = play.choose(anybody, keep=True)
            records = play.step(actions)
        assert batch.truncated.all()
        game, (state,) = variants.find("chieftain"), batch.final_states
        lead = np.tanh(game.evaluate(state, batch.options_record[0], 0) / game.decisive)
        assert abs(lead) > 0.1
        wanted = np.where(records["player"] == 0, lead, -lead) if is_cut else 0
        assert records["outcome"] == pytest.approx(wanted)

    def test_quick_decisions_are_not_kept(self):
        records, decisions = self.play(keep=False)
        assert len(records) == 0 < decisions

    def test_nobody_is_asked_where_there_is_no_choice(self):
        class Nobody:
            name = "nobody"

            def choose(self, batch, games):
                assert (batch.legal_count[games] > 1).all()
                asked.extend(games.tolist())
                return batch.action_mask[games].argmax(axis=1)

        asked: list[int] = []
        batch = Batch("pachessi", 4, seed=1)
        play = SelfPlay(batch, Positions(batch.observation_shape, batch.num_actions, 4))
        decisions = 0
        for _ in range(50):
            actions, count = play.choose(Nobody(), keep=False)
            play.step(actions)
            decisions += count
        assert len(asked) == decisions < 4 * 50


class TestStart:
    @pytest.fixture
    def agent(self, tmp_path):
        """A trained agent, as far as its file is concerned."""
        torch.manual_seed(8)
        folder = tmp_path / "agent"
        folder.mkdir()
        content = {
            "kind": "ppo",
            "variant": "pasgl312",
            "options": {},
            **design_of(policy := new_policy("pasgl312", {}, 24)),
            "policy": policy.state_dict(),
            "steps": 1,
        }
        checkpoint.write(folder / "agent.pt", content)
        return folder

    def test_it_begins_with_the_policy_and_learns_values(self, agent, tmp_path, monkeypatch):
        monkeypatch.setattr(alphazero.Run, "_learn", lambda *_: None)
        learn(settings(start=str(agent), steps=1), tmp_path / "run")
        before = checkpoint.read(agent / "agent.pt", "pasgl312")
        after = training(tmp_path / "run")
        assert after["width"] == 24
        for name, weight in before["policy"].items():
            learned = after["policy"][name]
            if name.startswith("action_net."):
                assert torch.equal(learned, 4 * weight), "it draws at a temperature of 0.25"
            else:
                assert torch.equal(weight, learned) != name.startswith("value_net.")

    def test_the_likeliest_action_is_no_chance_to_begin_with(self, agent, tmp_path, monkeypatch):
        monkeypatch.setattr(alphazero.Run, "_learn", lambda *_: None)
        before = checkpoint.read(agent / "agent.pt", "pasgl312")
        checkpoint.write(agent / "agent.pt", {**before, "temperature": 0})
        learn(settings(start=str(agent), steps=1), tmp_path / "run")
        after = training(tmp_path / "run")["policy"]
        assert torch.equal(after["action_net.weight"], before["policy"]["action_net.weight"])

    def test_games_of_the_policy_alone_come_first(self, agent, tmp_path):
        learn(settings(start=str(agent), steps=1), tmp_path / "run")
        assert counters(tmp_path / "run")["value_games"] == 0
        learn(settings(start=str(agent), steps=600), tmp_path / "run", resume=True)
        kept = training(tmp_path / "run")
        assert kept["value_games"] >= 8
        assert kept["games"] > kept["value_games"]
        positions = Positions((60, 8, 10), 1165, 4).from_tensor(kept["positions"])
        assert positions["visits"].any(axis=1).all(), "none of the policy's own games"

    def test_an_agent_of_another_variant(self, agent, tmp_path):
        result = command("pachessi", "--start", str(agent), "--out", str(tmp_path / "run"))
        assert result.exit_code == 2
        assert result.stderr.endswith("agent.pt plays pasgl312, not pachessi\n")
        assert result.stderr.count("\n") == 1

    @pytest.mark.parametrize(
        "name, message",
        [("greedy", "a run starts from a trained agent"), ("nobody", "no player 'nobody'")],
    )
    def test_no_agent(self, name, message, tmp_path):
        with pytest.raises(ValueError, match=message):
            learn(settings(start=name), tmp_path / "run")
        assert not (tmp_path / "run" / "training.pt").exists()

    def test_an_agent_for_another_board(self, tmp_path):
        torch.manual_seed(8)
        content = {
            "kind": "ppo",
            "variant": "pachessi",
            "options": {"size": 9},
            **design_of(policy := new_policy("pachessi", {"size": 9}, 8)),
            "policy": policy.state_dict(),
            "steps": 1,
        }
        checkpoint.write(tmp_path / "agent.pt", content)
        wanted = AlphaZeroSettings("pachessi", start=str(tmp_path / "agent.pt"))
        with pytest.raises(ValueError, match="options that make another board"):
            learn(wanted, tmp_path / "run")


class TestResume:
    def test_a_finished_run_stays_finished(self, run, searched):
        status = learn(settings(), run, resume=True)
        assert status.progress == 1
        assert counters(run) == counters(searched)
        before, after = training(searched), training(run)
        assert torch.equal(before["positions"], after["positions"])
        for name, weight in before["policy"].items():
            assert torch.equal(weight, after["policy"][name])

    def test_it_goes_on(self, run, searched):
        status = learn(settings(steps=STEPS + 200), run, resume=True)
        before, after = counters(searched), counters(run)
        assert status.steps == after["steps"] >= STEPS + 200
        assert after["games"] > before["games"]
        assert after["updates"] > before["updates"]
        state = training(run)["optimizer"]["state"]
        assert state[0]["step"] == after["updates"], "the optimizer goes on too"
        steps = [row["steps"] for row in log(run)]
        assert steps == sorted(set(steps))

    def test_a_second_run_in_the_folder_is_refused(self, run):
        with pytest.raises(RunExists, match="holds a run already"):
            learn(settings(), run)

    def test_no_run_to_go_on_from(self, tmp_path):
        with pytest.raises(RunExists, match="holds no run to go on from"):
            learn(settings(), tmp_path / "run", resume=True)

    def test_a_run_of_ppo_is_refused(self, finished, tmp_path):
        result = command("pasgl312", "--resume", "--out", str(finished))
        assert result.exit_code == 2
        assert f"{finished} holds no run to go on from" in result.stderr
        content = {**training(finished), "kind": "ppo"}
        (tmp_path / "run").mkdir()
        checkpoint.write(tmp_path / "run" / "training.pt", content)
        with pytest.raises(BadCheckpoint, match="of another kind than alphazero"):
            learn(settings(), tmp_path / "run", resume=True)

    @pytest.mark.parametrize(
        "entries",
        [
            {"steps": -8},
            {"games": None},
            {"optimizer": {}},
            {"policy": {}},
            {"width": "wide"},
            {"parts": {"search": "long"}},
            {"positions": None},
            {"positions": torch.zeros(3)},
            {"variant": "chess"},
        ],
        ids=str,
    )
    def test_an_impossible_checkpoint(self, run, entries):
        checkpoint.write(run / "training.pt", {**training(run), **entries})
        before = (run / "training.pt").read_bytes()
        with pytest.raises(BadCheckpoint, match=r"training\.pt"):
            learn(settings(steps=STEPS + 200), run, resume=True)
        assert (run / "training.pt").read_bytes() == before

    def test_a_damaged_checkpoint(self, run):
        whole = (run / "training.pt").read_bytes()
        (run / "training.pt").write_bytes(whole[: len(whole) // 2])
        result = command("pasgl312", "--resume", "--steps", "900", "--out", str(run))
        assert result.exit_code == 2
        assert result.stderr == f"pasgl: {run}/training.pt is no checkpoint, or a damaged one\n"


@pytest.mark.usefixtures("interruptible")
class TestStops:
    def test_ctrl_c_saves(self, tmp_path):
        def interrupt(status):
            if status.steps >= 100:
                signal.raise_signal(signal.SIGINT)

        before = signal.getsignal(signal.SIGINT)
        status = learn(settings(), tmp_path / "run", report=interrupt)
        assert signal.getsignal(signal.SIGINT) is before
        assert 100 <= status.steps == training(tmp_path / "run")["steps"] < STEPS

    def test_ctrl_c_ends_a_match(self, tmp_path, monkeypatch):
        monkeypatch.setattr(alphazero.Run, "_may_evaluate", lambda run: True)
        played = []

        def interrupted(*arguments, **rest):
            signal.raise_signal(signal.SIGINT)
            played.append(play_match(*arguments, **rest))

        monkeypatch.setattr(alphazero, "play_match", interrupted)
        status = learn(settings(opponents=("random",)), tmp_path / "run")
        assert (played, status.win_rates) == ([], {})

    @pytest.mark.parametrize("fault", [KeyboardInterrupt(), OSError(errno.ENOSPC, "disk is full")])
    def test_the_old_checkpoint_stays_if_the_new_one_is_cut_short(self, run, fault, monkeypatch):
        before = (run / "training.pt").read_bytes()

        def cut_short(number):
            raise fault

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", cut_short)
            with pytest.raises(type(fault)):
                learn(settings(steps=STEPS + 100), run, resume=True)
        assert (run / "training.pt").read_bytes() == before
        assert {path.name for path in run.iterdir()} == FILES
        assert learn(settings(steps=STEPS + 100), run, resume=True).progress == 1


class TestCommand:
    def test_it_trains_and_goes_on(self, tmp_path):
        arguments = ("pasgl312", "--out", str(tmp_path), "--set", "turn_limit=6", "--device", "cpu")
        small = ("--games", "8", "--simulations", "4")
        result = command(*arguments, *small, "--steps", "50")
        assert result.exit_code == 0, result.stderr
        assert f"pasgl evaluate pasgl312 {tmp_path} greedy --set turn_limit=6" in result.stdout
        again = command("pasgl312", "--out", str(tmp_path), "--resume", "--steps", "100")
        assert again.exit_code == 0, again.stderr
        assert counters(tmp_path)["steps"] >= 100

    def test_a_resumed_run_keeps_its_settings(self, run):
        result = command("pasgl312", "--out", str(run), "--resume", "--simulations", "9")
        assert result.exit_code == 2
        assert result.stderr.startswith("pasgl: a resumed run keeps its settings: simulations")


@pytest.mark.slow
def test_minutes_of_training_beat_random(tmp_path):
    folder = tmp_path / "run"
    trainer = (sys.executable, "-m", "pasgl_env.agents.alphazero", "pachessi")
    subprocess.run([*trainer, "--minutes", "6", "--out", folder], check=True)
    agent = players.make(str(folder), "pachessi", seed=1)
    match = play_match("pachessi", agent, "random", games=200, seed=1, paired=True)
    low = match.all.win_rate.low
    assert low is not None and low > 0.5
