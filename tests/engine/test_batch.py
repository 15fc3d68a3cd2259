"""The promises of the docstrings of Batch."""

import copy
import errno
import json
import os
import pickle
import random
import signal
import threading
import tracemalloc
import zipfile
from itertools import count
from typing import Any

import numpy as np
import pytest

from pasgl_env import Batch, Dice, IllegalMove, Position
from pasgl_env.contract.variants import find
from pasgl_env.engine.loops import NOTHING
from pasgl_env.engine.threads import GAMES_WORTH_A_THREAD, ThreadPool
from pasgl_env.jit.compiled import JIT
from pasgl_env.storage import arrays
from pasgl_env.storage.arrays import ALWAYS_ALLOWED

from ..contents import content_of
from ..games.pasgl312.positions import place

OUTPUTS = {
    "observation": np.uint8,
    "action_mask": np.uint8,
    "legal_count": np.int32,
    "to_move": np.int8,
    "reward": np.float32,
    "terminated": np.bool_,
    "truncated": np.bool_,
}
OF_THE_ENDED = ("ended", "outcome", "final_length", "final_states", "final_observation")
SHORT: dict[str, Any] = {"turn_limit": 30}


def settings_of(variant, **settings):
    """The settings that the variant has."""
    game = find(variant)
    known = {option.name for option in game.options} | ({"reward"} if game.has_points else set())
    return {name: value for name, value in settings.items() if name in known}


def outputs(batch):
    return {name: getattr(batch, name).tobytes() for name in OUTPUTS}


def is_array(array, dtype, shape):
    return array.dtype == dtype and array.shape == shape


def everything(batch):
    """Everything that distinguishes a batch from another, and from itself at another time."""
    ended = {name: getattr(batch, name).tobytes() for name in OF_THE_ENDED}
    return outputs(batch) | ended | {"all": content_of(batch)}


def stepped(batch, steps):
    """The batch after some steps of its own random play."""
    for _ in range(steps):
        batch.step(batch.sample())
    return batch


def future(batch, steps=60):
    """The outputs of a copy of the batch over its next steps."""
    twin = copy.deepcopy(batch)
    seen = []
    for _ in range(steps):
        twin.step(twin.sample())
        seen.append([outputs(twin), twin.states.tobytes(), twin.final_length.tobytes()])
    return seen


def states_of(*texts, **options):
    return np.concatenate([Position.from_text("pasgl312", t, **options).state for t in texts])


def batch_at(*texts, **settings):
    """A batch with these positions."""
    batch = Batch("pasgl312", len(texts), seed=0, **settings)
    batch.states = states_of(*texts)
    return batch


def action_of(batch, game, label):
    """The action of a label in a game at the start of a turn."""
    (state,) = batch.states[[game]]
    write = find("pasgl312").texts.write(state, batch.options_record[0])
    return Position.from_text("pasgl312", write, **batch.options).action(label)


def begun(batch, game):
    """The position in which a game of the batch began."""
    position = Position(batch.variant, **batch.options)
    caught_up(position, batch.states[game])
    return position


def caught_up(position, state):
    """Resolve chance the way that leads to that state."""
    while position.is_chance:
        (decided,) = [
            action
            for action in position.legal_actions()
            if leads_to(position.copy().play_action(action), state)
        ]
        position.play_action(decided)


def leads_to(position, state):
    """Whether a state is that of the position, or reachable from it by chance alone."""
    if not position.is_chance:
        return position.state[0] == state
    actions = position.legal_actions()
    return any(leads_to(position.copy().play_action(action), state) for action in actions)


class TestOutputs:
    @pytest.mark.parametrize("n", [1, 5])
    def test_shapes_and_types(self, every_variant, n):
        batch = stepped(Batch(every_variant, n, seed=1), 30)
        spaces = find(every_variant).spaces(batch.options_record[0])
        shapes = {
            "observation": spaces.observation,
            "action_mask": (spaces.actions,),
            "reward": (spaces.players,),
        }
        for name, dtype in OUTPUTS.items():
            assert is_array(getattr(batch, name), dtype, (n, *shapes.get(name, ()))), name
        assert batch.states.shape == (n,)
        assert batch.observation_shape == spaces.observation
        assert (batch.num_actions, batch.num_players) == (spaces.actions, spaces.players)
        assert len(batch) == n

    def test_sizes_of_pasgl312(self):
        batch = Batch("pasgl312", 1)
        assert (batch.num_actions, batch.num_players) == (1165, 2)
        assert batch.observation_shape == (60, 8, 10)

    def test_are_always_the_same_arrays(self, variant):
        batch = Batch(variant, 3, seed=1, **SHORT)
        before = {name: getattr(batch, name) for name in OUTPUTS}
        stepped(batch, 50).reset()
        batch.states = batch.states.copy()
        assert all(getattr(batch, name) is array for name, array in before.items())

    @pytest.mark.parametrize("name", [*OUTPUTS, "states"])
    def test_are_read_only(self, variant, name):
        batch = Batch(variant, 3, seed=1)
        array = getattr(batch, name)
        with pytest.raises(ValueError, match="read-only"):
            array[0] = array[1]

    def test_count_is_that_of_the_mask(self, variant):
        batch = Batch(variant, 16, seed=3, **SHORT)
        for _ in range(200):
            batch.step(batch.sample())
            assert (batch.legal_count == batch.action_mask.sum(axis=1)).all()
            assert batch.legal_count.min() > 0
            assert batch.action_mask.max() == batch.observation.max() == 1

    def test_say_what_was_asked_for(self):
        batch = Batch("pasgl312", 3, threads=2, seed=1, win_margin=40)
        assert batch.variant == "pasgl312"
        assert batch.options["win_margin"] == batch.options_record["win_margin"][0] == 40
        assert batch.options["bear_bonus"] == 20
        batch.options_record["win_margin"] = 1
        assert batch.options["win_margin"] == 40
        assert repr(batch) == f"Batch('pasgl312', 3, threads={2 if JIT else 1})"


