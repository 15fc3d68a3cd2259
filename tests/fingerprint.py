"""What batches go through, condensed: `python -m tests.fingerprint GAME THREADS` prints it.

Equal lines mean equal bytes of states and outputs up to that step.
"""

from __future__ import annotations

import hashlib
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import cycle, islice
from random import Random
from unittest.mock import patch

import numpy as np

from pasgl_env import Batch, Position
from pasgl_env.contract.variants import find
from pasgl_env.engine.threads import ThreadPool

from .steering import Beginning
from .suites import SUITES, Suite

GAMES, STEPS, EVERY = 8, 150, 25
OUTPUTS = "observation action_mask legal_count to_move reward terminated truncated".split()
OF_THE_ENDED = "ended outcome final_length final_states final_observation".split()


@patch.dict(ThreadPool.run.__kwdefaults__, worth=1)
def fingerprint(suite: Suite, threads: int) -> list[str]:
    """A digest after each interval of steps of games from odd positions, of all that came before.

    Even the few rows here are shared between the threads.
    """
    digest, lines = hashlib.sha256(), []
    for beginnings in beginnings_alike(suite):
        batch = batch_of(suite, beginnings, threads)
        for step in range(1, STEPS + 1):
            batch.step(batch.sample())
            for name in ["states", *OUTPUTS, *OF_THE_ENDED]:
                digest.update(getattr(batch, name).tobytes())
            if step % EVERY == 0:
                lines.append(f"{batch.variant} {step} {digest.hexdigest()}")
    return lines


def beginnings_alike(suite: Suite) -> Iterator[list[Beginning]]:
    """For each variant beginnings under the options that come most often, and under others."""
    rng = Random(1)
    alike = defaultdict(list)
    for _ in range(60 * len(suite.variants)):
        beginning = suite.steering.beginning(rng)
        alike[beginning.variant, *sorted(beginning.options.items())].append(beginning)
    for variant in suite.variants:
        groups = [group for (name, *_), group in alike.items() if name == variant]
        groups.sort(key=len)
        yield groups[-1]
        yield groups[0]


def batch_of(suite: Suite, beginnings: list[Beginning], threads: int) -> Batch:
    """Games that went on for a while; some reach a limit of turns soon."""
    rng = Random(2)
    positions = [played_on(suite, beginning, rng) for beginning in islice(cycle(beginnings), GAMES)]
    turns = [position.turns for position in positions]
    variant, options = beginnings[0].variant, beginnings[0].options
    settings = {**options, "turn_limit": max(turns) + 20}
    if find(variant).has_points:
        settings["reward"] = "points"
    batch = Batch(variant, GAMES, threads=threads, seed=2, **settings)
    batch.states = np.concatenate([position.state for position in positions])
    return batch


def played_on(suite: Suite, beginning: Beginning, rng: Random) -> Position:
    """A position some steered actions later at which a player is to act."""
    while True:
        position = beginning.position()
        for _ in range(rng.randrange(12)):
            if not position.is_over:
                position.play_action(suite.steering.steered(position, rng.random(), 0))
        while position.is_chance:
            position.play_action(suite.steering.steered(position, rng.random(), 0))
        if not position.is_over:
            return position


if __name__ == "__main__":
    print("\n".join(fingerprint(SUITES[sys.argv[1]], int(sys.argv[2]))))
