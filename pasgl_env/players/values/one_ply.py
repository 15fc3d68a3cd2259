"""The player that plays the action with the best learned value."""

# The templates' free names are bound to a game's rules later.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from pasgl_env.contract.game import Game, brief
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.batch import Batch
from pasgl_env.jit.compiled import bind, compile_once
from pasgl_env.jit.slices import slices
from pasgl_env.players.values.memory import Memories, Memory, RemembersGames, memory_rules
from pasgl_env.players.values.network import Network, Scratch, list_actions
from pasgl_env.players.values.weights import (
    learned_options,
    read_network,
    shipped_or_unlearned,
    unlearned,
    warn_of_options,
)


class Values:
    """The network of a variant, for the options of any batch.

    Args:
        game: the variant.
        file: file of the weights, or its folder; None for the shipped ones.

    Raises:
        BadWeights: if the file holds no weights for this variant.
        OSError: if it cannot be read.
    """

    def __init__(self, game: Game, file: Path | None) -> None:
        self._game = game
        self._given = None if file is None else read_network(file, game.name)
        self._last: tuple[Ruleset, Network] | None = None

    def __deepcopy__(self, memo: Any) -> Values:
        return self  # networks are never written to

    def of(self, batch: Batch) -> Network:
        """The network for a batch; the hand-written evaluation for options without training."""
        if batch.variant != self._game.name:
            raise ValueError(f"this player plays {self._game.name}, not {batch.variant}")
        ruleset, last = batch.ruleset, self._last
        if last is None or last[0] != ruleset:
            # Both at once: players in other threads may share these values.
            last = self._last = ruleset, self._find(ruleset)
        return last[1]

    def _find(self, ruleset: Ruleset) -> Network:
        if self._given is None:
            return shipped_or_unlearned(ruleset)
        network, trained_for = self._given
        if learned_options(trained_for) == learned_options(ruleset):
            return network
        warn_of_options(ruleset.name)
        return unlearned(ruleset)


class ValuePlayer(RemembersGames):
    """Plays the action that leads to the best state by learned values.

    It assumes the best later choices in the turn, and breaks ties at random. In the Chieftain
    family it remembers its games: while ahead, it does not bring about a position again.

    Args:
        game: a variant, from :func:`pasgl_env.contract.variants.find`.
        seed: seed of its generators; None draws one.
        values: a file of weights, or the folder of a run; None for the shipped ones.
        temperature: above 0, actions are drawn by their values, which range from -1 to 1.

    Raises:
        ValueError: for an invalid temperature, or a file without values for this variant.
        OSError: if the file cannot be read.
    """

    _derived = frozenset({"_loop", "_scratch"})

    def __init__(
        self,
        game: Game,
        seed: int | None = None,
        *,
        values: str | Path | None = None,
        temperature: float = 0.0,
    ) -> None:
        super().__init__(seed)
        if not 0 <= temperature < np.inf:
            raise ValueError(f"temperature must be 0 or more, not {temperature}")
        own = "" if values is None else f":values={values}"
        self.name = f"td{own}" + (f":temperature={temperature:g}" if temperature else "")
        self._game, self._temperature = game, float(temperature)
        self._values = Values(game, None if values is None else Path(values))
        self._memories = Memories(game)
        self._open()

    def _open(self) -> None:
        self._loop = loop_of(self._game)
        self._scratch: Scratch | None = None

    @classmethod
    def settings_in(cls, text: str) -> dict[str, Any]:
        """Parse the text after ``td:`` in a name, such as ``temperature=0.1``, into arguments.

        Raises:
            ValueError: for an invalid text.
        """
        return read_settings("td", text, {"values": str, "temperature": float})

    def _decide(
        self, batch: Batch, games: np.ndarray, generators: np.ndarray, actions: np.ndarray
    ) -> None:
        network = self._values.of(batch)
        if self._scratch is None or self._scratch.values.size != batch.num_actions:
            self._scratch = Scratch.of(self._game, self._game.spaces(batch.options_record[0]))
        memory = self._memories.of(batch, games)
        for part in slices(games.size):
            self._loop(
                batch.states,
                batch.options_record,
                batch.action_mask,
                games[part],
                network,
                self._scratch,
                memory,
                self._temperature,
                generators[part],
                actions[part],
            )


def read_settings(
    player: str, text: str, known: Mapping[str, Callable[[str], Any]]
) -> dict[str, Any]:
    """Parse the settings of a name, such as ``values=runs/mine:temperature=0.1``, into arguments.

    Raises:
        ValueError: names the invalid part.
    """
    read = {}
    for part in filter(None, text.split(":")):
        name, _, value = part.partition("=")
        if name not in known:
            allowed = ", ".join(f"{each}=…" for each in known)
            raise ValueError(f"{player} takes {allowed}, separated by colons, not {brief(part)}")
        try:
            read[name] = known[name](value)
        except ValueError:
            raise ValueError(f"{name} of {player} cannot be {brief(value)}") from None
    return read


def choose_all(
    states: np.ndarray,
    options: np.ndarray,
    action_mask: np.ndarray,
    games: np.ndarray,
    network: Network,
    scratch: Scratch,
    memory: Memory,
    temperature: float,
    generators: np.ndarray,
    actions: np.ndarray,
) -> None:
    """Choose for each of some games."""
    for row in range(games.size):
        game = games[row]
        scratch.states[0] = states[game]
        for action in range(action_mask.shape[1]):
            scratch.masks[0, action] = action_mask[game, action]
        count = list_actions(scratch.masks, scratch.words, 0, scratch.choices)
        choice = 0
        if count > 1:
            if PRESSES:
                urge(memory, game, scratch)
            appraise(options[0], count, network, scratch)
            choice = choose_new(
                options[0],
                count,
                temperature,
                scratch,
                memory,
                game,
                generators,
                row,
            )
            note_choice(options[0], choice, scratch, memory, game)
        actions[row] = scratch.choices[choice]


@cache
def loop_of(game: Game) -> Any:
    """``choose_all`` for one game."""
    loop = bind(choose_all, game.cache_name, memory_rules(game))
    compile_once(f"{game.cache_name}-values", lambda: _warm_up(game, loop), [loop])
    return loop


def _warm_up(game: Game, loop: Any) -> None:
    batch = Batch(game.name, 1)
    options = batch.options_record
    scratch = Scratch.of(game, game.spaces(options[0]))
    network = unlearned(batch.ruleset)
    games, generators = np.zeros(1, np.int64), np.zeros(1, np.uint64)
    loop(
        batch.states,
        options,
        batch.action_mask,
        games,
        network,
        scratch,
        Memory.of(game, 1),
        0.0,
        generators,
        games.copy(),
    )
