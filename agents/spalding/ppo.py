"""`ppo:spalding`, a MaskablePPO agent of Captain Spalding Chess; the card is ppo.md.

`python agents/spalding/ppo.py` takes 10 minutes on one thread.
If interrupted, run it again to resume.
"""

from pasgl_env.training.recipes import train_networks
from pasgl_env.training.settings import PpoSettings

STAGES = {
    "runs/spalding": PpoSettings(
        "spalding",
        discount_per="action",
        minutes=10,
        seed=1,
        threads=1,
        action_prior="greedy",
    ),
}

if __name__ == "__main__":
    train_networks(STAGES)
