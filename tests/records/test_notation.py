"""Properties of all games' notations."""

from __future__ import annotations

from itertools import islice
from random import Random
from time import perf_counter

import pytest

from pasgl_env import Position
from pasgl_env.records import notation
from pasgl_env.records.notation import NotationError

from ..suites import SUITES
from .turns import complete_turns, refusal, turns_of

over_games = pytest.mark.parametrize("game", ["spalding", "chieftain", "pachessi"])


@over_games
def test_every_turn_is_read_as_it_was_written(game):
    for turn in turns_of(SUITES[game], 1, 16, 40):
        word = notation.write(turn)
        assert word.split() == [word]
        assert notation.read(turn.before, word) == turn.labels, (turn.before, word)
        assert notation.remarks(turn) == notation.columns(turn.before) == ()
        assert not notation.is_remark(turn.before, word)


@over_games
def test_hyphens_can_be_left_out(game):
    for turn in turns_of(SUITES[game], 2, 8, 40):
        word = notation.write(turn).replace("-", "")
        assert notation.read(turn.before, word) == turn.labels, (turn.before, word)


@over_games
def test_all_complete_turns_of_a_position_have_different_words(game):
    for turn in islice(turns_of(SUITES[game], 3, 8, 40), 0, None, 25):
        turns = islice(complete_turns(turn.before), 200)
        words = [notation.write(each) for each in turns]
        assert len(set(words)) == len(words)


@over_games
def test_a_damaged_word_is_read_or_refused(game):
    rng = Random(4)
    for turn in islice(turns_of(SUITES[game], 4, 8, 40), 0, None, 5):
        word = notation.write(turn)
        for _ in range(5):
            at = rng.randrange(len(word))
            sign = rng.choice([word[at - 1], *"-x,;:/()@19aCRoff", ""])
            damaged = word[:at] + sign + word[at + 1 :]
            try:
                labels = notation.read(turn.before, damaged)
            except NotationError as error:
                assert 0 <= error.column <= len(damaged)
            else:
                assert len(labels) > 0


@over_games
@pytest.mark.parametrize(
    "sign", ["-", ",", ";", "/", "(", "1", "R", "x", "e2", "Re2-e3,", "6:Ra7-a6;", "\u0661", "\0"]
)
def test_a_word_of_a_million_characters_is_refused_at_once(game, sign):
    position = Position(game)
    start = perf_counter()
    refusal(position, sign * (10**6 // len(sign)))
    assert perf_counter() - start < 1


@over_games
def test_no_word_is_empty(game):
    refusal(Position(game), "")


OVER = {
    "spalding": "8/8/8/8/8/8/8/7X b - 7",
    "chieftain": "c15/16/16/16/16/16/16/16/16/16/16/16 w 0 9",
    "pachessi": "R*,E*,H*,S*/R@,E@,H@,S@ black - i 4",
}


@over_games
def test_nothing_is_played_after_the_end(game):
    error = refusal(Position.from_text(game, OVER[game]), "pass")
    assert "end of the game" in str(error)


@pytest.mark.parametrize("nothing", [None, 7, b"e4", ["e4"]], ids=str)
def test_what_is_no_text_is_no_turn(nothing):
    with pytest.raises(NotationError, match="a turn must be a str"):
        notation.read(Position("spalding"), nothing)
