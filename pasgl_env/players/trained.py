"""Trained agents by name, and the settings of their networks. Nothing here needs PyTorch."""

from __future__ import annotations

import re
from os.path import isfile  # unlike Path.is_file, it accepts any string
from pathlib import Path
from typing import Literal, get_args

from pasgl_env.contract.game import Game, brief

AGENT_FILE = "agent.pt"
MODEL = ".zip"
"""The suffix of models of Stable-Baselines3."""
SHIPPED = Path(__file__).parent / "networks" / "checkpoints"
KINDS = ("ppo",)

Layers = Literal["dense", "convolutional"]
LAYERS: tuple[Layers, ...] = get_args(Layers)

TEMPERATURE = 0.25
"""The temperature of trained networks: close to their best play, but not always the same game."""
MOST_TEMPERATURE = 1000
MOST_WIDTH = 8192
"""The largest width of a network's layers; a file with a larger one would only fill the memory."""


def usual_layers(game: Game) -> Layers:
    """The default layers of a game: convolutional if its actions are planes of squares."""
    return "convolutional" if game.has_plane_actions else "dense"


def file_of(name: str, variant: str) -> Path | None:
    """The file or folder of the trained agent or program with this name; None for other players.

    Raises:
        ValueError: if the name looks like that of a shipped agent, but there is none of that
            name.
    """
    if is_path(name):
        return Path(name)
    if (program := program_in(name)) is not None:
        return program[0]
    return shipped(name, variant) if str(name).partition(":")[0] in KINDS else None


def is_path(name: str) -> bool:
    """Whether a name looks like the path of a trained agent."""
    path = Path(name)
    return path.suffix in (".pt", MODEL) or isfile(path / AGENT_FILE)


def program_in(name: str) -> tuple[Path, str] | None:
    """The file and the object that a name such as ``mine.py:policy`` states; None for others."""
    match = re.fullmatch(r"(.+\.py):(\w+)", str(name))
    return None if match is None else (Path(match[1]), match[2])


def shipped(name: str, variant: str) -> Path:
    """The file of an agent that comes with the package.

    Args:
        name: ``ppo`` for the variant's own agent; ``ppo:pachessi_four`` if there are several.
        variant: the variant, if the name does not include it.

    Raises:
        ValueError: if no agent has that name; lists the names.
    """
    kind, _, own = name.partition(":")
    known = shipped_names()
    if f"{kind}:{own or variant}" not in known:
        raise ValueError(f"no agent {brief(name)} comes with the package: {', '.join(known)}")
    return SHIPPED / (own or variant) / f"{kind}.pt"


def shipped_names() -> list[str]:
    """The names of the agents that come with the package, such as ``ppo:pasgl312``."""
    return sorted(f"{file.stem}:{file.parent.name}" for file in SHIPPED.glob("*/*.pt"))
