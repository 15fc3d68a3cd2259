"""The optional parts of a game.

A part is a module of :attr:`Game.package`, with the name that its function here imports. It is
imported on first use. Games can be played, trained and measured without parts; a feature that
needs a missing part raises ``NotImplementedError``.

=================== ==================== =======================================================
Module              Type                 Needed by
=================== ==================== =======================================================
description         :class:`Description` choosing actions on a board, labels, words
events              :class:`Events`      what actions did, in words
notation            :class:`Notation`    record files in text form
drawing.diagram     :class:`Diagram`     ``str(position)``, ``pasgl show``, render mode ``ansi``
drawing.svg         :class:`Drawing`     images, films, ``pasgl draw``, the web page
summary             :class:`Summary`     ``pasgl rules``
editing             :class:`Editing`     the position editor of the web page; needs a description
guide               :class:`Guide`       legend and explanations of the web page
statistics.counters :class:`Counters`    the game's own counters in playtests
statistics.material :class:`Material`    the values of pieces that playtests estimate
analyses            :class:`Analyses`    ``pasgl judge``
=================== ==================== =======================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.game import Game

if TYPE_CHECKING:
    from pasgl_env.contract.counters import Counter
    from pasgl_env.contract.description import Symbol, Verb
    from pasgl_env.contract.editing import Field
    from pasgl_env.contract.events import EventKind
    from pasgl_env.engine.position import Position
    from pasgl_env.records.turn import Turn
    from pasgl_env.render.svg.layout import Layout
    from pasgl_env.render.svg.theme import Theme


class Description(Protocol):
    """What actions do, see :mod:`pasgl_env.contract.description`.

    In a game whose turns are several actions, a module has ``QUESTIONS`` as well: the questions for
    the player to act in the middle of a turn, format strings of the fields of a ``Verb``.
    """

    @property
    def VERBS(self) -> tuple[Verb, ...]:
        """The kinds of actions."""

    @property
    def SQUARES(self) -> tuple[str, ...]:
        """The names of the squares, by their numbers in records."""

    def symbols(self, options: OptionsRecord) -> tuple[Symbol, ...]:
        """The pieces in all their conditions, by their numbers in records."""

    @property
    def describe(self) -> Callable[[State, OptionsRecord, int, Any], Any]:
        """Compiled rule ``(state, options, action, out)``: write a legal action.

        ``out`` is an :data:`pasgl_env.contract.description.ACTION` with -1 in all its fields. For
        the action :data:`pasgl_env.contract.description.QUESTION`, which comes in the middle of a
        turn, write the question instead: its ``kind`` is an index of ``QUESTIONS``.
        """


class Events(Protocol):
    """What actions did, see :mod:`pasgl_env.contract.events`; needs a :class:`Description`."""

    @property
    def KINDS(self) -> tuple[EventKind, ...]:
        """The kinds of events."""

    @property
    def MOST(self) -> int:
        """The largest number of events of an action."""

    @property
    def events(self) -> Callable[[State, OptionsRecord, int, State, np.ndarray], Any]:
        """Compiled rule ``(before, options, action, after, out) -> int``.

        Write the events of an action to ``out``, an array of
        :data:`pasgl_env.contract.events.EVENT`, with :func:`pasgl_env.contract.events.tell`; return
        their number. ``after`` is the state directly after the action, before any roll.
        """


class Notation(Protocol):
    """The inventor's notation of turns."""

    @property
    def COLUMNS(self) -> tuple[str, ...]:
        """Headings of the additional columns in the inventor's table of moves.

        For example ``("Train", "Score")``; ``()`` if there are none.
        """

    def write(self, turn: Turn) -> str:
        """A complete turn as one word without white space, which ``read`` turns back into it."""

    def read(self, before: Position, text: str) -> tuple[str, ...]:
        """The labels of the one complete turn that a word means in a position.

        Raises:
            NotationError: if it means no turn or several.
        """

    def remarks(self, turn: Turn) -> tuple[str, ...]:
        """The entries of the columns after a complete turn.

        Each is a text of words separated by single spaces, such as ``"W:15 B:18"``, or ``""``.
        ``()`` if there are no entries after this turn.
        """

    def is_remark(self, word: str) -> bool:
        """Whether a word looks like one of the remarks and not like a turn."""


