"""Chess variants that no other suite has, as multi-agent reinforcement-learning environments."""

from __future__ import annotations

from pasgl_env import envs, players
from pasgl_env.contract import variants
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.dice import Dice
from pasgl_env.engine.errors import IllegalMove
from pasgl_env.engine.position import Position
from pasgl_env.envs import make
from pasgl_env.version import __version__

__all__ = [
    "Batch",
    "Dice",
    "IllegalMove",
    "Position",
    "__version__",
    "envs",
    "make",
    "players",
    "variants",
]
