"""A game that is being played or watched: seats, time, undo and forfeits around a position.

Every change is stored before it takes effect.
"""

from __future__ import annotations

import hashlib
import secrets
from array import array
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pasgl_env.contract import variants
from pasgl_env.contract.description import Action
from pasgl_env.contract.events import Event, sentences
from pasgl_env.engine.dice import Dice, generator
from pasgl_env.engine.errors import IllegalMove
from pasgl_env.engine.position import Position
from pasgl_env.engine.results import returns_after_forfeit
from pasgl_env.records import GameRecord
from pasgl_env.records.clocks import with_clocks
from pasgl_env.render.words import cut_off, mover, result
from pasgl_env.web import guides
from pasgl_env.web.protocol import Problem, sent
from pasgl_env.web.store import DAY, OPENED, SavedGame, Store, may_be_joined

PERSON = "person"
CHANCE = 255
NOT_OPEN = (
    "this game is not open any more: somebody else was faster, or the one who waited has left"
)
RESERVED = 60.0
"""Seconds that a person who has joined has to come."""
AWAY = 600.0
"""Seconds that a person who has joined and left without an action has to come back."""
LONGEST_GAME = 20_000
KEPT_EVERY = 256
"""Choices between the positions that are kept, so that going back is fast in long games."""
_STOPPED = {"running": None, "deadline": None}
"""Columns of the store while nobody's time runs."""
_ENDED = {**_STOPPED, "seen": None}


class TurnLine(NamedTuple):
    """A line of the list of turns.

    Attributes:
        first: number of choices made before the turn.
        end: number of choices made after it.
        seat: the seat that played it.
        labels: the labels of its actions and rolls.
        events: what its actions did.
    """

    first: int
    end: int
    seat: int
    labels: tuple[str, ...]
    events: tuple[Event, ...]


class _Kept(NamedTuple):
    """The state of a game after some number of choices."""

    length: int
    position: Position
    generator: int
    turns: int
    begun: int