class TestMaskBits:
    @staticmethod
    def packed(batch):
        return np.packbits(batch.action_mask, axis=1, bitorder="little")

    def test_are_the_masks_after_every_change(self, variant):
        batch = Batch(variant, 5, seed=4, **SHORT)
        bits = batch.action_mask_bits
        for _ in range(40):
            batch.step(batch.sample())
            assert (bits == self.packed(batch)).all()
        batch.step_some([1, 3], batch.sample()[[1, 3]])
        batch.put([0], Batch(variant, 1, seed=1).states)
        assert bits.shape == (5, -(-batch.num_actions // 8))
        assert (bits == self.packed(batch)).all()

    def test_of_a_copy_are_its_own(self):
        batch = Batch("pachessi", 3, seed=1)
        kept = batch.action_mask_bits.copy()
        twin = stepped(copy.deepcopy(batch), 7)
        assert (batch.action_mask_bits == kept).all()
        assert (twin.action_mask_bits == self.packed(twin)).all()

    def test_are_read_only(self):
        with pytest.raises(ValueError, match="read-only"):
            Batch("pachessi", 1).action_mask_bits[:] = 0


class TestStep:
    @pytest.mark.parametrize("options", [{}, SHORT, {"win_margin": 5, "bear_points": 99}])
    def test_plays_as_position_does(self, variant, options):
        """Every output in every step equals that of single positions played in parallel."""
        options = settings_of(variant, **options)
        batch = Batch(variant, 4, seed=5, **options)
        games = [begun(batch, game) for game in range(4)]
        lengths = np.zeros(4, int)
        ends = 0
        for _ in range(400 if JIT else 60):
            actions = batch.sample()
            batch.step(actions)
            over: list[int] = []
            lengths += 1
            for game, action in enumerate(actions):
                position = games[game].play_action(action)
                if batch.terminated[game] or batch.truncated[game]:
                    caught_up(position, batch.final_states[len(over)])
                    over.append(game)
                else:
                    assert not position.is_truncated
                    caught_up(position, batch.states[game])
                assert batch.terminated[game] == position.is_over
                if batch.truncated[game]:
                    assert position.is_truncated
                nothing = (0,) * batch.num_players
                assert batch.reward[game].tolist() == list(position.returns or nothing)
            assert batch.ended.tolist() == over
            for row, game in enumerate(over):
                last = games[game]
                assert batch.final_states[row] == last.state[0]
                assert batch.outcome[row].tolist() == list(last.returns or nothing)
                seen = [last.observation(player) for player in range(batch.num_players)]
                assert (batch.final_observation[row] == seen).all()
            assert batch.final_length.tolist() == lengths[over].tolist()
            lengths[over] = 0
            ends += len(over)
            for game in over:
                games[game] = begun(batch, game)
            for game, position in enumerate(games):
                assert batch.states[game] == position.state[0]
                assert batch.to_move[game] == position.to_move
                assert (batch.action_mask[game] == position.action_mask).all()
                assert (batch.observation[game] == position.observation()).all()
        assert ends > 3 or not options or not JIT

    def test_the_ended_games_arrays_have_a_row_for_each(self, variant):
        batch = Batch(variant, 8, seed=1, **SHORT)
        assert is_array(batch.ended, np.int64, (0,))
        while not batch.ended.size:
            stepped(batch, 1)
        k = batch.ended.size
        players = batch.num_players
        assert is_array(batch.outcome, np.float32, (k, players))
        assert is_array(batch.final_length, np.int32, (k,))
        assert is_array(batch.final_states, batch.states.dtype, (k,))
        assert is_array(batch.final_observation, np.uint8, (k, players, *batch.observation_shape))

    def test_what_is_told_of_ended_games_is_independent_of_later_steps(self, variant):
        batch = Batch(variant, 8, seed=1, turn_limit=5)
        while not batch.ended.size:
            stepped(batch, 1)
        kept = [getattr(batch, name) for name in OF_THE_ENDED]
        before = [array.tobytes() for array in kept]
        stepped(batch, 30)
        assert [array.tobytes() for array in kept] == before

    def test_a_draw_and_both_wins(self):
        draw = place("Hd1 Be1 he8 bd8", score="7:7", passes=0)
        texts = [
            place("Hd5 be5", score="0:3"),
            place("hd4 Be4", mover="b", score="3:0"),
            place("Hd5 be5", score="0:20"),
            draw,
        ]
        batch = batch_at(*texts)
        labels = ["Hd5:e5", "hd4:e4", "Hd5:e5", "Hd1c1"]
        batch.step([action_of(batch, game, label) for game, label in enumerate(labels)])
        assert batch.ended.tolist() == [0, 1, 2]
        assert batch.outcome.tolist() == [[1, -1], [-1, 1], [0, 0]]
        assert batch.reward.tolist() == [[1, -1], [-1, 1], [0, 0], [0, 0]]
        assert batch.final_length.tolist() == [1, 1, 1]

    def test_takes_any_row_of_integers(self):
        batch = Batch("pasgl312", 2, seed=1)
        for convert in (list, tuple, np.int16, np.uint16, np.int32, np.uint64, lambda a: a[::1]):
            batch.step(convert(batch.sample()))
        wide_row = np.zeros(4, np.int64)
        wide_row[::2] = batch.sample()
        batch.step(wide_row[::2])

    def test_leaves_the_callers_actions_alone(self, variant):
        batch = Batch(variant, 2, seed=1)
        actions = batch.sample()
        before = actions.copy()
        batch.step(actions)
        assert (actions == before).all()


class TestBeginnings:
    """A game is determined by its first state, its dice at that time, and its actions."""

    def test_of_every_game(self, variant):
        batch = Batch(variant, 4, seed=5, **settings_of(variant, turn_limit=12))
        actions: list[list[int]] = [[] for _ in range(4)]
        begun = self.beginnings(batch)
        replayed = 0
        for _ in range(150):
            chosen = batch.sample()
            batch.step(chosen)
            for game, action in enumerate(chosen):
                actions[game].append(action)
            assert batch.length.tolist() == [
                0 if game in batch.ended else len(actions[game]) for game in range(4)
            ]
            for game, state in zip(batch.ended, batch.final_states, strict=True):
                assert self.replayed(batch, begun[game], actions[game]) == state.tobytes()
                begun[game], actions[game] = self.beginnings(batch)[game], []
                replayed += 1
        assert replayed > 3

    @staticmethod
    def beginnings(batch):
        states = [batch.first_states[[game]] for game in range(len(batch))]
        return list(zip(states, batch.first_dice.tolist(), strict=True))

    @staticmethod
    def replayed(batch, beginning, actions):
        """The state that a game reaches, with chance resolved as in a batch."""
        state, dice = beginning[0], Dice.at(beginning[1])
        position = Position(batch.variant, **batch.options)
        assert position.state.tobytes() == state.tobytes()
        for action in actions:
            while position.is_chance:
                position.roll(dice)
            position.play_action(action)
        while position.is_chance:
            position.roll(dice)
        return position.state.tobytes()

    def test_of_games_that_are_put(self, variant):
        batch = stepped(Batch(variant, 3, seed=1), 9)
        kept = [batch.first_states[2].tobytes(), batch.first_dice[2], batch.length[2]]
        states = batch.states[:2].copy()
        batch.put([0, 1], states)
        assert batch.first_states[:2].tobytes() == states.tobytes()
        assert batch.length.tolist() == [0, 0, 9]
        assert [batch.first_states[2].tobytes(), batch.first_dice[2], batch.length[2]] == kept

    def test_of_games_whose_dice_are_reseeded(self):
        batch = stepped(Batch("pachessi", 2, seed=1), 3)
        batch.reseed([1], [7])
        assert batch.first_states[1].tobytes() == batch.states[1].tobytes()
        assert batch.first_states[0].tobytes() != batch.states[0].tobytes()
        assert batch.first_dice[1] == Dice(7).generator[0]

    def test_are_saved(self, tmp_path):
        batch = stepped(Batch("pachessi", 2, seed=1), 3)
        batch.save(tmp_path / "batch.npz")
        loaded = Batch.load(tmp_path / "batch.npz")
        assert loaded.first_states.tobytes() == batch.first_states.tobytes()
        assert loaded.first_dice.tolist() == batch.first_dice.tolist()

    @pytest.mark.parametrize("name", ["length", "first_states", "first_dice"])
    def test_cannot_be_written(self, name):
        assert not getattr(Batch("pasgl312", 1), name).flags.writeable


class TestStepSome:
    def test_plays_only_these_games(self, variant):
        some, all_games = (Batch(variant, 6, seed=4) for _ in range(2))
        games = np.array([1, 4])
        for _ in range(100):
            actions = some.sample()
            kept = {name: getattr(some, name).copy() for name in [*OUTPUTS, "states"]}
            some.step_some(games, actions[games])
            others = np.delete(np.arange(6), games)
            for name, array in kept.items():
                assert (getattr(some, name)[others] == array[others]).all(), name
            everywhere = all_games.sample()
            everywhere[games] = actions[games]
            all_games.step(everywhere)
            assert (some.states[games] == all_games.states[games]).all()
            assert (some.observation[games] == all_games.observation[games]).all()
            assert set(some.ended) <= set(games)

    def test_ended_are_those_of_the_last_step_only(self):
        batch = batch_at(place("Hd5 be5"), place("Hd5 be5"))
        shot = action_of(batch, 0, "Hd5:e5")
        batch.step_some([0], [shot])
        assert batch.ended.tolist() == [0]
        batch.step_some([1], [shot])
        assert batch.ended.tolist() == [1]
        assert batch.terminated.tolist() == [True, True]

    def test_no_games_is_no_step(self, variant):
        batch = stepped(Batch(variant, 3, seed=1), 10)
        before = outputs(batch)
        nothing = np.zeros(0, np.int64)
        batch.step_some(nothing, nothing)
        assert outputs(batch) == before
        assert batch.ended.size == 0

    @pytest.mark.parametrize(
        "games", [[1, 0], [1, 1], [-1, 0], [0, 3], [3, 4], [0], [0, 1, 2], [[0, 1]], [0.0, 1.0]]
    )
    def test_refuses_games_that_are_no_ascending_indices(self, games):
        batch = Batch("pasgl312", 3, seed=1)
        before = everything(batch)
        with pytest.raises(ValueError, match="games") as caught:
            batch.step_some(games, [batch.action_mask[0].argmax()] * 2)
        assert not isinstance(caught.value, IllegalMove)
        assert everything(batch) == before

    def test_does_not_depend_on_the_callers_array_afterwards(self):
        batch = batch_at(place("Hd5 be5"), place("Hd5 be5"))
        games = np.array([0])
        batch.step_some(games, [action_of(batch, 0, "Hd5:e5")])
        games[0] = 1
        assert batch.ended.tolist() == [0]


class TestIllegalActions:
    @pytest.mark.parametrize("action", [-1, -1165, 1165, 1167, 1168, 10**9, 2**63 - 1, -(2**63)])
    def test_outside_the_space(self, action):
        self.check(1, action)

    def test_inside_the_space(self):
        mask = Batch("pasgl312", 1).action_mask[0]
        for action in np.flatnonzero(mask == 0):
            self.check(2, int(action))

    def check(self, game, action):
        batch = self.batch
        actions = batch.sample()
        actions[game] = action
        before = everything(batch)
        with pytest.raises(IllegalMove, match=rf"^game {game}: action {action} is not legal"):
            batch.step(actions)
        with pytest.raises(IllegalMove, match=rf"^game {game}: action {action} is not legal"):
            batch.step_some([game], [action])
        assert everything(batch) == before

    @pytest.fixture(autouse=True)
    def at_the_start(self):
        self.batch = Batch("pasgl312", 3, seed=2)

    def test_the_first_game_is_named_and_what_is_legal_there(self):
        batch = batch_at(place(), place(mover="b"), place("Ha1", phase=3))
        actions = batch.sample()
        actions[1:] = 1164, 1164
        legal = ", ".join(map(str, np.flatnonzero(batch.action_mask[1])))
        message = f"game 1: action 1164 is not legal for player 1 (legal: {legal})"
        with pytest.raises(IllegalMove) as caught:
            batch.step(actions)
        assert str(caught.value) == message

    @pytest.mark.parametrize(
        "actions",
        [
            None,
            3,
            [],
            [3],
            [3, 3],
            [3, 3, 3, 3],
            [[3, 3, 3]],
            [3.0, 3.0, 3.0],
            [True, True, True],
            ["3", "3", "3"],
            [3, 3, None],
            [3, [3], 3],
            [3, 3, 2**70],
            np.zeros((3, 1), np.int64),
            np.zeros(3, complex),
            {"actions": 3},
        ],
    )
    def test_what_is_no_row_of_integers(self, actions):
        before = everything(self.batch)
        with pytest.raises(ValueError) as caught:
            self.batch.step(actions)
        assert not isinstance(caught.value, IllegalMove)
        assert everything(self.batch) == before


@pytest.fixture
def few_rows_shared(monkeypatch):
    """Small batches share their work too."""
    monkeypatch.setitem(ThreadPool.run.__kwdefaults__, "worth", 1)


class TestThreads:
    @pytest.mark.usefixtures("few_rows_shared")
    @pytest.mark.parametrize("settings", [SHORT, {"reward": "points", "win_margin": 10}])
    def test_results_do_not_depend_on_their_number(self, variant, settings):
        settings = settings_of(variant, **settings)
        batches = [Batch(variant, 7, threads=k, seed=8, **settings) for k in (1, 2, 3)]
        some = np.array([0, 3, 4, 5])
        for _ in range(150):
            for batch in batches:
                batch.step(batch.sample())
                batch.step_some(some, batch.sample()[some])
            one, *others = map(everything_but_threads, batches)
            assert all(each == one for each in others)

    @pytest.mark.usefixtures("few_rows_shared")
    def test_more_threads_than_games(self, variant):
        few, many = (Batch(variant, 2, threads=k, seed=8) for k in (1, 9))
        for batch in (few, many):
            stepped(batch, 100)
        assert everything_but_threads(few) == everything_but_threads(many)

    @pytest.mark.skipif(not JIT, reason="slow as plain Python")
    def test_large_batches(self):
        one, three = (
            Batch("pasgl312", 3 * GAMES_WORTH_A_THREAD, threads=k, seed=8) for k in (1, 3)
        )
        for _ in range(8):
            for batch in (one, three):
                batch.step(batch.sample())
            for name in [*OUTPUTS, "states"]:
                assert np.array_equal(getattr(one, name), getattr(three, name)), name


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers")
class TestInterrupts:
    """What a signal's handler raises takes effect before or after a call, never within it."""

    @pytest.fixture(autouse=True)
    def timed(self, few_rows_shared, interruptible):
        rings = count()

        def interrupt(*_):
            self.rung = True
            if next(rings) % 2:
                raise Alarm
            signal.raise_signal(signal.SIGINT)

        before = signal.signal(signal.SIGALRM, interrupt)
        yield
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)

    @pytest.mark.parametrize("threads", [1, 2, 3])
    def test_in_a_step(self, threads):
        batch = Batch("pachessi", 60, threads=threads, seed=1, turn_limit=20)
        self.check(batch, lambda each: each.step(each.action_mask.argmax(axis=1)))

    @pytest.mark.parametrize("threads", [1, 3])
    def test_in_a_draw_of_actions(self, threads):
        self.check(Batch("pachessi", 60, threads=threads, seed=1), Batch.sample)

    @pytest.mark.parametrize("threads", [1, 3])
    def test_in_a_reset(self, threads):
        batch = stepped(Batch("pachessi", 60, threads=threads, seed=1), 9)
        self.check(batch, lambda each: each.reset(seed=int(each.first_dice[0])))

    @pytest.mark.parametrize("threads", [1, 3])
    def test_in_a_change_of_states(self, threads):
        batch = stepped(Batch("pachessi", 60, threads=threads, seed=1), 9)
        others = stepped(Batch("pachessi", 60, seed=2), 9).states

        def change(each):
            each.put(
                np.arange(60),
                others[:: -1 if each.states[0].tobytes() == others[0].tobytes() else 1],
            )

        self.check(batch, change)

    def test_in_a_change_of_seeds(self):
        batch = stepped(Batch("pachessi", 60, seed=1), 9)
        self.check(batch, lambda each: each.reseed(np.arange(60), next_seeds(each)))

    def test_never_leaves_it_in_use(self):
        """From Python 3.14 on an interrupt can come between the parts of a ``with``."""
        batch = Batch("pachessi", 1, seed=1)
        rng = random.Random(1)
        for _ in range(1000 if JIT else 30):
            with pytest.raises(KeyboardInterrupt):
                self.play(batch, rng.uniform(1e-6, 50e-6))

    def play(self, batch, seconds):
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            while True:
                batch.step(batch.sample())
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def check(self, batch, call):
        rng = random.Random(1)
        interrupts = 0
        for _ in range(150 if JIT else 15):
            before = everything_but_threads(batch)
            twin = copy.deepcopy(batch)
            call(twin)
            after = everything_but_threads(twin), content_of(twin)
            self.rung = False
            try:
                signal.setitimer(signal.ITIMER_REAL, rng.uniform(1e-6, 300e-6))
                call(batch)
                self.wait()
            except KeyboardInterrupt:
                interrupts += 1
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            now = everything_but_threads(batch)
            assert now in (before, after[0])
            if now != before:
                assert content_of(batch) == after[1]
        assert interrupts > 10

    def wait(self):
        """Until the timer has rung.

        A function of its own: from Python 3.13 on, what interrupts an empty loop at the end of a
        ``try`` is not caught there.
        """
        while not self.rung:
            pass


def next_seeds(batch):
    first = int(batch.first_dice[0] >> np.uint64(1))
    return range(first, first + len(batch))


class Alarm(KeyboardInterrupt):
    """What a handler of another signal raises."""


class TestSeveralUsers:
    """A batch is for one Python thread at a time."""

    def test_another_thread_is_refused_and_changes_nothing(self):
        batch = stepped(Batch("pachessi", 3, seed=1), 5)
        twin = copy.deepcopy(batch)
        actions, states = batch.sample(), batch.states.copy()
        assert (twin.sample() == actions).all()
        inside, leave = threading.Event(), threading.Event()
        loops = batch._loops

        def slow_step(*arguments):
            inside.set()
            leave.wait(60)
            loops.step(*arguments)

        batch._loops = loops._replace(step=slow_step)
        user = threading.Thread(target=batch.step, args=(actions,))
        user.start()
        inside.wait(60)
        try:
            for call in (
                lambda: batch.step(actions),
                lambda: batch.step_some([0], actions[:1]),
                batch.sample,
                batch.reset,
                lambda: batch.reseed([0], [1]),
                lambda: batch.put([0], states[:1]),
            ):
                with pytest.raises(RuntimeError, match="in use by another thread"):
                    call()
        finally:
            leave.set()
            user.join()
        batch._loops = loops
        twin.step(actions)
        assert everything(batch) == everything(twin)

    def test_after_a_refused_action_it_can_be_used_again(self):
        batch = Batch("pachessi", 3, seed=1)
        with pytest.raises(IllegalMove):
            batch.step([-1, -1, -1])
        stepped(batch, 1)


def everything_but_threads(batch):
    return {key: value for key, value in everything(batch).items() if key != "all"} | {
        "states": batch.states.tobytes()
    }


class TestStates:
    def test_written_and_read_back(self, variant):
        batch = stepped(Batch(variant, 8, seed=1), 70)
        other = Batch(variant, 8, seed=9)
        other.states = batch.states
        assert (other.states == batch.states).all()
        assert not np.shares_memory(other.states, batch.states)
        for name in ("observation", "action_mask", "legal_count", "to_move"):
            assert (getattr(other, name) == getattr(batch, name)).all(), name
        assert not other.reward.any()
        assert not (other.terminated | other.truncated).any()

    def test_through_a_file_of_numpy(self, variant, tmp_path):
        batch = stepped(Batch(variant, 8, seed=1), 70)
        np.save(tmp_path / "states.npy", batch.states)
        other = Batch(variant, 8)
        other.states = np.load(tmp_path / "states.npy")
        assert other.states.tobytes() == batch.states.tobytes()

    def test_a_copy_is_changed_and_assigned(self):
        batch = Batch("pasgl312", 2, seed=1)
        states = batch.states.copy()
        states["score"][1] = 3, 5
        batch.states = states
        assert batch.states["score"].tolist() == [[0, 0], [3, 5]]

    def test_of_positions(self):
        texts = [place("Ta4", phase=7), place("ha5 Ba4", mover="b", score="9:12")]
        batch = batch_at(*texts)
        for game, text in enumerate(texts):
            position = Position.from_text("pasgl312", text)
            assert (batch.action_mask[game] == position.action_mask).all()
            assert (batch.observation[game] == position.observation()).all()
            assert batch.to_move[game] == position.to_move

    def test_in_the_middle_of_a_turn(self):
        batch = batch_at(place("Bb3 Wa3 Ta3", phase=9) + " Bb3a3,Wz4")
        assert batch.legal_count.tolist() == [6]

    def test_lengths_begin_anew(self):
        batch = stepped(Batch("pasgl312", 1, seed=1), 5)
        batch.states = states_of(place("Hd5 be5"))
        batch.step([action_of(batch, 0, "Hd5:e5")])
        assert batch.final_length.tolist() == [1]

    def test_some_are_put(self):
        batch = stepped(Batch("pasgl312", 4, seed=1), 5)
        kept = {name: getattr(batch, name)[[0, 2]].tobytes() for name in OUTPUTS}
        batch.put([1, 3], states_of(place("Ta4"), place("Td4")))
        assert kept == {name: getattr(batch, name)[[0, 2]].tobytes() for name in OUTPUTS}
        assert batch.states["turn_count"].tolist() == [5, 0, 5, 0]
        batch.put(np.zeros(0, int), batch.states[:0])

    @pytest.mark.parametrize("games", [[1, 0], [1, 1], [-1, 0], [2, 4], [0], [0.0, 1.0], None])
    def test_put_refuses_games_that_are_no_ascending_indices(self, games):
        batch = Batch("pasgl312", 4, seed=1)
        before = everything(batch)
        with pytest.raises(ValueError):
            batch.put(games, states_of(place("Ta4"), place("Td4")))
        assert everything(batch) == before

    @pytest.mark.parametrize(
        "wrong",
        [
            None,
            [],
            [1, 2],
            np.zeros(2),
            np.zeros(2, [("standing", np.uint32)]),
            b"states",
            Batch("pasgl312", 3).states,
            Batch("pasgl312", 2).states.reshape(2, 1),
            Batch("pasgl312", 2).states.view(np.uint8),
            Batch("pasgl312", 2).states.astype(Batch("pasgl312", 1).states.dtype.newbyteorder()),
        ],
    )
    def test_of_another_shape_or_type_are_refused(self, wrong):
        batch = stepped(Batch("pasgl312", 2, seed=1), 9)
        before = everything(batch)
        with pytest.raises(ValueError, match="states must be 2 records of pasgl312's state dtype"):
            batch.states = wrong
        assert everything(batch) == before

    @pytest.mark.parametrize(
        "text",
        [place(score="30:0"), place(passes=40), "8/8/8/8/8/8/8/4B3 ./././. ./. 1 w 20:0 0 0"],
    )
    def test_of_finished_games_are_refused(self, text):
        self.check_refused(states_of(text)[0], "the game is over")

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("phase", 0),
            ("phase", 21),
            ("mover", 2),
            ("pass_count", 41),
            ("turn_count", -1),
            ("score", (-1, 0)),
            ("score", (0, -(2**31))),
            ("choice", 1),
            ("choice", 2),
            ("choice", 3),
            ("actor", 1),
            ("target", 5),
            ("pushed", 1),
            ("push_to", 1),
            ("lunchless", 1 << 6),
            ("lunchless", 2**32 - 1),
            ("stinky", 1 << 5),
            ("leaving", 1),
            ("promoted", 1),
            ("where", 255),
            ("where", 3),
            ("standing", 0),
            ("standing", 1),
        ],
    )
    def test_that_cannot_be_are_refused(self, field, value):
        state = Position("pasgl312").state[0]
        state[field] = value
        self.check_refused(state, "not a possible position of pasgl312")

    def test_with_somebody_beyond_the_last_place_are_refused(self):
        state = Position("pasgl312").state[0]
        state.standing[-1] = 1
        self.check_refused(state, "not a possible position of pasgl312")

    @pytest.mark.parametrize(
        ("labels", "field", "index", "value"),
        [
            ("Bb3a3", "actor", None, 1),
            ("Bb3a3", "actor", None, 16),
            ("Bb3a3", "actor", None, 255),
            ("Bb3a3", "target", None, 17),
            ("Bb3a3", "target", None, 20),
            ("Bb3a3", "target", None, 64),
            ("Bb3a3", "target", None, 255),
            ("Bb3a3", "mover", None, 1),
            ("Bb3a3", "choice", None, 0),
            ("Bb3a3", "choice", None, 1),
            ("Bb3a3", "choice", None, 3),
            ("Bb3a3", "score", 0, 30),
            ("Bb3a3", "push_to", 4, 8),
            ("Bb3a3", "pushed", None, 1 << 4),
            ("Bb3a3", "pushed", None, 1 << 6),
            ("Bb3a3,Wz4", "push_to", 4, 0),
            ("Bb3a3,Wz4", "push_to", 4, 16),
            ("Bb3a3,Wz4", "push_to", 4, 255),
            ("Bb3a3,Wz4", "push_to", 6, 8),
            ("Bb3a3,Wz4", "pushed", None, 0),
            ("Bb3a3,Wz4", "pushed", None, 1 << 4 | 1 << 6),
            ("Bb3a3,Wz4", "pushed", None, 1 << 4 | 1 << 20),
            ("Bb3a3,Wz4", "push_to", 4, 71),
        ],
    )
    def test_of_impossible_choices_are_refused(self, labels, field, index, value):
        (state,) = states_of(f"{place('Bb3 Wa3 Ta3', phase=9)} {labels}")
        if index is None:
            state[field] = value
        else:
            state[field][index] = value
        self.check_refused(state, "not a possible position of pasgl312")

    def test_with_nobody_left_to_push_are_refused(self):
        (state,) = states_of(place("Bb3 Wa3 Ta3", phase=9) + " Bb3a3,Wa2")
        state.push_to[6] = 8
        state.pushed |= 1 << 6
        self.check_refused(state, "not a possible position of pasgl312")

    @pytest.mark.parametrize(("field", "value"), [("target", 33), ("actor", 2), ("pushed", 1)])
    def test_of_impossible_victims_are_refused(self, field, value):
        (state,) = states_of(place("Ha1 ha3 da3") + " Ha1:a3")
        state[field] = value
        self.check_refused(state, "not a possible position of pasgl312")

    @pytest.mark.parametrize(
        "change",
        [
            lambda state: state.standing.__setitem__(30, 1),
            lambda state: state.standing.__setitem__(70, 1 << 3),
            lambda state: move_to(state, 8, 56),
            lambda state: move_to(state, 24, 0),
            lambda state: move_to(state, 0, 32),
            lambda state: move_to(state, 0, 66),
            lambda state: move_to(state, 0, 70),
            lambda state: [move_to(state, bear, 70) for bear in (0, 16)],
        ],
    )
    def test_of_impossible_places_are_refused(self, change):
        (state,) = Position("pasgl312").state
        change(state)
        self.check_refused(state, "not a possible position of pasgl312")

    def test_under_the_train_are_refused(self):
        (state,) = Position("pasgl312").state
        state.phase = 2
        move_to(state, 6, 31)
        self.check_refused(state, "not a possible position of pasgl312")

    def check_refused(self, state, reason):
        batch = stepped(Batch("pasgl312", 3, seed=1), 9)
        before = everything(batch)
        states = batch.states.copy()
        states[1] = state
        with pytest.raises(ValueError, match=f"^states: record 1: {reason}$"):
            batch.states = states
        with pytest.raises(ValueError, match=f"^states: record 0: {reason}$"):
            batch.put([2], states[[1]])
        assert everything(batch) == before


