"""Lawson's notation of PASGL 312 Chess."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

from pasgl_env import Position
from pasgl_env.games.pasgl312.board import SQUARES
from pasgl_env.games.pasgl312.state import SIDE_MASK
from pasgl_env.records import notation
from pasgl_env.records.notation import NotationError
from pasgl_env.records.notation.pasgl312.happening import happening, places_in
from pasgl_env.records.notation.pasgl312.word import LONGEST, Mention, parse
from pasgl_env.records.turn import Turn, complete_turns

from ... import steering
from ...games.pasgl312.positions import place
from ...suites import SUITES


def at(critters: str, **rest) -> Position:
    return Position.from_text("pasgl312", place(critters, **rest))


def played(before: Position, *labels: str) -> Turn:
    turn = Turn.begin(before)
    for label in labels:
        turn = turn.play(label)
    return turn


def turns_of(seed: int, number: int, most_actions: int) -> Iterator[Turn]:
    """The complete turns of steered random games."""
    turn = None
    for position, action in steering.games(SUITES["pasgl312"], seed, number, most_actions):
        if turn is None or turn.is_complete or turn.after.text != position.text:
            turn = Turn.begin(position)
        if action is None:
            turn = None
            continue
        turn = turn.play(position.label(action))
        if turn.is_complete:
            yield turn


def test_every_turn_is_read_as_it_was_written():
    for turn in turns_of(1, 60, 60):
        word = notation.write(turn)
        assert len(word) < LONGEST
        assert not set(word) & set(" \t\n")
        assert notation.read(turn.before, word) == turn.labels, turn.before.text
        assert not notation.is_remark("pasgl312", word)
        for remark in " ".join(notation.remarks(turn)).split():
            assert notation.is_remark("pasgl312", remark)
            with pytest.raises(NotationError):
                notation.read(turn.before, remark)


def test_all_complete_turns_of_a_position_have_different_words():
    for turn in islice(turns_of(2, 30, 60), 0, None, 40):
        # Of the many ways to displace three critters or more, a few hundred.
        turns = islice(complete_turns(turn.before, lambda turn, label: True), 300)
        words = [notation.write(each) for each in turns]
        assert len(set(words)) == len(words)


def test_what_happens_is_what_the_rules_do():
    """White's turns, after which the Train stays: everything that changes is told of."""
    kinds = set()
    for turn in turns_of(3, 60, 60):
        before, after = turn.before.state[0], turn.after.state[0]
        done = happening(turn.before, turn.labels)
        if before.mover == 1 or done is None:
            continue
        assert done.places == places_in(after)
        moved = {done.actor} if done.places.get(done.actor) == done.target else set()
        indoors = {each for each, place in done.places.items() if place >= SQUARES - 4}
        stinky = (members(before.stinky) - moved - indoors) | done.sprayed
        assert stinky & done.places.keys() == members(after.stinky)
        lost = members(after.lunchless) - members(before.lunchless)
        assert lost - done.sprayed <= {done.victim}
        kinds |= {bool(done.squashed), bool(done.run_over) * 2, bool(done.sprayed) * 4}
    assert kinds == {0, 1, 2, 4}


def members(critters: int) -> set[int]:
    return {critter for critter in range(32) if int(critters) >> critter & 1}


def test_the_trains_word_tells_whom_it_runs_over():
    told = 0
    for turn in turns_of(4, 40, 60):
        remarks = notation.remarks(turn)
        if turn.before.to_move == 0 or not remarks[0]:
            continue
        state, after = turn.before.state[0], turn.after.state[0]
        done = happening(turn.before, turn.labels)
        alive = done.places if done else places_in(state)
        run_over = alive.keys() - places_in(after).keys()
        effects = remarks[0].split(";")[0].split("*")[0].partition("_")[2]
        assert len([each for each in effects.split(",") if each]) == len(run_over)
        told += len(run_over)
    assert told > 5


