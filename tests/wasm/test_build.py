"""Games whose rules are compiled to WebAssembly, in Node."""

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from pasgl_env import Batch, Dice, Position, variants
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.batch import first_generators
from pasgl_env.jit.compiled import JIT
from pasgl_env.wasm.build import write

from ..pocket import GAME

NODE = shutil.which("node") or ""
SHOWN = "states action_mask observation to_move reward terminated truncated dice".split()
SEED = 3

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
        if position.is_chance:
            position.roll(dice)
        else:
            position.play_action(int(np.flatnonzero(position.action_mask)[-1]))
        digest.update(position.state.tobytes())
        digest.update(position.action_mask.tobytes())
        digest.update(position.observation(0).tobytes())
        digest.update(f"{position.to_move} {position.turns}".encode())
    return digest.hexdigest()


def check_in_node(ruleset, folder, games, steps):
    write(ruleset, folder)
    generators, dice = first_generators(SEED, games)
    script = Path(__file__).with_name("play.mjs")
    given = [
        folder,
        ruleset.name,
        steps,
        *(",".join(map(str, each)) for each in (generators, dice)),
    ]
    done = subprocess.run(
        [NODE, str(script), *map(str, given)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["batch"] == batch_digest(ruleset, games, steps)
    assert said["position"] == position_digest(ruleset, dice[0])
    if ruleset.game.is_valid is not None:
        assert said["message"] == "not a possible position"


def test_a_strangers_game_plays_the_same_in_node(tmp_path):
    check_in_node(Ruleset.of(GAME, {}), tmp_path, 4, 200)


@pytest.mark.slow
@pytest.mark.parametrize("variant", variants.names())
def test_a_hundred_thousand_actions_give_the_same_bytes_in_node(variant, tmp_path):
    check_in_node(variants.ruleset(variant), tmp_path, 50, 2000)
    module = next(tmp_path.glob("*.wasm"))
    assert module.stat().st_size < 250_000
