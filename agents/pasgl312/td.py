"""The values that `td` and `search` play by in PASGL 312 Chess; the card is td.md.

`python -m agents.pasgl312.td` takes 72 minutes on one thread.
If interrupted, run it again to resume.
"""

from agents.recipes import train_values
from pasgl_env.training.settings import TdSettings

STAGES = {"runs/pasgl312-td": TdSettings("pasgl312", minutes=72, seed=11, threads=1)}

if __name__ == "__main__":
    train_values(STAGES)
