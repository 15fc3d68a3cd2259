"""The Tab key, once ``pasgl --install-completion`` has been run."""

import pytest

from .runner import run


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("pasgl pla", ["play", "playtest"]),
        ("pasgl play grand", ["grand_pachessi"]),
        ("pasgl draw spa", ["spalding"]),
        ("pasgl watch pasgl312 gr", ["greedy"]),
        ("pasgl evaluate pasgl312 greedy p", ["ppo"]),
    ],
)
def test_it_offers_commands_variants_and_players(monkeypatch, typed, offered):
    monkeypatch.setenv("_PASGL_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split()) - 1))
    assert run().stdout.split() == offered
