"""Histograms of lengths: exact below 128, then with 128 bins per octave."""

from __future__ import annotations

import numpy as np

_FINE = 128
_OCTAVES = 20
BINS = _FINE * (1 + _OCTAVES)
"""Number of bins: one for each length from 0 to 127, then 128 per octave."""


def histogram(lengths: np.ndarray) -> np.ndarray:
    """Count the lengths in each bin: ``int64[BINS]``."""
    return np.bincount(bins_of(lengths), minlength=BINS)


def bins_of(lengths: np.ndarray) -> np.ndarray:
    """The bin of each length: ``int64[n]``.

    >>> bins_of(np.array([0, 127, 128, 255, 256, 257, 258]))
    array([  0, 127, 128, 255, 256, 256, 257])
    """
    octaves = np.maximum(np.frexp(lengths)[1] - _FINE.bit_length() + 1, 0)
    within = np.asarray(lengths, np.int64) >> np.maximum(octaves - 1, 0)
    return np.minimum(within + _FINE * np.maximum(octaves - 1, 0), BINS - 1)


def first_of_bin(number: int) -> int:
    """The smallest length in a bin.

    >>> [first_of_bin(number) for number in (0, 127, 128, 255, 256, 257)]
    [0, 127, 128, 255, 256, 258]
    """
    octave = max(number // _FINE - 1, 0)
    return (number - _FINE * octave) << octave
