"""What the scripts of this folder do: train, resuming if interrupted, then measure."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pasgl_env.contract import variants
from pasgl_env.training.curves import from_even_openings
from pasgl_env.training.settings import PpoSettings, TdSettings
from pasgl_env.training.start import start_or_resume

LONG_TURNS = "chieftain", "superchief", "overlord"
"""The variants in which a turn has several actions, so that a game of a search takes minutes."""
Match = tuple[str, str, int]
Settings = TypeVar("Settings", TdSettings, PpoSettings)


def matches_of(variant: str) -> Sequence[Match]:
    """The players, opponents and numbers of games that measure learned values."""
    if variant in LONG_TURNS:
        return ("td", "greedy", 100), ("td", "ppo", 100), ("search:1", "mcts:400", 16)
    searches = ("search:50", "mcts:400", 100), ("search:50", "mcts:1600", 40)
    return ("td", "greedy", 400), ("td", "mcts:400", 200), *searches


def train_values(
    stages: Mapping[str, TdSettings],
    variant: str | None = None,
    matches: Callable[[str], Iterable[Match]] = matches_of,
) -> None:
    """Learn values stage by stage, resuming if interrupted, then print matches of the last ones.

    Args:
        stages: the settings of each run by folder, in the order of training.
        variant: the variant of the matches, if it is another one with the same features.
        matches: gives the matches of a variant. Their openings use a different seed from the
            training's.
    """
    _take_no_arguments()
    folder, settings = _last_trained(stages)
    ruleset = variants.ruleset(variant or settings.variant, **settings.options)
    for own, rival, games in matches(ruleset.name):
        print(from_even_openings(ruleset, f"{own}:values={folder}", rival, games, seed=1000))


def train_networks(stages: Mapping[str, PpoSettings], games: int = 1000) -> None:
    """Train stage by stage, resuming if interrupted, then print matches of the last stage's agent.

    Args:
        stages: the settings of each run by folder, in the order of training.
        games: games per match, in pairs with swapped sides.
    """
    from pasgl_env import players
    from pasgl_env.evaluation import play_match

    _take_no_arguments()
    folder, settings = _last_trained(stages)
    agent = players.load(folder)
    for rival in ("random", "greedy"):
        result = play_match(
            settings.variant, agent, rival, games, seed=1, paired=True, **settings.options
        )
        print(f"against {rival}: {result.all}")


def _take_no_arguments() -> None:
    """If a script of this folder was given any, print what it is for, and end."""
    script, given = sys.modules["__main__"], sys.argv[1:]
    if given and script.__spec__ and script.__spec__.name.startswith("agents."):
        print(f"{script.__doc__}\nIt takes no arguments.")
        sys.exit(0 if given == ["--help"] else 2)


def _last_trained(stages: Mapping[str, Settings]) -> tuple[str, Settings]:
    """Train all stages; return the last one."""
    try:
        for folder, settings in stages.items():
            start_or_resume(settings, Path(folder), _show)
    except KeyboardInterrupt:
        print(f"Stopped in {folder}: the same command continues.", file=sys.stderr)
        sys.exit(130)
    return folder, settings


def _show(status: Any) -> None:
    """Update a line of the terminal, if there is one."""
    if sys.stdout.isatty():
        print(f"{status.progress:.0%}", end="\r", flush=True)
