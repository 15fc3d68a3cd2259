"""``pasgl play``: people against a program or each other, in the terminal."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from contextlib import suppress
from difflib import get_close_matches
from typing import Annotated

import typer

from pasgl_env import players, render
from pasgl_env.cli.arguments import (
    PLAYER_HELP,
    RecordFile,
    Seed,
    Settings,
    Start,
    Variant,
    complete_player,
    read_ruleset,
    wrong_input,
)
from pasgl_env.cli.output import out, print_diagram, print_legal, printable, say, say_wrapped
from pasgl_env.cli.turns import ending, let_chance_act, recorded, take_turn
from pasgl_env.contract.description import Action
from pasgl_env.engine.dice import Dice
from pasgl_env.engine.position import Position
from pasgl_env.players.search.analysis import analyse
from pasgl_env.render.words import mover, question
from pasgl_env.web import guides

_BOTH = "both"
_PERSON = "person"
_HELP = "? lists the legal actions, help shows all commands"
_HELP_PAGE = """\
Type the label of an action. From and to squares are enough (f1h5), in upper
or lower case. Tab completes labels.

  ?       list the legal actions       hint    what the engine would play
  legend  the pieces and their moves   rules   a summary of the rules
  board   draw the board again         text    the position text
  undo    back to your last choice     quit    stop; says how to continue"""
_MOST_HINTS = 6
_HINT_SECONDS = 0.5
_LINES_BELOW = 5
"""Lines of a terminal below the board, reserved for messages."""


def command(
    variant: Variant,
    side: Annotated[
        str | None,
        typer.Option(
            metavar="SIDE",
            help="Your side: white, black ..., or both for all.  [default: the first seat]",
            show_default=False,
        ),
    ] = None,
    player: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help=f"The opponent: {PLAYER_HELP}",
            autocompletion=complete_player,
        ),
    ] = "greedy",
    seed: Seed = None,
    start: Start = None,
    record: RecordFile = None,
    settings: Settings = None,
    compact: Annotated[
        bool | None,
        typer.Option(
            "--compact/--full",
            help="Draw a smaller board; default: only in a small terminal.",
            show_default=False,
        ),
    ] = None,
) -> None:
    r"""Play against a player, or play both sides. With four seats it plays the other three.

    Type the labels of actions, such as Te4e5, or just the squares: e4e5. If a turn has several
    actions, you are asked for one after another. Instead of a label you can type help, ? (list the
    legal actions), hint, legend, rules, board (draw it again), text (print the position text),
    undo (back to your last choice) or quit.

    \b
    Examples:
      pasgl play pasgl312
      pasgl play pasgl312 --side black --player random
      pasgl play pasgl312 --side both --set win_margin=15
      pasgl play pasgl312 --record games.pgr
    """
    with wrong_input():
        position = Position.from_text(read_ruleset(variant, settings), start)
        side = position.seats[0].lower() if side is None else side
        people = _people(side, position)
        opponent = None if side == _BOTH else players.make(player, variant, seed=seed)
    game = TerminalGame(position, people, opponent, Dice(seed), compact)
    with recorded(record, position, game.players, seed) as labels:
        game.labels = labels
        try:
            game.run()
        except (EOFError, KeyboardInterrupt):
            say()
        # Before the record is written, which may fail.
        if not game.is_at_end:
            again = ["pasgl", "play", variant, "--side", side, "--player", player]
            again += [word for setting in settings or () for word in ("--set", setting)]
            say("To continue this game:")
            say(shlex.join([*again, "--from", game.position.text]))


def _people(side: str, position: Position) -> set[int]:
    """The seats played by people."""
    names = [name.lower() for name in position.seats]
    if side == _BOTH:
        return set(range(len(names)))
    if side not in names:
        raise ValueError(f"--side must be {', '.join(names)} or {_BOTH}, not {side!r}")
    return {names.index(side)}


class TerminalGame:
    """A game with at least one person.

    Attributes:
        position: the current position.
        labels: labels of all actions and rolls played and not taken back.
    """

    def __init__(
        self,
        position: Position,
        people: set[int],
        opponent: players.Player | None,
        dice: Dice,
        compact: bool | None = None,
    ) -> None:
        self.position = position
        self._compact = compact
        self._people = people
        self._opponent = opponent
        self._dice = dice
        self.labels: list[str] = []
        # The positions at which a person chose, with the number of labels played by then.
        self._choices: list[tuple[Position, int]] = []
        self._drawn: tuple[int, str] | None = None  # turn and content of the last diagram
        self._printed = ""
        self._commands: dict[str, Callable[[], None]] = {
            "?": lambda: print_legal(self.position),
            "help": lambda: say(_HELP_PAGE),
            "hint": self._hint,
            "legend": self._legend,
            "rules": self._rules,
            "board": self._draw,
            "text": lambda: say(self.position.text),
            "undo": self._undo,
        }

    def run(self) -> None:
        """Play until the game is over or the person quits."""
        _complete(lambda: [*self.position.legal_moves(), *self._commands, "quit"])
        say(f"{self.position.ruleset.game.title}: {self._who_plays()}.")
        say(f"Type an action's label. {_HELP}.")
        while not self.is_at_end:
            if self.position.is_chance:
                self._roll()
                continue
            if self.position.to_move not in self._people:
                self._let_opponent_play()
                continue
            if self._drawn is None or self._drawn[0] != self.position.turns or self._has_changed:
                self._draw()
            line = _read_line(f"{question(self.position)}> ").strip()
            if line.lower() == "quit":
                return
            if line.lower() in self._commands:
                self._commands[line.lower()]()
            else:
                self._play(line)
        self._draw()
        say(ending(self.position), "bold")

    @property
    def is_at_end(self) -> bool:
        """Whether the game is over or cut off."""
        return self.position.is_over or self.position.is_truncated

    @property
    def players(self) -> tuple[str, ...]:
        """The players of the seats, for records."""
        opponent = self._opponent.name if self._opponent else _PERSON
        seats = range(len(self.position.seats))
        return tuple(_PERSON if seat in self._people else opponent for seat in seats)

    def _who_plays(self) -> str:
        yours = " and ".join(self.position.seats[seat] for seat in sorted(self._people))
        return f"you are {yours}" + (f" against {self._opponent.name}" if self._opponent else "")

    def _draw(self) -> None:
        say()
        self._printed = print_diagram(self.position, compact=self._is_compact, before=self._printed)
        if last := self.position.last_turn:
            say(f"Last turn: {', '.join(last)}", "bold yellow")
        self._drawn = self.position.turns, str(self.position)

    @property
    def _has_changed(self) -> bool:
        """Whether an action of the current turn has moved something."""
        assert self._drawn is not None
        return self.position.in_turn and self._drawn[1] != str(self.position)

    @property
    def _is_compact(self) -> bool:
        if self._compact is not None:
            return self._compact
        lines = len(str(self.position).splitlines()) + _LINES_BELOW
        return out.is_terminal and lines > out.height

    def _hint(self) -> None:
        """Print the action that the engine would play here."""
        thought = next(analyse(self.position, every=_HINT_SECONDS))
        chance = round(50 + 50 * thought.value) if thought.value == thought.value else 50
        say(f"{thought.lines[0].label} (the engine gives you {chance} %)")

    def _legend(self) -> None:
        """List the pieces and their moves."""
        for piece in guides.pieces(self.position.ruleset):
            say_wrapped(f"{piece.symbol.split('-')[-1]}  {piece.name}: {piece.move}")

    def _rules(self) -> None:
        say(render.summary(self.position.ruleset))

    def _roll(self) -> None:
        labels = let_chance_act(self.position, self._dice)
        self.labels += labels
        say(f"{mover(self.position)}: {', '.join(labels)}", "bold")

    def _let_opponent_play(self) -> None:
        assert self._opponent is not None
        who = mover(self.position)
        labels = take_turn(self.position, self._opponent, self._dice)
        self.labels += labels
        say(f"{who} ({self._opponent.name}): {', '.join(labels)}", "bold")

    def _play(self, label: str) -> None:
        meant = _meant(label, self.position.choices)
        if not meant:
            self._refuse(label)
        elif len(meant) > 1:
            say("Which? Type its label:")
            for action in meant:
                say(f"  {action.label}  {action.words}")
        else:
            self._choices.append((self.position.copy(), len(self.labels)))
            self.position.play(meant[0].label)
            self.labels.append(meant[0].label)

    def _refuse(self, label: str) -> None:
        """Print that a label is not legal, and suggest similar ones."""
        if not label:
            say(f"{_HELP}.")
            return
        legal = {known.casefold(): known for known in self.position.legal_moves()}
        typed = label.casefold()
        near = [known for folded, known in legal.items() if folded.startswith(typed[:3])]
        near = near or [legal[folded] for folded in get_close_matches(typed, legal)]
        hint = f"Near: {' '.join(near[:_MOST_HINTS])}" if near else _HELP
        say(f"'{printable(label[:20])}' is not legal here. {hint}.")

    def _undo(self) -> None:
        if not self._choices:
            say("Nothing to undo: you have not made a choice yet.")
            return
        self.position, played = self._choices.pop()
        del self.labels[played:]
        self._draw()


def _meant(typed: str, legal: list[Action]) -> list[Action]:
    """The legal actions that may be meant: only the squares may be typed, and in any case.

    >>> legal = Position("pasgl312").choices
    >>> [action.label for action in _meant("h1h2", legal)], _meant("h2", legal)
    (['Th1h2'], [])
    """
    small = typed.casefold()
    readings: tuple[Callable[[Action], bool], ...] = (
        lambda action: action.label == typed,
        lambda action: action.label.casefold() == small,
        lambda action: action.origin != "" and f"{action.origin}{action.target}" == small,
    )
    found = (list(filter(is_meant, legal)) for is_meant in readings)
    return next(filter(None, found), [])


def _complete(words: Callable[[], list[str]]) -> None:
    """Enable Tab completion of words at the prompt, together with line editing and history."""
    with suppress(ImportError):
        import readline

        def completed(text: str, number: int) -> str | None:
            small = text.casefold()
            fitting = [word for word in words() if word.casefold().startswith(small)]
            return fitting[number] if number < len(fitting) else None

        readline.set_completer(completed)
        readline.set_completer_delims("")
        readline.parse_and_bind("tab: complete")


def _read_line(prompt: str) -> str:
    if sys.stdin is None:
        raise EOFError
    line = input(prompt)
    if not sys.stdin.isatty():
        say(printable(line))  # so that the transcript of a script is readable
    return line
