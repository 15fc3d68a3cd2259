"""The page of findings, as Markdown.

A claim holds, or its contrary does, if all of a 95% interval is on one side of its threshold;
otherwise the answer is unknown.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import dropwhile, takewhile
from pathlib import Path
from textwrap import fill
from typing import NamedTuple

from pasgl_env import __version__, variants
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.statistics.texts import estimate_text
from studies.findings.answers import LEAST_SHOWN, Answer
from studies.findings.numbers import difference
from studies.findings.question import LEAST_GAMES, Number, Question, Remark
from studies.findings.tried import Trials

TITLE = "# Findings"

_LEAD = """
What the inventors of these games asked, hoped or claimed, and what playtests answer. A program
[writes](#how-this-page-was-made) the numbers and verdicts from the games.

- Every answer is about the named players, each against itself. People may play differently.
- Games begin with two to four random turns, so that they differ. Where the first move or an attack
  is asked about, the first four turns are those of `td:temperature=0.1` instead.
- Players come in the order of what they know and compute: random, greedy, with learned values, with
  searches. [Players](../players.md) describes them, [the ladder](ladder.md) measures their
  strength, and [measures](../measures.md) are the counters.
- In parentheses are [95% intervals](../playtest.md#intervals). A verdict needs the whole interval
  on one side of its threshold, and says so if all of it is less than five points away; otherwise
  the answer is not known, or no difference is shown and a possible one is less than five points.
  Players with fewer than {least} games do not affect verdicts, and numbers from fewer than {shown}
  games are not shown. The intervals are not corrected for the number of questions: where there is
  no effect, one in twenty misleads.
- The change with strength is the difference between the first and the last player, with its
  interval[^newcombe]. A number *still moves* if the last two players differ, too: then it is not
  known what stronger players would show. The curve ends at `search:400`, with forty games or fewer:
  they give no verdict, and show only large changes. In Grand Pachessi and the games of Joyce it
  ends at `td`: hundreds of games of a search take hours.
- The interval of a sum over both players goes from the sum of the lower ends to the sum of the
  upper ends, so it is too wide rather than too narrow.
"""
_SUMMARY = (
    "A remark is here only if the whole interval of the last player with enough games "
    "supports it; random play is shown beside it, and does not "
    "count. Advice on what to change is here only if a rule that was *tried* has a better verdict "
    "on the aim. What became of the game under [changed rules](tuned_rules.md) follows."
)
_MAKING = (
    "A command plays as many games as the time allows, and goes on from what its folder holds. "
    "Another machine plays more or fewer; with the same code the first games of each playtest are "
    "the same. The numbers are in `studies/findings.json`. "
    f"Version: pasgl_env {__version__}."
)
BALANCE = Path(__file__).parents[2] / "docs" / "results" / "balance.md"
_FIRST_MOVE_TITLE = "What compensates for the first move"
_FIRST_MOVE = f"""## {_FIRST_MOVE_TITLE}

By `pasgl balance`; [the games and commands](balance.md) are on a page of their own. Shares
are those of the side that moves first.

{{table}}
"""
_SOURCES = """
[^newcombe]: R. G. Newcombe, *Interval estimation for the difference between independent
    proportions*, Statistics in Medicine 17 (1998); for other numbers G. Y. Zou and A. Donner,
    *Construction of confidence limits about effect measures*, Statistics in Medicine 27 (2008).
"""


UNITS = {
    "share": (True, False),
    "difference": (True, True),
    "number": (False, False),
    "change": (False, True),
}
"""Units of numbers: whether they are shares, and whether positive ones have a sign."""


def text_of(number: Number, estimate: Estimate) -> str:
    """A number with its interval."""
    is_share, is_signed = UNITS[number.unit]
    return estimate_text(estimate, is_share, is_signed=is_signed)


class Row(NamedTuple):
    """A number measured in the games of a player.

    Attributes:
        player: the player, who played against itself.
        games: number of games.
        estimate: the number; without an interval if there are too few games for one.
        cut_off: the share of games that were cut off, the sum of both runs' in a comparison.
        doubt: the reason why the games give no verdict; empty if they may.
    """

    player: str
    games: int
    estimate: Estimate
    cut_off: float = 0.0
    doubt: str = ""

    @property
    def is_bounded(self) -> bool:
        """Whether the number has an interval."""
        return self.estimate.low is not None and self.estimate.high is not None

    @property
    def has_say(self) -> bool:
        """Whether there are enough games, of enough variety, for a verdict."""
        return self.is_bounded and self.games >= LEAST_GAMES and not self.doubt


class Found(NamedTuple):
    """A question and the values of its numbers, in the order of the question."""

    question: Question
    rows: Mapping[Number, Sequence[Row]]

    @classmethod
    def of(cls, question: Question, answer: Answer) -> Found:
        """The statement of an answer."""
        rows: dict[Number, list[Row]] = {number: [] for number in question.numbers}
        for measured in answer.rows:
            for number, estimate in zip(question.numbers, measured.estimates, strict=True):
                games = measured.games_of(number)
                about = measured.cut_off_of(number), measured.doubt
                rows[number].append(Row(measured.player, games, estimate, *about))
        return cls(question, rows)


def check_replaceable(file: Path) -> None:
    """Raise ``ValueError`` if a file exists that is not a page of findings."""
    if file.exists() and not file.read_text(encoding="utf-8", errors="replace").startswith(TITLE):
        raise ValueError(f"{file} is not a page of findings: give another file")


def page(
    questions: Sequence[Question],
    remarks: Sequence[Remark],
    answers: Mapping[str, Answer],
    trials: Sequence[Trials],
) -> str:
    """The page of findings.

    Args:
        questions: the questions in order; those of a variant are adjacent.
        remarks: what the summary may say; remarks on other questions are left out.
        answers: by the keys of their questions. Questions without an answer are left out.
        trials: of changed rules.
    """
    answered = [each for each in questions if each.key in answers and answers[each.key].fits(each)]
    titles = dict.fromkeys(variants.find(each.variant).title for each in answered)
    links = _listed(_link(title) for title in (*titles, _FIRST_MOVE_TITLE))
    lead = _LEAD.format(least=LEAST_GAMES, shown=LEAST_SHOWN)
    written = []
    found: dict[str, Found] = {}
    variant = ""
    for question in answered:
        found[question.key] = Found.of(question, answers[question.key])
        if question.variant != variant:
            variant = question.variant
            written.append(f"## {variants.find(variant).title}\n")
        written.append(section(found[question.key], answers[question.key]))
    written += [_FIRST_MOVE.format(table=_first_table(BALANCE)), _making(answered, answers)]
    first = [
        TITLE,
        lead,
        *summary(remarks, found, trials),
        "## All answers\n",
        "\n".join(links),
        "",
    ]
    return "\n".join(first + written) + _SOURCES


def _first_table(file: Path) -> str:
    """The first table of a page."""
    lines = file.read_text(encoding="utf-8").splitlines()
    rows = dropwhile(lambda line: not line.startswith("|"), lines)
    return "\n".join(takewhile(lambda line: line.startswith("|"), rows))


def summary(
    remarks: Iterable[Remark], found: Mapping[str, Found], trials: Sequence[Trials]
) -> list[str]:
    """The remarks for each inventor: strengths of a game, and proposed changes with their trials.

    A remark holds if it fits the interval of the last player with enough games; random play
    does not count. Remarks with the same words on several variants are one, with the evidence of
    each.
    """
    said: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for remark in remarks:
        if remark.question not in found:
            continue
        question, rows = found[remark.question]
        number = next(each for each in question.numbers if each.heading == remark.heading)
        known = [row for row in rows[number] if row.has_say and row.player != "random"]
        is_doubted = bool(known) and doubter(number, rows[number]) is not None
        side = (
            number.side(known[-1].estimate, known[-1].cut_off)
            if known and not is_doubted
            else "unknown"
        )
        for kind, texts in (("What is good", remark.good), ("What to change", remark.change)):
            if side in texts:
                evidence = _evidence(question, number, known[-1], rows[number])
                text = texts[side]
                if kind == "What to change":
                    trial = _trial(question.variant, remark.tried, trials)
                    evidence += _tried(trial, remark.tried) if trial else ""
                    helped = trial is not None and trial.helped(remark.tried)
                    text = text if helped else _without_advice(text)
                if number.is_slight(known[-1].estimate, known[-1].cut_off):
                    text = slightly(text, number)
                said[question.author, kind][text].append(evidence)
    written = ["## Summary for the inventors\n", wrapped(_SUMMARY) + "\n"] if said else []
    for author in dict.fromkeys(author for author, _ in said):
        written.append(f"### For {author}\n")
        for kind in ("What is good", "What to change"):
            if of_kind := said.get((author, kind)):
                lines = (f"**{text}** {'; '.join(shown)}." for text, shown in of_kind.items())
                written += [f"{kind}:\n", *_listed(lines), ""]
    return written


def _evidence(question: Question, number: Number, row: Row, rows: Sequence[Row]) -> str:
    """A number of a player, beside that of random play, with a link to the whole answer."""
    value = text_of(number, row.estimate)
    about = f"{variants.find(question.variant).title}, `{row.player}`: {number.heading} {value}"
    for each in rows:
        if each.player == "random" and each.has_say:
            about += f", `random` {text_of(number, each.estimate)}"
    return _link(question.title, about)


def _trial(variant: str, aim: str, trials: Sequence[Trials]) -> Trials | None:
    """The trial of a change; None if there was none."""
    return next((each for each in trials if each.fit(variant, aim)), None)


def _tried(trial: Trials, aim: str) -> str:
    """What became of a change, with a link to all rules that were tried."""
    return f", {_link(trial.title, '*tried*', 'tuned_rules.md')} {trial.text(aim)}"


def _without_advice(text: str) -> str:
    """A remark on what to change, without its advice, which follows a colon.

    >>> _without_advice("Games are long: begin nearer.")
    'Games are long.'
    >>> _without_advice("Games are long.")
    'Games are long.'
    """
    fault, colon, _ = text.partition(": ")
    return f"{fault}." if colon else text


def _link(title: str, text: str = "", page: str = "") -> str:
    """A link to the section of a title."""
    name = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
    return f"[{text or title}]({page}#{name})"


def section(found: Found, answer: Answer) -> str:
    """A question and its answer."""
    question, rows = found
    verdicts = (verdict(number, each) for number, each in rows.items())
    written = [
        f"### {question.title}",
        "\n".join(wrapped(line, "> ") for line in question.quotation.split("\n")),
        wrapped(question.method),
        "\n".join(_listed(f"*{each.heading}*: {each.definition}" for each in question.numbers)),
        _table(answer, rows),
        "\n".join(_listed(filter(None, verdicts))),
    ]
    return "\n\n".join(filter(None, written)) + "\n"


def verdict(number: Number, rows: Sequence[Row]) -> str:
    """The verdict on a number; empty if nothing is claimed about it.

    Args:
        number: the number.
        rows: its values, in the order of the question.
    """
    if number.threshold is None and not number.trend:
        return ""
    known = [row for row in rows if row.has_say]
    if not known:
        return " ".join(filter(None, (_bold(number.unknown), "Nobody has played enough games.")))
    last = known[-1]
    value = text_of(number, last.estimate)
    rank = "" if rows[-1].has_say else ", the last with enough games"
    said = [f"`{last.player}`{rank}: {number.heading} {value}."]
    if number.threshold is not None and (stronger := doubter(number, rows)):
        value = text_of(number, stronger.estimate)
        said.insert(0, _bold(number.unknown))
        said.append(f"Too few games of `{stronger.player}`, which is stronger, differ: {value}.")
    elif number.threshold is not None:
        said.insert(0, _bold(_claim(number, last)))
        if number.side(last.estimate, last.cut_off) == "unknown":
            said.append(_why(number, number.threshold, last))
        said += _others(number, known)
    if len(known) > 1:
        said.append(_trend(number, known[0], last))
        said.append(_last_step(number, known, rows))
    return " ".join(filter(None, said))


def doubter(number: Number, rows: Sequence[Row]) -> Row | None:
    """A stronger player than those with enough games whose own games point to another answer.

    Where its number has an interval, that must differ from the last one's with enough games.
    """
    known = [row for row in rows if row.has_say]
    if number.threshold is None or not known:
        return None
    last = known[-1]
    answer = number.side(last.estimate, last.cut_off)
    for row in rows[rows.index(last) + 1 :]:
        value = row.estimate.value
        points_to = number.side(Estimate(value, value, value))
        is_shown = not row.is_bounded or _move(number, last, row)
        if value is not None and answer != "unknown" and points_to != answer and is_shown:
            return row
    return None


def slightly(text: str, number: Number) -> str:
    """A claim that holds, but by less than the margin.

    >>> slightly("Riding pays: so ride.", Number("", "", (), "share", margin=0.05))
    'Riding pays: so ride. The difference is less than 5 points.'
    """
    assert number.margin is not None
    return f"{text} The difference is less than {100 * number.margin:g} points."


def _bold(text: str) -> str:
    return text and f"**{text}**"


def _claim(number: Number, row: Row) -> str:
    claims = {
        "above": number.above,
        "below": number.below,
        "within": number.within,
        "unknown": number.unknown,
    }
    claim = claims[number.side(row.estimate, row.cut_off)]
    return slightly(claim, number) if number.is_slight(row.estimate, row.cut_off) else claim


def _why(number: Number, threshold: float, row: Row) -> str:
    """The reason why an answer is unknown, and the number of games that would decide it."""
    estimate = row.estimate
    if number.side(estimate) != "unknown":
        return (
            "Games that were cut off count half; however they had ended, it could be up to"
            f" {50 * row.cut_off:.1f} points higher or lower."
        )
    is_share, _ = UNITS[number.unit]
    why = f"The interval contains {f'{threshold:.0%}' if is_share else f'{threshold:g}'}"
    value, low, high = estimate.value, estimate.low, estimate.high
    if value is None or low is None or high is None or value == threshold:
        return f"{why}."
    reach = value - low if value > threshold else high - value
    factor = max(2, round((reach / (value - threshold)) ** 2))
    return f"{why}; if the number stayed, about {factor:,} times as many games would tell."


def _others(number: Number, known: Sequence[Row]) -> list[str]:
    """The differing answers of weaker players, grouped by answer."""
    players: dict[str, list[str]] = {}
    for row in known[:-1]:
        players.setdefault(_claim(number, row), []).append(f"`{row.player}`")
    players.pop(_claim(number, known[-1]), None)
    return [f"By {' and '.join(names)}: {text}" for text, names in players.items()]


def _trend(number: Number, first: Row, last: Row) -> str:
    """Whether a number changes with the strength of the players."""
    if move := _move(number, first, last):
        return f"{move[0].upper()}{move[1:]}."
    shown = _change_text(number, difference(last.estimate, first.estimate))
    return f"From `{first.player}` to `{last.player}` no change is shown: {shown}."


def _last_step(number: Number, known: Sequence[Row], rows: Sequence[Row]) -> str:
    """Whether a number still moves: how the last two players differ, with enough games or not."""
    stronger = [row for row in rows[rows.index(known[-1]) + 1 :] if row.is_bounded]
    curve = [*known, *stronger]
    if len(curve) > 2 and (move := _move(number, curve[-2], curve[-1])):
        return f"It still moves: {move}, so stronger players may differ."
    return _trend(number, curve[-2], curve[-1]) if stronger else ""


def _move(number: Number, weaker: Row, stronger: Row) -> str:
    """How a number differs between two players; empty if no difference is shown."""
    change = difference(stronger.estimate, weaker.estimate)
    verbs = {"above": "rises", "below": "falls"}
    if not (verb := verbs.get(replace(number, threshold=0.0).side(change))):
        return ""
    shown = _change_text(number, change)
    return f"from `{weaker.player}` to `{stronger.player}` it {verb} by {shown}"


def _change_text(number: Number, change: Estimate) -> str:
    return estimate_text(change, UNITS[number.unit][0], is_signed=True)


def _table(answer: Answer, rows: Mapping[Number, Sequence[Row]]) -> str:
    headings = ["players", "games", *(number.heading for number in rows)]
    lines = [f"| {' | '.join(headings)} |", f"|---|{'---:|' * (len(headings) - 1)}"]
    for at, measured in enumerate(answer.rows):
        games = f"{measured.games:,}"
        games += f" beside {measured.beside:,}" if measured.beside is not None else ""
        values = (text_of(number, of_all[at].estimate) for number, of_all in rows.items())
        lines.append(f"| {' | '.join([f'`{measured.player}`', games, *values])} |")
    return "\n".join(lines)


def _making(answered: Sequence[Question], answers: Mapping[str, Answer]) -> str:
    """The commands, the versions and the seeds, and the questions of each."""
    titles: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for question in answered:
        answer = answers[question.key]
        known = ", ".join(f"{name} {number}" for name, number in answer.versions.items())
        how = answer.command, f"Seed {answer.seed}; {known}."
        titles[how][variants.find(question.variant).title] = None
    written = ["## How this page was made\n"]
    for (command, rest), of_these in titles.items():
        commands = "\n".join(f"    {each}" for each in command.split("\n"))
        written += [f"{', '.join(of_these)}:\n", f"{commands}\n", wrapped(rest) + "\n"]
    return "\n".join([*written, wrapped(_MAKING) + "\n"])


def _listed(texts: Iterable[str]) -> list[str]:
    """The lines of a list."""
    return [wrapped(f"- {text}", "  ") for text in texts]


def wrapped(text: str, indent: str = "") -> str:
    """A paragraph, wrapped like those of the other pages."""
    return fill(text, 100, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
