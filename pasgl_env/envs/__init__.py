"""Environments for reinforcement-learning frameworks.

Importing this package registers every variant with PettingZoo and Gymnasium.
"""

from __future__ import annotations

from typing import Any

import pettingzoo

from pasgl_env.envs.registration import register_all
from pasgl_env.table import table

register_all()


def make(variant: str, **settings: Any) -> Any:
    """The PettingZoo AEC environment of a variant, with the standard wrappers.

    >>> env = make("pasgl312", render_mode="ansi")
    >>> env.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = env.last()
    >>> observation["observation"].shape
    (60, 8, 10)

    Args:
        variant: a name of :func:`pasgl_env.contract.variants.names`.
        settings: as for :class:`pasgl_env.envs.aec.VariantEnv`.

    Raises:
        ValueError: for an unknown variant or setting, or an invalid value.
    """
    from pasgl_env.contract import variants  # the rules, which the command line's help needs not

    name = variants.find(variant).name
    version = table()[name].environment
    return pettingzoo.make("aec", f"pasgl_env/{name}-v{version}", **settings)
