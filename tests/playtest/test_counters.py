"""What holds for the counters of all games, and their page of the documentation."""

from pathlib import Path

import pytest

from pasgl_env import variants
from pasgl_env.contract import parts
from pasgl_env.playtest import generic

from ..suites import SUITES

PAGE = Path(__file__).parents[2] / "docs" / "measures.md"
RESERVED = {"measure", "value", "low", "high", "total"}

games = pytest.mark.parametrize("game", SUITES)


def counters_of(game):
    return parts.counters(variants.find(game)).COUNTERS


@games
def test_names_are_those_of_columns(game):
    names = [counter.name for counter in (*generic.COUNTERS, *counters_of(game))]
    assert len(set(names)) == len(names)
    axes = {axis for counter in counters_of(game) for axis in counter.axes}
    assert len({axis.name for axis in axes}) == len(axes)
    for name in (*names, *(axis.name for axis in axes)):
        assert name.isidentifier()
        assert name not in RESERVED


@games
def test_every_counter_is_under_one_heading(game):
    own = parts.counters(variants.find(game))
    assert not generic.SECTIONS.keys() & own.SECTIONS.keys()
    names = [name for each in own.SECTIONS.values() for name in each.split()]
    assert sorted(names) == sorted(counter.name for counter in own.COUNTERS)
    names = [name for each in generic.SECTIONS.values() for name in each.split()]
    quantiles = [name for name in names if name.endswith(("_median", "_5th", "_95th"))]
    assert sorted(names) == sorted([*(counter.name for counter in generic.COUNTERS), *quantiles])


@games
def test_people_read_words(game):
    counters = {each.name: each for each in (*generic.COUNTERS, *counters_of(game))}
    assert len({each.heading for each in counters_of(game)}) == len(counters_of(game))
    for counter in counters.values():
        phrase = counter.measured_in(counters[counter.per])
        assert "_" not in counter.heading + phrase
        _, _, divisor = phrase.partition(" per ")
        assert " per " not in divisor
        assert not divisor.endswith("s")


@games
def test_a_definition_is_one_sentence(game):
    for counter in counters_of(game):
        assert counter.definition[0].isupper()
        assert counter.definition.endswith(".")
        assert ". " not in counter.definition


@games
def test_the_page_has_the_counters_of_the_game_in_order(game):
    sections = PAGE.read_text().split("\n## ")
    section = next(text for text in sections if f"games/{game}/rules.md" in text)
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    assert rows == [row_of(counter) for counter in counters_of(game)]


def row_of(counter):
    """The line of a counter in the page's table."""
    axes = ", ".join(axis.name for axis in counter.axes) or "–"
    return f"| `{counter.name}` | {counter.definition} | {axes} | `{counter.per}` |"
