"""Random play, interrupts, kills, full disks and damaged files, for as long as one likes.

    python -m tests.soak --minutes 120 --seed 1

Each trial is drawn from the seed and its number; `--first N --trials 1` does one again. The moment
of an interrupt or a kill is drawn, too, but where in the program it comes is up to the machine.

`make test` does a few trials of those kinds that take no time (`QUICK`).
"""

from __future__ import annotations

import argparse
import asyncio
import copy
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks.hostile import KINDS, attack
from pasgl_env import Batch, Position, players
from pasgl_env.contract.variants import find, names
from pasgl_env.engine.threads import ThreadPool
from pasgl_env.records import read_records, write_records

from .contents import content_of
from .fuzz.messages import conversations, talk
from .records.samples import drawn
from .records.test_writers import GAMES as WRITTEN
from .records.test_writers import WRITE
from .test_copies import COPIES, different, future, futures, makers
from .test_malformed import mutated, refused
from .web.conftest import Client, Served

OUTPUTS = "observation action_mask legal_count to_move reward terminated truncated".split()
MOST_GAMES, MOST_STEPS = 300, 120
LONG_GAMES, LONG_STEPS, LONG_INPUTS = 2000, 1000, 3000
SIEGE = 5.0
"""Seconds that hostile clients attack a server."""
PROGRAM = "from pasgl_env.cli import main; main()"

STRANGE_VALUES: list[Any] = [
    *(None, True, -1, 0, 1e999, -0.5, 2**31, 2**63, 10**400, "", "\ud800", "\0", "a" * 5000),
    *([], {}, [[]], [None] * 100, {"": ""}, {"turn_limit": 10**30}, {"size": "a"}, [{"level": 1}]),
    [{"player": "person"}, {"player": "td:values=/etc/passwd"}],
]

Trial = Callable[[Random, Path], Counter[str]]


def play_on(rng: Random, folder: Path) -> Counter[str]:
    """Many random actions with few checks."""
    batch = some_batch(rng, LONG_GAMES)
    for number in range(LONG_STEPS):
        batch.step(batch.sample())
        if number % 50 == 0:
            check_outputs(batch)
    check_states(batch)
    return Counter(actions=LONG_STEPS * len(batch))


def play(rng: Random, folder: Path) -> Counter[str]:
    """Random actions, with every invariant that can be checked from outside."""
    batch = some_batch(rng)
    steps = rng.randint(1, MOST_STEPS)
    for _ in range(steps):
        actions = batch.sample()
        assert batch.action_mask[np.arange(len(batch)), actions].all()
        batch.step(actions)
        check_outputs(batch)
    check_states(batch)
    if rng.random() < 0.3:
        check_file(batch, folder / "batch.npz")
    return Counter(actions=steps * len(batch))


def interrupt(rng: Random, folder: Path) -> Counter[str]:
    """An interrupt takes effect before or after a call, never within it."""
    batch = some_batch(rng)
    interrupts = 0
    for _ in range(20):
        call = rng.choice([step_first_actions, Batch.sample])
        interrupts += changed_or_not(rng, batch, call, raise_interrupt)
    check_states(batch)
    return Counter(interrupts=interrupts)


def alarm(rng: Random, folder: Path) -> Counter[str]:
    """What the handler of another signal raises takes effect before or after a change, too."""
    batch, other = some_batch(rng), 0
    for _ in range(20):
        states = play_some(copy.deepcopy(batch), 3).states.copy()
        changes: list[Callable[[Batch], Any]] = [
            lambda each: each.reset(seed=7),
            partial(Batch.put, games=np.arange(len(batch)), states=states),
            partial(Batch.reseed, games=np.arange(len(batch)), seeds=range(len(batch))),
            step_first_actions,
        ]
        change = rng.choice(changes)
        other += changed_or_not(rng, batch, change, raise_alarm)
    check_states(batch)
    return Counter(alarms=other)


def changed_or_not(
    rng: Random, batch: Batch, change: Callable[[Batch], Any], stop: Callable[[], None]
) -> int:
    """Change a batch and stop it at any moment: all is changed, or nothing; returns the stops."""
    twin = copy.deepcopy(batch)
    before = content_of(batch)
    change(twin)
    stops = interrupted(partial(change, batch), rng.uniform(1e-6, 1e-3), stop)
    now = content_of(batch)
    assert now in (before, content_of(twin))
    if now != before:
        assert_same_outputs(batch, twin)
    return stops


