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

import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property, reduce
from inspect import signature
from threading import Event
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from pasgl_env.contract.game import Game, brief, check_number
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.loops import random_bits
from pasgl_env.engine.tasks import TaskPool
from pasgl_env.jit.compiled import JIT, bind, compile_once, inlined_rule, rule, wide
from pasgl_env.players.player import SeededPlayer
from pasgl_env.players.search import limits
from pasgl_env.players.search.limits import LimitedTree
from pasgl_env.players.search.playout import Playout, Scratch, playout_rules
from pasgl_env.players.search.tree import (
    Finder,
    Tree,
    Walk,
    add_children,
    add_outcomes,
    back_up,
    find_state,
    walk_down,
)

SIMULATIONS = 400
TRUST, TRUST_WITH_DICE = 4.0, 16.0
MOST_SIMULATIONS, MOST_SECONDS = 10**9, 10**6
LARGEST_SETTING = 1000
"""The largest value of ``exploration`` and ``trust``."""
# Maximum number of simulations per call of compiled code, fewer if they take long; between the
# calls, Python checks the clock and Ctrl-C.
SLICE = 64
SLICE_SECONDS = 0.002
FIRST_ROOM = 1 << 12
TO_THE_END = "end"
Key = tuple[int, int]


class Budget(NamedTuple):
    """The budget of a decision: a number of simulations or of seconds."""

    simulations: int | None
    seconds: float | None

    @classmethod
    def read(cls, text: str) -> Budget:
        """Parse a budget such as ``400``, ``20ms`` or ``2s``.

        Raises:
            ValueError: for any other text.
        """
        if re.fullmatch(r"[0-9]{1,9}", text) and int(text) > 0:
            return cls(int(text), None)
        match = re.fullmatch(r"([0-9]{0,6}(?:\.[0-9]{1,6})?)(m?)s", text)
        if match and float(match[1] or 0) > 0:
            return cls(None, float(match[1]) / (1000 if match[2] else 1))
        raise ValueError(
            "a budget must be a number of simulations, such as 400, or a time, such as 20ms or 2s,"
            f" not {brief(text)}"
        )

    def __str__(self) -> str:
        return f"{self.simulations}" if self.seconds is None else f"{self.seconds:g}s"

    def next_slice(self, most: int, done: int, elapsed: float) -> int:
        """Number of simulations to run next, at most ``most``; 0 if the budget is used up."""
        if self.seconds is not None:
            return most if done == 0 or elapsed < self.seconds else 0
        return min(most, (self.simulations or 0) - done)


class Workspace(NamedTuple):
    """The scratch memory of one thread, kept from search to search."""

    scratch: Any
    finder: Finder


class Decisions:
    """The results of the last searches, in arrays that are made on access.

    Args:
        searched: the rows in which there was a choice, with the children of each tree's root.
        appraise: returns the children's values over all roots.
        shape: number of rows and of actions.
    """

    def __init__(
        self,
        searched: list[tuple[int, list[np.ndarray]]],
        appraise: Callable[[list[np.ndarray]], np.ndarray],
        shape: tuple[int, int],
    ) -> None:
        self._searched, self._appraise, self._shape = searched, appraise, shape

    @cached_property
    def visits(self) -> np.ndarray:
        """See :attr:`MctsPlayer.visits`."""
        visits = np.zeros(self._shape, np.int32)
        for row, children in self._searched:
            visits[row, children[0]["choice"]] = added([each["visits"] for each in children])
        return visits

    @cached_property
    def values(self) -> np.ndarray:
        """See :attr:`MctsPlayer.action_values`."""
        values = np.full(self._shape, np.nan, np.float32)
        for row, children in self._searched:
            values[row, children[0]["choice"]] = self._appraise(children)
        return values


class Selection(NamedTuple):
    """Parameters of the choice among children.

    Attributes:
        exploration: UCB1's constant, for outcomes from -1 to 1.
        trust: number of visits that the greedy player's evaluation of an action counts for.
    """

    exploration: float
    trust: float


