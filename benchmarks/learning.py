"""How much faster MaskablePPO learns if its policy looks at legal actions only.

Run as ``python -m benchmarks.learning VARIANT...``; without names, all variants are measured. In
each round both policies make the same number of steps, on one thread of PyTorch.
"""

from __future__ import annotations

from time import perf_counter
from typing import Annotated

import torch
import typer
from sb3_contrib import MaskablePPO

from pasgl_env import variants
from pasgl_env.envs.vec import SelfPlayVecEnv
from pasgl_env.players.networks.policy import LegalPolicy

GAMES, ROLLOUT = 64, 32
SETTINGS = {"n_steps": ROLLOUT, "batch_size": 512, "n_epochs": 3, "seed": 1}


def seconds(variant: str, policy: type[LegalPolicy] | str, rollouts: int) -> float:
    """The time of some rollouts with learning, after a first one."""
    model = MaskablePPO(policy, SelfPlayVecEnv(variant, GAMES, seed=1), **SETTINGS)  # type: ignore[arg-type]
    model.learn(GAMES * ROLLOUT)
    begun = perf_counter()
    model.learn(rollouts * GAMES * ROLLOUT)
    return perf_counter() - begun


def main(
    names: Annotated[list[str] | None, typer.Argument(help="Variants to measure.")] = None,
    rollouts: Annotated[int, typer.Option(help="Rollouts in each round.", min=1)] = 3,
    rounds: Annotated[int, typer.Option(help="Number of rounds.", min=1)] = 3,
) -> None:
    """Compare the usual policy with one over legal actions."""
    torch.set_num_threads(1)
    for variant in names or variants.names():
        pairs = [
            (seconds(variant, "MlpPolicy", rollouts), seconds(variant, LegalPolicy, rollouts))
            for _ in range(rounds)
        ]
        ratios = [usual / legal for usual, legal in pairs]
        print(
            f"{variant}: {min(legal for _, legal in pairs):.2f} s instead of"
            f" {min(usual for usual, _ in pairs):.2f} s, {min(ratios):.1f} to"
            f" {max(ratios):.1f} times as fast",
            flush=True,
        )


if __name__ == "__main__":
    typer.run(main)