def copy_used(rng: Random, folder: Path) -> Counter[str]:
    """What users hold, used, continues as the original when it is copied or pickled."""
    things = makers(rng.choice(names()))
    some = rng.sample(sorted(things), 3)
    used = {name: things[name]() for name in some}
    for thing in used.values():
        future(thing, rng.randint(1, 40))
    twin = rng.choice(list(COPIES.values()))(used)
    expected = futures(used)
    assert different(futures(twin), expected) == [], some
    return Counter(copies=len(some))


def fork(rng: Random, folder: Path) -> Counter[str]:
    """A child of a process whose other thread plays has whole objects, and continues with them."""
    batch, going_on = some_batch(rng), [True]
    player = players.make(rng.choice(["td", "greedy"]), batch.variant, seed=rng.randrange(2**32))

    def play() -> None:
        while going_on[0]:
            batch.step(players.choose(player, batch, np.arange(len(batch))))
            batch.step(batch.sample())

    thread = Thread(target=play)
    thread.start()
    try:
        for _ in range(5):
            time.sleep(rng.uniform(0, 0.05))
            child = os.fork()
            if child == 0:
                os._exit(continued(batch, player))
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        going_on[0] = False
        thread.join()
    return Counter(forks=5)


def continued(batch: Batch, player: players.Player) -> int:
    """0 if a batch is whole and can be played on."""
    try:
        check_states(batch)
        batch.step(players.choose(player, batch, np.arange(len(batch))))
        check_states(play_some(batch, 3))
    except BaseException as error:
        print(f"in the child: {error!r}", file=sys.stderr, flush=True)
        return 1
    return 0


def malform(rng: Random, folder: Path, inputs: int = 300) -> Counter[str]:
    """Changed position texts are refused with a `ValueError`, or work."""
    variant = rng.choice(names())
    position = Position(variant)
    for _ in range(rng.randint(0, 40)):
        if not position.is_over:
            position.play_action(rng.choice(position.legal_actions()))
    for _ in range(inputs):
        text = mutated(rng, position.text)
        if not refused(ValueError, Position.from_text, variant, text):
            assert Position.from_text(variant, text).text == text
    return Counter(malformed=inputs)


def malform_on(rng: Random, folder: Path) -> Counter[str]:
    """Many texts that are changes of one."""
    return malform(rng, folder, LONG_INPUTS)


def converse(rng: Random, folder: Path) -> Counter[str]:
    """Changed messages to the web server are answered, and break nothing."""
    lines = rng.choice(sound_conversations()).splitlines()
    at = rng.sample(range(len(lines)), 10)
    for each in at:
        lines[each] = changed_message(rng, lines[each])
    # In its own thread: a browser that other tests have opened keeps a loop running in this one.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, talk(lines)).result()
    return Counter(malformed=len(at))


def damage(rng: Random, folder: Path) -> Counter[str]:
    """Changed record and batch files are refused with a `ValueError`, or work."""
    some_batch(rng).save(folder / "games.npz")
    game = drawn(rng.choice(names()), rng, rng.randint(1, 30))
    for form in ("pgr", "pgb"):
        write_records(folder / f"games.{form}", [game])
    inputs = 0
    for file in sorted(folder.glob("games.*")):
        sound = file.read_bytes()
        for _ in range(10):
            file.write_bytes(damaged(rng, sound))
            inputs += 1
            if file.suffix == ".npz":
                refused(ValueError, Batch.load, file)
            else:
                read_whole(file)
    return Counter(damaged=inputs)


def kill(rng: Random, folder: Path) -> Counter[str]:
    """A playtest that is killed or interrupted at any moment resumes."""
    command = ["playtest", "pachessi", "--players", "random,random", "--games", "100000000"]
    command += ["--out", str(folder / "run")]
    for how in (signal.SIGKILL, signal.SIGINT):
        with subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *command], stderr=subprocess.PIPE, text=True
        ) as process:
            try:
                time.sleep(rng.uniform(0, 8))
                process.send_signal(how)
                _, told = process.communicate(timeout=120)
            finally:
                process.kill()
            # Python itself shows where it was interrupted before the program began.
            assert how == signal.SIGKILL or process.returncode in (130, -signal.SIGINT, 1), told
            assert "holds" not in told, told
    return Counter(kills=2)


def write_together(rng: Random, folder: Path) -> Counter[str]:
    """Three processes append to one record file, and one of them is killed; no game is lost."""
    file = folder / f"games.{rng.choice(('pgr', 'pgr.gz', 'pgb'))}"
    writers = {
        who: subprocess.Popen([sys.executable, "-c", WRITE, who, file]) for who in ("a", "b", "c")
    }
    time.sleep(rng.uniform(0, 4))
    writers["c"].kill()
    assert [writers[who].wait(120) for who in "ab"] == [0, 0]
    writers["c"].wait(120)
    kept: dict[str | None, list[int]] = {who: [] for who in writers}
    for game in read_records(file):
        name = game.players[0] or ""
        kept[name[0]].append(int(name[1:]))
    assert kept["a"] == kept["b"] == list(range(WRITTEN))
    assert kept["c"] == list(range(len(kept["c"])))
    return Counter(writers=3)


