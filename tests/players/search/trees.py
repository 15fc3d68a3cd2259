"""What holds in every search tree of a game without dice."""

from collections.abc import Iterator
from math import inf
from typing import Any

from pasgl_env.contract.game import Game
from pasgl_env.players.search.tree import Tree


def best_values(tree: Tree, game: Game, option: Any) -> Iterator[tuple[float, float]]:
    """For every expanded node below the root: its best value, and that of its children.

    Both are for the team that chose the node.
    """
    pending = [(0, tree.state.copy())]
    while pending:
        node, state = pending.pop()
        chooser = game.team(game.to_move(state[0]))
        first = int(tree.nodes["first"][node])
        for child in range(first, first + int(tree.nodes["children"][node])):
            inner, count = int(tree.nodes["first"][child]), int(tree.nodes["children"][child])
            if count == 0 or tree.nodes["best"][child] == -inf:  # a leaf, or closed by limits
                continue
            after = state.copy()
            game.play(after[0], option, int(tree.nodes["choice"][child]))
            highest = float(tree.nodes["best"][inner : inner + count].max())
            is_own = game.team(game.to_move(after[0])) == chooser
            yield float(tree.nodes["best"][child]), highest if is_own else -highest
            pending.append((child, after))
