"""Restricted play: a side never takes actions of some kind, unless nothing else is legal.

The resulting loss of the side shows the value of the actions (Jaffe, Miller, Andersen, Liu, Karlin
and Popović, "Evaluating competitive game balance with restricted play", AIIDE 2012). Rules that are
changed for both sides, as by Tomašev, Paquet, Hassabis and Kramnik ("Assessing game balance with
AlphaZero", arXiv 2009.04374, 2020), are options.

Kinds of actions are patterns of labels, or of all labels of a turn. A label depends on the
position, so labels are made and matched at every decision of the side and, in a search, for every
edge that a simulation follows. This makes play slower.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from fnmatch import translate
from functools import cache
from itertools import count
from typing import Any, NamedTuple, cast

import numpy as np

from pasgl_env import players
from pasgl_env.contract.description import label
from pasgl_env.contract.game import brief
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.dice import Dice
from pasgl_env.engine.position import Position
from pasgl_env.players import Player
from pasgl_env.playtest.pick import some_of

FIRST, SECOND = "first", "second"
_PLAYERS = (FIRST, SECOND)
_TURN = "turn:"
TRIED_GAMES, MOST_LOOKS, LOOK_EVERY = 12, 60, 13
"""The random games in which a pattern is looked for, the decisions of each, and their distance."""


class Restriction(NamedTuple):
    """Actions that are forbidden to a player.

    Attributes:
        who: the name of a seat, or ``first`` or ``second`` for that player on either side.
        pattern: of labels. Between slashes a regular expression, which is searched for in the
            label; else a shell pattern (``*``, ``?``, ``[...]``) of the whole label.
        of_turns: whether the pattern is compared with all labels of the turn so far, separated by
            spaces.
    """

    who: str
    pattern: str
    of_turns: bool = False

    @classmethod
    def read(cls, text: str, seats: Sequence[str]) -> Restriction:
        """Parse ``WHO:PATTERN``, or ``turn:WHO:PATTERN`` for whole turns.

        >>> Restriction.read("white:*x*", ("White", "Black"))
        Restriction(who='White', pattern='*x*', of_turns=False)
        >>> Restriction.read("turn:first:/x.* .*x/", ("White", "Black"))
        Restriction(who='first', pattern='/x.* .*x/', of_turns=True)

        Raises:
            ValueError: for a text of another form, an unknown seat or an invalid pattern.
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
        """Whether a label, played after others of the same turn, is forbidden."""
        text = " ".join((*before, label)) if self.of_turns else label
        return _compiled(self.pattern).search(text) is not None

    def binds(self, player: int, seat: str) -> bool:
        """Whether it restricts player 0 or 1 on this seat."""
        return self.who in (_PLAYERS[player], seat)

    @property
    def is_of_player(self) -> bool:
        """Whether it holds for one of the two players, on either side."""
        return self.who in _PLAYERS

    def __str__(self) -> str:
        return f"{_TURN if self.of_turns else ''}{self.who}:{self.pattern}"


def check_labels(ruleset: Ruleset, restrictions: Sequence[Restriction]) -> None:
    """Raise ``ValueError`` if a restriction matches nothing in games of random play.

    Those for whole turns are matched with the labels of the turn so far.
    """
    unmatched, seen = list(restrictions), dict[str, None]()
    for game in range(TRIED_GAMES if restrictions else 0):
        for position, before in _decisions(ruleset, game):
            labels = [position.label(action) for action in position.legal_actions()]
            seen.update(dict.fromkeys(labels))
            unmatched = [each for each in unmatched if not _matches(each, position, labels, before)]
            if not unmatched:
                return
    if unmatched:
        raise ValueError(
            f"nothing that a player could do in {TRIED_GAMES} random games is forbidden by"
            f" {unmatched[0]}; labels are such as {some_of(seen)}"
        )


def _decisions(ruleset: Ruleset, seed: int) -> Iterator[tuple[Position, tuple[str, ...]]]:
    """Some decisions of a random game, with the labels of the turn before; at first all."""
    random, looks, turn, before = np.random.default_rng(seed), 0, -1, tuple[str, ...]()
    position, dice = Position(ruleset), Dice(seed)
    for number in count():
        while position.is_chance:
            position.roll(dice)
        if position.is_over or position.is_truncated or looks == MOST_LOOKS:
            return
        if turn != position.turns:
            turn, before = position.turns, ()
        if number < MOST_LOOKS // 2 or number % LOOK_EVERY == 0:
            looks += 1
            yield position, before
        action = int(random.choice(position.legal_actions()))
        before = (*before, position.label(action))
        position.play_action(action)


