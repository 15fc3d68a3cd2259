"""The shards of a run, spread over a Ray cluster. Needs Ray."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from pasgl_env.playtest.lab.play import Shard, ShardResult, play_shard

WAITING = 2
"""So many shards are under way or done, but not taken, for each processor of the cluster."""

LOCAL = "local"
"""The address of a cluster of this machine alone, which ends with the run."""


def play_on(
    address: str,
) -> Callable[[Iterable[Shard], Callable[[int], None]], Iterator[ShardResult]]:
    """A way to play shards on a cluster: see :data:`pasgl_env.playtest.lab.run.PlayShards`.

    Args:
        address: as ``ray.init`` takes it: of a running cluster, ``auto`` or ``local``. Its machines
            need this package in the same version, and the files of trained agents.

    Raises:
        ImportError: without Ray.
    """
    try:
        import ray  # noqa: F401
    except ImportError as error:
        raise ImportError("--ray needs Ray: pip install 'pasgl-env[ray]'") from error

    def play(shards: Iterable[Shard], progress: Callable[[int], None]) -> Iterator[ShardResult]:
        return _in_order(address, shards)

    return play


def _in_order(address: str, shards: Iterable[Shard]) -> Iterator[ShardResult]:
    """What came of the shards, in their order, however they end."""
    import ray

    try:
        ray.init(address=address, include_dashboard=False, log_to_driver=False)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise ValueError(f"no Ray cluster at {address!r}: {error}") from error
    try:
        yield from _results(ray, iter(shards))
    finally:
        ray.shutdown()


def _results(ray: Any, shards: Iterator[Shard]) -> Iterator[ShardResult]:
    task = ray.remote(play_shard)
    most = WAITING * max(1, int(ray.cluster_resources().get("CPU", 1)))

    def begin(number: int) -> Iterator[Any]:
        return (
            task.options(num_cpus=shard.threads).remote(shard) for shard in islice(shards, number)
        )

    waiting = deque(begin(most))
    while waiting:
        result: ShardResult = ray.get(waiting.popleft())
        waiting.extend(begin(1))
        yield result
