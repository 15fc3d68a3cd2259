"""Addresses of Ray clusters."""

from __future__ import annotations

from socket import create_connection

LOCAL, AUTO = "local", "auto"
"""Addresses: of a cluster of this machine alone, for one run, and of the one it is part of."""

_SECONDS_TO_CONNECT = 10.0


def check_reachable(address: str) -> None:
    """Raise an error unless something answers: Ray itself would try for minutes."""
    if address in (AUTO, LOCAL):
        return
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit() or not 0 < int(port) < 2**16:
        raise ValueError(
            f"the address of a Ray cluster is HOST:PORT, {AUTO} or {LOCAL}, not {address!r}"
        )
    try:
        create_connection((host, int(port)), _SECONDS_TO_CONNECT).close()
    except OSError as error:
        reason = error.strerror or str(error)
        raise ConnectionError(f"no Ray cluster answers at {address}: {reason}") from error
