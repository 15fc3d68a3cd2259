"""Playing the shards of a run on a Ray cluster. Needs Ray."""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from pasgl_env.cluster import LOCAL, check_reachable
from pasgl_env.playtest.play import Shard, ShardResult, play_shard

SHARDS_A_PROCESSOR = 2
"""Shards in progress or waiting to be taken; more would pile up behind a slow one."""


class WorkerFailed(ValueError):
    """The cluster could not be used, or could not play a shard."""


def play_on(
    address: str,
) -> Callable[[Iterable[Shard], Callable[[int], None]], Iterator[ShardResult]]:
    """Make a function that plays shards on a cluster: :data:`pasgl_env.playtest.run.PlayShards`.

    Args:
        address: ``HOST:PORT`` of a running cluster, :data:`AUTO` or :data:`LOCAL`. Its machines
            need the same version of this package, and the files of trained agents.

    Raises:
        ConnectionError: if nothing answers at the address.
        ImportError: without Ray.
        ValueError: for an address of another form.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError as error:
        raise ImportError("--ray needs Ray: pip install 'pasgl-env[ray]'") from error
    check_reachable(address)

    def play(shards: Iterable[Shard], progress: Callable[[int], None]) -> Iterator[ShardResult]:
        try:
            _start(ray, address)
            yield from _in_order(ray, iter(shards))
        except ray.exceptions.RayError as error:
            reason = (str(error).strip().splitlines() or [type(error).__name__])[-1]
            raise WorkerFailed(f"a worker failed: {reason}") from error
        finally:
            ray.shutdown()

    return play


def _start(ray: Any, address: str) -> None:
    here = {"include_dashboard": False} if address == LOCAL else {}
    try:
        ray.init(address=address, **here, log_to_driver=False, logging_level=logging.CRITICAL)
    except Exception as error:  # Ray raises errors of its own, on a busy machine among others
        raise WorkerFailed(f"Ray did not start: {error}") from error


def _in_order(ray: Any, shards: Iterator[Shard]) -> Iterator[ShardResult]:
    """Yield the results in the order of the shards, in whatever order they are played."""
    processors = [int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]]
    task = ray.remote(play_shard)

    def begun(most: int) -> Iterator[Any]:
        for shard in islice(shards, most):
            if shard.threads > max(processors):
                raise WorkerFailed(
                    f"no machine of the cluster has {shard.threads} processors for its threads"
                )
            yield task.options(num_cpus=shard.threads).remote(shard)

    waiting = deque(begun(SHARDS_A_PROCESSOR * sum(processors)))
    while waiting:
        result: ShardResult = ray.get(waiting.popleft())
        waiting.extend(begun(1))
        yield result
