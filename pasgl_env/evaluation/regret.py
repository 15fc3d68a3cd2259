"""How far players are from perfect play, in positions whose values are known exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from pasgl_env import players
from pasgl_env.engine.batch import Batch
from pasgl_env.evaluation.table import Table
from pasgl_env.players.potential import potential
from pasgl_env.players.values.calibration import RAW, calibrated, calibration_of
from pasgl_env.solving.iteration import SAME
from pasgl_env.solving.table import ValueTable
from pasgl_env.statistics.estimates import Estimate, mean, proportion
from pasgl_env.statistics.texts import estimate_text, value_text

_FARTHER = 5
"""Positions with more turns until the end are counted together."""
_AT_ONCE = 256


class Decisions(NamedTuple):
    """Positions of a table in which actions differ in value.

    Attributes:
        states: records ``[k]``.
        losses: ``float64[k, A]``: how much the expected result of the player to act falls by each
            legal action, from 0 to 2; not a number for others.
        turns: ``int32[k]``: turns until the end under best play, -1 if nobody can force a win.
    """

    states: np.ndarray
    losses: np.ndarray
    turns: np.ndarray


class Regret(NamedTuple):
    """How far a player is from perfect play.

    Attributes:
        name: the player's.
        losses: ``float64[k]``: what each of its decisions lost.
        turns: ``int32[k]``, as :attr:`Decisions.turns`.
        errors: ``float64[k]``: how far its values of the positions are from the exact ones, from 0
            to 2; not a number if it has none.
    """

    name: str
    losses: np.ndarray
    turns: np.ndarray
    errors: np.ndarray

    @property
    def mean(self) -> Estimate:
        """The mean loss of a decision, from 0 to 2."""
        return mean(self.losses)

    def optimal(self, chosen: np.ndarray | slice = slice(None)) -> Estimate:
        """The share of decisions, or of some of them, that lost nothing."""
        losses = self.losses[chosen]
        return proportion(int((losses <= SAME).sum()), losses.size)


def decisions(table: ValueTable, most: int, seed: int = 0) -> Decisions:
    """Draw positions of a table in which the choice of an action matters.

    Args:
        table: of exact values.
        most: their number, unless the table has fewer.
        seed: seed of the draw, in which all such positions are equally likely.

    Raises:
        ValueError: if the choice matters in none of the positions drawn.
    """
    states, losses, turns = list[np.ndarray](), list[np.ndarray](), list[int | None]()
    draw = np.random.default_rng(seed)
    for number in draw.permutation(len(table)).tolist():
        if len(states) == most:
            break
        position = table.position(number)
        if position.is_over or position.is_chance:
            continue
        lost = _losses(table, position.state, position.to_move or 0)
        if np.nanmax(lost) > SAME:
            states.append(position.state)
            losses.append(lost)
            turns.append(table.exact(number).turns)
    if not states:
        raise ValueError("in no position of the table does it matter which action is chosen")
    lengths = np.array([-1 if each is None else each for each in turns], np.int32)
    return Decisions(np.concatenate(states), np.array(losses), lengths)


def _losses(table: ValueTable, state: np.ndarray, player: int) -> np.ndarray:
    """What each action in a state loses for the player to act."""
    found, _ = table.follow(state)
    sign = 1 if table.ruleset.teams[player] == 0 else -1
    values = np.where(found >= 0, sign * table.values[found].astype(np.float64), np.nan)
    return np.nanmax(values) - values


def regret(
    table: ValueTable,
    player: str,
    given: Decisions,
    seed: int = 0,
    report: Callable[[int], object] = lambda done: None,
) -> Regret:
    """Let a player decide in some positions, and look up what its actions lose.

    Args:
        table: of exact values.
        player: a player's name, as for :func:`pasgl_env.players.make`.
        given: from :func:`decisions`.
        seed: seed of the player's generators.
        report: called with the number of decisions made.

    Raises:
        ValueError: if there is no such player.
    """
    made = players.make(player, table.ruleset.name, seed=seed)
    lost, errors = [], []
    for first in range(0, given.turns.size, _AT_ONCE):
        states = given.states[first : first + _AT_ONCE]
        batch = Batch(table.ruleset.changed(turn_limit=0), states.size, seed=seed)
        batch.states = states
        actions = players.choose(made, batch, np.arange(states.size))
        lost.append(given.losses[np.arange(first, first + states.size), actions])
        signs = np.where(batch.teams[batch.to_move] == 0, 1, -1)
        exact = signs * table.values[table.find(states)].astype(np.float64)
        errors.append(np.abs(exact - _values(made, batch, actions)))
        report(first + states.size)
    return Regret(player, np.concatenate(lost), given.turns, np.concatenate(errors))


def _values(player: players.Player, batch: Batch, actions: np.ndarray) -> np.ndarray:
    """What a player thinks of the positions in which it has chosen: calibrated, if it learned."""
    kind, known = player.name.partition(":")[0], calibration_of(batch.ruleset)
    if isinstance(player, players.GreedyPlayer):
        return potential(batch, batch.to_move)
    if kind == "td" and "values=" not in player.name:  # it plays by the values one action ahead
        player = players.TreeSearchPlayer(batch.ruleset.game, 0, simulations=1)
        actions = players.choose(player, batch, np.arange(actions.size))
    if not isinstance(player, players.TreePlayer):
        return np.full(actions.size, np.nan)
    curve = {"td": known.td, "search": known.search}.get(kind, RAW)
    values = player.action_values[np.arange(actions.size), actions]
    return np.array([calibrated(value, curve) for value in values.tolist()])


def regret_table(found: Iterable[Regret]) -> Table:
    """The players' regrets, and their shares of optimal actions by distance from the end."""
    rows, kinds = [], dict[str, np.ndarray]()
    for each in found:
        kinds = _by_distance(each.turns)
        shares = [value_text(each.optimal(chosen), True) for chosen in kinds.values()]
        figures = estimate_text(each.mean, False), estimate_text(each.optimal(), True)
        known = ~np.isnan(each.errors)
        error = value_text(mean(each.errors[known]), False) if known.any() else "–"
        rows.append([each.name, *figures, error, *shares])
    return Table(
        "Decisions against exact values",
        ["Player", "Regret", "Optimal", "Error", *kinds],
        rows,
        [
            "Regret: the expected result that a decision loses, from 0 to 2."
            " Optimal: decisions that lose nothing; on the right, those 1, 2 ... turns before a"
            " forced win. Error: how far the player's values of these positions are from the exact"
            " ones, from 0 to 2, on average."
        ],
        left=[0],
    )


def _by_distance(turns: np.ndarray) -> dict[str, np.ndarray]:
    """Headings, and which positions have that many turns until the end."""
    parts = {f"{number}": turns == number for number in range(1, _FARTHER + 1)}
    parts[f"over {_FARTHER}"] = turns > _FARTHER
    parts["none"] = (turns < 0) & (turns >= 0).any()
    return {heading: chosen for heading, chosen in parts.items() if chosen.any()}
