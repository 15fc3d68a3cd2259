"""What first moves are worth: games are given to those that do well, and a tree grows from them.

All legal actions begin with the same share of the games, and the worse half is dropped again and
again: sequential halving (Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed
bandits", ICML 2013), a successor of successive rejects (Audibert, Bubeck and Munos, "Best arm
identification in multi-armed bandits", COLT 2010). Then the same is done with what can follow the
best ones, for whoever is to act there: an answer, or the turn's next action. Since games stop
depending on results, intervals are confidence sequences, which hold whenever one stops.

Needs SciPy.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from math import ceil, log2
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pasgl_env import variants
from pasgl_env.evaluation.crosstable import markdown_row
from pasgl_env.evaluation.match import sides
from pasgl_env.evaluation.tournament import Progress
from pasgl_env.playtest.balance import Pace
from pasgl_env.playtest.sheets import interval_text, value_text
from pasgl_env.playtest.trials import Journal, Played, Trial, journal, play_chunk
from pasgl_env.statistics.clustered import sums_of
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.statistics.sequential import confidence_sequence

TOGETHER = 8
"""Games that an action gets at once."""
WIDTH = 3
"""Actions whose answers are looked at."""

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


@dataclass(frozen=True)
class Tree:
    """What is looked at.

    Attributes:
        trial: what is played; its line leads to the root.
        games: of the first actions together; the answers to each of the best get as many by
            ``WIDTH``.
        depth: how many actions deep the tree is.
    """

    trial: Trial
    games: int
    depth: int = 2

    @classmethod
    def of(cls, trial: Trial, games: int, depth: int = 2) -> Tree:
        """A tree that can be grown.

        Raises:
            ValueError: if chance acts at the root, or for too few games or no depth.
        """
        root = trial.start
        if root.is_over or root.is_chance:
            what = "the game is over" if root.is_over else "chance acts"
            raise ValueError(f"{what} there: give a position in which a player acts")
        if depth < 1:
            raise ValueError(f"a tree is 1 action deep or more, not {depth}")
        actions = len(root.legal_actions())
        if games < TOGETHER * actions:
            raise ValueError(
                f"{actions} actions need {TOGETHER * actions} games or more, not {games}"
            )
        return cls(replace(trial, chunk=TOGETHER), games, depth)


class Node(NamedTuple):
    """An action.

    Attributes:
        label: its text.
        games: how many were played after it.
        score: of the side that acts, with its confidence sequence.
        answers: the best ones first; empty where the tree ends.
    """

    label: str
    games: int
    score: Estimate
    answers: tuple[Node, ...]


class FirstMoves(NamedTuple):
    """What came of it.

    Attributes:
        tree: what was looked at.
        nodes: the first actions, the best first.
        visits: by side and square: how often an action ended there, per game.
    """

    tree: Tree
    nodes: tuple[Node, ...]
    visits: dict[tuple[int, str], float]

    @property
    def title(self) -> str:
        """What was asked."""
        return f"{variants.find(self.tree.trial.variant).title}: what first moves are worth"

    @property
    def headings(self) -> list[str]:
        """Of the table's columns."""
        return ["Move", "Games", "Score of who plays it", "What follows best"]

    def rows(self) -> Iterator[list[str]]:
        """The table, a row for each first action, the best first."""
        for node in self.nodes:
            answers = ", ".join(f"{each.label} {_share(each.score)}" for each in node.answers[:2])
            yield [node.label, str(node.games), _share(node.score), answers]

    def notes(self) -> Iterator[str]:
        """What a reader must know of the table, in sentences."""
        trial = self.tree.trial
        opening = f"{trial.opening_turns} turns by {trial.opening_player}"
        yield (
            f"{trial.player} plays on for both sides, seed {trial.seed}"
            + (f", after {opening}" if trial.opening_turns else "")
            + ". The worse half of the actions is dropped again and again, so those that do well"
            " have more games. In parentheses: 95% confidence sequences, of each action by itself."
        )
        yield (
            "The best of many is found by its results, so its score flatters it a little; play it"
            " again with another seed to know."
        )

    def to_markdown(self) -> str:
        """The table, with its title above and notes below."""
        lines = [
            f"**{self.title}**",
            "",
            markdown_row(self.headings),
            markdown_row(["---"] * len(self.headings)),
            *map(markdown_row, self.rows()),
        ]
        return "\n".join([*lines, *(f"\n{each}" for each in self.notes())]) + "\n"

    def to_json(self) -> bytes:
        """The content of a file for other programs."""
        content = {
            **self.tree.trial.to_dict(),
            "games": self.tree.games,
            "depth": self.tree.depth,
            "nodes": [_node_dict(node) for node in self.nodes],
        }
        return (json.dumps(content, indent=1, allow_nan=False) + "\n").encode()

    def to_html(self) -> str:
        """A page that needs nothing else: the table, the tree, and where pieces go."""
        head = "".join(f"<th>{escape(each)}</th>" for each in self.headings)
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
            for row in self.rows()
        )
        notes = "".join(f"<p>{escape(each)}</p>" for each in self.notes())
        body = (
            f"<table><tr>{head}</tr>{rows}</table>{notes}"
            f"<h2>Tree</h2>{_list(self.nodes[:WIDTH])}{''.join(self._heat_maps())}"
        )
        return _PAGE.format(title=escape(self.title), body=body)

    def _heat_maps(self) -> Iterator[str]:
        from pasgl_env.playtest.report.heat import tinted

        trial = self.tree.trial
        for side, name in enumerate(sides(trial.variant, trial.options)):
            heat = {square: number for (own, square), number in self.visits.items() if own == side}
            if heat:
                drawing = tinted(trial.variant, trial.options, heat)["light"]
                yield f"<h2>Where {escape(name)} goes, per game</h2>{drawing}"


