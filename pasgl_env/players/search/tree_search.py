"""Best-first search with learned values: UCT whose leaves are expanded and evaluated one ply deep.

Every simulation descends by UCB1, expands the leaf, evaluates its children, and backs up the best
one's value to all nodes on the way. In games of two sides without dice a node's value is that of
its best child, as in minimax search (Korf and Chickering, "Best-first minimax search", Artificial
Intelligence 84, 1996). In the others it is the mean of the results backed up; there a child begins
with its value as if it had been visited some times already, as in
:mod:`pasgl_env.players.search.mcts`. Of more than two sides, each has values of its own and
maximises them: maxⁿ (Luckhardt and Irani, "An algorithmic solution of N-person games", AAAI 1986).

In games whose turns have many parts, the value of a part only shows after the opponent's reply.
There the simulation plays on for some turns, each action the best one ply deep, and evaluates the
resulting position (truncated rollouts: Tesauro and Galperin, 1996).
"""

# The templates' free names are bound to a game's rules later.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pasgl_env.contract.game import Game, checked_number
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.loops import random_bits
from pasgl_env.engine.position import Position
from pasgl_env.jit.compiled import bind, compile_once, wide, with_helpers
from pasgl_env.players.exact import exact_choices
from pasgl_env.players.search.player import Evaluator, TreePlayer
from pasgl_env.players.search.tree import (
    DEEPEST,
    FIRST_ROOM,
    NODE,
    Selection,
    Tree,
    Walk,
    add_children,
    add_outcomes,
    back_up,
    back_up_best,
    back_up_means,
    best_values,
    walk_down_of,
)
from pasgl_env.players.settings import Budget, unusual
from pasgl_env.players.values.choices import best_choice
from pasgl_env.players.values.memory import Memories, Memory, is_known, memory_rules
from pasgl_env.players.values.network import Network, ValueScratch, features_of, list_actions
from pasgl_env.players.values.weights import Values, unlearned
from pasgl_env.solving.loops import MISSING, Probe, find
from pasgl_env.solving.table import ValueTable

BUDGET = Budget(None, 0.02)
MAX_AHEAD = 100
NOT_KEPT = -1
"""Returned instead of a leaf's index if the tree has no room for it."""


def is_minimax(game: Game) -> bool:
    """Whether a node's value is that of its best child, not the mean of its simulations' results.

    A result that depends on dice, or on how a turn was played on, is averaged.
    """
    return game.chance.outcomes == 0 and features_of(game).ahead == 0


def usual_exploration(game: Game) -> float:
    """UCB1's constant, unless another one is given."""
    return 0.05 if is_minimax(game) else 0.15


class Lookahead(NamedTuple):
    """Parameters of a simulation.

    Attributes:
        turns: number of turns that are played on before a position is evaluated.
        network: the learned values.
    """

    turns: int
    network: Network


class ValueEvaluator(Evaluator):
    """Evaluates leaves by a table that has them, others by learned values, one action ahead."""

    _derived = frozenset({"_loops", "simulate", "parameters", "_memory"})

    def __init__(
        self,
        game: Game,
        selection: Selection,
        values: Values,
        ahead: int,
        table: ValueTable | None,
    ) -> None:
        self._game, self.selection, self._values, self._ahead = game, selection, values, ahead
        self._table = table
        self._memories = Memories(game)
        self._remembers = features_of(game).position_keys is not None
        self._open()

    def _open(self) -> None:
        self._loops = loops_of(self._game, self._table is not None)
        self.simulate = self._loops.simulate

    def scratch(self, options: np.ndarray) -> tuple[ValueScratch, Probe | None]:
        own = ValueScratch.of(self._game, self._game.spaces(options[0]))
        return own, None if self._table is None else self._table.probe()

    def begin(
        self, scratch: Any, options: np.ndarray, state: np.ndarray, game: int, allowed: np.ndarray
    ) -> np.ndarray:
        """Leave out actions that repeat a position."""
        if not self._remembers:
            return allowed
        allowed = allowed.copy()
        network = self.parameters.network
        self._loops.begin_search(state, options, network, scratch[0], self._memory, game, allowed)
        return allowed

    def known(self, batch: Batch, games: np.ndarray) -> list[np.ndarray | None]:
        if self._table is None:
            return super().known(batch, games)
        return [self._exact_children(self._table, batch, game) for game in games.tolist()]

    def _exact_children(self, table: ValueTable, batch: Batch, game: int) -> np.ndarray | None:
        legal = np.flatnonzero(batch.action_mask[game])
        side = int(batch.teams[batch.to_move[game]])
        known = exact_choices(table, batch.states[game : game + 1], legal, side)
        if known is None:
            return None
        values, best = known
        children = np.zeros(legal.size, NODE)
        children["choice"] = legal
        children["prior"] = children["best"] = values
        children["visits"][best], children["total"][best] = 1, values[best]
        return children

    def values_of(self, children: Sequence[np.ndarray]) -> np.ndarray:
        return best_values(children) if is_minimax(self._game) else super().values_of(children)

    def recall(self, batch: Batch, games: np.ndarray, scratch: Any) -> None:
        self.parameters = Lookahead(self._ahead, self._values.of(batch))
        if self._table is not None:
            self._table.check(batch.ruleset)
        if self._remembers:
            self._memory = self._memories.of(batch, games)
            where = batch.states, batch.options_record, games
            self._loops.recall_all(*where, scratch[0], self._memory)

    def note(self, batch: Batch, games: np.ndarray, scratch: Any, actions: np.ndarray) -> None:
        if self._remembers:
            where = batch.states, batch.options_record, games
            network = self.parameters.network
            self._loops.note_all(*where, network, scratch[0], self._memory, actions)

    def follow(self, position: Position) -> None:
        self._memories.follow(position)

    def forget(self, games: np.ndarray) -> None:
        self._memories.forget(games)


