"""The kernels: templates like those of :mod:`pasgl_env.engine.loops`, bound to one game.

The rules are scalar code, so one thread plays one game. Masks and observations are thousands of
bytes per game: a thread that wrote its own row in global memory would touch another sector with
each byte. So a block writes the rows of a few games in its shared memory, and then copies them out
together, in order. It also clears the shared memory together, and rules do not
(see :mod:`pasgl_env.cuda.device`).

A step is three launches: ``play`` (one thread per game), ``look`` (legal actions, ends of games,
new games) and ``observe``. The first is separate because it needs no shared memory, which limits
how many games are in flight at once; the last two, because their rows have different sizes.
"""

# The templates' free names are bound to a game's rules later.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numba
from numba import cuda

from pasgl_env.contract.game import Game
from pasgl_env.cuda.device import SIMULATED, rebound, rules_on_device
from pasgl_env.engine.loops import draw
from pasgl_env.jit.cache import say_once

BLOCK = 2 if SIMULATED else 64
"""Number of threads of a block without shared memory."""

WARP = 4 if SIMULATED else 32
"""Number of threads, and maximum number of games, of a block with shared memory.

The simulator starts an operating-system thread for each, and polls them.
"""

TILE_BYTES = 24 * 1024
"""Shared memory of a block in bytes, unless one row needs more: eight blocks or more fit on a
multiprocessor."""

MOST_TILE_BYTES = 48 * 1024
"""The shared memory that a block can have without asking the driver for more."""


class Kernels(NamedTuple):
    """The kernels of one game; see their templates below."""

    begin_all: Any
    play_all: Any
    look: Any
    show: Any


class Endings(NamedTuple):
    """The fields of :class:`~pasgl_env.engine.loops.Buffers` that the end of a game changes."""

    options: Any
    dice: Any
    first_states: Any
    first_dice: Any
    reward: Any
    terminated: Any
    truncated: Any
    truncates_for: Any
    length: Any
    final_states: Any
    final_length: Any


@cuda.jit(device=True)
def pitch(width: int) -> int:
    """The distance in words between the rows of a tile: one more than their length.

    Otherwise the same column of all rows would often be in the same bank of the shared memory.
    """
    return width + 1


@cuda.jit(device=True)
def clear_words(words: Any, count: int) -> None:
    """Clear the words of a tile; called by all threads of a block."""
    for word in range(cuda.threadIdx.x, count, cuda.blockDim.x):
        words[word] = 0


@cuda.jit(device=True)
def copy_row(source: Any, target: Any) -> None:
    """Copy words until the target is full; called by all threads of a block."""
    for word in range(cuda.threadIdx.x, target.size, cuda.blockDim.x):
        target[word] = source[word]


@cuda.jit
def accept(games: Any, actions: Any, action_mask: Any, chosen: Any, first_wrong: Any) -> None:
    """Copy actions; ``first_wrong[0]`` becomes the first invalid row if that is lower.

    Games must be ascending, and their actions legal.
    """
    row = cuda.grid(1)
    if row >= games.size:
        return
    game, action = games[row], actions[row]
    chosen[row] = action
    is_game = 0 <= game < action_mask.shape[0] and (row == 0 or games[row - 1] < game)
    is_action = 0 <= action < action_mask.shape[1]
    if not is_game or not is_action or action_mask[game, action] == 0:
        cuda.atomic.min(first_wrong, 0, row)


@cuda.jit
def copy_integers(source: Any, target: Any) -> None:
    """Copy a row of integers of any type."""
    row = cuda.grid(1)
    if row < target.size:
        target[row] = source[row]


def begin_all(
    states: Any,
    options: Any,
    games: Any,
    restarts: bool,
    dice: Any,
    first_states: Any,
    first_dice: Any,
    reward: Any,
    terminated: Any,
    truncated: Any,
    length: Any,
) -> None:
    """Start some games from their states or, if ``restarts``, at their start."""
    row = cuda.grid(1)
    if row >= games.size:
        return
    game = games[row]
    state = states[game]
    if restarts:
        start(state, options[0])
    for player in range(reward.shape[1]):
        reward[game, player] = 0
    terminated[game] = truncated[game] = False
    length[game] = 0
    begin(state, options[0], game, dice, first_states, first_dice)


def play_all(
    states: Any,
    options: Any,
    games: Any,
    actions: Any,
    by_points: bool,
    dice: Any,
    reward: Any,
    terminated: Any,
    truncated: Any,
    length: Any,
) -> None:
    """Play a legal action in each of some games."""
    row = cuda.grid(1)
    if row < games.size:
        game = games[row]
        prepare(game, reward, terminated, truncated, length)
        act(states[game], options[0], game, actions[row], by_points, dice, reward)


