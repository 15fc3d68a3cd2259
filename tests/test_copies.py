"""Everything that users hold continues as the original: copied, pickled, in other processes.

All of it *after use*: a fresh object has nothing yet that a copy could share or miss.
"""

import copy
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
import time
from dataclasses import replace
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest

import pasgl_env.envs  # noqa: F401 # registers the environments
from pasgl_env import Batch, Dice, Position, players, variants
from pasgl_env.engine import sharing
from pasgl_env.envs.aec import VariantEnv, standard_env
from pasgl_env.envs.gym import DuelEnv, DuelVectorEnv
from pasgl_env.jit.compiled import JIT
from pasgl_env.playtest.restrict import RestrictedPlayer, Restriction
from pasgl_env.records.batch import BatchLog

from .one_of_each import ONE_OF_EACH_GAME

NAMES = (
    "random",
    "greedy",
    "mcts:9",
    "mcts:5:plies=3:trees=2",
    "td",
    "td:temperature=0.1",
    "search:5",
    "search:3:trees=2",
)
USED, GAMES = 3, 3

COPIES = {
    "copied": copy.deepcopy,
    "pickled": lambda thing: pickle.loads(pickle.dumps(thing)),
    "twice": lambda thing: copy.deepcopy(pickle.loads(pickle.dumps(thing))),
}


def last_legal(observation, mask):
    """A player that is a function."""
    return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)


class Policy:
    """A policy with a generator of its own."""

    def __init__(self):
        self.rng = np.random.default_rng(1)

    def predict(self, observation, action_masks=None, deterministic=False):
        return np.array([self.rng.choice(np.flatnonzero(mask)) for mask in action_masks]), None


class Played:
    """A player in the games of a batch."""

    def __init__(self, variant, make):
        self.batch = Batch(variant, GAMES, seed=1, turn_limit=30)
        self.player = make(variant)

    def go_on(self):
        actions = players.choose(self.player, self.batch, np.arange(GAMES))
        self.batch.step(actions)
        return actions.tolist()


class Stepped:
    """An environment of a learner who takes the first legal action."""

    def __init__(self, env):
        self.env = env
        self.info = self.env.reset(seed=1)[1]

    def go_on(self):
        actions = self.info["action_mask"].argmax(axis=-1)
        observation, reward, over, cut, self.info = self.env.step(actions)
        told = observation.tobytes(), np.asarray(reward).tolist(), np.asarray(over | cut).tolist()
        if np.ndim(over) == 0 and (over or cut):
            self.info = self.env.reset()[1]
        return told


class Cycled:
    """A PettingZoo environment whose agents take the first legal action."""

    def __init__(self, env):
        self.env = env
        self.env.reset(seed=1)

    def go_on(self):
        observation, reward, over, cut, _ = self.env.last()
        if over or cut:
            self.env.reset()
        else:
            self.env.step(int(observation["action_mask"].argmax()))
        return observation["observation"].tobytes(), reward, over, cut


class Vectorised:
    """An environment for Stable-Baselines3, with random actions."""

    def __init__(self, env):
        self.env = env
        self.env.reset()

    def go_on(self):
        observation, reward, done, _ = self.env.step(self.env.sample())
        assert getattr(self.env, "duel", self.env).batch is self.env.batch
        return observation.tobytes(), reward.tolist(), done.tolist()


class Walked:
    """A position and its dice."""

    def __init__(self, variant):
        self.position, self.dice = Position(variant), Dice(1)

    def go_on(self):
        if self.position.is_chance:
            return self.position.roll(self.dice)
        return self.position.play_action(self.position.legal_actions()[-1]).state.tobytes()


class Logged:
    """A batch whose games are recorded."""

    def __init__(self, variant):
        self.batch = Batch(variant, GAMES, seed=1, turn_limit=2)
        self.log = BatchLog(self.batch)

    def go_on(self):
        return self.log.step(self.batch.action_mask.argmax(axis=1)), self.log.rest()


def restricted(variant):
    ruleset = variants.ruleset(variant, turn_limit=30)
    limits = [Restriction("first", "*1*"), Restriction("second", "*2*", of_turns=True)]
    return RestrictedPlayer(players.make("td", variant, seed=1), 0, ruleset, limits)


