"""Best-first search with learned values: UCT whose leaves are expanded and evaluated one ply deep.

Every simulation descends by UCB1, expands the leaf, evaluates its children, and backs up the best
one's value to all nodes on the way. In games without dice a node's value is that of its best child,
as in minimax search (Korf and Chickering, "Best-first minimax search", Artificial Intelligence 84,
1996). In the others it is the mean of the results backed up; there a child begins with its value as
if it had been visited some times already, as in :mod:`pasgl_env.players.search.mcts`.

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
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pasgl_env.contract.game import Game, check_number
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.loops import random_bits
from pasgl_env.jit.compiled import bind, compile_once, inlined_rule, wide
from pasgl_env.players.search.mcts import (
    FIRST_ROOM,
    Budget,
    MctsPlayer,
    Selection,
    added,
    mean_worth,
    told,
    uct_child,
)
from pasgl_env.players.search.tree import (
    DEEPEST,
    Finder,
    Tree,
    Walk,
    add_children,
    add_outcomes,
    back_up,
    back_up_best,
    find_state,
    walk_down,
)
from pasgl_env.players.values.choices import best_choice
from pasgl_env.players.values.memory import Memories, Memory, RemembersGames, is_known, memory_rules
from pasgl_env.players.values.network import Network, Scratch, features_of, list_actions
from pasgl_env.players.values.one_ply import Values, read_settings
from pasgl_env.players.values.weights import unlearned

SECONDS = 0.02
MOST_AHEAD = 100
NOT_KEPT = -1
"""Returned instead of a leaf's index if the tree has no room for it."""


def is_minimax(game: Game) -> bool:
    """Whether a node's value is that of its best child, not the mean of its simulations' results.

    A result that depends on dice, or on how a turn was played on, is averaged.
    """
    return game.outcomes == 0 and features_of(game).ahead == 0


def exploration_of(game: Game) -> float:
    """UCB1's usual constant: small where it is only added to the value of the best child."""
    return 0.05 if is_minimax(game) else 0.15


class SearchScratch(NamedTuple):
    """Scratch memory of one thread.

    Attributes:
        ply: memory to play and evaluate one ply in.
        priors: ``float64[A]``, the values of a leaf's actions.
        returns: ``float64[2]``, the result of a simulation for each team.
    """

    ply: Scratch
    priors: np.ndarray
    returns: np.ndarray


