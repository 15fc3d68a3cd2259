"""What a batch goes through, condensed: `python -m tests.fingerprint THREADS` prints it.

Equal lines mean equal bytes of states and outputs up to that step.
"""

from __future__ import annotations

import hashlib
import sys
from random import Random
from unittest.mock import patch

import numpy as np

from pasgl_env import Batch, Position
from pasgl_env.engine.crew import Crew

from .steering import odd_text

GAMES, STEPS, EVERY = 10, 250, 25
SETTINGS = {"win_margin": 200, "turn_limit": 150, "hunter_range": 4, "shrew_points": 1}
OUTPUTS = "observation action_mask legal_count to_move reward terminated truncated".split()
OF_THE_ENDED = "ended outcome final_length final_states final_observation".split()


@patch.dict(Crew.run.__kwdefaults__, worth=1)
def fingerprint(threads: int) -> list[str]:
    """A digest after every so many steps of games from odd positions, of all that came before.

    Even the few rows here are shared between the threads.
    """
    rng = Random(1)
    texts = [odd_text(rng) for _ in range(GAMES)]
    batch = Batch("pasgl312", GAMES, threads=threads, seed=2, reward="points", **SETTINGS)
    states = np.concatenate([Position.from_text("pasgl312", text).state for text in texts])
    states["turn_count"] = np.arange(GAMES) * 15
    batch.states = states
    digest, lines = hashlib.sha256(), []
    for step in range(1, STEPS + 1):
        batch.step(batch.sample())
        for name in ["states", *OUTPUTS, *OF_THE_ENDED]:
            digest.update(getattr(batch, name).tobytes())
        if step % EVERY == 0:
            lines.append(f"{step} {digest.hexdigest()}")
    return lines


if __name__ == "__main__":
    print("\n".join(fingerprint(int(sys.argv[1]))))
