"""A search for a ruling's number finds the page, the rule and the test."""

import re
from pathlib import Path

import pytest

import pasgl_env.games

PACKAGE, TESTS = Path(pasgl_env.games.__file__).parent, Path(__file__).parent
GAMES = sorted(page.parent.name for page in PACKAGE.glob("*/rules.md"))


def cited(folder: Path) -> set[int]:
    text = "\n".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
    cites = re.findall(r"Rulings? (\d+)(?: and (\d+))?", text)
    return {int(number) for pair in cites for number in pair if number}


@pytest.mark.parametrize("game", GAMES)
def test_every_ruling_is_cited_in_the_rules_and_in_the_tests(game):
    page = (PACKAGE / game / "rules.md").read_text(encoding="utf-8")
    rulings = [int(number) for number in re.findall(r"^- \*\*Ruling (\d+)\.", page, re.MULTILINE)]
    assert rulings == list(range(1, len(rulings) + 1)) != []
    assert cited(PACKAGE / game) == set(rulings)
    assert cited(TESTS / game) == set(rulings)
