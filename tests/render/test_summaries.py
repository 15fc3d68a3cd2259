"""Properties of all games' summaries."""

import pytest

from pasgl_env import Position, render, variants

PAGES = [
    ("spalding", {}),
    ("spalding", {"box_crumb": False, "pajama_lint": False, "great_bunny": False}),
    ("spalding", {"white_box": "W", "black_finds": "-"}),
    ("pachessi", {}),
    ("pachessi", {"players": 4}),
    ("pachessi", {"size": 26, "hole": 22, "elephant_range": 1}),
    ("pachessi", {"size": 5, "hole": 1, "grand": True}),
    ("grand_pachessi", {"players": 4}),
    ("chieftain", {}),
    ("superchief", {"activations": 8, "command_range": 23}),
    ("overlord", {}),
    ("chieftain", {"setup": "c3/4/4/C3", "command_range": 1, "first_turn_orders": 256}),
]


@pytest.mark.parametrize(("variant", "options"), PAGES)
def test_pages_fit(variant, options):
    page = render.summary(Position(variant, **options).ruleset)
    lines = page.splitlines()
    assert lines[:2] == [variants.find(variant).title.upper(), ""]
    assert max(map(len, lines)) <= 80
    assert all(line == line.rstrip() for line in lines)
    assert "" not in (lines[0], lines[-1])
    assert "\n\n\n" not in page
    assert not set(page) & set("{}")
