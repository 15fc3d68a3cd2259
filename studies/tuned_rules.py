"""Rules under which games would be as their inventors, or others, might want them.

``python -m studies.tuned_rules`` asks questions about every game of ``pasgl tune`` and writes the
page ``docs/results/tuned_rules.md``, and ``studies/tuned_rules.json`` with all numbers. It takes
about 25 minutes of one processor. If interrupted, the same command resumes; with names of variants
it asks only about these.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from pasgl_env import variants
from pasgl_env.cli.arguments import GamesSeed, wrong_input
from pasgl_env.cli.complaints import program
from pasgl_env.cli.output import err, say
from pasgl_env.cli.questions import run
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.evaluation.openings import Openings
from pasgl_env.evaluation.table import Table
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.retrain import Retraining
from pasgl_env.playtest.swept import Swept
from pasgl_env.playtest.tune import Aim, Tuning
from pasgl_env.storage.files import write_whole
from studies.entries import PAGES, check_names, entries_file, read_entries, write_entries
from studies.findings.page import wrapped

PAGE = PAGES / "tuned_rules.md"


def closer(variant: str, *fewer: int) -> str:
    """Starting positions of a game of Joyce's with fewer empty ranks between the armies.

    >>> [setup.count("/16/16") for setup in closer("chieftain", 0, 1).split(",")]
    [1, 0]
    """
    setup = variants.ruleset(variant).options["setup"]
    gap = max(re.findall(r"(?:/\d+(?=/))+", setup), key=len)
    rank = len(gap) // gap.count("/")
    return ",".join(setup.replace(gap, gap[rank * less :], 1) for less in fewer)


class Search(NamedTuple):
    """A question.

    Attributes:
        title: the question.
        variant: about which.
        varied: the options that may change, as for ``--vary``.
        aims: what games are to be like, as for ``--aim``.
        trials: number of rules to try.
        games: of each rule at most.
        player: of both sides.
        retrain: how long it learns each rule, as for ``--retrain``; empty if it does not.
        about: why it is asked, and what the aims mean.
        settings: the other options, as for ``--set``.
        word: that distinguishes it from another question about the variant.
    """

    title: str
    variant: str
    varied: tuple[str, ...]
    aims: tuple[str, ...]
    trials: int
    games: int
    player: str
    retrain: str
    about: str
    settings: tuple[str, ...] = ()
    word: str = ""

    @property
    def key(self) -> str:
        """Its name: the variant's, and the word."""
        return f"{self.variant}.{self.word}" if self.word else self.variant

    @property
    def heading(self) -> str:
        """The title of its answer."""
        return f"{variants.find(self.variant).title}: {self.title}"

    @property
    def _ruleset(self) -> Ruleset:
        return variants.ruleset(self.variant, **variants.read_options(self.variant, self.settings))

    @property
    def _opening_turns(self) -> int:
        """Random turns, one of each player: the side that moves first also chooses first."""
        return self._ruleset.spaces.players

    def tuning(self, seed: int) -> Tuning:
        """The search."""
        openings = Openings((), (self._opening_turns,) * 2)
        plan = Plan.of(self._ruleset, (self.player,) * 2, seed, openings=openings)
        return Tuning(
            plan,
            self.games,
            tuple(Swept.read(self.variant, text) for text in self.varied),
            tuple(map(Aim.read, self.aims)),
            self.trials,
            Retraining.read(self.retrain) if self.retrain else None,
        )

    def command(self, seed: int) -> str:
        """The command that does the same."""
        named = {"--set": self.settings, "--vary": self.varied, "--aim": self.aims}
        words = ["pasgl", "tune", self.variant]
        words += [word for flag, texts in named.items() for text in texts for word in (flag, text)]
        words += ["--retrain", self.retrain] if self.retrain else []
        words += ["--players", f"{self.player},{self.player}", "--trials", str(self.trials)]
        words += ["--opening-turns", str(self._opening_turns)]
        return shlex.join([*words, "--games", str(self.games), "--seed", str(seed)])