def move_to(state, critter, square):
    state.standing[state.where[critter]] ^= 1 << critter
    state.standing[square] |= 1 << critter
    state.where[critter] = square


class TestSaveAndLoad:
    @pytest.mark.parametrize("settings", [{}, {"reward": "points", "turn_limit": 40}])
    def test_goes_on_exactly(self, variant, settings, tmp_path):
        settings = settings_of(variant, **settings)
        batch = stepped(Batch(variant, 6, seed=1, threads=2, **settings), 75)
        batch.save(tmp_path / "batch.npz")
        loaded = Batch.load(tmp_path / "batch.npz")
        assert future(loaded) == future(batch)
        assert repr(loaded) == repr(batch)
        assert loaded.options == batch.options

    def test_whom_the_turn_limit_truncates_for(self, tmp_path):
        batch = Batch("spalding", 2, seed=1, turn_limit=3)
        batch.truncates_for[:] = [0, 1]
        batch.save(tmp_path / "batch.npz")
        loaded = Batch.load(tmp_path / "batch.npz")
        for _ in range(6):  # a turn is two actions
            loaded.step(loaded.sample())
        assert loaded.truncated.tolist() == [False, True]

    def test_under_any_name_and_with_other_threads(self, tmp_path):
        batch = stepped(Batch("pasgl312", 6, seed=1), 9)
        batch.save(str(tmp_path / "no suffix"))
        loaded = Batch.load(str(tmp_path / "no suffix"), threads=2)
        assert repr(loaded) == f"Batch('pasgl312', 6, threads={2 if JIT else 1})"
        assert future(loaded) == future(batch)

    def test_the_same_batch_makes_the_same_arrays(self, variant, tmp_path):
        batch = stepped(Batch(variant, 6, seed=1), 9)
        batch.save(tmp_path / "1.npz")
        batch.save(tmp_path / "2.npz")
        first, second = (np.load(tmp_path / f"{k}.npz") for k in (1, 2))
        assert first.files == second.files
        assert all((first[name] == second[name]).all() for name in first.files)

    def test_on_a_full_disk_an_earlier_one_stays(self, tmp_path, monkeypatch):
        def fail(descriptor):
            raise OSError(errno.ENOSPC, "No space left on device")

        batch = Batch("pasgl312", 6, seed=1)
        batch.save(tmp_path / "a.npz")
        monkeypatch.setattr(os, "fsync", fail)
        with pytest.raises(OSError, match="No space left"):
            stepped(Batch("pasgl312", 6, seed=2), 9).save(tmp_path / "a.npz")
        assert future(Batch.load(tmp_path / "a.npz")) == future(batch)
        assert [each.name for each in tmp_path.iterdir()] == ["a.npz"]

    def test_a_missing_file(self, tmp_path):
        with pytest.raises(FileNotFoundError):
            Batch.load(tmp_path / "none.npz")

    @pytest.mark.parametrize("content", [b"", b"no batch", b"PK\3\4", pickle.dumps([1])])
    def test_a_foreign_file(self, content, tmp_path):
        (tmp_path / "file").write_bytes(content)
        with pytest.raises(ValueError, match="holds no saved batch"):
            Batch.load(tmp_path / "file")

    def test_foreign_arrays(self, tmp_path):
        np.save(tmp_path / "a.npy", np.zeros(3))
        np.savez(tmp_path / "a.npz", states=np.zeros(3))
        with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
            archive.writestr("settings", "{}")
        for name in ("a.npy", "a.npz", "a.zip"):
            with pytest.raises(ValueError, match="holds no saved batch"):
                Batch.load(tmp_path / name)

    def test_nothing_in_the_file_is_executed(self, tmp_path):
        """An array of objects would be unpickled."""
        batch = Batch("pasgl312", 2, seed=1)
        self.save_changed(batch, tmp_path, length=np.array([Bomb(), Bomb()]))
        with pytest.raises(ValueError, match="holds no saved batch"):
            Batch.load(tmp_path / "changed.npz")

    @pytest.mark.parametrize(
        "changes",
        [
            {"settings": "[]"},
            {"settings": "{}"},
            {"settings": "not JSON"},
            {"variant": "pasgl313"},
            {"variant": None},
            {"reward": "money"},
            {"threads": -1},
            {"threads": "two"},
            {"options": {"win_margin": 0}},
            {"options": {"n": 3}},
            {"options": [1]},
            {"states": np.zeros(2)},
            {"states": np.zeros(())},
            {"states": Batch("pasgl312", 3).states.view(np.uint8)},
            {"generators": np.zeros(3, np.uint64)},
            {"length": np.zeros(3, np.int32)},
            {"first_states": np.zeros(2)},
            {"first_dice": np.zeros(3, np.uint64)},
        ],
    )
    def test_changed_content(self, changes, tmp_path):
        self.save_changed(Batch("pasgl312", 2, seed=1), tmp_path, **changes)
        with pytest.raises(ValueError, match="holds no saved batch"):
            Batch.load(tmp_path / "changed.npz")

    def test_impossible_states(self, tmp_path):
        batch = Batch("pasgl312", 2, seed=1)
        states = batch.states.copy()
        states["phase"] = 0
        self.save_changed(batch, tmp_path, states=states.view(np.dtype(states.dtype.descr)))
        with pytest.raises(ValueError, match="record 0: not a possible position"):
            Batch.load(tmp_path / "changed.npz")

    @pytest.mark.parametrize("name", ["extra", "states", "settings"])
    def test_a_small_file_that_claims_to_hold_much(self, name, tmp_path):
        Batch("pachessi", 2, seed=1).save(tmp_path / "batch.npz")
        with np.load(tmp_path / "batch.npz") as saved:
            parts = dict(saved)
        parts[name] = np.zeros(ALWAYS_ALLOWED + 1, np.uint8)
        np.savez_compressed(tmp_path / "bomb.npz", **parts)
        tracemalloc.start()
        with pytest.raises(ValueError, match=r"holds no saved batch: it (claims|must hold)"):
            Batch.load(tmp_path / "bomb.npz")
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
        tracemalloc.stop()

    def test_a_batch_that_compresses_well(self, tmp_path, monkeypatch):
        """Its file holds no more than files may."""
        monkeypatch.setattr(arrays, "ALWAYS_ALLOWED", 1000)
        batch = Batch("pachessi", 3000, seed=1)
        batch.save(tmp_path / "batch.npz")
        assert Batch.load(tmp_path / "batch.npz").states.tobytes() == batch.states.tobytes()

    def save_changed(self, batch, folder, **changes):
        batch.save(folder / "batch.npz")
        with np.load(folder / "batch.npz") as content:
            parts = {name: content[name] for name in content.files}
        settings = json.loads(str(parts["settings"]))
        settings |= {key: value for key, value in changes.items() if key in settings}
        parts["settings"] = np.array(json.dumps(settings))
        arrays = {key: value for key, value in changes.items() if key not in settings}
        np.savez(folder / "changed.npz", **parts | arrays)

    def test_a_damaged_header_is_told_in_a_short_line(self, tmp_path):
        """NumPy's message repeats the whole value, which may contain control characters."""
        file = tmp_path / "damaged.npz"
        Batch("pasgl312", 2, seed=1).save(file)
        with np.load(file) as content:
            settings = content["settings"]
        np.savez(file, settings=settings)
        with zipfile.ZipFile(file, "a") as archive:
            archive.writestr("states.npy", b"\x93NUMPY\1\0\0\x02" + b"\x12" * 512)
        with pytest.raises(ValueError, match="holds no saved batch") as caught:
            Batch.load(file)
        message = str(caught.value)
        assert message.isprintable() and len(message) < len(str(file)) + 250

    def test_damaged_files(self, tmp_path):
        """Any changed byte of a saved file, or a truncated file."""
        batch = stepped(Batch("pasgl312", 4, seed=1), 40)
        batch.save(tmp_path / "batch.npz")
        sound = (tmp_path / "batch.npz").read_bytes()
        rng = np.random.default_rng(5)
        for case in range(600):
            damaged = bytearray(sound)
            if case % 3:
                damaged[rng.integers(len(sound))] ^= 1 << rng.integers(8)
            else:
                del damaged[rng.integers(len(sound)) :]
            (tmp_path / "damaged.npz").write_bytes(damaged)
            try:
                loaded = Batch.load(tmp_path / "damaged.npz")
            except ValueError as error:
                assert "holds no saved batch" in str(error)
            else:
                stepped(loaded, 3)


