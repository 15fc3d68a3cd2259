"""Records of games that are played many at once, at the speed at which they are played."""

from __future__ import annotations

from array import array
from os import PathLike

import numpy as np
from numpy.typing import ArrayLike

from pasgl_env import variants
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.position import Position
from pasgl_env.records.binary import Heading, StoredGame
from pasgl_env.records.files import RecordWriter
from pasgl_env.records.game import BY_THE_RULES, NO_ROOM, TURN_LIMIT, changed_options

_ROOM = 256


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
        """How many games have been written."""
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
        """Close the file. Games that have not ended are left out."""
        self._writer.close()

    def __enter__(self) -> BatchRecorder:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _write(self, ended: list[tuple[int, StoredGame]]) -> None:
        if ended:
            self._writer.write_stored(self._heading, [game for _, game in ended])


class BatchLog:
    """Remembers the actions of a batch's games until they end."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._game = variants.find(batch.variant)
        self._usual = Position(batch.variant, **batch.options).state.view(np.uint8)
        self._option = batch.options_record[0]
        self._all = np.arange(len(batch))
        self._actions = np.zeros((len(batch), _ROOM), np.uint16)
        self._length = batch.length.copy()
        self._is_whole = np.zeros(len(batch), np.bool_)  # seen from its beginning
        self._dice = batch.first_dice.copy()
        self._starts: dict[int, str] = {}  # texts of games that did not begin as usual

    def step(self, actions: ArrayLike) -> list[tuple[int, StoredGame]]:
        """Step all games; see :meth:`step_some`."""
        return self.step_some(self._all, actions)

    def step_some(self, games: ArrayLike, actions: ArrayLike) -> list[tuple[int, StoredGame]]:
        """Step the batch; the games that ended, each with its index, in order.

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
        stepped, ended = np.asarray(games), batch.ended
        # Of the games that ended the batch no longer tells the length: it is that before, plus one.
        length = self._length
        length[stepped] += 1
        if length.max() > self._actions.shape[1]:
            self._actions = np.concatenate([self._actions, np.zeros_like(self._actions)], axis=1)
        self._actions[stepped, length[stepped] - 1] = actions
        return self._ended(ended) if ended.size else []

    def _begin(self, games: np.ndarray) -> None:
        """Note how games begin that have had no action yet."""
        self._length[games] = 0
        self._is_whole[games] = True
        self._dice[games] = self._batch.first_dice[games]
        states = self._batch.first_states.view(np.uint8).reshape(len(self._batch), -1)
        is_usual = (states[games] == self._usual).all(axis=1)
        for game in games[is_usual]:
            self._starts.pop(game, None)
        for game in games[~is_usual]:
            self._starts[game] = self._start_text(game)

    def _start_text(self, game: int) -> str:
        batch = self._batch
        state = batch.first_states[game]
        if not self._game.in_turn(state):
            text = self._game.write(state, self._option)
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

    def _ended(self, ended: np.ndarray) -> list[tuple[int, StoredGame]]:
        """The whole ones of the games that ended in the last step."""
        games = [
            (game, self._stored(game, state))
            for game, state in zip(ended.tolist(), self._batch.final_states, strict=True)
            if self._is_whole[game]
        ]
        self._length[ended] = 0
        self._is_whole[ended] = False
        return games

    def _stored(self, game: int, state: np.record) -> StoredGame:
        has_dice = self._game.outcomes > 0
        return StoredGame(
            array("H", self._actions[game, : self._length[game]].tobytes()),
            int(self._dice[game]) if has_dice else None,
            has_dice,
            *self._ending(game, state),
            {"start": self._starts[game]} if game in self._starts else {},
        )

    def _ending(self, game: int, state: np.record) -> tuple[str, int]:
        """How a game ended, and the team that won or -1."""
        if self._batch.terminated[game]:
            best = self._game.winner(state, self._option)
            return BY_THE_RULES, -1 if best < 0 else int(self._batch.teams[best])
        limit = self._option["turn_limit"]
        return TURN_LIMIT if 0 < limit <= self._game.turns(state) else NO_ROOM, -1


def heading_of(batch: Batch, players: tuple[str | None, ...]) -> Heading:
    """What all games of a batch have in common."""
    return Heading(batch.variant, changed_options(batch.variant, batch.options), players)