class TreeSearchPlayer(RemembersGames, MctsPlayer):
    """Searches with learned values: the strongest player of the suite.

    Args:
        game: a variant, from :func:`pasgl_env.contract.variants.find`.
        seed: seed of its generators; None draws one.
        simulations: simulations for each decision and each tree.
        seconds: seconds for each decision and each tree, instead of simulations; by default 0.02.
        exploration: UCB1's constant, for values from -1 to 1; None: 0.05 where a node's value is
            that of its best child, otherwise 0.15.
        trust: number of visits that a child's own value counts for.
        ahead: number of turns, including the current one, that are played on by one-ply choice
            before a position is evaluated; None: the game's default.
        values: a file of weights, or the folder of a run; None for the shipped ones.
        trees: number of independent trees for a decision; their visits are added.
        threads: number of threads, each searching another tree or game; None: one per processor.

    Raises:
        ValueError: for an argument that is out of range, or a file without values for this variant.
        OSError: if the file cannot be read.
    """

    def __init__(
        self,
        game: Game,
        seed: int | None = None,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        exploration: float | None = None,
        trust: float = 1.0,
        ahead: int | None = None,
        values: str | Path | None = None,
        trees: int = 1,
        threads: int | None = None,
    ) -> None:
        if simulations is None and seconds is None:
            seconds = SECONDS
        if ahead is not None:
            check_number("ahead", ahead, 0, MOST_AHEAD)
        super().__init__(
            game,
            seed,
            simulations=simulations,
            seconds=seconds,
            exploration=exploration_of(game) if exploration is None else exploration,
            trust=trust,
            trees=trees,
            threads=threads,
        )
        own = "" if values is None else f":values={values}"
        settings = {"exploration": exploration, "trust": trust, "ahead": ahead, "trees": trees}
        self.name = f"search:{self._budget}{own}{told(settings, USUAL)}"
        self._ahead = features_of(game).ahead if ahead is None else ahead
        self._values = Values(game, None if values is None else Path(values))
        self._network: Network | None = None
        self._memories, self._memory = Memories(game), Memory.of(game, 0)
        self._remembers = features_of(game).position_keys is not None

    def _open(self) -> None:
        super()._open()
        self._loops = loops_of(self._game)

    @classmethod
    def settings_in(cls, text: str) -> dict[str, Any]:
        """Parse the text after ``search:`` in a name, such as ``100ms`` or ``400:trees=2``.

        Raises:
            ValueError: for an invalid text.
        """
        budget, _, rest = text.partition(":")
        known = {"values": str, "trees": int, "ahead": int, "exploration": float, "trust": float}
        if not budget or "=" in budget:
            return read_settings("search", text, known)
        return {**Budget.read(budget)._asdict(), **read_settings("search", rest, known)}

    def _decide(
        self, batch: Batch, games: np.ndarray, generators: np.ndarray, actions: np.ndarray
    ) -> None:
        self._network = self._values.of(batch)
        if not self._remembers:
            super()._decide(batch, games, generators, actions)
            return
        self._memory = self._memories.of(batch, games)
        options = batch.options_record
        self._forget_if_others(options)
        workspace = self._take_workspace(options)
        scratch = workspace.scratch
        where = batch.states, options, games, self._network, scratch, self._memory
        self._loops.recall_all(*where)
        super()._decide(batch, games, generators, actions)
        self._loops.note_all(*where, actions)
        self._workspaces.append(workspace)

    def _begin(
        self,
        scratch: SearchScratch,
        options: np.ndarray,
        state: np.ndarray,
        game: int,
        allowed: np.ndarray,
    ) -> np.ndarray:
        """Prepare to search, and leave out actions that repeat a position."""
        if not self._remembers:
            return allowed
        allowed = allowed.copy()
        self._loops.begin_search(
            state, options, self._network, scratch, self._memory, game, allowed
        )
        return allowed

    def _values_of(self, children: Sequence[np.ndarray]) -> np.ndarray:
        if not is_minimax(self._game):
            return super()._values_of(children)
        return added([each["best"].astype(np.float64) for each in children]) / len(children)

    def nodes(self, game: int) -> int:
        """Number of nodes in the trees of the last search of a game of the batch."""
        return sum(int(self._trees[key].used[0]) for key in self._keys(np.array([game])))

    def best_line(self, batch: Batch, game: int) -> list[int]:
        """The line of play that the last search expects: actions, up to the next roll.

        Args:
            batch: the batch of the last choice.
            game: index of a game in it; the line is empty if there was no choice in that game.
        """
        tree = self._trees.get((game, 0))
        if tree is None:
            return []
        line, node = [], 0
        option, state = batch.options_record[0], tree.state.copy()
        while tree.nodes["children"][node] > 0 and self._game.chance_weight(state[0], option) == 0:
            first = int(tree.nodes["first"][node])
            visits = tree.nodes["visits"][first : first + tree.nodes["children"][node]]
            if visits.max() == 0:
                break
            node = first + int(visits.argmax())
            line.append(int(tree.nodes["choice"][node]))
            self._game.play(state[0], option, line[-1])
        return line

    def _scratch(self, options: np.ndarray) -> SearchScratch:
        spaces = self._game.spaces(options[0])
        return SearchScratch(Scratch.of(self._game, spaces), np.zeros(spaces.actions), np.zeros(2))

    def _simulate(
        self,
        tree: Tree,
        options: np.ndarray,
        walk: Walk,
        scratch: SearchScratch,
        generator: np.ndarray,
        simulations: int,
    ) -> int:
        self._loops.simulate(
            tree,
            options,
            self._selection,
            self._ahead,
            self._network,
            walk,
            scratch,
            generator,
            simulations,
        )
        return simulations


# The settings that a name may contain besides budget and values, with their defaults.
USUAL = {
    name: signature(TreeSearchPlayer).parameters[name].default
    for name in ("exploration", "trust", "ahead", "trees")
}


