"""Grand Pachessi; its page in the documentation is ``docs/environments/grand_pachessi.md``.

>>> from pasgl_env.envs import grand_pachessi_v0
>>> str(grand_pachessi_v0.env(turn_limit=100))
'grand_pachessi_v0'
"""

from __future__ import annotations

from typing import Any

from pasgl_env.envs.aec import StandardEnv, VariantEnv


def env(**arguments: Any) -> StandardEnv:
    """The environment with PettingZoo's standard checks; arguments as for :func:`raw_env`."""
    return StandardEnv(raw_env(**arguments))


def raw_env(**arguments: Any) -> VariantEnv:
    """The environment alone: :class:`pasgl_env.envs.aec.VariantEnv` with these arguments."""
    return VariantEnv("grand_pachessi", **arguments)
