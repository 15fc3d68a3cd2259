"""`ppo:pasgl312`, a MaskablePPO agent of PASGL 312 Chess; the card is ppo.md.

`python agents/pasgl312/ppo.py` takes 36 minutes on one thread.
If interrupted, run it again to resume.
"""

from pasgl_env.training.recipes import train_networks
from pasgl_env.training.settings import PpoSettings

STAGES = {
    "runs/pasgl312": PpoSettings(
        "pasgl312",
        discount_per="action",
        minutes=36,
        seed=1,
        threads=1,
        imitation=300_000,
        teacher="td",
    ),
}

if __name__ == "__main__":
    train_networks(STAGES)
