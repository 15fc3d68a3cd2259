"""The values that `td` and `search` play by in Chieftain; the card is td.md.

`python -m agents.chieftain.td` takes 8 minutes on one thread.
If interrupted, run it again to resume.
"""

from agents.recipes import train_values
from pasgl_env.training.settings import TdSettings

OUT = "runs/chieftain-td"
SETTINGS = TdSettings(
    "chieftain",
    minutes=8,
    seed=2,
    threads=1,
    horizon=80,
    opening=600,
    truncated_value=0.5,
    extra_variants=(),
    discount=1.0,
)

if __name__ == "__main__":
    train_values(SETTINGS, OUT)
