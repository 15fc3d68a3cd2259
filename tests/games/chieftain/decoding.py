"""The observation of Chieftain, decoded from what the table of planes says."""

from __future__ import annotations

import numpy as np

from pasgl_env import Position
from pasgl_env.games.chieftain import CHIEFTAIN

from .positions import FILES

# The table, in its order.
(
    OWN,
    ENEMY,
    MOVED,
    LEFT,
    ACTIVE,
    COMMAND,
    MOVES,
    ORIGIN,
    TARGET,
    COMMANDERS,
    BLACK,
    TO_ACT,
    PASSED,
) = (slice(plane.first, plane.first + plane.length) for plane in CHIEFTAIN.planes)

LETTERS = "CHSNMBR"


def flag(plane: np.ndarray) -> bool:
    assert plane.min() == plane.max()
    return bool(plane.max())


def number(planes: np.ndarray) -> int:
    return sum(flag(plane) << bit for bit, plane in enumerate(planes))


class Decoded:
    """What an observation says, by the names of squares."""

    def __init__(self, observation: np.ndarray):
        _, self.ranks, self.files = observation.shape
        self.player = int(flag(observation[BLACK]))
        self.mover = self.player if flag(observation[TO_ACT]) else 1 - self.player
        self.passed = flag(observation[PASSED])
        self.pieces: dict[str, str] = {}
        for plane, letter in enumerate(2 * LETTERS):
            for name in self._names(observation[plane]):
                # A Leader is shown as a Chieftain and as a Man.
                shown = "L" if self.pieces.get(name, "") in ("C", "c") else letter
                self.pieces[name] = shown if self._side(plane) == 0 else shown.lower()
        (moved,), (active,), (command,) = (observation[run] for run in (MOVED, ACTIVE, COMMAND))
        self.moved, self.active, self.command = map(self._names, (moved, active, command))
        self.left = {
            name: sum((name in self._names(plane)) << bit for bit, plane in enumerate(planes))
            for planes in (observation[LEFT],)
            for name in set().union(*map(self._names, planes))
        }
        self.moves = number(observation[MOVES])
        (origin,), (target,), (able,) = (observation[run] for run in (ORIGIN, TARGET, COMMANDERS))
        self.origin, self.target, self.commanders = map(self._names, (origin, target, able))

    def _side(self, plane: int) -> int:
        return self.player if plane < OWN.stop else 1 - self.player

    def _names(self, plane: np.ndarray) -> set[str]:
        return {self._name(row, column) for row, column in np.argwhere(plane).tolist()}

    def _name(self, row: int, column: int) -> str:
        rank = self.ranks - 1 - row if self.player else row
        return f"{FILES[column]}{rank + 1}"


def name_of(cell: int) -> str:
    rank, file = divmod(int(cell), 32)
    return f"{FILES[file - 4]}{rank - 3}"


def names_of(rows: np.ndarray) -> set[str]:
    """The squares of sets of files, one for each rank."""
    return {
        f"{FILES[file]}{rank + 1}"
        for rank, files in enumerate(rows.tolist())
        for file in range(24)
        if files >> file & 1
    }


def check(position: Position, player: int) -> Decoded:
    """Decode what a player sees of a position, and compare it with the state, field by field."""
    seen, state = Decoded(position.observation(player)), position.state[0]
    assert (seen.player, seen.mover) == (player, state.mover)
    assert seen.passed == bool(state.pass_count)
    cells = np.flatnonzero(state.board & 0x0F != 0).tolist()
    letters = {**dict(enumerate(LETTERS, 1)), 9: "L"}
    held = {name_of(cell): letters[int(state.board[cell] & 0x0F)] for cell in cells}
    assert seen.pieces == {
        name: letter if state.board[cell] & 0x10 else letter.lower()
        for cell, (name, letter) in zip(cells, held.items(), strict=True)
    }
    assert seen.moved == names_of(state.moved)
    assert seen.command == names_of(state.command)
    own = state.chieftain_cell[state.mover, : state.chieftains[state.mover]]
    left = {name_of(cell): int(state.left[i]) for i, cell in enumerate(own) if state.left[i]}
    assert seen.left == left
    assert seen.active == set(left)
    first = position.options["first_turn_orders"] if state.turn_count == 0 else 0
    limit = first - int(state.move_count) if first else sum(left.values())
    assert seen.moves == min(sum(left.values()), limit, 31)
    assert seen.origin == ({name_of(state.origin)} if state.origin else set())
    assert seen.target == ({name_of(state.target)} if state.origin else set())
    answers = position.legal_moves() if state.origin else []
    assert seen.commanders == {answer.removeprefix("by ") for answer in answers}
    return seen