def makers(variant):
    """How to make each thing, by name."""
    made = {
        name: partial(Played, variant, partial(players.make, name, seed=1)) for name in NAMES
    } | {
        "function": partial(Played, variant, lambda _: players.as_player(last_legal, variant)),
        "policy": partial(Played, variant, lambda _: players.as_player(Policy(), variant)),
        "restricted": partial(Played, variant, restricted),
        "position": partial(Walked, variant),
        "log": partial(Logged, variant),
        "raw AEC": lambda: Cycled(VariantEnv(variant)),
        "AEC": lambda: Cycled(standard_env(variant)),
        "gymnasium.make": lambda: Stepped(gymnasium.make(environment_of(variant), opponent="td")),
    }
    for opponent in ("random", "greedy", "mcts:5", "td", "search:3"):
        seeded = partial(players.make, opponent, variant, seed=1)
        made[f"Gymnasium, {opponent}"] = partial(stepped, DuelEnv, variant, seeded)
        made[f"vector, {opponent}"] = partial(stepped, DuelVectorEnv, variant, seeded, GAMES)
    try:
        from pasgl_env.envs.both_sides import BothSidesVecEnv
        from pasgl_env.envs.vec import SelfPlayVecEnv
        from pasgl_env.players.trained import shipped_names
    except ImportError:
        return made
    how: dict[str, Any] = {"seed": 1, "shaping": 0.1, "turn_limit": 20}
    opponents = ["td", "search:3", "random"]
    made["self-play"] = lambda: Vectorised(
        SelfPlayVecEnv(variant, GAMES, opponents=opponents, opening=3, **how)
    )
    made["both sides"] = lambda: Vectorised(BothSidesVecEnv(variant, GAMES, **how))
    if f"ppo:{variant}" in shipped_names():
        made["ppo"] = partial(Played, variant, partial(players.make, "ppo", seed=1))
    return made


def stepped(kind, variant, opponent, *games):
    return Stepped(kind(variant, *games, opponent=opponent(), turn_limit=20))


def environment_of(variant):
    title = "".join(word.title() for word in variant.split("_"))
    return f"pasgl_env/{title}-v0"


def used(variant):
    """All of them, each used a little."""
    things = {name: make() for name, make in makers(variant).items()}
    for thing in things.values():
        future(thing, USED)
    return things


def future(thing, steps=4):
    return [thing.go_on() for _ in range(steps)]


def futures(things):
    return {name: future(thing) for name, thing in things.items()}


def different(one, other):
    """The names of the things whose futures differ."""
    assert one.keys() == other.keys()
    return [name for name in one if one[name] != other[name]]


def test_copies_continue_as_the_original(variant):
    things = used(variant)
    twins = {how: copied(things) for how, copied in COPIES.items()}
    expected = futures(things)
    for how, twin in twins.items():
        assert different(futures(twin), expected) == [], how


def test_a_shallow_copy_of_an_environment_or_of_dice_shares_nothing_that_changes(variant):
    for name, thing in used(variant).items():
        is_wrapped = name in ("AEC", "gymnasium.make")  # by classes of PettingZoo and Gymnasium
        for part in () if is_wrapped else ("env", "dice"):
            if hasattr(thing, part):
                twin = copy.deepcopy(thing)
                setattr(twin, part, copy.copy(getattr(thing, part)))
                expected = future(thing)
                assert future(twin) == expected, name


@pytest.mark.parametrize("name", NAMES)
def test_a_shallow_copy_of_a_player_shares_nothing_that_changes(name, variant):
    played = Played(variant, partial(players.make, name, seed=1))
    future(played, USED)
    twin = copy.deepcopy(played)
    twin.player = copy.copy(played.player)
    expected = future(played)
    assert future(twin) == expected


def test_workers_continue_as_the_original():
    """Where nothing is inherited: what a forked process gets is tested below."""
    things = {
        (variant, name): thing
        for variant in ONE_OF_EACH_GAME
        for name, thing in used(variant).items()
    }
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        found = pool.apply(futures, (things,))
    assert different(found, futures(things)) == []


class TestGames:
    def test_are_pickled_by_name(self, every_variant):
        game = variants.find(every_variant)
        assert pickle.loads(pickle.dumps(game)) is game
        assert len(pickle.dumps(game)) < 200

    def test_outside_the_table_are_pickled_by_the_module_that_holds_them(self):
        assert pickle.loads(pickle.dumps(OWN)) is OWN
        assert copy.deepcopy(OWN) is OWN

    def test_that_nobody_can_find_are_refused(self):
        game = replace(OWN, title="Somewhere else")
        with pytest.raises(pickle.PicklingError, match="'pachessi' cannot be pickled: it is nei"):
            pickle.dumps(game)
        assert copy.copy(game) is copy.deepcopy(game) is game


OWN = replace(variants.find("pachessi"), title="Our own")


class Slow(players.player.SeededPlayer):
    """A player who takes a while, and says when it begins."""

    name = "slow"

    def __init__(self):
        super().__init__(1)
        self.steps = 0

    def _decide(self, batch, games, generators, actions):
        self.steps += 1
        time.sleep(0.3)
        actions[:] = batch.action_mask[games].argmax(axis=1)
        self.steps += 1


