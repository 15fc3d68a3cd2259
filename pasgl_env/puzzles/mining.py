"""Finding puzzles: by exact values, or by a search that agrees with ten times the effort."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pasgl_env import players
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.position import Position
from pasgl_env.players import TreeSearchPlayer
from pasgl_env.players.exact import choices_at
from pasgl_env.puzzles import RATERS, Proof, Puzzle
from pasgl_env.solving import CERTAIN, ValueTable

WINS = 0.8
"""The least value, from -1 to 1, of an action that wins."""
REST = 0.2
"""The greatest value of all others."""
FEWEST_CHOICES = 3
"""Legal actions in the position of a puzzle, at least."""
SIMULATIONS = 100
"""Simulations of the search; it must find the same with ten times as many."""
EFFORT = 10
AT_ONCE = 64
PLAYER = "td:temperature=0.1"
"""Plays the games: it misses wins now and then, and leaves some to its opponent."""
LAST_TURNS = 4
"""The last turns of a winner, in which most puzzles are."""


def mined(ruleset: Ruleset, states: np.ndarray, table: ValueTable | None = None) -> list[Puzzle]:
    """The puzzles among positions, records ``[k]``, by a table of exact values or a search."""
    positions = {
        position.text: Position.from_text(ruleset, position.text)
        for position in (Position.from_state(ruleset, state) for state in states.reshape(-1, 1))
        if len(position.legal_actions()) >= FEWEST_CHOICES
    }
    starts = list(positions.values())
    found = [
        (start.text, tuple(solution))
        for start, solution in zip(starts, _solved(starts, table), strict=True)
        if solution
    ]
    fails = np.zeros(len(found), np.int64)
    for name in RATERS if found else ():
        fails += [not each for each in _solves(name, ruleset, found)]
    proof = Proof.SEARCH if table is None else Proof.TABLE
    return [
        Puzzle(ruleset.name, text, solution, failed, proof)
        for (text, solution), failed in zip(found, fails.tolist(), strict=True)
    ]


def _solved(starts: list[Position], table: ValueTable | None) -> list[list[str]]:
    """The solution in each position; [] where not exactly one action wins."""
    solutions = [list[str]() for _ in starts]
    open_ = {number: start.copy() for number, start in enumerate(starts)}
    while open_:
        best = only_winning(list(open_.values()), table)
        for number, action in zip(list(open_), best.tolist(), strict=True):
            position = open_[number]
            if action < 0:
                del open_[number]
                continue
            player, turn = position.to_move, position.turns
            solutions[number].append(position.label(action))
            position.play_action(action)
            if position.to_move != player or position.turns != turn:
                del open_[number]
    return solutions


def only_winning(positions: list[Position], table: ValueTable | None = None) -> np.ndarray:
    """``int64[k]``: the only winning action of each position, or -1; by a table or two searches."""
    if table is not None:
        return np.array([_only_by(table, position) for position in positions], np.int64)
    best = _only_winning(positions, SIMULATIONS)
    kept = np.flatnonzero(best >= 0)
    again = _only_winning([positions[each] for each in kept], EFFORT * SIMULATIONS)
    best[kept] = np.where(best[kept] == again, again, -1)
    return best


def _only_by(table: ValueTable, position: Position) -> int:
    """The only action that wins in a position of a table; or -1."""
    known = choices_at(table, position)
    if known is None or known[0].size < 2 or np.isnan(known[0]).any():
        return -1
    second, highest = np.sort(known[0])[-2:]
    is_only = highest >= CERTAIN and second <= REST
    return position.legal_actions()[known[0].argmax()] if is_only else -1


def _only_winning(positions: list[Position], simulations: int) -> np.ndarray:
    """The only action that wins in each position, by one search; or -1."""
    if not positions:
        return np.zeros(0, np.int64)
    ruleset = positions[0].ruleset
    batch, rows = _batch(positions), np.arange(len(positions))
    player = TreeSearchPlayer(ruleset.game, 0, simulations=simulations)
    best = players.choose(player, batch, rows)
    values = np.where(player.visits > 0, player.action_values, -1.0)
    highest = values[rows, best]
    values[rows, best] = -1.0
    is_only = (highest >= WINS) & (values.max(axis=1) <= REST) & (batch.legal_count > 1)
    return np.where(is_only, best, -1)


def _batch(positions: list[Position]) -> Batch:
    batch = Batch(positions[0].ruleset, len(positions))
    batch.states = np.concatenate([position.state for position in positions])
    return batch


def _solves(
    name: str, ruleset: Ruleset, puzzles: list[tuple[str, tuple[str, ...]]]
) -> Iterator[bool]:
    """Whether a player finds each solution."""
    player = players.make(name, ruleset.name, seed=0)
    for text, solution in puzzles:
        position = Position.from_text(ruleset, text)
        played = list[str]()
        while played == list(solution[: len(played)]) and len(played) < len(solution):
            played.append(position.label(players.choose_one(player, position)))
            position.play(played[-1])
        yield played == list(solution)


def played(ruleset: Ruleset, seed: int) -> Iterator[np.ndarray]:
    """Positions of self-play in which the winner of a game began one of its last turns."""
    program = players.make(PLAYER, ruleset.name, seed=seed)
    batch, rows = Batch(ruleset, AT_ONCE, seed=seed), np.arange(AT_ONCE)
    last, begun = np.full(AT_ONCE, -1), [list[tuple[int, np.ndarray]]() for _ in rows]
    found = list[np.ndarray]()
    while True:
        turns, states, to_move = batch.turns, batch.states, batch.to_move
        for game in np.flatnonzero(turns != last).tolist():
            begun[game].append((int(to_move[game]), states[game : game + 1].copy()))
        last = turns
        batch.step(players.choose(program, batch, rows))
        for game, returns in zip(batch.ended.tolist(), batch.outcome, strict=True):
            own = [state for player, state in begun[game] if returns[player] > 0]
            found, begun[game], last[game] = found + own[-LAST_TURNS:], [], -1
        if len(found) >= AT_ONCE:
            yield np.concatenate(found)
            found = []


def drawn(table: ValueTable, seed: int) -> Iterator[np.ndarray]:
    """Positions of a table at which players are to begin a turn, in random order."""
    found = list[np.ndarray]()
    for number in np.random.default_rng(seed).permutation(len(table)).tolist():
        position = table.position(number)
        if not (position.is_over or position.is_chance or position.in_turn):
            found.append(position.state)
        if len(found) == AT_ONCE:
            yield np.concatenate(found)
            found = []
    if found:
        yield np.concatenate(found)
