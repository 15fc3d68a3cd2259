"""`ppo:pachessi_four`, a MaskablePPO agent of four-player Pachessi; the card is ppo.md.

`python -m agents.pachessi_four.ppo` takes 5 minutes on one thread.
If interrupted, run it again to resume.
"""

from agents.recipes import train_networks
from pasgl_env.training.settings import PpoSettings

STAGES = {
    "runs/pachessi_four": PpoSettings(
        "pachessi",
        minutes=5,
        seed=1,
        threads=1,
        opening=12,
        opponents=("td", "greedy"),
        learning_rate=0.002,
        discount=1,
        layers="dense",
        width=64,
        action_prior="td",
        evaluations=3,
        evaluation_games=400,
        options={"players": 4},
    ),
}

if __name__ == "__main__":
    train_networks(STAGES)
