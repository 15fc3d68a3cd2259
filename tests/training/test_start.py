"""Runs that are started, or gone on with, to their end."""

import signal

import pytest

from pasgl_env.training.settings import PpoSettings, TdSettings
from pasgl_env.training.start import start_or_resume

SMALL = {
    "td": TdSettings("pachessi", minutes=None, steps=4_000, seed=1, threads=1),
    "ppo": PpoSettings(
        "pachessi",
        minutes=None,
        steps=512,
        seed=1,
        threads=1,
        games=4,
        layers="dense",
        width=8,
        imitation=0,
        evaluations=0,
    ),
}


@pytest.mark.parametrize("algorithm", SMALL)
def test_an_interrupted_run_does_not_count_as_finished_and_goes_on(tmp_path, algorithm):
    if algorithm == "ppo":
        pytest.importorskip("sb3_contrib")

    def interrupt(status):
        if 0 < status.progress < 1:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        start_or_resume(SMALL[algorithm], tmp_path / "run", interrupt)
    status = start_or_resume(SMALL[algorithm], tmp_path / "run", lambda status: None)
    assert status.progress == 1