class Diagram(Protocol):
    """Text diagrams.

    A module may also have ``compact(state, options) -> str``, a diagram with few lines for small
    terminals. Without it, the separating lines of ``diagram`` are omitted.
    """

    def diagram(self, state: State, options: OptionsRecord) -> str:
        """A state under an options record; lines without trailing spaces."""


class Drawing(Protocol):
    """Drawings: what a position looks like, see :mod:`pasgl_env.contract.scene`."""

    @property
    def MOST(self) -> int:
        """The largest number of sprites of a state."""

    @property
    def scene(self) -> Callable[[State, OptionsRecord, int, np.ndarray, np.ndarray], Any]:
        """Compiled rule ``(state, options, rolled, mask, out) -> int``.

        Write the sprites of a state to ``out``, an array of
        :data:`pasgl_env.contract.scene.SPRITE`, from bottom to top, with
        :func:`pasgl_env.contract.scene.show`; return their number. Words of the title describe the
        situation, such as "turn 7, Black to move". ``rolled`` is the last outcome of chance in the
        current turn, or -1; ``mask`` is room for a mask of legal actions.
        """

    def layout(self, options: OptionsRecord, theme: Theme) -> Layout:
        """Where places are and how sprites look, under options.

        Pieces have the class ``piece`` and the attributes ``data-piece`` (the symbol) and
        ``data-square``; if all players share a letter, ``data-colour`` as well, and icons are named
        with it: ``black-R``.
        """


class Summary(Protocol):
    """The rules on a page."""

    def summary(self, options: OptionsRecord) -> str:
        """The rules in force under an options record, without a heading.

        Lines have at most 80 characters and no trailing spaces. The text is made from the tables of
        the rules, so that it cannot differ from them.
        """


class Piece(NamedTuple):
    """A line of the legend.

    Attributes:
        symbol: for :func:`pasgl_env.render.icon`, in the colours of the first player.
        name: its name.
        move: how it moves and what it does, in a sentence or two.
        others: its symbols in the colours of the other players, in their order.
    """

    symbol: str
    name: str
    move: str
    others: tuple[str, ...] = ()


class Guide(Protocol):
    """Descriptions of pieces and squares.

    A module may also have

    - ``SIGNS``: the signs with which the editor can put a piece, with their meanings, such as
      ``{"-": "without lunch"}``;
    - ``BOARD_SIGNS``: what drawings show besides pieces: CSS selectors of their elements, with
      their meanings, such as ``{".laps": "The number of a piece's laps."}``;
    - ``SHORT_TEXTS``: forms of position texts, ``"{} w - 0"``, of which examples in ``rules.md``
      write only what belongs into the braces;
    - ``WHY_PASS``: the reason, as a sentence, why a player can only pass.
    """

    def pieces(self, options: OptionsRecord) -> list[Piece]:
        """The legend."""

    def describe(self, position: Position, square: str) -> list[str]:
        """Sentences on the content of a square and the rules that apply to it."""

    def why_not(self, position: Position, origin: str, target: str | None) -> str:
        """The reason why nothing can move between two squares, or from one without a target.

        Called if no legal action does so and the player to act has a move to choose.
        """


class Editing(Protocol):
    """How positions are changed by hand, see :mod:`pasgl_env.contract.editing`.

    For position texts on pages without a server, a module may also have

    - ``text(options) -> Text``: of what they consist;
    - ``symbol_on``: a compiled rule ``(state, options, square, number) -> int``: the symbol of a
      piece on a square, from 0 on in the order of texts, or -1 after the last one. With the field
      ``Pieces`` no rule is needed.
    """

    def fields(self, options: OptionsRecord) -> Mapping[str, Field]:
        """What is set beside the pieces, by name."""

    @property
    def put(self) -> Callable[[State, OptionsRecord, int, int], bool]:
        """Compiled rule ``(state, options, square, piece) -> bool``.

        Put a piece on a square, numbers as in records of actions, or empty the square for the piece
        -1. If several pieces may share a square, the piece joins them. False if there is no such
        square, or no further piece of this kind.
        """

    @property
    def begin(self) -> Callable[[State, OptionsRecord], Any]:
        """Compiled rule ``(state, options)``.

        Write what follows from the pieces and the fields, at the start of a turn. It gets any
        position that ``put`` and fields can make, possible or not.
        """


