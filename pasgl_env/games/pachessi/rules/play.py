"""The effects of an action of Pachessi: moving, entering, bearing off, and the end of a roll."""

from __future__ import annotations

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.games.pachessi.rules.board import PIECES, holds, laps_gained, place_of_cell
from pasgl_env.games.pachessi.rules.legal import PLANES
from pasgl_env.games.pachessi.rules.state import (
    CHOICE,
    FIRST_ROLL,
    GRACE,
    OFF,
    PLAYERS,
    TAKEN,
    corner_of,
    home_of,
    lift,
    piece_on,
    put,
)
from pasgl_env.jit.compiled import rule, wide


@rule
def play(state: State, options: OptionsRecord, action: int) -> None:
    """Carry out a legal action, with the end of the roll, of the turn or of the game."""
    cells = (options.last + 1) * (options.last + 1)
    player = wide(state.mover)
    if state.roll == CHOICE:
        begin(state, action == 0)
        return
    if action == PLANES * cells:
        state.dice[:] = 0
    else:
        plane, cell = action // cells, action % cells
        target = place_of_cell(options, corner_of(options, player), cell)
        bring(state, options, player, plane % PIECES, target)
        remove_die(state, plane // PIECES)
        if has_all_off(state, options, player):
            state.over = 1
            if state.dice[0] == 0:
                state.captured = 0
            return
    if state.dice[0] == 0:
        end_roll(state, options)


@rule
def begin(state: State, is_own: bool) -> None:
    """Let the player who chooses begin, or the other one of the team (Ruling 4)."""
    state.roll = FIRST_ROLL
    if not is_own:
        state.mover = (wide(state.mover) + PLAYERS // 2) % PLAYERS


@rule
def remove_die(state: State, die: int) -> None:
    """Take the lower (0) or the higher die from the table."""
    if die == 0:
        state.dice[0] = state.dice[1]
    state.dice[1] = 0


@rule
def bring(state: State, options: OptionsRecord, player: int, kind: int, target: int) -> None:
    """Move a piece to a square, enter it there, or bear it off from there."""
    piece = PIECES * player + kind
    origin = wide(state.place[piece])
    if origin == target:
        lift(state, piece, OFF)
        state.laps[piece] = 0
        return
    if holds(state.occupied, target):
        capture(state, options, player, target)
    if origin != TAKEN:
        home = home_of(options, player, kind)
        state.laps[piece] = wide(state.laps[piece]) + laps_gained(options, home, origin, target)
        lift(state, piece, TAKEN)
    put(state, piece, target)


@rule
def capture(state: State, options: OptionsRecord, player: int, place: int) -> None:
    """Take the piece on a square; it earns a grace die (Ruling 3) unless it is the player's own."""
    taken = piece_on(state, place)
    lift(state, taken, TAKEN)
    state.laps[taken] = 0
    if options.grace and taken // PIECES != player:
        state.captured = 1


@rule
def has_all_off(state: State, options: OptionsRecord, player: int) -> bool:
    """Whether a player has borne off every piece."""
    for kind in range(options.kinds):
        if state.place[PIECES * player + kind] != OFF:
            return False
    return True


@rule
def end_roll(state: State, options: OptionsRecord) -> None:
    """A grace die is due after a roll with captures (Ruling 2); otherwise the next turn begins."""
    if state.captured:
        state.roll = GRACE
        state.captured = 0
        return
    state.roll = FIRST_ROLL
    state.mover = (wide(state.mover) + 1) % options.number
    state.turn_count += 1
