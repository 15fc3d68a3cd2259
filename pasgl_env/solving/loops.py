"""Compiled loops that enumerate the positions of a game, and find positions in a table."""

# The templates' free names are bound to a game's rules later.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from pasgl_env.contract.game import Game, Spaces, options_array
from pasgl_env.engine.loops import draw_outcome, loops_of, random_bits, rules_of
from pasgl_env.engine.results import outcome_for, winning_team
from pasgl_env.jit.compiled import bind, compile_once, wide, with_helpers
from pasgl_env.solving.rows import Rows, empty_rows, hash_of, pack, slot_of, unpack

CHANCE, OVER = 126, 127
"""Owners of positions that no team has to act in; the others are teams."""
MISSING = -1
"""The index of a position that is not in a table."""

GOES_ON, DONE, NEEDS_ROOM, NEEDS_COLUMNS, NO_HISTORY = range(5)
NODE, NODES, EDGES = range(3)

_WORD = 8


class Scratch(NamedTuple):
    """Memory for a position and one that follows it, each a record and its bytes as words."""

    here: np.ndarray
    there: np.ndarray
    here_words: np.ndarray
    there_words: np.ndarray
    mask: np.ndarray
    weights: np.ndarray

    @classmethod
    def of(cls, game: Game, spaces: Spaces) -> Scratch:
        """Zeroed memory for a game under some options."""
        (here, here_words), (there, there_words) = record_and_words(game), record_and_words(game)
        mask, weights = np.zeros(spaces.actions, np.uint8), np.zeros(game.chance.outcomes, np.int64)
        return cls(here, there, here_words, there_words, mask, weights)


class Probe(NamedTuple):
    """The positions of a table, and memory for one thread to find a position among them.

    Attributes:
        rows: the positions, packed.
        values: ``int8[n]`` or, with dice, ``float64[n]``: their values for team 0.
        there: the position to find, an array of one record.
        there_words: the same memory.
        row: ``int64[width]``: the position, packed.
        zeros: ``int64[width]``.
    """

    rows: Rows
    values: np.ndarray
    there: np.ndarray
    there_words: np.ndarray
    row: np.ndarray
    zeros: np.ndarray

    @classmethod
    def of(cls, game: Game, rows: Rows, values: np.ndarray) -> Probe:
        """Memory for the positions of a table."""
        there, words = record_and_words(game)
        row = np.zeros(rows.words.shape[1], np.int64)
        return cls(rows, values, there, words, row, np.zeros_like(row))

    @classmethod
    def empty(cls, game: Game) -> Probe:
        """One of a table without positions."""
        _, base = record_and_words(game)
        values = np.zeros(0, np.float64 if game.chance.outcomes else np.int8)
        return cls.of(game, empty_rows(base, 0, 1), values)


