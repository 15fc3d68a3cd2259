"""Runs that are started, or gone on with, to their end."""

import signal

import pytest

from pasgl_env.storage.files import write_whole
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


@pytest.mark.parametrize("algorithm", SMALL)
def test_a_run_that_was_cut_off_in_its_first_save_goes_on(tmp_path, algorithm, monkeypatch):
    """By a full disk, or by being killed, between the two files."""
    if algorithm == "ppo":
        pytest.importorskip("sb3_contrib")
    saves = {"td": "pasgl_env.training.td.run", "ppo": "pasgl_env.players.networks.checkpoint"}
    written = list[str]()

    def full(file, content, *more):
        if file.suffix in (".pt", ".safetensors") and file.parent.name == "run":
            written.append(file.name)
            if len(written) == 2:
                raise OSError("no space left")
        write_whole(file, content, *more)

    with monkeypatch.context() as disk:
        disk.setattr(f"{saves[algorithm]}.write_whole", full)
        with pytest.raises(OSError, match="no space left"):
            start_or_resume(SMALL[algorithm], tmp_path / "run", lambda status: None)
    assert len(written) == 2
    assert start_or_resume(SMALL[algorithm], tmp_path / "run", lambda status: None).progress == 1
    assert {*written} <= {file.name for file in (tmp_path / "run").iterdir()}
