"""Restricted play: a side never takes an action of some kind, unless nothing else is legal.

What it loses by that tells what the actions are worth (Jaffe, Miller, Andersen, Liu, Karlin and
Popović, "Evaluating competitive game balance with restricted play", AIIDE 2012). Tomašev, Paquet,
Hassabis and Kramnik ("Assessing game balance with AlphaZero", arXiv 2009.04374, 2020) ask the same
of rules that are changed for both sides; that is what options are for.

Kinds of actions are patterns over labels, those of whole turns over the labels of the turn so far.
A label depends on the position, so labels are made and matched for every decision of the side, and
in searches for every edge that a simulation goes along; play is slower for that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fnmatch import translate
from functools import cache
from typing import Any, NamedTuple, cast

import numpy as np

from pasgl_env import players, variants
from pasgl_env.engine.batch import Batch
from pasgl_env.games.contract import brief
from pasgl_env.players import Player

FIRST, SECOND = "first", "second"
_PLAYERS = (FIRST, SECOND)
_TURN = "turn:"


class Restriction(NamedTuple):
    """What somebody may not do.

    Attributes:
        who: the name of a seat, or ``first`` or ``second``: that player, on either side.
        pattern: of labels; with slashes around it a regular expression that is found somewhere in
            the label, else a pattern of the whole label as shells have them: ``*``, ``?``,
            ``[...]``.
        of_turns: whether it is compared with the labels of the whole turn so far, with spaces
            between them, instead of with that of the action.
    """

    who: str
    pattern: str
    of_turns: bool = False

    @classmethod
    def read(cls, text: str, seats: Sequence[str]) -> Restriction:
        """The restriction that ``WHO:PATTERN`` means, or ``turn:WHO:PATTERN`` of whole turns.

        >>> Restriction.read("white:*x*", ("White", "Black"))
        Restriction(who='White', pattern='*x*', of_turns=False)
        >>> Restriction.read("turn:first:/x.* .*x/", ("White", "Black"))
        Restriction(who='first', pattern='/x.* .*x/', of_turns=True)

        Raises:
            ValueError: if it means none; says what would be right.
        """
        of_turns = text.startswith(_TURN)
        who, colon, pattern = text.removeprefix(_TURN).partition(":")
        known = {name.lower(): name for name in (*_PLAYERS, *seats)}
        if not colon or not pattern or who.lower() not in known:
            names = ", ".join(known.values())
            raise ValueError(
                f"a restriction is WHO:PATTERN, such as {seats[0]}:*x*, where WHO is one of"
                f" {names}, or {_TURN}WHO:PATTERN for a whole turn, not {brief(text)}"
            )
        try:
            _compiled(pattern)
        except re.error as error:
            raise ValueError(f"{brief(pattern)} is not a regular expression: {error}") from None
        return cls(known[who.lower()], pattern, of_turns)

    def matches(self, label: str, before: tuple[str, ...] = ()) -> bool:
        """Whether a label is of the kind, played after those of the same turn."""
        text = " ".join((*before, label)) if self.of_turns else label
        return _compiled(self.pattern).search(text) is not None

    def binds(self, player: int, seat: str) -> bool:
        """Whether it is for this player, 0 or 1, on this seat."""
        return self.who in (_PLAYERS[player], seat)

    def __str__(self) -> str:
        return f"{_TURN if self.of_turns else ''}{self.who}:{self.pattern}"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    if len(pattern) > 1 and pattern[0] == pattern[-1] == "/":
        return re.compile(pattern[1:-1])
    return re.compile(rf"\A{translate(pattern)}")


class RestrictedPlayer:
    """A player who chooses among what is left.

    The player sees a mask without the forbidden actions, and a tree search keeps to the
    restrictions of both players all over its tree.

    Attributes:
        limits: ``int64[2]``: decisions at which something legal was forbidden, and those of them at
            which all was, and so nothing.

    Args:
        player: who chooses.
        number: 0 if it is the first of the two players, else 1.
        batch: a batch of the variant under its options.
        restrictions: of both players.
    """

    def __init__(
        self, player: Player, number: int, batch: Batch, restrictions: Sequence[Restriction]
    ) -> None:
        self.name = player.name
        self.limits = np.zeros(2, np.int64)
        self._player = player
        self._game = variants.find(batch.variant)
        self._options = batch.options_record
        self._turns: dict[int, _Turn] = {}  # those under way, by the game of the batch
        self._knows_turns = any(each.of_turns for each in restrictions)
        seats = self._game.seats(self._options[0])
        self._restrictions = [
            _of_seats(restrictions, number, seats, batch.teams == side) for side in (0, 1)
        ]

    def choose(self, batch: Batch, games: np.ndarray) -> np.ndarray:
        limits = {game: self._limits(batch, game) for game in games.tolist()}
        seen = _MaskedBatch(batch, limits.__getitem__)
        for game, own in limits.items():
            self._forbid(batch, game, seen.action_mask[game], own)
        seen.count()
        # It has all that players read, and those who choose otherwise are told so.
        actions = players.choose(self._player, cast(Batch, seen), games)
        if self._knows_turns:
            for game, action in zip(games.tolist(), actions.tolist(), strict=True):
                state = batch.states[game]
                labels = (*limits[game].before, self._label(state, action))
                self._turns[game] = _Turn(int(self._game.turns(state)), labels)
        return actions

    def reseed(self, games: np.ndarray, seeds: Sequence[int]) -> None:
        players.reseed(self._player, games, seeds)
        for game in games.tolist():
            self._turns.pop(game, None)

    def _limits(self, batch: Batch, game: int) -> _Limits:
        """What may not be done in a game in which this player is to act."""
        known = self._turns.get(game)
        if known is None or known.number != self._game.turns(batch.states[game]):
            known = _Turn(0, ())
        side = int(batch.teams[batch.to_move[game]])
        return _Limits(self._restrictions[side], known.labels)

    def _forbid(self, batch: Batch, game: int, mask: np.ndarray, limits: _Limits) -> None:
        """Take what is forbidden from a game's mask, unless that is everything."""
        player = int(batch.to_move[game])
        if not limits.binds(player):
            return
        state = batch.states[game]
        forbidden = [
            action
            for action in np.flatnonzero(mask).tolist()
            if limits.forbids(player, self._label(state, action), limits.before)
        ]
        self.limits[0] += len(forbidden) > 0
        if len(forbidden) == batch.legal_count[game]:
            self.limits[1] += 1
        else:
            mask[forbidden] = 0

    def _label(self, state: Any, action: int) -> str:
        return self._game.label(state, self._options[0], action)


