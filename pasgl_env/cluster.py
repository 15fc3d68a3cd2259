"""Ray clusters: addresses, and connections for the time of a run."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from socket import create_connection
from typing import Any

from pasgl_env.jit import archive
from pasgl_env.jit.compiled import cache_folder, in_use

LOCAL, AUTO = "local", "auto"
"""Special addresses: a cluster on this machine for one run, and the cluster it belongs to."""

_SECONDS_TO_CONNECT = 10.0


class WorkerFailed(ValueError):
    """Ray did not start, or a process of the cluster ended or failed."""


@contextmanager
def connected(address: str, workers: int = 1, threads: int = 1, advice: str = "") -> Iterator[None]:
    """Connect to a cluster, or start one here; disconnect on exit. Needs Ray.

    Its processes take the compiled code that this process uses.

    Args:
        address: ``HOST:PORT`` of a running cluster; :data:`AUTO` for the one that this machine
            belongs to; :data:`LOCAL` for one on this machine that ends with the run.
        workers: number of processes that the cluster needs room for.
        threads: number of processors for each.
        advice: what to do after a failure, for its message.

    Raises:
        ConnectionError: if there is no cluster at the address.
        ImportError: without Ray.
        ValueError: for an address of another form, or a cluster without room for the workers.
        WorkerFailed: if Ray does not start; on exit, instead of an error of Ray.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray

    where: dict[str, Any] = {"address": address}
    if address == LOCAL:
        # More workers than processors are slow, but work.
        processors = max(workers * threads, os.cpu_count() or 1)
        where |= {"num_cpus": processors, "include_dashboard": False}
    else:
        check_reachable(address)
        where["runtime_env"] = {"worker_process_setup_hook": taking_code()}
    try:
        _start(ray, where)
        check_room(ray, workers, threads)
        yield
    except ray.exceptions.RayError as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[-1]
        raise WorkerFailed(f"a worker failed: {reason}{advice and f'; {advice}'}") from error
    finally:
        ray.shutdown()


def taking_code() -> Callable[[], None]:
    """A function for other processes: it stores the compiled code that this one uses."""
    folder = cache_folder()
    content = archive.packed(folder, in_use()) if folder is not None else None

    def take() -> None:
        there = cache_folder()
        if content is not None and there is not None:
            archive.unpack(content, there)

    return take


def _start(ray: Any, where: dict[str, Any]) -> None:
    try:
        ray.init(**where, log_to_driver=False, logging_level=logging.CRITICAL)
    except (OSError, ValueError):
        raise
    except Exception as error:  # for example Ray's own error for a busy machine
        raise WorkerFailed(f"Ray did not start: {error}") from error


def check_room(ray: Any, workers: int, threads: int) -> None:
    """Raise an error unless the machines of the cluster have room for all workers."""
    processors = [int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]]
    if (room := sum(number // threads for number in processors)) < workers:
        each = f" with {threads} processors each" if threads > 1 else ""
        raise ValueError(f"the cluster has room for {room} workers{each}, not for {workers}")


def check_reachable(address: str) -> None:
    """Raise an error unless the address answers: Ray itself would try for minutes."""
    if address in (AUTO, LOCAL):
        return
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit() or not 0 < int(port) < 2**16:
        raise ValueError(
            f"the address of a Ray cluster must be HOST:PORT, {AUTO} or {LOCAL}, not {address!r}"
        )
    try:
        create_connection((host, int(port)), _SECONDS_TO_CONNECT).close()
    except OSError as error:
        reason = error.strerror or str(error)
        raise ConnectionError(f"no Ray cluster answers at {address}: {reason}") from error
