"""Tree search with a policy-value network, PUCT, for many games at once.

See Silver and others, "Mastering the game of Go without human knowledge", Nature 2017. Every
simulation ends at a leaf; the leaves of all games go to the network in one call, which says how
likely each action is to be worth a look, and what the position is worth.
"""

# The templates' free names are bound to a game's rules later.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from pasgl_env.engine.batch import Batch
from pasgl_env.engine.compiled import bind, compile_once, rule, wide
from pasgl_env.games.contract import Game, Spaces
from pasgl_env.players.mcts import MOST_SIMULATIONS, check_number, draw_seeds
from pasgl_env.players.player import SeededPlayer
from pasgl_env.players.playout import search_rules
from pasgl_env.players.tree import (
    DEEPEST,
    NODE,
    Walk,
    add_children,
    add_outcomes,
    back_up,
    keep_children,
    walk_down,
)

EXPLORATION = 1.5
"""The constant of PUCT, where values go from -1 to 1; less where they hardly differ."""

HOTTEST = 1e3
"""The highest temperature at which actions are drawn."""

Evaluator = Callable[..., tuple[Any, Any]]
"""``f(observation[k, C, H, W], action_mask[k, A]) -> (logits[k, A], value[k])``.

One that is to be informed takes ``states[k]`` and ``options[1]``, too: records.
"""


class SearchPlayer(SeededPlayer):
    """Searches with a policy-value network, all games that it is asked about together.

    Every decision grows a new tree from one call of the network for the root and one for each
    simulation. An action that has not been tried is taken to be worth what those tried are on the
    mean. What a batch's mask leaves out is not searched at the root.

    >>> import numpy as np
    >>> from pasgl_env import Batch, players, variants
    >>> def know_nothing(observation, action_mask):
    ...     return np.zeros(action_mask.shape), np.zeros(len(action_mask))
    >>> player = players.SearchPlayer(variants.find("pachessi"), know_nothing, 8, seed=1)
    >>> batch = Batch("pachessi", 5, seed=1)
    >>> batch.step(players.choose(player, batch, np.arange(5)))
    >>> player.visits.shape, player.visits.sum(axis=1)
    ((5, 393), array([8, 8, 8, 8, 8]))

    Attributes:
        visits: ``int32[k, A]``: how often the actions were visited for the last decisions.
        visits_without_noise: ``int32[k, A]``: at most as many, which a policy learns from. They are
            as many as PUCT would have asked for with the priors without noise, for what the search
            found the actions to be worth (policy target pruning: Wu, "Accelerating Self-Play
            Learning in Go", arXiv:1902.10565, 2019).
        values: ``float32[k]``: what the searches came to for the players who acted, -1 to 1.
        temperature: as below.

    Args:
        game: a variant, from :func:`pasgl_env.variants.find`.
        evaluator: ``f(observation[k, C, H, W], action_mask[k, A]) -> (logits[k, A], value[k])``, of
            and to NumPy arrays. Logits, or logarithms of probabilities, of illegal actions do not
            count. Values are for the player to act, -1 to 1.
        simulations: for each decision.
        seed: of its own generators; None draws one.
        exploration: the constant of PUCT.
        noise: share of noise in the priors at the root, 0 to 1; a quarter is usual in self-play.
        concentration: of the noise, which has Dirichlet's distribution: below 1, few actions get
            most of it.
        temperature: actions are drawn with their visits to the power of 1 / temperature; 0: the
            action visited most.
        warm_turns: after so many turns of a game the temperature is 0; None: never.
        informed: whether the evaluator is also given the positions themselves, and the options:
            ``f(observation, action_mask, states[k], options[1])``, records.
        name: for tables and messages.

    Raises:
        ValueError: for an argument that is out of range; names it.
    """

    def __init__(
        self,
        game: Game,
        evaluator: Evaluator,
        simulations: int = 64,
        seed: int | None = None,
        *,
        exploration: float = EXPLORATION,
        noise: float = 0.0,
        concentration: float = 0.3,
        temperature: float = 0.0,
        warm_turns: int | None = None,
        informed: bool = False,
        name: str | None = None,
    ) -> None:
        super().__init__(seed)
        check_number("simulations", simulations, 1, MOST_SIMULATIONS)
        check_number("exploration", exploration, 0.0, np.inf)
        check_number("noise", noise, 0.0, 1.0)
        check_number("concentration", concentration, 1e-3, 1e3)
        check_number("temperature", temperature, 0.0, HOTTEST)
        check_number("warm_turns", warm_turns, 0, 10**9)
        self.name = name or f"search:{simulations}"
        self._game = game
        self._loops = loops_of(game)
        self._evaluator, self._informed = evaluator, informed
        self._simulations = simulations
        self._selection = Selection(float(exploration))
        self._noise = noise
        self._concentration = concentration
        self.temperature = temperature
        self._warm_turns = warm_turns
        self.visits = self.visits_without_noise = np.zeros((0, 0), np.int32)
        self.values = np.zeros(0, np.float32)

    def _decide(
        self, batch: Batch, games: np.ndarray, generators: np.ndarray, actions: np.ndarray
    ) -> None:
        if batch.variant != self._game.name:
            raise ValueError(f"this player plays {self._game.name}, not {batch.variant}")
        forest = _Forest(self._game, self._loops, self._selection, batch, games, generators)
        forest.simulate(self._evaluator, informed=self._informed)
        forest.restrict(batch.action_mask[games])
        if self._noise > 0.0:
            forest.mix_noise(self._noise, self._concentration)
        for _ in range(self._simulations):
            forest.simulate(self._evaluator, informed=self._informed)
        self.visits, self.values = forest.results()
        self.visits_without_noise = forest.visits_without_noise(self.visits)
        luck = forest.draw_uniform()
        for row, game in enumerate(games.tolist()):
            turns = self._game.turns(batch.states[game])
            is_warm = self._warm_turns is None or turns < self._warm_turns
            temperature = self.temperature if is_warm else 0.0
            actions[row] = _drawn(self.visits[row], temperature, luck[row])


