"""A small data set of each variant: ``python -m tests.datasets.small FOLDER`` makes them all."""

import sys
from pathlib import Path

from pasgl_env import variants
from pasgl_env.datasets.run import of_self_play
from pasgl_env.evaluation.openings import Openings
from pasgl_env.playtest.play import Plan

POSITIONS = 100


def small_plan(variant, player="mcts:6:plies=1"):
    """Short games of a player that searches a little."""
    openings = Openings(turns=(1, 3))
    return Plan.of(variant, (player, player), 3, openings=openings, turn_limit=14)


def make_small(variant, folder):
    """Make the data set of a variant; return the folder."""
    of_self_play(small_plan(variant), POSITIONS, folder)
    return folder


if __name__ == "__main__":
    for name in variants.names():
        print(make_small(name, Path(sys.argv[1]) / name))
