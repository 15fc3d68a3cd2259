"""The players that clients may name, and those fast enough to run without a worker."""

from __future__ import annotations

import re
from functools import lru_cache

from pasgl_env import players
from pasgl_env.contract.game import brief
from pasgl_env.players.levels import LEVELS
from pasgl_env.web.protocol import Problem

MOST_SIMULATIONS = 100_000
MOST_SECONDS = 10.0
_NUMBERS = "temperature|exploration|prior_visits|greed"
_SETTING = rf"(?::(?:{_NUMBERS})=[0-9]{{1,3}}(?:\.[0-9]{{1,4}})?|:plies=[0-9]{{1,3}})*"
# No paths: clients must not name files of this machine.
_NAME = re.compile(
    rf"random|greedy|(?:td|(?:mcts|search)(?::(?P<budget>[0-9]{{1,6}}(?:\.[0-9]{{1,3}})?)(?P<unit>ms|s)?)?"
    rf"|ppo(?::[a-z0-9_]{{1,40}})?){_SETTING}"
)
_INSTANT = ("random", "greedy", "td")


def checked(name: str) -> str:
    """The name of a player, if clients may name it; ``Problem`` for any other name."""
    match = _NAME.fullmatch(name)
    if match is None:
        raise Problem(
            "player",
            f"no player {brief(name)}: name a level ({', '.join(level.name for level in LEVELS)}),"
            " random, greedy, td, mcts:N, search:N, search:Nms or a trained agent",
        )
    amount = float(match["budget"] or 1)
    if amount == 0:
        raise Problem("player", "a search needs at least one simulation, or some time")
    limit = {"ms": 1000 * MOST_SECONDS, "s": MOST_SECONDS}.get(match["unit"], MOST_SIMULATIONS)
    if amount > limit:
        raise Problem("player", f"a search has at most {limit:g}{match['unit'] or ' simulations'}")
    return name


def is_instant(name: str) -> bool:
    """Whether a player decides fast enough to run in the server's process."""
    return name.partition(":")[0] in _INSTANT


@lru_cache(maxsize=64)
def instant(name: str, variant: str) -> players.Player:
    """A fast player, shared by all games; ``Problem`` for settings that it does not have."""
    try:
        return players.make(name, variant)
    except ValueError as error:
        raise Problem("player", str(error)) from None
