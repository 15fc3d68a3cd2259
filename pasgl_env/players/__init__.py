"""Reference players for any variant, and players made from functions and policies.

>>> from pasgl_env import Batch, players
>>> batch = Batch("pasgl312", 2)
>>> greedy = players.make("greedy", "pasgl312", seed=1)
>>> batch.step(players.choose(greedy, batch, np.arange(2)))
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from pasgl_env.contract import variants
from pasgl_env.contract.game import brief, meant
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.position import Position
from pasgl_env.players import trained
from pasgl_env.players.adapters import FunctionPlayer, PolicyPlayer, object_in
from pasgl_env.players.exact import ExactPlayer
from pasgl_env.players.greedy import GreedyPlayer
from pasgl_env.players.player import Player, SeededPlayer, choose, knows, reseed
from pasgl_env.players.random import RandomPlayer
from pasgl_env.players.search.mcts import MctsPlayer
from pasgl_env.players.search.player import TreePlayer
from pasgl_env.players.search.tree_search import TreeSearchPlayer
from pasgl_env.players.settings import read_settings
from pasgl_env.players.trained import file_of
from pasgl_env.players.values.one_ply import ValuePlayer

__all__ = [
    "ExactPlayer",
    "FunctionPlayer",
    "GreedyPlayer",
    "MctsPlayer",
    "Player",
    "PolicyPlayer",
    "RandomPlayer",
    "TreePlayer",
    "TreeSearchPlayer",
    "ValuePlayer",
    "as_player",
    "choose",
    "choose_one",
    "file_of",
    "knows",
    "load",
    "make",
    "names",
    "reseed",
    "takes_values",
]

_WITH_SETTINGS: dict[str, Any] = {
    each.kind: each for each in (MctsPlayer, ValuePlayer, TreeSearchPlayer)
}
_PLAYERS: dict[str, Any] = {"random": RandomPlayer, "greedy": GreedyPlayer, **_WITH_SETTINGS}
_WITH_SETTINGS[ExactPlayer.kind] = ExactPlayer  # which cannot be named without its table
_KNOWN = (
    f"{', '.join((*_PLAYERS, *trained.KINDS))}, mcts:N or search:N for N simulations,"
    " mcts:Ts or search:Ts for T seconds, exact:table=FILE,"
    " the path of a trained agent, or mine.py:NAME for an object in a file"
)


def names() -> tuple[str, ...]:
    """The names that :func:`make` accepts."""
    return tuple(_PLAYERS)


def make(name: str, variant: str | Ruleset, *, seed: int | None = None) -> Player:
    """A player of a variant by name.

    Args:
        name: a name of :func:`names`; ``mcts:400`` or ``mcts:2s`` for a number of simulations or
            seconds, and ``mcts:100:plies=10:greed=1`` with settings of :class:`MctsPlayer`;
            likewise ``search:400`` or ``search:100ms``, and ``td:temperature=0.1``;
            ``exact:table=FILE`` or ``search:400:table=FILE`` with a table of
            :mod:`pasgl_env.solving`; or a trained agent, which needs the extra ``train``: ``ppo``
            for the variant's own, ``ppo:pachessi_four`` if there are several, or the path of a file
            ``agent.pt``, of its folder, or of a model's zip by Stable-Baselines3. ``mine.py:NAME``
            is an object in a Python file, which is run: anything that :func:`as_player` takes.
        variant: a name of :func:`pasgl_env.contract.variants.names`, or a ruleset; the player plays
            under all options.
        seed: seed of the player's generators; None draws one.

    Raises:
        ValueError: for an unknown name or variant, or a file without an agent for the variant.
        ImportError: for a trained agent without the extra ``train``.
    """
    variant = _name_of(variant)
    if name in _PLAYERS:
        return _PLAYERS[name](variants.find(variant), seed)
    if (file := file_of(name, variant)) is not None:
        return _trained(name, file, variant, seed)
    kind, _, text = str(name).partition(":")
    if kind in _WITH_SETTINGS:
        made = _WITH_SETTINGS[kind]
        return made(variants.find(variant), seed, **read_settings(made, text))
    hint = meant(kind, (*_PLAYERS, *trained.KINDS))
    raise ValueError(f"no player {brief(name)}{hint} (players: {_KNOWN})")


def _name_of(variant: str | Ruleset) -> str:
    return variant.name if isinstance(variant, Ruleset) else variant


def load(name: str, *, seed: int | None = None) -> Player:
    """A trained agent, for its own variant; needs the extra ``train``.

    Args:
        name: name of an agent that comes with the package, such as ``ppo:pasgl312``, or a path as
            for :func:`make`.
        seed: seed of the player's generators; None draws one.

    Raises:
        OSError: if it cannot be read.
        ValueError: if it is not an agent.
        ImportError: without the extra ``train``.
    """
    file = file_of(name, "")
    if file is None:
        raise ValueError(f"no trained agent {brief(name)}: use ppo:VARIANT or a path")
    return _trained(name, file, None, seed)


def _trained(name: str, file: Path, variant: str | None, seed: int | None) -> Player:
    """The agent in a file, with its shipped name unless it was given as a path."""
    if (program := trained.program_in(name)) is not None:
        thing = object_in(*program)
        try:
            return as_player(thing, variant or "", seed)
        except TypeError as error:
            raise ValueError(f"{name}: {error}") from error
    if file.suffix == trained.MODEL:
        from pasgl_env.players.networks.model import load_model

        return load_model(file, seed)
    from pasgl_env.players.networks.checkpoint import load_player

    return load_player(file, variant, seed, None if trained.is_path(name) else name)


def takes_values(name: str) -> bool:
    """Whether a player can play by other learned values: ``values=`` can follow in its name."""
    kind, _, text = str(name).partition(":")
    made = _WITH_SETTINGS.get(kind)
    return made is not None and "values" in made.settings and "values=" not in text


def as_player(thing: Any, variant: str | Ruleset, seed: int | None = None) -> Player:
    """Make a player from a name, a player, a policy or a function.

    Args:
        thing: a name of :func:`names`; a :class:`Player`; a model or a policy of
            Stable-Baselines3, which chooses among the legal actions; another policy with such a
            ``predict``, see :class:`PolicyPlayer`; or a function
            ``f(observation[k, C, H, W], action_mask[k, A]) -> actions[k]``.
        variant: a name or a ruleset, as in :func:`make`.
        seed: for a name or a model, as in :func:`make`.

    Raises:
        TypeError: if it is none of these.
        ValueError: for an unknown name or variant, or a model that scores no actions.
    """
    if isinstance(thing, str):
        return make(thing, variant, seed=seed)
    if isinstance(thing, type):
        raise TypeError(f"{thing.__name__} is a class: pass an instance of it")
    if isinstance(thing, Player):
        if not isinstance(thing.name, str):
            raise TypeError(f"the name of a player must be a text, not {brief(thing.name)}")
        return thing
    if any(each.__module__.startswith("stable_baselines3.") for each in type(thing).__mro__):
        from pasgl_env.players.networks.model import player_of

        return player_of(thing, type(thing).__name__, seed)
    if hasattr(thing, "predict"):
        return PolicyPlayer(thing)
    if hasattr(thing, "choose"):
        raise TypeError(f"{type(thing).__name__} has choose(), but no name: a player needs both")
    if callable(thing):
        return FunctionPlayer(thing)
    raise TypeError(
        f"a player must be one of the names {', '.join(names())}, a Player, a policy with predict()"
        f" or a function, not {type(thing).__name__}"
    )


def choose_one(player: Player, position: Position) -> int:
    """The action that a player chooses in a position.

    Raises:
        ValueError: if the game is over or dice are due; or as :func:`choose`.
    """
    if position.is_over:
        raise ValueError("the game is over: there is nothing to choose")
    if position.is_chance:
        raise ValueError("dice are due: there is nothing to choose")
    batch = Batch(position.ruleset, 1)
    batch.states = position.state
    if isinstance(player, SeededPlayer):
        player.follow(position)
    return int(choose(player, batch, np.zeros(1, np.int64))[0])
