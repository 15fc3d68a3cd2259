"""`ppo:grand_pachessi`, a MaskablePPO agent of Grand Pachessi; the card is ppo.md.

`python agents/grand_pachessi/ppo.py` takes 35 minutes on one thread.
If interrupted, run it again to resume.
"""

from pasgl_env.training.recipes import train_networks
from pasgl_env.training.settings import PpoSettings

STAGES = {
    # Nothing is learned yet. The next stage begins with these weights at a higher temperature: that
    # multiplies the scores of actions by 4, so that it plays nearly as the greedy player does.
    "runs/grand_pachessi-untrained": PpoSettings(
        "grand_pachessi",
        discount_per="action",
        minutes=None,
        steps=1,
        seed=7,
        threads=1,
        layers="dense",
        width=96,
        action_prior="greedy",
        evaluations=0,
    ),
    "runs/grand_pachessi-first": PpoSettings(
        "grand_pachessi",
        discount_per="action",
        threads=1,
        opponents=("greedy",),
        past_selves=0,
        layers="dense",
        width=96,
        action_prior="greedy",
        minutes=13,
        seed=7,
        learning_rate=0.0005,
        temperature=1.0,
        start="runs/grand_pachessi-untrained",
    ),
    "runs/grand_pachessi": PpoSettings(
        "grand_pachessi",
        discount_per="action",
        threads=1,
        opponents=("greedy",),
        past_selves=0,
        layers="dense",
        width=96,
        action_prior="greedy",
        minutes=22,
        seed=11,
        learning_rate=0.002,
        temperature=0.5,
        start="runs/grand_pachessi-first",
    ),
}

if __name__ == "__main__":
    train_networks(STAGES)
