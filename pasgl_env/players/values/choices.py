"""Choosing by value: the best choice, or one drawn by its value."""

from __future__ import annotations

import numpy as np

from pasgl_env.engine.loops import random_bits
from pasgl_env.jit.compiled import rule


@rule
def best_choice(values: np.ndarray, count: int, generators: np.ndarray, row: int) -> int:
    """One of the best choices, uniformly."""
    best, equal = 0, 1
    for number in range(1, count):
        if values[number] > values[best]:
            best, equal = number, 1
        elif values[number] == values[best]:
            equal += 1
            if random_bits(generators, row) * equal < 2**32:
                best = number
    return best


@rule
def soft_choice(
    values: np.ndarray, count: int, temperature: float, generators: np.ndarray, row: int
) -> int:
    """A choice drawn by its value, from Boltzmann's distribution."""
    highest, total = -np.inf, 0.0
    for number in range(count):
        highest = max(highest, values[number])
    for number in range(count):
        total += np.exp((values[number] - highest) / temperature)
    rest = random_bits(generators, row) * 2.0**-32 * total
    for number in range(count):
        rest -= np.exp((values[number] - highest) / temperature)
        if rest < 0.0:
            return number
    return count - 1


@rule
def draw_choice(
    values: np.ndarray, count: int, temperature: float, generators: np.ndarray, row: int
) -> int:
    """A choice drawn by its value; without a temperature, one of the best."""
    if temperature > 0.0:
        return soft_choice(values, count, temperature, generators, row)
    return best_choice(values, count, generators, row)