def _drawn(visits: np.ndarray, temperature: float, luck: float) -> int:
    """An action by its visits; ``luck`` is from 0 up to 1."""
    if temperature == 0.0:
        return int(visits.argmax())
    weights = (visits / visits.max()) ** (1.0 / temperature)
    reached = np.cumsum(weights)
    return int(np.searchsorted(reached, luck * reached[-1], side="right"))


class Selection(NamedTuple):
    """How to choose among children: the constant of PUCT."""

    exploration: float


class Leaves(NamedTuple):
    """Where the simulations of all trees have come to.

    Attributes:
        states: records ``[k]``.
        walk: the ways there: ``nodes`` and ``teams``, ``int64[k, DEEPEST]``.
        depths: ``int64[k]``, how long they are.
        observation: ``uint8[k, C, H, W]``, what the players to act see.
        action_mask: ``uint8[k, A]``.
        legal_count: ``int64[k]``; 0 where the game is over or cut.
        can_grow: ``bool[k]``, whether the walk ended for want of children, not of room.
        returns: ``float64[k, teams]``, what each simulation came to.
    """

    states: np.ndarray
    walk: Walk
    depths: np.ndarray
    observation: np.ndarray
    action_mask: np.ndarray
    legal_count: np.ndarray
    can_grow: np.ndarray
    returns: np.ndarray

    @classmethod
    def of(cls, game: Game, spaces: Spaces, trees: int) -> Leaves:
        """Zeroed arrays for a number of trees."""
        teams = 1 + max(game.team(player) for player in range(spaces.players))
        return cls(
            np.zeros(trees, game.state),
            Walk(np.zeros((trees, DEEPEST), np.int64), np.full((trees, DEEPEST), -1, np.int64)),
            np.zeros(trees, np.int64),
            np.zeros((trees, *spaces.observation), np.uint8),
            np.zeros((trees, spaces.actions), np.uint8),
            np.zeros(trees, np.int64),
            np.zeros(trees, np.bool_),
            np.zeros((trees, teams)),
        )


