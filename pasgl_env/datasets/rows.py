"""The rows of data sets: one for each action of a player, made by replaying whole games.

The position texts of a turn have that of its start in common, so each is written once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from json import JSONDecodeError
from typing import Any, NamedTuple

import numpy as np

from pasgl_env.contract import variants
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.dice import Dice
from pasgl_env.engine.position import Position
from pasgl_env.jit.slices import slices

INSTALL = "data sets need pyarrow: pip install 'pasgl-env[data]'"
VARIANT, OPTIONS, PLAYER = b"variant", b"options", b"player"
"""The entries of a file's metadata: its rules, and the player, empty if there are several."""
OBSERVED_AT_ONCE = 512
"""Positions whose observations are made together."""


class Searched(NamedTuple):
    """What a player's search found in one position; arrays follow the legal actions.

    Attributes:
        visits: ``uint32[k]``, or None for players that do not count visits.
        values: ``float32[k]``, from -1 to 1 for the player to act; NaN if unknown.
    """

    visits: np.ndarray
    values: np.ndarray


class FinishedGame(NamedTuple):
    """A finished game to make rows of.

    Attributes:
        number: of the game in the data set.
        start: its first position.
        choices: actions, and outcomes of chance unless ``dice`` gives them.
        dice: determines the outcomes of chance that ``choices`` leave out; None if none are.
        searched: for each action what a search found; () if nothing was searched.
        returns: every player's return if they do not follow from the last position; or None.
    """

    number: int
    start: Position
    choices: Sequence[int]
    dice: Dice | None = None
    searched: Sequence[Searched | None] = ()
    returns: Sequence[float] | None = None


def arrow() -> Any:
    """The module pyarrow; ``ImportError`` with advice if it is missing."""
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError(INSTALL) from error
    return pyarrow


def schema(ruleset: Ruleset, player: str = "") -> Any:
    """The columns of a ruleset's data sets, a ``pyarrow.Schema``; see docs/datasets.md."""
    pa = arrow()
    columns = {
        "game": pa.uint32(),
        "step": pa.uint32(),
        "turn": pa.int32(),
        "player": pa.uint8(),
        "text": pa.string(),
        "state": pa.binary(ruleset.game.state.itemsize),
        "legal": pa.list_(pa.uint16()),
        "action": pa.uint16(),
        "label": pa.string(),
        "visits": pa.list_(pa.uint32()),
        "values": pa.list_(pa.float32()),
        "outcome": pa.int8(),
        "truncated": pa.bool_(),
        "turns_left": pa.int32(),
        "key": pa.uint64(),
    }
    about = {VARIANT: ruleset.name, OPTIONS: json.dumps(dict(ruleset.options)), PLAYER: player}
    return pa.schema(columns, about)


def ruleset_of(file_schema: Any) -> Ruleset:
    """The ruleset of a file of rows; ``ValueError`` if its metadata do not name one."""
    about = file_schema.metadata or {}
    try:
        return variants.ruleset(about[VARIANT].decode(), **json.loads(about[OPTIONS]))
    except (KeyError, TypeError, RecursionError, UnicodeDecodeError, JSONDecodeError) as error:
        raise ValueError("its metadata do not name the rules") from error


def player_of(file_schema: Any) -> str:
    """The player of a file of rows; ``ValueError`` if its metadata do not tell."""
    try:
        return str((file_schema.metadata or {})[PLAYER].decode())
    except (KeyError, UnicodeDecodeError) as error:
        raise ValueError("its metadata do not name the player") from error


def table_of(ruleset: Ruleset, games: Iterable[FinishedGame], player: str = "") -> Any:
    """The rows of some games in order, a ``pyarrow.Table``; ``player`` played them, if given."""
    form = schema(ruleset, player)
    columns: dict[str, list[Any]] = {name: [] for name in form.names if name != "key"}
    for game in games:
        for row in _rows_of(game):
            for column, value in zip(columns.values(), row, strict=True):
                column.append(value)
    states = np.frombuffer(b"".join(columns["state"]), ruleset.game.state)
    return arrow().table({**columns, "key": keys(ruleset, states)}, form)


def _rows_of(game: FinishedGame) -> Iterator[tuple[Any, ...]]:
    """The rows of a game, without their keys."""
    found = list(_decisions(game))
    final = game.start
    returns = game.returns or final.returns
    was_truncated = returns is None
    outcomes = [int(value) for value in returns or [0] * final.num_players]
    nothing = [None] * len(found)
    for step, (row, searched) in enumerate(zip(found, game.searched or nothing, strict=True)):
        visits, values = searched or (None, None)
        yield (
            game.number,
            step,
            *row,
            visits,
            values,
            outcomes[row[1]],
            was_truncated,
            final.turns - row[0],
        )


def _decisions(game: FinishedGame) -> Iterator[tuple[Any, ...]]:
    """Play a game from its start, in place; the columns from turn to label of its actions."""
    position, labels, start = game.start, list[str](), ""

    def text() -> str:
        nonlocal start
        if not position.in_turn:
            start = position.text
            labels.clear()
        return f"{start} {','.join(labels)}" if labels else start

    for choice in map(int, game.choices):
        described = text()
        while game.dice is not None and position.is_chance:
            labels.append(position.roll(game.dice))
            described = text()
        label = position.label(choice)
        if not position.is_chance:
            legal = np.array(position.legal_actions(), np.uint16)
            state = position.state.tobytes()
            yield position.turns, position.to_move, described, state, legal, choice, label
        position.play_action(choice)
        labels.append(label)


def observed(batch: Batch, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The views of the players to act in some states, and their masks.

    Args:
        batch: has at least as many games as there are states; they are overwritten.
        states: records ``[k]``, with a player to act.

    Returns:
        ``uint8[k, C, H, W]`` and ``uint8[k, A]``.
    """
    batch.put(np.arange(states.size), states)
    return batch.observation[: states.size].copy(), batch.action_mask[: states.size].copy()


def keys(ruleset: Ruleset, states: np.ndarray) -> np.ndarray:
    """``uint64[k]``: equal for states that look the same to their players to act.

    Or that look like an image of each other under a symmetry of the board.
    """
    batch = Batch(ruleset, max(1, min(states.size, OBSERVED_AT_ONCE)), seed=0)
    images = ruleset.game.symmetries(ruleset.record[0])
    found = np.empty(states.size, np.uint64)
    for part in slices(states.size, OBSERVED_AT_ONCE):
        planes, _ = observed(batch, states[part])
        seen = [_packed(planes), *(_packed(image.observation(planes)) for image in images)]
        found[part] = [_digest(min(views)) for views in zip(*seen, strict=True)]
    return found


def _packed(planes: np.ndarray) -> list[bytes]:
    """The planes of each position as bits."""
    rows = np.packbits(planes.reshape(len(planes), -1), axis=1)
    return [row.tobytes() for row in rows]


def _digest(view: bytes) -> int:
    return int.from_bytes(blake2b(view, digest_size=8).digest(), "little")
