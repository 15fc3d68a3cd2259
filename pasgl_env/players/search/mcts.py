"""Monte-Carlo tree search for any game: UCT (Kocsis and Szepesvári, ECML 2006).

The tree consists of actions: a turn of several actions is several nodes of the same player, and a
simulation's result counts for the team of the acting player. Dice are rolled again in every
simulation, with the search's own generator, so it cannot foresee the game's rolls. A node is
expanded on its second visit. Its children begin with the greedy player's evaluation, as if they had
been visited some times already (Gelly and Silver, "Combining online and offline knowledge in UCT",
ICML 2007).
"""

# The templates' free names are bound to a game's rules later.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from pasgl_env.contract.game import Game, checked_number
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.loops import random_bits
from pasgl_env.jit.compiled import bind, compile_once, wide, with_helpers
from pasgl_env.players.search.player import MAX_NODES, Evaluator, TreePlayer
from pasgl_env.players.search.playout import Playout, PlayoutScratch, playout_rules
from pasgl_env.players.search.tree import (
    FIRST_ROOM,
    Selection,
    Tree,
    Walk,
    add_children,
    add_outcomes,
    back_up,
    walk_down_of,
)
from pasgl_env.players.settings import MAX_SIMULATIONS, Budget, unusual

BUDGET = Budget(400, None)
PRIOR_VISITS, PRIOR_VISITS_WITH_DICE = 4.0, 16.0


class PlayoutEvaluator(Evaluator):
    """Evaluates leaves by playouts, and begins with the greedy player's evaluation of actions."""

    _derived = frozenset({"simulate"})

    def __init__(self, game: Game, selection: Selection, playout: Playout) -> None:
        self._game, self.selection, self.parameters = game, selection, playout
        self._open()

    def _open(self) -> None:
        self.simulate = loop_of(self._game)

    def scratch(self, options: np.ndarray) -> tuple[PlayoutScratch]:
        return (PlayoutScratch.of(self._game, self._game.spaces(options[0])),)

    def begin(
        self, scratch: Any, options: np.ndarray, state: np.ndarray, game: int, allowed: np.ndarray
    ) -> np.ndarray:
        scratch[0].ply[0] = 0  # a search that ran out of time may have left a playout
        return allowed


class MctsPlayer(TreePlayer):
    """Monte-Carlo tree search without learning: UCT with short playouts.

    >>> from pasgl_env import players, variants
    >>> player = players.MctsPlayer(variants.find("pachessi"), seed=1, simulations=100)
    >>> player.name
    'mcts:100'

    Args:
        game: a variant, from :func:`pasgl_env.contract.variants.find`.
        seed: seed of its generators; None draws one.
        simulations: simulations for each decision and each tree; by default 400.
        seconds: seconds for each decision and each tree, instead of simulations. Games of a batch
            are searched one after the other, as many at a time as there are threads.
        exploration: UCB1's constant, for outcomes from -1 to 1; 0 or more.
        prior_visits: number of visits that the greedy player's evaluation of an action counts for;
            with 0 it is not used, and every action is visited once before any is visited again.
            None: 16 in games with dice, where a simulation's result is mostly luck, otherwise 4.
        plies: number of actions that a simulation plays below the tree, and further until a
            quiescent state, before the game's ``evaluate`` gives its result; None to play to the
            end of the game.
        greed: share of these actions chosen by the greedy player instead of at random, 0 to 1.
        trees: number of independent trees for a decision; their visits are added.
        threads: number of threads, each searching another tree or game; None: one per processor.
        reuse: whether to keep the subtree of the state that the game has reached.
        most_nodes: maximum number of nodes of a tree, 32 bytes each. A full tree stops growing
            but is still searched.

    Raises:
        ValueError: for an argument that is out of range; names the argument.
    """

    kind = "mcts"
    settings = "exploration", "prior_visits", "plies", "greed", "trees"

    def __init__(
        self,
        game: Game,
        seed: int | None = None,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        exploration: float = 0.1,
        prior_visits: float | None = None,
        plies: int | None = 0,
        greed: float = 0.0,
        trees: int = 1,
        threads: int | None = None,
        reuse: bool = True,
        most_nodes: int = MAX_NODES,
    ) -> None:
        greed = checked_number("greed", greed, 0.0, 1.0)
        if plies is not None:
            plies = checked_number("plies", plies, 0, MAX_SIMULATIONS)
        usual = PRIOR_VISITS_WITH_DICE if game.chance.outcomes else PRIOR_VISITS
        selection = Selection(exploration, usual if prior_visits is None else prior_visits)
        playout = Playout(-1 if plies is None else plies, greed, game.decisive_lead)
        budget = Budget.of(simulations, seconds, BUDGET)
        settings = unusual(
            MctsPlayer,
            exploration=exploration,
            prior_visits=prior_visits,
            plies=plies,
            greed=greed,
            trees=trees,
        )
        super().__init__(
            f"{self.kind}:{budget}{settings}",
            PlayoutEvaluator(game, selection, playout),
            game,
            seed,
            budget,
            trees=trees,
            threads=threads,
            reuse=reuse,
            most_nodes=most_nodes,
        )


