"""Questions from ``questions.toml``, and the playtests that they need."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from pasgl_env import Position, variants
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.evaluation.openings import Openings
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.verdict import Side, counts_cut_off, however_ended, is_within, side_of
from pasgl_env.statistics.estimates import Estimate

FILE = Path(__file__).with_name("questions.toml")
RANDOM_OPENINGS = Openings(turns=(2, 4))
"""The openings of games, so that they differ."""
SENSIBLE_OPENINGS = Openings(turns=(4, 4), player="td:temperature=0.1")
"""The openings where the first move matters: after an even number of turns the same side moves."""
LEAST_GAMES = 200
"""Runs with fewer games give no verdict: a few pairs hardly show how much pairs differ."""
MOST_REPLAYED = 2048
"""Maximum number of games replayed for their courses."""


@dataclass(frozen=True)
class Run:
    """A playtest of a player against itself.

    Attributes:
        ruleset: the rules.
        player: a name that :func:`pasgl_env.players.make` knows.
        line: labels played from the usual start before the games begin.
        forbidden: restrictions, see :class:`pasgl_env.playtest.restrict.Restriction`.
        is_sensible: whether a strong player, not a random one, plays the first turns.
    """

    ruleset: Ruleset
    player: str
    line: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    is_sensible: bool = False

    @property
    def name(self) -> str:
        """The name of its folder, different for every run."""
        name = f"{self.ruleset.name}-{self.player.replace(':', '')}"
        options = tuple(self.ruleset.unusual.items())
        more: tuple[object, ...] = (options, self.line, self.forbidden)
        if self.is_sensible:
            more = (*more, "sensible")
        if not any(more):
            return name
        return f"{name}-{blake2b(repr(more).encode(), digest_size=4).hexdigest()}"

    def plan(self, seed: int) -> Plan:
        """The plan of the playtest."""
        position = Position(self.ruleset)
        for label in self.line:
            position.play(label)
        openings = SENSIBLE_OPENINGS if self.is_sensible else RANDOM_OPENINGS
        openings = replace(openings, texts=(position.text,) if self.line else ())
        return Plan.of(self.ruleset, (self.player, self.player), seed, self.forbidden, openings)


@dataclass(frozen=True)
class Number:
    """A column of a question's table, and the claim about it.

    Attributes:
        heading: heading of the column.
        definition: its definition, as a sentence.
        where: its source; a key of :data:`studies.findings.numbers.READERS`.
        unit: a word of :data:`studies.findings.page.UNITS`.
        compared: whether the other run's number is subtracted.
        threshold: the threshold for its interval; None if nothing is claimed.
        above: the verdict if the whole interval is above it; a sentence.
        below: the verdict if the whole interval is below.
        margin: how far from the threshold is not far; None: nothing is said about that.
        within: the verdict if neither is shown and the whole interval is within the margin.
        unknown: the verdict otherwise.
        trend: whether to report its change with strength even if nothing is claimed.
    """

    heading: str
    definition: str
    where: tuple[tuple[str, Any], ...]
    unit: str
    compared: bool = False
    threshold: float | None = None
    above: str = ""
    below: str = ""
    margin: float | None = None
    within: str = ""
    unknown: str = ""
    trend: bool = False

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Number:
        """The number described by a table of the file."""
        own = {name: value for name, value in given.items() if name in cls.__dataclass_fields__}
        where = tuple((name, value) for name, value in given.items() if name not in own)
        return cls(where=where, **own)

    @property
    def is_score(self) -> bool:
        """Whether games that were cut off count half in it."""
        (kind, about), *_ = self.where or (("", ""),)
        return kind == "figure" and counts_cut_off(str(about))

    def side(self, estimate: Estimate, cut_off: float = 0.0) -> Side:
        """The side of an interval, if there is a claim: see :func:`side_of`.

        Args:
            estimate: the number with its interval.
            cut_off: the share of games that were cut off, the sum of both runs' in a comparison:
                each of them can move a score, or a difference of scores, by half a point.

        >>> share = Number("", "", (), "share", threshold=0.5, margin=0.05)
        >>> share.side(Estimate(0.52, 0.48, 0.54)), share.side(Estimate(0.52, 0.48, 0.56))
        ('within', 'unknown')
        """
        if self.threshold is None:
            return "unknown"
        return side_of(self._bounds(estimate, cut_off), self.threshold, self.margin)

    def is_slight(self, estimate: Estimate, cut_off: float = 0.0) -> bool:
        """Whether an interval on one side of the threshold is within the margin, too.

        >>> share = Number("", "", (), "share", threshold=0.5, margin=0.05)
        >>> share.is_slight(Estimate(0.52, 0.51, 0.54)), share.is_slight(Estimate(0.52, 0.48, 0.54))
        (True, False)
        """
        if self.threshold is None or self.side(estimate, cut_off) not in ("above", "below"):
            return False
        return is_within(self._bounds(estimate, cut_off), self.threshold, self.margin)

    def _bounds(self, estimate: Estimate, cut_off: float) -> Estimate:
        """The number, with bounds that hold however the games that were cut off had ended."""
        return however_ended(estimate, cut_off if self.is_score else 0.0, 0.5)


@dataclass(frozen=True)
class Remark:
    """A remark on an answer for the inventor, in the summary of the page.

    Attributes:
        question: the key of the question.
        heading: of the number.
        good: what is good about the game, by where the number's interval lies.
        change: what to change, likewise.
        tried: the aim with which such a change was tried; empty if it was not.
    """

    question: str
    heading: str
    good: Mapping[Side, str]
    change: Mapping[Side, str]
    tried: str = ""


class Asked(NamedTuple):
    """A run, and the run it is compared with."""

    run: Run
    beside: Run | None


@dataclass(frozen=True)
class Question:
    """A question about a variant.

    Attributes:
        key: its name in commands, ``VARIANT.WORD``.
        variant: a name of :func:`pasgl_env.contract.variants.names`.
        title: the question itself.
        author: the inventor of the game.
        quotation: the inventor's words, as Markdown; empty if nobody has asked.
        method: how the question is answered.
        asked: the runs, weakest players first.
        games: the number of games of each run that the verdicts are expected to need.
        numbers: the columns.
    """

    key: str
    variant: str
    title: str
    author: str
    quotation: str
    method: str
    asked: tuple[Asked, ...]
    games: int
    numbers: tuple[Number, ...]


def questions(names: Sequence[str] = ()) -> list[Question]:
    """Questions by key or by variant's name; all if no names are given.

    >>> [question.key for question in questions(["pasgl312.deer", "overlord"])]
    ['pasgl312.deer', 'overlord.over', 'overlord.limit', 'overlord.command']

    Raises:
        ValueError: for an unknown name; lists the known ones.
    """
    content = _content()
    known = [
        _question(each, variant, players)
        for variant, players in content["players"].items()
        for each in content["question"]
        if variant in each["variants"]
    ]
    for name in names:
        if not any(name in (each.key, each.variant) for each in known):
            raise ValueError(f"no question {name!r}: {', '.join(each.key for each in known)}")
    return [each for each in known if not names or {each.key, each.variant} & {*names}]


def asked_of(whole: Iterable[Question], players: str) -> list[Question]:
    """The questions that are asked of some players, and of these only; unchanged if none is named.

    Args:
        whole: the questions.
        players: names with commas between them.

    Raises:
        ValueError: if none of the questions is asked of one of them.
    """
    whole, named = list(whole), [name for name in players.split(",") if name]
    known = dict.fromkeys(each.run.player for question in whole for each in question.asked)
    for name in named:
        if name not in known:
            raise ValueError(f"no question is asked of {name!r}, but of {', '.join(known)}")
    parts = (
        replace(each, asked=tuple(one for one in each.asked if one.run.player in named))
        for each in whole
    )
    return [each for each in parts if each.asked] if named else whole


def runs_of(chosen: Iterable[Question]) -> dict[Run, int]:
    """The runs of some questions, each with the most games that one of them asks for.

    Slow players play the fewer games that the file names instead.
    """
    fewer, games = _content().get("fewer", {}), dict[Run, int]()
    for question in chosen:
        for run in filter(None, chain.from_iterable(question.asked)):
            games[run] = max(games.get(run, 0), fewer.get(run.player, question.games))
    return games


def remarks() -> list[Remark]:
    """The remarks on answers for the inventors, in the order of the file."""
    return [
        Remark(
            f"{variant}.{each['question']}",
            each["heading"],
            each.get("good", {}),
            each.get("change", {}),
            each.get("tried", ""),
        )
        for each in _content()["remark"]
        for variant in each["variants"]
    ]


def _content() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def _question(given: Mapping[str, Any], variant: str, players: Sequence[str]) -> Question:
    own = given.get("players", players)
    quotation = ""
    if "quotation" in given:
        quotation = f"> “{given['quotation']}”\n>\n> {given['author']}, *{given['page']}*"
    return Question(
        f"{variant}.{given['key']}",
        variant,
        given["title"].format(title=variants.find(variant).title),
        given["author"],
        quotation,
        given["method"].format(replayed=MOST_REPLAYED),
        tuple(_asked(given, variant, player) for player in own),
        given.get("games", LEAST_GAMES),
        tuple(map(Number.of, given["numbers"])),
    )


def _asked(given: Mapping[str, Any], variant: str, player: str) -> Asked:
    is_sensible = given.get("sensible", False)

    def run(played: Mapping[str, Any]) -> Run:
        return Run(
            variants.ruleset(variant, **played.get("options", {})),
            player,
            tuple(played.get("line", ())),
            tuple(played.get("forbidden", ())),
            is_sensible,
        )

    beside = given.get("beside")
    if beside is None or player not in beside.get("only", [player]):
        return Asked(run(given), None)
    return Asked(run(given), run(beside))
