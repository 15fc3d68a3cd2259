"""The values that `td` and `search` play by in Overlord; the card is td.md.

They were learned in Chieftain, whose features are the same: training on the larger boards made
weaker players. They are those of the first stage of agents/chieftain/td.py, which is not repeated;
in Overlord those of the second win fewer games.
`python -m agents.overlord.td` takes 15 minutes on one thread.
If interrupted, run it again to resume.
"""

from agents.chieftain.td import FIRST, STAGES
from agents.recipes import train_values

STAGES = {FIRST: STAGES[FIRST]}

if __name__ == "__main__":
    train_values(STAGES, "overlord")
