"""The command: ``python -m studies.findings``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from pasgl_env.cli.arguments import GamesSeed, Threads, wrong_input
from pasgl_env.cli.complaints import program
from pasgl_env.cli.output import err, say
from pasgl_env.cli.progress import countdown, interruptible, progress_bar
from pasgl_env.storage.files import write_whole
from studies.entries import PAGES, entries_file, write_entries

COMMAND = "python -m studies.findings"
PAGE = PAGES / "findings.md"
TRIED = PAGES / "tuned_rules.md"


def main(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[QUESTION...]",
            help="Such as pasgl312.deer, or pasgl312 for all its questions. Default: all.",
            show_default=False,
        ),
    ] = None,
    minutes: Annotated[float, typer.Option(min=0.01, metavar="N", help="In all.")] = 40.0,
    to: Annotated[
        Path | None,
        typer.Option(
            "--page",
            metavar="FILE",
            help="The page; default: docs/results/findings.md if all questions are asked, else"
            " findings.md in the folder. Answers to other questions stay as they are.",
        ),
    ] = None,
    folder: Annotated[
        Path,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="Folder of the games; the command resumes from it.",
        ),
    ] = Path("runs/findings"),
    players: Annotated[
        str,
        typer.Option(
            metavar="A,B",
            help="Only the games of these, such as search:400; the numbers of others stay."
            " Default: all.",
        ),
    ] = "",
    threads: Threads = 1,
    seed: GamesSeed = 0,
) -> None:
    """Play the games that the inventors' questions need, and write the findings."""
    file = to or (folder / PAGE.name if names else PAGE)
    with wrong_input():
        from studies.findings.answers import Answer, check_seed, read_answers
        from studies.findings.page import check_replaceable, page
        from studies.findings.play import Runs
        from studies.findings.question import asked_of, questions, remarks, runs_of
        from studies.findings.tried import read_trials

        kept, whole = entries_file(file), {each.key: each for each in questions(names or [])}
        chosen = asked_of(whole.values(), players)
        check_replaceable(file)
        answers = read_answers(kept)
        if players:
            check_seed(answers, chosen, seed)
        file.parent.mkdir(parents=True, exist_ok=True)
        with interruptible(folder), progress_bar() as show:
            tell = countdown(show, "findings", 60 * minutes)
            runs = Runs(folder, seed, threads, sys.argv, tell)
            runs.play(runs_of(chosen), 60 * minutes)
        only = [f"--players {players}"] if players else []
        settings = f"--minutes {minutes:g} --seed {seed}"
        command = " ".join([COMMAND, *(names or []), *only, settings])
        with err.status("Answering") as status:
            for each in chosen:
                status.update(each.title)
                played = [runs.played(asked) for asked in each.asked]
                found, known = Answer.of(each, played, command), answers.get(each.key)
                if players and known:
                    found = found.joined(known, whole[each.key])
                answers[each.key] = found
        write_entries(kept, answers)
        trials = read_trials(entries_file(TRIED))
        write_whole(file, page(questions(), remarks(), answers, trials).encode())
    say(f"The findings are in {file}.")


app = program(main)

if __name__ == "__main__":
    app()
