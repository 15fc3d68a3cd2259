"""Records of the games of a batch, written almost as fast as they are played."""

from __future__ import annotations

from array import array
from os import PathLike
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pasgl_env.contract.base import reaches_limit
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.loops import NOTHING, loops_of
from pasgl_env.engine.position import Position
from pasgl_env.engine.sharing import Copyable, alone
from pasgl_env.jit.compiled import rule
from pasgl_env.records.binary import StoredGame, heading_of
from pasgl_env.records.files import RecordWriter
from pasgl_env.records.game import BY_THE_RULES, NO_ROOM, TURN_LIMIT

_ROWS = 256
_ENDINGS = 32
_NOT_OVER = -2
_NOT_PLAYED = 2**16 - 1  # no action of any variant


class BatchRecorder:
    """Steps a batch, and writes every game that ends to a file.

    Games that had begun before it was made are left out. Writing ``.pgb`` files takes hardly any
    time; text needs labels, which take far longer than play.

    >>> import pathlib, tempfile
    >>> from pasgl_env.records import read_records
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "games.pgb"
    >>> batch = Batch("pachessi", 8, seed=1, turn_limit=20)
    >>> with BatchRecorder(batch, file, players=("random", "random")) as recorder:
    ...     while recorder.games < 10:
    ...         recorder.step(batch.sample())
    >>> next(read_records(file)).termination
    'turn limit'

    Args:
        batch: the batch; make all its steps through this object.
        file: a path, whose suffix gives the format; see :func:`pasgl_env.records.write_records`.
        players: the name of the player in each seat; ``()`` for no names.
        append: whether to append to an existing file.
        overwrite: whether to replace an existing file.

    Raises:
        OSError: if the file cannot be written, or exists and neither ``append`` nor ``overwrite``
            is set.
        ValueError: if its name has no known suffix, or there is not one player for each seat.
    """

    def __init__(
        self,
        batch: Batch,
        file: str | PathLike[str],
        *,
        players: tuple[str | None, ...] = (),
        append: bool = False,
        overwrite: bool = False,
    ) -> None:
        if len(players) not in (0, batch.num_players):
            raise ValueError(f"players must be {batch.num_players} names, not {players!r}")
        self._log = BatchLog(batch)
        self._heading = heading_of(batch.ruleset, players)
        self._writer = RecordWriter(file, append=append, overwrite=overwrite)

    @property
    def games(self) -> int:
        """Number of finished games; they are written in groups, so some may still wait."""
        return self._writer.games

    def step(self, actions: ArrayLike) -> None:
        """Step the batch, as :meth:`pasgl_env.Batch.step` does.

        Raises:
            IllegalMove, ValueError: as there and as :meth:`BatchLog.step_some`.
            OSError: if games cannot be written; they are pending, as in a :class:`RecordWriter`,
                and the file still holds only whole games.
        """
        self._write(self._log.step(actions))

    def step_some(self, games: ArrayLike, actions: ArrayLike) -> None:
        """Step some games, as :meth:`pasgl_env.Batch.step_some` does; raises as above."""
        self._write(self._log.step_some(games, actions))

    def close(self) -> None:
        """Write the games that have ended, and close the file; unfinished games are left out.

        The file stays open if they cannot be written.
        """
        self._write(self._log.rest())
        self._writer.close()

    def __enter__(self) -> BatchRecorder:
        return self

    def __exit__(self, *error: object) -> None:
        with self._writer:
            self._write(self._log.rest())

    def _write(self, ended: list[tuple[int, StoredGame]]) -> None:
        if ended:
            self._writer.write_stored(self._heading, [game for _, game in ended])


