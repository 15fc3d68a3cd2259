"""A player's memory of its games, with which it makes progress.

Some games have no rule against repetition. There a player that looks one ply ahead stops as soon as
no single action improves its position: it ends its turns early, or moves a piece back and forth.
So a repeated position counts as a draw: while ahead, the player does not bring one about again.

Two such players also keep away from each other, because the first to come near is attacked first.
So when nothing has been captured for some time, coming nearer to the enemy counts as an advantage,
more so with each turn.
"""

# The templates' free names are bound to a game's rules later.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from pasgl_env.contract.game import Game
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.position import Position
from pasgl_env.jit.compiled import bind, compile_once, rule, with_helpers
from pasgl_env.jit.slices import slices
from pasgl_env.players.values.choices import draw_choice
from pasgl_env.players.values.network import ValueScratch, features_of, value_rules

MOVES = 4096
"""Moves that are replayed in a slice."""
KEPT = 1024
"""Number of positions remembered of a game, the last ones."""
PATIENCE, LONGEST = 20, 60
"""Turns of both sides without a capture after which coming nearer begins to count, and after which
it does not count more."""
URGENCY = 0.002
"""The value of a step nearer to the enemy for each of these turns, as a logit."""


class Memory(NamedTuple):
    """The positions that a player brought about in some games while it was ahead.

    Attributes:
        keys: ``uint64[games, KEPT]``, their hashes.
        counts: ``int64[games]``, the number of them so far.
        turns: ``int64[games]``, number of turns at the last choice.
        quiet: ``int64[games, 2]``, one more than the points of both sides, and the turn since which
            they have been the same.
        last: ``uint64[games, 2]``, hashes of the position of the last choice and of the one it
            leads to, or 0. The latter is remembered once the game has left the former: a player
            that is asked twice in a position gives the same answer.
    """

    keys: np.ndarray
    counts: np.ndarray
    turns: np.ndarray
    quiet: np.ndarray
    last: np.ndarray

    @classmethod
    def of(cls, game: Game, games: int) -> Memory:
        """An empty memory; it has no room in games that do not need it."""
        kept = 0 if features_of(game).position_keys is None else KEPT
        return cls(
            np.zeros((games, kept), np.uint64),
            np.zeros(games, np.int64),
            np.zeros(games, np.int64),
            np.zeros((games, 2), np.int64),
            np.zeros((games, 2), np.uint64),
        )


class Memories:
    """The memories of a player's games, of which a batch may have any number."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._all = Memory.of(game, 0)

    def of(self, batch: Batch, games: np.ndarray) -> Memory:
        """The memory of a batch's games; a game that has gone back in time is a new one."""
        if self._all.counts.size < len(batch):
            longer = Memory.of(self._game, len(batch))
            for new, old in zip(longer, self._all, strict=True):
                new[: len(old)] = old
            self._all = longer
        if self._all.keys.size:
            turns = batch.turns[games]
            self.forget(games[turns < self._all.turns[games]])
            self._all.turns[games] = turns
        return self._all

    def follow(self, position: Position) -> None:
        """Replace the memory of game 0 with the history of a position."""
        if not self._all.counts.size:
            self._all = Memory.of(self._game, 1)
        self.forget(np.arange(1))
        if self._all.keys.size:
            self._all.turns[0] = position.turns
            states, choices = position.path
            options, player = position.options_record, position.to_move
            for part in slices(choices.size, MOVES):
                retrace_of(self._game)(states, options, choices[part], player, self._all)

    def forget(self, games: np.ndarray) -> None:
        """Begin these games anew."""
        known = games[games < self._all.counts.size]
        self._all.counts[known] = 0
        self._all.quiet[known] = 0
        self._all.last[known] = 0


@rule
def is_known(memory: Memory, game: int, key: np.uint64) -> bool:
    """Whether a position was brought about before in a game."""
    for number in range(min(memory.counts[game], KEPT)):
        if memory.keys[game, number] == key:
            return True
    return False


@rule
def remember(memory: Memory, game: int, key: np.uint64) -> None:
    """Add a position."""
    memory.keys[game, memory.counts[game] % KEPT] = key
    memory.counts[game] += 1


