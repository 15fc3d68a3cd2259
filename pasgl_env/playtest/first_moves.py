"""The value of first moves: those that do well get more games, and a tree grows from them.

All legal actions begin with the same share of the games, and the worse half is dropped repeatedly:
sequential halving (Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits",
ICML 2013), a successor of successive rejects (Audibert, Bubeck and Munos, "Best arm identification
in multi-armed bandits", COLT 2010). The best ones are then explored in the same way, for the side
that acts after them: its answers, or the turn's next actions. Since the number of games depends on
results, intervals are confidence sequences, which hold whenever one stops.

Needs SciPy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from math import ceil, log2
from typing import Any, NamedTuple

from pasgl_env.engine.position import Position
from pasgl_env.evaluation.match import hardly_vary, sides
from pasgl_env.evaluation.table import Table
from pasgl_env.playtest.folder import GAMES
from pasgl_env.playtest.lab import NO_VERDICT, Lab, PlayedRun, Question, conditions
from pasgl_env.playtest.lines import result_for
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.positions import Replayer, chunks
from pasgl_env.render.labels import read
from pasgl_env.statistics.clustered import sums_of_pairs
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.statistics.sequential import confidence_sequence
from pasgl_env.statistics.texts import estimate_text

TOGETHER = 8
"""Games that an action gets at once."""
WIDTH = 3
"""Number of actions whose answers are explored."""
_MOVES = ("move", "capture", "enter", "create")
"""The kinds of actions that bring a side's own piece to their target."""

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }}
table {{ border-collapse: collapse; }}
th, td {{ padding: 0.2em 0.8em; text-align: right; }}
svg {{ max-width: 28em; height: auto; }}
</style>
<h1>{title}</h1>
{body}
</html>
"""


class Node(NamedTuple):
    """An action.

    Attributes:
        label: its text.
        games: number of games played after it; 0 if it ends the game.
        score: of the side that acts, with its confidence sequence.
        answers: the actions after it, the best first; empty where the tree ends.
    """

    label: str
    games: int
    score: Estimate
    answers: tuple[Node, ...]

    @property
    def score_text(self) -> str:
        """The score for people."""
        return estimate_text(self.score, True)

    def to_dict(self) -> dict[str, Any]:
        """The node, ready for JSON."""
        return {
            "label": self.label,
            "games": self.games,
            "score": self.score.__dict__,
            "answers": [each.to_dict() for each in self.answers],
        }


@dataclass(frozen=True)
class MoveTree(Question["FirstMoves"]):
    """First moves to be explored.

    Attributes:
        plan: its games begin at the root.
        games: maximum number of games of all first actions together. The actions after each of the
            best ones share this number divided by ``WIDTH``, and are left out if that is too few.
        depth: depth of the tree, in actions.

    Raises:
        ValueError: if chance acts at the root, or for too few games or no depth.
    """

    kind = "first moves"

    depth: int = 2

    def __post_init__(self) -> None:
        root = _root(self.plan)
        if obstacle := _obstacle(root):
            raise ValueError(f"{obstacle} there: give a position in which a player acts")
        if self.depth < 1:
            raise ValueError(f"a tree is 1 action deep or more, not {self.depth}")
        actions = len(root.legal_actions())
        least = TOGETHER * actions
        if self.games < least:
            raise ValueError(f"{actions} actions need {least} games or more, not {self.games}")
        object.__setattr__(self, "plan", replace(self.plan, shard_games=TOGETHER))

    def answer(self, lab: Lab) -> FirstMoves:
        """Grow the tree."""
        lab.expect(self.games * self.depth)
        used: dict[str, tuple[PlayedRun, int]] = {}
        nodes = _ranked(self.plan, (), self.games, self.depth, lab, used)
        distinct = sum(arm.totals.counts.distinct for arm, _ in used.values())
        games = sum(arm.games for arm, _ in used.values())
        return FirstMoves(self, tuple(nodes), _visits(used), hardly_vary(distinct, games))


def _root(plan: Plan) -> Position:
    """The position at which the games of a plan begin, before their openings."""
    texts = plan.openings.texts
    return Position.from_text(plan.ruleset, texts[0]) if texts else Position(plan.ruleset)


def _obstacle(root: Position) -> str | None:
    """The reason why no player acts at a position; None if one does."""
    if root.is_over:
        return "the game is over"
    if root.is_truncated:
        return "the game is cut off"
    return "chance acts" if root.is_chance else None


def _ranked(
    plan: Plan,
    line: tuple[str, ...],
    games: int,
    depth: int,
    lab: Lab,
    used: dict[str, tuple[PlayedRun, int]],
) -> list[Node]:
    """The actions at the root of a plan, the best first, with answers to the best.

    Args:
        plan: of games that begin at the end of ``line``.
        line: the labels from the root of the tree.
        games: of all actions together.
        depth: in actions.
        lab: plays the games.
        used: the run of each line and the number of its games; filled in.
    """
    root = _root(plan)
    if _obstacle(root) or depth == 0:
        return []
    side = root.teams[root.to_move or 0]
    nodes, plans = list[Node](), dict[str, Plan]()
    for action in root.legal_actions():
        label, after = root.label(action), root.copy().play_action(action)
        score = result_for(after, side)
        if score is not None:
            nodes.append(Node(label, 0, score, ()))
        else:
            plans[label] = plan.from_position(after)
    if games < TOGETHER * len(plans):
        lab.tell(f"{' '.join(line)}: {games} games are too few for {len(plans)} continuations")
        return []
    best = _halve(plans, line, side, games, lab, used) if plans else []
    for rank, (label, arm, number) in enumerate(best):
        answers: list[Node] = []
        if rank < WIDTH:
            own = games // WIDTH
            answers = _ranked(plans[label], (*line, label), own, depth - 1, lab, used)
        nodes.append(Node(label, number, _score(arm, number, side), tuple(answers)))
    return sorted(nodes, key=_ending)


def _ending(node: Node) -> float:
    """Sorts actions that win at once before others, and those that do not win after them."""
    return 0.0 if node.games else 0.5 - (node.score.value or 0.0)


def _halve(
    plans: Mapping[str, Plan],
    line: tuple[str, ...],
    side: int,
    games: int,
    lab: Lab,
    used: dict[str, tuple[PlayedRun, int]],
) -> list[tuple[str, PlayedRun, int]]:
    """Sequential halving: the labels, the best first, with their runs and numbers of games."""
    rounds = max(ceil(log2(len(plans))), 1)
    left, dropped = list(plans), list[str]()
    wanted = dict.fromkeys(plans, 0)
    unused = games // TOGETHER
    arms: dict[str, PlayedRun] = {}

    def value(label: str) -> float:
        return _score(arms[label], wanted[label], side).value or 0.0

    for _ in range(rounds):
        share = games // (rounds * len(left) * TOGETHER)
        shards = min(max(share, 1), unused // len(left))
        unused -= shards * len(left)
        for label in left:
            wanted[label] += shards * TOGETHER
            name = " ".join((*line, label))
            arms[label] = lab.play(name, plans[label], wanted[label])
            used[name] = arms[label], wanted[label]
        left.sort(key=value, reverse=True)
        half = ceil(len(left) / 2)
        left, dropped = left[:half], [*left[half:], *dropped]
    return [(label, arms[label], wanted[label]) for label in (*left, *dropped)]


def _score(arm: PlayedRun, games: int, side: int) -> Estimate:
    """The score of a side in the first games of a run, with its confidence sequence."""
    return confidence_sequence(*sums_of_pairs(arm.scores_of(side)[:games].reshape(-1, 2)))


def _visits(used: Mapping[str, tuple[PlayedRun, int]]) -> dict[tuple[int, str], float]:
    """By side and square: how often a piece of the side went there, per game."""
    found = Counter[tuple[int, str]]()
    for arm, games in used.values():
        found.update(_targets(arm, games))
    total = sum(games for _, games in used.values())
    return {key: number / total for key, number in sorted(found.items())}


def _targets(arm: PlayedRun, games: int) -> Iterator[tuple[int, str]]:
    """The side and the target of each action that moves a piece, in the first games of a run."""
    replay, ruleset = Replayer(arm.plan), arm.plan.ruleset
    label, option = ruleset.game.label, ruleset.record[0]
    for first, some in chunks(arm.plan, arm.folder / GAMES):
        if first >= games:
            return
        for playing, actions, states, mover in replay.positions(some[: games - first], first):
            for game, action in zip(playing.tolist(), actions.tolist(), strict=True):
                played = read(label(states[game], option, action))
                if played.kind in _MOVES:
                    yield ruleset.teams[mover[game]], str(played.target)


class FirstMoves(NamedTuple):
    """The results of a tree.

    Attributes:
        tree: the tree.
        nodes: the first actions, the best first.
        visits: by side and square: how often a piece of the side went there, per game.
        hardly_vary: whether the games hardly differ.
    """

    tree: MoveTree
    nodes: tuple[Node, ...]
    visits: dict[tuple[int, str], float]
    hardly_vary: bool = False

    @property
    def table(self) -> Table:
        """A row for each first action, the best first."""
        title = self.tree.plan.ruleset.game.title
        return Table(
            f"{title}: the value of first moves",
            ["Move", "Games", "Mover's score", "Best continuations"],
            [
                [
                    node.label,
                    str(node.games),
                    node.score_text,
                    ", ".join(f"{each.label} {each.score_text}" for each in node.answers[:2]),
                ]
                for node in self.nodes
            ],
            list(self._notes()),
            left=range(4),
        )

    def _notes(self) -> Iterator[str]:
        if self.hardly_vary:
            yield NO_VERDICT
        yield (
            f"{self.tree.plan.players[0]} plays both sides{conditions(self.tree.plan)}. The worse"
            " half of the actions is dropped repeatedly, so those that do well have more games. In"
            " parentheses: 95% confidence sequences, for each action by itself."
        )
        yield (
            "The best of many actions is chosen by its results, so its score is a little too high."
            " Run the command again with another seed to check it."
        )

    def to_dict(self) -> dict[str, Any]:
        """The plan and the whole tree, ready for JSON."""
        return {
            **self.tree.about(),
            "games": self.tree.games,
            "depth": self.tree.depth,
            "nodes": [node.to_dict() for node in self.nodes],
        }

    def to_html(self) -> str:
        """A self-contained page: the table, the tree, and heat maps of where pieces go."""
        table = self.table
        rows = "".join(f"<tr>{_cells('td', cells)}</tr>" for cells in table.rows)
        body = (
            f"<table><tr>{_cells('th', table.headings)}</tr>{rows}</table>"
            f"{_cells('p', table.notes)}<h2>Tree</h2>{_list(self.nodes)}"
            f"{''.join(self._heat_maps())}"
        )
        return _PAGE.format(title=escape(table.title), body=body)

    def _heat_maps(self) -> Iterator[str]:
        from pasgl_env.playtest.report.heat import tinted

        ruleset = self.tree.plan.ruleset
        for side, name in enumerate(sides(ruleset)):
            heat = {square: number for (own, square), number in self.visits.items() if own == side}
            if heat:
                drawing = tinted(ruleset, heat)["light"]
                yield f"<h2>Where {escape(name)} goes, per game</h2>{drawing}"


def _cells(tag: str, texts: Sequence[str]) -> str:
    return "".join(f"<{tag}>{escape(text)}</{tag}>" for text in texts)


def _list(nodes: Sequence[Node]) -> str:
    """The best nodes and their answers."""
    items = "".join(
        f"<li>{escape(node.label)}: {escape(node.score_text)} of {node.games} games"
        f"{_list(node.answers) if node.answers else ''}</li>"
        for node in nodes[:WIDTH]
    )
    return f"<ul>{items}</ul>"