def simulate(
    tree: Tree,
    options: np.ndarray,
    selection: Selection,
    playout: Playout,
    walk: Walk,
    scratch: PlayoutScratch,
    generator: np.ndarray,
    simulations: int,
) -> int:
    """Run simulations from the root of a tree; ``walk`` and ``scratch`` are working memory.

    Returns the number completed: fewer if a playout is long, which the next call continues.
    """
    option, state = options[0], scratch.states[0]
    done = 0
    while done < simulations:
        if scratch.ply[0] == 0:
            scratch.states[0] = tree.state[0]
            walk.nodes[0] = 0
            depth = walk_down(tree.nodes, walk, 0, state, option, selection, generator)
            leaf = wide(walk.nodes[depth])
            is_due = leaf == 0 or tree.nodes[leaf].visits > 0
            if is_due and expand(tree, leaf, options, selection, playout, scratch, generator):
                depth = walk_down(tree.nodes, walk, depth, state, option, selection, generator)
            scratch.depth[0] = depth
        if not play_out(options, playout, scratch, generator):
            break
        back_up(tree.nodes, walk, scratch.depth[0], scratch.returns)
        done += 1
    return done


def expand(
    tree: Tree,
    leaf: int,
    options: np.ndarray,
    selection: Selection,
    playout: Playout,
    scratch: PlayoutScratch,
    generator: np.ndarray,
) -> bool:
    """Expand a leaf; return False if it has no children, or there is no room for them."""
    option, state, mask = options[0], scratch.states[0], scratch.mask[0]
    if HAS_CHANCE and chance_weight(state, option) > 0:
        return add_outcomes(tree.nodes, tree.used, leaf, OUTCOMES)
    if (leaf != 0 and is_truncated(state, option)) or legal_actions(state, option, mask) == 0:
        return False
    if leaf == 0:
        for action in range(tree.allowed.size):
            mask[action] &= tree.allowed[action]
    scratch.values[:] = 0.0
    if selection.prior_visits > 0.0:
        appraise(state, options, mask, scratch.trial, scratch.trial_masks, scratch.values)
    for action in range(scratch.values.size):
        if mask[action]:
            # Random order, so that ties are visited in a random order.
            luck = random_bits(generator, 0) * 2.0**-52
            scratch.values[action] = np.tanh(scratch.values[action] / playout.decisive_lead) + luck
    return add_children(tree.nodes, tree.used, leaf, mask, scratch.values)


@cache
def loop_of(game: Game) -> Any:
    """``simulate`` for one game. The first call for each version of the sources compiles it."""
    namespace = {**playout_rules(game), "walk_down": walk_down_of(game, by_best=False)}
    namespace = with_helpers(namespace, game.cache_name, expand)
    loop = bind(simulate, game.cache_name, namespace)
    compile_once(f"{game.cache_name}-search", lambda: _warm_up(game, loop), [loop])
    return loop


def _warm_up(game: Game, loop: Any) -> None:
    """Run the loop once with the types that the player uses."""
    batch, generator = Batch(game.name, 1), np.zeros(1, np.uint64)
    scratch = PlayoutScratch.of(game, batch.ruleset.spaces)
    tree = Tree.at(batch.states, FIRST_ROOM, batch.action_mask[0])
    settings = Selection(0.0, 0.0), Playout(0, 0.0, game.decisive_lead)
    loop(tree, batch.options_record, *settings, Walk.empty(), scratch, generator, 1)
