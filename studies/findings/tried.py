"""Rules that were tried, by :mod:`studies.tuned_rules`, for the remarks on what to change."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pasgl_env import variants
from pasgl_env.playtest.counting import table_of
from pasgl_env.playtest.swept import Swept
from pasgl_env.playtest.tune import Aim
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.statistics.texts import estimate_text
from studies.entries import read_entries

_BEST_FIRST = "met", "open", "missed"


@dataclass(frozen=True)
class Trials:
    """Rules that a search tried.

    Attributes:
        title: of its section on the page of rules found.
        numbers: of the rules, as in ``tune.json``.
    """

    title: str
    numbers: Mapping[str, Any]

    def fit(self, variant: str, aim: str) -> bool:
        """Whether they were tried in a variant with an aim."""
        return self.numbers["variant"] == variant and aim in self.numbers["aims"]

    def helped(self, aim: str) -> bool:
        """Whether a rule beside the usual ones has a better verdict on an aim than these."""
        best = self._best(aim)
        return best is not None and _rank(best, aim) < _rank(self.numbers["usual"], aim)

    def text(self, aim: str) -> str:
        """The rule that comes nearest to an aim beside the usual ones, in words."""
        usual, player = self.numbers["usual"], f"`{self.numbers['players'][0]}`"
        best = self._best(aim)
        if usual["learned"]:
            player += ", which learned each rule"
        measure, *_ = re.split("[=<>]", aim)
        said = f"by {player}: `{measure}` {self._number(usual, aim)} as it is"
        if best is None:
            tried = len(self.numbers["tried"]) - 1
            return f"{said}, so {_reached(usual)}, and none of {tried} other rules came nearer"
        return f"{said}, {self._number(best, aim)} with {self._rule(best)}: {_reached(best)}"

    def _best(self, aim: str) -> Mapping[str, Any] | None:
        """The best rule beside the usual ones, by its verdict on an aim; None if there is none."""
        usual = self.numbers["usual"]["options"]
        others = [each for each in self.numbers["front"] if each["options"] != usual]
        return min(others, key=lambda rule: (_rank(rule, aim), _distance(rule, aim)), default=None)

    def _number(self, rule: Mapping[str, Any], aim: str) -> str:
        found = rule["numbers"][aim]
        counters = table_of(variants.find(self.numbers["variant"])).counters
        is_share = any(each.is_share and aim.startswith(each.name) for each in counters)
        return estimate_text(Estimate(found["value"], found["low"], found["high"]), is_share)

    def _rule(self, rule: Mapping[str, Any]) -> str:
        known = {each.name: each for each in variants.find(self.numbers["variant"]).options}
        swept = [Swept(known[name], values) for name, values in self.numbers["swept"].items()]
        return ", ".join(f"{each.name}={each.word(rule['options'][each.name])}" for each in swept)


def _rank(rule: Mapping[str, Any], aim: str) -> int:
    return _BEST_FIRST.index(rule["numbers"][aim]["verdict"])


def _distance(rule: Mapping[str, Any], aim: str) -> float:
    return Aim.read(aim).distance(rule["numbers"][aim]["value"])


def _reached(rule: Mapping[str, Any]) -> str:
    """Whether a rule reaches the aims, all of them: what it gains in one may be lost in another."""
    verdicts = ((aim, found["verdict"]) for aim, found in rule["numbers"].items())
    return ", ".join(f"`{aim}` is {verdict}" for aim, verdict in verdicts)


def read_trials(file: Path) -> list[Trials]:
    """The searches in the file beside the page of rules found.

    Raises:
        ValueError: if it is not such a file.
    """
    found = read_entries(file, "rules", lambda given: Trials(given["title"], given["numbers"]))
    return [*found.values()]