def grow(
    tree: Tree,
    folder: Path,
    *,
    command: Sequence[str] = (),
    report: Callable[[Progress], None] = lambda progress: None,
) -> FirstMoves:
    """Play the games of a tree, or go on with one that was begun in a folder.

    Args:
        tree: what is looked at.
        folder: where games are kept.
        command: what was asked for, for people.
        report: called whenever games have ended.

    Raises:
        BadRun: if the folder holds something else, or damaged files.
        InUse: if another process is at work there.
        OSError: if something cannot be written; what was kept before is safe.
    """
    about = {**tree.trial.to_dict(), "line": list(tree.trial.line)}
    with journal(folder, "first moves", about, command) as kept:
        pace = Pace(tree.games * tree.depth, report)
        nodes = _ranked(tree.trial, tree.games, tree.depth, kept, pace)
        chunks = [chunk for arm in kept.arms() for chunk in kept.chunks(arm)]
        return FirstMoves(tree, tuple(nodes), Played(chunks).visits())


def _ranked(trial: Trial, games: int, depth: int, kept: Journal, pace: Pace) -> list[Node]:
    """The actions at the end of a trial's line, the best first, with answers to the best."""
    root = trial.start
    if root.is_over or root.is_chance or depth == 0:
        return []
    team = root.teams[root.to_move or 0]
    labels = [root.label(action) for action in root.legal_actions()]
    nodes = []
    for place, (label, chunks) in enumerate(_halve(trial, labels, team, games, kept, pace)):
        after = replace(trial, line=(*trial.line, label))
        answers: list[Node] = []
        if place < WIDTH and depth > 1:
            answers = _ranked(after, games // WIDTH, depth - 1, kept, pace)
        played = Played(kept.chunks(_arm(after))[:chunks])
        nodes.append(Node(label, played.games, _score(played, team), tuple(answers)))
    return nodes


def _halve(
    trial: Trial, labels: list[str], team: int, games: int, kept: Journal, pace: Pace
) -> list[tuple[str, int]]:
    """Sequential halving: the labels, the best first, and how many chunks each was given."""
    rounds = max(ceil(log2(len(labels))), 1)
    left, dropped = list(labels), list[str]()
    wanted = dict.fromkeys(labels, 0)
    for _ in range(rounds):
        each = max(games // (rounds * len(left) * TOGETHER), 1)
        for label in left:
            wanted[label] += each
            _play(replace(trial, line=(*trial.line, label)), wanted[label], kept, pace)

        def value(label: str) -> float:
            after = replace(trial, line=(*trial.line, label))
            return _score(Played(kept.chunks(_arm(after))[: wanted[label]]), team).value or 0.0

        left.sort(key=value, reverse=True)
        half = ceil(len(left) / 2)
        left, dropped = left[:half], [*left[half:], *dropped]
    return [(label, wanted[label]) for label in (*left, *dropped)]


def _play(trial: Trial, chunks: int, kept: Journal, pace: Pace) -> None:
    while len(kept.chunks(_arm(trial))) < chunks:
        number = len(kept.chunks(_arm(trial)))
        kept.add(_arm(trial), play_chunk(trial, number, visits=True))
        pace.played(TOGETHER)


def _arm(trial: Trial) -> str:
    return " ".join(trial.line)


def _score(played: Played, team: int) -> Estimate:
    """The score of a team, with its confidence sequence."""
    counted = played.scores_of(team).reshape(-1, 2).sum(axis=1)
    games = np.full(counted.size, 2.0)
    return confidence_sequence(sums_of(counted, games), sums_of(games, games))


def _share(estimate: Estimate) -> str:
    between = interval_text(estimate, True)
    return value_text(estimate, True) + f" ({between})" * bool(between)


def _node_dict(node: Node) -> dict[str, Any]:
    return {
        "label": node.label,
        "games": node.games,
        "score": node.score.__dict__,
        "answers": [_node_dict(each) for each in node.answers],
    }


def _list(nodes: Sequence[Node]) -> str:
    items = "".join(
        f"<li>{escape(node.label)}: {escape(_share(node.score))} of {node.games} games"
        f"{_list(node.answers[:WIDTH]) if node.answers else ''}</li>"
        for node in nodes
    )
    return f"<ul>{items}</ul>"