def besiege(rng: Random, folder: Path) -> Counter[str]:
    """While hostile clients attack a server, somebody else plays, and no action is lost."""
    served = Served(folder)
    try:
        client, actions = Client(served), 0
        game, state = client.new("pasgl312", "person", "greedy", options={"turn_limit": 0})
        with ThreadPoolExecutor(1) as pool:
            hostile = attack(served.port, SIEGE, rng.sample(KINDS, 4))
            attacking = pool.submit(asyncio.run, hostile)
            while not attacking.done() and not state["over"]:
                ply, label = state["ply"], rng.choice(state["legal"])[0]
                answer = client.ask("play", game=game, label=label, ply=ply)
                assert answer["ok"], answer
                actions += 1
                state = client.wait_for(
                    "state", lambda now, ply=ply: now["ply"] > ply and now["to_move"] in (0, None)
                )
            attacking.result()
        served.kill()
        served.start()
        assert Client(served).watch(game)["ply"] >= state["ply"]
    finally:
        served.kill()
    return Counter({"actions under attack": actions})


def fill(rng: Random, folder: Path) -> Counter[str]:
    """If files cannot grow, a command reports it in one line without a traceback."""
    most = rng.choice([0, 1, 100, 1000, 5000])
    code = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most})); "
    record = ["--record", str(folder / rng.choice(["games.pgr", "games.pgb", "games.pgr.gz"]))]
    command = ["watch", "pachessi", "random", "random", "--delay", "0", *record]
    done = subprocess.run(
        [sys.executable, "-c", code + PROGRAM, *command], capture_output=True, text=True
    )
    assert "Traceback" not in done.stderr, done.stderr
    return Counter({"full disks": 1})


def damage_cache(rng: Random, folder: Path) -> Counter[str]:
    """Damaged files of compiled code are detected and recompiled."""
    environment = {**os.environ, "PASGL_CACHE_DIR": str(folder)}
    code = "from pasgl_env import Batch; b = Batch('pachessi', 2, seed=1); b.step(b.sample())"
    told = ""
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        told += done.stderr
        file = rng.choice(sorted(folder.rglob("*.nb[ic]")))
        file.write_bytes(damaged(rng, file.read_bytes()))
    assert "Traceback" not in told
    return Counter({"damaged caches": 2})


QUICK: Sequence[Trial] = (play, interrupt, alarm, malform, converse, damage)
LONG: Sequence[Trial] = (play_on, play_on, play_on, malform_on, copy_used, fork)
SLOW: Sequence[Trial] = (kill, fill, damage_cache, write_together, besiege)


@cache
def sound_conversations() -> list[bytes]:
    return list(conversations())


def changed_message(rng: Random, line: bytes) -> bytes:
    """A message with changes in its text, or with another value in a field."""
    if rng.random() < 0.3:
        return mutated(rng, line.decode()).encode("utf-8", "surrogatepass")
    message = json.loads(line)
    name = rng.choice([*message, "text", "options", "seats", "game"])
    own = message.get(name)
    if isinstance(own, str) and rng.random() < 0.5:
        message[name] = mutated(rng, own)
    elif isinstance(own, list) and own and rng.random() < 0.5:
        own[rng.randrange(len(own))] = rng.choice(STRANGE_VALUES)
    else:
        message[name] = rng.choice(STRANGE_VALUES)
    return json.dumps(message).encode()


def some_batch(rng: Random, most_games: int = MOST_GAMES) -> Batch:
    """A batch of any variant and size, with any number of threads."""
    variant = rng.choice(names())
    settings: dict[str, Any] = {"turn_limit": rng.choice([0, 7, 60])} if rng.random() < 0.5 else {}
    if find(variant).has_points and rng.random() < 0.5:
        settings["reward"] = "points"
    return Batch(
        variant,
        rng.randint(1, most_games),
        threads=rng.choice([1, 2, 3]),
        seed=rng.randrange(2**32),
        **settings,
    )


