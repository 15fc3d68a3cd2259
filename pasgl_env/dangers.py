"""Dangers of an action: what it would do to the player's own pieces, and what could follow at once.

They come from the events of the action itself and of every possible reply, so they are exact for
the next action of an opponent, and say nothing about later ones. A page warns beginners by them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from pasgl_env.contract.events import Event, sentences
from pasgl_env.engine.position import Position

MOST_REPLIES = 20_000
"""Replies that are looked at; the dangers of further actions are only their own effects."""


class Danger(NamedTuple):
    """What threatens after an action.

    Attributes:
        action: the action.
        sure: harm that the action does, or that every reply does.
        possible: harm that some replies do, and that most other actions would avoid.
        chance: the probability that some reply can do harm of ``possible``: 1 without dice.
        loses: whether a reply could end the game and win it.
    """

    action: int
    sure: tuple[Event, ...]
    possible: tuple[Event, ...]
    chance: float
    loses: bool

    def in_words(self, position: Position) -> list[str]:
        """The dangers as sentences for the player to act; [] if there is none."""
        you = () if position.to_move is None else (position.to_move,)
        lines = sentences(self.sure, position.seats, you, would="would")
        possible = sentences(self.possible, position.seats, you, would="could")
        if possible and self.chance < 1:
            possible.insert(0, f"On {self.chance:.0%} of the rolls:")
        loses = ["The game could be lost with the next action."] if self.loses else []
        return [*lines, *possible, *loses]


Harm = tuple[Event, int]
"""An event that harms a team, and how many equal ones of the action stand before it."""


class _Replies(NamedTuple):
    """The harm of all replies: in each of them, in some, the probability of any, a lost game."""

    sure: dict[Harm, None]
    possible: dict[Harm, None]
    chances: list[tuple[float, set[Harm]]]
    loses: bool


_NO_REPLIES = _Replies({}, {}, [], loses=False)


def dangers(position: Position) -> list[Danger]:
    """The dangers of each legal action; [] where no player is to act.

    >>> text = "4b3/8/8/8/3T4/8/8/4B3 ./././. ./. 5 w 0:0 0 0"
    >>> staying = Position.from_text("pasgl312", text)
    >>> next(filter(None, (each.in_words(staying) for each in dangers(staying))))
    ['The Train would run over your Turkey on d4.']
    """
    if position.is_over or position.is_chance:
        return []
    assert position.to_move is not None
    team = position.teams[position.to_move]
    actions, left = position.legal_actions(), MOST_REPLIES
    own, replies = [], []
    for action in actions:
        own.append(_harm(position.effects(action), position, team))
        after = position.copy().play_action(action)
        found, looked = _replies(after, team, left)
        replies.append(found)
        left -= looked
    return list(_compared(actions, own, replies))


def _compared(
    actions: list[int], own: list[dict[Harm, None]], replies: list[_Replies]
) -> Iterator[Danger]:
    """The dangers of each action that others avoid: any for what is sure, most for the rest.

    Compared are those after which an opponent acts.
    """
    number = sum(each is not _NO_REPLIES for each in replies)
    sure = Counter(harm for each in replies for harm in each.sure)
    possible = Counter(harm for each in replies for harm in (*each.sure, *each.possible))
    lost = sum(each.loses for each in replies)
    for action, done, found in zip(actions, own, replies, strict=True):
        certain = [harm for harm in found.sure if sure[harm] < number or number == 1]
        some = [harm for harm in found.possible if 2 * possible[harm] < number or number == 1]
        chance = sum(share for share, harms in found.chances if harms & set(some))
        loses = found.loses and (lost < number or number == 1)
        yield Danger(action, _events((*done, *certain)), _events(some), chance, loses)


def _events(harms: Iterable[Harm]) -> tuple[Event, ...]:
    return tuple(event for event, _ in harms)


def _replies(after: Position, team: int, most: int) -> tuple[_Replies, int]:
    """The harm of the replies to an action, and their number."""
    rolls = [(1.0, after)]
    if after.is_chance:
        rolls = [(share, after.copy().play_action(roll)) for roll, share in after.chance_outcomes()]
    rolls = [(share, rolled) for share, rolled in rolls if not _is_own(rolled, team)]
    choices = [(share, rolled, rolled.legal_actions()) for share, rolled in rolls]
    looked = sum(len(legal) for _, _, legal in choices)
    if not looked or looked > most:
        return _NO_REPLIES, 0
    harms = list[dict[Harm, None]]()
    chances, loses = list[tuple[float, set[Harm]]](), False
    for share, rolled, legal in choices:
        here = [_harm(rolled.effects(reply), rolled, team) for reply in legal]
        loses = loses or any(_is_lost(rolled, reply, team) for reply in legal)
        harms += here
        chances.append((share, set().union(*here)))
    every = dict.fromkeys(harm for harm in harms[0] if all(harm in each for each in harms))
    some = dict.fromkeys(harm for each in harms for harm in each if harm not in every)
    return _Replies(every, some, chances, loses), looked


def certain(position: Position, team: int) -> list[Event]:
    """The harm to a team that every action of its opponent does."""
    return list(_events(_replies(position, team, MOST_REPLIES)[0].sure))


def _is_own(position: Position, team: int) -> bool:
    """Whether the team or chance goes on, or nobody does."""
    seat = position.to_move
    return seat is None or seat < 0 or position.teams[seat] == team


def _is_lost(position: Position, reply: int, team: int) -> bool:
    returns = position.copy().play_action(reply).returns
    return returns is not None and returns[position.teams.index(team)] < 0


def _harm(events: Collection[Event], position: Position, team: int) -> dict[Harm, None]:
    """The events that harm a team: two Shrews of a square can be lost by equal ones."""
    before, found = Counter[Event](), dict[Harm, None]()
    for event in events:
        seat = event.victim
        if event.kind.could and seat is not None and position.teams[seat] == team:
            found[event, before[event]] = None
            before[event] += 1
    return found