class BatchLog(Copyable):
    """Keeps the actions of a batch's games until the games end.

    The last steps are rows of a block, so that a step takes one write for all games; a full block
    is distributed to the games. Finished games are converted several at a time: right after a step,
    the data that this needs is not in the processor's caches.

    Args:
        batch: the batch.
        starts: whether to keep the position texts of unusual starts, which must then be exact.
    """

    _derived = frozenset({"_loops"})

    def __init__(self, batch: Batch, *, starts: bool = True) -> None:
        self._batch, self._keeps_starts = batch, starts
        self._game = batch.ruleset.game
        self._options = batch.options_record
        self._mask = np.zeros(batch.num_actions, np.uint8)  # scratch memory
        self._usual = Position(batch.ruleset).state.view(np.uint8)
        self._all = np.arange(len(batch))
        self._block = np.empty((_ROWS, len(batch)), np.uint16)
        self._row = 0
        self._begun = np.zeros(len(batch), np.int64)  # the row of a game's first action
        self._earlier = [array("H") for _ in range(len(batch))]  # actions in earlier blocks
        self._length = batch.length.copy()
        self._is_whole = np.zeros(len(batch), np.bool_)  # seen from its start
        self._dice = batch.first_dice.copy()
        self._endings: list[_Ending] = []
        self._noted = np.zeros(len(batch), np.int64)  # scratch memory for indices
        # Games with an unusual start, with their first states and position texts.
        self._is_odd = np.zeros(len(batch), np.bool_)
        self._starts: dict[int, tuple[bytes, str]] = {}
        self._open()

    def _open(self) -> None:
        self._loops = loops_of(self._game, "positions")

    def step(self, actions: ArrayLike) -> list[tuple[int, StoredGame]]:
        """Step all games; see :meth:`step_some`."""
        return self.step_some(self._all, actions)

    @alone
    def step_some(self, games: ArrayLike, actions: ArrayLike) -> list[tuple[int, StoredGame]]:
        """Step the batch.

        Returns:
            Games that ended in this step or earlier, each with its index; those of one index are
            in order. :meth:`rest` returns the remaining ones.

        Raises:
            ValueError: if a game was stepped elsewhere, its dice were reseeded in mid-game, or it
                began where no position text is exact: in mid-turn, or with a history.
        """
        batch = self._batch
        self._look_at_beginnings()
        batch.step_some(games, actions)
        played, chosen = np.asarray(games, np.int64), np.asarray(actions, np.int64)
        row = self._block[self._row]
        self._row += 1
        if _write_down(row, self._length, played, chosen, batch.terminated, batch.truncated):
            self._end(batch.ended)
        if self._row < _ROWS and len(self._endings) < _ENDINGS:
            return []
        ready = self.rest()
        if self._row == _ROWS:
            self._hand_out()
        return ready

    def rest(self) -> list[tuple[int, StoredGame]]:
        """The games that have ended and were not returned yet."""
        ready = [(ending.game, self._stored(ending)) for ending in self._endings]
        self._endings.clear()
        return ready

    def _look_at_beginnings(self) -> None:
        """Note the starts of games without actions, and check that the others are unchanged."""
        batch = self._batch
        noted, touched = _look_over(
            self._row,
            self._game.chance.outcomes > 0,
            self._begun,
            self._length,
            self._is_whole,
            self._is_odd,
            self._dice,
            batch.length,
            batch.first_dice,
            batch.first_states.view(np.uint8).reshape(len(batch), -1),
            self._usual,
            self._noted,
        )
        if touched >= 0:
            raise ValueError(
                f"game {touched} cannot be recorded: it was stepped, or its dice were reseeded,"
                " elsewhere after it began"
            )
        for game in self._noted[:noted].tolist():
            self._earlier[game] = array("H")
            if self._is_odd[game] and self._keeps_starts:
                self._note_start(game)

    def _note_start(self, game: int) -> None:
        state = self._batch.first_states[game].tobytes()
        # A game that waits for its first action is checked in every step.
        if self._starts.get(game, (b"", ""))[0] != state:
            self._starts[game] = state, self._start_text(game)

    def _start_text(self, game: int) -> str:
        batch = self._batch
        state = batch.first_states[game]
        if not self._game.in_turn(state):
            text = self._game.texts.write(state, self._options[0])
            if Position.from_text(batch.ruleset, text).state[0] == state:
                return text
        raise ValueError(
            f"game {game} cannot be recorded: it begins within a turn or with a history, where no"
            " position text is exact"
        )

    def _hand_out(self) -> None:
        """Distribute the block's actions to the games, and start the block again."""
        for game, begun in enumerate(self._begun):
            _extend(self._earlier[game], self._block[begun:, game])
        self._begun[:] = self._row = 0

    def _end(self, ended: np.ndarray) -> None:
        """Note where games ended, for those seen from their start."""
        states = self._batch.final_states
        self._endings += [
            _Ending(
                game,
                self._earlier[game],
                self._block[self._begun[game] : self._row, game],
                int(self._dice[game]),
                self._starts[game][1] if self._is_odd[game] and self._keeps_starts else None,
                states[row : row + 1],
            )
            for row, game in enumerate(ended.tolist())
            if self._is_whole[game]
        ]
        for game in ended.tolist():
            self._earlier[game] = array("H")
        self._begun[ended] = self._row  # so that a full block is not distributed to them again
        self._length[ended] = 0
        self._is_whole[ended] = False

    def _stored(self, ending: _Ending) -> StoredGame:
        choices = ending.earlier[:]  # a copy: after an interrupt this is called again
        _extend(choices, ending.column)
        _, _, best, _, turns = self._loops.advance(
            ending.states, self._options, NOTHING, self._mask
        )
        limited = reaches_limit(self._options["turn_limit"][0], turns)
        cut_by = TURN_LIMIT if limited else NO_ROOM
        has_dice = self._game.chance.outcomes > 0
        return StoredGame(
            choices,
            ending.dice if has_dice else None,
            has_dice,
            cut_by if best == _NOT_OVER else BY_THE_RULES,
            int(self._batch.teams[best]) if best >= 0 else -1,
            {} if ending.start is None else {"start": ending.start},
        )


