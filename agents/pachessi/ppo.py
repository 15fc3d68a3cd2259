"""`ppo:pachessi`, a MaskablePPO agent of Pachessi; the card is ppo.md.

`python -m agents.pachessi.ppo` takes 8 minutes on one thread.
If interrupted, run it again to resume.
"""

from agents.recipes import train_networks
from pasgl_env.training.settings import PpoSettings

STAGES = {
    "runs/pachessi": PpoSettings(
        "pachessi",
        minutes=8,
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
