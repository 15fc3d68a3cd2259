"""`ppo:grand_pachessi`, a MaskablePPO agent of Grand Pachessi; the card is ppo.md.

`python -m agents.grand_pachessi.ppo` takes 15 minutes on one thread.
If interrupted, run it again to resume.
"""

from agents.recipes import train_networks
from pasgl_env.training.settings import PpoSettings

STAGES = {
    "runs/grand_pachessi": PpoSettings(
        "grand_pachessi",
        minutes=15,
        seed=1,
        threads=1,
        opening=12,
        opponents=("td", "greedy"),
        learning_rate=0.002,
        discount=1,
        layers="dense",
        width=64,
        action_prior="td",
        evaluations=4,
        evaluation_games=400,
    ),
}

if __name__ == "__main__":
    train_networks(STAGES)
