"""Players that remember a game do not repeat a position while they are ahead."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pasgl_env import Batch, Position, players, variants
from pasgl_env.games.chieftain.rules.board import KINDS
from pasgl_env.games.chieftain.rules.features import board_key, board_key_after
from pasgl_env.players.values.memory import (
    KEPT,
    Memories,
    Memory,
    is_known,
    remember,
)
from pasgl_env.players.values.weights import unlearned, write_network

CHIEFTAIN = variants.find("chieftain")
OPTIONS: dict[str, Any] = {"setup": "c22/23/23/23/23/23/23/20MC1"}
BLACKS_MOVES = ("Ca8-b8", "Cb8-a8")


@pytest.fixture
def values(tmp_path: Path) -> Path:
    """Values that are the lead in pieces, so that nothing but a capture improves a position."""
    network = unlearned(variants.ruleset("chieftain", **OPTIONS))
    network.out[:] = 0.0
    network.rows[:KINDS, -1], network.rows[KINDS : 2 * KINDS, -1] = 1.0, -1.0
    content = write_network(network, variants.ruleset("chieftain", **OPTIONS), {})
    (tmp_path / "values.safetensors").write_bytes(content)
    return tmp_path


def make(name: str, values: Path) -> Any:
    return players.make(f"{name}:values={values}", "chieftain", seed=1)


def memories_of(player: Any) -> Memories:
    remembers: Memories = getattr(player, "_evaluator", player)._memories
    return remembers


Choose = Callable[[Any, Position], int]


def from_history(player: Any, position: Position) -> int:
    return players.choose_one(player, position)


def from_state(player: Any, position: Position) -> int:
    """Without the position's history."""
    batch = Batch(position.variant, 1, **OPTIONS)
    batch.states = position.state
    return int(player.choose(batch, np.arange(1))[0])


def reached(name: str, values: Path, choose: Choose, *, is_new: bool) -> list[str]:
    """The boards that White's actions lead to, while Black's Chieftain goes to and fro.

    ``is_new``: whether a new player is asked in every turn.
    """
    position, player, boards = Position("chieftain", **OPTIONS), make(name, values), []
    for turn in range(25):
        if is_new:
            player = make(name, values)
        while not position.is_over and position.to_move == 0:
            position.play(position.label(choose(player, position)))
            boards.append(position.text.split()[0])
        if position.is_over:
            break
        position.play(BLACKS_MOVES[turn % 2])
    return boards


# A player knows what it has played, or what the history of the position says.
KNOWING = pytest.mark.parametrize(("choose", "is_new"), [(from_state, False), (from_history, True)])


@KNOWING
@pytest.mark.parametrize("name", ["td", "search:3"])
def test_who_is_ahead_brings_no_board_about_again(name, values, choose, is_new):
    boards = reached(name, values, choose, is_new=is_new)
    assert len(boards) == len(set(boards))
    forgetful = reached(name, values, from_state, is_new=True)
    assert len(forgetful) > len(set(forgetful))


@KNOWING
@pytest.mark.parametrize("name", ["td", "search:3"])
def test_who_has_waited_long_goes_for_the_enemy(name, values, choose, is_new):
    """It captures the Chieftain that stays in its corner; without a memory it knows of no wait."""
    assert "c" not in reached(name, values, choose, is_new=is_new)[-1]
    assert "c" in reached(name, values, from_state, is_new=True)[-1]


def test_positions_from_before_a_capture_are_forgotten():
    memories = Memories(CHIEFTAIN)
    options: dict[str, Any] = {"setup": "c3/4/4/m3/4/M3/4/3C"}
    position, batch = Position("chieftain", **options), Batch("chieftain", 1, **options)
    known = []
    for label in ("Cd1-d2", "Ca8-b8", "Ma3-a4", "Cb8-a8", "Ma4xa5", "Ca8-b8"):
        position.play(label)
        if position.to_move == 0:
            memories.follow(position)
            batch.states = position.state
            known.append(int(memories.of(batch, np.arange(1)).counts[0]))
    assert known == [1, 2, 1]


def test_a_games_history_replaces_what_was_known_of_another():
    """The other game is at a later turn, and has waited long."""
    memories, batch = Memories(CHIEFTAIN), Batch("chieftain", 1, **OPTIONS)
    waiting, begun = (Position("chieftain", **OPTIONS) for _ in range(2))
    for label in 9 * ("Mu1-u2", "Ca8-b8", "Mu2-u1", "Cb8-a8"):
        waiting.play(label)
    begun.play("Mu1-u2").play("Ca8-b8")
    for position, boards, wait in ((waiting, 18, 36), (begun, 1, 2), (waiting, 18, 36)):
        memories.follow(position)
        batch.states = position.state
        memory = memories.of(batch, np.arange(1))
        assert memory.counts[0] == boards
        assert batch.turns[0] - memory.quiet[0, 1] == wait


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


def closed(position: Position) -> Position:
    """After any choice of the Chieftain that orders a move."""
    while not position.is_over and position.state[0]["origin"]:
        position.play_action(position.legal_actions()[0])
    return position


def test_the_key_after_an_action_is_that_of_the_board_it_leads_to():
    """On a board so small that pieces are captured at once."""
    start = Position("chieftain", setup="hcs1chs/nm1mnm1/7/7/1MNM1MN/SHC1SCH")
    random, captures, position = np.random.default_rng(4), 0, start.copy()
    for _ in range(60):
        key = np.uint64(board_key(position.state[0]))
        for action in position.legal_actions():
            after = closed(position.copy().play_action(action))
            expected = board_key(after.state[0])
            options = position.options_record[0]
            assert board_key_after(position.state[0], options, key, action) == expected
            captures += "x" in position.label(action)
        position = closed(position.play_action(int(random.choice(position.legal_actions()))))
        if position.is_over:
            position = start.copy()
    assert captures > 20


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
    remember(memories_of(again).of(batch, games), 0, np.uint64(7))
    assert not is_known(memories_of(player).of(batch, games), 0, np.uint64(7))
    assert player.choose(batch, np.arange(1)).tolist() == first.tolist()
    assert again.choose(batch, np.arange(1)).tolist() == first.tolist()


def test_games_that_cannot_go_round_in_circles_need_no_memory():
    assert Memory.of(variants.find("pachessi"), 1000).keys.size == 0
