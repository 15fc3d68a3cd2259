"""One game, with labels and position texts, for people, files and search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, wraps
from operator import index
from typing import Any, Concatenate, NamedTuple, TypeAlias

import numpy as np

from pasgl_env.contract import description, events, variants
from pasgl_env.contract.base import always_has_room
from pasgl_env.contract.description import Action
from pasgl_env.contract.events import Event
from pasgl_env.contract.game import Game, OptionValue, brief
from pasgl_env.contract.ruleset import HasRuleset, Ruleset
from pasgl_env.engine.dice import Dice, is_integer
from pasgl_env.engine.errors import IllegalMove, over_at_start
from pasgl_env.engine.loops import NOTHING, loops_of
from pasgl_env.engine.perft import perft
from pasgl_env.engine.results import returns_of
from pasgl_env.engine.sharing import Arguments, Result, Shared, alone, to_read
from pasgl_env.jit.compiled import wrapping

_NOT_OVER = -2
_STARTS_KEPT_EVERY = 64
# Larger counts are made move by move, so that they can be interrupted.
_PERFT_AT_ONCE = 3


class _Turn(NamedTuple):
    """A turn, as far as it has been played, linked to the turn before it."""

    start: bytes  # bytes of the state at its start; empty for most turns before the last two
    played: list[int]  # actions and outcomes
    before: _Turn | None


_NO_TURN = _Turn(b"", [], None)

Mark: TypeAlias = tuple[_Turn, int, int, bool]
"""A moment of a position's game: a turn, its number of choices, its number, whether it is whole."""


