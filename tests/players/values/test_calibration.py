"""Curves keep order and certainty, and hold for the weights that they were measured with only."""

import json

import numpy as np
import pytest

from pasgl_env import variants
from pasgl_env.players.values import calibration as module
from pasgl_env.players.values.calibration import (
    UNCALIBRATED,
    Calibration,
    ValueCurve,
    calibrated,
    calibration_of,
    write_calibration,
)
from pasgl_env.players.values.weights import SHIPPED


@pytest.mark.parametrize("curve", [ValueCurve(2.0, 1.4), ValueCurve(0.5, 0.7, 0.6)])
def test_a_curve_is_monotone_and_treats_both_sides_alike(curve):
    values = np.linspace(-1, 1, 41).tolist()
    found = [calibrated(value, curve) for value in values]
    assert found == sorted(found)
    assert found == pytest.approx([-value for value in reversed(found)])
    assert (found[0], found[20], found[-1]) == (-1, 0, 1)
    assert np.isnan(calibrated(float("nan"), curve))


def test_a_calibration_holds_for_its_weights_and_for_options_that_do_not_matter(
    tmp_path, monkeypatch
):
    file = tmp_path / "own.safetensors"
    monkeypatch.setattr(module, "shipped_file", lambda ruleset: file)
    calibration_of.cache_clear()
    ruleset = variants.ruleset("pachessi")
    assert calibration_of(ruleset) == UNCALIBRATED
    own = Calibration(ValueCurve(2.0, 1.0), ValueCurve(1.5, 1.2))
    written = write_calibration(ruleset, own)
    calibration_of.cache_clear()
    assert calibration_of(ruleset) == calibration_of(ruleset.changed(turn_limit=50)) == own
    content = json.loads(written.read_bytes())
    written.write_text(json.dumps({**content, "weights": "0" * 64}))
    calibration_of.cache_clear()
    assert calibration_of(ruleset) == UNCALIBRATED
    calibration_of.cache_clear()


def test_every_calibration_that_comes_with_the_package_has_its_weights():
    for file in SHIPPED.glob("*.calibration.json"):
        assert file.with_name(file.name.replace(".calibration.json", ".safetensors")).exists()
