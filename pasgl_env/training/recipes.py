"""Recipes of the scripts in ``agents/``: train, resuming if interrupted, then measure."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pasgl_env.training.settings import PpoSettings, TdSettings
from pasgl_env.training.start import start_or_resume


def train_values(
    settings: TdSettings,
    folder: str | Path,
    matches: Iterable[tuple[str, str, int]],
    variant: str | None = None,
) -> None:
    """Learn values in a folder, resuming if interrupted, then print matches of their players.

    Args:
        settings: what to train.
        folder: folder of the run.
        matches: player, opponent and number of games of each match. Its openings use a different
            seed from the training's.
        variant: the variant of the matches, if it is another one with the same features.
    """
    from pasgl_env.evaluation import play_match
    from pasgl_env.evaluation.openings import EVEN_OPENINGS

    out = Path(folder)
    start_or_resume(settings, out, _show)
    for own, rival, games in matches:
        mine = f"{own}:values={out}"
        match = play_match(
            variant or settings.variant,
            mine,
            rival,
            games,
            seed=1000,
            paired=True,
            starts=EVEN_OPENINGS,
            **settings.options,
        )
        print(match)


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