class MctsPlayer(SeededPlayer):
    """Searches for every decision, and plays the most visited action.

    With a budget of simulations, its play depends only on the seed and the game, not on ``threads``
    or other games. A time budget is kept to within a few milliseconds, and the result depends on
    the machine. If only one action is legal, it plays that without searching. Legal actions that
    the batch's mask excludes are not searched at the root, but further down the tree they are.

    >>> from pasgl_env import players, variants
    >>> player = players.MctsPlayer(variants.find("pachessi"), seed=1, simulations=100)
    >>> player.name
    'mcts:100'

    Args:
        game: a variant, from :func:`pasgl_env.contract.variants.find`.
        seed: seed of its generators; None draws one.
        simulations: simulations for each decision and each tree.
        seconds: seconds for each decision and each tree, instead of simulations. Games of a batch
            are searched one after the other, as many at a time as there are threads.
        exploration: UCB1's constant, for outcomes from -1 to 1; 0 or more.
        trust: number of visits that the greedy player's evaluation of an action counts for; with 0
            it is not used, and every action is visited once before any is visited again. None: 16
            in games with dice, where a simulation's result is mostly luck, otherwise 4.
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

    _derived = frozenset({"_loops", "_pool", "_workspaces"})

    def __init__(
        self,
        game: Game,
        seed: int | None = None,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        exploration: float = 0.1,
        trust: float | None = None,
        plies: int | None = 0,
        greed: float = 0.0,
        trees: int = 1,
        threads: int | None = None,
        reuse: bool = True,
        most_nodes: int = 1 << 18,
    ) -> None:
        super().__init__(seed)
        if simulations is not None and seconds is not None:
            raise ValueError("give either simulations or seconds, not both")
        if simulations is None and seconds is None:
            simulations = SIMULATIONS
        check_number("exploration", exploration, 0.0, LARGEST_SETTING)
        check_number("greed", greed, 0.0, 1.0)
        check_number("trees", trees, 1, 1024)
        check_number("most_nodes", most_nodes, FIRST_ROOM, 1 << 30)
        for name, value, low, high in (
            ("simulations", simulations, 1, MOST_SIMULATIONS),
            ("seconds", seconds, 0.0, MOST_SECONDS),
            ("trust", trust, 0.0, LARGEST_SETTING),
            ("plies", plies, 0, MOST_SIMULATIONS),
            ("threads", threads, 1, 1024),
        ):
            if value is not None:
                check_number(name, value, low, high)
        self._budget = Budget(simulations, seconds)
        own = {
            "exploration": exploration,
            "trust": trust,
            "plies": plies,
            "greed": greed,
            "trees": trees,
        }
        self.name = f"mcts:{self._budget}{told(own, USUAL)}"
        self._game = game
        if trust is None:
            trust = TRUST_WITH_DICE if game.outcomes else TRUST
        self._selection = Selection(float(exploration), float(trust))
        self._playout = Playout(-1 if plies is None else plies, float(greed), game.decisive_lead)
        self._trees_each = trees
        self._reuse = reuse
        self._most_nodes = most_nodes
        self._threads = (threads or _processors()) if JIT else 1
        self._options = b""
        self._trees: dict[Key, Tree] = {}
        self._last = Decisions([], self._values_of, (0, 0))
        self._open()

    def _open(self) -> None:
        self._loops: Any = loops_of(self._game)
        self._pool = TaskPool(self._threads)
        self._workspaces: list[Workspace] = []

    def _part(self) -> None:
        super()._part()
        self._trees = {}

    def reseed(self, games: np.ndarray, seeds: Sequence[int]) -> None:
        super().reseed(games, seeds)
        for key in self._keys(games):
            self._trees.pop(key, None)

    def _keys(self, games: np.ndarray) -> list[Key]:
        """The keys under which the trees of these games are stored."""
        return [(game, number) for game in games.tolist() for number in range(self._trees_each)]

    def _decide(
        self, batch: Batch, games: np.ndarray, generators: np.ndarray, actions: np.ndarray
    ) -> None:
        if batch.variant != self._game.name:
            raise ValueError(f"this player plays {self._game.name}, not {batch.variant}")
        options = batch.options_record
        self._forget_if_others(options)
        actions[:] = batch.action_mask[games].argmax(axis=1)
        rows = np.flatnonzero(batch.legal_count[games] > 1)
        keys = self._keys(games[rows])
        seeds = np.empty(len(keys), np.uint64)
        draw_seeds(generators, rows, seeds)
        self._search_all(batch, options, keys, seeds)
        searched = []
        for row, first in zip(rows.tolist(), range(0, len(keys), self._trees_each), strict=True):
            children = [self._trees[key].children for key in keys[first : first + self._trees_each]]
            actions[row] = most_visited(children)
            searched.append((row, children))
        shape = games.size, batch.num_actions
        self._last = Decisions(searched, self._values_of, shape)
        if getattr(batch, "limits", None) is not None:  # trees under limits are not reused
            for key in keys:
                self._trees.pop(key, None)

    @property
    def visits(self) -> np.ndarray:
        """``int32[k, A]``: visits to the actions of the last decisions, in all trees.

        Including those kept from earlier searches; zeros if there was no choice.
        """
        return self._last.visits

    @property
    def action_values(self) -> np.ndarray:
        """``float32[k, A]``: mean results of these actions for the player who acted, -1 to 1.

        With the greedy player's evaluation as additional visits; NaN if unknown.
        """
        return self._last.values

    def _values_of(self, children: Sequence[np.ndarray]) -> np.ndarray:
        """``float64[c]``: the values of the children over all roots; NaN if unknown."""
        return mean_values(children, self._selection.trust)

    def _forget_if_others(self, options: np.ndarray) -> None:
        """Forget the trees if these are other options than the last ones."""
        if options.tobytes() != self._options:
            self._trees.clear()
            self._workspaces.clear()
            self._options = options.tobytes()

    def _search_all(
        self, batch: Batch, options: np.ndarray, keys: list[Key], seeds: np.ndarray
    ) -> None:
        """Grow the tree of each key."""
        stop = Event()
        about = batch, options, keys, seeds, stop
        self._pool.run(self._search_some, len(keys), *about, stop=stop.set)

    def _search_some(
        self,
        batch: Batch,
        options: np.ndarray,
        keys: list[Key],
        seeds: np.ndarray,
        stop: Event,
        first: int,
        last: int,
    ) -> None:
        """Grow the trees of some keys, one after the other."""
        workspace = self._take_workspace(options)
        scratch, finder = workspace
        most = min(SLICE, self._budget.simulations or SLICE)
        for row in range(first, last):
            game, _ = keys[row]
            state = batch.states[game : game + 1]
            limited = limits.begin(self._game, batch, options, game)
            if limited:  # nodes visited by an earlier search may break the limits
                self._trees.pop(keys[row], None)
            allowed = self._begin(scratch, options, state, game, batch.action_mask[game])
            tree = self._root(keys[row], options, state, allowed, finder)
            slack = 2 * most * (int(batch.legal_count[game]) + self._game.outcomes)
            grown = self._grow(tree, options, scratch, seeds[row : row + 1], slack, stop, limited)
            if stop.is_set():
                return
            self._trees[keys[row]] = grown
        self._workspaces.append(workspace)

    def _take_workspace(self, options: np.ndarray) -> Workspace:
        """A workspace that no other thread uses."""
        try:
            return self._workspaces.pop()
        except IndexError:
            return Workspace(self._scratch(options), Finder.of(self._game))

    def _scratch(self, options: np.ndarray) -> Any:
        """Scratch memory of one thread."""
        return Scratch.of(self._game, self._game.spaces(options[0]))

    def _begin(
        self, scratch: Any, options: np.ndarray, state: np.ndarray, game: int, allowed: np.ndarray
    ) -> np.ndarray:
        """Prepare to search a game's state; return the mask of the actions to search."""
        del options, state, game
        scratch.ply[0] = 0  # a search that ran out of time may have left a playout
        return allowed

    def _simulate(
        self,
        tree: Tree,
        options: np.ndarray,
        walk: Walk,
        scratch: Any,
        generator: np.ndarray,
        simulations: int,
    ) -> int:
        """Run at most this number of simulations from the root of a tree; return their number."""
        done: int = self._loops.simulate(
            tree, options, self._selection, self._playout, walk, scratch, generator, simulations
        )
        return done

    def _root(
        self,
        key: Key,
        options: np.ndarray,
        state: np.ndarray,
        allowed: np.ndarray,
        finder: Finder,
    ) -> Tree:
        """The root of a state, reusing the old tree if possible."""
        known = self._trees.pop(key, None)
        target = state.copy()
        if known is not None and self._reuse:
            node = self._loops.find_state(known, options, target, target.view(np.uint8), finder)
            if node >= 0:
                tree = known.moved_to(node, target, allowed)
                # An earlier search of this state with fewer allowed actions lacks the others.
                if tree.children.size in (0, allowed.sum()):
                    return tree
        return Tree.at(target, FIRST_ROOM, allowed)

    def _grow(
        self,
        tree: Tree,
        options: np.ndarray,
        scratch: Any,
        generator: np.ndarray,
        slack: int,
        stop: Event,
        limited: LimitedTree | None,
    ) -> Tree:
        """Simulate until the budget is used up; leave room for ``slack`` nodes between slices.

        Returns the tree, which may have moved.
        """
        walk, begun, done, most = Walk.empty(), perf_counter(), 0, 1
        now = begun
        while not stop.is_set():
            simulations = self._budget.next_slice(most, done, now - begun)
            if simulations == 0:
                break
            tree = tree.with_room(min(int(tree.used[0]) + slack, self._most_nodes))
            if limited is not None:
                simulations = 1
            run = self._simulate(tree, options, walk, scratch, generator, simulations)
            if limited is None or (run and limited.review(tree, walk, scratch.returns)):
                done += run
            before, now = now, perf_counter()
            most = min(SLICE, 2 * most) if 2 * (now - before) < SLICE_SECONDS else max(1, most // 2)
        return tree


# The settings that a name may contain besides the budget, with their defaults.
USUAL: Mapping[str, float | None] = {
    name: signature(MctsPlayer).parameters[name].default
    for name in ("exploration", "trust", "plies", "greed", "trees")
}


def settings_in(text: str) -> dict[str, Any]:
    """Parse the text after ``mcts:`` in a name, such as ``100:plies=10:greed=0.5``, into arguments.

    Raises:
        ValueError: for an invalid text.
    """
    budget, *settings = text.split(":")
    read: dict[str, Any] = dict(Budget.read(budget)._asdict())
    for setting in settings:
        name, _, value = setting.partition("=")
        if name not in USUAL:
            raise ValueError(
                f"after the budget, mcts takes {', '.join(f'{each}=N' for each in USUAL)}, with"
                f" colons between them, not {brief(setting)}"
            )
        read[name] = _number_in(name, value)
    return read


def _number_in(name: str, text: str) -> float | None:
    if (name, text) == ("plies", TO_THE_END):
        return None
    whole = isinstance(USUAL[name], int)
    try:
        return int(text) if whole else float(text)
    except ValueError:
        kind = "an integer" if whole else "a number"
        more = f" or {TO_THE_END}" if name == "plies" else ""
        raise ValueError(f"{name} of mcts must be {kind}{more}, not {brief(text)}") from None


def told(settings: Mapping[str, float | None], usual: Mapping[str, float | None]) -> str:
    """The unusual settings, as :func:`settings_in` reads them."""
    unusual = {name: value for name, value in settings.items() if value != usual[name]}
    return "".join(
        f":{name}={TO_THE_END if value is None else f'{value:g}'}"
        for name, value in unusual.items()
    )


def _processors() -> int:
    """Number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def most_visited(children: Sequence[np.ndarray]) -> int:
    """The action with the most visits over all roots; ties go to the higher total, then prior.

    After a single simulation no action has been visited, so the prior alone decides.
    """
    visits = added([each["visits"].astype(np.int64) for each in children])
    totals = added([each["total"] for each in children])
    priors = added([each["prior"] for each in children])
    return int(children[0]["choice"][np.lexsort((priors, totals, visits))[-1]])


def added(arrays: Sequence[np.ndarray]) -> np.ndarray:
    """The sum of arrays; for one or two this takes a tenth of the time of ``np.sum``."""
    return reduce(np.add, arrays)


def mean_values(children: Sequence[np.ndarray], trust: float) -> np.ndarray:
    """``float64[c]``: mean results of the children over all roots; NaN if unknown."""
    visits = added([each["visits"] + trust for each in children])
    totals = added([each["total"] + trust * each["prior"] for each in children])
    unknown = np.full(children[0].size, np.nan)
    return np.divide(totals, visits, out=unknown, where=visits > 0)


@rule
def draw_seeds(generators: np.ndarray, rows: np.ndarray, seeds: np.ndarray) -> None:
    """Draw seeds, the same number from the generator of each row."""
    each = seeds.size // max(rows.size, 1)
    for number in range(seeds.size):
        row = rows[number // each]
        high = random_bits(generators, row)
        seeds[number] = np.uint64((high << 32) | random_bits(generators, row))


@inlined_rule
def mean_worth(node: Any, trust: float) -> float:
    """The mean of a node's results and its prior, for the team that chose it."""
    return (node.total + trust * node.prior) / (node.visits + trust)


def uct_child(nodes: np.ndarray, node: int, selection: Selection) -> int:
    """The child to visit next, by UCB1 and the mean worth of each."""
    first = wide(nodes[node].first)
    spread = selection.exploration**2 * np.log(nodes[node].visits + 1.0)
    best, highest = first, -np.inf
    for child in range(first, first + nodes[node].children):
        visits = nodes[child].visits + selection.trust
        score = np.inf
        if visits > 0.0:
            score = worth(nodes[child], selection.trust) + np.sqrt(spread / visits)
        if score > highest:
            best, highest = child, score
    return best


def simulate(
    tree: Tree,
    options: np.ndarray,
    selection: Selection,
    playout: Playout,
    walk: Walk,
    scratch: Scratch,
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
    scratch: Scratch,
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
    if selection.trust > 0.0:
        appraise(state, options, mask, scratch.trial, scratch.trial_masks, scratch.values)
    for action in range(scratch.values.size):
        if mask[action]:
            # Random order, so that ties are visited in a random order.
            luck = random_bits(generator, 0) * 2.0**-52
            scratch.values[action] = np.tanh(scratch.values[action] / playout.decisive_lead) + luck
    return add_children(tree.nodes, tree.used, leaf, mask, scratch.values)


class Loops(NamedTuple):
    """The compiled loops of one game."""

    simulate: Any
    find_state: Any


@cache
def loops_of(game: Game) -> Loops:
    """The compiled search of a game. The first call for each version of the sources compiles it."""
    namespace = {**playout_rules(game), "worth": mean_worth}
    namespace["best_child"] = bind(uct_child, game.cache_name, namespace)
    namespace["walk_down"] = bind(walk_down, game.cache_name, namespace)
    namespace["expand"] = bind(expand, game.cache_name, namespace)
    loops = Loops(*(bind(loop, game.cache_name, namespace) for loop in (simulate, find_state)))
    compile_once(f"{game.cache_name}-search", lambda: _warm_up(game, loops), loops)
    return loops


def _warm_up(game: Game, loops: Loops) -> None:
    """Run the loops once with the types that the player uses."""
    batch, generator = Batch(game.name, 1), np.zeros(1, np.uint64)
    options = batch.options_record
    scratch = Scratch.of(game, game.spaces(options[0]))
    tree = Tree.at(batch.states, FIRST_ROOM, batch.action_mask[0])
    target = batch.states.copy()
    playout = Playout(0, 0.0, game.decisive_lead)
    loops.simulate(tree, options, Selection(0.0, 0.0), playout, Walk.empty(), scratch, generator, 1)
    loops.find_state(tree, options, target, target.view(np.uint8), Finder.of(game))
