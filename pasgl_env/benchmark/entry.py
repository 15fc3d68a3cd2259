"""What is evaluated: an entry of the benchmark, as its authors state it."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

TRACKS = "policy", "search"
"""One network call an action, or any search."""
MEANS = "rules", "values"
"""What training or play may use: the rules as a model, and the evaluations of the suite."""


@dataclass(frozen=True)
class Entry:
    """An entry, as its authors state it; nothing of this is measured.

    Attributes:
        name: the method's name, on the leaderboard.
        track: one of :data:`TRACKS`: ``policy`` if each action takes one call of a network.
        uses: those of :data:`MEANS` that training or play use: ``rules`` as a model to look ahead,
            ``values``, the suite's own evaluations or learned values.
        decisions: number of decisions in training, of all players together; None if not stated.
        hours: of training; None if not stated.
        link: where it is described, an address of the web.

    Raises:
        ValueError: for an unknown track or means, an empty name, a negative budget, or a link that
            is none.
    """

    name: str
    track: str = "policy"
    uses: tuple[str, ...] = ()
    decisions: int | None = None
    hours: float | None = None
    link: str = ""

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise ValueError("an entry needs a name")
        if self.track not in TRACKS:
            raise ValueError(f"the track must be {' or '.join(TRACKS)}, not {self.track!r}")
        if unknown := set(self.uses) - set(MEANS):
            raise ValueError(f"an entry uses {' or '.join(MEANS)}, not {min(unknown)!r}")
        if any(not 0 <= (budget or 0) < inf for budget in (self.decisions, self.hours)):
            raise ValueError("a budget must be a number that is not negative, and finite")
        if self.link and not self.link.startswith(("https://", "http://")):
            raise ValueError(f"a link begins with https://, not {self.link!r}")
