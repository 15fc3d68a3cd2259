"""The player that plays the action with the best learned value."""

# The templates' free names are bound to a game's rules later.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from pasgl_env.contract.game import Game
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.position import Position
from pasgl_env.engine.sharing import alone
from pasgl_env.jit.compiled import bind, compile_once
from pasgl_env.jit.slices import slices
from pasgl_env.players.player import SeededPlayer
from pasgl_env.players.settings import unusual
from pasgl_env.players.values.memory import Memories, Memory, memory_rules
from pasgl_env.players.values.network import Network, ValueScratch, list_actions
from pasgl_env.players.values.weights import Values, unlearned


class ValuePlayer(SeededPlayer):
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

    kind = "td"
    settings = "values", "temperature"
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
        self.name = f"{self.kind}{unusual(ValuePlayer, values=values, temperature=temperature)}"
        self._game, self._temperature = game, float(temperature)
        self._values = Values(game, None if values is None else Path(values))
        self._memories = Memories(game)
        self._open()

    def _open(self) -> None:
        self._loop = loop_of(self._game)
        self._scratch: ValueScratch | None = None

    def _part(self) -> None:
        super()._part()
        self._memories = deepcopy(self._memories)

    def knows(self, ruleset: Ruleset) -> bool:
        """Whether its values were learned with a ruleset's options."""
        return self._values.knows(ruleset)

    @alone
    def follow(self, position: Position) -> None:
        self._memories.follow(position)

    def reseed(self, games: np.ndarray, seeds: Sequence[int]) -> None:
        super().reseed(games, seeds)
        self._memories.forget(games)

    def _decide(
        self, batch: Batch, games: np.ndarray, generators: np.ndarray, actions: np.ndarray
    ) -> None:
        network = self._values.of(batch)
        if self._scratch is None or self._scratch.values.size != batch.num_actions:
            self._scratch = ValueScratch.of(self._game, self._game.spaces(batch.options_record[0]))
        memory = self._memories.of(batch, games)
        for part in slices(games.size):
            self._loop(
                batch.states,
                batch.options_record,
                batch.action_mask[games[part]],
                games[part],
                network,
                self._scratch,
                memory,
                self._temperature,
                generators[part],
                actions[part],
            )


def choose_all(
    states: np.ndarray,
    options: np.ndarray,
    action_mask: np.ndarray,
    games: np.ndarray,
    network: Network,
    scratch: ValueScratch,
    memory: Memory,
    temperature: float,
    generators: np.ndarray,
    actions: np.ndarray,
) -> None:
    """Choose for each of some games; ``action_mask`` has their rows."""
    for row in range(games.size):
        game = games[row]
        scratch.states[0] = states[game]
        for action in range(action_mask.shape[1]):
            scratch.masks[0, action] = action_mask[row, action]
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
    compile_once(f"{game.cache_name}-values", lambda: warm_up(game, loop), [loop])
    return loop


def warm_up(game: Game, loop: Any) -> None:
    """Run the loop once with the types that the player uses."""
    batch, first = Batch(game.name, 1), np.zeros(1, np.int64)
    where = batch.states, batch.options_record, batch.action_mask[first], first
    scratch, memory = ValueScratch.of(game, batch.ruleset.spaces), Memory.of(game, 1)
    generators = np.zeros(1, np.uint64)
    loop(*where, unlearned(batch.ruleset), scratch, memory, 0.0, generators, first.copy())
