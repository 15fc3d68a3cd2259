"""`ppo:pasgl312`, a MaskablePPO agent of PASGL 312 Chess; the card is ppo.md.

`python -m agents.pasgl312.ppo` takes 4 minutes on one thread.
If interrupted, run it again to resume.
"""

from agents.recipes import train_networks
from pasgl_env.training.settings import PpoSettings

STAGES = {
    "runs/pasgl312": PpoSettings(
        "pasgl312",
        minutes=None,
        steps=400_000,
        seed=1,
        threads=1,
        opening=12,
        opponents=("td", "greedy"),
        discount=1,
        imitation=40_000,
        teacher="search:20",
        layers="dense",
        width=64,
        action_prior="td",
        evaluations=3,
        evaluation_games=60,
    ),
}

if __name__ == "__main__":
    train_networks(STAGES)
