"""An interrupt (Ctrl-C) is answered within 0.2 seconds, whatever compiled code is at work."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from pasgl_env import Batch, Position, players, variants
from pasgl_env.evaluation import loop, play_match
from pasgl_env.jit.compiled import JIT
from pasgl_env.playtest.counting import GameCounter
from pasgl_env.training.settings import TdSettings
from pasgl_env.training.td.run import TdRun
from pasgl_env.training.td.threads import Threads

pytestmark = pytest.mark.skipif(not JIT, reason="about compiled code")

WITHIN = 0.2


def counting():
    ruleset = variants.ruleset("pachessi", turn_limit=0)
    return GameCounter(ruleset, threads=2).add_random, (np.random.SeedSequence(1), 200)


def playing_out():
    """A never-ending game, played to its end."""
    player = players.make("mcts:100:plies=end", "pachessi", seed=1)
    batch = Batch("pachessi", 1, seed=1, turn_limit=0)
    return player.choose, (batch, np.arange(1))


def playing_out_greedily():
    player = players.make("mcts:10:plies=end:greed=1", "chieftain", seed=1)
    return player.choose, (Batch("chieftain", 1, seed=1, turn_limit=0), np.arange(1))


def choosing(name):
    player, batch = players.make(name, "chieftain", seed=1), Batch("chieftain", 20_000, seed=1)
    return player.choose, (batch, np.arange(len(batch)))


def greedily():
    return choosing("greedy")


def by_learned_values():
    return choosing("td")


def searching():
    player, batch = players.make("search:1000000", "chieftain", seed=1), Batch("chieftain", 4)
    return player.choose, (batch, np.arange(4))


def walking():
    return Position("chieftain").perft, (6,)


def learning():
    settings = TdSettings("chieftain", games=10**9, threads=2)
    run = TdRun(settings)
    threads = Threads(settings, run.generators)
    run.advance(threads)  # a game each: all is loaded or compiled before the interrupt

    def learn():
        try:
            run._timed = 10**6
            run.advance(threads)
        finally:
            threads.close()

    return learn, ()


@pytest.mark.parametrize(
    "work",
    [
        counting,
        playing_out,
        playing_out_greedily,
        greedily,
        by_learned_values,
        searching,
        walking,
        learning,
    ],
    ids=lambda work: work.__name__,
)
def test_an_interrupt_is_answered(work, interruptible):
    sent = []

    def interrupt():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    taken = []
    for delay in (0.3, 0.05):
        call, arguments = work()
        timer = threading.Timer(delay, interrupt)
        try:
            with pytest.raises(KeyboardInterrupt):
                timer.start()
                call(*arguments)
        finally:
            timer.cancel()
        taken.append(time.perf_counter() - sent[-1])
    assert min(taken) < WITHIN, taken


@pytest.mark.parametrize("chunk", [1, 7, 10**6])
def test_counts_do_not_depend_on_the_slices(chunk, variant, monkeypatch):
    ruleset = variants.ruleset(variant, turn_limit=60)

    def counted():
        counter = GameCounter(ruleset)
        counter._slices._steps = chunk
        kept = counter.add_random(np.random.SeedSequence(1), 8, keep=True)
        return [array.tolist() for array in counter.counts if isinstance(array, np.ndarray)], kept

    first = counted()
    monkeypatch.setattr("pasgl_env.jit.slices.SECONDS", 0.0)  # so that they do not grow
    assert counted() == first


def test_long_playouts_are_completed():
    """A playout of many slices counts once, with the result of the end of its game."""
    batch = Batch("pachessi", 1, seed=3, turn_limit=20_000)
    chosen = []
    for _ in range(2):
        player = players.MctsPlayer(variants.find("pachessi"), seed=1, simulations=3, plies=None)
        chosen.append(player.choose(batch, np.arange(1)).tolist())
        assert player.visits.sum() == 3
    assert chosen[0] == chosen[1]


class TestEndlessGames:
    def test_are_reported(self, monkeypatch):
        monkeypatch.setattr(loop, "MANY_TURNS", 50)
        monkeypatch.setattr("pasgl_env.evaluation.loop.STEPS_BETWEEN_CHECKS", 10)
        with pytest.warns(UserWarning, match="pachessi has not ended after 50 turns and may never"):
            play_match("pachessi", "random", "random", 2, seed=1, turn_limit=100)

    def test_are_reported_while_random_ones_are_counted(self, monkeypatch):
        monkeypatch.setattr(loop, "MANY_TURNS", 20)
        ruleset = variants.ruleset("pachessi", turn_limit=5000)
        with pytest.warns(UserWarning, match="set the option turn_limit"):
            GameCounter(ruleset).add_random(np.random.SeedSequence(1), 2)

    def test_a_playtest_of_them_can_be_interrupted(self, tmp_path):
        code = "from pasgl_env.cli import main; main()"
        command = ["playtest", "pachessi", "--games", "200", "--set", "turn_limit=0"]
        command += ["--players", "random,random"]
        with subprocess.Popen(
            [sys.executable, "-c", code, *command, "--out", str(tmp_path / "run")],
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        ) as process:
            told = ""
            assert process.stderr is not None
            while "may never end" not in told:
                line = process.stderr.readline()
                assert line, told
                told += line
            sent = time.monotonic()
            process.send_signal(signal.SIGINT)
            told += process.communicate(timeout=60)[1]
        assert time.monotonic() - sent < 10  # it ends in order
        assert "pasgl" in told or "pachessi" in told
        assert "Traceback" not in told
