"""`ppo:pachessi`, a MaskablePPO agent of Pachessi; the card is ppo.md.

`python agents/pachessi/ppo.py` takes 12 minutes on one thread.
If interrupted, run it again to resume.
"""

from pasgl_env.training.recipes import train_networks
from pasgl_env.training.settings import PpoSettings

STAGES = {
    "runs/pachessi": PpoSettings(
        "pachessi",
        discount_per="action",
        minutes=12,
        seed=4,
        threads=1,
        opponents=("greedy",),
        past_selves=0,
        learning_rate=0.002,
        layers="dense",
        width=96,
        action_prior="greedy",
        temperature=0.5,
        evaluations=6,
    ),
}

if __name__ == "__main__":
    train_networks(STAGES)
