"""Rules under which nobody can begin are refused by all that plays, before anything is written."""

from pathlib import Path
from typing import Any

import gymnasium
import pytest

import pasgl_env
from pasgl_env import Batch, variants
from pasgl_env.games.spalding.options import OPTIONS

EMPTY: dict[str, Any] = {
    each.name: False for each in OPTIONS if each.name.startswith(("box_", "pajama_", "great_"))
}


def playtest(folder):
    pytest.importorskip("scipy")
    from pasgl_env.playtest.play import Plan
    from pasgl_env.playtest.run import run

    run(Plan.of("spalding", ("random", "random"), **EMPTY), 2, folder)


def learn(folder):
    pytest.importorskip("scipy")
    from pasgl_env.training.settings import TdSettings
    from pasgl_env.training.td.run import train

    train(TdSettings("spalding", games=2, options=EMPTY), folder)


PLAYING = {
    "batch": lambda folder: Batch("spalding", 1, **EMPTY),
    "pettingzoo": lambda folder: pasgl_env.make("spalding", **EMPTY),
    "gymnasium": lambda folder: gymnasium.make("pasgl_env/Spalding-v0", **EMPTY),
    "playtest": playtest,
    "learn": learn,
}


@pytest.mark.parametrize("what", PLAYING)
def test_who_cannot_begin_is_told_so(what, tmp_path):
    folder: Path = tmp_path / "run"
    with pytest.raises(ValueError, match="no action is legal at the start: choose other options"):
        PLAYING[what](folder)
    assert not folder.exists() or {each.name for each in folder.iterdir()} <= {".lock"}


def test_one_find_is_enough_to_begin():
    assert len(EMPTY) == 8
    for name in EMPTY:
        assert Batch(variants.ruleset("spalding", **{**EMPTY, name: True}), 1).legal_count.all()
