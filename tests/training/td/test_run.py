"""Temporal-difference learning: gradients, returns, results and runs."""

import json
import shutil
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pasgl_env import players, variants
from pasgl_env.contract.game import options_array
from pasgl_env.players.values.network import Network, features_of, value_rules
from pasgl_env.players.values.weights import (
    FILE,
    SHIPPED,
    SUFFIX,
    BadWeights,
    read_network,
    read_tensors,
    unlearned,
    write_network,
    write_tensors,
)
from pasgl_env.training.runs import RunExists, log_rows, read_settings
from pasgl_env.training.settings import TdSettings
from pasgl_env.training.td import run as td
from pasgl_env.training.td import threads
from pasgl_env.training.td.loops import (
    Play,
    Track,
    Workspace,
    learning_rules,
    loop_of,
)
from pasgl_env.training.td.run import TdRun, points_of
from pasgl_env.training.td.threads import Share, Threads

SMALL: dict[str, Any] = {"size": 5, "hole": 1}
PACHESSI = variants.find("pachessi")
UNITS = features_of(PACHESSI).units


def random_network(features: int = 6, seed: int = 1) -> Network:
    random = np.random.default_rng(seed)
    return Network(
        *(
            random.normal(0, 0.5, array.shape).astype(np.float32)
            for array in Network.zeros(features, UNITS)
        )
    )


def logit(network: Network, indices: np.ndarray, base: float) -> float:
    sums, forward = np.zeros(UNITS + 1, np.float32), value_rules(PACHESSI)["forward"]
    return float(forward(network, indices, indices.size, sums) + network.out[UNITS] * base)


def test_a_step_follows_the_gradient():
    """Adagrad's first step has the size of the rate, and the sign of each weight's slope."""
    network, before = random_network(), random_network()
    squares, sums = Network.zeros(6, UNITS), np.zeros(UNITS + 1, np.float32)
    indices, base, target = np.array([4, 1, 4], np.int32), 0.7, 0.9
    learning_rules(PACHESSI)["step"](network, squares, 0.001, indices, 3, base, sums, target)

    def loss(weights):
        chance = 1 / (1 + np.exp(-logit(weights, indices, base)))
        wanted = (1 + target) / 2
        return -wanted * np.log(chance) - (1 - wanted) * np.log(1 - chance)

    for array, moved, square in zip(before, network, squares, strict=True):
        for place in map(tuple, np.argwhere(square > 1e-5)[::7]):
            nudged = Network(*(each.copy() for each in before))
            for each in nudged:
                if each.shape == array.shape and (each == array).all():
                    each[place] += 1e-2
                    break
            slope = (loss(nudged) - loss(before)) / 1e-2
            assert np.sign(moved[place] - array[place]) == -np.sign(slope), place
        untouched = square == 0
        assert (moved[untouched] == array[untouched]).all()
    assert (network.rows[[0, 2, 3, 5]] == before.rows[[0, 2, 3, 5]]).all()
    assert loss(network) < loss(before)


class TestReturns:
    """Targets that states learn, told by a rate so small that nothing else changes."""

    def errors(self, values, cuts, result, decay, turns=(), discount=1.0):
        """How far each state's value is off its target, the first state first."""
        seen = []
        for number in range(len(values)):
            space = Workspace.of(PACHESSI, options_array(PACHESSI, {}))
            track = space.track
            parts = (track.values, values), (track.cuts, cuts), (track.turns, turns)
            for part, whole in parts:
                part[: len(whole)] = whole
            network, squares = Network.zeros(10, UNITS), Network.zeros(10, UNITS)
            settings = Play(0.0, 1.0, 0, decay, 0.0, 0.0, 0, 0.0, discount)
            tail = space._replace(track=Track(*(part[number:] for part in track)))
            learning_rules(PACHESSI)["learn"](
                network, squares, settings, tail, len(values) - number, result
            )
            seen.append(space.tally.errors[0])
        # The sums of squares, so that differences are those of single states.
        return [a - b for a, b in zip(seen, [*seen[1:], 0.0], strict=True)]

    def test_are_of_the_result_and_of_later_values(self):
        nan = [np.nan] * 4
        found = self.errors([0.1, 0.2, 0.4], nan, 1.0, 0.5)
        # The last learns 1; the one before (1 + 0.4) / 2; the first (0.7 + 0.2) / 2.
        assert found == pytest.approx([0.45**2, 0.7**2, 1.0], abs=1e-6)

    def test_are_cut_where_an_action_was_not_the_best(self):
        cuts = [np.nan, np.nan, 0.3, np.nan]
        found = self.errors([0.1, 0.2, 0.4], cuts, 1.0, 0.5)
        # What came of the second action says nothing: the second state learns its best value.
        assert found == pytest.approx([0.25**2, 0.3**2, 1.0], abs=1e-6)

    def test_are_discounted_by_the_turns_in_between(self):
        found = self.errors([0.1, 0.2, 0.4], [np.nan] * 4, 1.0, 0.5, [4, 5, 5, 7], discount=0.8)
        # The result is two turns after the last state, which is of the same turn as the second.
        assert found == pytest.approx([0.288**2, 0.52**2, 0.64**2], abs=1e-6)


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    """A short run on a small board, and its folder."""
    folder = tmp_path_factory.mktemp("run")
    settings = TdSettings("pachessi", minutes=None, games=1500, threads=1, seed=3, options=SMALL)
    return td.train(settings, folder), folder


