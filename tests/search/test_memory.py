"""Players that remember a game do not repeat a position while they are ahead."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pasgl_env import Batch, Position, players, variants
from pasgl_env.games.chieftain.rules.board import KINDS
from pasgl_env.games.chieftain.rules.features import board_key
from pasgl_env.search.memory import (
    KEPT,
    Memories,
    Memory,
    is_known,
    remember,
)
from pasgl_env.search.weights import unlearned, write_network

CHIEFTAIN = variants.find("chieftain")
OPTIONS: dict[str, Any] = {"setup": "c22/23/23/23/23/23/23/20MC1"}
BLACKS_MOVES = ("Ca8-b8", "Cb8-a8")


@pytest.fixture
def values(tmp_path: Path) -> Path:
    """Values that are the lead in pieces, so that nothing but a capture improves a position."""
    network = unlearned("chieftain", OPTIONS)
    network.out[:] = 0.0
    network.rows[:KINDS, -1], network.rows[KINDS : 2 * KINDS, -1] = 1.0, -1.0
    content = write_network(network, "chieftain", OPTIONS, {})
    (tmp_path / "values.safetensors").write_bytes(content)
    return tmp_path


def make(name: str, values: Path) -> Any:
    return players.make(f"{name}:values={values}", "chieftain", seed=1)


def reached(name: str, values: Path, *, remembers: bool) -> list[str]:
    """The boards that White's actions lead to, while Black's Chieftain goes to and fro."""
    position, player, boards = Position("chieftain", **OPTIONS), make(name, values), []
    for turn in range(25):
        if not remembers:
            player = make(name, values)
        while not position.is_over and position.to_move == 0:
            position.play(position.label(players.choose_one(player, position)))
            boards.append(position.text.split()[0])
        if position.is_over:
            break
        position.play(BLACKS_MOVES[turn % 2])
    return boards


@pytest.mark.parametrize("name", ["td", "search:3"])
def test_who_is_ahead_brings_no_board_about_again(name, values):
    boards = reached(name, values, remembers=True)
    assert len(boards) == len(set(boards))
    forgetful = reached(name, values, remembers=False)
    assert len(forgetful) > len(set(forgetful))


@pytest.mark.parametrize("name", ["td", "search:3"])
def test_who_has_waited_long_goes_for_the_enemy(name, values):
    """It captures the Chieftain that stays in its corner; without a memory it knows of no wait."""
    assert "c" not in reached(name, values, remembers=True)[-1]
    assert "c" in reached(name, values, remembers=False)[-1]


@pytest.mark.parametrize("name", ["td", "search:1"])
def test_who_is_asked_again_answers_alike(name):
    """Only what was played counts, not what was thought of."""
    batch = Batch("chieftain", 16, seed=5)
    for _ in range(200):
        batch.step(batch.sample())
    games = np.flatnonzero(batch.states["origin"] == 0)  # which Chieftain activates is drawn
    player = players.make(name, "chieftain", seed=1)
    first, again = (player.choose(batch, games).tolist() for _ in range(2))
    assert first == again


@pytest.mark.jitfree
def test_positions_are_the_same_if_their_boards_are():
    def key(position: Position) -> int:
        with np.errstate(over="ignore"):
            return int(board_key(position.state[0]))

    start = Position("chieftain", **OPTIONS)
    assert key(Position("chieftain", **OPTIONS).play("Mu1-u2")) != key(start)
    back = Position("chieftain", **OPTIONS)
    for label in ("Mu1-u2", "Ca8-b8", "Mu2-u1", "Cb8-a8"):
        back.play(label)
    assert back.text != start.text
    assert key(back) == key(start)


@pytest.mark.jitfree
def test_a_memory_holds_the_last_positions():
    memory = Memory.of(CHIEFTAIN, 2)
    for key in range(1, KEPT + 3):
        remember(memory, 1, np.uint64(key))
    known = [key for key in range(1, KEPT + 4) if is_known(memory, 1, np.uint64(key))]
    assert known == list(range(3, KEPT + 3))
    assert not is_known(memory, 0, np.uint64(5))


def test_a_new_game_is_not_an_old_one():
    memories, batch = Memories(CHIEFTAIN), Batch("chieftain", 2)
    games = np.arange(2)
    for _ in range(60):
        batch.step(batch.sample())
    remember(memories.of(batch, games), 0, np.uint64(7))
    assert is_known(memories.of(batch, games), 0, np.uint64(7))
    batch.reset()
    assert not is_known(memories.of(batch, games), 0, np.uint64(7))
    remember(memories.of(batch, games), 0, np.uint64(7))
    memories.forget(np.array([0, 9]))
    assert not is_known(memories.of(batch, games), 0, np.uint64(7))


@pytest.mark.parametrize("name", ["td", "search:3"])
def test_a_copy_with_its_own_generators_has_its_own_memory(name, values):
    player = make(name, values)
    batch = Batch("chieftain", 1, **OPTIONS)
    first = player.choose(batch, np.arange(1))
    again = player.with_own_generators()
    player.reseed(np.arange(1), [1])
    again.reseed(np.arange(1), [1])
    games = np.arange(1)
    remember(again._memories.of(batch, games), 0, np.uint64(7))
    assert not is_known(player._memories.of(batch, games), 0, np.uint64(7))
    assert player.choose(batch, np.arange(1)).tolist() == first.tolist()
    assert again.choose(batch, np.arange(1)).tolist() == first.tolist()


def test_games_that_cannot_go_round_in_circles_need_no_memory():
    assert Memory.of(variants.find("pachessi"), 1000).keys.size == 0
