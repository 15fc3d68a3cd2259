"""``pasgl benchmark``: evaluate agents against frozen players, and check and rank the results."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pasgl_env.cli.arguments import (
    PLAYER_HELP,
    Ray,
    check_writable,
    complete_player,
    flag,
    number,
    value,
    wrong_input,
)
from pasgl_env.cli.output import err, out, say
from pasgl_env.cli.progress import playing
from pasgl_env.cli.tables import shown
from pasgl_env.duration import time_left
from pasgl_env.storage.files import write_whole
from pasgl_env.version import __version__

if TYPE_CHECKING:  # it needs SciPy
    from pasgl_env.benchmark import Result
    from pasgl_env.benchmark.run import TaskTime

_TRACK = "policy"
WORTH_A_HINT = 60.0
"""Seconds from which an evaluation says what takes them."""


def command(
    agents: Annotated[
        list[str],
        typer.Argument(
            metavar="AGENT",
            help=f"What to evaluate: {PLAYER_HELP} {{task}} in a path stands for the task's name."
            " Several agents are runs of one method, trained from different seeds. With --check or"
            " --leaderboard: files of results.",
            autocompletion=complete_player,
        ),
    ],
    tasks: Annotated[
        str | None, value("A,B", "Tasks, or short for three quick ones; default: all.")
    ] = None,
    file: Annotated[
        Path | None,
        value(
            "FILE",
            "File for the results, such as results.json, from which an interrupted run"
            " continues. The games are kept beside it.",
            "--out",
        ),
    ] = None,
    version: Annotated[str | None, value("NAME", "Default: the newest.", "--protocol")] = None,
    name: Annotated[str | None, value("TEXT", "The method's name; default: the agent's.")] = None,
    track: Annotated[
        str, value("TRACK", "policy: one network call an action; or search.")
    ] = _TRACK,
    uses: Annotated[
        str, value("A,B", "What the method uses: rules (as a model), values (the suite's own).")
    ] = "",
    decisions: Annotated[int | None, number("Decisions in training.", least=0)] = None,
    hours: Annotated[float | None, number("Hours of training.", least=0)] = None,
    link: Annotated[str, value("URL", "Where the method is described.")] = "",
    address: Ray = None,
    latex: Annotated[Path | None, value("FILE", "Also write the table as LaTeX.")] = None,
    picture: Annotated[Path | None, value("FILE", "Also write a plot, as SVG.", "--plot")] = None,
    checks: Annotated[
        bool,
        flag("--check", "Check results: hashes, all games, and a tenth of the opponents' choices."),
    ] = False,
    board: Annotated[
        Path | None, value("PAGE", "Write a page that ranks results.", "--leaderboard")
    ] = None,
) -> None:
    r"""Evaluate an agent against frozen reference players, in all variants.

    Each task is a variant with six reference players, from weak to strong. The agent meets each of
    them in games from frozen openings. Scores and ratings have 95% intervals. The result files of
    entries can be checked and ranked by anybody. docs/benchmark.md has the protocol.

    \b
    Examples:
      pasgl benchmark greedy --tasks pasgl312
      pasgl benchmark 'runs/{task}/agent.pt' --out results.json --ray local
      pasgl benchmark 'runs/{task}-0' 'runs/{task}-1' --name mine
      pasgl benchmark --check results.json
      pasgl benchmark --leaderboard leaderboard.md results/*.json
    """
    with wrong_input():
        from pasgl_env.benchmark import Entry, leaderboard, plot, read_result
        from pasgl_env.benchmark.leaderboard import TITLE
        from pasgl_env.benchmark.protocol import LATEST
        from pasgl_env.playtest.plot import check_plots

        if checks or board is not None:
            given = file, tasks, version, name, decisions, hours, address
            if any(each is not None for each in given) or track != _TRACK or uses or link:
                raise ValueError(
                    "--check and --leaderboard are for results that are there: leave out how to"
                    " evaluate"
                )
        check_writable(file, latex, picture, board)
        if board and board.is_file() and not board.read_bytes().startswith(TITLE.encode()):
            raise ValueError(f"{board} holds no leaderboard: it would be lost")
        if picture is not None:
            check_plots()
        if checks:
            results = [_check(Path(each)) for each in agents]
        elif board is not None:
            results = [read_result(Path(each)) for each in agents]
        else:
            means = tuple(each for each in uses.split(",") if each)
            entry = Entry(name or agents[0], track, means, decisions, hours, link)
            chosen = None if tasks is None else tasks.split(",")
            results = [
                _evaluate(agents, version or LATEST, file, tasks=chosen, entry=entry, ray=address)
            ]
        if board is not None:
            write_whole(board, leaderboard(results).encode())
            say(f"The leaderboard is in {board}.")
        if latex is not None:
            write_whole(latex, "\n".join(each.table.to_latex() for each in results).encode())
        if picture is not None:
            write_whole(picture, plot(results))


def _evaluate(agents: list[str], version: str, file: Path | None, **how: Any) -> Result:
    """Evaluate with a progress bar, and print the result."""
    from pasgl_env.benchmark import evaluate
    from pasgl_env.benchmark.run import JOURNAL, beside

    how["estimate"] = partial(_tell_time, file)
    with playing(None if file is None else beside(file, JOURNAL)) as report:
        result = evaluate(agents, version, out=file, report=report, **how)
    for table in (result.details, result.decisions, result.table):
        if table.rows:
            out.print(shown(table, wraps=False))
    if file is not None:
        say(f"The results are in {file}: keep the games beside it for --check.")
    return result


def _tell_time(file: Path | None, times: Mapping[str, TaskTime]) -> None:
    """Print the time of an evaluation, and what takes longest."""
    agents, references = map(sum, zip(*times.values(), strict=True))
    lines = [f"About {time_left(agents + references)} on one processor"]
    if agents + references > WORTH_A_HINT:
        lines[0] += f", {time_left(references)} of it for the opponents"
        longest = sorted(times, key=lambda task: -sum(times[task]))[:3]
        tasks = (f"{task} {time_left(sum(times[task]))}" for task in longest)
        lines.append(f"Longest: {', '.join(tasks)}")
        lines.append("--tasks limits it to some tasks; --ray local uses all processors")
        if file is None:
            lines.append("--out keeps what is played, to continue after an interruption")
    err.print(". ".join(lines) + ".", soft_wrap=True)


def _check(file: Path) -> Result:
    """Check an entry with a progress bar."""
    from pasgl_env.benchmark import check_entry

    with playing(None, lost=f"{file} was not checked to the end") as report:
        result, games = check_entry(file, report=report)
    by = result.machine["versions"]["pasgl_env"]
    say(
        f"{file}: all hashes are right, all games end as they say, and in {games} of them, played"
        f" with version {by}, the references choose the same with version {__version__}."
    )
    return result
