"""Numba's settings, cache and atomics, and signals around compiled code. Knows no game."""
