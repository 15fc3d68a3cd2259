"""Accessibility: an audit with axe-core."""

import pytest

pytestmark = pytest.mark.browser
PAGES = [
    "",
    "#/learn",
    "#/learn/chieftain/2",
    "#/puzzles",
    "#/games",
    "#/editor/pasgl312",
    "#/study?variant=pasgl312",
    "#/rules/spalding",
    "#/playtests",
    "#/feedback",
]


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
@pytest.mark.parametrize("address", PAGES)
def test_axe_finds_nothing_serious(open_page, address, theme):
    from axe_playwright_python.sync_playwright import Axe

    page = open_page(address, color_scheme=theme)
    page.wait_for_selector(".hit.can" if not address else "#content h1")
    page.wait_for_timeout(300)
    found = Axe().run(page).response["violations"]
    serious = [
        (each["id"], each["nodes"][0]["html"][:200], each["nodes"][0].get("failureSummary"))
        for each in found
        if each["impact"] in ("serious", "critical")
    ]
    assert serious == []