class LiveGame:
    """A game with its seats, choices and current position.

    Attributes:
        turns: the completed turns.

    Args:
        game: the stored game; its list of choices is shared with it.
        store: stores the changes.

    Raises:
        Problem: if the game cannot be played by the rules of this version.
    """

    def __init__(self, game: SavedGame, store: Store) -> None:
        self.saved = game
        self._store = store
        self._text: str | None = None
        self._asked: int | None = None  # the seat that has asked to take back a turn
        self._offers: int | None = None  # the seat that has offered a rematch
        self._chose = bytearray()
        self.turns: list[TurnLine] = []
        self._kept: list[_Kept] = []
        self._go_to(len(game.choices))
        self._roll_first()

    @classmethod
    def begin(
        cls,
        store: Store,
        before: GameRecord,
        seats: list[dict[str, Any]],
        pace: float | None,
        turn_time: float | None = None,
    ) -> tuple[LiveGame, list[str]]:
        """A new game, and the secret of each seat.

        Args:
            store: stores the game.
            before: the game so far, which is continued.
            seats: ``player`` and ``name`` of each seat, and ``open`` if whoever comes may have it.
            pace: seconds between turns of a game between programs.
            turn_time: seconds that a person has for a turn; None for as long as they like.

        Raises:
            Problem: for a wrong number of seats, or time for turns of people who are no opponents.
        """
        names = before.ruleset.seats
        if len(seats) != len(names):
            raise Problem(
                "field", f"seats must have an entry each for {', '.join(names)}, not {len(seats)}"
            )
        if turn_time is not None:
            sides = zip(before.begin().teams, seats, strict=True)
            if len({team for team, who in sides if who["player"] == PERSON}) < 2:
                raise Problem(
                    "field", "turns have a time where people play against each other only"
                )
        keys = [_new_secret() for _ in names]
        digests = [digest(key) for key in keys]
        live = cls._begun_by(store, before, seats, digests, pace, turn_time, {})
        return live, keys

    @classmethod
    def _begun_by(
        cls,
        store: Store,
        before: GameRecord,
        seats: list[dict[str, Any]],
        digests: list[str],
        pace: float | None,
        turn_time: float | None,
        about: dict[str, Any],
    ) -> LiveGame:
        """A new game of people with these digests of their secrets."""
        now = store.now()
        game = SavedGame(
            id=secrets.token_urlsafe(8),
            ruleset=before.ruleset,
            start=before.start,
            dice=int(generator(None)),
            seats=seats,
            secrets=digests,
            choices=before.choices[:],
            created=now,
            seen=now if any(who.get("open") for who in seats) else None,
            pace=pace,
            turn_time=turn_time,
            about=about,
        )
        store.add([game])
        return cls(game, store)

    def offer_rematch(self, seats: Collection[int]) -> bool:
        """Offer a rematch, or accept an opponent's offer; return true if it can begin.

        A partner's consent does not count, unless nobody but partners plays. Nothing is offered if
        no other people play.

        Raises:
            Problem: if the game is not over or has a rematch, or no seat of a person is held.
        """
        mine = self._own(seats, "begin a rematch")
        if not self.is_over or self.saved.kind == OPENED or self.rematch is not None:
            raise Problem("over", "a rematch begins once, after a game that was played here")
        if mine == set(self.people) or self._may_answer_offer(mine):
            return True
        if self._offers is None:
            self._offers = min(mine)
        return False

    def _may_answer_offer(self, mine: Collection[int]) -> bool:
        """Whether somebody with these seats is asked for a rematch."""
        if self._offers is None or self._offers in mine:
            return False
        return bool((self._opponents_of(self._offers) or set(self.people)) & set(mine))

    def decline_rematch(self, seats: Collection[int]) -> int:
        """Decline an opponent's offer of a rematch; return the seat that declines.

        Raises:
            Problem: if none has offered one, or no seat of a person is held.
        """
        mine = self._own(seats, "decline a rematch")
        if not self._may_answer_offer(mine):
            raise Problem("over", "nobody offers a rematch")
        self._offers = None
        return min(mine)

    def begin_rematch(self) -> LiveGame:
        """The same game from its start, with the same people, whose secrets stay.

        Everybody gets the seat before their own, the first one the last: opponents change sides,
        and partners stay partners.
        """
        old = self.saved
        before = GameRecord(old.ruleset, array("H"), old.start)
        (first, *others), (own, *theirs) = old.seats, old.secrets
        apart = [(seat - 1) % len(old.seats) for seat in self._held_apart]
        again = self._begun_by(
            self._store,
            before,
            [*others, first],
            [*theirs, own],
            old.pace,
            old.turn_time,
            {"held_apart": apart},
        )
        self._store.change(old, about={**old.about, "rematch": again.id})
        self._offers = self._asked = None
        return again

    @property
    def rematch(self) -> str | None:
        """The id of the game's rematch; None if none has begun."""
        return self.saved.about.get("rematch")

    @property
    def id(self) -> str:
        """The id in links."""
        return self.saved.id

    @property
    def length(self) -> int:
        """Number of choices made, including chance's."""
        return len(self.saved.choices)

    @property
    def people(self) -> list[int]:
        """The seats played by people."""
        seats = self.saved.seats
        return [seat for seat, who in enumerate(seats) if who["player"] == PERSON]

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        position = self.position
        return (
            position.is_over
            or position.is_truncated
            or self.saved.forfeit is not None
            or self.saved.kind == OPENED
            or len(self._chose) >= LONGEST_GAME
        )

    @property
    def player_to_act(self) -> str | None:
        """The name of the program that acts next; None if a person does."""
        if self.is_over or self.is_paused or self.position.is_chance:
            return None
        assert self.position.to_move is not None
        player = self.saved.seats[self.position.to_move]["player"]
        return None if player == PERSON else str(player)

    def shows(self, position: Position) -> bool:
        """Whether this is the game's current position, reached in any way."""
        return (
            self.position.turns == position.turns
            and self.saved.ruleset == position.ruleset
            and self.text == position.text
        )

    @property
    def text(self) -> str:
        """The text of the current position."""
        if self._text is None:
            self._text = self.position.text
        return self._text

    def seat_of(self, secret: str) -> int | None:
        """The seat that a secret belongs to; None for an unknown secret."""
        hashed = digest(secret)
        for seat, known in enumerate(self.saved.secrets):
            if secrets.compare_digest(hashed, known):
                return seat
        return None

    def join(self, name: str) -> tuple[int, str]:
        """Reserve the first open seat for the person with a name; return it with its secret.

        A person who does not come soon, see :meth:`take_seats`, may find it taken.

        Raises:
            Problem: if no seat is open, or not any more.
        """
        seats, digests, now = [*self.saved.seats], [*self.saved.secrets], self._store.now()
        is_open = [may_be_joined(who, now) for who in seats]
        if self.is_over or not any(is_open):
            raise Problem("seat", NOT_OPEN)
        seat, secret = is_open.index(True), _new_secret()
        seats[seat] = _reserved(name, now + RESERVED)
        digests[seat] = digest(secret)
        self._store.change(self.saved, seats=seats, secrets=digests)
        return seat, secret

    def take_seats(self, held: Collection[int]) -> list[int]:
        """Close the open ones of these seats, to which somebody has come; return them."""
        taken = [seat for seat in held if self.saved.seats[seat].get("open")]
        if taken:
            seats = [
                {"player": PERSON, "name": who["name"], "joined": True} if seat in taken else who
                for seat, who in enumerate(self.saved.seats)
            ]
            is_open = any(who.get("open") for who in seats)
            self._store.change(self.saved, seats=seats, seen=self._store.now() if is_open else None)
        return taken

    def reopen_seats(self, held: Collection[int]) -> None:
        """Open the seats, except those held, of people who have joined and left without an action.

        They have :data:`AWAY` seconds to come back. Nothing opens while a clock runs, nor in games
        by days, in which nobody has to be there.
        """
        if self.is_over or self._has_clock or (self.saved.turn_time or 0) >= DAY:
            return
        seats, now = [*self.saved.seats], self._store.now()
        for seat, who in enumerate(seats):
            if who.get("joined") and seat not in held and seat not in self._chose:
                seats[seat] = _reserved(who["name"], now + AWAY)
        if seats != self.saved.seats:
            self._store.change(self.saved, seats=seats, seen=now)

    def note_seen(self) -> None:
        """Note that a person who waits for others is there or leaves, if any seat is open."""
        if self.saved.seen is not None:
            self._store.change(self.saved, seen=self._store.now())

    def meet(self, present: Collection[int]) -> bool:
        """Note whose seats are held; once all people have come, the time of turns begins.

        By days they need not be there together, else they have to. Returns whether it begins.
        """
        saved, came = self.saved, set(present)
        if self.is_over or self.met is not None:
            return False
        known = set(saved.about.get("came", ())) if (saved.turn_time or 0) >= DAY else came
        came |= known
        if came >= set(self.people):
            about = {**saved.about, "met": self._store.now()}
            running = {} if saved.turn_time is None else self._time_of(self.position.to_move)
            self._store.change(saved, about=about, **running)
        elif came > known:
            self._store.change(saved, about={**saved.about, "came": sorted(came)})
        return self._has_clock

    @property
    def met(self) -> float | None:
        """When all people had come, in seconds since 1970; None if they have not."""
        met: float | None = self.saved.about.get("met")
        return met

    @property
    def _has_clock(self) -> bool:
        """Whether turns have a time that has begun."""
        return self.saved.turn_time is not None and self.met is not None

    def _time_of(self, seat: int | None) -> dict[str, Any]:
        """Columns of the store: the time of a turn of this seat begins, if a person has it."""
        if self.saved.turn_time is None or seat not in self.people:
            return _STOPPED
        return {"running": seat, "deadline": self._store.now() + self.saved.turn_time}

    def run_out(self, seat: int) -> None:
        """Take note that a seat has run out of time, as the store says."""
        self.saved.out_of_time, self._asked = seat, None
        for name, value in _ENDED.items():
            setattr(self.saved, name, value)

    def play(self, label: str, seats: Collection[int]) -> None:
        """Play an action for the player to act, then roll if the dice come next.

        Raises:
            Problem: if it is illegal, or not the turn of these seats.
        """
        self._check_turn(seats)
        for action, number in zip(self.choices, self.position.legal_actions(), strict=True):
            if action.label == label:
                self.play_number(number)
                return
        raise Problem("illegal", f"{label[:60]!r} is not legal here")

    def play_number(self, number: int) -> None:
        """Play a legal action by its number, then roll if the dice come next.

        Raises:
            Problem: if it cannot be stored; the game is then unchanged.
        """
        before, turns = self.length, len(self.turns)
        self._step(number)
        made = [number, *self._roll_all()]
        is_next = self._has_clock and len(self.turns) > turns
        columns = self._time_of(self.position.to_move) if is_next else {}
        try:
            self._store.append(self.saved, made, **(_ENDED if self.is_over else columns))
        except Problem:
            self._go_to(before)
            raise
        self.saved.choices.extend(made)
        self._asked = None

    def undo(self, seats: Collection[int]) -> None:
        """Undo the last choice of the current turn; rolls cannot be undone.

        Raises:
            Problem: if there is nothing to undo.
        """
        self._check_turn(seats)
        if not self.can_undo:
            raise Problem("undo", "there is nothing to undo in this turn")
        self._cut(self.length - 1)

    @property
    def can_undo(self) -> bool:
        """Whether the last choice belongs to the current turn and is not a roll."""
        return (
            not self.is_over
            and self.length > self._begun
            and self._chose[self.length - 1] == self.position.to_move
        )

    def take_back(self, seats: Collection[int]) -> bool:
        """Go back to the last turn of these seats, or ask opponents for it; return true if done.

        Nobody is asked if no opponent is a person, or one of them has these seats, too.

        Raises:
            Problem: if there is nothing to take back, or an opponent asks for a turn of their own.
        """
        mine = self._own(seats, "take back turns")
        if self._is_closed:
            raise Problem("over", "this game has ended for good: turns cannot be taken back")
        if self._asked is not None:
            if self._opponents_of(self._asked) & mine:
                name = self.position.seats[self._asked]
                raise Problem("undo", f"{name} asks to take back a turn: allow or refuse it first")
            return False
        starts = {seat: start for seat in mine if (start := self._last_turn_of(seat)) is not None}
        if not starts:
            raise Problem("undo", "there is no turn to take back")
        asking = max(starts, key=lambda seat: starts[seat])
        opponents = self._opponents_of(asking)
        if opponents and not opponents & set(seats):
            self._asked = asking
            return False
        self._cut(starts[asking], asking)
        return True

    def allow(self, seats: Collection[int]) -> int:
        """Allow an opponent to take back a turn; return the opponent's seat.

        Raises:
            Problem: if no opponent has asked.
        """
        asked = self._asked_of(seats)
        start = self._last_turn_of(asked)
        assert start is not None
        self._cut(start, asked)
        return asked

    def refuse(self, seats: Collection[int]) -> int:
        """Refuse an opponent's request to take back a turn; return the opponent's seat.

        Raises:
            Problem: if no opponent has asked.
        """
        asked, self._asked = self._asked_of(seats), None
        return asked

    def _asked_of(self, seats: Collection[int]) -> int:
        """The opponent who has asked people with these seats to take back a turn."""
        if self._asked is None or not self._opponents_of(self._asked) & set(seats):
            raise Problem("undo", "nobody has asked to take back a turn")
        return self._asked

    def can_take_back(self, seats: Collection[int]) -> bool:
        """Whether these seats have a turn that they can take back, or ask opponents for."""
        mine = set(self.people) & set(seats)
        return not self._is_closed and any(seat in self._chose for seat in mine)

    @property
    def _is_closed(self) -> bool:
        """Whether somebody has given the game up, or a rematch has followed it."""
        return self.saved.forfeit is not None or self.rematch is not None

    def _opponents_of(self, seat: int) -> set[int]:
        """The seats of people in other teams."""
        teams = self.position.teams
        return {each for each in self.people if teams[each] != teams[seat]}

    def resign(self, seats: Collection[int]) -> None:
        """Resign for the player to act if that seat is held, else for the first seat held.

        Raises:
            Problem: if the game is over or no seat of a person is held.
        """
        mine = self._own(seats, "resign")
        if self.is_over:
            raise Problem("over", "the game is over")
        seat = self.position.to_move if self.position.to_move in mine else min(mine)
        assert seat is not None
        self._store.change(self.saved, resigned=seat, **_ENDED)
        self._asked = None

    def is_between_people(self, seats: Collection[int] = ()) -> bool:
        """Whether people are playing against each other who do not all hold these seats.

        A person with all seats may still play against somebody who has held some of them.
        """
        alone = set(self.people) <= set(seats) and len(self._teams(self._held_apart)) < 2
        return len(self._teams(self.people)) > 1 and not self.is_over and not alone

    def note_holder(self, seats: Collection[int]) -> bool:
        """Note that somebody holds these seats; return true if that changes who plays whom.

        Only those who do not hold all seats of people count: nobody is alone before they are two.
        """
        people, held = set(self.people), self._held_apart
        apart = held | (people & set(seats))
        if people <= set(seats) or apart == held:
            return False
        self._store.change(self.saved, about={**self.saved.about, "held_apart": sorted(apart)})
        return True

    @property
    def _held_apart(self) -> set[int]:
        """The seats of people that somebody has held without holding all of them."""
        return set(self.saved.about.get("held_apart", ()))

    def _teams(self, seats: Collection[int]) -> set[int]:
        return {self.position.teams[seat] for seat in seats}

    def _own(self, seats: Collection[int], purpose: str) -> set[int]:
        """The seats of people among some seats; ``Problem`` if there are none."""
        mine = set(self.people) & set(seats)
        if not mine:
            raise Problem("seat", f"only players of this game can {purpose}")
        return mine

    def set_name(self, name: str, seats: Collection[int]) -> None:
        """Name the person who plays some seats; ``Problem`` if no seat of a person is held."""
        mine = self._own(seats, "give their names")
        named = [
            {**who, "name": name} if seat in mine else who
            for seat, who in enumerate(self.saved.seats)
        ]
        self._store.change(self.saved, seats=named)

    def set_pace(self, pace: float) -> None:
        """Change the pace of a game between programs."""
        self._store.change(self.saved, pace=pace)

    @property
    def is_paused(self) -> bool:
        """Whether a game between programs is paused."""
        return bool(self.saved.about.get("paused", False))

    def set_paused(self, paused: bool) -> None:
        """Pause a game between programs, or resume it."""
        self._store.change(self.saved, about={**self.saved.about, "paused": paused})

    @property
    def choices(self) -> list[Action]:
        """The legal actions for a person, ordered by action number."""
        is_asked = not self.is_over and self.position.to_move in self.people
        return self.position.choices if is_asked else []

    @property
    def _open_events(self) -> list[Event]:
        """What the actions of the current turn have done so far."""
        has_acted = any(who != CHANCE for who in self._chose[self._begun :])
        return self.position.events if has_acted else []

    @property
    def ending(self) -> str:
        """The end of the game in words; empty while it is in progress."""
        if self.saved.forfeit is not None:
            how = "ran out of time" if self.saved.resigned is None else "resigned"
            return f"{self.position.seats[self.saved.forfeit]} {how}."
        if self.position.is_over:
            return result(self.position)
        if self.position.is_truncated:
            return cut_off(self.position)
        if self.saved.kind != OPENED and self.length >= LONGEST_GAME:
            return f"Cut off after {LONGEST_GAME:,} actions and rolls."
        return ""

    @property
    def returns(self) -> tuple[float, ...] | None:
        """As :attr:`Position.returns`; a player who resigns loses, with the player's team."""
        if self.saved.forfeit is None:
            return self.position.returns
        return returns_after_forfeit(self.position.teams, self.saved.forfeit)

    @property
    def record(self) -> GameRecord:
        """The game as a record, to be written to a file.

        A copy: it does not change as the game continues.
        """
        game = self.saved
        about = {
            **game.about,
            "start": game.start,
            "resigned": game.resigned,
            "out_of_time": game.out_of_time,
        }
        if game.turn_time is not None:  # as in PGN
            about["tags"] = {"TimeControl": f"1/{game.turn_time:g}"}
        players = map(_name_of, game.seats)
        return GameRecord.from_about(game.ruleset, game.choices[:], players, about)

    def record_with(self, remarks: Iterable[str]) -> GameRecord:
        """The record, with comments on the whole game after its last turn."""
        record, last = self.record, len(self.turns)
        added = (*record.comments.get(last, ()), *remarks)
        return replace(record, comments={**record.comments, last: added})

    def at(self, length: int) -> Position:
        """The position after some number of choices."""
        if length == self.length:
            return self.position
        number = length // KEPT_EVERY
        kept = self._kept[number - 1] if number else self._beginning
        position = kept.position.copy()
        for choice in self.saved.choices[kept.length : length]:
            position.play_action(choice)
        return position

    def until(self, length: int) -> GameRecord:
        """The game up to some number of choices, to be continued from there."""
        return GameRecord(self.saved.ruleset, self.saved.choices[:length], self.saved.start)

    def lines(self, first: int, end: int, you: Collection[int]) -> list[list[Any]]:
        """Some of the completed turns as clients see them, told to players."""
        return [[*line[:-1], self._told(line.events, you)] for line in self.turns[first:end]]

    def _told(self, events: Iterable[Event], you: Collection[int]) -> list[str]:
        """Sentences on events, told to players; "you" are those of one team only."""
        return sentences(events, self.position.seats, you if len(self._teams(you)) == 1 else ())

    def view(self, you: Collection[int]) -> dict[str, Any]:
        """The position as clients with these seats see it, without drawings and turns."""
        position = self.position
        return {
            "game": self.id,
            "ply": self.length,
            "text": self.text,
            "to_move": None if self.is_over else position.to_move,
            "turn": position.turns,
            "turn_limit": position.turn_limit,
            "labels": position.labels,
            "events": self._told(self._open_events, you),
            "question": position.question,
            "legal": list(map(sent, self.choices)),
            "only_pass": guides.why_pass(position) if len(self.choices) == 1 else "",
            "points": list(position.points) if position.ruleset.game.has_points else None,
            "over": self.is_over,
            "ending": self.ending,
            "returns": self.returns,
            "rematch": self.rematch,
            "paused": self.is_paused,
            "pace": self.saved.pace,
            "time_left": self.time_left,
            "can_undo": self.can_undo,
            "can_take_back": self.can_take_back(you),
            "asks_to_take_back": self._asked,
            "offers_rematch": self._offers,
            "may_get_help": not self.is_between_people(you),
            "whose": "" if position.is_over else mover(position),
        }

    @property
    def time_left(self) -> float | None:
        """Seconds that are left for the turn; None if no time runs."""
        deadline = self.saved.deadline
        return None if deadline is None else round(max(0.0, deadline - self._store.now()), 3)

    def _go_to(self, length: int) -> None:
        """Replay the first choices, from the last position before that is kept."""
        del self._kept[length // KEPT_EVERY :]
        try:
            self._replay(self._kept[-1] if self._kept else self._beginning, length)
        except (IllegalMove, ValueError) as error:
            raise Problem("damaged", f"this game cannot be replayed: {error}") from None
        self._text = None

    def _replay(self, kept: _Kept, length: int) -> None:
        self.position, self._dice = kept.position.copy(), Dice.at(kept.generator)
        del self._chose[kept.length :], self.turns[kept.turns :]
        self._begun = kept.begun
        self.saved.choices = self.saved.choices[:length]
        for choice in self.saved.choices[kept.length :]:
            if self.position.is_chance and self.saved.kind != OPENED:
                self.position.copy().roll(self._dice)
            self._step(choice)

    def _roll_first(self) -> None:
        """Roll if the game begins with a roll."""
        if self.position.is_chance and not self.is_over:
            made = self._roll_all()
            self._store.append(self.saved, made)
            self.saved.choices.extend(made)

    def _roll_all(self) -> list[int]:
        made, position = [], self.position
        while position.is_chance and not position.is_truncated:
            with np.errstate(over="ignore"):
                label = position.copy().roll(self._dice)
            made.append(position.action(label))
            self._step(made[-1])
        self._text = None
        return made

    def _step(self, choice: int) -> None:
        """Play a choice, and record its seat and whether it completed a turn."""
        position = self.position
        who = position.to_move
        turn = position.turns
        position.play_action(choice)
        self._chose.append(CHANCE if who in (None, -1) else who)
        if position.is_over or position.turns != turn:
            end = len(self._chose)
            seats = [seat for seat in self._chose[self._begun : end] if seat != CHANCE]
            labels = tuple(position.last_turn)
            events = tuple(position.events)
            self.turns.append(TurnLine(self._begun, end, (seats or [0])[0], labels, events))
            self._begun = end
        if len(self._chose) == (len(self._kept) + 1) * KEPT_EVERY:
            self._keep()

    @property
    def _beginning(self) -> _Kept:
        game, wanted = self.saved, len(self.saved.ruleset.seats)
        if len(game.seats) != wanted:
            raise ValueError(f"it has {len(game.seats)} seats stored, instead of {wanted}")
        return _Kept(0, Position.from_text(game.ruleset, game.start), game.dice, 0, 0)

    def _keep(self) -> None:
        generator = int(self._dice.generator[0])
        position, turns = self.position.copy(), len(self.turns)
        self._kept.append(_Kept(len(self._chose), position, generator, turns, self._begun))

    def _cut(self, length: int, seat: int | None = None) -> None:
        """Go back to a length, and to a turn of a seat, whose time begins anew, if one is given."""
        columns = {} if seat is None or not self._has_clock else self._time_of(seat)
        self._store.cut(self.saved, length, **columns)
        self._asked = self._offers = None
        self._go_to(length)

    def _check_turn(self, seats: Collection[int]) -> None:
        if self.is_over:
            raise Problem("over", "the game is over")
        if self.position.to_move not in seats:
            raise Problem("turn", f"it is {mover(self.position)}'s turn")
        if self.position.to_move not in self.people:
            raise Problem("turn", f"a program plays {mover(self.position)}")

    def _last_turn_of(self, seat: int) -> int | None:
        """The choices made before the last turn of a seat; None if there is none."""
        end = self.length
        for first in (self._begun, *(line.first for line in reversed(self.turns))):
            if (own := self._chose.find(seat, first, end)) >= 0:
                return own
            end = first
        return None


def fields_of(record: GameRecord) -> dict[str, Any]:
    """A record as JSON, for a worker."""
    return {
        "variant": record.ruleset.name,
        "options": dict(record.ruleset.options),
        "choices": record.choices.tolist(),
        "players": list(record.players),
        **record.about,
    }


def record_of(fields: dict[str, Any]) -> GameRecord:
    """The record that :func:`fields_of` wrote."""
    ruleset = variants.published_ruleset(fields["variant"], **fields["options"])
    choices = array("H", fields["choices"])
    return GameRecord.from_about(ruleset, choices, fields.get("players", ()), fields)


def remark_of(feedback: dict[str, Any]) -> str:
    """Feedback on a game, as a comment for its record."""
    who = f" by {feedback['name']}" if feedback["name"] else ""
    length = {"short": "too short", "long": "too long"}.get(feedback["length"], "right length")
    text = f"Rated {feedback['rating']} of 5{who}, {length}. {feedback['comment']}"
    shown = "".join(c if c.isprintable() and c not in "{}[]" else " " for c in text)
    return " ".join(word[:200] for word in shown.split())


def records_in(file: Path) -> Iterator[GameRecord]:
    """The games that were played on a page, with what was said of them and the times of turns.

    Raises:
        sqlite3.Error: if it is no store.
        ValueError: if it was written by another version, or holds a game that cannot be played.
    """
    store, game = Store(file), ""
    try:
        for game in store.played():
            saved = store.find(game)
            assert saved is not None
            live = LiveGame(saved, store)
            record = live.record_with(map(remark_of, store.feedback(game)))
            yield with_clocks(record, store.times(game), live.met)
    except Problem as error:
        raise ValueError(f"{file}, game {game}: {error}") from error
    finally:
        store.close()


def digest(secret: str) -> str:
    """The digest of a secret, which is stored instead of it."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _reserved(name: str, until: float) -> dict[str, Any]:
    """An open seat that nobody else can join until then."""
    return {"player": PERSON, "name": name, "open": True, "reserved": until}


def _new_secret() -> str:
    return secrets.token_urlsafe(12)


def _name_of(who: dict[str, Any]) -> str | None:
    name = who.get("name") or who["player"]
    return str(name) if name else None