def simulate(
    tree: Tree,
    options: np.ndarray,
    selection: Selection,
    ahead: int,
    network: Network,
    walk: Walk,
    scratch: SearchScratch,
    generator: np.ndarray,
    simulations: int,
) -> None:
    """Run simulations from the root of a tree; ``walk`` and ``scratch`` are working memory."""
    option, state = options[0], scratch.ply.states[0]
    for _ in range(simulations):
        scratch.ply.states[0] = tree.state[0]
        walk.nodes[0] = 0
        depth = walk_down(tree.nodes, walk, 0, state, option, selection, generator)
        leaf = wide(walk.nodes[depth])
        while HAS_CHANCE and chance_weight(state, option) > 0:
            if depth + 1 < DEEPEST and add_outcomes(tree.nodes, tree.used, leaf, OUTCOMES):
                depth = walk_down(tree.nodes, walk, depth, state, option, selection, generator)
                leaf = wide(walk.nodes[depth])
            else:  # the tree is full: evaluate the state without adding it
                resolve_chance(state, option, generator, 0)
                leaf = NOT_KEPT
        side = team(to_move(state))
        value = expand(tree, leaf, options, network, scratch, generator)
        if ahead > 0 and leaf != 0:  # the root's own value decides nothing
            value = play_on(option, side, ahead, network, scratch.ply, generator)
        scratch.returns[side], scratch.returns[1 - side] = value, -value
        back_up(tree.nodes, walk, depth, scratch.returns)
        if IS_MINIMAX and depth > 0:
            chooser = walk.teams[depth]
            tree.nodes[walk.nodes[depth]].best = scratch.returns[chooser]
            back_up_best(tree.nodes, walk, depth)


@inlined_rule
def best_worth(node: Any, trust: float) -> float:
    """The value of the best line of play after a node, for the team that chose it."""
    return np.float64(node.best)


def expand(
    tree: Tree,
    leaf: int,
    options: np.ndarray,
    network: Network,
    scratch: SearchScratch,
    generator: np.ndarray,
) -> float:
    """Expand a leaf; return its value for the team to act."""
    option, ply = options[0], scratch.ply
    state, mask = ply.states[0], ply.masks[0]
    if leaf != 0 and is_truncated(state, option):
        return 0.0
    if legal_actions(state, option, mask) == 0:
        return outcome_of(state, option, team(to_move(state)))
    if leaf == 0:
        for action in range(tree.allowed.size):
            mask[action] &= tree.allowed[action]
    count = list_actions(ply.masks, ply.words, 0, ply.choices)
    appraise(option, count, network, ply)
    highest = -1.0
    for number in range(count):
        highest = max(highest, ply.values[number])
        # Random order, so that ties are visited in a random order.
        luck = random_bits(generator, 0) * 2.0**-52
        scratch.priors[ply.choices[number]] = ply.values[number] + luck
    if leaf != NOT_KEPT:
        add_children(tree.nodes, tree.used, leaf, mask, scratch.priors)
    return highest


def play_on(
    option: Any,
    side: int,
    ahead: int,
    network: Network,
    scratch: Scratch,
    generator: np.ndarray,
) -> float:
    """Play on by one-ply choice for a number of turns; return the value of the result."""
    state = scratch.states[0]
    until = turns(state) + ahead
    while not is_truncated(state, option):
        if HAS_CHANCE:
            resolve_chance(state, option, generator, 0)
        if legal_actions(state, option, scratch.masks[0]) == 0:
            return outcome_of(state, option, side)
        if turns(state) >= until and is_quiescent(state):
            return value_of(state, option, side, network, scratch)
        count = list_actions(scratch.masks, scratch.words, 0, scratch.choices)
        appraise(option, count, network, scratch)
        play(state, option, scratch.choices[best_choice(scratch.values, count, generator, 0)])
    return 0.0


