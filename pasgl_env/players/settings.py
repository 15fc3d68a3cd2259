"""The settings in a player's name, such as ``mcts:100:plies=10:greed=0.5``."""

from __future__ import annotations

import re
from inspect import Parameter, signature
from typing import Any, NamedTuple

from pasgl_env.contract.game import brief, checked_number

MAX_SIMULATIONS, MAX_SECONDS = 10**9, 10**6
TO_THE_END = "end"
FILES = ("values", "table")
"""The settings that are files."""


class Budget(NamedTuple):
    """The budget of a decision: a number of simulations or of seconds; the other one is None."""

    simulations: int | None
    seconds: float | None

    @classmethod
    def of(cls, simulations: int | None, seconds: float | None, usual: Budget) -> Budget:
        """The budget that arguments state; the usual one if they state none.

        Raises:
            ValueError: if both are stated, or one is out of range.
        """
        if simulations is not None and seconds is not None:
            raise ValueError("give either simulations or seconds, not both")
        if simulations is None and seconds is None:
            return usual
        if simulations is not None:
            simulations = checked_number("simulations", simulations, 1, MAX_SIMULATIONS)
        else:
            seconds = checked_number("seconds", seconds, 0.0, MAX_SECONDS)
        return cls(simulations, seconds)

    @classmethod
    def read(cls, text: str) -> Budget:
        """Parse a budget such as ``400``, ``20ms`` or ``2s``; ``ValueError`` for any other text."""
        if re.fullmatch(r"[0-9]{1,9}", text) and int(text) > 0:
            return cls(int(text), None)
        match = re.fullmatch(r"([0-9]{0,6}(?:\.[0-9]{1,6})?)(m?)s", text)
        if match and float(match[1] or 0) > 0:
            return cls(None, float(match[1]) / (1000 if match[2] else 1))
        raise ValueError(
            "a budget must be a number of simulations, such as 400, or a time, such as 20ms or 2s,"
            f" not {brief(text)}"
        )

    def __str__(self) -> str:
        return f"{self.simulations}" if self.seconds is None else f"{self.seconds:g}s"

    def next_slice(self, largest: int, done: int, elapsed: float) -> int:
        """Number of simulations to run next, up to ``largest``; 0 if the budget is used up."""
        if self.seconds is not None:
            return largest if done == 0 or elapsed < self.seconds else 0
        return min(largest, (self.simulations or 0) - done)


def parts_of(text: str) -> list[str]:
    """The settings in a text: a colon ends one if ``name=`` follows, so paths may have colons.

    >>> parts_of("400:values=runs/14:30/td:temperature=0.5")
    ['400', 'values=runs/14:30/td', 'temperature=0.5']
    """
    return re.split(r":(?=[a-z_]+=)", text)


def read_settings(player: Any, text: str) -> dict[str, Any]:
    """The arguments that the text after a player's kind in a name states.

    Args:
        player: the class of the player; its ``kind`` is the first part of the name, ``settings``
            are the arguments that can follow it.
        text: settings with colons between them; those of a search begin with its budget.

    Raises:
        ValueError: names the invalid part.
    """
    arguments, read, parts = signature(player).parameters, dict[str, Any](), parts_of(text)
    first, colon, rest = text.partition(":")
    if "simulations" in arguments and "=" not in first:
        read = Budget.read(first)._asdict()
        parts = parts_of(rest) if colon else []
    for part in parts:
        name, _, value = part.partition("=")
        if name not in player.settings:
            allowed = ", ".join(f"{each}=…" for each in player.settings)
            wrong = brief(part)
            raise ValueError(f"{player.kind} takes {allowed}, separated by colons, not {wrong}")
        read[name] = _value_in(value, arguments[name], player.kind)
    return read


def _value_in(text: str, argument: Parameter, kind: str) -> Any:
    """The value that a text states for an argument, by its annotation."""
    if argument.annotation.startswith("str"):
        return text
    whole = argument.annotation.startswith("int")
    may_end = "None" in argument.annotation and argument.default is not None
    if may_end and text == TO_THE_END:
        return None
    try:
        return int(text) if whole else float(text)
    except ValueError:
        words = ("an integer" if whole else "a number") + f" or {TO_THE_END}" * may_end
        raise ValueError(f"{argument.name} of {kind} must be {words}, not {brief(text)}") from None


def unusual(player: Any, **arguments: Any) -> str:
    """The settings that differ from the defaults, as :func:`read_settings` reads them."""
    usual = signature(player).parameters
    return "".join(
        f":{name}={_text_of(value)}"
        for name, value in arguments.items()
        if value != usual[name].default
    )


def _text_of(value: Any) -> str:
    if value is None:
        return TO_THE_END
    return f"{value:g}" if isinstance(value, int | float) else str(value)
