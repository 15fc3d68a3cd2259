"""`ppo:superchief`, a MaskablePPO agent of Superchief; the card is ppo.md.

`python -m agents.superchief.ppo` takes 18 minutes on one thread.
If interrupted, run it again to resume.
"""

from agents.recipes import train_networks
from pasgl_env.training.settings import PpoSettings

STAGES = {
    "runs/superchief": PpoSettings(
        "superchief",
        discount_per="action",
        minutes=18,
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
        evaluations=3,
    ),
}

if __name__ == "__main__":
    train_networks(STAGES)
