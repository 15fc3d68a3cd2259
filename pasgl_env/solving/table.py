"""Tables of solved positions: probing, files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pasgl_env.contract import variants
from pasgl_env.contract.game import brief
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.batch import read_only
from pasgl_env.engine.position import Position
from pasgl_env.jit.compiled import wrapping
from pasgl_env.solving.loops import MISSING, Probe, solver_loops
from pasgl_env.solving.retrograde import NO_END
from pasgl_env.solving.rows import empty_rows, indexed, unpack, with_columns
from pasgl_env.storage.arrays import packed, unpacked
from pasgl_env.storage.files import write_whole

FORMAT = "pasgl_env table 1"
_ARRAYS = "about start bytes positions values turns errors".split()


class Exact(NamedTuple):
    """What a position is worth under best play of all.

    Attributes:
        returns: the expected result of each player, from -1 to 1.
        turns: the turns to be completed until the end of the game, if one team can force a win:
            the winners hurry, the losers do not; None otherwise, and in games with dice.
        error: the largest possible error of the returns.
    """

    returns: tuple[float, ...]
    turns: int | None
    error: float


class ValueTable:
    """The values of all positions that can be reached from one.

    >>> from pasgl_env import solve
    >>> solve("chieftain", setup="c3/4/4/3C")
    <ValueTable of chieftain: 512 positions from 'c3/4/4/3C w 0 0'>

    Attributes:
        ruleset: the variant under its options.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        start: np.ndarray,
        bytes_: np.ndarray,
        positions: np.ndarray,
        values: np.ndarray,
        turns: np.ndarray,
        errors: np.ndarray,
    ) -> None:
        self.ruleset, self._values, self._turns, self._errors = ruleset, values, turns, errors
        rows = with_columns(empty_rows(start, 1, 1), bytes_.tolist())
        self._rows = indexed(
            rows._replace(words=positions, columns=positions.view(np.uint8)),
            len(positions),
            len(positions),
        )
        self._loops = solver_loops(ruleset.game)

    @property
    def values(self) -> np.ndarray:
        """The expected result of each position for team 0.

        ``int8[n]`` or, with dice, ``float64[n]``; read-only, as are the other arrays.
        """
        return read_only(self._values)

    @property
    def turns(self) -> np.ndarray:
        """``int32[n]``: the turns until the end; no elements with dice.

        :data:`NO_END` if neither team can force a win.
        """
        return read_only(self._turns)

    @property
    def errors(self) -> np.ndarray:
        """``float32[n]`` with dice: the largest possible errors of the values.

        Otherwise no elements, as values are exact.
        """
        return read_only(self._errors)

    @classmethod
    def of(cls, table: str | Path | ValueTable) -> ValueTable:
        """A table, or the one in a file, as :meth:`load` reads it."""
        return table if isinstance(table, ValueTable) else cls.load(table)

    def __deepcopy__(self, memo: Any) -> ValueTable:
        return self  # tables are never written to

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        start = self.position(0).text
        return f"<ValueTable of {self.ruleset.name}: {len(self):,} positions from {start!r}>"

    @cached_property
    def nbytes(self) -> int:
        """The size in memory, in bytes."""
        arrays = self._rows.words, self._rows.slots, self.values, self.turns, self.errors
        return sum(array.nbytes for array in arrays)

    def find(self, states: np.ndarray) -> np.ndarray:
        """The numbers of positions, for :attr:`values`, ``turns`` and :attr:`errors`.

        Args:
            states: records ``[k]`` of the variant's state, such as :attr:`pasgl_env.Batch.states`.

        Returns:
            ``int64[k]``, :data:`MISSING` for those that are not in the table.
        """
        found = np.empty(states.size, np.int64)
        with wrapping():
            self._loops.find_all(self.probe(), self.ruleset.record, states, found)
        return found

    def value(self, position: Position) -> Exact | None:
        """What a position is worth; None if it is not in the table.

        >>> from pasgl_env import Position, solve
        >>> table = solve("chieftain", setup="c3/4/4/3C")
        >>> table.value(Position.from_text(table.ruleset, "4/4/2c1/3C w 0 0"))
        Exact(returns=(1.0, -1.0), turns=1, error=0.0)

        Raises:
            ValueError: if the position is of other rules; names the option.
        """
        self.check(position.ruleset)
        number = int(self.find(position.state)[0])
        return None if number == MISSING else self.exact(number)

    def exact(self, number: int) -> Exact:
        """What the position of a number is worth; ``IndexError`` if there is none."""
        if not 0 <= number < self.values.size:
            raise IndexError(
                f"positions have numbers from 0 to {self.values.size - 1}, not {number}"
            )
        value = float(self.values[number])
        returns = tuple(value if team == 0 else 0.0 - value for team in self.ruleset.teams)
        turns = int(self.turns[number]) if self.turns.size else NO_END
        error = float(self.errors[number]) if self.errors.size else 0.0
        return Exact(returns, None if turns == NO_END else turns, error)

    def choices(self, position: Position) -> list[tuple[int, Exact]]:
        """What follows from a position of the table, the best for the player to act first.

        Returns:
            The legal actions, or at a chance node the outcomes, with what the positions after them
            are worth. Players who win hurry, those who lose do not.

        Raises:
            ValueError: if the position is of other rules, or not in the table.
        """
        if self.value(position) is None:
            raise ValueError(f"the table does not have the position {position.text!r}")
        player, found = max(position.to_move or 0, 0), []
        for action in position.legal_actions():
            after = position.copy().play_action(action)
            exact = self.exact(int(self.find(after.state)[0]))
            result = exact.returns[player]
            turns = (exact.turns or 0) + (after.turns != position.turns)
            found.append((-result, turns * result, action, exact))
        return [(action, exact) for *_, action, exact in sorted(found)]

    def follow(self, state: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The positions after each action in a state, an array of one record.

        Returns:
            ``int64[A]``: the number after each legal action, or :data:`MISSING`. ``uint8[A]``:
            whether the action completes the turn.
        """
        found = np.empty(self.ruleset.spaces.actions, np.int64)
        completed = np.zeros(found.size, np.uint8)
        with wrapping():
            self._loops.look_ahead(self.probe(), self.ruleset.record, state, found, completed)
        return found, completed

    def position(self, number: int) -> Position:
        """The position of a number, from 0, which is the start; turns are not counted."""
        rows, probe = self._rows, self.probe()
        with wrapping():
            unpack(rows.columns[number], rows.base, rows.byte_of, probe.there_words)
        return Position.from_state(self.ruleset, probe.there)

    def probe(self) -> Probe:
        """The positions and values for compiled code, with memory for one thread."""
        # Not the read-only view, for which the loops would be compiled once more.
        return Probe.of(self.ruleset.game, self._rows, self._values)

    def check(self, ruleset: Ruleset) -> None:
        """Raise ``ValueError`` if the table is of other rules."""
        self.check_variant(ruleset.name)
        for name, value in self.ruleset.differing(ruleset).items():
            raise ValueError(
                f"the table was made with {name}={value}, but this game has"
                f" {name}={ruleset.options[name]}"
            )

    def covers(self, ruleset: Ruleset) -> bool:
        """Whether the table is of these rules; the turn limit does not matter."""
        return ruleset.name == self.ruleset.name and not self.ruleset.differing(ruleset)

    def check_variant(self, name: str) -> None:
        """Raise ``ValueError`` if the table is of another variant."""
        if name != self.ruleset.name:
            raise ValueError(f"this is a table of {self.ruleset.name}, not of {name}")

    def save(self, file: str | Path) -> None:
        """Write the table into a file, whole or not at all.

        The file is an ``.npz`` archive; see docs/exact_values.md for what is in it.

        Raises:
            OSError: if it cannot be written.
        """
        arrays = {
            "start": self._rows.base,
            "bytes": self._rows.byte_of[self._rows.byte_of >= 0],
            # Column by column, which compresses better.
            "positions": np.ascontiguousarray(self._rows.columns.T),
            "values": self.values,
            "turns": self.turns,
            "errors": self.errors,
        }
        about = {
            "format": FORMAT,
            "variant": self.ruleset.name,
            "options": dict(self.ruleset.options),
            "sha256": _checksum(arrays),
        }
        content = json.dumps(about).encode()
        write_whole(Path(file), packed({"about": np.frombuffer(content, np.uint8), **arrays}))

    @classmethod
    def load(cls, file: str | Path) -> ValueTable:
        """Read a table that :meth:`save` wrote; nothing in the file is executed.

        Raises:
            OSError: if it cannot be read.
            ValueError: if it is not a table, or damaged.
        """
        content = Path(file).read_bytes()
        try:
            arrays = unpacked(content, _ARRAYS)
            about = json.loads(arrays.pop("about").tobytes())
            if about["format"] != FORMAT or about["sha256"] != _checksum(arrays):
                raise ValueError("its checksum is wrong")
            ruleset = variants.ruleset(about["variant"], **about["options"])
            return _made(cls, ruleset, arrays)
        except Exception as error:  # any: the file may hold anything
            raise ValueError(f"{file} is not a table of positions, or damaged: {error}") from error


def _made(cls: type[ValueTable], ruleset: Ruleset, arrays: Mapping[str, np.ndarray]) -> ValueTable:
    """A table of a file's arrays; ``ValueError`` if they do not go together."""
    columns, values = np.ascontiguousarray(arrays["positions"].T), arrays["values"]
    size = 8 * (-(-ruleset.game.state.itemsize // 8))
    has_dice = ruleset.game.chance.outcomes > 0
    turns, errors = (0, len(values)) if has_dice else (len(values), 0)
    expected: dict[str, Any] = {
        "start": (np.int64, (size // 8,)),
        "bytes": (np.int64, arrays["bytes"].shape[:1]),
        "positions": (np.uint8, (max(8, -(-len(arrays["bytes"]) // 8) * 8), len(values))),
        "values": (np.float64 if has_dice else np.int8, (len(values),)),
        "turns": (np.int32, (turns,)),
        "errors": (np.float32, (errors,)),
    }
    for name, (dtype, shape) in expected.items():
        if arrays[name].dtype != dtype or arrays[name].shape != shape:
            raise ValueError(f"{name} must be {np.dtype(dtype)} of shape {shape}")
    bytes_ = arrays["bytes"]
    if bytes_.size and (bytes_.min() < 0 or bytes_.max() >= size):
        raise ValueError(f"bytes must be from 0 to {size - 1}, not {brief(bytes_.tolist())}")
    return cls(
        ruleset, arrays["start"], bytes_, columns.view(np.int64), values,
        arrays["turns"], arrays["errors"],
    )  # fmt: skip


def _checksum(arrays: Mapping[str, np.ndarray]) -> str:
    digest = hashlib.sha256()
    for name in _ARRAYS[1:]:
        digest.update(np.ascontiguousarray(arrays[name]).data)
    return digest.hexdigest()