def look(
    states: Any,
    options: Any,
    games: Any,
    in_tile: int,
    concludes: bool,
    by_points: bool,
    truncates_for: Any,
    dice: Any,
    first_states: Any,
    first_dice: Any,
    mask_words: Any,
    legal_count: Any,
    mover: Any,
    reward: Any,
    terminated: Any,
    truncated: Any,
    length: Any,
    final_states: Any,
    final_length: Any,
) -> None:
    """Write the masks of some games; if ``concludes``, first end the games that have ended."""
    endings = Endings(
        options,
        dice,
        first_states,
        first_dice,
        reward,
        terminated,
        truncated,
        truncates_for,
        length,
        final_states,
        final_length,
    )
    tile, words = cuda.shared.array(0, numba.uint8), cuda.shared.array(0, numba.int64)
    width = mask_words.shape[1]
    first = cuda.blockIdx.x * in_tile
    rows = min(in_tile, games.size - first)
    thread = cuda.threadIdx.x
    clear_words(words, rows * pitch(width))
    cuda.syncthreads()
    if thread < rows:
        game = games[first + thread]
        state, option = states[game], options[0]
        beginning = thread * pitch(width)
        row = tile[8 * beginning : 8 * (beginning + width)]
        is_new = not concludes
        while True:
            legal = legal_actions(state, option, row)
            if is_new or not conclude(endings, state, game, legal, by_points):
                break
            is_new = True
            # By bytes, as in the rules: without a barrier in between, the compiler may assume that
            # the two views of the shared memory do not overlap.
            for byte in range(row.size):
                row[byte] = 0
        legal_count[game] = legal
        mover[game] = to_move(state)
    cuda.syncthreads()
    for row in range(rows):
        copy_row(words[row * pitch(width) :], mask_words[games[first + row]])


def show(
    states: Any, options: Any, games: Any, in_tile: int, mover: Any, shape: Any, row_words: Any
) -> None:
    """Write the views of the players to act in some games."""
    tile, words = cuda.shared.array(0, numba.uint8), cuda.shared.array(0, WORD)
    width = row_words.shape[1]
    first = cuda.blockIdx.x * in_tile
    rows = min(in_tile, games.size - first)
    thread = cuda.threadIdx.x
    clear_words(words, rows * pitch(width))
    cuda.syncthreads()
    if thread < rows:
        game = games[first + thread]
        beginning = WORD_BYTES * thread * pitch(width)
        planes = tile[beginning : beginning + WORD_BYTES * width].reshape(shape)
        observe(states[game], options[0], mover[game], planes)
    cuda.syncthreads()
    for row in range(rows):
        copy_row(words[row * pitch(width) :], row_words[games[first + row]])


def draw_all(
    mask_words: Any, legal_count: Any, in_tile: int, generators: Any, actions: Any
) -> None:
    """Draw a legal action for each game, as :func:`pasgl_env.engine.loops.sample` does."""
    words = cuda.shared.array(0, numba.int64)
    width = mask_words.shape[1]
    first = cuda.blockIdx.x * in_tile
    rows = min(in_tile, actions.size - first)
    for row in range(rows):
        copy_row(mask_words[first + row], words[row * pitch(width) :][:width])
    cuda.syncthreads()
    thread = cuda.threadIdx.x
    if thread < rows:
        game = first + thread
        beginning = thread * pitch(width)
        mask = words[beginning : beginning + width]
        actions[game] = draw(mask, legal_count[game], generators, game)


def kernels_of(game: Game, word: Any) -> Kernels:
    """The kernels of a game, which are compiled on their first launch.

    Args:
        word: the type in which observations are copied, ``numba.int64`` or ``numba.int8``.
    """
    if not SIMULATED:
        say_once(f"compiling {game.cache_name} for the GPU, once per process")
    namespace = {**rules_on_device(game), "WORD": word, "WORD_BYTES": word.bitwidth // 8}
    return _kernels(tuple(namespace.items()))


@cache
def _kernels(namespace: tuple[tuple[str, Any], ...]) -> Kernels:
    templates = begin_all, play_all, look, show
    return Kernels(*(cuda.jit(rebound(template, dict(namespace))) for template in templates))


draw_kernel = cuda.jit(rebound(draw_all, {}))


def word_of(row_bytes: int) -> Any:
    """The widest type by which rows of this size can be copied."""
    return numba.int8 if row_bytes % 8 else numba.int64


class Tiles(NamedTuple):
    """The launch configuration of a kernel with shared memory.

    Attributes:
        in_tile: games per block.
        shared: bytes of shared memory per block.
    """

    in_tile: int
    shared: int

    @classmethod
    def of(cls, words: int, word_bytes: int) -> Tiles:
        """The configuration for rows of this many words.

        Raises:
            ValueError: if a row does not fit in the shared memory of a block.
        """
        row = (words + 1) * word_bytes
        if row > MOST_TILE_BYTES:
            raise ValueError(
                f"a row of {words * word_bytes} bytes does not fit in the {MOST_TILE_BYTES} bytes"
                " of shared memory that a block of a GPU has: play this variant with Batch"
            )
        in_tile = max(1, min(WARP, TILE_BYTES // row))
        # Multiples of 8 bytes, because the same memory is also read as 8-byte words.
        return cls(in_tile, -(-in_tile * row // 8) * 8)

    def launch(self, kernel: Any, games: int) -> Any:
        """A kernel configured for this number of games."""
        return kernel[-(-games // self.in_tile), WARP, 0, self.shared]


def launch(kernel: Any, games: int) -> Any:
    """A kernel without shared memory, configured for one thread per game."""
    return kernel[-(-games // BLOCK), BLOCK]
