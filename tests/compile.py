"""Compile what most tests use, each game once: ``python -m tests.compile``.

Else the workers of a test run would compile the same functions at the same time, or wait for each
other. What is compiled already takes no time.
"""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from pasgl_env import Batch, Position, players, variants
from pasgl_env.engine.threads import GAMES_WORTH_A_THREAD
from pasgl_env.playtest import assessment, counting
from pasgl_env.training.td.loops import loop_of

from .one_of_each import ONE_OF_EACH_GAME

PLAYERS = "random", "greedy", "mcts:2", "td", "search:2"


def compile_game(variant: str) -> None:
    """Compile a game's rules, players, training and counters."""
    game = variants.find(variant)
    position = Position(variant, **game.environment_options)
    while position.is_chance:
        position.play_action(position.legal_actions()[0])
    position.perft(1)
    batch = Batch(variant, 2 * GAMES_WORTH_A_THREAD, threads=2)
    batch.step(batch.sample())
    for name in PLAYERS:
        players.choose_one(players.make(name, variant, seed=1), position)
    counting.loop_of(game)
    assessment.loop_of(game)
    loop_of(game)


def main() -> None:
    """Compile all games, as many at once as there are processors."""
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        list(pool.map(compile_game, ONE_OF_EACH_GAME))  # the longest first


if __name__ == "__main__":
    main()
