"""The values that `td` and `search` play by in Overlord; the card is td.md.

They were learned on the boards of Chieftain, Superchief and Overlord.
`python agents/overlord/td.py` takes 24 minutes on one thread. If interrupted, run it again to
resume.
"""

from pasgl_env.training.recipes import train_values
from pasgl_env.training.settings import TdSettings

OUT = "runs/overlord-td"
SETTINGS = TdSettings("superchief", minutes=24, seed=53, threads=1, discount=0.99)
MATCHES = (("td", "greedy", 400), ("td", "mcts:400", 200), ("search:50", "mcts:1600", 40))

if __name__ == "__main__":
    train_values(SETTINGS, OUT, MATCHES, variant="overlord")
