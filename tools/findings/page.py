"""The page of findings, as Markdown."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import fill

from pasgl_env import __version__, variants
from pasgl_env.playtest.folder import MANIFEST
from pasgl_env.statistics.estimates import Estimate
from tools.findings.question import Column, Played, Question, Quotation
from tools.findings.verdict import LEAST_GAMES, Row, verdict

TITLE = "# Findings"
LEAST_SHOWN = 10
"""Numbers from fewer games are not shown."""
_WIDTH = 100

_LEAD = (
    "The inventors' questions, hopes and claims about these games, and the answers from playtests. "
    "All numbers and verdicts come from the command [below](#how-this-page-was-made); none are "
    "written by hand."
)
_HOW_TO_READ = (
    "All answers are for the named players, each playing against itself. If stronger players give "
    "a different answer, the verdict says so. People may play differently from all of them.",
    "Players are listed from weakest to strongest, as [the ladder](ladder.md) ranks them; a "
    "longer search counts as stronger. [Players](players.md) describes them, and "
    "[measures](measures.md) defines what is counted.",
    "Brackets hold [95% intervals](playtest.md#intervals). For a verdict, the whole interval must "
    "be on one side of the threshold (a half, zero, or the one that the sentence states); "
    f"otherwise the answer is not known. Players with fewer than {LEAST_GAMES} games do not count "
    f"for verdicts, and with fewer than {LEAST_SHOWN} games no numbers are shown. Intervals are "
    "not corrected for multiple comparisons: about one in twenty differences that do not exist "
    "appears to be there.",
    "The effect of strength is judged by the difference between the weakest and the strongest "
    "player and its interval[^newcombe].",
    "The interval of a sum over both players goes from the sum of the lower ends to the sum of the "
    "upper ends, so it is too wide rather than too narrow.",
)
_SOURCES = """
[^newcombe]: R. G. Newcombe, *Interval estimation for the difference between independent
    proportions*, Statistics in Medicine 17 (1998); for other numbers G. Y. Zou and A. Donner,
    *Construction of confidence limits about effect measures*, Statistics in Medicine 27 (2008).
"""


def check_replaceable(file: Path) -> None:
    """Raise ``ValueError`` if a file is there that is no page of findings."""
    if file.exists() and not file.read_text(encoding="utf-8", errors="replace").startswith(TITLE):
        raise ValueError(f"{file} is no page of findings: give another file with --out")


def page(
    questions: Sequence[Question],
    answers: Mapping[str, Sequence[Played]],
    command: str,
    tell: Callable[[str], None] = lambda title: None,
) -> str:
    """The page.

    Args:
        questions: in order; those of a variant next to each other.
        answers: by the question's key, the runs in its order.
        command: that made it.
        tell: told the title of each question before it is answered, which may take seconds.
    """
    parts = [TITLE, "", wrapped(_LEAD), "", *_listed(_HOW_TO_READ), "", _contents(questions)]
    variant = ""
    for question in questions:
        tell(question.title)
        if question.runs[0].variant != variant:
            variant = question.runs[0].variant
            parts.append(f"## {variants.find(variant).title}\n")
        parts.append(section(question, answers[question.key]))
    parts.append(_making(answers, command))
    return "\n".join(parts) + _SOURCES


def _contents(questions: Sequence[Question]) -> str:
    """Links to the variants, in order."""
    titles = dict.fromkeys(variants.find(each.runs[0].variant).title for each in questions)
    links = (f"[{title}](#{title.lower().replace(' ', '-')})" for title in titles)
    return "\n".join(_listed(links)) + "\n"


def _listed(texts: Iterable[str]) -> list[str]:
    """The lines of a list."""
    return [wrapped(f"- {text}", "  ") for text in texts]


def section(question: Question, played: Sequence[Played]) -> str:
    """A question and its answer."""
    readings = {column: [_row(each, column) for each in played] for column in question.all_columns}
    parts = [
        f"### {question.title}",
        *(_quoted(each) for each in question.asked),
        wrapped(question.method),
        _definitions(question.all_columns),
        _table(played, readings),
        "\n".join(_listed(verdict(each, readings[each.column]) for each in question.statements)),
    ]
    return "\n\n".join(parts) + "\n"


def _row(played: Played, column: Column) -> Row:
    games = played.results.games
    if column.compares and played.beside:
        games = min(games, played.beside.results.games)
    estimate = column.read(played) if games >= LEAST_SHOWN else Estimate(None)
    return Row(played.run.player, games, estimate)


def _quoted(quotation: Quotation) -> str:
    said = wrapped(f"> “{quotation.text}”", "> ")
    return f"{said}\n>\n> {quotation.author}, *{quotation.page}*"


def wrapped(text: str, indent: str = "") -> str:
    """A paragraph in lines as the other pages have them."""
    return fill(
        text, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _definitions(columns: Sequence[Column]) -> str:
    """What the columns are."""
    return "\n".join(_listed(f"*{each.heading}*: {each.definition}" for each in columns))


def _table(played: Sequence[Played], readings: Mapping[Column, Sequence[Row]]) -> str:
    headings = ["players", "games", *(column.heading for column in readings)]
    lines = [f"| {' | '.join(headings)} |", f"|---|{'---:|' * (len(headings) - 1)}"]
    for number, each in enumerate(played):
        cells = [f"`{each.run.player}`", _games(each)]
        cells += [
            column.unit.write_estimate(rows[number].estimate) for column, rows in readings.items()
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _games(played: Played) -> str:
    games = f"{played.results.games:,}"
    return f"{games} beside {played.beside.results.games:,}" if played.beside else games


def _making(answers: Mapping[str, Sequence[Played]], command: str) -> str:
    """The command, the versions and the games."""
    runs = {
        each.run.name: each
        for played in answers.values()
        for first in played
        for each in (first, first.beside)
        if each
    }
    some = next(iter(runs.values()))
    games = sum(each.results.games for each in runs.values())
    how = (
        f"{games:,} games in {len(runs)} playtests, all with seed {some.results.plan.seed}. The "
        "command plays as many games as the time allows, and adds to those in its folder. Another "
        "machine plays more or fewer games, but the first games of each playtest are the same. "
        f"Versions: pasgl_env {__version__}, {', '.join(_versions(some.games.parent))}."
    )
    return f"## How this page was made\n\n    {command}\n\n{wrapped(how)}\n"


def _versions(folder: Path) -> Iterator[str]:
    """Of what a run was played with."""
    known = json.loads((folder / MANIFEST).read_bytes())["versions"]
    return (f"{name} {version}" for name, version in known.items())
