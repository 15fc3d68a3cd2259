"""Chess variants that no other suite has, as multi-agent reinforcement-learning environments.

Importing it registers the environments. All else is imported at its first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pasgl_env import envs
from pasgl_env.envs import make
from pasgl_env.version import __version__

if TYPE_CHECKING:
    from pasgl_env import players
    from pasgl_env.contract import variants
    from pasgl_env.engine.batch import Batch
    from pasgl_env.engine.dice import Dice
    from pasgl_env.engine.errors import IllegalMove
    from pasgl_env.engine.position import Position
    from pasgl_env.solving import solve

__all__ = [
    "Batch",
    "Dice",
    "IllegalMove",
    "Position",
    "__version__",
    "envs",
    "make",
    "players",
    "solve",
    "variants",
]

_LATER = {
    "Batch": "engine.batch",
    "Dice": "engine.dice",
    "IllegalMove": "engine.errors",
    "Position": "engine.position",
    "players": "players",
    "solve": "solving",
    "variants": "contract.variants",
}

if not TYPE_CHECKING:  # for which these names are imported above

    def __getattr__(name: str) -> Any:
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module = import_module(f"{__name__}.{_LATER[name]}")
        globals()[name] = getattr(module, name, module)
        return globals()[name]

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
