"""What first moves are worth: those that do well get more games, and a tree grows from them.

All legal actions begin with the same share of the games, and the worse half is dropped again and
again: sequential halving (Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed
bandits", ICML 2013), a successor of successive rejects (Audibert, Bubeck and Munos, "Best arm
identification in multi-armed bandits", COLT 2010). The same is then done with what can follow the
best ones, for whoever acts there: an answer, or the turn's next action. Since the number of games
depends on results, intervals are confidence sequences, which hold whenever one stops.

Needs SciPy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from math import ceil, log2
from typing import Any, NamedTuple

from pasgl_env import Position, variants
from pasgl_env.evaluation.markdown import Table
from pasgl_env.evaluation.match import sides
from pasgl_env.playtest.experiment import Experiment, Journal
from pasgl_env.playtest.trials import NO_VERDICT, Played, Trial
from pasgl_env.statistics.clustered import sums_of_pairs
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.statistics.sequential import confidence_sequence
from pasgl_env.statistics.texts import estimate_text

TOGETHER = 8
"""How many games an action gets at once."""
WIDTH = 3
"""How many actions are looked beyond."""

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
        games: how many were played after it.
        score: of the side that acts, with its confidence sequence.
        answers: what may follow, the best first; empty where the tree ends.
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
class Tree(Experiment["FirstMoves"]):
    """First moves to be explored.

    Attributes:
        trial: its line leads to the root.
        games: of the first actions together, at most; what follows each of the best gets this by
            ``WIDTH``, and is left out if that is too few.
        depth: how many actions deep the tree is.

    Raises:
        ValueError: if chance acts at the root, or for too few games or no depth.
    """

    kind = "first moves"

    depth: int = 2

    def __post_init__(self) -> None:
        root = self.trial.start
        if what := _obstacle(root):
            raise ValueError(f"{what} there: give a position in which a player acts")
        if self.depth < 1:
            raise ValueError(f"a tree is 1 action deep or more, not {self.depth}")
        actions = len(root.legal_actions())
        least = TOGETHER * actions
        if self.games < least:
            raise ValueError(f"{actions} actions need {least} games or more, not {self.games}")
        object.__setattr__(self, "trial", replace(self.trial, chunk=TOGETHER))

    def play(self, journal: Journal) -> FirstMoves:
        """Grow the tree."""
        journal.expect(self.games * self.depth)
        nodes = _ranked(self.trial, self.games, self.depth, journal)
        played = journal.played()
        return FirstMoves(self, tuple(nodes), played.visits(), played.hardly_vary)


def _obstacle(root: Position) -> str | None:
    """Why nobody acts at a position; None if a player does."""
    if root.is_over:
        return "the game is over"
    if root.is_truncated:
        return "the game is cut off"
    return "chance acts" if root.is_chance else None


def _ranked(trial: Trial, games: int, depth: int, journal: Journal) -> list[Node]:
    """The actions at the end of a trial's line, the best first, with answers to the best."""
    root = trial.start
    if _obstacle(root) or depth == 0:
        return []
    team = root.teams[root.to_move or 0]
    lines = [(*trial.line, root.label(action)) for action in root.legal_actions()]
    if games < TOGETHER * len(lines):
        place = " ".join(trial.line)
        journal.tell(f"{place}: {games} games are too few for {len(lines)} continuations")
        return []
    nodes: list[Node] = []
    for line, played in _halve([replace(trial, line=each) for each in lines], team, games, journal):
        answers: list[Node] = []
        if len(nodes) < WIDTH:
            answers = _ranked(replace(trial, line=line), games // WIDTH, depth - 1, journal)
        nodes.append(Node(line[-1], played.games, _score(played, team), tuple(answers)))
    return nodes


def _halve(
    trials: Sequence[Trial], team: int, games: int, journal: Journal
) -> list[tuple[tuple[str, ...], Played]]:
    """Sequential halving: the lines of the trials, the best first, and the games each was given."""
    rounds = max(ceil(log2(len(trials))), 1)
    left, dropped = list(trials), list[Trial]()
    wanted = dict.fromkeys((trial.line for trial in trials), 0)
    unused = games // TOGETHER
    played: dict[tuple[str, ...], Played] = {}

    def value(trial: Trial) -> float:
        return _score(played[trial.line], team).value or 0.0

    for _ in range(rounds):
        share = games // (rounds * len(left) * TOGETHER)
        chunks = min(max(share, 1), unused // len(left))
        unused -= chunks * len(left)
        for trial in left:
            wanted[trial.line] += chunks * TOGETHER
            arm = " ".join(trial.line)
            played[trial.line] = journal.play(arm, trial, wanted[trial.line], visits=True)
        left.sort(key=value, reverse=True)
        half = ceil(len(left) / 2)
        left, dropped = left[:half], [*left[half:], *dropped]
    return [(trial.line, played[trial.line]) for trial in (*left, *dropped)]


def _score(played: Played, team: int) -> Estimate:
    """The score of a team, with its confidence sequence."""
    return confidence_sequence(*sums_of_pairs(played.scores_of(team).reshape(-1, 2)))


class FirstMoves(NamedTuple):
    """What a tree came to.

    Attributes:
        tree: what was explored.
        nodes: the first actions, the best first.
        visits: by side and square: how often a piece of the side went there, per game.
        hardly_vary: whether the games hardly differ.
    """

    tree: Tree
    nodes: tuple[Node, ...]
    visits: dict[tuple[int, str], float]
    hardly_vary: bool = False

    @property
    def table(self) -> Table:
        """A row for each first action, the best first."""
        title = variants.find(self.tree.trial.variant).title
        return Table(
            f"{title}: what first moves are worth",
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
            rule="---",
        )

    def _notes(self) -> Iterator[str]:
        trial = self.tree.trial
        if self.hardly_vary:
            yield NO_VERDICT
        opening = f", after {trial.opening}" if trial.opening_turns else ""
        yield (
            f"{trial.player} plays on for both sides, seed {trial.seed}{opening}. The worse half of"
            " the actions is dropped again and again, so those that do well have more games. In"
            " parentheses: 95% confidence sequences, for each action by itself."
        )
        yield (
            "The best of many actions is chosen by its results, so its score is a little too high."
            " Run the command again with another seed to check it."
        )

    def to_dict(self) -> dict[str, Any]:
        """The trial and the whole tree, ready for JSON."""
        return {
            **self.tree.about(),
            "games": self.tree.games,
            "depth": self.tree.depth,
            "nodes": [node.to_dict() for node in self.nodes],
        }

    def to_html(self) -> str:
        """A page by itself: the table, the tree, and where pieces go."""
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

        trial = self.tree.trial
        ruleset = variants.ruleset(trial.variant, **trial.options)
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
