"""A stranger's game with drops, promotion by choice, castling and captures in a row."""

import builtins

import pytest

from pasgl_env import Position
from pasgl_env.cli.play import TerminalGame
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.dice import Dice
from pasgl_env.jit.compiled import JIT
from pasgl_env.testing import check_game

from .pocket import GAME, TEXTS

RULES = Ruleset.of(GAME, {})


@pytest.mark.skipif(JIT, reason="a game outside the table of variants is checked as plain Python")
def test_it_keeps_the_contract():
    check_game(GAME, seconds=5)


@pytest.mark.parametrize(
    ("text", "typed", "answer", "label"),
    [
        (TEXTS["promotion"], "a4a5", "Pa4-a5=R  Pawn a4 to a5, now a Rook", "Pa4-a5=R"),
        (TEXTS["two ways"], "c1c5", "Jc1-e3-c5  Jumper c1 by e3 to c5", "Jc1-e3-c5"),
        (TEXTS["castling"], "c1e1", "Last turn: O-O", None),
        (TEXTS["hand"], "r*c3", "Last turn: R*c3", None),
    ],
)
def test_in_the_terminal_squares_that_mean_several_actions_are_asked_about(
    text, typed, answer, label, monkeypatch, capsys
):
    lines = iter(filter(None, (typed, label, "board", "quit")))
    monkeypatch.setattr(builtins, "input", lambda prompt: next(lines))
    TerminalGame(Position.from_text(RULES, text), {0, 1}, None, Dice(1)).run()
    said = capsys.readouterr().out
    assert answer in said
    assert ("Which?" in said) == (label is not None)
    if label:
        assert f"Last turn: {label}" in said
