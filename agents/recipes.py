"""What the scripts of this folder do: train, resuming if interrupted, then measure."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pasgl_env.contract import variants
from pasgl_env.training.curves import from_even_openings
from pasgl_env.training.settings import PpoSettings, TdSettings
from pasgl_env.training.start import start_or_resume

MATCHES = (("td", "greedy", 400), ("td", "mcts:400", 200), ("search:50", "mcts:1600", 40))
"""The players, opponents and numbers of games that measure learned values."""


def train_values(
    settings: TdSettings,
    folder: str | Path,
    variant: str | None = None,
    matches: Iterable[tuple[str, str, int]] = MATCHES,
) -> None:
    """Learn values in a folder, resuming if interrupted, then print matches of their players.

    Args:
        settings: what to train.
        folder: folder of the run.
        variant: the variant of the matches, if it is another one with the same features.
        matches: player, opponent and number of games of each match. Its openings use a different
            seed from the training's.
    """
    out = Path(folder)
    start_or_resume(settings, out, _show)
    ruleset = variants.ruleset(variant or settings.variant, **settings.options)
    for own, rival, games in matches:
        print(from_even_openings(ruleset, f"{own}:values={out}", rival, games, seed=1000))


def train_networks(stages: Mapping[str, PpoSettings], games: int = 1000) -> None:
    """Train stage by stage, resuming if interrupted, then print matches of the last stage's agent.

    Args:
        stages: the settings of each run by folder, in the order of training.
        games: games per match, in pairs with swapped sides.
    """
    from pasgl_env import players
    from pasgl_env.evaluation import play_match

    for folder, settings in stages.items():
        start_or_resume(settings, Path(folder), _show)
    agent = players.load(folder)
    for rival in ("random", "greedy"):
        result = play_match(
            settings.variant, agent, rival, games, seed=1, paired=True, **settings.options
        )
        print(f"against {rival}: {result.all}")


def _show(status: Any) -> None:
    """Update a line of the terminal, if there is one."""
    if sys.stdout.isatty():
        print(f"{status.progress:.0%}", end="\r", flush=True)
