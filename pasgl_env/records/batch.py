"""Records of games that are played many at once, at the speed at which they are played."""

from __future__ import annotations

from array import array
from os import PathLike
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pasgl_env import variants
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.loops import loops_of
from pasgl_env.engine.position import Position
from pasgl_env.records.binary import Heading, StoredGame
from pasgl_env.records.files import RecordWriter
from pasgl_env.records.game import BY_THE_RULES, NO_ROOM, TURN_LIMIT, changed_options

_ROWS = 256
_ENDINGS = 32
_NOT_OVER = -2
_NOT_PLAYED = 2**16 - 1  # no action of any variant


class BatchRecorder:
    """Steps a batch, and writes every game that ends to a file.

    Games that were under way when it was made are left out. Names in ``.pgb`` take hardly any time;
    text has to be made of labels, which is far slower than play.

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
        batch: all whose steps are to be made through this.
        file: a path; its end says in which form; see :func:`pasgl_env.records.write_records`.
        players: the name of who has each seat; ``()`` if nobody is to be named.
        append: whether to add to a file that exists.
        overwrite: whether to replace one.

    Raises:
        OSError: if the file cannot be written, or exists and neither of the two is asked for.
        ValueError: if its name has no known end, or players are not one for each seat.
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
        self._heading = heading_of(batch, players)
        self._writer = RecordWriter(file, append=append, overwrite=overwrite)

    @property
    def games(self) -> int:
        """How many games have been written; some wait until a number of them has ended."""
        return self._writer.games

    def step(self, actions: ArrayLike) -> None:
        """Step the batch, as :meth:`pasgl_env.Batch.step` does.

        Raises:
            IllegalMove, ValueError: as there; and as :meth:`BatchLog.step_some`.
            OSError: if a game cannot be written; what has been written is whole then.
        """
        self._write(self._log.step(actions))

    def step_some(self, games: ArrayLike, actions: ArrayLike) -> None:
        """Step some games, as :meth:`pasgl_env.Batch.step_some` does; errors as above."""
        self._write(self._log.step_some(games, actions))

    def close(self) -> None:
        """Write the games that have ended, and close the file; the others are left out."""
        try:
            self._write(self._log.rest())
        finally:
            self._writer.close()

    def __enter__(self) -> BatchRecorder:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _write(self, ended: list[tuple[int, StoredGame]]) -> None:
        if ended:
            self._writer.write_stored(self._heading, [game for _, game in ended])


class BatchLog:
    """Remembers the actions of a batch's games until they have ended.

    The last steps are rows of a block, which takes one write for all games; a full block is handed
    out to the games. Games that ended are made ready some at a time: right after a step nothing
    that this needs is in the processor's caches.
    """

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._game = variants.find(batch.variant)
        self._loops = loops_of(self._game)
        self._options = batch.options_record
        self._mask = np.zeros(batch.num_actions, np.uint8)  # room to work in
        self._usual = Position(batch.variant, **batch.options).state.view(np.uint8)
        self._all = np.arange(len(batch))
        self._block = np.empty((_ROWS, len(batch)), np.uint16)
        self._row = 0
        self._begun = np.zeros(len(batch), np.int64)  # the row of a game's first action
        self._earlier = [array("H") for _ in range(len(batch))]  # what blocks before had
        self._length = batch.length.copy()
        self._is_whole = np.zeros(len(batch), np.bool_)  # seen from its beginning
        self._dice = batch.first_dice.copy()
        self._endings: list[_Ending] = []
        self._starts: dict[int, str] = {}  # texts of games that did not begin as usual

    def step(self, actions: ArrayLike) -> list[tuple[int, StoredGame]]:
        """Step all games; see :meth:`step_some`."""
        return self.step_some(self._all, actions)

    def step_some(self, games: ArrayLike, actions: ArrayLike) -> list[tuple[int, StoredGame]]:
        """Step the batch.

        Returns:
            Games that ended, in this step or before, each with its index; those of an index in
            order. :meth:`rest` gives the others.

        Raises:
            ValueError: if a game was stepped otherwise, its dice were reseeded in mid-game, or it
                began where no position text is exact: in mid-turn, or with a history.
        """
        batch = self._batch
        begun = np.flatnonzero(batch.length == 0)
        if begun.size:
            self._begin(begun)
        self._check_untouched()
        batch.step_some(games, actions)
        row = self._block[self._row]
        row[:] = _NOT_PLAYED
        row[games] = actions
        self._length += row != _NOT_PLAYED
        self._row += 1
        ended = batch.ended
        if ended.size:
            self._end(ended)
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

    def _begin(self, games: np.ndarray) -> None:
        """Note how games begin that have had no action yet."""
        self._length[games] = 0
        self._begun[games] = self._row
        self._is_whole[games] = True
        self._dice[games] = self._batch.first_dice[games]
        states = self._batch.first_states.view(np.uint8).reshape(len(self._batch), -1)
        is_usual = (states[games] == self._usual).all(axis=1)
        for game, usual in zip(games.tolist(), is_usual, strict=True):
            self._earlier[game] = array("H")
            self._starts.pop(game, None)
            if not usual:
                self._starts[game] = self._start_text(game)

    def _start_text(self, game: int) -> str:
        batch = self._batch
        state = batch.first_states[game]
        if not self._game.in_turn(state):
            text = self._game.write(state, self._options[0])
            position = Position.from_text(batch.variant, text, **batch.options)
            if position.state[0] == state:
                return text
        raise ValueError(
            f"game {game} cannot be recorded: it begins in mid-turn or with a history, where no"
            " position text is exact"
        )

    def _check_untouched(self) -> None:
        changed = self._length != self._batch.length
        if self._game.outcomes:
            changed |= self._dice != self._batch.first_dice
        changed &= self._is_whole
        if changed.any():
            raise ValueError(
                f"game {changed.argmax()} cannot be recorded: it was stepped or its dice were"
                " reseeded elsewhere after it had begun"
            )

    def _hand_out(self) -> None:
        """Give the games what the block has of them, and begin it anew."""
        for game, begun in enumerate(self._begun):
            _extend(self._earlier[game], self._block[begun:, game])
        self._begun[:] = self._row = 0

    def _end(self, ended: np.ndarray) -> None:
        """Note where games have ended, those that were seen from their beginning."""
        states = self._batch.final_states
        self._endings += [
            _Ending(
                game,
                self._earlier[game],
                self._block[self._begun[game] : self._row, game],
                int(self._dice[game]),
                self._starts.get(game),
                states[row : row + 1],
            )
            for row, game in enumerate(ended.tolist())
            if self._is_whole[game]
        ]
        self._length[ended] = 0
        self._is_whole[ended] = False

    def _stored(self, ending: _Ending) -> StoredGame:
        _extend(ending.earlier, ending.column)
        _, _, best, _, turns = self._loops.look(ending.states, self._options, self._mask)
        limited = 0 < self._options["turn_limit"][0] <= turns
        cut_by = TURN_LIMIT if limited else NO_ROOM
        has_dice = self._game.outcomes > 0
        return StoredGame(
            ending.earlier,
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
    column: np.ndarray  # what the block has of it
    dice: int
    start: str | None
    states: np.ndarray  # an array of one record: the last


def _extend(actions: array[int], column: np.ndarray) -> None:
    actions.frombytes(column[column != _NOT_PLAYED].tobytes())


def heading_of(batch: Batch, players: tuple[str | None, ...]) -> Heading:
    """What all games of a batch have in common."""
    return Heading(batch.variant, changed_options(batch.variant, batch.options), players)