class Bomb:
    def __reduce__(self):
        return pytest.fail, ("unpickled",)


class TestCopies:
    @pytest.mark.parametrize(
        "copied",
        [
            copy.deepcopy,
            lambda batch: pickle.loads(pickle.dumps(batch)),
            copy.copy,
        ],
    )
    @pytest.mark.parametrize("threads", [1, 2])
    def test_are_equal_and_independent(self, variant, copied, threads):
        settings = settings_of(variant, reward="points")
        batch = stepped(Batch(variant, 5, seed=1, threads=threads, **settings), 40)
        twin = copied(batch)
        assert everything(twin) == everything(batch)
        assert repr(twin) == repr(batch)
        before = everything(batch)
        expected = future(batch)
        stepped(twin, 30)
        assert everything(batch) == before
        assert future(batch) == expected
        for name in [*OUTPUTS, "states"]:
            assert not np.shares_memory(getattr(twin, name), getattr(batch, name)), name
            assert not getattr(twin, name).flags.writeable


class TestRewards:
    def test_outcomes_come_at_the_end_only(self, variant):
        batch = Batch(variant, 16, seed=1)
        for _ in range(300):
            batch.step(batch.sample())
            assert not batch.reward[~batch.terminated].any()
            assert (batch.reward[batch.ended] == batch.outcome).all()

    def test_points_are_the_growth_of_the_lead(self):
        batch = Batch("pasgl312", 16, seed=1, reward="points", turn_limit=60)
        lead = np.zeros(16)
        grown = 0
        for _ in range(300):
            batch.step(batch.sample())
            after = lead_of(batch.states)
            after[batch.ended] = lead_of(batch.final_states)
            assert (batch.reward[:, 0] == after - lead).all()
            assert (batch.reward[:, 1] == lead - after).all()
            lead = lead_of(batch.states)
            grown += int(np.count_nonzero(batch.reward))
        assert grown > 20

    def test_points_of_a_dead_bear(self):
        batch = batch_at(place("hd4 Be4", mover="b", score="3:9"), reward="points")
        batch.step([action_of(batch, 0, "hd4:e4")])
        assert batch.reward.tolist() == [[-20, 20]]
        assert batch.outcome.tolist() == [[-1, 1]]

    @pytest.mark.parametrize("kind", ["", "Points", None, 1, "score"])
    def test_other_kinds_are_refused(self, kind):
        with pytest.raises(ValueError, match="reward of pasgl312 must be outcome or points, not"):
            Batch("pasgl312", 2, reward=kind)


