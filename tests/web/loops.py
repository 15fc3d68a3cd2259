"""Coroutines in tests."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def run(body: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """Run a coroutine in a thread, because Playwright may have a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(body())).result()
