"""A small protocol, for tests of the benchmark."""

from functools import cache

from pasgl_env import players
from pasgl_env.benchmark.protocol import (
    BenchmarkTask,
    Protocol,
    ReferencePlayer,
    try_out,
    values_of,
)
from pasgl_env.evaluation.openings import set_of, shipped

GAMES = 4
ELOS = {"random": None, "greedy": 0.0, "td": 400.0}


def task(name):
    ruleset = set_of(name)
    openings, positions = shipped(ruleset)[: GAMES // 2], shipped(ruleset)[-3:]
    references = []
    for player, elo in ELOS.items():
        made = players.make(player, ruleset.name, seed=0)
        choices = try_out(made, ruleset, positions).choices
        references.append(ReferencePlayer(player, elo, values_of(player, ruleset), choices))
    solved = Protocol.load("v1").tasks[name].solved[:6]
    return BenchmarkTask(name, ruleset, openings, positions, tuple(references), 60.0, solved)


@cache
def tiny_protocol():
    """A protocol of two tasks, with and without dice, and four games against each reference."""
    tasks = {name: task(name) for name in ("pasgl312", "pachessi")}
    return Protocol("tiny", True, "0", 0, GAMES, ("pachessi",), tasks)