def recall(memory: Memory, game: int, scratch: ValueScratch) -> None:
    """Remember the result of the last choice, if ``scratch.states[0]`` is another position."""
    last = memory.last[game]
    if last[1] != 0 and last[0] != position_key(scratch.states[0]):
        remember(memory, game, last[1])
    last[1] = 0


def urge(memory: Memory, game: int, scratch: ValueScratch) -> None:
    """Set the value of steps nearer to the enemy: above 0 if captures have long been missing."""
    state = scratch.states[0]
    waited = min(wait_of(state, memory, game), LONGEST) - PATIENCE
    scratch.urgency[0] = URGENCY * max(waited, 0)
    scratch.root[0] = state


def wait_of(state: Any, memory: Memory, game: int) -> int:
    """The number of turns without a capture, up to a later state than all before.

    No position from before a capture can come back, so those are forgotten.
    """
    quiet = memory.quiet[game]
    captured = points(state, 0) + points(state, 1) + 1
    if quiet[0] != captured:
        quiet[0], quiet[1] = captured, turns(state)
        memory.counts[game] = 0
    return turns(state) - quiet[1]


def retrace(
    states: np.ndarray, options: np.ndarray, choices: np.ndarray, player: int, memory: Memory
) -> None:
    """Replay a game from its first state, and remember a player's positions and the captures.

    It becomes game 0 of the memory. Positions count whether the player was ahead in them or not.
    ``states`` is played on to the last state.
    """
    state, option = states[0], options[0]
    wait_of(state, memory, 0)
    for choice in choices:
        mover = to_move(state)
        acts(state, option, choice)
        wait_of(state, memory, 0)
        if mover == player and is_quiescent(state):
            remember(memory, 0, position_key(state))


def choose_new(
    option: Any,
    count: int,
    temperature: float,
    scratch: ValueScratch,
    memory: Memory,
    game: int,
    generators: np.ndarray,
    row: int,
) -> int:
    """Choose by the values of the first choices; those of repeated positions become 0 if higher."""
    values = scratch.values
    if not AVOIDS_REPEATS or not is_quiescent(scratch.states[0]):
        return draw_choice(values, count, temperature, generators, row)
    state = scratch.states[0]
    recall(memory, game, scratch)
    key = position_key(state)
    while True:
        choice = draw_choice(values, count, temperature, generators, row)
        if values[choice] <= 0.0:
            return choice
        if not is_known(memory, game, key_after(state, option, key, scratch.choices[choice])):
            return choice
        values[choice] = 0.0


def note_choice(option: Any, choice: int, scratch: ValueScratch, memory: Memory, game: int) -> None:
    """Note the position that a choice leads to, if it is a good one."""
    state, last = scratch.states[0], memory.last[game]
    if AVOIDS_REPEATS and scratch.values[choice] > 0.0 and is_quiescent(state):
        last[0] = position_key(state)
        last[1] = key_after(state, option, last[0], scratch.choices[choice])


@cache
def memory_rules(game: Game) -> dict[str, Any]:
    """The names in templates of players that remember: those of learned values, and helpers."""
    keys = features_of(game).position_keys
    of, after = (no_key, no_key_after) if keys is None else keys
    namespace = value_rules(game) | {
        "AVOIDS_REPEATS": keys is not None,
        "points": game.points,
        "position_key": of,
        "key_after": after,
    }
    helpers = recall, wait_of, urge, choose_new, note_choice
    return with_helpers(namespace, game.cache_name, *helpers)


@cache
def retrace_of(game: Game) -> Any:
    """``retrace`` for one game. The first call for each version of the sources compiles it."""
    loop = bind(retrace, f"{game.cache_name}_values", memory_rules(game))
    compile_once(f"{game.cache_name}-retrace", lambda: warm_up(game, loop), [loop])
    return loop


def warm_up(game: Game, loop: Any) -> None:
    """Run the loop once with the types that the player uses."""
    batch = Batch(game.name, 1)
    loop(batch.states.copy(), batch.options_record, batch.sample(), 0, Memory.of(game, 1))


@rule
def no_key(state: Any) -> np.uint64:
    """The key of positions that may be repeated."""
    return np.uint64(0)


@rule
def no_key_after(state: Any, options: Any, key: np.uint64, action: int) -> np.uint64:
    """The same, after an action."""
    return key
