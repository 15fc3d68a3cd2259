"""Chess variants that no other suite has, as multi-agent reinforcement-learning environments."""

from __future__ import annotations

from pkgutil import extend_path

from pasgl_env import envs, players, variants
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.dice import Dice
from pasgl_env.engine.errors import IllegalMove
from pasgl_env.engine.position import Position
from pasgl_env.envs import make

# The repository's agents/ is installed as pasgl_env.agents: in a checkout, this package lies in
# two folders.
__path__ = extend_path(__path__, __name__)

__version__ = "0.1.0"
__all__ = ["Batch", "Dice", "IllegalMove", "Position", "envs", "make", "players", "variants"]