def lead_of(states):
    return (states["score"][:, 0] - states["score"][:, 1]).astype(float)


class TestTurnLimit:
    @pytest.mark.parametrize("limit", [1, 2, 7, 50])
    def test_truncates_exactly_then(self, variant, limit):
        batch = Batch(variant, 16, seed=1, turn_limit=limit)
        turns = find(variant).turns
        truncated = 0
        # Some games have many actions a turn.
        for _ in range(13 * limit + 40):
            batch.step(batch.sample())
            assert all(turns(state) < limit for state in batch.states)
            assert not (batch.truncated & batch.terminated).any()
            assert not batch.reward[batch.truncated].any()
            cut = batch.truncated[batch.ended]
            assert all(turns(state) == limit for state in batch.final_states[cut])
            assert not batch.outcome[cut].any()
            truncated += int(cut.sum())
        assert truncated >= 16

    def test_a_game_that_ends_by_the_rules_is_not_truncated(self):
        batch = batch_at(place("Hd5 be5", turns=8), place("Hd5 be5", turns=8), turn_limit=9)
        batch.step([action_of(batch, 0, "Hd5:e5"), action_of(batch, 1, "Be1f1")])
        assert batch.terminated.tolist() == [True, False]
        assert batch.truncated.tolist() == [False, True]

    def test_waits_for_the_end_of_the_turn(self):
        batch = batch_at(place("Bb3 Ta3", turns=8), turn_limit=9)
        batch.step([action_of(batch, 0, "Bb3a3")])
        assert not batch.truncated[0]
        stepped(batch, 1)
        assert batch.truncated[0]
        assert batch.final_length.tolist() == [2]

    @pytest.mark.parametrize(("limit", "turns", "cut"), [(0, 10**6, False), (9, 50, True)])
    def test_zero_is_none_and_a_limit_may_have_passed(self, limit, turns, cut):
        batch = batch_at(place("Ta1", turns=turns), turn_limit=limit)
        assert stepped(batch, 1).truncated[0] == cut

    def test_default(self):
        batch = batch_at(place("Ta1", turns=998), place("Ta1", turns=999))
        assert stepped(batch, 1).truncated.tolist() == [False, True]