@pytest.mark.parametrize("limit", [{"games": 60}, {"steps": 6000}])
def test_a_run_of_one_thread_is_repeatable(tmp_path, limit):
    settings = TdSettings("pachessi", minutes=None, threads=1, options=SMALL, **limit)
    networks = []
    for name in "ab":
        td.train(settings, tmp_path / name)
        networks.append(read_network(tmp_path / name, "pachessi")[0])
    assert all((one == other).all() for one, other in zip(*networks, strict=True))


def test_what_is_learned_beats_the_evaluation_that_it_began_with(learned):
    from pasgl_env.evaluation import play_match
    from pasgl_env.evaluation.openings import EVEN_OPENINGS

    _, folder = learned
    settings: Any = {"seed": 5, "paired": True, "starts": EVEN_OPENINGS, **SMALL}
    result = play_match("pachessi", f"td:values={folder}", "greedy", 400, **settings)
    low = result.all.score_rate.low
    assert low is not None
    assert low > 0.5


def test_values_come_nearer_to_the_results(learned):
    _, folder = learned
    rows = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    assert rows[-1]["games"] == 1500
    fresh = TdRun(TdSettings("pachessi", minutes=None, games=100, options=SMALL))
    assert rows[-1]["error"] < 0.5
    assert fresh.status.games == 0


