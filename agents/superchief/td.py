"""The values that `td` and `search` play by in Superchief; the card is td.md.

They were learned in Chieftain, whose features are the same: training on the larger boards made
weaker players. These are the runs of agents/chieftain/td.py, which are not repeated.
`python -m agents.superchief.td` takes 53 minutes on one thread.
If interrupted, run it again to resume.
"""

from agents.chieftain.td import STAGES
from agents.recipes import train_values

if __name__ == "__main__":
    train_values(STAGES, "superchief")
