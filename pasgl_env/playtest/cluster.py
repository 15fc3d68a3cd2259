"""Playing the shards of a run: in this process, or on a Ray cluster, which needs Ray."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, Protocol, TypeAlias, TypeVar

from pasgl_env.cluster import WorkerFailed, check_reachable, connected

SHARDS_A_PROCESSOR = 2
"""Shards in progress or waiting to be taken; more would pile up behind a slow one."""


class HasThreads(Protocol):
    """A unit of work, with the number of threads that it needs."""

    @property
    def threads(self) -> int:
        """Their number."""


ShardT = TypeVar("ShardT", bound=HasThreads)
ResultT = TypeVar("ResultT")
PlayShards: TypeAlias = Callable[[Iterable[ShardT], Callable[[int], None]], Iterator[ResultT]]
"""Plays shards and yields their results in order; may call the second argument with the number of
finished games of the next shard."""


def here(
    play_shard: Callable[[ShardT, Callable[[int], None]], ResultT],
) -> PlayShards[ShardT, ResultT]:
    """Make a function that plays shards in this process, one after the other."""
    return lambda shards, progress: (play_shard(shard, progress) for shard in shards)


def play_on(
    address: str, play_shard: Callable[[ShardT], ResultT], compiles: Callable[[], object] = int
) -> PlayShards[ShardT, ResultT]:
    """Make a function that plays shards on a cluster.

    Args:
        address: ``HOST:PORT`` of a running cluster, :data:`AUTO` or :data:`LOCAL`. Its machines
            need the same version of this package, and the files of trained agents.
        play_shard: plays one shard.
        compiles: compiles what the shards need, here and once; its machines take the code.

    Raises:
        ConnectionError: if nothing answers at the address.
        ImportError: without Ray.
        ValueError: for an address of another form.
    """
    try:
        import ray
    except ImportError as error:
        raise ImportError("a cluster needs Ray: pip install 'pasgl-env[ray]'") from error
    check_reachable(address)

    def play(shards: Iterable[ShardT], progress: Callable[[int], None]) -> Iterator[ResultT]:
        compiles()
        with connected(address):
            yield from _in_order(ray, play_shard, iter(shards))

    return play


def _in_order(
    ray: Any, play_shard: Callable[[ShardT], ResultT], shards: Iterator[ShardT]
) -> Iterator[ResultT]:
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
    try:
        while waiting:
            result: ResultT = ray.get(waiting.popleft())
            waiting.extend(begun(1))
            yield result
    finally:
        for shard in waiting:  # whoever asked for the results has enough of them
            ray.cancel(shard, force=True)
