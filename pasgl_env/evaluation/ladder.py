"""The ratings of ``docs/results/ladder.md``, measured by ``python -m studies.ladder``.

>>> from pasgl_env import variants
>>> strength("random", variants.ruleset("pasgl312"))
'under -...'
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.evaluation.openings import standard_name

FILE = "ladder.json"


def strength(player: str, ruleset: Ruleset) -> str | None:
    """A player's Elo as text, with its 95% interval; the greedy player has 0.

    Args:
        player: a name of :func:`pasgl_env.players.make`.
        ruleset: the variant under its options.

    Returns:
        None if the ladder lacks this player or these options.
    """
    name = standard_name(ruleset)
    return None if name is None else _ratings().get(name, {}).get(player.removesuffix(f":{name}"))


@cache
def _ratings() -> dict[str, dict[str, str]]:
    found: Any = json.loads(resources.files("pasgl_env.evaluation").joinpath(FILE).read_bytes())
    return dict(found)