class TreeSearchPlayer(TreePlayer):
    """Searches with learned values: the strongest player of the suite.

    Args:
        game: a variant, from :func:`pasgl_env.contract.variants.find`.
        seed: seed of its generators; None draws one.
        simulations: simulations for each decision and each tree.
        seconds: seconds for each decision and each tree, instead of simulations; by default 0.02.
        exploration: UCB1's constant, for values from -1 to 1; None: 0.05 where a node's value is
            that of its best child, otherwise 0.15.
        prior_visits: number of visits that a child's own value counts for.
        ahead: number of turns, including the current one, that are played on by one-ply choice
            before a position is evaluated; None: the game's default.
        values: a file of weights, or the folder of a run; None for the shipped ones.
        table: of exact values, or its file. Positions that it has are not searched: leaves get
            their exact values, and where it decides, it is played by without a search.
        trees: number of independent trees for a decision; their visits are added.
        threads: number of threads, each searching another tree or game; None: one per processor.

    Raises:
        ValueError: for an argument that is out of range, or a file without values or a table for
            this variant. Choosing raises it, too, if the table was made with other options.
        OSError: if a file cannot be read.
    """

    kind = "search"
    settings = "values", "table", "exploration", "prior_visits", "ahead", "trees"

    def __init__(
        self,
        game: Game,
        seed: int | None = None,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        exploration: float | None = None,
        prior_visits: float = 1.0,
        ahead: int | None = None,
        values: str | Path | None = None,
        table: str | Path | ValueTable | None = None,
        trees: int = 1,
        threads: int | None = None,
    ) -> None:
        if ahead is not None:
            ahead = checked_number("ahead", ahead, 0, MAX_AHEAD)
        usual = usual_exploration(game)
        selection = Selection(usual if exploration is None else exploration, prior_visits)
        self._values = Values(game, None if values is None else Path(values))
        turns = features_of(game).ahead if ahead is None else ahead
        budget = Budget.of(simulations, seconds, BUDGET)
        known = None if table is None else ValueTable.of(table)
        if known is not None:
            known.check_variant(game.name)
        own = {"values": values, "table": None if table is known else table}
        other = {"exploration": exploration, "prior_visits": prior_visits, "ahead": ahead}
        settings = unusual(TreeSearchPlayer, **own, **other, trees=trees)
        super().__init__(
            f"{self.kind}:{budget}{settings}",
            ValueEvaluator(game, selection, self._values, turns, known),
            game,
            seed,
            budget,
            trees=trees,
            threads=threads,
        )

    def knows(self, ruleset: Ruleset) -> bool:
        """Whether its values were learned with a ruleset's options."""
        return self._values.knows(ruleset)


def simulate(
    tree: Tree,
    options: np.ndarray,
    selection: Selection,
    lookahead: Lookahead,
    walk: Walk,
    scratch: ValueScratch,
    probe: Probe | None,
    generator: np.ndarray,
    simulations: int,
) -> int:
    """Run simulations from the root of a tree; ``walk`` and ``scratch`` are working memory."""
    option, state, network = options[0], scratch.states[0], lookahead.network
    for _ in range(simulations):
        scratch.states[0] = tree.state[0]
        walk.nodes[0] = 0
        depth = walk_down(tree.nodes, walk, 0, state, option, selection, generator)
        leaf = wide(walk.nodes[depth])
        is_known = leaf != 0 and look_up(option, probe, scratch)
        while HAS_CHANCE and not is_known and chance_weight(state, option) > 0:
            if depth + 1 < DEEPEST and add_outcomes(tree.nodes, tree.used, leaf, OUTCOMES):
                depth = walk_down(tree.nodes, walk, depth, state, option, selection, generator)
                leaf = wide(walk.nodes[depth])
            else:  # the tree is full: evaluate the state without adding it
                resolve_chance(state, option, generator, 0)
                leaf = NOT_KEPT
        if not is_known:
            expand(tree, leaf, options, network, scratch, generator)
            if lookahead.turns > 0 and leaf != 0:  # the root's own value decides nothing
                play_on(option, lookahead.turns, network, probe, scratch, generator)
        back_up(tree.nodes, walk, depth, scratch.returns)
        if IS_MINIMAX and scratch.returns.size > 2:
            back_up_means(tree.nodes, walk, depth)
        elif IS_MINIMAX and depth > 0:
            chooser = walk.teams[depth]
            tree.nodes[walk.nodes[depth]].best = scratch.returns[chooser]
            back_up_best(tree.nodes, walk, depth)
    return simulations