class TestSample:
    def test_is_legal(self, variant):
        batch = Batch(variant, 64, seed=1, **SHORT)
        for _ in range(100):
            actions = batch.sample()
            assert is_array(actions, np.int64, (64,))
            assert batch.action_mask[np.arange(64), actions].all()
            batch.step(actions)

    @pytest.mark.parametrize("text", [place("Ta1 Sh1"), place("Bb3 Wa3 Ta3", phase=9) + " Bb3a3"])
    def test_is_uniform(self, text):
        n = 8_000 if JIT else 800
        batch = Batch("pasgl312", n, seed=7)
        batch.states = np.repeat(states_of(text), n)
        drawn, counts = np.unique(batch.sample(), return_counts=True)
        legal = np.flatnonzero(batch.action_mask[0])
        assert drawn.tolist() == legal.tolist()
        expected = n / legal.size
        # Chi-square with k degrees of freedom hardly ever exceeds k by more than 4 sqrt(2 k).
        chi_square = ((counts - expected) ** 2 / expected).sum()
        assert chi_square < legal.size - 1 + 4 * np.sqrt(2 * legal.size)

    def test_draws_anew_without_a_step(self, variant):
        batch = Batch(variant, 64, seed=1)
        assert (batch.sample() != batch.sample()).any()

    def test_what_a_step_draws_ahead_is_drawn_after_it(self, variant):
        ahead, twin = (Batch(variant, 16, seed=1, **SHORT) for _ in range(2))
        start = ahead.states[:1].copy()
        for number in range(60):
            assert (ahead._buffers.drawn >= 0).any() == (number > 0 and number % 7 != 6)
            actions = ahead.sample()
            assert (actions == twin.sample()).all()
            twin._buffers.drawn[:] = NOTHING
            for batch in (ahead, twin):
                if number % 7 == 3:
                    batch.step_some([1, 4], actions[[1, 4]])
                elif number % 7 == 5:
                    batch.put([2], start)
                else:
                    batch.step(actions)
            assert (twin._buffers.drawn < 0).all()

    def test_what_was_drawn_is_checked_again_in_another_position(self, variant):
        batch = Batch(variant, 4, seed=1)
        start, legal = batch.states[2:3].copy(), batch.action_mask[2].copy()
        while legal[(actions := batch.sample())[2]]:
            batch.step(actions)
        batch.put([2], start)
        with pytest.raises(IllegalMove):
            batch.step(actions)

    def test_an_action_beside_the_one_drawn_is_checked(self, variant):
        batch = Batch(variant, 4, seed=1)
        for _ in range(20):
            actions = batch.sample()
            wrong = actions.copy()
            wrong[1] = np.flatnonzero(batch.action_mask[1] == 0)[-1]
            with pytest.raises(IllegalMove):
                batch.step(wrong)
            batch.step(actions)

    def test_games_draw_independently(self):
        assert len(set(Batch("pasgl312", 64, seed=1).sample().tolist())) > 20