def check_outputs(batch: Batch) -> None:
    assert (batch.legal_count == batch.action_mask.sum(axis=1)).all()
    assert batch.legal_count.min() > 0
    assert batch.action_mask.max() == 1
    assert batch.observation.max() <= 1
    assert ((batch.to_move >= 0) & (batch.to_move < batch.num_players)).all()
    assert not (batch.terminated & batch.truncated).any()
    assert batch.ended.tolist() == np.flatnonzero(batch.terminated | batch.truncated).tolist()
    assert (batch.length[batch.ended] == 0).all()


def check_states(batch: Batch) -> None:
    """Every state is possible, and all outputs follow from the states."""
    twin = Batch(batch.variant, len(batch), **batch.options)
    twin.states = batch.states
    for name in ("observation", "action_mask", "legal_count", "to_move"):
        assert (getattr(twin, name) == getattr(batch, name)).all(), name


def check_file(batch: Batch, file: Path) -> None:
    """A loaded batch continues like the one that was saved."""
    batch.save(file)
    loaded, twin = Batch.load(file), copy.deepcopy(batch)
    for each in (loaded, twin):
        for _ in range(5):
            each.step(each.sample())
    assert_same_outputs(loaded, twin)


def assert_same_outputs(one: Batch, other: Batch) -> None:
    for name in ("states", *OUTPUTS):
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes(), name


def step_first_actions(batch: Batch) -> None:
    batch.step(batch.action_mask.argmax(axis=1))


def play_some(batch: Batch, steps: int) -> Batch:
    for _ in range(steps):
        batch.step(batch.sample())
    return batch


def raise_interrupt() -> None:
    signal.raise_signal(signal.SIGINT)


def raise_alarm() -> None:
    raise KeyboardInterrupt("from the handler of another signal")


def interrupted(
    call: Callable[[], object], delay: float, act: Callable[[], None] = raise_interrupt
) -> bool:
    """Call a function, with an interrupt after some seconds; return whether it was raised."""
    rung = []

    def ring(*_: object) -> None:
        rung.append(True)
        act()

    before = (
        signal.signal(signal.SIGALRM, ring),
        signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        signal.setitimer(signal.ITIMER_REAL, delay)
        call()
        while not rung:
            pass
    except KeyboardInterrupt:
        return True
    finally:
        signal.signal(signal.SIGALRM, before[0])
        signal.signal(signal.SIGINT, before[1])
    return False


def damaged(rng: Random, content: bytes) -> bytes:
    """The content truncated, emptied, with flipped bits, or with inserted bytes."""
    at = rng.randrange(len(content) + 1)
    return rng.choice(
        [
            lambda: content[:at],
            lambda: b"",
            lambda: content[:at] + rng.randbytes(rng.randint(1, 8)) + content[at:],
            lambda: (
                content[:at]
                + bytes(b ^ 1 << rng.randrange(8) for b in content[at : at + 1])
                + content[at + 1 :]
            ),
        ]
    )()


def read_whole(file: Path) -> None:
    try:
        for game in read_records(file):
            assert game.ruleset.name in names()
    except ValueError as error:
        assert str(error)


@patch.dict(ThreadPool.run.__kwdefaults__, worth=1)
def run_trial(seed: int, number: int, trials: Sequence[Trial]) -> Counter[str]:
    """Do a trial; small batches share their work between threads, too."""
    rng = Random(f"{seed}/{number}")
    with TemporaryDirectory() as folder:
        return rng.choice(trials)(rng, Path(folder))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first trial")
    parser.add_argument("--trials", type=int, default=None, help="maximum number of trials")
    parser.add_argument("--quick", action="store_true", help="no other processes")
    given = parser.parse_args()
    # A shell starts what runs in the background with SIGINT ignored, and so would be our processes.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # A slow trial takes 10 to 30 s, a long one 2 to 4 s: long ones get two thirds of the time.
    trials = QUICK if given.quick else [*QUICK] * 15 + [*LONG] * 15 + [*SLOW]
    end, done = time.monotonic() + 60 * given.minutes, Counter[str]()
    for number in count(given.first):
        if time.monotonic() > end or number - given.first == given.trials:
            break
        try:
            done += run_trial(given.seed, number, trials) + Counter(trials=1)
        except KeyboardInterrupt:
            print(f"interrupted in trial {number}", file=sys.stderr)
            break
        except BaseException:
            again = f"--seed {given.seed} --first {number} --trials 1"
            print(f"trial {number} failed; again: python -m tests.soak {again}", file=sys.stderr)
            raise
        if done["trials"] % 100 == 0:
            print(summary(done), file=sys.stderr)
    print(summary(done))


def summary(done: Counter[str]) -> str:
    return ", ".join(f"{number:,} {name}" for name, number in sorted(done.items()))


if __name__ == "__main__":
    main()