def look_up(option: Any, probe: Probe | None, scratch: ValueScratch) -> bool:
    """Write the exact value of the state for each team to ``scratch.returns``, if it is known."""
    if probe is None:  # known when this is compiled
        return False
    if is_truncated(scratch.states[0], option):
        return False
    probe.there[0] = scratch.states[0]
    number = find(probe, option)
    if number == MISSING:
        return False
    scratch.returns[0] = probe.values[number]
    scratch.returns[1] = -scratch.returns[0]
    return True


def expand(
    tree: Tree,
    leaf: int,
    options: np.ndarray,
    network: Network,
    scratch: ValueScratch,
    generator: np.ndarray,
) -> None:
    """Expand a leaf; write its value for each team to ``scratch.returns``."""
    option, state, mask = options[0], scratch.states[0], scratch.masks[0]
    if leaf != 0 and is_truncated(state, option):
        scratch.returns[:] = 0.0
        return
    if legal_actions(state, option, mask) == 0:
        write_outcomes(state, option, scratch)
        return
    if leaf == 0:
        for action in range(tree.allowed.size):
            mask[action] &= tree.allowed[action]
    count = list_actions(scratch.masks, scratch.words, 0, scratch.choices)
    appraise(option, count, network, scratch)
    best = 0
    for number in range(count):
        if scratch.values[number] > scratch.values[best]:
            best = number
        # Random order, so that ties are visited in a random order.
        luck = random_bits(generator, 0) * 2.0**-52
        scratch.priors[scratch.choices[number]] = scratch.values[number] + luck
    if leaf != NOT_KEPT:
        add_children(tree.nodes, tree.used, leaf, mask, scratch.priors)
    side = team(to_move(state))
    if scratch.returns.size == 2:
        scratch.returns[side] = scratch.values[best]
        scratch.returns[1 - side] = -scratch.values[best]
    else:
        scratch.states[1] = state
        play(scratch.states[1], option, scratch.choices[best])
        close_choices(option, side, network, scratch)
        write_values(scratch.states[1], option, network, scratch)


def write_outcomes(state: Any, option: Any, scratch: ValueScratch) -> None:
    """Write the outcome of a finished game for each team to ``scratch.returns``."""
    for side in range(scratch.returns.size):
        scratch.returns[side] = outcome_of(state, option, side)


def write_values(state: Any, option: Any, network: Network, scratch: ValueScratch) -> None:
    """Write the value of a quiescent state for each team to ``scratch.returns``."""
    for side in range(scratch.returns.size):
        if side == 1 and scratch.returns.size == 2:
            scratch.returns[1] = -scratch.returns[0]
        else:
            scratch.returns[side] = value_of(state, option, side, network, scratch)


def play_on(
    option: Any,
    ahead: int,
    network: Network,
    probe: Probe | None,
    scratch: ValueScratch,
    generator: np.ndarray,
) -> None:
    """Play on by one-ply choice for a number of turns; write the values of the result."""
    state = scratch.states[0]
    until = turns(state) + ahead
    while not is_truncated(state, option):
        if look_up(option, probe, scratch):
            return
        if HAS_CHANCE:
            resolve_chance(state, option, generator, 0)
        if legal_actions(state, option, scratch.masks[0]) == 0:
            write_outcomes(state, option, scratch)
            return
        if turns(state) >= until and is_quiescent(state):
            write_values(state, option, network, scratch)
            return
        count = list_actions(scratch.masks, scratch.words, 0, scratch.choices)
        appraise(option, count, network, scratch)
        play(state, option, scratch.choices[best_choice(scratch.values, count, generator, 0)])
    scratch.returns[:] = 0.0


def begin_search(
    states: np.ndarray,
    options: np.ndarray,
    network: Network,
    scratch: ValueScratch,
    memory: Memory,
    game: int,
    allowed: np.ndarray,
) -> None:
    """Set the value of steps nearer to the enemy; disallow actions that repeat a position."""
    scratch.states[0] = states[0]
    if PRESSES:
        urge(memory, game, scratch)
    if is_quiescent(scratch.states[0]):
        drop_repeats(options[0], network, scratch, memory, game, allowed)