class TestSeeds:
    def test_the_same_seed_gives_the_same_games(self, variant):
        assert future(Batch(variant, 4, seed=3)) == future(Batch(variant, 4, seed=3))

    @pytest.mark.parametrize("seeds", [(0, 1), (1, 2), (1, 2**40 + 1), (None, None)])
    def test_other_seeds_give_other_games(self, variant, seeds):
        first, second = (Batch(variant, 4, seed=seed) for seed in seeds)
        assert future(first) != future(second)

    def test_reset_with_a_seed_is_as_new(self, variant):
        batch = stepped(Batch(variant, 4, seed=3, **SHORT), 33)
        batch.reset(seed=5)
        assert outputs(batch) == outputs(Batch(variant, 4, seed=5))
        assert future(batch) == future(Batch(variant, 4, seed=5, **SHORT))
        assert batch.ended.size == 0

    @pytest.mark.parametrize("seed", [np.int64(3), np.uint8(3), 2**100])
    def test_any_whole_number(self, seed):
        assert future(Batch("pasgl312", 2, seed=seed)) == future(
            Batch("pasgl312", 2, seed=int(seed))
        )

    @pytest.mark.parametrize("seed", [-1, 1.0, "1", True, [1], np.float64(1)])
    def test_anything_else_is_refused_and_changes_nothing(self, seed):
        with pytest.raises(ValueError, match="seed must be a non-negative integer or None"):
            Batch("pasgl312", 2, seed=seed)
        batch = stepped(Batch("pasgl312", 2, seed=1), 9)
        before = everything(batch)
        with pytest.raises(ValueError, match="seed must be a non-negative integer or None"):
            batch.reset(seed=seed)
        assert everything(batch) == before


