"""`ppo:chieftain`, a MaskablePPO agent of Chieftain; the card is ppo.md.

`python -m agents.chieftain.ppo` takes 15 minutes on one thread.
If interrupted, run it again to resume.
"""

from agents.recipes import train_networks
from pasgl_env.training.settings import PpoSettings

STAGES = {
    "runs/chieftain": PpoSettings(
        "chieftain",
        discount_per="action",
        minutes=15,
        seed=4,
        games=64,
        threads=1,
        opponents=("greedy",),
        past_selves=0,
        learning_rate=0.002,
        layers="dense",
        width=48,
        action_prior="greedy",
        horizon=24,
        temperature=0.5,
        evaluations=6,
    ),
}

if __name__ == "__main__":
    train_networks(STAGES)
