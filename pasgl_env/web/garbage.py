"""Garbage collections that stop nobody: a full one takes 0.2 s with a thousand open games."""

from __future__ import annotations

import asyncio
import gc

from pasgl_env.web.bounds import Turns

LOOKS_EVERY = 5.0
IDLE = 0.5
"""Seconds in which nobody has acted, before a full collection."""
AT_LEAST_EVERY = 300.0
"""Seconds after which a full collection waits no longer."""
NEVER = 2**30


def freeze() -> None:
    """Leave out what is loaded now: compiled code is a million objects that stay."""
    gc.collect()
    gc.freeze()


async def collect_when_idle(turns: Turns) -> None:
    """Make full collections while nobody acts, instead of at any time; until cancelled."""
    usual = gc.get_threshold()
    gc.set_threshold(usual[0], usual[1], NEVER)
    loop = asyncio.get_running_loop()
    collected = loop.time()
    try:
        while True:
            await asyncio.sleep(LOOKS_EVERY)
            is_due = gc.get_count()[2] > usual[2]
            if is_due and (turns.idle > IDLE or loop.time() - collected > AT_LEAST_EVERY):
                gc.collect()
                collected = loop.time()
    finally:
        gc.set_threshold(*usual)
