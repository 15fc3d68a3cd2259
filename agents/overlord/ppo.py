"""`ppo:overlord`, a MaskablePPO agent of Overlord; the card is ppo.md.

`python agents/overlord/ppo.py` takes 77 minutes on one thread.
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
    # Nothing is learned yet. The next stage begins with these weights at a higher temperature: that
    # multiplies the scores of actions by 4, so that it plays nearly as the greedy player does.
    "runs/overlord-untrained": PpoSettings(
        "overlord",
        discount_per="action",
        minutes=None,
        steps=1,
        games=128,
        threads=1,
        layers="dense",
        width=48,
        action_prior=True,
        evaluations=0,
    ),
    "runs/overlord-first": PpoSettings(
        "overlord",
        discount_per="action",
        games=128,
        threads=1,
        opponents=("greedy",),
        past_selves=0,
        layers="dense",
        width=48,
        action_prior=True,
        temperature=1.0,
        minutes=21,
        seed=1,
        learning_rate=0.002,
        start="runs/overlord-untrained",
        horizon=24,
    ),
    "runs/overlord": PpoSettings(
        "overlord",
        discount_per="action",
        games=128,
        threads=1,
        opponents=("greedy",),
        past_selves=0,
        layers="dense",
        width=48,
        action_prior=True,
        temperature=1.0,
        minutes=56,
        seed=3,
        learning_rate=0.003,
        start="runs/overlord-first",
        horizon=120,
        evaluations=3,
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
