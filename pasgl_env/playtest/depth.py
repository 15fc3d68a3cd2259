"""How deep a game is: how many levels of play it has, and how much of its results is luck.

A *level* is a player that scores 60% or more against that of the level before. Longer chains leave
more to learn (the skill chains of Lantz, Isaksen, Jaffe, Nealen and Togelius, "Depth in strategic
games", AAAI workshop What's Next for AI in Games, 2017; the levels of Ai Ai). The players are tried
in the order of their effort; each chain is at least as long as these players show.

In a pair of games with the same dice and swapped players, a result that repeats for the side is due
to the dice, the opening and the side, one that repeats for the player is due to the player. From
the covariance of the two games follows each one's share of the variance of results. Goodman,
Perez-Liebana and Lucas, "Seeding for success: skill and stochasticity in tabletop games" (2025),
tell luck from skill by games with the same random seeds, too.

Needs SciPy.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.evaluation.table import Table
from pasgl_env.playtest.lab import Lab, PlayedRun, Question, conditions
from pasgl_env.playtest.pick import Pick
from pasgl_env.playtest.play import Plan, knows_rules
from pasgl_env.playtest.stopping import StoppingDecision, StoppingRule
from pasgl_env.statistics.bootstrap import RESAMPLES
from pasgl_env.statistics.estimates import CONFIDENCE, Estimate
from pasgl_env.statistics.texts import estimate_text
from pasgl_env.wording import counted

BETTER = 0.6
"""The score against the level before from which on a player is a level of its own."""
LEARNED = ("random", "greedy", "td", "search:10", "search:25", "search:50", "search:100")
UNLEARNED = ("random", "greedy", "mcts:25", "mcts:50", "mcts:100", "mcts:200", "mcts:400")
LEAST_PAIRS = 20
"""Fewer pairs of games show nothing about luck."""


def usual_players(ruleset: Ruleset) -> tuple[str, ...]:
    """The players to try: with learned values if there are any for the rules."""
    return LEARNED if knows_rules("td", ruleset) else UNLEARNED


class TriedLevel(NamedTuple):
    """A player against that of the highest level so far.

    Attributes:
        level: the player of that level.
        player: the other one.
        run: their games; those of ``player`` are the first player's.
        decision: whether its score is above :data:`BETTER`.
    """

    level: str
    player: str
    run: PlayedRun
    decision: StoppingDecision

    @property
    def is_level(self) -> bool:
        """Whether it is the next level."""
        return self.decision.verdict == "above"


class Shares(NamedTuple):
    """Shares of the variance of results.

    Attributes:
        luck: due to what the games of a pair have in common: dice, opening and side.
        skill: due to who of two neighbouring levels plays.
    """

    luck: Estimate
    skill: Estimate


@dataclass(frozen=True)
class Depth(Question["Levels"]):
    """Players that are tried as the next level.

    Attributes:
        players: in the order of their effort; those of the plan are ignored.

    Raises:
        ValueError: for an unknown player, a repeated one, fewer than two, an odd number of games,
            or a game of more than two sides.
    """

    kind = "depth"

    players: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.players) < 2 or len(set(self.players)) < len(self.players):
            given = ", ".join(self.players)
            raise ValueError(f"levels are of two different players or more, not {given}")
        self.plan.ruleset.check_two_sides("levels of play are of")
        self.plan.check_games(self.games)
        for name in self.players[1:]:
            self._plan_of(name, self.players[0])

    @property
    def rule(self) -> StoppingRule:
        """Stops the games of two players when one is known to be a level above the other."""
        return StoppingRule(Pick("first_player_score", ()), BETTER, BETTER)

    def about(self) -> dict[str, Any]:
        return {**super().about(), "players": []}

    def answer(self, lab: Lab) -> Levels:
        """Try one player after the other; the next level is the first that is better."""
        lab.expect(self.games * (len(self.players) - 1))
        level, steps = self.players[0], []
        for name in self.players[1:]:
            plan = self._plan_of(name, level)
            run = lab.play(f"{name} - {level}", plan, self.games, until=self.rule)
            step = TriedLevel(level, name, run, self.rule.decision(plan, run.totals.counts))
            steps.append(step)
            verdict = step.decision.verdict or "undecided"
            lab.tell(f"{name} against {level}: {run.games} games, {verdict}")
            level = name if step.is_level else level
        return Levels(self, tuple(steps))

    def _plan_of(self, name: str, level: str) -> Plan:
        return self.plan.changed(players=(name, level))


class Levels(NamedTuple):
    """The levels that were found.

    Attributes:
        depth: the question.
        steps: the players that were tried, in order.
    """

    depth: Depth
    steps: tuple[TriedLevel, ...]

    @property
    def chain(self) -> tuple[str, ...]:
        """The players of the levels, the lowest first."""
        return (self.depth.players[0], *(step.player for step in self.steps if step.is_level))

    def shares(self) -> Shares:
        """The shares of luck and of skill between neighbouring levels."""
        every = [pairs_of(step.run) for step in self.steps if step.is_level]
        known = [pairs for pairs in every if len(pairs) >= LEAST_PAIRS]
        return shares_of(known) if known else Shares(Estimate(None), Estimate(None))

    @property
    def table(self) -> Table:
        """A row for each player that was tried."""
        rows = [["1", self.depth.players[0], "", "", ""]]
        for number, step in enumerate(self.steps):
            level = 1 + sum(each.is_level for each in self.steps[: number + 1])
            rows.append(
                [
                    str(level) if step.is_level else "",
                    step.run.plan.shown_players[0],
                    step.level,
                    estimate_text(step.decision.estimate, True),
                    f"{step.run.games:,}",
                ]
            )
        title = self.depth.plan.ruleset.game.title
        headings = ["Level", "Player", "Against", "Score", "Games"]
        return Table(
            f"{title}: {counted(len(self.chain), 'level')} of play",
            headings,
            rows,
            list(self._notes()),
            left=[0, 1, 2],
        )

    def _notes(self) -> Iterator[str]:
        yield (
            f"A player is a level if it is known to score {BETTER:.0%} or more against the level"
            f" before, after {self.depth.games:,} games at most{conditions(self.depth.plan)}. In"
            " parentheses: 95% confidence sequences. Stronger players may add levels."
        )
        luck, skill = self.shares()
        if luck.value is None or skill.value is None:
            yield f"Luck needs {LEAST_PAIRS} pairs of games of two levels: there are fewer."
            return
        has_dice = self.depth.plan.ruleset.game.chance.outcomes > 0
        yield (
            f"Between neighbouring levels {estimate_text(luck, True)} of the variance of results is"
            f" due to {'the dice' if has_dice else 'the opening'} and the side,"
            f" {estimate_text(skill, True)} to the better player; the rest does not repeat with the"
            f" same {'dice' if has_dice else 'opening'} and swapped players."
        )

    def to_dict(self) -> dict[str, Any]:
        """Values for JSON; None where there is none."""
        return {
            **self.depth.about(),
            "players": list(self.depth.players),
            "levels": list(self.chain),
            "steps": [
                {
                    "player": step.player,
                    "against": step.level,
                    "is_level": step.is_level,
                    **step.decision.to_dict(),
                    "score": step.decision.estimate.__dict__,
                    "games": step.run.games,
                }
                for step in self.steps
            ],
            **{name: each.__dict__ for name, each in self.shares()._asdict().items()},
        }


def pairs_of(run: PlayedRun) -> np.ndarray:
    """``float64[pairs, 2]``: the score of side 0 in each game of a pair."""
    scores = run.scores_of(0)
    return scores[: scores.size // 2 * 2].reshape(-1, 2)


def shares_of(steps: list[np.ndarray]) -> Shares:
    """The shares of the variance of results, with bootstrap intervals over pairs of each step."""
    random = np.random.default_rng(0)
    drawn, measured = np.zeros((RESAMPLES, 3)), np.zeros(3)
    for pairs in steps:
        drawn += _parts(pairs[random.integers(len(pairs), size=(RESAMPLES, len(pairs)))])
        measured += _parts(pairs)
    ends = (1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2
    found = []
    for part in (0, 1):
        if not measured[2]:
            return Shares(Estimate(None), Estimate(None))
        shares = np.clip(drawn[:, part] / np.maximum(drawn[:, 2], 1e-12), 0.0, 1.0)
        value = float(np.clip(measured[part] / measured[2], 0.0, 1.0))
        found.append(Estimate(value, *np.quantile(shares, ends).tolist()))
    return Shares(*found)


def _parts(pairs: np.ndarray) -> np.ndarray:
    """``float64[..., 3]``: variance by luck, by skill, and all of it, times the pairs."""
    one, other = pairs[..., 0], pairs[..., 1]
    number = pairs.shape[-2]
    apart_one, apart_other = (
        one - one.mean(-1, keepdims=True),
        other - other.mean(-1, keepdims=True),
    )
    freedom = max(number - 1, 1)
    luck = (apart_one * apart_other).sum(-1) / freedom
    within = ((apart_one**2).sum(-1) + (apart_other**2).sum(-1)) / (2 * freedom)
    skill = ((one.mean(-1) - other.mean(-1)) / 2) ** 2
    return number * np.stack([luck, skill, within + skill], axis=-1)