def drop_repeats(
    option: Any,
    network: Network,
    scratch: ValueScratch,
    memory: Memory,
    game: int,
    allowed: np.ndarray,
) -> None:
    """Disallow actions that repeat a position, if another one also keeps the player ahead."""
    if memory.counts[game] == 0:
        return
    for action in range(allowed.size):
        scratch.masks[0, action] = allowed[action]
    count = list_actions(scratch.masks, scratch.words, 0, scratch.choices)
    repeats = list_repeats(option, count, scratch, memory, game)
    appraise(option, repeats, network, scratch)
    good = 0
    for number in range(repeats):
        good += scratch.values[number] > 0.0
    if good == 0 or not is_ahead_after(option, repeats, count, network, scratch):
        return
    for number in range(repeats):
        if scratch.values[number] > 0.0:
            allowed[scratch.choices[number]] = 0


def is_ahead_after(
    option: Any, first: int, count: int, network: Network, scratch: ValueScratch
) -> bool:
    """Whether one of the choices from ``first`` on keeps the player ahead."""
    for number in range(first, count):
        appraise_one(option, number, network, scratch)
        if scratch.values[number] > 0.0:
            return True
    return False


def list_repeats(option: Any, count: int, scratch: ValueScratch, memory: Memory, game: int) -> int:
    """Move the choices that repeat a position before the others; return their number."""
    state, choices, repeats = scratch.states[0], scratch.choices, 0
    key = position_key(state)
    for number in range(count):
        choice = choices[number]
        if is_known(memory, game, key_after(state, option, key, choice)):
            choices[number], choices[repeats] = choices[repeats], choice
            repeats += 1
    return repeats


def recall_all(
    states: np.ndarray,
    options: np.ndarray,
    games: np.ndarray,
    scratch: ValueScratch,
    memory: Memory,
) -> None:
    """Remember the results of the last choices in some games."""
    for row in range(games.size):
        scratch.states[0] = states[games[row]]
        if is_quiescent(scratch.states[0]):
            wait_of(scratch.states[0], memory, games[row])
            recall(memory, games[row], scratch)


def note_all(
    states: np.ndarray,
    options: np.ndarray,
    games: np.ndarray,
    network: Network,
    scratch: ValueScratch,
    memory: Memory,
    actions: np.ndarray,
) -> None:
    """Note the positions that the actions in some games lead to."""
    for row in range(games.size):
        scratch.states[0] = states[games[row]]
        scratch.choices[0] = actions[row]
        appraise(options[0], 1, network, scratch)
        note_choice(options[0], 0, scratch, memory, games[row])


class SearchLoops(NamedTuple):
    """The compiled loops of one game."""

    simulate: Any
    begin_search: Any
    recall_all: Any
    note_all: Any


@cache
def loops_of(game: Game, has_table: bool = False) -> SearchLoops:
    """The compiled search of a game. The first call for each version of the sources compiles it."""
    rules = f"{game.cache_name}_values"
    namespace = {
        **memory_rules(game),
        "IS_MINIMAX": is_minimax(game),
        "walk_down": walk_down_of(game, by_best=is_minimax(game)),
    }
    helpers = write_outcomes, write_values, find, look_up, expand, play_on
    repeats = list_repeats, is_ahead_after, drop_repeats
    namespace = with_helpers(namespace, rules, *helpers, *repeats)
    templates = simulate, begin_search, recall_all, note_all
    loops = SearchLoops(*(bind(template, rules, namespace) for template in templates))
    name = f"{game.cache_name}-{'table' if has_table else 'tree'}-search"
    probe = Probe.empty(game) if has_table else None
    compile_once(name, lambda: warm_up(game, loops, probe), loops)
    return loops


def warm_up(game: Game, loops: SearchLoops, probe: Probe | None = None) -> None:
    """Run the loops once with the types that the player uses."""
    batch, generator = Batch(game.name, 1), np.zeros(1, np.uint64)
    states, options, network = batch.states, batch.options_record, unlearned(batch.ruleset)
    scratch = ValueScratch.of(game, batch.ruleset.spaces)
    tree = Tree.at(states, FIRST_ROOM, batch.action_mask[0])
    settings = Selection(0.0, 0.0), Lookahead(0, network)
    loops.simulate(tree, options, *settings, Walk.empty(), scratch, probe, generator, 1)
    memory, first = Memory.of(game, 1), np.zeros(1, np.int64)
    loops.begin_search(states, options, network, scratch, memory, 0, tree.allowed)
    loops.recall_all(states, options, first, scratch, memory)
    loops.note_all(states, options, first, network, scratch, memory, batch.sample())
