"""Tests of rules that hold for all players are played from each of their sides."""

from __future__ import annotations

from typing import Any

from pasgl_env.jit.compiled import JIT


class Sides(tuple[Any, ...]):
    """What a fixture returns so that the test is called with each of these, one after another.

    Tests with a parameter for the side would be several times as many, and most of them take less
    time than to collect and report them.
    """


def sides(*each: Any) -> Sides:
    """All sides; without the JIT only the last, whose board is turned round."""
    return Sides(each if JIT else each[-1:])