def _whole(
    method: Callable[Concatenate[Position, Arguments], Result],
) -> Callable[Concatenate[Position, Arguments], Result]:
    """Go back to where a method began if an exception ends it, such as that of a signal's handler.

    To defer signals would take as long as several actions.
    """

    @wraps(method)
    def call(self: Position, /, *arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
        mark = self.mark()
        try:
            return method(self, *arguments, **named)
        except BaseException:
            self.return_to(mark)
            raise

    return call


class Position(HasRuleset, Shared):
    """A position of a variant, changed in place by :meth:`play`, by one thread at a time.

    >>> position = Position("pasgl312")
    >>> position.text
    'tsfhbdwt/pppppppp/8/8/8/8/PPPPPPPP/TSFHBDWT ./././. ./. 1 w 0:0 0 0'
    >>> len(position.legal_moves())
    36
    >>> position.play("Th1h2").play("wg8g6").to_move
    0
    >>> Position.from_text("pasgl312", position.text).text == position.text
    True
    >>> position.play("Th2h9")
    Traceback (most recent call last):
    ...
    pasgl_env.engine.errors.IllegalMove: 'Th2h9' is not legal here; legal are ...

    Args:
        variant: a name of :func:`pasgl_env.contract.variants.names`, or a ruleset.
        options: the variant's options.

    Raises:
        ValueError: for an unknown variant or option, or an invalid value.
    """

    def __init__(self, variant: str | Ruleset, **options: OptionValue) -> None:
        self._users = {}
        self.ruleset = variants.published_ruleset(variant, **options)
        self._game = self.ruleset.game
        self._options = self.ruleset.record
        self._loops = loops_of(self._game, "positions")
        self._spaces = self.ruleset.spaces
        self._states = np.zeros(1, self._game.state)
        self._mask = np.zeros(self._spaces.actions, np.uint8)
        self._numbers: dict[str, int] = {}  # actions by the labels they have had; shared by copies
        self._loops.restart(self._states, self._options)
        self._begin()

    @classmethod
    def from_text(
        cls, variant: str | Ruleset, text: str | None, **options: OptionValue
    ) -> Position:
        """The position that a canonical position text describes; the start for None.

        Raises:
            ValueError: if the text is invalid; names the field and the reason.
        """
        position = cls(variant, **options)
        if text is not None:
            position._read(text)
        return position

    @classmethod
    def from_state(
        cls, variant: str | Ruleset, state: np.ndarray, **options: OptionValue
    ) -> Position:
        """The position in a state record, such as one of :attr:`pasgl_env.Batch.states`.

        In the middle of a turn, the labels played so far are not known: ``text`` raises an error
        until the next turn begins, but actions, labels and observations are available.

        >>> Position.from_state("pasgl312", Position("pasgl312").play("Th1h2").state).to_move
        1

        Args:
            variant: a name of :func:`pasgl_env.contract.variants.names`, or a ruleset.
            state: a record of the variant's state, or an array of one.
            options: the variant's options.

        Raises:
            ValueError: if the state is impossible, or as for the constructor.
        """
        position = cls(variant, **options)
        game, given = position._game, np.asarray(state).reshape(-1)
        if given.shape != (1,) or given.dtype.descr != game.state.descr:
            raise ValueError(
                f"state must be a record of {game.name}'s state dtype, not {given.dtype} of shape"
                f" {np.shape(state)}"
            )
        position._states = np.array(given.view(game.state))
        if not game.accepts(position._states[0], position._options[0]):
            raise ValueError(f"state: not a possible position of {game.name}")
        position._begin()
        return position

    @property
    @to_read
    def text(self) -> str:
        """Canonical position text; in mid-turn, that of its start and the labels played since.

        Raises:
            ValueError: in a turn that began before :meth:`from_state` made the position.
        """
        if not self.in_turn:
            return self._game.texts.write(self._states[0], self._options[0])
        if not self._turn_is_whole:
            raise ValueError(
                "this turn began before the position was made from a state, so its text is not"
                " known before the next turn"
            )
        start = self._game.texts.write(self._states_of(self._turn.start)[0], self._options[0])
        return f"{start} {','.join(self.labels)}"

    @property
    def to_move(self) -> int | None:
        """Index of the player to act; -1 at a chance node; None when the game is over."""
        return self._to_move if self._best == _NOT_OVER else None

    @property
    def is_chance(self) -> bool:
        """Whether this is a chance node, where dice have to be rolled."""
        return self._to_move == -1

    @property
    def is_over(self) -> bool:
        """Whether the game has ended by its rules; only environments have a turn limit."""
        return self._best != _NOT_OVER

    @property
    def is_truncated(self) -> bool:
        """Whether environments truncate here: turn limit reached, or no room for the history."""
        return bool(self._is_truncated)

    @property
    def returns(self) -> tuple[float, ...] | None:
        """For each player +1 for a win, -1 for a loss, 0 for a draw; None before the end."""
        if self._best == _NOT_OVER:
            return None
        return returns_of(self.teams, self._best)

    @property
    def teams(self) -> tuple[int, ...]:
        """The team of each player; teams are numbered from 0."""
        return self.ruleset.teams

    @property
    def points(self) -> tuple[int, ...]:
        """Every player's score; zeros in games without scores."""
        state = self._states[0]
        return tuple(
            int(self._game.points(state, player)) for player in range(self._spaces.players)
        )

    @property
    def turns(self) -> int:
        """Number of completed turns of all players together."""
        return self._turns

    @property
    def turn_limit(self) -> int:
        """The option ``turn_limit``: turns after which environments truncate, 0 for never."""
        return int(self._options["turn_limit"][0])

    @property
    def seats(self) -> tuple[str, ...]:
        """The players' names, such as colours."""
        return self.ruleset.seats

    @property
    def question(self) -> str:
        """The choice that the player to act has to make in mid-turn; otherwise empty."""
        if not self.in_turn:
            return ""
        return description.question(self._game, self._states[0], self._options[0])

    @property
    def in_turn(self) -> bool:
        """Whether a turn is in progress; the text then includes the labels played in it."""
        return bool(self._is_in_turn)

    @property
    def labels(self) -> list[str]:
        """Labels of the actions and rolls in the current turn.

        Computed on access. For a position read from a text, only those played since.
        """
        return self._labels_of(self._turn)

    @property
    def last_turn(self) -> list[str]:
        """Labels of the last completed turn, with the same limits; [] if there is none.

        >>> Position("pasgl312").play("Th1h2").last_turn
        ['Th1h2']
        """
        return self._labels_of(self._turn.before or _NO_TURN)

    @property
    @to_read
    def history(self) -> list[str]:
        """Labels of all actions and rolls since the position was created, in order.

        Computed on access by replaying everything.

        >>> Position("pasgl312").play("Th1h2").play("wg8g6").history
        ['Th1h2', 'wg8g6']
        """
        return self._labels_of(self._all_turns())

    @property
    @to_read
    def path(self) -> tuple[np.ndarray, np.ndarray]:
        """The state in which the position was created, and the choices played since.

        An array of one record, and actions and outcomes of chance ``int64[k]``, in order.

        >>> position = Position("pasgl312").play("Th1h2").play("wg8g6")
        >>> again = Position.from_state("pasgl312", position.path[0])
        >>> [again.label(action) for action in position.path[1][:1].tolist()]
        ['Th1h2']
        """
        start, played, _ = self._all_turns()
        return self._states_of(start), np.array(played, np.int64)

    @property
    @to_read
    def state(self) -> np.ndarray:
        """A copy of the state, an array of one record, like an element of a batch's ``states``."""
        return _copied(self._states)

    @property
    def action_mask(self) -> np.ndarray:
        """``uint8[A]``: 1 for legal actions of the environments; all 0 at a chance node. A copy."""
        return self._mask.copy()

    def observation(self, player: int | None = None) -> np.ndarray:
        """The view of a player (None: the player to act): ``uint8[C, H, W]``, 0 or 1.

        Raises:
            ValueError: if there is no such player, or for None at a chance node.
        """
        seat = self._to_move if player is None else player
        players = self._spaces.players
        if not is_integer(seat) or not 0 <= seat < players:
            raise ValueError(f"player must be from 0 to {players - 1}, not {brief(player)}")
        seen = np.empty(self._spaces.observation, np.uint8)
        self._loops.observe_one(self._states, self._options, index(seat), seen)
        return seen

    def legal_actions(self) -> list[int]:
        """The legal actions of the environments' ``Discrete`` space, ascending; [] when over.

        At a chance node, the numbers of its outcomes, which are not actions of the space.
        """
        actions: list[int] = np.flatnonzero(self._choices).tolist()
        return actions

    def legal_moves(self) -> list[str]:
        """Sorted labels of the legal actions or outcomes; [] when the game is over."""
        return sorted(label for _, label in self._labelled())

    def label(self, action: int) -> str:
        """The label of a legal action, or of an outcome at a chance node.

        Raises:
            IllegalMove: if the action is not legal here.
        """
        legal = self._checked(action)
        if self.is_chance:
            return self._game.chance.label(legal)
        return description.label(self._game, self._states[0], self._options[0], legal)

    def describe(self, action: int) -> Action:
        """A legal action in words, with its piece and squares.

        >>> position = Position("pasgl312")
        >>> position.describe(position.action("Th1h2")).words
        'Move: Turkey h1 to h2'

        Raises:
            IllegalMove: if the action is not legal here, or dice are due.
        """
        legal = self._checked(action)
        if self.is_chance:
            raise IllegalMove("an outcome of chance is not an action of a player")
        return self._described([legal])[0]

    @property
    def choices(self) -> list[Action]:
        """The legal actions in the order of :meth:`legal_actions`; [] at a chance node."""
        return [] if self.is_chance else self._described(self.legal_actions())

    def _labelled(self) -> Iterator[tuple[int, str]]:
        """The legal actions, or outcomes, with their labels."""
        actions = self.legal_actions()
        if self.is_chance:
            return zip(actions, map(self._game.chance.label, actions), strict=True)
        described = self._described(actions)
        return zip(actions, (each.label for each in described), strict=True)

    def _described(self, actions: list[int]) -> list[Action]:
        return description.describe(self._game, self._states[0], self._options[0], actions)

    @property
    def played(self) -> list[Action]:
        """The actions of this turn; of the turn before if nobody has acted in this one.

        >>> [action.target for action in Position("pasgl312").play("Th1h2").played]
        ['h2']
        """
        return [
            description.describe(self._game, before[0], self._options[0], [action])[0]
            for before, action, _ in self._acted()
        ]

    @property
    def rolled(self) -> int:
        """The last outcome of chance in this turn; -1: none since the position was created.

        >>> position = Position("pachessi").play("roll 2 6")
        >>> position.ruleset.game.chance.label(position.rolled)
        'roll 2 6'
        """
        steps = self._replayed(self._turn)
        rolls = [choice for before, choice, _ in steps if self._awaits_chance(before)]
        return rolls[-1] if rolls else -1

    @property
    def events(self) -> list[Event]:
        """What the actions of :attr:`played` did, in order; [] in games without events.

        >>> from pasgl_env.contract.events import sentences
        >>> text = "4b3/8/8/4t3/8/8/4H3/4B3 ./././. ./. 1 w 0:0 0 0"
        >>> position = Position.from_text("pasgl312", text).play("He2:e5")
        >>> sentences(position.events, position.seats)
        ["White's Hunter shot Black's Turkey on e5."]
        """
        return [
            event
            for before, action, after in self._acted()
            for event in events.events(self._game, before[0], self._options[0], action, after[0])
        ]

    def effects(self, action: int) -> list[Event]:
        """What a legal action would do; [] in games without events.

        Raises:
            IllegalMove: if the action is not legal here.
        """
        after = self.copy().play_action(action)._states[0]
        options = self._options[0]
        if self.is_chance:
            return []
        return events.events(self._game, self._states[0], options, int(action), after)

    def outcome_probability(self, label: str) -> float:
        """The probability of an outcome of this chance node.

        >>> Position("pachessi").outcome_probability("roll 2 6")
        0.0555...

        Raises:
            IllegalMove: if no outcome has this label here.
        """
        outcome = self.action(label)
        if not self.is_chance:
            raise IllegalMove(f"{brief(label)} is not an outcome: no dice are due here")
        shares = self._choices
        return float(shares[outcome] / shares.sum())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of a chance node with their probabilities; [] elsewhere.

        Outcomes are numbers for :meth:`play_action` and :meth:`label`.

        >>> Position("pachessi").chance_outcomes()[0]
        (0, 0.0277...)
        """
        if not self.is_chance:
            return []
        shares = self._choices
        total = int(shares.sum())
        return [(outcome, int(shares[outcome]) / total) for outcome in self.legal_actions()]

    @alone
    @_whole
    def roll(self, dice: Dice) -> str:
        """Roll the dice, in place; return the label of the outcome.

        Raises:
            IllegalMove: if no dice are due here; nothing changes then.
        """
        if not self.is_chance:
            raise IllegalMove("there is nothing to roll: no dice are due here")
        before = dice.generator.item()
        try:
            with wrapping():
                outcome = int(self._loops.roll(self._states, self._options, dice.generator))
            self._advance(outcome)
            return self._game.chance.label(outcome)
        except BaseException:
            dice.generator[0] = before
            raise

    def action(self, label: str) -> int:
        """The legal action that a label names.

        Raises:
            IllegalMove: if no legal action has this label.
        """
        given: Any = label
        known = self._numbers.get(label, -1) if isinstance(given, str) else -1
        if self._is_choice(known) and self.label(known) == label:
            return known
        for action, its in self._labelled():
            if its == label:
                self._numbers[label] = action
                return action
        raise IllegalMove(f"{brief(label)} is not legal here; {self._legal_hint()}")

    def play(self, label: str) -> Position:
        """Play one action, or an outcome of chance, by its label, in place; return the position.

        Raises:
            IllegalMove: if no legal action has this label; nothing changes then.
        """
        return self.play_action(self.action(label))

    @alone
    def play_action(self, action: int) -> Position:
        """Play one action, or an outcome of chance, by its number, in place; return the position.

        Raises:
            IllegalMove: if the action is not legal here; nothing changes then.
        """
        mark = self.mark()
        try:  # as in `_whole`, with one call less
            self._advance(self._checked(action))
        except BaseException:
            self.return_to(mark)
            raise
        return self

    @alone
    @_whole
    def undo(self) -> Position:
        """Take back the last action or roll, in place; return the position.

        >>> position = Position("pasgl312")
        >>> position.play("Th1h2").undo() == Position("pasgl312")
        True

        Raises:
            IndexError: if nothing has been played since the position was created.
        """
        turn = self._turn if self._turn.played else self._turn.before
        if turn is None:
            raise IndexError(
                "nothing to undo: nothing has been played since the position was created"
            )
        *played, _ = turn.played
        self._states = self._states_of(turn.start)
        self._begin(turn.before)
        for choice in played:
            self._advance(choice)
        return self

    def mark(self) -> Mark:
        """This moment of the game, for :meth:`return_to`."""
        turn = self._turn
        return turn, len(turn.played), self._turn_number, self._turn_is_whole

    def return_to(self, mark: Mark) -> None:
        """Return to an earlier moment of this game, even if exceptions come meanwhile.

        In time that does not depend on how much has been played since.
        """
        turn, played, number, is_whole = mark
        try:
            del turn.played[played:]
            states = self._states_of(turn.start)
            for choice in turn.played:
                self._loops.play_one(states, self._options, choice)
            self._states, self._turn = states, turn
            self._turn_number, self._turn_is_whole = number, is_whole
            self._note(self._loops.advance(states, self._options, NOTHING, self._mask))
        except BaseException:
            self.return_to(mark)
            raise

    @to_read
    def copy(self) -> Position:
        """An independent copy."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._users = {}
        twin._states = _copied(self._states)
        twin._turn = self._turn._replace(played=self._turn.played.copy())
        twin._mask = self._mask.copy()
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> Position:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        """Whether variant, options and everything that affects the future are the same.

        The moves played do not matter, except in games that remember earlier positions, such as
        Captain Spalding Chess: there, positions are equal if they remember the same positions in
        the same order.
        """
        if not isinstance(other, Position):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        """Changes with every action: use copies in sets and dictionaries."""
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        state = self._states.tobytes()
        has_memory = self._game.has_no_room is not always_has_room
        is_known = not self._is_in_turn or self._turn_is_whole
        text = self.text if is_known else ""
        return self.variant, self._options.tobytes(), text, state if has_memory or not text else b""

    def perft(self, depth: int) -> int:
        """Number of sequences of ``depth`` actions and outcomes of chance; 1 for depth 0.

        Raises:
            ValueError: if the depth is negative or not an integer.
        """
        if type(depth) is not int or depth < 0:
            raise ValueError(f"depth must be a non-negative integer, not {brief(depth)}")
        if depth == 0:
            return 1
        if depth > _PERFT_AT_ONCE:
            plays = (self.copy().play_action(action) for action in self.legal_actions())
            return sum(position.perft(depth - 1) for position in plays)
        return perft(self._game, self._states, self._options, self._mask.size, depth)

    def __str__(self) -> str:
        """A text diagram."""
        from pasgl_env import render

        return render.diagram(self)

    def _repr_svg_(self) -> str:
        """An SVG drawing, for notebooks."""
        from pasgl_env import render

        return render.svg(self)

    def __repr__(self) -> str:
        if self._is_in_turn and not self._turn_is_whole:
            return f"<Position of {self.variant} in the middle of a turn>"
        return f"Position.from_text({self.variant!r}, {self.text!r})"

    def _begin(self, before: _Turn | None = None) -> None:
        """Update everything for a state at the start of a turn, after another turn."""
        self._note(self._loops.advance(self._states, self._options, NOTHING, self._mask))
        # Only a state passed to from_state can be in mid-turn here.
        self._turn_is_whole = not self._is_in_turn
        self._begin_turn(before)

    def _advance(self, choice: int) -> None:
        """Play a legal action or an outcome."""
        self._note(self._loops.advance(self._states, self._options, choice, self._mask))
        self._turn.played.append(choice)
        if self._best != _NOT_OVER or self._turns != self._turn_number:
            self._turn_is_whole = True
            self._begin_turn(self._turn)

    def _note(self, facts: tuple[int, int, int, bool, int]) -> None:
        """Store the loops' facts about the state."""
        known = tuple(map(int, facts))  # NumPy's integers, if the loops are not compiled
        self._to_move, self._is_in_turn, self._best, self._is_truncated, self._turns = known

    @property
    def _choices(self) -> np.ndarray:
        """Above 0 for legal actions, or at a chance node for possible outcomes."""
        if self._to_move >= 0:
            return self._mask
        shares = np.empty(self._game.chance.outcomes, np.int64)
        self._loops.outcomes(self._states, self._options, shares)
        return shares

    def _begin_turn(self, before: _Turn | None) -> None:
        self._turn_number = self._turns
        if before is not None and before.before is not None:
            earlier = before.before
            if earlier.before is not None and self._turns % _STARTS_KEPT_EVERY:
                earlier = _Turn(b"", earlier.played, earlier.before)
            before = _Turn(before.start or self._start_of(before), before.played, earlier)
        self._turn = _Turn(self._states.tobytes(), [], before)

    def _start_of(self, turn: _Turn) -> bytes:
        """The start of a turn that is not kept, from the last one before that is."""
        later = list[_Turn]()
        while not turn.start:
            assert turn.before is not None  # the first turn's start is kept
            turn = turn.before
            later.append(turn)
        states = self._states_of(turn.start)
        for each in reversed(later):
            for choice in each.played:
                self._loops.play_one(states, self._options, choice)
        return states.tobytes()

    def _all_turns(self) -> _Turn:
        """All turns as one."""
        turns = self._turns_back()[::-1]
        return _Turn(turns[0].start, [choice for turn in turns for choice in turn.played], None)

    def _turns_back(self) -> list[_Turn]:
        """This turn and those before it, the latest first."""
        turns = [self._turn]
        while (before := turns[-1].before) is not None:
            turns.append(before)
        return turns

    def _states_of(self, content: bytes) -> np.ndarray:
        """An array of one record with these bytes."""
        return _copied(np.frombuffer(content, self._game.state))

    def _labels_of(self, turn: _Turn) -> list[str]:
        return [
            self._game.chance.label(choice)
            if self._awaits_chance(states)
            else description.label(self._game, states[0], self._options[0], choice)
            for states, choice, _ in self._replayed(turn)
        ]

    def _acted(self) -> list[tuple[np.ndarray, int, np.ndarray]]:
        """The actions of this turn, or the one before, each between its states."""
        for turn in filter(None, (self._turn, self._turn.before)):
            steps = self._replayed(turn)
            if acted := [step for step in steps if not self._awaits_chance(step[0])]:
                return acted
        return []

    def _replayed(self, turn: _Turn) -> Iterator[tuple[np.ndarray, int, np.ndarray]]:
        """Each choice of a turn, between the states before and after it."""
        before = self._states_of(turn.start)
        for choice in turn.played:
            after = _copied(before)
            self._loops.play_one(after, self._options, choice)
            yield before, choice, after
            before = after

    def _awaits_chance(self, states: np.ndarray) -> bool:
        chance = self._game.chance
        return chance.outcomes > 0 and chance.weight(states[0], self._options[0]) > 0

    @to_read
    def __getstate__(self) -> dict[str, Any]:
        # A list, because pickle follows references recursively.
        turns = [turn[:2] for turn in self._turns_back()]
        kept: dict[str, Any] = {
            "_game": None,
            "_options": None,
            "_loops": None,
            "_numbers": {},
            "_turn": turns,
            "_users": {},
        }
        return {**self.__dict__, **kept}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        turn: _Turn | None = None
        for start, played in reversed(state["_turn"]):
            turn = _Turn(start, played, turn)
        self._turn = turn or _NO_TURN
        self._game, self._options = self.ruleset.game, self.ruleset.record
        self._loops = loops_of(self._game, "positions")

    def _checked(self, action: int) -> int:
        """A legal action as an ``int``: the rules would be recompiled for any other type."""
        number = action if type(action) is int else index(action) if is_integer(action) else -1
        if not self._is_choice(number):
            raise IllegalMove(f"action {brief(action)} is not legal here; {self._legal_hint()}")
        return number

    def _is_choice(self, number: int) -> bool:
        choices = self._mask if self._to_move >= 0 else self._choices
        return 0 <= number < choices.size and choices[number] > 0

    def _legal_hint(self) -> str:
        actions = self.legal_actions()
        if not actions:
            return "the game is over"
        # Making labels takes time: make only those shown.
        some = sorted(map(self.label, actions[:8]))
        more = f", ... ({len(actions)} in all)" if len(actions) > 8 else ""
        return f"legal are {', '.join(some)}{more}"

    def _read(self, text: str) -> None:
        if not isinstance(text, str):
            raise ValueError(f"a position text must be a str, not {type(text).__name__}")
        wanted = text_fields(self._game)
        fields = text.split(" ", wanted if self._game.texts.spaced_labels else -1)
        if len(fields) not in (wanted, wanted + 1):
            raise ValueError(
                f"a position text of {self.variant} has {wanted} fields separated by single spaces,"
                f" and a field of labels in the middle of a turn; this one has {len(fields)}"
            )
        self._states[:] = np.zeros(1, self._game.state)
        self._game.texts.read(" ".join(fields[:wanted]), self._options[0], self._states[0])
        self._begin()
        for label in fields[wanted].split(",") if len(fields) > wanted else []:
            self._play_in_turn(label)

    def _play_in_turn(self, label: str) -> None:
        try:
            self.play(label)
        except IllegalMove as error:
            raise ValueError(f"labels: {error}") from None
        if not self._is_in_turn:
            raise ValueError(
                f"labels: {brief(label)} completes the turn, which must still be incomplete"
            )


def check_start(ruleset: Ruleset) -> None:
    """Raise ``ValueError`` if no action is legal at the start under these rules."""
    if Position(ruleset).is_over:
        raise over_at_start(ruleset)


@cache
def text_fields(game: Game) -> int:
    """The number of fields in a game's position texts, without that of labels."""
    return len(Position(Ruleset.of(game, {})).text.split(" "))


def _copied(states: np.ndarray) -> np.ndarray:
    """A copy of records by bytes: NumPy's copy, field by field, takes four times as long."""
    return states.view(np.uint8).copy().view(states.dtype)
