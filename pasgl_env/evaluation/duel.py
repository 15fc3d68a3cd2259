"""Compare two players: paired games from varied, even openings, with times.

From the usual start, deterministic players repeat the same game. Here each pair of games starts at
a different position that a search considers about even, reached by a few random turns; each player
plays both sides of it, with the same dice. The interval treats pairs as independent, because the
games of a pair are not. Needs SciPy.

``python -m pasgl_env.evaluation.duel pasgl312 td mcts:400 --games 200``
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any

import numpy as np

from pasgl_env import Batch, players, variants
from pasgl_env.evaluation.match import make_pair
from pasgl_env.evaluation.openings import even_openings
from pasgl_env.games.contract import OptionValue
from pasgl_env.statistics.clustered import score_of_pairs


@dataclass(frozen=True)
class Duel:
    """The result of a duel, for the first player.

    Attributes:
        score: (wins + half of the games without a winner) / games.
        low, high: its 95% interval, based on pairs; 0 and 1 after a single pair.
        seconds: mean time per action of the first and of the second player; if several games are
            searched at once, time is divided among them.
        length: mean number of actions per game.
        pairs: number of pairs in which the first player scored 0, 0.5, 1, 1.5 and 2 points.
    """

    variant: str
    first: str
    second: str
    seed: int
    games: int
    wins: int
    losses: int
    truncated: int
    score: float
    low: float
    high: float
    seconds: tuple[float, float]
    length: float
    pairs: tuple[int, ...]

    def __str__(self) -> str:
        one, other = (f"{1000 * each:.3g} ms" for each in self.seconds)
        return (
            f"{self.variant}: {self.first} ({one}) against {self.second} ({other}):"
            f" {self.score:.1%} ({self.low:.1%} to {self.high:.1%}) of {self.games},"
            f" {self.wins} won, {self.losses} lost, {self.truncated} cut off"
        )


def duel(
    variant: str,
    first: Any,
    second: Any,
    games: int,
    *,
    seed: int = 0,
    batch_size: int = 64,
    progress: Callable[[str], None] | None = None,
    **options: OptionValue,
) -> Duel:
    """Play pairs of games.

    Args:
        variant: a variant for two players or two teams.
        first: a player, or anything that :func:`pasgl_env.players.as_player` accepts.
        second: the other player, likewise.
        games: number of games; even.
        seed: seed of openings, dice and players.
        batch_size: maximum number of games played at once; even.
        progress: called with the current result whenever a batch of games has ended.
        options: the variant's options.

    Raises:
        ValueError: for an odd number of games, or as in :func:`make_pair`.
    """
    if games < 2 or games % 2 or batch_size < 2 or batch_size % 2:
        raise ValueError(f"games and batch_size must be even, not {games} and {batch_size}")
    pair = make_pair(variant, first, second, seed)
    results = np.full((games // 2, 2), np.nan)
    spent, actions, cut = np.zeros(2), np.zeros(2, np.int64), 0
    for begun in range(0, games, batch_size):
        size = min(batch_size, games - begun)
        part = np.random.SeedSequence((seed, begun)).generate_state(2).tolist()
        batch = _at_openings(variant, size, part[0], options)
        cut += _play(batch, pair, results[begun // 2 : (begun + size) // 2], spent, actions)
        if progress:
            done = results[: (begun + size) // 2]
            progress(f"{done.size} games, {done.mean() / 2 + 0.5:.1%}")
    score = score_of_pairs(results)
    return Duel(
        variant,
        pair[0].name,
        pair[1].name,
        seed,
        games,
        int((results > 0).sum()),
        int((results < 0).sum()),
        int(cut),
        float(score.value or 0.0),
        0.0 if score.low is None else score.low,
        1.0 if score.high is None else score.high,
        tuple((spent / np.maximum(actions, 1)).tolist()),
        float(actions.sum() / games),
        tuple(np.bincount(np.rint(results.sum(axis=1) + 2).astype(int), minlength=5).tolist()),
    )


def _at_openings(variant: str, size: int, seed: int, options: dict[str, OptionValue]) -> Batch:
    """A batch whose games 2k and 2k + 1 start at the same position, with the same dice."""
    batch = Batch(variant, size, seed=seed, reward="outcome", **options)
    every = np.arange(size)
    batch.put(every, np.repeat(even_openings(variant, size // 2, seed, options), 2))
    dice = np.random.SeedSequence(seed).generate_state(size // 2).repeat(2)
    batch.reseed(every, dice.tolist())
    return batch


def _play(
    batch: Batch,
    pair: Sequence[Any],
    results: np.ndarray,
    spent: np.ndarray,
    actions: np.ndarray,
) -> int:
    """Play all games of a batch; the first player has team k % 2 in game k."""
    playing = np.ones(len(batch), bool)
    own_team = np.arange(len(batch)) % 2
    cut = 0
    while playing.any():
        chosen = np.zeros(len(batch), np.int64)
        acting = batch.teams[batch.to_move] != own_team
        for number in range(2):
            games = np.flatnonzero(playing & (acting == number))
            if games.size:
                begun = perf_counter()
                chosen[games] = players.choose(pair[number], batch, games)
                spent[number] += perf_counter() - begun
                actions[number] += games.size
        games = np.flatnonzero(playing)
        batch.step_some(games, chosen[games])
        for row, game in enumerate(batch.ended):
            seat = int(np.flatnonzero(batch.teams == own_team[game])[0])
            results[game // 2, game % 2] = batch.outcome[row, seat]
            cut += int(batch.truncated[game])
            playing[game] = False
    return cut


def main() -> None:
    """Play the match described on the command line, and print it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("variant")
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    try:
        result = duel(
            asked.variant,
            asked.first,
            asked.second,
            asked.games,
            seed=asked.seed,
            batch_size=asked.batch_size,
            **variants.read_options(asked.variant, asked.set),
        )
    except (ValueError, OSError) as error:
        parser.error(str(error))
    print(json.dumps(asdict(result)) if asked.json else result, flush=True)


if __name__ == "__main__":
    main()
