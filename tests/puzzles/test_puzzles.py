"""Puzzles: every solution can be played, and only it is accepted; a search finds them again."""

from __future__ import annotations

import pytest

from pasgl_env import Position, puzzles, solve
from pasgl_env.lessons import Verdict
from pasgl_env.puzzles import Proof
from pasgl_env.puzzles.mining import FEWEST_CHOICES, REST, drawn, mined


@pytest.mark.parametrize("variant", puzzles.available())
def test_every_solution_is_accepted_and_nothing_else_is(variant):
    for puzzle in puzzles.load(variant):
        start = puzzle.start()
        moves = start.legal_moves()
        assert start.text == puzzle.text
        assert len(moves) >= FEWEST_CHOICES
        assert puzzle.attempt(puzzle.solution).verdict == Verdict.DONE
        other = next(label for label in moves if label != puzzle.solution[0])
        assert puzzle.attempt([other]).verdict == Verdict.WRONG


def test_a_file_is_read_as_it_was_written_without_duplicates():
    for variant in puzzles.available():
        known = puzzles.load(variant)
        assert puzzles.read(variant, puzzles.written(reversed(known))) == known
        assert len({each.text for each in known}) == len(known)


def test_what_a_table_proves_agrees_with_its_values():
    start = "R*,E*,H*,Sd7:0/R*,E*,H*,Sd1:0 black - i 20"
    table = solve("pachessi", start)
    found = mined(table.ruleset, next(drawn(table, seed=1)), table)
    assert found and all(each.proof == Proof.TABLE for each in found)
    for puzzle in found:
        position = Position.from_text(table.ruleset, puzzle.text)
        values = {
            position.label(action): exact.returns[position.to_move or 0]
            for action, exact in table.choices(position)
        }
        assert values.pop(puzzle.solution[0]) == pytest.approx(1)
        assert max(values.values()) <= REST


def test_a_position_is_a_puzzle_only_if_one_action_wins():
    # A win at once: no learned values matter to it.
    known = next(
        each
        for each in puzzles.load("pasgl312")
        if each.attempt(each.solution).positions[-1].is_over
    )
    start, usual = known.start(), Position("pasgl312")
    (found,) = (
        each for position in (start, usual) for each in mined(start.ruleset, position.state)
    )
    assert (found.text, found.solution) == (known.text, known.solution)