SEARCHES = (
    Search(
        "By which rule would the Train be ridden?",
        "pasgl312",
        ("ride_points=0..20:4", "train_length=1..3"),
        ("rides>1", "turns=40..100"),
        trials=6,
        games=320,
        player="td",
        retrain="10000games",
        about="Betza wanted the Train to be worth riding “in at least a few situations”; [strong"
        " players hardly do](findings.md#does-anyone-ride-the-train). *Rides* are critters that the"
        " Train picks up in a game, of both sides. Games shall stay about as long as they are.",
    ),
    Search(
        "How many points make up for the first move?",
        "pasgl312",
        ("score_handicap=0..10",),
        ("first_mover_score=0.45..0.55",),
        trials=12,
        games=1280,
        player="td",
        retrain="",
        about="[White has an advantage](findings.md#does-white-win). The points are those that the"
        " side that does not begin has from the start.",
        word="points",
    ),
    Search(
        "Which finds make White and Black even?",
        "spalding",
        ("white_finds=RHE,RE,HE,RH", "black_finds=RHE,RE,HE,RH"),
        ("first_mover_score=0.45..0.55", "truncations<0.05"),
        trials=12,
        games=640,
        player="td",
        retrain="",
        about="“If White can either win or force a draw, the rules need changing”, wrote Betza. A"
        " game that reaches turn 1,000 is cut off.",
    ),
    Search(
        "By which board would the game for four be as short as that for two?",
        "pachessi",
        ("size=5..9:2", "hole=1..5:2", "first_dice=1,2"),
        ("turns=60..90", "first_mover_score=0.45..0.55"),
        trials=12,
        games=640,
        player="greedy",
        retrain="",
        about="For two, a game of the greedy player has [85 turns](findings.md#how-often-does-"
        "two-player-pachessi-run-for-ever); for four, more than twice as many.",
        settings=("players=4",),
    ),
    Search(
        "By which board would every game for two end?",
        "grand_pachessi",
        ("size=7..13:2", "hole=1..5:2", "raja_range=1..3"),
        ("truncations<0.01", "turns=50..80"),
        trials=12,
        games=640,
        player="greedy",
        retrain="",
        about="Two greedy players [sometimes get stuck](findings.md#how-often-does-two-player-"
        "grand-pachessi-run-for-ever); here games are cut off after 1,000 turns.",
    ),
    Search(
        "By which range of command would it matter where Chieftains are?",
        "chieftain",
        ("command_range=2..4",),
        ("held_back[all,turns 21-60]>0.4", "truncations<0.25"),
        trials=6,
        games=160,
        player="td",
        retrain="500games",
        about="With the usual range of 3, [few pieces that could move](findings.md#does-command-"
        "limit-anything-in-chieftain) are out of range, *held back*, in turns 21 to 60 of both"
        " players. A game that is not won by turn 400 is cut off.",
    ),
    Search(
        "Would games be won sooner if the armies began nearer to each other?",
        "chieftain",
        (f"setup={closer('chieftain', 0, 1, 2)}",),
        ("truncations<0.1", "turns<150"),
        trials=5,
        games=160,
        player="td",
        retrain="",
        about="No. 2 and no. 3 have one and no empty rank, not two, between the armies. A game that"
        " is not won by turn 400 is cut off.",
        word="nearer",
    ),
    Search(
        "Would games be won sooner if the armies began nearer to each other?",
        "superchief",
        (f"setup={closer('superchief', 0, 1, 2)}",),
        ("truncations<0.1", "turns<150"),
        trials=5,
        games=80,
        player="td",
        retrain="",
        about="No. 2 and no. 3 have one and no empty rank, not two, between the armies. A game that"
        " is not won by turn 400 is cut off.",
    ),
    Search(
        "Would games be won sooner if the armies began nearer to each other?",
        "overlord",
        (f"setup={closer('overlord', 0, 2, 4)}",),
        ("decisive_games>0.5",),
        trials=5,
        games=40,
        player="td",
        retrain="",
        about="[Fewer than half of the games](findings.md#is-overlord-effectively-over-in-around-"
        "35-turns) are settled after 35 turns of each. No. 2 and no. 3 have four and two"
        " empty ranks, not six, between the armies. Games are cut off after turn 200 here.",
        settings=("turn_limit=200",),
    ),
)


@dataclass(frozen=True)
class Answer:
    """The answer to a question.

    Attributes:
        title: of its section.
        command: that gives it.
        table: a :class:`Table` for people.
        numbers: all numbers, as in ``tune.json``.
    """

    title: str
    command: str
    table: dict[str, Any]
    numbers: dict[str, Any]


def page(answers: Mapping[str, Answer]) -> str:
    """The page of the questions that have been answered."""
    written = [_INTRODUCTION]
    for search in (each for each in SEARCHES if each.key in answers):
        answer = answers[search.key]
        found = Table(**answer.table).to_markdown()
        about = f"## {answer.title}\n\n{wrapped(search.about)}\n\n    {answer.command}"
        written.append(f"{about}\n\n{found}")
    return "\n".join(written)


_INTRODUCTION = """# Rules found

By which rules would games be as somebody wants them? Questions put to
[`pasgl tune`](../playtest.md#finding-rules), all by

    python -m studies.tuned_rules

The answers hold for the named players, which are not people, and for the options that were varied.
An aim is *met* or *missed* only if the whole 95% interval shows it; all others are open. The
intervals are not corrected for the number of rules and aims. The searches are short: a rule here is
worth a look with more games, stronger players and longer training, not a recommendation. All
numbers are in `studies/tuned_rules.json`.
"""


def main(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[VARIANT...]", help="Default: all.")
    ] = None,
    to: Annotated[Path, typer.Option("--page", metavar="FILE", help="The page.")] = PAGE,
    folder: Annotated[
        Path, typer.Option("--out", metavar="FOLDER", help="Folder of the games.")
    ] = Path("runs/tuned_rules"),
    seed: GamesSeed = 0,
) -> None:
    """Search for rules, and write the page."""
    with wrong_input():
        check_names(names or (), list(dict.fromkeys(each.variant for each in SEARCHES)), "variant")
        kept = entries_file(to)
        answers = read_entries(kept, "answers", lambda given: Answer(**given))
        for search in SEARCHES:
            if names and search.variant not in names:
                continue
            err.print(f"{search.key}: {search.title}")
            found = run(search.tuning(seed), folder / search.key, is_most=True)
            told = found.table._asdict(), found.to_dict()
            answers[search.key] = Answer(search.heading, search.command(seed), *told)
            write_entries(kept, answers)
            write_whole(to, page(answers).encode())
    say(f"The page is {to}.")


app = program(main)

if __name__ == "__main__":
    app()
