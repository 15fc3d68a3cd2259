"""The values that `td` and `search` play by in Pachessi; the card is td.md.

`python -m agents.pachessi.td` takes 4 minutes on one thread.
If interrupted, run it again to resume.
"""

from agents.recipes import train_values
from pasgl_env.training.settings import TdSettings

STAGES = {"runs/pachessi-td": TdSettings("pachessi", minutes=4, threads=1)}

if __name__ == "__main__":
    train_values(STAGES)
