"""Learned values as results that strong players get: what people are shown.

``python -m studies.calibration`` measures them in self-play of a search, and writes a file beside
the weights of each variant. It holds for these weights only.

>>> curve = ValueCurve(scale=2.0, power=1.0)
>>> round(calibrated(0.5, curve), 2), calibrated(1.0, curve)
(0.8, 1.0)
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.jit.compiled import rule
from pasgl_env.players.values.weights import checksum_of, shipped, shipped_file
from pasgl_env.storage.files import json_bytes, write_whole

_CERTAIN = 1 - 1e-12


class ValueCurve(NamedTuple):
    """A monotone map of values, an odd power of their logits.

    Attributes:
        scale: of the logit; above 0.
        power: of its size; above 0.
        most: the largest size of a value that is not certain, 1 at most: where games are cut off,
            whoever is far ahead does not always win.
    """

    scale: float
    power: float
    most: float = 1.0


RAW = ValueCurve(1.0, 1.0)
"""The curve that changes nothing."""


class Calibration(NamedTuple):
    """The curves of a variant's values.

    Attributes:
        td: of the values that ``td`` plays by.
        search: of those that a search finds.
        is_measured: whether they were measured with the weights; otherwise they change nothing.
    """

    td: ValueCurve
    search: ValueCurve
    is_measured: bool = True


UNCALIBRATED = Calibration(RAW, RAW, is_measured=False)


@rule
def calibrated(value: float, curve: ValueCurve) -> float:
    """The expected result, from -1 to 1, in positions of a value; wins and losses stay so."""
    if not abs(value) < _CERTAIN:  # or it is not a number
        return value
    size = curve.most * np.tanh(0.5 * curve.scale * abs(2 * np.arctanh(value)) ** curve.power)
    return size if value > 0 else -size


@lru_cache(maxsize=32)
def calibration_of(ruleset: Ruleset) -> Calibration:
    """The calibration of the values that players use under a ruleset, if they name no others."""
    network, file = shipped(ruleset), shipped_file(ruleset)
    if network is None or file is None or not (own := _file_of(file)).exists():
        return UNCALIBRATED
    content = json.loads(own.read_bytes())
    if content["weights"] != checksum_of(network):
        return UNCALIBRATED
    return Calibration(ValueCurve(*content["td"]), ValueCurve(*content["search"]))


def write_calibration(ruleset: Ruleset, calibration: Calibration) -> Path:
    """Write the calibration of a ruleset's shipped values beside them; return the file.

    Raises:
        ValueError: if no values are shipped for the ruleset.
    """
    network, file = shipped(ruleset), shipped_file(ruleset)
    if network is None or file is None:
        raise ValueError(f"no values of {ruleset} are shipped")
    content = {
        "weights": checksum_of(network),
        "td": calibration.td,
        "search": calibration.search,
    }
    write_whole(_file_of(file), json_bytes(content))
    return _file_of(file)


def _file_of(weights: Path) -> Path:
    return weights.with_suffix(".calibration.json")
