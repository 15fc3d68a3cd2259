"""The values that `td` and `search` play by in Grand Pachessi; the card is td.md.

`python -m agents.grand_pachessi.td` takes 8 minutes on one thread.
If interrupted, run it again to resume.
"""

from agents.recipes import train_values
from pasgl_env.training.settings import TdSettings

STAGES = {"runs/grand_pachessi-td": TdSettings("grand_pachessi", minutes=8, threads=1)}

if __name__ == "__main__":
    train_values(STAGES)
