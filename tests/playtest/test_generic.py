from pathlib import Path

import pytest

from pasgl_env.playtest.generic import COUNTERS

PAGE = Path(__file__).parents[2] / "docs" / "playtest.md"


@pytest.mark.parametrize("counter", COUNTERS[1:], ids=lambda counter: counter.name)
def test_the_page_has_every_definition(counter):
    (line,) = [
        line for line in PAGE.read_text().splitlines() if line.startswith(f"| `{counter.name}`")
    ]
    _, name, definition, unit, _ = (cell.strip() for cell in line.split("|"))
    assert name == f"`{counter.name}`{' by seat' if counter.axes else ''}"
    assert definition == counter.definition
    assert unit == counter.measured_in(next(each for each in COUNTERS if each.name == counter.per))


def test_names_are_different():
    assert len({counter.name for counter in COUNTERS}) == len(COUNTERS)
