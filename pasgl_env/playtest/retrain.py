"""Values that are learned anew for each rule, so that every rule is played by players that know it.

As Tomašev, Paquet, Hassabis and Kramnik, *Assessing game balance with AlphaZero* (2020), train for
each variant. Here two runs of temporal-difference learning, from different seeds and without
earlier values, learn each rule; what differs between the two is due to learning, not to the rule.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from pasgl_env import players
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.players.values.weights import FILE, read_tensors, unusual_learned_options
from pasgl_env.playtest.play import Plan
from pasgl_env.training.settings import TdSettings
from pasgl_env.training.start import start_or_resume
from pasgl_env.training.td.run import TRAINING_FILE, TdStatus
from pasgl_env.wording import counted

SEEDS = (0, 1)
"""The seeds of the runs that learn each rule."""

_AMOUNT = re.compile(r"(\d{1,9})games|(\d{1,6}(?:\.\d{1,6})?)(?:min)?")


class Retraining(NamedTuple):
    """How long each run learns; one of the two is None.

    Attributes:
        minutes: of training.
        games: to learn from.
    """

    minutes: float | None
    games: int | None

    @classmethod
    def read(cls, text: str) -> Retraining:
        """Parse ``2``, ``0.5`` (minutes) or ``20000games``.

        Raises:
            ValueError: for any other text, or zero.
        """
        found = _AMOUNT.fullmatch(text.strip())
        if found is None or not float(found[1] or found[2]):
            raise ValueError(
                f"players learn for a number of minutes, such as 2, or of games, such as"
                f" 20000games, not {text!r}"
            )
        return cls(None, int(found[1])) if found[1] else cls(float(found[2]), None)

    def __str__(self) -> str:
        if self.games is not None:
            return counted(self.games, "game")
        return f"{self.minutes:g} minute{'s' * (self.minutes != 1)}"

    def check(self, plan: Plan) -> None:
        """Raise ``ValueError`` if no player of a plan can learn, or its rules cannot be learned."""
        if not any(map(players.takes_values, plan.players)):
            one, other = plan.players
            raise ValueError(f"neither {one} nor {other} learns values: retrain td or search")
        self.settings(plan.ruleset, SEEDS[0], 1)

    def settings(self, ruleset: Ruleset, seed: int, threads: int) -> TdSettings:
        """The settings of a run that learns a rule, from games of this variant only."""
        return TdSettings(
            ruleset.name,
            minutes=self.minutes,
            games=self.games,
            seed=seed,
            options=unusual_learned_options(ruleset),
            threads=threads,
            extra_variants=(),
        )


def learn(
    plan: Plan,
    retraining: Retraining,
    folder: Path,
    name_of: Callable[[str], str],
    threads: int,
    report: Callable[[int, TdStatus], None],
) -> Plan:
    """The plan with players that learned its rules; what a folder holds is not learned again.

    Args:
        plan: of the games.
        retraining: how long to learn.
        folder: for the values of all rules, a folder for each run.
        name_of: turns a text into the name of a folder.
        threads: number of threads; with one, and a number of games, the values depend on the
            settings only.
        report: called about every half second with the number of the run and its status.

    Raises:
        KeyboardInterrupt: after Ctrl-C; the run continues from there when this is called again.
        ValueError: if the folder holds a run with other settings.
        InUse, BadWeights, OSError: as :func:`pasgl_env.training.td.run.train`.
    """
    learned = []
    for number, seed in enumerate(SEEDS):
        settings = retraining.settings(plan.ruleset, seed, threads)
        options = ",".join(f"{name}={value}" for name, value in settings.options.items())
        out = folder / name_of(f"{options or 'usual'},seed={seed}")
        if _progress(out) < 1 or not (out / FILE).exists():
            start_or_resume(settings, out, partial(report, number))
        learned.append(out / FILE)
    return plan.changed(learned=tuple(learned))


def _progress(out: Path) -> float:
    """How far the run in a folder is, from 0 to 1."""
    file = out / TRAINING_FILE
    return float(json.loads(read_tensors(file)[1]["status"])["progress"]) if file.exists() else 0.0