# Words and what they stand for: a position in words, what is played there, and its word.
WRITTEN = {
    "a move": ("Te3", "Te3e4", "Te3e4"),
    "a stinky, lunchless critter": ("*-We3", "*-We3e4", "We3e4"),
    "a stinky Turkey beside another": ("Te3 *Te3", "*Te3e4", "*Te3e4"),
    "the other one": ("Te3 *Te3", "Te3e4", "Te3e4"),
    "a shot": ("He4 de7", "He4:e7", "He4:de7"),
    "one of two Turkeys shot": ("He4 te7 *te7", "He4:e7 *t", "He4:*te7"),
    "a Skunk shot": ("He4 se7 Df6 *Tb1", "He4:e7", "He4:se7*Df6"),
    "lunch stolen by a Deer": ("Df1 fd5", "Df1d5", "Df1d5-f"),
    "Shrews squashed by a Deer": ("Df1 fd5 pd5 Pd5", "Df1d5", "Df1d5:P,p-f"),
    "Shrews not squashed in a terminal": ("Dg2 pz4 px4", "Dg2x4", "Dg2x4"),
    "a Skunk robbed": ("Df1 sd5 Td6", "Df1d5", "Df1d5-s*Dd5,Td6"),
    "lunch stolen by a Fox": ("Fc1 wb2 tb2", "Fc1b2 w", "Fc1b2-w"),
    "a Woodchuck devoured": ("Fc1 -wb2", "Fc1b2", "Fc1b2:-w"),
    "a stinky Woodchuck devoured": ("Fc1 *-wb2", "Fc1b2", "Fc1b2:-w"),
    "a Turkey devoured": ("Fc1 wb2 tb2", "Fc1b2 t", "Fc1b2:t"),
    "a Skunk devoured": ("Fc1 -sb2 Ta1 Wb3", "Fc1b2", "Fc1b2:-s,F*Wb3,Ta1"),
    "a chuck": ("Wg6 hd3", "Wg6^d3", "Wg6^d3-h"),
    "a lunchless Skunk hit": ("Wg6 -sd3 Tc4", "Wg6^d3", "Wg6^d3-s*Tc4"),
    "the sprayed, in stack order": (
        "Wg6 sd3 Me4 Te4 Tc4 *De3 he3 Pe4",
        "Wg6^d3",
        "Wg6^d3-s*De3,Tc4,Te4,Me4,Pe4",
    ),
    "displaced and squashed": ("Be1 pd2 fd2 Wd2", "Be1d2 Wc3 fe3", "Be1d2_p,Wc3,fe3"),
    "displaced only": ("Be1 fd2", "Be1d2 fe3", "Be1d2,fe3"),
    "squashed only": ("Be1 Pd2 pd2", "Be1d2", "Be1d2_P,p"),
    "displaced Turkeys, the stinky one named": (
        "Be1 *Td2 Td2",
        "Be1d2 Tc1 *Te3",
        "Be1d2,Tc1,*Te3",
    ),
    "displaced under the Train, a Skunk among them": (
        "Be2 sd3 Fd3 Hc3 *Te5",
        "Be2d3 Fe2 se4",
        "Be2d3,Fe2,se4_*Bd3,Te5",
        {"phase": 6},
    ),
    "both Skunks under the Train": (
        "Bc2 sd3 Sd3 tc5 Wf5",
        "Bc2d3 Sd4 se4",
        "Bc2d3,Sd4_,se4_*Bd3,Wf5,tc5",
        {"phase": 6},
    ),
    "a Skunk under the Train with a victim of its own": (
        "Be2 sd3 Fd3",
        "Be2d3 Fd4 se4",
        "Be2d3,Fd4_,se4_*Bd3",
        {"phase": 6},
    ),
    "displaced into a terminal with the Train": (
        "Bg3 Th3",
        "Bg3h3 Tx4",
        "Bg3h3,Tx4",
        {"phase": 1},
    ),
    "a pass": ("Be1 Pd1 Pd2 Pe2 Pf1 Pf2", "pass", "pass", {"stuck": True}),
}
