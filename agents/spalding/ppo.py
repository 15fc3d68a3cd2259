"""`ppo:spalding`, a MaskablePPO agent of Captain Spalding Chess; the card is ppo.md.

`python -m agents.spalding.ppo` takes 2 minutes on one thread.
If interrupted, run it again to resume.
"""

from agents.recipes import train_networks
from pasgl_env.training.settings import PpoSettings

STAGES = {
    "runs/spalding": PpoSettings(
        "spalding",
        minutes=None,
        steps=100_000,
        seed=1,
        threads=1,
        opening=12,
        opponents=("td", "greedy"),
        discount=1,
        layers="dense",
        width=64,
        action_prior="td",
        evaluations=2,
        evaluation_games=60,
    ),
}

if __name__ == "__main__":
    train_networks(STAGES)