class _Forest:
    """A tree for each of some games; their nodes share one array, the roots first."""

    def __init__(
        self,
        game: Game,
        loops: Loops,
        selection: Selection,
        batch: Batch,
        games: np.ndarray,
        generators: np.ndarray,
    ) -> None:
        self._loops, self._selection, self._outcomes = loops, selection, game.outcomes
        self._generators = generators
        self._options = batch.options_record
        self._roots = batch.states[games]
        self._plain: list[np.ndarray] = []  # the roots' priors before noise was mixed in
        self._nodes = np.zeros(max(2 * games.size, 1 << 12), NODE)
        self._used = np.array([games.size])
        self._leaves = Leaves.of(game, game.spaces(self._options[0]), games.size)

    def simulate(self, evaluator: Evaluator, *, informed: bool = False) -> None:
        """Run a simulation in every tree; their leaves are evaluated together."""
        leaves = self._leaves
        # On the way down chance nodes get children, hardly ever more than two in a row.
        self._reserve(2 * self._outcomes * self._roots.size)
        self._loops.find_leaves(
            self._nodes,
            self._used,
            self._roots,
            self._options,
            self._selection,
            leaves,
            self._generators,
        )
        open_rows = np.flatnonzero(leaves.legal_count)
        more = (leaves.states[open_rows], self._options) if informed else ()
        logits, values = _evaluated(
            evaluator, leaves.observation[open_rows], leaves.action_mask[open_rows], *more
        )
        self._reserve(int(leaves.legal_count.sum()))
        self._loops.grow(self._nodes, self._used, leaves, open_rows, logits, values)

    def _reserve(self, more: int) -> None:
        """Have room for so many nodes more."""
        needed = int(self._used[0]) + more
        if needed > self._nodes.size:
            nodes = np.zeros(max(needed, 2 * self._nodes.size), NODE)
            nodes[: self._nodes.size] = self._nodes
            self._nodes = nodes

    def _children(self, root: int) -> np.ndarray:
        first, count = self._nodes["first"][root], self._nodes["children"][root]
        return self._nodes[first : first + count]

    def restrict(self, action_mask: np.ndarray) -> None:
        """Forget what masks ``uint8[k, A]`` of the roots leave out; the rest shares its priors."""
        counts = self._nodes["children"][: self._roots.size]
        for root in np.flatnonzero(counts > action_mask.sum(axis=1)).tolist():
            keep_children(self._nodes, root, action_mask[root])
            priors = self._children(root)["prior"]
            total = priors.sum()
            priors[:] = priors / total if total > 0 else 1 / priors.size

    def mix_noise(self, share: float, concentration: float) -> None:
        """Put noise into the priors below the roots."""
        rows = np.arange(self._roots.size)
        seeds = np.empty(rows.size, np.uint64)
        draw_seeds(self._generators, rows, seeds)
        for row, seed in zip(rows.tolist(), seeds.tolist(), strict=True):
            children = self._children(row)
            self._plain.append(children["prior"].copy())
            noise = np.random.default_rng(seed).dirichlet([concentration] * children.size)
            children["prior"] = (1 - share) * children["prior"] + share * noise

    def draw_uniform(self) -> np.ndarray:
        """A number from 0 up to 1 for each game."""
        seeds = np.empty(self._roots.size, np.uint64)
        draw_seeds(self._generators, np.arange(self._roots.size), seeds)
        return (seeds >> np.uint64(11)) * 2.0**-53

    def results(self) -> tuple[np.ndarray, np.ndarray]:
        """How often each action was visited, ``int32[k, A]``, and what they came to on the mean."""
        visits = np.zeros(self._leaves.action_mask.shape, np.int32)
        values = np.zeros(self._roots.size, np.float32)
        for row in range(self._roots.size):
            children = self._children(row)
            visits[row, children["choice"]] = children["visits"]
            values[row] = children["total"].sum() / children["visits"].sum()
        return visits, values

    def visits_without_noise(self, visits: np.ndarray) -> np.ndarray:
        """What is left of ``int32[k, A]`` visits, see :class:`SearchPlayer`."""
        if not self._plain:
            return visits
        left = visits.copy()
        for row, plain in enumerate(self._plain):
            children = self._children(row)
            seen = children["visits"]
            worth = children["total"] / np.maximum(seen, 1)
            width = self._selection.exploration * np.sqrt(seen.sum())
            score = worth + width * plain / (1 + seen)
            best = seen.argmax()
            # An action with so many visits scores no higher than the one visited most.
            behind = np.maximum(score[best] - worth, 1e-9)
            wanted = np.ceil(np.maximum(width * plain / behind - 1, 0))
            kept = np.minimum(seen, wanted)
            kept[best] = seen[best]
            left[row, children["choice"]] = kept
        return left