class _Turn(NamedTuple):
    """A turn that is under way: how many were completed before it, and its labels so far."""

    number: int
    labels: tuple[str, ...]


def _of_seats(
    restrictions: Sequence[Restriction], number: int, seats: Sequence[str], is_own: np.ndarray
) -> tuple[tuple[Restriction, ...], ...]:
    """The restrictions of each seat, where player ``number`` has those that are its own."""
    return tuple(
        tuple(each for each in restrictions if each.binds(number if own else 1 - number, seat))
        for seat, own in zip(seats, is_own.tolist(), strict=True)
    )


class _Limits(NamedTuple):
    """What searches are limited by: see :class:`pasgl_env.players.limits.Limits`."""

    of_seats: tuple[tuple[Restriction, ...], ...]
    before: tuple[str, ...]

    def binds(self, player: int) -> bool:
        return bool(self.of_seats[player])

    def forbids(self, player: int, label: str, before: tuple[str, ...]) -> bool:
        return any(each.matches(label, before) for each in self.of_seats[player])


class _MaskedBatch:
    """A batch in which fewer actions are legal."""

    def __init__(self, batch: Batch, limits: Callable[[int], _Limits]) -> None:
        self._batch = batch
        self.limits = limits
        self.action_mask = batch.action_mask.copy()
        self.legal_count = batch.legal_count

    def count(self) -> None:
        """Bring the numbers of legal actions up to date with the mask."""
        self.legal_count = self.action_mask.sum(axis=1, dtype=np.int32)

    def __len__(self) -> int:
        return len(self._batch)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._batch, name)
