"""Addresses of Ray clusters."""

from __future__ import annotations

from socket import create_connection

LOCAL, AUTO = "local", "auto"
"""Special addresses: a cluster on this machine for one run, and the cluster it belongs to."""

_SECONDS_TO_CONNECT = 10.0


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