def record_and_words(game: Game) -> tuple[np.ndarray, np.ndarray]:
    """A zeroed record of a game, an array of one, and its bytes as words: the same memory."""
    words = np.zeros(-(-game.state.itemsize // _WORD), np.int64)
    return words.view(np.uint8)[: game.state.itemsize].view(game.state), words


class Edges(NamedTuple):
    """What follows from each position.

    Attributes:
        owner: ``int8[rows]``, the team that acts, :data:`CHANCE` or :data:`OVER`.
        outcome: ``int8[rows]``, of finished games for team 0.
        first: ``int64[rows + 1]``, the first edge of each position.
        targets: ``uint32[edges]``: twice the number of the position that follows, and 1 more if the
            turn is then complete.
        weights: ``int32[edges]``, of outcomes of chance; no elements in games without.
    """

    owner: np.ndarray
    outcome: np.ndarray
    first: np.ndarray
    targets: np.ndarray
    weights: np.ndarray


class SolverLoops(NamedTuple):
    """The loops below, bound to one game."""

    expand: Any
    wander: Any
    find_all: Any
    look_ahead: Any


def expand(
    scratch: Scratch,
    options: np.ndarray,
    rows: Rows,
    zeros: np.ndarray,
    edges: Edges,
    progress: np.ndarray,
    last: int,
    steps: int,
) -> int:
    """Write what follows from each position up to row ``last``, and add what is new to the rows.

    ``progress`` holds the next position, the number of positions and that of edges. Returns
    :data:`DONE` if nothing is left to do, or what keeps it from going on; the next call continues.
    """
    option = options[0]
    here, there, mask, weights = scratch.here, scratch.there, scratch.mask, scratch.weights
    most = max(mask.size, weights.size)
    while progress[NODE] < last and steps > 0:
        steps -= 1
        node, count = progress[NODE], progress[NODES] + most
        if (
            count > edges.owner.size
            or 2 * count > rows.slots.size
            or progress[EDGES] + most > edges.targets.size
        ):
            return NEEDS_ROOM
        unpack(rows.columns[node], rows.base, rows.byte_of, scratch.here_words)
        first = progress[EDGES]
        edges.first[node] = first
        edges.outcome[node] = 0
        code = GOES_ON
        if HAS_CHANCE and chance_weight(here[0], option) > 0:
            edges.owner[node] = CHANCE
            weigh(here[0], option, weights)
            for choice in range(weights.size):
                if weights[choice] and code == GOES_ON:
                    there[0] = here[0]
                    apply_chance(there[0], option, choice)
                    edges.weights[progress[EDGES]] = weights[choice]
                    code = add(scratch, option, rows, zeros, edges, progress)
        elif legal_actions(here[0], option, mask) == 0:
            edges.owner[node] = OVER
            edges.outcome[node] = outcome_for(winning_team(here[0], option), 0)
        else:
            edges.owner[node] = team(to_move(here[0]))
            for choice in range(mask.size):
                if mask[choice] and code == GOES_ON:
                    there[0] = here[0]
                    play(there[0], option, choice)
                    code = add(scratch, option, rows, zeros, edges, progress)
        if code != GOES_ON:
            progress[EDGES] = first
            return code
        progress[NODE] += 1
        edges.first[node + 1] = progress[EDGES]
    return DONE if progress[NODE] == last else GOES_ON


def weigh(state: Any, option: Any, weights: np.ndarray) -> None:
    """Write the weight of each outcome at a chance node."""
    weights[:] = 0
    for number in range(chance_weight(state, option)):
        weights[chance_outcome(state, option, number)] += 1


def add(
    scratch: Scratch,
    option: Any,
    rows: Rows,
    zeros: np.ndarray,
    edges: Edges,
    progress: np.ndarray,
) -> int:
    """Add an edge from one position to the other, and the other if it is new."""
    if has_no_room(scratch.there[0]):
        return NO_HISTORY
    ends_turn = turns(scratch.there[0]) != turns(scratch.here[0])
    forget(scratch.there[0], option)
    count = progress[NODES]
    if not pack(scratch.there_words, rows.base, rows.column_of, rows.columns[count]):
        return NEEDS_COLUMNS
    slot = slot_of(rows.words[count], zeros, rows.words, rows.slots)
    if rows.slots[slot] == 0:
        rows.slots[slot] = count + 1
        progress[NODES] += 1
    edges.targets[progress[EDGES]] = 2 * (wide(rows.slots[slot]) - 1) + wide(ends_turn)
    progress[EDGES] += 1
    return GOES_ON


def wander(
    scratch: Scratch,
    options: np.ndarray,
    start_words: np.ndarray,
    longest: int,
    generators: np.ndarray,
    seen: np.ndarray,
    differences: np.ndarray,
) -> int:
    """Play random games from a start; write hashes of the positions that come up.

    Games are cut off after ``longest`` choices. ``differences`` collects the bits that differ from
    the start. Returns the number of choices that there were, of all positions together.
    """
    option, here, mask = options[0], scratch.here, scratch.mask
    played, choices = longest, 0
    for row in range(seen.size):
        if played == longest:
            played = 0
            for word in range(start_words.size):
                scratch.here_words[word] = start_words[word]
        seen[row] = hash_of(scratch.here_words, start_words)
        for word in range(start_words.size):
            differences[word] |= scratch.here_words[word] ^ start_words[word]
        played += 1
        if HAS_CHANCE and chance_weight(here[0], option) > 0:
            choices += OUTCOMES
            apply_chance(here[0], option, draw_outcome(here[0], option, generators, 0))
        else:
            count = legal_actions(here[0], option, mask)
            choices += count
            if count == 0 or has_no_room(here[0]):
                played = longest
                continue
            rest, action = (random_bits(generators, 0) * count) >> 32, 0
            while mask[action] == 0 or rest > 0:
                rest -= mask[action]
                action += 1
            play(here[0], option, action)
        forget(here[0], option)
    return choices


def find(probe: Probe, option: Any) -> int:
    """The number of the position in ``probe.there``, or :data:`MISSING`."""
    rows, row = probe.rows, probe.row
    forget(probe.there[0], option)
    if not pack(probe.there_words, rows.base, rows.column_of, row.view(np.uint8)):
        return MISSING
    return wide(rows.slots[slot_of(row, probe.zeros, rows.words, rows.slots)]) - 1


def find_all(probe: Probe, options: np.ndarray, states: np.ndarray, found: np.ndarray) -> None:
    """Write the number of each position, or :data:`MISSING`."""
    for number in range(states.size):
        probe.there[0] = states[number]
        found[number] = find(probe, options[0])


def look_ahead(
    probe: Probe,
    options: np.ndarray,
    states: np.ndarray,
    found: np.ndarray,
    completed: np.ndarray,
) -> None:
    """Write the number of the position after each legal action in the first state.

    Other actions get :data:`MISSING`. ``completed`` is 1 where the action completes the turn.
    """
    option = options[0]
    legal_actions(states[0], option, completed)
    for action in range(found.size):
        found[action] = MISSING
        if completed[action]:
            probe.there[0] = states[0]
            play(probe.there[0], option, action)
            completed[action] = turns(probe.there[0]) != turns(states[0])
            found[action] = find(probe, option)


@cache
def solver_loops(game: Game) -> SolverLoops:
    """The loops of a game. The first call for each version of the sources compiles them."""
    helpers = draw_outcome, winning_team, weigh, add, find
    namespace = with_helpers(rules_of(game), game.cache_name, *helpers)
    templates = expand, wander, find_all, look_ahead
    loops = SolverLoops(*(bind(each, game.cache_name, namespace) for each in templates))
    compile_once(f"{game.cache_name}-solver", lambda: _warm_up(game, loops), loops)
    return loops


def empty_edges(rows: int, edges: int, has_chance: bool) -> Edges:
    """Room for the edges of a number of rows."""
    return Edges(
        np.zeros(rows, np.int8),
        np.zeros(rows, np.int8),
        np.zeros(rows + 1, np.int64),
        np.zeros(edges, np.uint32),
        np.zeros(edges * has_chance, np.int32),
    )


def _warm_up(game: Game, loops: SolverLoops) -> None:
    """Run every loop once with the types that are in use."""
    options = options_array(game, {})
    scratch = Scratch.of(game, game.spaces(options[0]))
    loops_of(game, "positions").restart(scratch.here, options)
    base, states = scratch.here_words.copy(), scratch.here.copy()
    rows, edges = empty_rows(base, 1, 2), empty_edges(1, 1, game.chance.outcomes > 0)
    zeros, row = np.zeros(1, np.int64), np.zeros(1, np.int64)
    loops.expand(scratch, options, rows, zeros, edges, np.array([0, 1, 0]), 1, 1)
    generators = np.zeros(1, np.uint64)
    loops.wander(scratch, options, base, 1, generators, row.copy(), np.zeros_like(base))
    probe, found = Probe.empty(game), np.zeros(1, np.int64)
    loops.find_all(probe, options, states, found)
    loops.look_ahead(probe, options, states, found, scratch.mask)
