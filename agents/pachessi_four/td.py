"""The values that `td` and `search` play by in four-player Pachessi; the card is td.md.

`python -m agents.pachessi_four.td` takes 8 minutes on one thread.
If interrupted, run it again to resume.
"""

from agents.recipes import train_values
from pasgl_env.training.settings import TdSettings

STAGES = {
    "runs/pachessi_four-td": TdSettings("pachessi", minutes=8, threads=1, options={"players": 4})
}

if __name__ == "__main__":
    train_values(STAGES)
