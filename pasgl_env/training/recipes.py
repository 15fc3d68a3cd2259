"""Recipes of the scripts in ``agents/``: train, going on after an interruption, then measure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Protocol

from pasgl_env.training.settings import PpoSettings, TdSettings


class Progress(Protocol):
    """How far a run is."""

    @property
    def progress(self) -> float:
        """Between 0 and 1."""


def train_values(
    settings: TdSettings, folder: str | Path, matches: Iterable[tuple[str, str, int]]
) -> None:
    """Learn values into a folder, or go on there, then print matches of players that use them.

    Args:
        settings: what to train.
        folder: where the run is kept.
        matches: player, opponent and number of games of each match. Its openings have another
            seed than the training's.
    """
    from pasgl_env.evaluation.duel import duel
    from pasgl_env.training.td import TRAINING_FILE, train

    out = Path(folder)
    train(settings, out, resume=(out / TRAINING_FILE).exists(), report=_show)
    for own, rival, games in matches:
        mine = f"{own}:values={out}"
        print(duel(settings.variant, mine, rival, games, seed=1000, **settings.options))


def train_networks(stages: Mapping[str, PpoSettings], games: int = 1000) -> None:
    """Train stage by stage, or go on there, then print matches of the last stage's agent.

    Args:
        stages: the settings of each run by its folder, in the order of training.
        games: games of each match, in pairs with swapped sides.
    """
    from pasgl_env import players
    from pasgl_env.evaluation import play_match
    from pasgl_env.training.ppo.checkpoint import TRAINING_FILE
    from pasgl_env.training.ppo.train import train

    for folder, settings in stages.items():
        out = Path(folder)
        train(settings, out, resume=(out / TRAINING_FILE).exists(), report=_show)
    agent = players.load(folder)
    for rival in ("random", "greedy"):
        result = play_match(
            settings.variant, agent, rival, games, seed=1, paired=True, **settings.options
        )
        print(f"against {rival}: {result.all}")


def _show(status: Progress) -> None:
    """Keep one line of the terminal up to date."""
    print(f"{status.progress:.0%}", end="\r", flush=True)
