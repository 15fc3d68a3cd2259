"""The benchmark: agents against frozen reference players, in all variants.

>>> from pasgl_env.benchmark import Protocol
>>> protocol = Protocol.load("v1")
>>> protocol.games, len(protocol.tasks)
(100, 8)

:func:`evaluate` plays the games of an agent; ``docs/benchmark.md`` is the protocol in words.
Needs SciPy.
"""

from pasgl_env.benchmark.check import BadEntry, check_entry, read_result
from pasgl_env.benchmark.entry import Entry
from pasgl_env.benchmark.leaderboard import leaderboard, plot
from pasgl_env.benchmark.protocol import ChangedReference, Protocol
from pasgl_env.benchmark.result import Result
from pasgl_env.benchmark.run import evaluate

__all__ = [
    "BadEntry",
    "ChangedReference",
    "Entry",
    "Protocol",
    "Result",
    "check_entry",
    "evaluate",
    "leaderboard",
    "plot",
    "read_result",
]
