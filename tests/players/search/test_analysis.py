"""Analyses grow, list a good move first, and stop at once."""

from itertools import islice

import pytest

from pasgl_env import Position, solve
from pasgl_env.players.search import analysis as module
from pasgl_env.players.search.analysis import Basis, analyse
from pasgl_env.players.values.calibration import UNCALIBRATED, Calibration, ValueCurve

from ...games.pasgl312.positions import place as pasgl

HIGH = Calibration(ValueCurve(1e9, 1.0), ValueCurve(1e9, 1.0))


def test_grows_and_finds_the_win():
    position = Position.from_text("pasgl312", pasgl("Ha4 ba6"))
    text = position.text
    early, *_, late = islice(analyse(position, seed=1), 5)
    assert late.visits > early.visits
    assert late.lines[0].label == "Ha4:a6"
    assert late.expected[0] == "Ha4:a6"
    assert late.value > 0.9
    assert {line.label for line in late.lines} == set(position.legal_moves())
    assert position.text == text


def test_tells_what_it_expects_by_legal_moves():
    position = Position("spalding")
    *_, analysis = islice(analyse(position, seed=1), 8)
    for label in analysis.expected:
        position.play(label)
    assert len(analysis.expected) >= 3


def test_ends_where_nothing_is_to_choose():
    text = "R@,Ea6:0,H*,S*/Rg1:0,E*,H*,S* black 4 i 0"
    position = Position.from_text("pachessi", text)
    assert len(position.legal_moves()) == 1
    (only,) = analyse(position)
    assert [line.label for line in only.lines] == position.legal_moves()


def test_refuses_chance_and_finished_games():
    with pytest.raises(ValueError, match="dice are due"):
        analyse(Position("pachessi"))
    over = Position.from_text("pasgl312", pasgl("Ha4 ba6")).play("Ha4:a6")
    with pytest.raises(ValueError, match="over"):
        analyse(over)


def test_a_table_is_looked_up_where_it_has_the_position():
    table = solve("chieftain", setup="cm2/4/4/3C")
    other = table.ruleset.changed(command_range=2)
    position = Position(table.ruleset)
    assert next(analyse(Position(other), tables=[table], every=0.01)).basis != Basis.EXACT
    (exact,) = analyse(position, tables=[table])
    assert exact.basis == Basis.EXACT and exact.value == -1.0
    assert {line.label for line in exact.lines} == set(position.legal_moves())
    for label in exact.expected:
        position.play(label)
    assert position.returns == (-1.0, 1.0)
    assert position.turns == table.exact(0).turns == 8


@pytest.mark.parametrize(("known", "basis"), [(UNCALIBRATED, "uncalibrated"), (HIGH, "calibrated")])
def test_values_are_calibrated_where_they_were_measured(monkeypatch, known, basis):
    monkeypatch.setattr(module, "calibration_of", lambda ruleset: known)
    position = Position.from_text("pasgl312", pasgl("Ha4 ba6 pg7"))
    reports = analyse(position, seed=1, every=0.001)
    found = next(report for report in reports if report.visits)  # before, no values may be known
    assert found.basis == basis
    assert all(abs(line.value) == 1 for line in found.lines) == (known is HIGH)
