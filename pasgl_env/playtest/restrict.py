"""Restricted play: a side never takes an action of some kind, unless nothing else is legal.

What it loses by that tells what the actions are worth (Jaffe, Miller, Andersen, Liu, Karlin and
Popović, "Evaluating competitive game balance with restricted play", AIIDE 2012). Tomašev, Paquet,
Hassabis and Kramnik ("Assessing game balance with AlphaZero", arXiv 2009.04374, 2020) ask the same
of rules that are changed for both sides; that is what options are for.

Kinds of actions are patterns over labels. A label depends on the position, so labels are made and
matched for every decision of the side; play is slower for that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
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


class Restriction(NamedTuple):
    """What somebody may not do.

    Attributes:
        who: the name of a seat, or ``first`` or ``second``: that player, on either side.
        pattern: of labels; with slashes around it a regular expression that is found somewhere in
            the label, else a pattern of the whole label as shells have them: ``*``, ``?``,
            ``[...]``.
    """

    who: str
    pattern: str

    @classmethod
    def read(cls, text: str, seats: Sequence[str]) -> Restriction:
        """The restriction that ``WHO:PATTERN`` means.

        >>> Restriction.read("white:*x*", ("White", "Black"))
        Restriction(who='White', pattern='*x*')

        Raises:
            ValueError: if it means none; says what would be right.
        """
        who, colon, pattern = text.partition(":")
        known = {name.lower(): name for name in (*_PLAYERS, *seats)}
        if not colon or not pattern or who.lower() not in known:
            names = ", ".join(known.values())
            raise ValueError(
                f"a restriction is WHO:PATTERN, such as {seats[0]}:*x*, where WHO is one of"
                f" {names}, not {brief(text)}"
            )
        try:
            _compiled(pattern)
        except re.error as error:
            raise ValueError(f"{brief(pattern)} is not a regular expression: {error}") from None
        return cls(known[who.lower()], pattern)

    def matches(self, label: str) -> bool:
        """Whether a label is of the kind."""
        return _compiled(self.pattern).search(label) is not None

    def binds(self, player: int, seat: str) -> bool:
        """Whether it is for this player, 0 or 1, on this seat."""
        return self.who in (_PLAYERS[player], seat)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    if len(pattern) > 1 and pattern[0] == pattern[-1] == "/":
        return re.compile(pattern[1:-1])
    return re.compile(rf"\A{translate(pattern)}")


class RestrictedPlayer:
    """A player who chooses among what is left.

    The player sees a mask without the forbidden actions. A tree search looks at no others in the
    state in which it is asked; later in its tree both sides may do everything.

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
        self._binding = [
            [each for each in restrictions if each.binds(number, seat)]
            for seat in self._game.seats(self._options[0])
        ]

    def choose(self, batch: Batch, games: np.ndarray) -> np.ndarray:
        seen = _MaskedBatch(batch)
        for game in games.tolist():
            self._forbid(batch, game, seen.action_mask[game])
        seen.count()
        # It has all that players read, and those who choose otherwise are told so.
        return players.choose(self._player, cast(Batch, seen), games)

    def reseed(self, games: np.ndarray, seeds: Sequence[int]) -> None:
        players.reseed(self._player, games, seeds)

    def _forbid(self, batch: Batch, game: int, mask: np.ndarray) -> None:
        """Take what is forbidden from a game's mask, unless that is everything."""
        binding = self._binding[batch.to_move[game]]
        if not binding:
            return
        state = batch.states[game]
        forbidden = [
            action
            for action in np.flatnonzero(mask).tolist()
            if self._is_forbidden(state, action, binding)
        ]
        self.limits[0] += len(forbidden) > 0
        if len(forbidden) == batch.legal_count[game]:
            self.limits[1] += 1
        else:
            mask[forbidden] = 0

    def _is_forbidden(self, state: Any, action: int, binding: Sequence[Restriction]) -> bool:
        label = self._game.label(state, self._options[0], action)
        return any(each.matches(label) for each in binding)


class _MaskedBatch:
    """A batch in which fewer actions are legal."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self.action_mask = batch.action_mask.copy()
        self.legal_count = batch.legal_count

    def count(self) -> None:
        """Bring the numbers of legal actions up to date with the mask."""
        self.legal_count = self.action_mask.sum(axis=1, dtype=np.int32)

    def __len__(self) -> int:
        return len(self._batch)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._batch, name)
