"""The values that `td` and `search` play by in Chieftain; the card is td.md.

`python agents/chieftain/td.py` takes 8 minutes on one thread.
It goes on where it was interrupted.
"""

from pathlib import Path
from typing import Any

from pasgl_env.evaluation.duel import duel
from pasgl_env.training.settings import TdSettings
from pasgl_env.training.td import TRAINING_FILE, train

OUT = Path("runs/chieftain-td")
SETTINGS = TdSettings("chieftain", minutes=8, seed=1, threads=1, horizon=80, opening=600)
MATCHES = (("td", "greedy", 400), ("td", "mcts:400", 200), ("search:50", "mcts:1600", 40))


def show_progress(status: Any) -> None:
    """Keep one line of the terminal up to date."""
    print(f"{status.progress:.0%}", end="\r", flush=True)


def main() -> None:
    """Train, then play matches from openings of another seed than the training's."""
    train(SETTINGS, OUT, resume=(OUT / TRAINING_FILE).exists(), report=show_progress)
    for own, rival, games in MATCHES:
        mine = f"{own}:values={OUT}"
        print(duel(SETTINGS.variant, mine, rival, games, seed=1000, **SETTINGS.options))


if __name__ == "__main__":
    main()
