"""Games whose rules are compiled to WebAssembly, in Node."""

import gzip
import hashlib
import json
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from pasgl_env import Batch, Dice, Position, players, variants
from pasgl_env.contract import description, events, parts
from pasgl_env.contract.description import ACTION
from pasgl_env.contract.events import EVENT
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.contract.scene import scene
from pasgl_env.engine.batch import first_generators
from pasgl_env.engine.dice import generator
from pasgl_env.jit.compiled import JIT
from pasgl_env.wasm.build import write

from ..pocket import GAME

NODE = shutil.which("node") or ""
SHOWN = "states action_mask observation to_move reward terminated truncated dice".split()
SEED = 3
PLAYERS = {"random": 500, "greedy": 1000, "td": 3000, "td:temperature=0.1": 3000, "search:30": 200}

pytestmark = [
    pytest.mark.skipif(not JIT, reason="there is nothing to compile without Numba's compiler"),
    pytest.mark.skipif(not NODE, reason="Node is not installed"),
]


def batch_digest(ruleset, games, steps):
    batch, digest = Batch(ruleset, games, seed=SEED), hashlib.sha256()
    for _ in range(steps):
        for name in SHOWN:
            digest.update(np.ascontiguousarray(getattr(batch._buffers, name)).tobytes())
        batch.step(batch.sample())
    return digest.hexdigest()


def position_digest(ruleset, generator):
    position, digest = Position(ruleset), hashlib.sha256()
    dice = Dice.at(int(generator))
    for _ in range(200):
        if position.is_over:
            break
        before = position.copy()
        action = -1 if position.is_chance else position.legal_actions()[-1]
        if position.is_chance:
            position.roll(dice)
        else:
            position.play_action(action)
        digest.update(position.state.tobytes())
        digest.update(position.action_mask.tobytes())
        digest.update(position.observation(0).tobytes())
        about = position.to_move, position.points, *shown(before, action, position)
        digest.update(json.dumps(about, separators=(",", ":"), default=np.ndarray.tolist).encode())
    return digest.hexdigest()


def shown(before, action, after):
    """The records of the actions before an action, of its events and of the drawing after it."""
    game, options = before.ruleset.game, before.options_record
    if action >= 0:
        with suppress(NotImplementedError):
            rule, out = parts.description(game).describe, np.zeros(before.action_mask.sum(), ACTION)
            out.view(np.uint8)[:] = 255
            legal = np.array(before.legal_actions())
            description.writer(rule, game.cache_name)(before.state, options, legal, out)
            yield as_objects(out)
            part = parts.events(game)
            out = np.zeros(part.MOST, EVENT)
            tell = events.teller(part.events, game.cache_name)
            yield as_objects(out[: tell(before.state, options, action, after.state, out)])
    with suppress(NotImplementedError):
        yield as_objects(scene(game, after.state[0], options[0]))


def as_objects(records):
    return [dict(zip(records.dtype.fields, fields, strict=True)) for fields in records.tolist()]


def in_node(script, *given):
    """What a script prints."""
    command = [NODE, str(Path(__file__).with_name(script)), *map(str, given)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check_in_node(ruleset, folder, games, steps):
    generators, dice = first_generators(SEED, games)
    given = (",".join(map(str, each)) for each in (generators, dice))
    said = in_node("play.mjs", folder, ruleset.name, steps, *given)
    assert said["batch"] == batch_digest(ruleset, games, steps)
    assert said["position"] == position_digest(ruleset, dice[0])
    assert said["isReplayed"]
    if ruleset.game.is_valid is not None:
        assert said["message"] == "not a possible position"


def check_choices(ruleset, folder, player, positions):
    """A player chooses the same in the positions of its games, where others play now and then."""
    batch, first, states, actions = Batch(ruleset, 1, seed=SEED), np.zeros(1, np.int64), [], []
    for number in range(positions):
        states.append(batch.states.tobytes())
        chosen = player.choose(batch, first)
        actions.append(int(chosen[0]))
        batch.step(batch.sample() if number % 4 == 3 else chosen)
    file = folder / "states"
    file.write_bytes(b"".join(states))
    said = in_node("choose.mjs", folder, ruleset.name, player.name, generator(SEED), file)
    assert [found["action"] for found in said] == actions


def test_a_strangers_game_plays_the_same_in_node(tmp_path):
    ruleset = Ruleset.of(GAME, {})
    write(ruleset, tmp_path)
    check_in_node(ruleset, tmp_path, 4, 200)
    check_choices(ruleset, tmp_path, players.GreedyPlayer(GAME, SEED), 50)


@pytest.mark.slow
@pytest.mark.parametrize("variant", variants.names())
def test_a_variant_plays_and_its_players_choose_the_same_in_node(variant, tmp_path):
    ruleset = variants.ruleset(variant)
    write(ruleset, tmp_path)
    module = next(tmp_path.glob("*.wasm")).read_bytes()
    assert len(gzip.compress(module)) < 250_000
    check_in_node(ruleset, tmp_path, 50, 2000)
    for name, positions in PLAYERS.items():
        player = players.make(name, variant, seed=SEED)
        check_choices(ruleset, tmp_path, player, positions)
