"""`ppo:overlord`, a MaskablePPO agent of Overlord; the card is ppo.md.

`python -m agents.overlord.ppo` takes 77 minutes on one thread.
If interrupted, run it again to resume.
"""

from agents.recipes import train_networks
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
        action_prior="greedy",
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
        action_prior="greedy",
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
        action_prior="greedy",
        temperature=1.0,
        minutes=56,
        seed=3,
        learning_rate=0.003,
        start="runs/overlord-first",
        horizon=120,
        evaluations=3,
    ),
}

if __name__ == "__main__":
    train_networks(STAGES)