@pytest.fixture
def busy():
    """A player that another thread is using, and the batch."""
    player, batch = Slow(), Batch("pachessi", 2, seed=1)
    thread = threading.Thread(target=player.choose, args=(batch, np.arange(2)))
    thread.start()
    while player.steps % 2 == 0:
        time.sleep(0.001)
    yield player, batch
    thread.join()


class TestThreads:
    def test_a_player_in_use_is_refused(self, busy):
        player, batch = busy
        for call in (
            lambda: player.choose(batch, np.arange(2)),
            lambda: player.reseed(np.arange(1), [1]),
            player.with_own_generators,
        ):
            with pytest.raises(RuntimeError, match="player is in use by another thread: give each"):
                call()

    @pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
    def test_a_copy_waits_until_the_player_has_chosen(self, busy, copied):
        twin = copied(busy[0])
        assert (pickle.loads(twin) if isinstance(twin, bytes) else twin).steps == 2

    def test_an_environment_in_use_is_refused(self):
        player = Slow()
        env = DuelEnv("pachessi", opponent=player, learner=0)
        env.reset(seed=1)
        env.duel.opponents[0] = player
        mask = env.action_masks()

        def play():
            while not player.steps:
                env.step(int(env.action_masks().argmax()))

        thread = threading.Thread(target=play)
        thread.start()
        while player.steps % 2 == 0:
            time.sleep(0.001)
        with pytest.raises(RuntimeError, match="these games are in use by another thread"):
            env.step(int(mask.argmax()))
        thread.join()

    @pytest.mark.skipif(not JIT, reason="slow as plain Python")
    def test_copies_of_a_batch_that_is_stepped_are_whole(self, tmp_path):
        batch, going_on = Batch("pasgl312", 600, seed=1), [True]
        stopped = []

        def play():
            try:
                while going_on[0]:
                    batch.step(batch.sample())
            except BaseException as error:
                stopped.append(error)

        thread = threading.Thread(target=play)
        thread.start()
        try:
            for number in range(30):
                batch.save(tmp_path / "batch.npz")
                for twin in (
                    copy.deepcopy(batch),
                    pickle.loads(pickle.dumps(batch)),
                    Batch.load(tmp_path / "batch.npz"),
                ):
                    fresh = Batch("pasgl312", 600)
                    fresh.states = twin.states
                    assert (fresh.action_mask == twin.action_mask).all(), number
        finally:
            going_on[0] = False
            thread.join()
        assert stopped == []

    def test_players_in_threads_play_as_alone(self, variant):
        td = players.make("td", variant, seed=1)
        future(Played(variant, lambda _: td), USED)
        envs = [DuelEnv(variant, opponent=td, turn_limit=20) for _ in range(4)]
        expected = [future(Stepped(env), 12) for env in envs[:2]]
        found: list[Any] = [[], []]

        def play(number):
            found[number] = future(Stepped(envs[2 + number]), 12)

        threads = [threading.Thread(target=play, args=(number,)) for number in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == expected


FORKS = """
import os, sys, threading, time
import numpy as np
from pasgl_env import Batch, players
from pasgl_env.engine import sharing

batch, td = Batch("pasgl312", 400, seed=1, threads=2), players.make("td", "pasgl312", seed=1)
going_on = [True]

def play():
    while going_on[0]:
        batch.step(batch.sample())
        batch.step(players.choose(td, batch, np.arange(400)))

thread = threading.Thread(target=play)
thread.start()
codes = []
for number in range(20):
    time.sleep(0.01)
    child = os.fork()
    if child == 0:
        code = 3
        try:
            fresh = Batch("pasgl312", 400)
            fresh.states = batch.states
            whole = (fresh.action_mask == batch.action_mask).all()
            batch.step(players.choose(td, batch, np.arange(400)))
            batch.step(batch.sample())
            code = 0 if whole else 1
        except BaseException as error:
            print(type(error).__name__, error, file=sys.stderr)
        os._exit(code)
    codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
going_on[0] = False
thread.join()
sys.exit(max(codes))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
class TestForks:
    def test_a_child_continues_with_whole_objects(self):
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", FORKS],
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert (done.returncode, done.stderr) == (0, "")

    @pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
    def test_what_a_fork_cannot_wait_for_is_refused_in_the_child(self, busy, monkeypatch):
        monkeypatch.setattr(sharing, "LONGEST_WAIT", 0.01)
        player, batch = busy
        child = os.fork()
        if child == 0:
            try:
                player.choose(batch, np.arange(2))
            except RuntimeError as error:
                os._exit(7 if "half changed" in str(error) else 1)
            os._exit(2)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
