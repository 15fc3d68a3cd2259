"""Chess variants that no other suite has, as multi-agent reinforcement-learning environments."""

from __future__ import annotations

from pasgl_env import envs, players, variants
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.dice import Dice
from pasgl_env.engine.errors import IllegalMove
from pasgl_env.engine.position import Position
from pasgl_env.envs import make

__version__ = "0.1.0"
__all__ = ["Batch", "Dice", "IllegalMove", "Position", "envs", "make", "players", "variants"]
