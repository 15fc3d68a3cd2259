"""Games whose rules and players are compiled to WebAssembly, in Node and in Chromium."""

import gzip
import hashlib
import json
import shutil
import subprocess
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

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
from pasgl_env.players.values.calibration import calibrated, calibration_of
from pasgl_env.wasm import build
from pasgl_env.wasm.build import write

from ..pocket import GAME

CHECK = Path(__file__).with_name("check.mjs")
SHOWN = "states action_mask observation to_move reward terminated truncated dice".split()
SEED = 3
PLAYERS = {"random": 500, "greedy": 1000, "td": 3000, "td:temperature=0.1": 3000, "search:30": 200}
"""Players, and the number of positions in which their choices are compared."""

pytestmark = pytest.mark.skipif(not JIT, reason="nothing compiles without Numba's compiler")


def batch_digest(ruleset, games, steps):
    batch, digest = Batch(ruleset, games, seed=SEED), b""
    for _ in range(steps):
        parts = (np.ascontiguousarray(getattr(batch._buffers, name)).tobytes() for name in SHOWN)
        digest = hashlib.sha256(b"".join((digest, *parts))).digest()
        batch.step(batch.sample())
    return digest.hex()


def position_digest(ruleset, dice):
    position, digest, dice = Position(ruleset), b"", Dice.at(int(dice))
    for _ in range(200):
        if position.is_over:
            break
        before = position.copy()
        action = -1 if position.is_chance else position.legal_actions()[-1]
        if position.is_chance:
            position.roll(dice)
        else:
            position.play_action(action)
        seen = position.state, position.action_mask, position.observation(0)
        about = position.to_move, position.points, *shown(before, action, position)
        text = json.dumps(about, separators=(",", ":"), default=np.ndarray.tolist).encode()
        parts = *(each.tobytes() for each in seen), text
        digest = hashlib.sha256(b"".join((digest, *parts))).digest()
    return digest.hex()


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


class Handler(SimpleHTTPRequestHandler):
    """Serves a folder under a policy that allows no more than modules need."""

    def end_headers(self):
        self.send_header("Content-Security-Policy", "default-src 'self' 'wasm-unsafe-eval'")
        super().end_headers()

    def log_message(self, *_):
        pass


@contextmanager
def served(folder):
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(params=["node", pytest.param("chromium", marks=pytest.mark.browser)])
def machine(request):
    """Runs functions of ``check.mjs`` in a folder: ``machine(folder, name, *arguments)``."""
    if request.param == "node":
        node = shutil.which("node") or pytest.skip("Node is not installed")
        yield partial(in_node, node)
    else:
        page = request.getfixturevalue("browser").new_page()
        yield partial(in_page, page)
        page.close()


def in_node(node, folder, name, *given):
    shutil.copy(CHECK, folder)
    command = [node, str(folder / CHECK.name), name, *map(str, given)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def in_page(page, folder, name, *given):
    shutil.copy(CHECK, folder)
    with served(folder) as address:
        page.goto(f"{address}/glue.js")
        call = "async ([name, given]) => (await import('/check.mjs'))[name](...given)"
        return page.evaluate(call, [name, [str(each) for each in given]])


def check_rules(machine, ruleset, folder, games, steps):
    generators, dice = first_generators(SEED, games)
    given = (",".join(map(str, each)) for each in (generators, dice))
    said = machine(folder, "play", ruleset.name, steps, *given)
    assert said["batch"] == batch_digest(ruleset, games, steps)
    assert said["position"] == position_digest(ruleset, dice[0])
    assert said["isReplayed"]
    if ruleset.game.is_valid is not None:
        assert said["message"] == "not a possible position"


def check_choices(machine, ruleset, folder, player, positions):
    """A player chooses the same in the positions of its games, where others play now and then."""
    batch, first, states, expected = Batch(ruleset, 1, seed=SEED), np.zeros(1, np.int64), [], []
    for number in range(positions):
        states.append(batch.states.tobytes())
        chosen = player.choose(batch, first)
        expected.append({"action": int(chosen[0]), **searched(player, batch)})
        batch.step(batch.sample() if number % 4 == 3 else chosen)
    (folder / "states").write_bytes(b"".join(states))
    said = machine(folder, "choose", ruleset.name, player.name, generator(SEED), "states")
    for found, each in zip(said, expected, strict=True):
        found.get("candidates", []).sort(key=lambda candidate: candidate["action"])
        assert {name: found[name] for name in each} == each


def searched(player, batch):
    """What a search has found, as a module says it."""
    if not hasattr(player, "visits") or batch.legal_count[0] < 2:
        return {}
    visits, values = player.visits[0].tolist(), player.action_values[0].tolist()
    curve, candidates = calibration_of(batch.ruleset).search, []
    for action in np.flatnonzero(batch.action_mask[0]).tolist():
        value = None
        if not np.isnan(values[action]):
            value = pytest.approx(calibrated(values[action], curve), abs=1e-5)
        candidates.append({"action": action, "visits": visits[action], "value": value})
    return {"candidates": candidates, "expected": player.best_line(batch, 0)}


def test_a_strangers_game_plays_the_same(machine, tmp_path):
    ruleset = Ruleset.of(GAME, {})
    write(ruleset, tmp_path)
    check_rules(machine, ruleset, tmp_path, 4, 200)
    check_choices(machine, ruleset, tmp_path, players.GreedyPlayer(GAME, SEED), 50)


def test_a_module_is_compiled_once_for_all_processes(monkeypatch, tmp_path):
    monkeypatch.setattr(build, "cache_folder", lambda: tmp_path)
    game, known = Ruleset.of(GAME, {}).game, (b"module", {"step": {"slots": 1}})
    monkeypatch.setattr(build, "_compiled", lambda called: known)
    assert in_new_process(game) == known
    monkeypatch.setattr(build, "_compiled", lambda called: (b"again", {}))
    assert in_new_process(game) == known
    (file,) = tmp_path.glob("*.wasm")
    file.write_bytes(file.read_bytes()[:-1])
    assert in_new_process(game) == (b"again", {})


def in_new_process(game):
    build._module.cache_clear()
    try:
        return build._module(game)
    finally:
        build._module.cache_clear()


@pytest.mark.slow
@pytest.mark.parametrize("variant", variants.names())
def test_a_variant_plays_and_its_players_choose_the_same(machine, variant, tmp_path):
    ruleset = variants.ruleset(variant)
    write(ruleset, tmp_path)
    module = next(tmp_path.glob("*.wasm")).read_bytes()
    assert len(gzip.compress(module)) < 250_000
    check_rules(machine, ruleset, tmp_path, 50, 2000)
    for name, positions in PLAYERS.items():
        player = players.make(name, variant, seed=SEED)
        check_choices(machine, ruleset, tmp_path, player, positions)
