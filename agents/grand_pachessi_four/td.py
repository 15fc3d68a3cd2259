"""The values that `td` and `search` play by in four-player Grand Pachessi; the card is td.md.

`python -m agents.grand_pachessi_four.td` takes 40 minutes on one thread.
If interrupted, run it again to resume.
"""

from agents.recipes import train_values
from pasgl_env.training.settings import TdSettings

STAGES = {
    "runs/grand_pachessi_four-td": TdSettings(
        "grand_pachessi", minutes=40, threads=1, options={"players": 4}
    )
}

if __name__ == "__main__":
    train_values(STAGES)