def _evaluated(
    evaluator: Evaluator, observation: np.ndarray, action_mask: np.ndarray, *more: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """What the evaluator says, checked."""
    if not len(observation):
        return np.zeros(action_mask.shape), np.zeros(0)
    answer = evaluator(observation, action_mask, *more)
    try:
        logits, values = (np.asarray(part, np.float64) for part in answer)
    except (TypeError, ValueError):
        raise ValueError(
            "an evaluator must return two arrays of numbers, logits and values, not"
            f" {type(answer).__name__}"
        ) from None
    if logits.shape != action_mask.shape or values.shape != action_mask.shape[:1]:
        raise ValueError(
            f"an evaluator must return logits of shape {action_mask.shape} and values of shape"
            f" {action_mask.shape[:1]}, not {logits.shape} and {values.shape}"
        )
    if not (np.isfinite(values).all() and np.isfinite(logits[action_mask == 1]).all()):
        raise ValueError("an evaluator's values and its logits of legal actions must be finite")
    return logits, values


@rule
def puct_child(nodes: np.ndarray, node: int, selection: Selection) -> int:
    """The child to visit next, by PUCT."""
    first = wide(nodes[node].first)
    last = first + wide(nodes[node].children)
    total, visits = 0.0, 0
    for child in range(first, last):
        total += nodes[child].total
        visits += nodes[child].visits
    untried = total / visits if visits > 0 else 0.0
    width = selection.exploration * np.sqrt(max(visits, 1))
    best, highest = first, -np.inf
    for child in range(first, last):
        seen = wide(nodes[child].visits)
        mean = nodes[child].total / seen if seen > 0 else untried
        score = mean + width * nodes[child].prior / (1 + seen)
        if score > highest:
            best, highest = child, score
    return best


def find_leaves(
    nodes: np.ndarray,
    used: np.ndarray,
    roots: np.ndarray,
    options: np.ndarray,
    selection: Selection,
    leaves: Leaves,
    generators: np.ndarray,
) -> None:
    """Walk down all trees to where a player acts or the game is over, and write what is there."""
    option = options[0]
    for row in range(roots.size):
        walk = Walk(leaves.walk.nodes[row], leaves.walk.teams[row])
        leaves.states[row] = roots[row]
        state, generator = leaves.states[row], generators[row : row + 1]
        walk.nodes[0] = row
        depth = walk_down(nodes, walk, wide(0), state, option, selection, generator)
        if HAS_CHANCE:
            while (
                chance_weight(state, option) > 0
                and depth + 1 < DEEPEST
                and add_outcomes(nodes, used, wide(walk.nodes[depth]), OUTCOMES)
            ):
                depth = walk_down(nodes, walk, depth, state, option, selection, generator)
        leaves.depths[row] = depth
        leaves.can_grow[row] = depth + 1 < DEEPEST and chance_weight(state, option) == 0
        if HAS_CHANCE:
            resolve_chance(state, option, generator, 0)
        leaves.legal_count[row] = legal_actions(state, option, leaves.action_mask[row])
        leaves.returns[row] = 0.0
        if leaves.legal_count[row] == 0:
            write_outcome(state, option, leaves.returns[row])
        elif depth > 0 and is_truncated(state, option):
            leaves.legal_count[row] = 0
        else:
            observe(state, option, to_move(state), leaves.observation[row])


def grow(
    nodes: np.ndarray,
    used: np.ndarray,
    leaves: Leaves,
    open_rows: np.ndarray,
    logits: np.ndarray,
    values: np.ndarray,
) -> None:
    """Expand the leaves with what was said of those that are open, and count all simulations."""
    for number in range(open_rows.size):
        row = open_rows[number]
        mask = leaves.action_mask[row]
        to_probabilities(logits[number], mask)
        leaf = wide(leaves.walk.nodes[row, leaves.depths[row]])
        if leaves.can_grow[row]:
            add_children(nodes, used, leaf, mask, logits[number])
        own = team(to_move(leaves.states[row]))
        others = leaves.returns.shape[1] - 1
        for side in range(leaves.returns.shape[1]):
            leaves.returns[row, side] = values[number] if side == own else -values[number] / others
    for row in range(leaves.depths.size):
        walk = Walk(leaves.walk.nodes[row], leaves.walk.teams[row])
        back_up(nodes, walk, leaves.depths[row], leaves.returns[row])


@rule
def to_probabilities(logits: np.ndarray, mask: np.ndarray) -> None:
    """Softmax over the actions that the mask marks, in place."""
    highest = -np.inf
    for action in range(mask.size):
        if mask[action]:
            highest = max(highest, logits[action])
    total = 0.0
    for action in range(mask.size):
        if mask[action]:
            logits[action] = np.exp(logits[action] - highest)
            total += logits[action]
    for action in range(mask.size):
        if mask[action]:
            logits[action] /= total


class Loops(NamedTuple):
    """What runs compiled, bound to one game."""

    find_leaves: Any
    grow: Any


@cache
def loops_of(game: Game) -> Loops:
    """The compiled search of a game. Compiling is slow once for each version of the sources."""
    namespace = {**search_rules(game), "observe": game.observe, "best_child": puct_child}
    namespace["walk_down"] = bind(walk_down, f"{game.rules}_puct", namespace)
    loops = Loops(*(bind(loop, game.rules, namespace) for loop in (find_leaves, grow)))
    compile_once(f"{game.rules}-puct", lambda: _warm_up(game, loops), loops)
    return loops


def _warm_up(game: Game, loops: Loops) -> None:
    """Run the loops once, with the types that the player uses."""

    def know_nothing(observation: np.ndarray, action_mask: np.ndarray) -> tuple[Any, Any]:
        return np.zeros(action_mask.shape), np.zeros(len(action_mask))

    batch, generators = Batch(game.name, 1), np.zeros(1, np.uint64)
    forest = _Forest(game, loops, Selection(1.0), batch, np.zeros(1, np.int64), generators)
    forest.simulate(know_nothing)