class Counters(Protocol):
    """Counters, see :mod:`pasgl_env.contract.counters`.

    A module may also have

    - ``squares(options) -> Collection[str]``, for boards of different sizes: the names of the
      squares under an options record;
    - ``finish(last, options, tally)``: a compiled rule, called once for every game with its last
      state, whether the game ended by its rules or was truncated.
    """

    @property
    def COUNTERS(self) -> tuple[Counter, ...]:
        """The counters."""

    @property
    def SECTIONS(self) -> Mapping[str, str]:
        """The headings of the report's sections, in order.

        Each maps to the names of its counters, separated by spaces; every counter is in one.
        """

    @property
    def count(self) -> Callable[[State, OptionsRecord, int, State, np.ndarray], Any]:
        """Compiled rule ``(before, options, action, after, tally)``.

        Called for every action of every game, in order. ``before`` is the state in which the action
        was chosen; ``after`` is the state of the next choice, or the last one: all effects of the
        action, and any rolls, have happened there.
        """


class Material(Protocol):
    """The definition of material. The game's state must have a field ``turn_count``."""

    @property
    def KINDS(self) -> tuple[str, ...]:
        """The kinds of pieces; a piece is of at most one kind at a time."""

    @property
    def COVARIATES(self) -> tuple[str, ...]:
        """Other quantities to count for each side, such as points, that affect the result.

        A position is quiet whether or not these change.
        """

    @property
    def UNIT(self) -> str:
        """The kind or covariate whose value is called 1."""

    def count(self, states: np.ndarray) -> np.ndarray:
        """The number of each that the two sides have: ``int64[n, 2, kinds + covariates]``.

        ``states`` are records ``[n]`` of the game's state at the start of turns.
        """


class LineOfPlay(NamedTuple):
    """A line of play that the inventor or another person analysed.

    Attributes:
        title: its title.
        begin: the position text of its start; empty for the usual start.
        turns: the turns, separated by spaces; the labels of a turn are separated by ``/``, which
            every label after the first keeps.
    """

    title: str
    begin: str
    turns: str

    def labels(self) -> Iterator[tuple[str, ...]]:
        """The labels of each turn.

        >>> list(LineOfPlay("", "", "Xe1-e2/Rd3 Ja8-c6/Ed5").labels())
        [('Xe1-e2', '/Rd3'), ('Ja8-c6', '/Ed5')]
        """
        for turn in self.turns.split():
            first, *rest = turn.split("/")
            yield (first, *(f"/{label}" for label in rest))


class Analyses(Protocol):
    """``analyses``: lines of play to be judged."""

    ANALYSES: tuple[LineOfPlay, ...]


def _part(name: str, game: Game) -> Any:
    module = f"{game.package}.{name}"
    missing = NotImplementedError(f"{game.name} has no {name.replace('.', '/')}")
    if not game.package:
        raise missing
    try:
        return import_module(module)  # not from `sys.modules`: a thread may be importing it
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise
        raise missing from None


description: Callable[[Game], Description] = partial(_part, "description")
"""A game's descriptions of actions; ``NotImplementedError`` if it has none, here and below."""
events: Callable[[Game], Events] = partial(_part, "events")
"""A game's events."""
notation: Callable[[Game], Notation] = partial(_part, "notation")
"""A game's notation."""
diagram: Callable[[Game], Diagram] = partial(_part, "drawing.diagram")
"""A game's text diagrams."""
drawing: Callable[[Game], Drawing] = partial(_part, "drawing.svg")
"""A game's drawings."""
summary: Callable[[Game], Summary] = partial(_part, "summary")
"""A game's rules on a page."""
guide: Callable[[Game], Guide] = partial(_part, "guide")
"""A game's guide to its pieces."""
editing: Callable[[Game], Editing] = partial(_part, "editing")
"""How a game's positions are changed by hand."""
counters: Callable[[Game], Counters] = partial(_part, "statistics.counters")
"""A game's counters."""
material: Callable[[Game], Material] = partial(_part, "statistics.material")
"""A game's definition of material."""
analyses: Callable[[Game], Analyses] = partial(_part, "analyses")
"""A game's analysed lines of play."""
