"""Registers every variant of the table with PettingZoo and Gymnasium.

>>> import pasgl_env.envs, pettingzoo
>>> pettingzoo.make("aec", "pasgl_env/pasgl312-v0").metadata["name"]
'pasgl312_v0'
>>> import gymnasium
>>> gymnasium.make("pasgl_env/Pasgl312-v0").spec.id
'pasgl_env/Pasgl312-v0'
"""

from __future__ import annotations

import gymnasium
import pettingzoo

from pasgl_env.table import table


def register_all() -> None:
    """Register all variants not yet registered; a variant's rules are imported on first use."""
    for name, variant in table().items():
        _register_aec(name, variant.environment)
        _register_gymnasium(name)


def _register_aec(name: str, version: int) -> None:
    identifier = f"pasgl_env/{name}-v{version}"
    if identifier not in pettingzoo.aec_registry:
        pettingzoo.register(
            "aec",
            identifier,
            entry_point="pasgl_env.envs.aec:standard_env",
            kwargs={"variant": name},
        )


def gymnasium_id(name: str) -> str:
    """The identifier of a variant's Gymnasium environment.

    >>> gymnasium_id("grand_pachessi")
    'pasgl_env/GrandPachessi-v0'
    """
    title = "".join(part.capitalize() for part in name.split("_"))
    return f"pasgl_env/{title}-v{table()[name].environment}"


def _register_gymnasium(name: str) -> None:
    identifier = gymnasium_id(name)
    if identifier not in gymnasium.registry:
        gymnasium.register(
            identifier,
            entry_point="pasgl_env.envs.gym:DuelEnv",
            vector_entry_point="pasgl_env.envs.gym:DuelVectorEnv",
            kwargs={"variant": name},
        )
