"""`ppo:spalding`, a MaskablePPO agent of Captain Spalding Chess; the card is ppo.md.

`python agents/spalding/ppo.py` takes 10 minutes on one thread.
It goes on where it was interrupted.
"""

from pathlib import Path
from typing import Any

from pasgl_env import players
from pasgl_env.evaluation import play_match
from pasgl_env.training.ppo.checkpoint import TRAINING_FILE
from pasgl_env.training.ppo.train import train
from pasgl_env.training.settings import PpoSettings

STAGES = {
    "runs/spalding": PpoSettings(
        "spalding",
        discount_per="action",
        minutes=10,
        seed=1,
        threads=1,
        action_prior=True,
    ),
}


def show_progress(status: Any) -> None:
    """Keep one line of the terminal up to date."""
    print(f"{status.progress:.0%}", end="\r", flush=True)


def main() -> None:
    """Train stage by stage, then play pairs of games with swapped sides."""
    for folder, settings in STAGES.items():
        out = Path(folder)
        train(settings, out, resume=(out / TRAINING_FILE).exists(), report=show_progress)
    agent = players.load(folder)
    for rival in ("random", "greedy"):
        result = play_match(
            settings.variant, agent, rival, 1000, seed=1, paired=True, **settings.options
        )
        print(f"against {rival}: {result.all}")


if __name__ == "__main__":
    main()
