"""Write what endings are played out by: ``python -m tools.endings``, in two minutes.

Each is solved. Of all positions that can follow those are kept which come about if the learner
keeps the win, and the others reply as well as they can.
"""

from __future__ import annotations

import json
from collections import deque
from typing import NamedTuple

from pasgl_env.engine.position import Position
from pasgl_env.puzzles.endings import ENDINGS, FILE, NO_TURNS, Ending, given_away
from pasgl_env.solving import CERTAIN, ValueTable, solve
from pasgl_env.storage.files import write_whole


class Tree(NamedTuple):
    """What :class:`pasgl_env.puzzles.endings.EndingNode` says, a list for each of its fields."""

    turns: list[int]
    best: list[int]
    after: list[list[int]]


def tree(ending: Ending) -> Tree:
    """The positions that come about, the start first."""
    table, start = solve(ending.ruleset, ending.text), ending.start()
    learner = start.to_move
    assert learner is not None
    numbers = {_number(table, start): 0}
    found, left = Tree([], [], []), deque([start])
    while left:
        position = left.popleft()
        exact = table.exact(_number(table, position))
        found.turns.append(NO_TURNS if exact.turns is None else exact.turns)
        found.best.append(_best(table, position))
        found.after.append([])
        for choice in _choices(position, learner, found.best[-1]):
            after = position.copy().play_action(choice)
            value = table.exact(number := _number(table, after)).returns[learner]
            if value < CERTAIN:
                found.after[-1].append(given_away(value))
                continue
            if number not in numbers:
                numbers[number] = len(numbers)
                left.append(after)
            found.after[-1].append(numbers[number])
    return found


def _number(table: ValueTable, position: Position) -> int:
    return int(table.find(position.state)[0])


def _best(table: ValueTable, position: Position) -> int:
    """The place of the best action among the legal ones; -1 where nobody acts."""
    if position.is_over or position.is_chance:
        return -1
    return position.legal_actions().index(table.choices(position)[0][0])


def _choices(position: Position, learner: int, best: int) -> list[int]:
    """The choices to look at: of those who reply only the best one."""
    if position.is_over:
        return []
    legal = position.legal_actions()
    return legal if position.is_chance or position.to_move == learner else [legal[best]]


def main() -> None:
    """Write all endings."""
    trees = (json.dumps(tree(each)._asdict(), separators=(",", ":")) for each in ENDINGS)
    lines = ",\n".join(trees)
    write_whole(FILE, f"[\n{lines}\n]\n".encode())


if __name__ == "__main__":
    main()