def begin_search(
    states: np.ndarray,
    options: np.ndarray,
    network: Network,
    scratch: SearchScratch,
    memory: Memory,
    game: int,
    allowed: np.ndarray,
) -> None:
    """Set the value of steps nearer to the enemy; disallow actions that repeat a position."""
    scratch.ply.states[0] = states[0]
    if PRESSES:
        urge(memory, game, scratch.ply)
    if is_quiescent(scratch.ply.states[0]):
        drop_repeats(options[0], network, scratch.ply, memory, game, allowed)


def drop_repeats(
    option: Any,
    network: Network,
    scratch: Scratch,
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


def is_ahead_after(option: Any, first: int, count: int, network: Network, scratch: Scratch) -> bool:
    """Whether one of the choices from ``first`` on keeps the player ahead."""
    for number in range(first, count):
        appraise_one(option, number, network, scratch)
        if scratch.values[number] > 0.0:
            return True
    return False


def list_repeats(option: Any, count: int, scratch: Scratch, memory: Memory, game: int) -> int:
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
    network: Network,
    scratch: SearchScratch,
    memory: Memory,
) -> None:
    """Remember the results of the last choices in some games."""
    for row in range(games.size):
        scratch.ply.states[0] = states[games[row]]
        if is_quiescent(scratch.ply.states[0]):
            wait_of(scratch.ply.states[0], memory, games[row])
            recall(memory, games[row], scratch.ply)


def note_all(
    states: np.ndarray,
    options: np.ndarray,
    games: np.ndarray,
    network: Network,
    scratch: SearchScratch,
    memory: Memory,
    actions: np.ndarray,
) -> None:
    """Note the positions that the actions in some games lead to."""
    for row in range(games.size):
        scratch.ply.states[0] = states[games[row]]
        scratch.ply.choices[0] = actions[row]
        appraise(options[0], 1, network, scratch.ply)
        note_choice(options[0], 0, scratch.ply, memory, games[row])


class Loops(NamedTuple):
    """The compiled loops of one game."""

    simulate: Any
    find_state: Any
    begin_search: Any
    recall_all: Any
    note_all: Any


@cache
def loops_of(game: Game) -> Loops:
    """The compiled search of a game. The first call for each version of the sources compiles it."""
    namespace = {
        **memory_rules(game),
        "IS_MINIMAX": is_minimax(game),
        "worth": best_worth if is_minimax(game) else mean_worth,
    }
    rules = f"{game.cache_name}_values"
    namespace["best_child"] = bind(uct_child, rules, namespace)
    namespace["walk_down"] = bind(walk_down, rules, namespace)
    namespace["expand"] = bind(expand, rules, namespace)
    namespace["play_on"] = bind(play_on, rules, namespace)
    namespace["list_repeats"] = bind(list_repeats, rules, namespace)
    namespace["is_ahead_after"] = bind(is_ahead_after, rules, namespace)
    namespace["drop_repeats"] = bind(drop_repeats, rules, namespace)
    templates = simulate, find_state, begin_search, recall_all, note_all
    loops = Loops(*(bind(template, rules, namespace) for template in templates))
    compile_once(f"{game.cache_name}-tree-search", lambda: _warm_up(game, loops), loops)
    return loops


def _warm_up(game: Game, loops: Loops) -> None:
    """Run the loops once with the types that the player uses."""
    batch, generator = Batch(game.name, 1), np.zeros(1, np.uint64)
    options = batch.options_record
    spaces = game.spaces(options[0])
    scratch = SearchScratch(Scratch.of(game, spaces), np.zeros(spaces.actions), np.zeros(2))
    tree = Tree.at(batch.states, FIRST_ROOM, batch.action_mask[0])
    target = batch.states.copy()
    network = unlearned(batch.ruleset)
    loops.simulate(
        tree, options, Selection(0.0, 0.0), 0, network, Walk.empty(), scratch, generator, 1
    )
    loops.find_state(tree, options, target, target.view(np.uint8), Finder.of(game))
    memory = Memory.of(game, 1)
    loops.begin_search(batch.states, options, network, scratch, memory, 0, tree.allowed)
    where = batch.states, options, np.zeros(1, np.int64), network, scratch, memory
    loops.recall_all(*where)
    loops.note_all(*where, batch.sample())