class TestRuns:
    def test_a_folder_with_a_run_is_not_overwritten(self, learned):
        _, folder = learned
        settings = TdSettings("pachessi", minutes=None, games=10, options=SMALL)
        with pytest.raises(RunExists, match="holds a run already: resume it"):
            td.train(settings, folder)
        with pytest.raises(RunExists, match="no run to resume"):
            td.train(settings, folder / "empty", resume=True)

    def test_goes_on_where_it_was(self, tmp_path):
        settings = TdSettings("pachessi", minutes=None, games=40, options=SMALL, threads=1)
        first = td.train(settings, tmp_path)
        more = replace(read_settings(tmp_path, TdSettings), games=90)
        second = td.train(more, tmp_path, resume=True)
        assert first.games == 40
        assert second.games == 90
        assert second.decisions > first.decisions

    def test_ends_with_the_game_in_which_its_decisions_are_made(self, tmp_path):
        settings = TdSettings("pachessi", minutes=None, steps=5000, options=SMALL, threads=1)
        status = td.train(settings, tmp_path)
        assert 5000 <= status.decisions < 5000 + 4 * status.decisions / status.games

    def test_a_foreign_state_is_refused(self, tmp_path):
        settings = TdSettings("pachessi", minutes=None, games=2, options=SMALL, threads=1)
        td.train(settings, tmp_path)
        shutil.copy(tmp_path / "values.safetensors", tmp_path / td.TRAINING_FILE)
        with pytest.raises(BadWeights, match="does not hold a run of pachessi"):
            td.train(replace(settings, games=4), tmp_path, resume=True)

    @pytest.mark.parametrize(
        ("variant", "options", "reason"),
        [
            ("chieftain", {}, "variant 'superchief', not 'chieftain'"),
            ("superchief", {"turn_limit": 20}, "options '{}', not '{\"turn_limit\": 20}'"),
        ],
    )
    def test_a_state_of_other_rules_is_refused(self, tmp_path, variant, options, reason):
        file = tmp_path / td.TRAINING_FILE
        file.write_bytes(TdRun(TdSettings("superchief")).save())
        settings = TdSettings(variant, minutes=None, games=1, options=options)
        with pytest.raises(BadWeights, match=f"{file} holds a run with {reason}"):
            td.train(settings, tmp_path, resume=True)
        assert not (tmp_path / "settings.json").exists()

    @pytest.mark.parametrize("lost", ["variant", "options", "status"])
    def test_a_state_that_does_not_say_what_it_is_of_is_refused(self, tmp_path, lost):
        run, file = TdRun(TdSettings("pachessi")), tmp_path / td.TRAINING_FILE
        file.write_bytes(run.save())
        tensors, metadata = read_tensors(file)
        del metadata[lost]
        file.write_bytes(write_tensors(tensors, metadata))
        with pytest.raises(BadWeights, match="does not hold a run of pachessi by this version"):
            run.load(file)

    def test_a_state_of_another_shape_is_refused(self, tmp_path):
        run, file = TdRun(TdSettings("pachessi")), tmp_path / td.TRAINING_FILE
        file.write_bytes(run.save())
        tensors, metadata = read_tensors(file)
        tensors["squares.rows"] = tensors["squares.rows"][:1]
        file.write_bytes(write_tensors(tensors, metadata))
        with pytest.raises(BadWeights, match="does not hold a run of pachessi by this version"):
            run.load(file)

    def test_a_torn_row_of_its_log_is_dropped(self, tmp_path):
        settings = TdSettings("pachessi", minutes=None, games=2, options=SMALL, threads=1)
        td.train(settings, tmp_path)
        with open(tmp_path / "log.jsonl", "a") as log:
            log.write('{"prog')
        td.train(replace(settings, games=4), tmp_path, resume=True)
        assert [row["games"] for row in log_rows(tmp_path)] == [2, 4]

    def test_a_log_that_is_none_is_told_before_the_training(self, tmp_path):
        settings = TdSettings("pachessi", minutes=None, games=2, options=SMALL, threads=1)
        td.train(settings, tmp_path)
        (tmp_path / "log.jsonl").unlink()
        (tmp_path / "log.jsonl").mkdir()
        told = list[td.TdStatus]()
        with pytest.raises(OSError, match=r"log\.jsonl"):
            td.train(replace(settings, games=4), tmp_path, resume=True, report=told.append)
        assert told == []
        assert read_settings(tmp_path, TdSettings) == settings

    def test_files_that_are_no_points_are_left_alone(self, tmp_path):
        settings = TdSettings("pachessi", minutes=None, games=2, options=SMALL, threads=1)
        td.train(settings, tmp_path)
        foreign = tmp_path / "points" / "best.safetensors"
        foreign.write_bytes(b"mine")
        td.train(replace(settings, games=4), tmp_path, resume=True)
        assert foreign not in points_of(tmp_path)
        assert foreign.read_bytes() == b"mine"

    def test_keeps_values_at_points_of_the_run(self, tmp_path):
        settings = TdSettings("pachessi", minutes=None, games=12, options=SMALL, threads=1)
        td.train(settings, tmp_path)
        (tmp_path / "points" / "99.safetensors").write_bytes(b"of a lost part of the run")
        td.train(replace(settings, games=24), tmp_path, resume=True)
        assert [int(file.stem) for file in points_of(tmp_path)] == [2, 4, 6, 8, 10, 12, 16, 20, 24]
        early, last = (read_network(file, "pachessi")[0] for file in points_of(tmp_path)[::8])
        assert (last.rows == read_network(tmp_path, "pachessi")[0].rows).all()
        assert (early.rows != last.rows).any()

    def test_ctrl_c_saves_what_has_been_learned(self, tmp_path):
        def interrupt(status):
            raise KeyboardInterrupt

        settings = TdSettings("pachessi", minutes=60, options=SMALL, threads=2)
        status = td.train(settings, tmp_path, report=interrupt)
        assert status.games > 0
        assert read_settings(tmp_path, TdSettings) == settings
        read_network(tmp_path, "pachessi")

    def test_when_it_diverges_the_last_checkpoint_stays(self, tmp_path):
        settings = TdSettings("pachessi", minutes=None, games=20, threads=1, options=SMALL)
        td.train(settings, tmp_path)
        before = [(tmp_path / name).read_bytes() for name in (FILE, td.TRAINING_FILE)]

        def spoil(run, crew):
            run.network.out[:] = 1e9  # no float16

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(TdRun, "advance", spoil)
            with pytest.raises(ValueError, match=r"diverged.*a smaller step than 0\.03"):
                td.train(replace(settings, games=40), tmp_path, resume=True)
        assert [(tmp_path / name).read_bytes() for name in (FILE, td.TRAINING_FILE)] == before

    def test_workers_without_ray_say_how_to_install_it(self, tmp_path, monkeypatch):
        monkeypatch.setitem(sys.modules, "ray", None)
        monkeypatch.delitem(sys.modules, "pasgl_env.training.td.cluster", raising=False)
        settings = TdSettings("pachessi", games=1, options=SMALL, workers=2)
        with pytest.raises(ImportError, match=r"pip install 'pasgl-env\[ray\]'"):
            td.train(settings, tmp_path)

    def test_a_start_is_learned_on_from(self, tmp_path):
        one = TdSettings("pachessi", minutes=None, games=1, options=SMALL)
        td.train(one, tmp_path)
        begun = TdRun(replace(one, start=str(tmp_path))).network
        for mine, saved in zip(begun, read_network(tmp_path, "pachessi")[0], strict=True):
            assert (mine == saved).all()

    def test_a_start_may_be_of_another_variant_with_the_same_features(self, tmp_path):
        chieftain = variants.ruleset("chieftain")
        start = unlearned(chieftain)
        start.bias[:] = 3
        (tmp_path / FILE).write_bytes(write_network(start, chieftain, {}))
        settings = TdSettings("superchief", games=1, start=str(tmp_path))
        assert (TdRun(settings).network.bias == 3).all()
        with pytest.raises(BadWeights, match="different features from those of spalding"):
            TdRun(replace(settings, variant="spalding"))

    def test_units_that_a_smaller_start_did_not_have_count_nothing_but_learn(self, tmp_path):
        one = TdSettings("pachessi", minutes=None, games=4, threads=1, options=SMALL)
        td.train(one, tmp_path)
        smaller = read_network(tmp_path, "pachessi")[0]
        smaller.rows[:, :3], smaller.bias[:3], smaller.out[:3] = 0, 0, 0
        (tmp_path / FILE).write_bytes(write_network(smaller, one.ruleset, {}))
        run = TdRun(replace(one, start=str(tmp_path)))
        assert (run.network.rows[:, 3:] == smaller.rows[:, 3:]).all()
        assert not run.network.out[:3].any()
        with closing(Threads(run.settings, run.generators)) as crew:
            run.advance(crew)
        assert run.network.out[:3].all()

    def test_a_rival_plays_by_the_values_that_are_named(self):
        def learned(rival):
            run = TdRun(TdSettings("pachessi", games=4, threads=1, rival_share=1.0, rival=rival))
            with closing(Threads(run.settings, run.generators)) as crew:
                run.advance(crew)
            return run.network.rows

        shipped = learned("td")
        assert (learned(str(SHIPPED / f"pachessi{SUFFIX}")) == shipped).all()
        assert (learned(None) != shipped).any()

    def test_a_rival_that_is_a_player_is_asked_where_it_has_a_choice(self, monkeypatch):
        asked = []

        def lowest(observation, action_mask):
            assert (action_mask.sum(axis=1) > 1).all()
            asked.append(len(action_mask))
            return action_mask.argmax(axis=1)

        def learned(rival):
            monkeypatch.setattr(players, "as_player", lambda name, *rest: make(rival, *rest))
            settings = TdSettings(
                "pachessi",
                options=SMALL,
                games=90,
                minutes=None,  # so that slices do not depend on the time
                threads=1,
                rival_share=1.0,
                rival="another",
            )
            run = TdRun(settings)
            with closing(Threads(run.settings, run.generators)) as crew:
                while run.status.progress < 1:
                    run.advance(crew)
            assert run.status.games == 90
            return run.network.rows

        make = players.as_player
        rows = learned(lowest)
        assert set(asked) == {threads.AT_ONCE}
        assert (learned(lowest) == rows).all()
        assert (learned("random") != rows).any()

    @pytest.mark.parametrize("generator", [5, -5])
    def test_a_rival_that_is_a_player_is_asked_after_any_state_of_the_generator(self, generator):
        settings = TdSettings("pachessi", options=SMALL, threads=1, rival_share=1.0, rival="random")
        run = TdRun(settings)
        run.generators[:] = generator
        with closing(Threads(settings, run.generators)) as crew:
            run.advance(crew)
        assert run.status.games > 0

    def test_the_game_states_how_its_values_are_learned_and_a_run_may_differ(self):
        assert TdSettings("pachessi").learning("pachessi") == (0.2, 8, 0.7, None, 0.5, (), 1.0)
        usual = td.plays_of(TdSettings("superchief"), 0.0)
        assert [(play.opening, play.horizon) for play in usual] == [
            (3000, 160),  # Superchief
            (1000, 120),  # Chieftain
            (6000, 160),  # Overlord
        ]
        assert {(play.decay, play.discount) for play in usual} == {(0.94, 0.99)}
        (play,) = td.plays_of(
            TdSettings("superchief", decay=0.0, horizon=400, extra_variants=()), 0.0
        )
        assert play[:4] == (0.05, 0.1, 3000, 0.0)
        assert play.horizon == 400

    def test_variants_with_the_same_features_share_the_decisions(self):
        settings = TdSettings("superchief", threads=1, games=30, opening=100, horizon=4)
        assert settings.learned_variants == ("superchief", "chieftain", "overlord")
        run = TdRun(settings)
        share = Share(settings, run.network)
        decisions = np.zeros(3)
        loop = loop_of(variants.find("superchief"))

        def play_and_count(options, *rest):
            tally, before = rest[-3].tally, rest[-3].tally.counts[1]
            loop(options, *rest)
            board = [16 * 12, 24 * 12, 24 * 16].index(options[0]["squares"])
            decisions[board] += tally.counts[1] - before

        share._loop = play_and_count
        weights, plays = (run.network, run.network), td.plays_of(settings, 0.0)
        share.play(*weights, plays, 30, np.zeros(1, np.int64))
        assert share.tally.counts[0] == 30
        assert decisions.sum() == share.tally.counts[1]
        assert decisions.min() > 0.7 * decisions.max()

    def test_options_are_those_of_the_own_variant_alone(self):
        options = {"command_range": 2}
        assert TdSettings("chieftain", options=options).learned_variants == ("chieftain",)

    @pytest.mark.parametrize(
        ("wrong", "reason"),
        [
            ({"rival": "td"}, "set rival_share above 0"),
            (
                {"rival": "td", "rival_share": 1, "options": SMALL},
                "none come with pachessi and these",
            ),
            ({"exploration": 1.5}, "exploration must be from 0 to 1"),
            ({"decay": -0.1}, "decay must be from 0 to 1"),
            ({"temperature": 0.0}, "temperature must be above 0"),
            ({"minutes": None}, "needs a limit"),
            ({"rival_share": 2}, "rival_share must be from 0 to 1"),
            ({"threads": 0}, "threads must be from 1"),
            ({"options": {"size": 99}}, "size"),
            (
                {"extra_variants": ("chieftain",)},
                "extra_variants must name other variants with the rules and features",
            ),
            ({"extra_variants": ("grand_pachessi",)}, "extra_variants must name other variants"),
            ({"extra_variants": ("pachessi",)}, "extra_variants must name other variants"),
            ({"extra_variants": ("chess",)}, "chess"),
        ],
    )
    def test_impossible_settings_are_refused(self, wrong, reason):
        with pytest.raises(ValueError, match=reason):
            TdSettings("pachessi", **wrong)


def test_learning_needs_no_deep_learning_library():
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from pasgl_env.training.td import run as td\n"
        "from pasgl_env import players\n"
        "players.make('td', 'pachessi'); print('torch' in sys.modules and sys.modules['torch'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        check=True,
    )
    assert done.stdout.split() == ["None"]
