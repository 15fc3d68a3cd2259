"""The branching of the games of Chieftain's family, and how far command limits their players.

H. G. Muller remarked of these games that the number of turns explodes while the range of command
hardly limits anything. This measures both, in games of two random or two greedy players:

- the number of actions in a turn, and of legal actions at its start;
- the number of ways to play a turn, as sequences of actions: from sampled starts of turns, turns
  are completed at random, and the product of the numbers of legal actions on the way is an unbiased
  estimate of that number (Knuth, Mathematics of Computation 29, 1975);
- the share of the player's pieces under command at the start of the turn.

All figures are means over games with 95% intervals; the numbers of ways to play a turn are given as
powers of ten. Run as ``python -m benchmarks.branching``.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer
from rich import box
from rich.console import Console
from rich.table import Table

from pasgl_env import Batch, players
from pasgl_env.statistics.estimates import Estimate, mean
from pasgl_env.statistics.texts import estimate_text

GAMES = {
    "chieftain": ("chieftain", {}),
    "superchief": ("superchief", {}),
    "overlord": ("overlord", {}),
    "Leader2": ("chieftain", {"activations": 2, "command_range": 2}),
}
PLAYERS = ("random", "greedy")
# Stages of a game, in turns of both players together.
STAGES = {"1-20": (0, 20), "21-60": (20, 60), "61 on": (60, math.inf)}
EVERY, PROBES = 10, 32

Values = dict[str, list[list[float]]]
"""The observed values of each quantity in each game."""


class Sample(NamedTuple):
    """The starts of turns from which ways to play are counted, and their games."""

    states: list[np.ndarray]
    games: list[int]


def command_shares(states: np.ndarray) -> np.ndarray:
    """For each state the share of the mover's pieces that are under command."""
    own = states["occupants"][np.arange(states.size), states["mover"]]
    shares: np.ndarray = _counted(own & states["command"]) / _counted(own)
    return shares


def _counted(rows: np.ndarray) -> np.ndarray:
    """The number of bits that are set in each row of words."""
    return np.unpackbits(np.ascontiguousarray(rows).view(np.uint8), axis=1).sum(axis=1)


def play_games(
    variant: str, options: dict[str, Any], player: str, games: int, turns: int, seed: int
) -> tuple[Values, Sample]:
    """Play games to their end or a number of turns; record each start of a turn."""
    batch = Batch(variant, games, seed=seed, turn_limit=turns, **options)
    chooser = players.as_player(player, variant, seed)
    values: Values = defaultdict(lambda: [[] for _ in range(games)])
    sample = Sample([], [])
    running = np.arange(games)
    actions = np.zeros(games, np.int64)
    rng = np.random.default_rng(seed)
    while running.size:
        states = batch.states[running]
        starts = (states["move_count"] == 0) & (states["origin"] == 0)
        for game, state, share in zip(
            running[starts], states[starts], command_shares(states[starts]), strict=True
        ):
            _note(values, game, state, share, batch.legal_count[game], actions)
            if rng.integers(EVERY) == 0:
                sample.states.append(state)
                sample.games.append(game)
        actions[running] += 1
        batch.step_some(running, chooser.choose(batch, running))
        over = batch.terminated[running] | batch.truncated[running]
        for game in running[over]:
            values["actions in a turn"][game].append(actions[game])
        running = running[~over]
    return values, sample


def _note(
    values: Values,
    game: int,
    state: np.ndarray,
    share: float,
    legal: int,
    actions: np.ndarray,
) -> None:
    """Record the start of a turn, and the length of the previous turn."""
    turn = int(state["turn_count"])
    if turn:
        values["actions in a turn"][game].append(actions[game])
    actions[game] = 0
    values["legal at its start"][game].append(legal)
    values["under command"][game].append(share)
    for stage, (first, end) in STAGES.items():
        if first <= turn < end:
            values[f"turns {stage}"][game].append(share)


def ways_to_play(variant: str, options: dict[str, Any], states: np.ndarray, seed: int) -> Any:
    """For each beginning of a turn an estimate of the number of sequences that complete it."""
    batch = Batch(variant, states.size * PROBES, seed=seed, turn_limit=0, **options)
    batch.states = states.repeat(PROBES)
    ways = np.ones(len(batch))
    running = np.arange(len(batch))
    while running.size:
        turn = batch.states["turn_count"][running]
        ways[running] *= batch.legal_count[running]
        batch.step_some(running, batch.sample()[running])
        goes_on = (batch.states["turn_count"][running] == turn) & ~batch.terminated[running]
        running = running[goes_on]
    return ways.reshape(-1, PROBES).mean(axis=1)


def measure(
    variant: str, options: dict[str, Any], player: str, games: int, turns: int, seed: int
) -> dict[str, Estimate]:
    """All figures for one game and player."""
    values, sample = play_games(variant, options, player, games, turns, seed)
    ways = ways_to_play(variant, options, np.array(sample.states), seed)
    for game, number in zip(sample.games, ways, strict=True):
        values["ways, power of ten"][game].append(math.log10(number))
    return {
        quantity: mean(np.array([np.mean(seen) for seen in by_game if seen]))
        for quantity, by_game in values.items()
    }


def shown(quantity: str, estimate: Estimate | None) -> str:
    """A figure with its interval."""
    is_share = quantity.startswith(("under", "turns"))
    return estimate_text(estimate or Estimate(None), is_share, "")


def rows(games: int, turns: int, seed: int) -> Iterator[tuple[str, str, dict[str, Estimate]]]:
    """The lines of the table."""
    for name, (variant, options) in GAMES.items():
        for player in PLAYERS:
            yield name, player, measure(variant, options, player, games, turns, seed)


def main(
    games: Annotated[int, typer.Option(help="Games for each line.", min=2)] = 40,
    turns: Annotated[int, typer.Option(help="Turns after which a game is stopped.", min=1)] = 200,
    seed: Annotated[int, typer.Option(help="Seed of the players and the samples.", min=0)] = 1,
) -> None:
    """Measure branching and command in the games of Chieftain's family."""
    quantities = [
        "actions in a turn",
        "legal at its start",
        "ways, power of ten",
        "under command",
        *(f"turns {stage}" for stage in STAGES),
    ]
    table = Table("game", "play", *quantities, box=box.SIMPLE_HEAD)
    for name, player, figures in rows(games, turns, seed):
        table.add_row(name, player, *(shown(what, figures.get(what)) for what in quantities))
    Console(width=150).print(table)


if __name__ == "__main__":
    typer.run(main)
