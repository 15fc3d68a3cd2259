"""`ppo:pachessi_four`, a MaskablePPO agent of four-player Pachessi; the card is ppo.md.

`python agents/pachessi_four/ppo.py` takes 14 minutes on one thread.
If interrupted, run it again to resume.
"""

from pasgl_env.training.recipes import train_networks
from pasgl_env.training.settings import PpoSettings

STAGES = {
    "runs/pachessi_four": PpoSettings(
        "pachessi",
        discount_per="action",
        minutes=14,
        seed=4,
        threads=1,
        opponents=("greedy",),
        past_selves=0,
        learning_rate=0.002,
        layers="dense",
        width=96,
        action_prior="greedy",
        temperature=0.5,
        evaluations=7,
        options={"players": 4},
    ),
}

if __name__ == "__main__":
    train_networks(STAGES)
