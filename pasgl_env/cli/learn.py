"""``pasgl learn``: lessons in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pasgl_env.cli.arguments import MaybeVariant, flag, number, wrong_input
from pasgl_env.cli.boards import is_tall, print_diagram, print_legal
from pasgl_env.cli.output import say, say_wrapped
from pasgl_env.cli.prompt import HELP, HOW_TO_TYPE, chosen, complete, read_line, say_pieces
from pasgl_env.wording import counted

if TYPE_CHECKING:
    from pasgl_env.engine.position import Position
    from pasgl_env.lessons import Attempt, Step
    from pasgl_env.puzzles.endings import Ending

_COMMANDS = """
  ?       list the legal actions       hint    help with the task
  legend  the pieces and their moves   show    what would do it
  board   draw the board again         again   try the task again
  next    leave the task out           back    the task before
  quit    stop; says how to continue"""


def command(
    variant: MaybeVariant = None,
    step: Annotated[int, number("Begin with this step.", "--step")] = 1,
    endings: Annotated[
        bool, flag("--endings", "Play out small positions, judged by exact values.")
    ] = False,
) -> None:
    r"""Learn a game on the board, a task at a time. Without a variant: list the lessons.

    \b
    Examples:
      pasgl learn
      pasgl learn pasgl312
      pasgl learn chieftain --step 4
      pasgl learn chieftain --endings
    """
    from pasgl_env.contract import variants
    from pasgl_env.lessons import lesson, taught

    if variant is None:
        for name in taught():
            course = lesson(name)
            say(f"{name:<16}{counted(len(course.steps), 'step'):<10}{variants.find(name).title}")
        say("\nTo begin: pasgl learn VARIANT")
        return
    steps: Sequence[Step | _EndingStep]
    with wrong_input():
        course = lesson(variant)
        steps = _endings(variant) if endings else course.steps
        if step > len(steps):
            raise ValueError(f"--step must be from 1 to {len(steps)}, not {step}")
    kind = "endings" if endings else "a lesson"
    say(f"{variants.find(variant).title}: {kind} of {counted(len(steps), 'step')}.")
    say_wrapped(course.aim)
    say(f"Type an action's label. {HELP}.")
    learner = _Learner(steps, step - 1)
    try:
        learner.run()
    except (EOFError, KeyboardInterrupt):
        say()
    if not learner.is_done:
        which = " --endings" if endings else ""
        say(f"To continue:\npasgl learn {variant}{which} --step {learner.number + 1}")


def _endings(variant: str) -> list[_EndingStep]:
    """The endings of a variant; ``ValueError`` that says why if it has none."""
    from pasgl_env.puzzles.endings import ENDINGS, WHY_NONE

    if found := [_EndingStep(each) for each in ENDINGS if each.variant == variant]:
        return found
    raise ValueError(f"{variant} has no endings. {WHY_NONE}")


@dataclass(frozen=True)
class _EndingStep:
    """An ending as a step."""

    ending: Ending
    task = "Win."
    done = "You have won."
    help = "Type show to see how to win from here."

    @property
    def title(self) -> str:
        return self.ending.title

    @property
    def say(self) -> str:
        from pasgl_env.puzzles.endings import SAY

        return SAY

    def start(self) -> Position:
        return self.ending.start()

    def answer(self, labels: list[str]) -> list[str]:
        return list(self.ending.attempt(labels).line)

    def attempt(self, labels: list[str]) -> Attempt:
        from pasgl_env.lessons import Attempt

        tried, position = self.ending.attempt(labels), self.start()
        for label in tried.labels:
            position.play(label)
        replies = tried.labels[tried.shown[0] :]
        then = (f"Then: {', '.join(replies)}.",) if replies else ()
        return Attempt(tried.verdict, (position,), (*tried.happened, *then))


class _Learner:
    """A person who works through the steps of a lesson, or endings.

    Attributes:
        number: the index of the step; that of none when all are done.
    """

    def __init__(self, steps: Sequence[Step | _EndingStep], number: int) -> None:
        self._steps = steps
        self._labels: list[str] = []
        self._position: Position
        self._commands: dict[str, Callable[[], None]] = {
            "?": lambda: print_legal(self._position),
            "help": lambda: say(HOW_TO_TYPE + _COMMANDS),
            "hint": lambda: say_wrapped(self._step.help),
            "legend": lambda: say_pieces(self._position),
            "show": self._show,
            "board": self._draw,
            "again": lambda: self._go_to(self.number),
            "next": lambda: self._go_to(self.number + 1),
            "back": lambda: self._go_to(max(0, self.number - 1)),
        }
        self.number = number
        self._go_to(number)

    @property
    def is_done(self) -> bool:
        """Whether the last step has been done."""
        return self.number == len(self._steps)

    def run(self) -> None:
        """Go on until all steps are done or the person quits."""
        from pasgl_env.render.words import question

        complete(lambda: [*self._position.legal_moves(), *self._commands, "quit"])
        while not self.is_done:
            line = read_line(f"{question(self._position)}> ")
            if line.lower() == "quit":
                return
            if line.lower() in self._commands:
                self._commands[line.lower()]()
            elif (label := chosen(line, self._position)) is not None:
                self._play(label)
        say("That was the last step.", "bold")

    @property
    def _step(self) -> Step | _EndingStep:
        return self._steps[self.number]

    def _go_to(self, number: int) -> None:
        self.number = number
        if self.is_done:
            return
        step = self._step
        self._begin()
        say()
        say(f"Step {number + 1} of {len(self._steps)}: {step.title}", "bold")
        self._draw()
        say_wrapped(step.say)
        say(f"Your task: {step.task}", "bold")

    def _begin(self) -> None:
        """Set the board up for the task."""
        self._labels = []
        self._position = self._step.start()

    def _draw(self) -> None:
        print_diagram(self._position, compact=is_tall(self._position))

    def _show(self) -> None:
        """Print an answer."""
        say_wrapped(f"Play {', '.join(self._step.answer(self._labels))}.")

    def _play(self, label: str) -> None:
        """Play an action and say whether the task is done."""
        from pasgl_env.lessons import Verdict

        step = self._step
        self._labels.append(label)
        attempt = step.attempt(self._labels)
        self._position = attempt.positions[-1]
        if attempt.verdict != Verdict.WRONG:
            self._draw()
        for line in attempt.happened:
            say_wrapped(line)
        if attempt.verdict == Verdict.WRONG:
            say_wrapped(f"Not quite. {step.help}")
            self._begin()
        elif attempt.verdict == Verdict.DONE:
            say_wrapped(f"Done. {step.done}")
            self._go_to(self.number + 1)
