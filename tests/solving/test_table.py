"""Files of tables, and what they refuse."""

import pickle
from copy import deepcopy

import numpy as np
import pytest

from pasgl_env import Position, solve
from pasgl_env.solving import ValueTable
from pasgl_env.solving.loops import MISSING


@pytest.fixture(scope="module")
def table():
    return solve("chieftain", setup="c3/4/4/3C")


def test_a_table_is_read_as_it_was_written(table, tmp_path):
    table.save(tmp_path / "kings.npz")
    again = ValueTable.load(tmp_path / "kings.npz")
    assert again.ruleset == table.ruleset
    assert np.array_equal(again.values, table.values)
    assert np.array_equal(again.turns, table.turns)
    for number in (0, len(table) // 2, len(table) - 1):
        position = table.position(number)
        assert again.value(position) == table.exact(number)


@pytest.mark.parametrize("array", ["start", "bytes", "positions", "values", "turns"])
def test_a_damaged_table_is_refused(table, tmp_path, array):
    file = tmp_path / "kings.npz"
    table.save(file)
    with np.load(file) as stored:
        arrays = dict(stored)
    arrays[array] = arrays[array].copy()
    arrays[array].flat[0] ^= 1
    np.savez(file, **arrays)
    with pytest.raises(ValueError, match=r"kings\.npz is not a table .*: its checksum is wrong"):
        ValueTable.load(file)


@pytest.mark.parametrize("name", ["values", "turns", "errors"])
@pytest.mark.parametrize("copied", [deepcopy, lambda table: pickle.loads(pickle.dumps(table))])
def test_no_copy_of_a_table_can_be_written_to(table, copied, name):
    with pytest.raises(ValueError, match="read-only"):
        getattr(copied(table), name)[:] = 0


def test_other_rules_are_refused(table):
    with pytest.raises(ValueError, match="command_range=3, but this game has command_range=2"):
        table.value(Position(table.ruleset.changed(command_range=2)))
    with pytest.raises(ValueError, match="a table of chieftain, not of spalding"):
        table.value(Position("spalding"))


def test_the_turn_limit_does_not_matter(table):
    assert table.value(Position(table.ruleset.changed(turn_limit=7))) == table.exact(0)


def test_choices_are_those_of_a_position_in_the_table_and_of_no_other(table):
    assert table.choices(table.position(0))
    other = solve("chieftain", setup="cc2/4/4/2CC")
    with pytest.raises(ValueError, match="setup"):
        table.choices(other.position(0))
    part = solve("chieftain", "4/4/1c2/3C w 0 0", setup="cc2/4/4/2CC")
    with pytest.raises(ValueError, match="does not have the position 'cc2/4/4/2CC w"):
        part.choices(other.position(0))


@pytest.mark.parametrize("number", [MISSING, 10**6])
def test_numbers_of_no_position_are_refused(table, number):
    with pytest.raises(IndexError, match="positions have numbers from 0 to"):
        table.exact(number)