class TestArguments:
    @pytest.mark.parametrize("n", [0, -1, 1.0, "1", None, True])
    def test_numbers_of_games(self, n):
        with pytest.raises(ValueError, match="n must be a positive integer"):
            Batch("pasgl312", n)

    @pytest.mark.parametrize("threads", [0, -1, 1.0, "1", None, True])
    def test_numbers_of_threads(self, threads):
        with pytest.raises(ValueError, match="threads must be a positive integer"):
            Batch("pasgl312", 2, threads=threads)

    def test_variants_and_options(self):
        with pytest.raises(ValueError, match="no variant 'pasgl313'; did you mean 'pasgl312'"):
            Batch("pasgl313", 2)
        with pytest.raises(
            ValueError, match="pasgl312 has no option 'margin'; did you mean 'win_margin'"
        ):
            Batch("pasgl312", 2, margin=3)
        with pytest.raises(ValueError, match="win_margin of pasgl312 must be an integer"):
            Batch("pasgl312", 2, win_margin=0)


def test_a_reset_goes_on_with_the_generators():
    """Gymnasium's convention: a seed at the start determines everything that follows."""
    one, other = (Batch("pachessi", 3, seed=5) for _ in range(2))
    for batch in (one, other):
        batch.reset()
    assert (one.states == other.states).all()
    assert (one.states != Batch("pachessi", 3, seed=5).states).any()
    one.reset(seed=5)
    assert (one.states == Batch("pachessi", 3, seed=5).states).all()


def test_a_game_as_a_position():
    batch = Batch("pachessi", 4, seed=1, players=4)
    batch.step(batch.sample())
    position = batch.position(-1)
    assert (position.state == batch.states[-1:]).all()
    assert position.legal_actions() == np.flatnonzero(batch.action_mask[-1]).tolist()
    with pytest.raises(IndexError):
        batch.position(4)


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.1.0", reason="no read-only arrays")
def test_observations_are_tensors_without_a_copy():
    torch = pytest.importorskip("torch")
    batch = Batch("pasgl312", 4)
    for array in (batch.observation, batch.action_mask, batch.reward, batch.terminated):
        assert torch.from_dlpack(array).data_ptr() == array.ctypes.data


def test_jax_copies_observations():
    jax = pytest.importorskip("jax")
    batch = Batch("pasgl312", 4)
    before = batch.observation.copy()
    array = jax.numpy.array(batch.observation)
    batch.step(batch.sample())
    assert (np.asarray(array) == before).all() and (batch.observation != before).any()
    with pytest.raises(BufferError, match="readonly"):
        jax.dlpack.from_dlpack(batch.observation)
