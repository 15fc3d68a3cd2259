"""The values that `td` and `search` play by in Superchief; the card is td.md.

`python agents/superchief/td.py` takes 12 minutes on one thread.
If interrupted, run it again to resume.
"""

from pasgl_env.training.recipes import train_values
from pasgl_env.training.settings import TdSettings

OUT = "runs/superchief-td"
SETTINGS = TdSettings(
    "superchief",
    minutes=12,
    seed=2,
    threads=1,
    horizon=80,
    opening=1000,
    start="pasgl_env/search/weights/chieftain.safetensors",
)
MATCHES = (("td", "greedy", 400), ("td", "mcts:400", 200), ("search:50", "mcts:1600", 40))

if __name__ == "__main__":
    train_values(SETTINGS, OUT, MATCHES)