def _matches(
    restriction: Restriction, position: Position, labels: Sequence[str], before: tuple[str, ...]
) -> bool:
    """Whether a restriction forbids one of the labels of the player to act."""
    seat = position.seats[position.to_move or 0]
    binds = restriction.is_of_player or restriction.who == seat
    return binds and any(restriction.matches(each, before) for each in labels)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    if len(pattern) > 1 and pattern[0] == pattern[-1] == "/":
        return re.compile(pattern[1:-1])
    return re.compile(rf"\A{translate(pattern)}")


class RestrictedPlayer:
    """The first player, number 0, or the second, who chooses what is not forbidden.

    The player sees a mask without the forbidden actions; a tree search keeps to the restrictions of
    both players in its whole tree.

    Attributes:
        limits: ``int64[2]``, the decisions at which a legal action was forbidden, and those at
            which all were, so that all were allowed.
    """

    def __init__(
        self, player: Player, number: int, ruleset: Ruleset, restrictions: Sequence[Restriction]
    ) -> None:
        self.name = player.name
        self.limits = np.zeros(2, np.int64)
        self._player = player
        self._game, self._options = ruleset.game, ruleset.record
        self._turns: dict[int, _TurnSoFar] = {}  # by game of the batch
        self._knows_turns = any(each.of_turns for each in restrictions)
        seats = list(zip(ruleset.seats, ruleset.teams, strict=True))
        self._restrictions = [  # by the side of this player, and by seat
            tuple(
                tuple(
                    each
                    for each in restrictions
                    if each.binds(number if team == side else 1 - number, seat)
                )
                for seat, team in seats
            )
            for side in range(len(ruleset.members))
        ]

    def choose(self, batch: Batch, games: np.ndarray) -> np.ndarray:
        limits = {game: self._limits(batch, game) for game in games.tolist()}
        mask = batch.action_mask.copy()
        for game, own in limits.items():
            self._forbid(batch, game, mask[game], own)
        # Players read everything from it; those that ignore its mask cause an error.
        seen = cast(Batch, _MaskedBatch(batch, mask, limits.__getitem__))
        actions = players.choose(self._player, seen, games)
        if self._knows_turns:
            for game, action in zip(games.tolist(), actions.tolist(), strict=True):
                state = batch.states[game]
                labels = (*limits[game].before, self._label(state, action))
                self._turns[game] = _TurnSoFar(int(self._game.turns(state)), labels)
        return actions

    def reseed(self, games: np.ndarray, seeds: Sequence[int]) -> None:
        players.reseed(self._player, games, seeds)
        for game in games.tolist():
            self._turns.pop(game, None)

    def _limits(self, batch: Batch, game: int) -> _Limits:
        """The restrictions in a game in which this player is to act."""
        turn = self._turns.get(game, _TurnSoFar(-1, ()))
        is_same = turn.number == self._game.turns(batch.states[game])
        side = int(batch.teams[batch.to_move[game]])
        return _Limits(self._restrictions[side], turn.labels if is_same else ())

    def _forbid(self, batch: Batch, game: int, mask: np.ndarray, limits: _Limits) -> None:
        """Remove the forbidden actions from the mask of a game, unless none would be left."""
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
        return label(self._game, state, self._options[0], action)


class _TurnSoFar(NamedTuple):
    """A turn in progress: the number of turns before it, and its labels so far."""

    number: int
    labels: tuple[str, ...]


class _Limits(NamedTuple):
    """The limits of a search: see :class:`pasgl_env.players.search.limits.Limits`."""

    of_seats: tuple[tuple[Restriction, ...], ...]
    before: tuple[str, ...]

    def binds(self, player: int) -> bool:
        return bool(self.of_seats[player])

    def forbids(self, player: int, label: str, before: tuple[str, ...]) -> bool:
        return any(each.matches(label, before) for each in self.of_seats[player])


class _MaskedBatch:
    """A batch with another mask."""

    def __init__(self, batch: Batch, mask: np.ndarray, limits: Callable[[int], _Limits]) -> None:
        self._batch = batch
        self.limits = limits
        self.action_mask = mask
        self.legal_count = mask.sum(axis=1, dtype=np.int32)

    def __len__(self) -> int:
        return len(self._batch)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._batch, name)
