"""A slow solver in plain Python, independent of the package's: positions by their texts."""

from itertools import count


def key(position):
    """The text without the number of turns, its fourth field."""
    fields = position.text.split(" ")
    return " ".join(fields[:3] + fields[4:])


class Node:
    def __init__(self, position):
        self.state = position.state
        self.returns, self.is_chance = position.returns, position.is_chance
        self.player = position.to_move
        self.after = []  # (key, probability, whether the turn is complete)


def reachable(start):
    """All positions that can be reached, by key."""
    nodes, waiting = {key(start): Node(start)}, [start]
    while waiting:
        position = waiting.pop()
        chances = dict(position.chance_outcomes())
        for action in position.legal_actions():
            after = position.copy().play_action(action)
            if key(after) not in nodes:
                nodes[key(after)] = Node(after)
                waiting.append(after)
            edge = key(after), chances.get(action, 0.0), after.turns != position.turns
            nodes[key(position)].after.append(edge)
    return nodes


def distances(nodes):
    """Results for player 0 with the turns until then, of the positions that somebody wins."""
    found = {name: (node.returns[0], 0) for name, node in nodes.items() if node.returns}
    found = {name: pair for name, pair in found.items() if pair[0]}
    for turns in count():
        before = len(found)
        while any(_decide(name, nodes[name], found, turns) for name in nodes if name not in found):
            pass
        if turns > 0 and len(found) == before:
            return found
    raise AssertionError


def _decide(name, node, found, turns):
    """Enter a position whose result is known in this number of turns."""
    if not node.after:
        return False
    own = 1 if node.player == 0 else -1
    known = [
        (found[after][0], found[after][1] + ends) for after, _, ends in node.after if after in found
    ]
    wins = [length for result, length in known if result == own and length <= turns]
    if wins:
        found[name] = own, min(wins)
    elif len(known) == len(node.after) and all(result == -own for result, _ in known):
        length = max(length for _, length in known)
        if length <= turns:
            found[name] = -own, length
    return name in found


def expectations(nodes, sweeps):
    """Expected results for player 0, by value iteration."""
    values = {name: node.returns[0] if node.returns else 0.0 for name, node in nodes.items()}
    for _ in range(sweeps):
        for name, node in nodes.items():
            if node.is_chance:
                values[name] = sum(share * values[after] for after, share, _ in node.after)
            elif node.after:
                best = max if node.player == 0 else min
                values[name] = best(values[after] for after, _, _ in node.after)
    return values
