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
from itertools import chain
from math import ceil, log2
from typing import Any, NamedTuple

from pasgl_env.contract.description import describe
from pasgl_env.engine.position import Position
from pasgl_env.evaluation.match import hardly_vary, sides
from pasgl_env.evaluation.table import Table
from pasgl_env.playtest.folder import GAMES
from pasgl_env.playtest.lab import NO_VERDICT, Lab, PlayedRun, Question, conditions
from pasgl_env.playtest.lines import result_for
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.positions import Replayer, chunks
from pasgl_env.statistics.clustered import sums_of_pairs
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.statistics.sequential import confidence_sequence, per_pair
from pasgl_env.statistics.texts import estimate_text

TOGETHER = 8
"""Games that an action gets at once, or the next number of whole groups."""
WIDTH = 3
"""Number of actions whose answers are explored."""

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
        least = self.plan.whole_groups(TOGETHER) * actions
        if self.games < least:
            raise ValueError(f"{actions} actions need {least} games or more, not {self.games}")
        object.__setattr__(
            self, "plan", replace(self.plan, shard_games=self.plan.whole_groups(TOGETHER))
        )

    def answer(self, lab: Lab) -> FirstMoves:
        """Grow the tree."""
        lab.expect(self.games * self.depth)
        explorer = _Explorer(lab)
        nodes = explorer.ranked(self.plan, (), self.games, self.depth)
        arms = [each.arm for each in explorer.explored.values()]
        distinct = sum(arm.totals.counts.distinct for arm in arms)
        is_dull = hardly_vary(distinct, sum(arm.games for arm in arms))
        return FirstMoves(self, tuple(nodes), explorer.visits(), is_dull)


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


class Explored(NamedTuple):
    """The first games of a run, which may hold more.

    Attributes:
        arm: the run.
        games: their number.
    """

    arm: PlayedRun
    games: int

    def score(self, side: int) -> Estimate:
        """The score of a side, with its confidence sequence."""
        scores = self.arm.scores_of(side)[: self.games]
        sides = self.arm.plan.sides
        sums = sums_of_pairs(scores.reshape(-1, sides))
        return confidence_sequence(*(per_pair(each, sides) for each in sums))

    def targets(self) -> Iterator[tuple[int, str]]:
        """The side and the target of each action that brings one of its pieces there."""
        plan = self.arm.plan
        replay, ruleset = Replayer(plan), plan.ruleset
        option = ruleset.record[0]
        for first, some in chunks(plan, self.arm.folder / GAMES):
            if first >= self.games:
                return
            some = some[: self.games - first]
            for playing, actions, states, mover in replay.positions(some, first):
                for game, action in zip(playing.tolist(), actions.tolist(), strict=True):
                    (played,) = describe(ruleset.game, states[game], option, [action])
                    seat = int(mover[game])
                    if played.piece and played.arrives and played.piece.seat in (seat, None):
                        yield ruleset.teams[seat], played.target


class _Explorer:
    """Ranks actions by the games after them.

    Attributes:
        explored: the games after each line of actions.
    """

    def __init__(self, lab: Lab) -> None:
        self._lab = lab
        self.explored: dict[str, Explored] = {}

    def ranked(self, plan: Plan, line: tuple[str, ...], games: int, depth: int) -> list[Node]:
        """The actions at the root of a plan, the best first, with answers to the best.

        Args:
            plan: of games that begin at the end of ``line``.
            line: the labels from the root of the tree.
            games: of all actions together.
            depth: in actions.
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
        if games < plan.shard * len(plans):
            self._lab.tell(
                f"{' '.join(line)}: {games} games are too few for {len(plans)} continuations"
            )
            return []
        best = self._halved(plans, line, side, games) if plans else {}
        for rank, (label, found) in enumerate(best.items()):
            answers: list[Node] = []
            if rank < WIDTH:
                answers = self.ranked(plans[label], (*line, label), games // WIDTH, depth - 1)
            nodes.append(Node(label, found.games, found.score(side), tuple(answers)))
        return sorted(nodes, key=_ending)

    def _halved(
        self, plans: Mapping[str, Plan], line: tuple[str, ...], side: int, games: int
    ) -> dict[str, Explored]:
        """The games after each action, the best action first, by sequential halving."""
        rounds = max(ceil(log2(len(plans))), 1)
        left, dropped = list(plans), list[str]()
        together = next(iter(plans.values())).shard
        unused = games // together
        found: dict[str, Explored] = {}

        def value(label: str) -> float:
            return found[label].score(side).value or 0.0

        for _ in range(rounds):
            share = games // (rounds * len(left) * together)
            shards = min(max(share, 1), unused // len(left))
            unused -= shards * len(left)
            for label in left:
                name, known = " ".join((*line, label)), found.get(label)
                wanted = (known.games if known else 0) + shards * together
                found[label] = Explored(self._lab.play(name, plans[label], wanted), wanted)
                self.explored[name] = found[label]
            left.sort(key=value, reverse=True)
            half = ceil(len(left) / 2)
            left, dropped = left[:half], [*left[half:], *dropped]
        return {label: found[label] for label in (*left, *dropped)}

    def visits(self) -> dict[tuple[int, str], float]:
        """By side and square: how often a piece of the side went there, per game."""
        visits = Counter(chain.from_iterable(each.targets() for each in self.explored.values()))
        games = sum(each.games for each in self.explored.values())
        return {key: number / games for key, number in sorted(visits.items())}


def _ending(node: Node) -> float:
    """Sorts actions that win at once before others, and those that do not win after them."""
    return 0.0 if node.games else 0.5 - (node.score.value or 0.0)


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
            left=(0, 3),
        )

    def _notes(self) -> Iterator[str]:
        if self.hardly_vary:
            yield NO_VERDICT
        yield (
            f"{self.tree.plan.shown_players[0]} plays all sides{conditions(self.tree.plan)}."
            " The worse half of the actions is dropped repeatedly, so those that do well have more"
            " games. In parentheses: 95% confidence sequences, for each action by itself."
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