class _Ending(NamedTuple):
    """A game that has ended."""

    game: int
    earlier: array[int]
    column: np.ndarray  # its actions in the block
    dice: int
    start: str | None
    states: np.ndarray  # the last state, an array of one record


def _extend(actions: array[int], column: np.ndarray) -> None:
    actions.frombytes(column[column != _NOT_PLAYED].tobytes())


@rule
def _look_over(
    row: int,
    has_dice: bool,
    begun: np.ndarray,
    length: np.ndarray,
    is_whole: np.ndarray,
    is_odd: np.ndarray,
    dice: np.ndarray,
    now_length: np.ndarray,
    now_dice: np.ndarray,
    first_states: np.ndarray,
    usual: np.ndarray,
    noted: np.ndarray,
) -> tuple[int, int]:
    """Register games without actions.

    Returns how many of their indices are in ``noted``: those with an unusual start, and those that
    replaced an unfinished game. Also returns a game that was changed elsewhere, or -1.
    """
    count = 0
    for game in range(length.size):
        if now_length[game] > 0:
            rerolled = has_dice and now_dice[game] != dice[game]
            if is_whole[game] and (rerolled or now_length[game] != length[game]):
                return count, game
            continue
        byte = 0
        while byte < usual.size and first_states[game, byte] == usual[byte]:
            byte += 1
        is_odd[game] = byte < usual.size
        if is_odd[game] or length[game] > 0:
            noted[count] = game
            count += 1
        begun[game] = row
        length[game] = 0
        is_whole[game] = True
        dice[game] = now_dice[game]
    return count, -1


@rule
def _write_down(
    row: np.ndarray,
    length: np.ndarray,
    games: np.ndarray,
    actions: np.ndarray,
    terminated: np.ndarray,
    truncated: np.ndarray,
) -> int:
    """Write the actions of a step into a row; return the number of games that ended."""
    for game in range(row.size):
        row[game] = _NOT_PLAYED
    ended = 0
    for turn in range(games.size):
        game = games[turn]
        row[game] = actions[turn]
        length[game] += 1
        ended += terminated[game] or truncated[game]
    return ended
