"""The interface of players, and the function that asks them for actions."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np

from pasgl_env.contract.game import Game, brief
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.dice import checked_seed
from pasgl_env.engine.errors import IllegalMove
from pasgl_env.engine.position import Position
from pasgl_env.engine.sharing import Copyable, alone
from pasgl_env.jit.compiled import wrapping


@runtime_checkable
class Player(Protocol):
    """Chooses actions, in any number of games at once.

    Attributes:
        name: the player's name, for tables and messages.
    """

    name: str

    def choose(self, batch: Batch, games: np.ndarray) -> np.ndarray:
        """Legal actions ``int64[k]`` for these games, ascending indices ``int64[k]``."""
        ...


class SeededPlayer(Copyable):
    """A player with a generator for every game: its draws in one game never affect another.

    A copy, pickled or not, chooses as the original would. A player is for one thread at a time:
    while another thread is in one of its methods, they raise ``RuntimeError``.

    Subclasses write into ``actions`` in :meth:`_decide` and draw from ``generators``, one per game.
    """

    name: str
    _in_use = (
        "this player is in use by another thread: give each thread its own, such as a copy.deepcopy"
    )

    def __init__(self, seed: int | None) -> None:
        entropy = None if seed is None else checked_seed(seed)
        self._entropy = np.random.SeedSequence(entropy).entropy
        self._generators = np.zeros(0, np.uint64)

    @alone
    def choose(self, batch: Batch, games: np.ndarray) -> np.ndarray:
        self._extend(len(batch))
        generators = self._generators[games]
        actions = np.empty(games.size, np.int64)
        with wrapping():
            self._decide(batch, games, generators, actions)
        self._generators[games] = generators
        return actions

    def follow(self, position: Position) -> None:
        """Replace the player's memory of game 0 with the history of a position.

        For players that remember their games, when one player serves several games in turn.
        """

    @alone
    def with_own_generators(self) -> Self:
        """A copy with its own generators, trees and memories; networks are shared."""
        twin = type(self).__new__(type(self))
        twin.__setstate__(self._state())
        twin._part()
        return twin

    def _part(self) -> None:
        """Copy the parts that choices change, which a new copy still shares with the original."""
        self._generators = self._generators.copy()

    @alone
    def reseed(self, games: np.ndarray, seeds: Sequence[int]) -> None:
        """Reseed the generators of these games."""
        self._extend(int(games.max(initial=-1)) + 1)
        for game, seed in zip(games, seeds, strict=True):
            self._generators[game] = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]

    def _decide(
        self, batch: Batch, games: np.ndarray, generators: np.ndarray, actions: np.ndarray
    ) -> None:
        raise NotImplementedError

    def _extend(self, games: int) -> None:
        """Create generators for the first ``games`` games; existing ones stay as they are."""
        have = self._generators.size
        if games > have:
            fresh = np.random.SeedSequence(self._entropy).generate_state(games, np.uint64)
            self._generators = np.concatenate([self._generators, fresh[have:]])


_ENDINGS = StopIteration, GeneratorExit


def choose(player: Player, batch: Batch, games: np.ndarray) -> np.ndarray:
    """Ask a player for its actions and check them: ``int64[k]``.

    Networks in PyTorch use as many threads as the batch does.

    Raises:
        IllegalMove: if an action is not legal; names the player.
        RuntimeError: if it raises ``StopIteration`` or ``GeneratorExit``, or changes the batch.
        ValueError: if it does not return one integer for each game; names the player.
    """
    changes = batch.changes
    with pytorch_threads(batch.threads):
        try:
            actions = as_array(player.choose(batch, games.copy()), player.name)
        except _ENDINGS as error:  # whoever iterates over games would take it for their end
            stopped = RuntimeError(f"player {player.name!r} raised {type(error).__name__}")
            raise stopped.with_traceback(error.__traceback__) from None
    if batch.changes != changes:
        raise RuntimeError(
            f"player {player.name!r} changed the batch that it was asked about: let it try actions"
            " in copies, such as batch.position(game)"
        )
    if actions.shape != games.shape or actions.dtype.kind not in "iu":
        raise ValueError(
            f"player {player.name!r} must return integers of shape {games.shape},"
            f" one for each game, not {actions.dtype} of shape {actions.shape}"
        )
    legal = are_legal(batch, games, actions)
    if not legal.all():
        row = int(legal.argmin())
        raise IllegalMove(
            f"player {player.name!r} chose action {actions[row]} in game {games[row]},"
            " which is not legal there"
        )
    return actions.astype(np.int64, copy=False)


def as_array(actions: Any, name: str) -> np.ndarray:
    """What a player of this name returned, as an array; ``ValueError`` if it cannot be one."""
    try:
        return np.asarray(actions)
    except ValueError:
        raise ValueError(
            f"player {name!r} must return an array of integers, one for each game, not"
            f" {brief(actions)}"
        ) from None


def imported_pytorch() -> Any:
    """PyTorch, once a thread that imports it has done so; None if nobody has begun to, or can."""
    if sys.modules.get("torch") is not None:
        with suppress(ImportError):
            return import_module("torch")
    return None


@contextmanager
def pytorch_threads(threads: int) -> Iterator[None]:
    """Let PyTorch, if it has been imported, use this many threads; restore their number on exit.

    By itself it uses all processors. With networks as small as these, that is not faster, and ten
    times slower on a busy machine, where each layer waits for the last of the threads.
    """
    torch = imported_pytorch()
    if torch is None:
        yield
        return
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def check_variant(game: Game, batch: Batch) -> None:
    """Raise ValueError if a batch is not of the variant that a player plays."""
    if batch.variant != game.name:
        raise ValueError(f"this player plays {game.name}, not {batch.variant}")


def are_legal(batch: Batch, games: np.ndarray, actions: np.ndarray) -> np.ndarray:
    """``bool[k]``: whether each action is legal in its game."""
    known = (actions >= 0) & (actions < batch.num_actions)
    return known & (batch.action_mask[games, np.where(known, actions, 0)] == 1)


def knows(player: Any, ruleset: Ruleset) -> bool:
    """Whether a player plays these rules as it plays those that it was made for.

    False for one whose values or network were not learned with these options: it plays them by the
    hand-written evaluation, or as if they were others. Players that learned nothing play all rules
    alike.
    """
    return not hasattr(player, "knows") or bool(player.knows(ruleset))


def reseed(player: Any, games: np.ndarray, seeds: Sequence[int]) -> None:
    """Reseed a player's generators for these games, if it has any, as this package's players do."""
    if hasattr(player, "reseed"):
        player.reseed(games, seeds)
