"""``pasgl play``: people against a program or each other, in the terminal."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

from pasgl_env.cli.arguments import (
    PLAYER_HELP,
    RecordFile,
    Seed,
    Settings,
    Start,
    Variant,
    complete_player,
    flag,
    read_ruleset,
    value,
    wrong_input,
)
from pasgl_env.cli.boards import is_tall, print_diagram, print_legal
from pasgl_env.cli.output import say
from pasgl_env.cli.prompt import HELP, HOW_TO_TYPE, chosen, complete, read_line, say_pieces
from pasgl_env.cli.rules import say_rules
from pasgl_env.cli.turns import ending, let_chance_act, recorded, take_turn

if TYPE_CHECKING:
    from pasgl_env import players
    from pasgl_env.contract.events import Event
    from pasgl_env.engine.dice import Dice
    from pasgl_env.engine.position import Position

_BOTH = "both"
_PERSON = "person"
_OPPONENT = "greedy"
_COMMANDS = """
  ?       list the legal actions       hint    what the engine would play
  legend  the pieces and their moves   rules   a summary of the rules
  board   draw the board again         text    the position text
  undo    back to your last choice     quit    stop; says how to continue"""
_HINT_SECONDS = 0.5


def command(
    variant: Variant,
    side: Annotated[
        str | None,
        value(
            "SIDE",
            "Your side: white, black ..., or both for all.  [default: the first seat]",
            show_default=False,
        ),
    ] = None,
    player: Annotated[
        str | None,
        value(
            "NAME",
            f"The opponent: {PLAYER_HELP}  [default: {_OPPONENT}]",
            show_default=False,
            autocompletion=complete_player,
        ),
    ] = None,
    seed: Seed = None,
    start: Start = None,
    record: RecordFile = None,
    settings: Settings = None,
    compact: Annotated[
        bool | None,
        flag(
            "--compact/--full",
            "Draw a smaller board; default: only in a small terminal.",
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
        from pasgl_env import players
        from pasgl_env.engine.dice import Dice
        from pasgl_env.engine.position import Position

        position = Position.from_text(read_ruleset(variant, settings), start)
        side = position.seats[0].lower() if side is None else side
        people = _people(side, position)
        if side == _BOTH and player is not None:
            raise ValueError(f"nobody plays against you with --side {_BOTH}: leave out --player")
        player = player or _OPPONENT
        opponent = None if side == _BOTH else players.make(player, variant, seed=seed)
    game = TerminalGame(position, people, opponent, Dice(seed), compact)
    with recorded(record, position, game.players, seed) as labels:
        game.labels = labels
        try:
            with wrong_input():
                game.run()
        except (EOFError, KeyboardInterrupt):
            say()
        finally:  # before the record is written, which may fail
            if not game.is_at_end:
                again = ["pasgl", "play", variant, "--side", side]
                again += ["--player", player] if opponent else []
                again += ["--record", str(record)] if record else []
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
        # The positions at which a person chose, with the number of labels played by then and the
        # state of the dice: who takes an action back does not roll again.
        self._choices: list[tuple[Position, int, int]] = []
        self._drawn: tuple[int, str] | None = None  # turn and content of the last diagram
        self._printed = ""
        self._commands: dict[str, Callable[[], None]] = {
            "?": lambda: print_legal(self.position),
            "help": lambda: say(HOW_TO_TYPE + _COMMANDS),
            "hint": self._hint,
            "legend": lambda: say_pieces(self.position),
            "rules": lambda: say_rules(self.position.ruleset),
            "board": self._draw,
            "text": lambda: say(self.position.text),
            "undo": self._undo,
        }

    def run(self) -> None:
        """Play until the game is over or the person quits."""
        from pasgl_env.render.words import question

        complete(lambda: [*self.position.legal_moves(), *self._commands, "quit"])
        say(f"{self.position.ruleset.game.title}: {self._who_plays()}.")
        say(f"Type an action's label. {HELP}.")
        while not self.is_at_end:
            if self.position.is_chance:
                self._roll()
                continue
            if self.position.to_move not in self._people:
                self._let_opponent_play()
                continue
            if self._drawn is None or self._drawn[0] != self.position.turns or self._has_changed:
                self._draw()
            line = read_line(f"{question(self.position)}> ")
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
        return is_tall(self.position) if self._compact is None else self._compact

    def _hint(self) -> None:
        """Print the action that the engine would play here."""
        from pasgl_env.players.search.analysis import analyse

        thought = next(analyse(self.position, every=_HINT_SECONDS))
        chance = round(50 + 50 * thought.value) if thought.value == thought.value else 50
        say(f"{thought.lines[0].label} (the engine gives you {chance}%, {thought.basis})")

    def _roll(self) -> None:
        from pasgl_env.render.words import mover

        turn = self.position.turns
        labels = let_chance_act(self.position, self._dice, self.labels)
        # A roll within a turn, even if it ends the turn, is of the player who chose before it.
        is_within = bool(self._choices) and self._choices[-1][0].turns == turn
        who = mover(self._choices[-1][0] if is_within else self.position)
        say(f"{who}: {', '.join(labels)}", "bold")

    def _let_opponent_play(self) -> None:
        from pasgl_env.render.words import mover

        assert self._opponent is not None
        who = mover(self.position)
        labels = take_turn(self.position, self._opponent, self._dice, self.labels)
        say(f"{who} ({self._opponent.name}): {', '.join(labels)}", "bold")
        self._tell(self.position.events)

    def _play(self, typed: str) -> None:
        if (label := chosen(typed, self.position)) is not None:
            dice = int(self._dice.generator[0])
            self._choices.append((self.position.copy(), len(self.labels), dice))
            effects = self.position.effects(self.position.action(label))
            self.position.play(label)
            self.labels.append(label)
            self._tell(effects)

    def _tell(self, events: list[Event]) -> None:
        """Print what happened."""
        from pasgl_env.contract.events import sentences

        you = self._people if len(self._people) == 1 else ()
        for line in sentences(events, self.position.seats, you):
            say(f"  {line}")

    def _undo(self) -> None:
        if not self._choices:
            say("Nothing to undo: you have not made a choice yet.")
            return
        self.position, played, self._dice.generator[0] = self._choices.pop()
        del self.labels[played:]
        self._draw()
