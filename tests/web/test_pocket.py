"""A stranger's game on the page, in a browser: the page asks wherever two clicks are not enough."""

import pytest
from playwright.sync_api import expect

from ..pocket import TEXTS
from ..test_plugin import install
from .conftest import Served
from .test_browser import begin, click, square

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    site = tmp_path_factory.mktemp("site")
    install(site, "pocket-chess", "Pocket", {"pocket_v0": "tests.pocket:GAME"})
    server = Served(tmp_path_factory.mktemp("pocket"), site=site)
    yield server
    server.kill()


@pytest.fixture
def page(open_page, server):
    return open_page(server=server)


def last_turn(page):
    return page.locator(".turn-line").last


def test_a_promotion_is_asked_for_and_never_chosen_silently(page):
    begin(page, "pocket", "person", "person", start=TEXTS["promotion"])
    click(page, "a4")
    click(page, "a5")
    expect(page.locator(".turn-line")).to_have_count(0)
    expect(page.locator(".popover button span")).to_have_text(
        ["Pawn a4 to a5", "Pawn a4 to a5, now a Rook"]
    )
    page.locator(".popover button").last.click()
    expect(last_turn(page)).to_have_text("Pa4-a5=R")


def test_two_ways_to_one_square_are_told_apart(page):
    begin(page, "pocket", "person", "person", start=TEXTS["two ways"])
    click(page, "c1")
    click(page, "c5")
    page.get_by_role("button", name="Jumper c1 by e3 to c5").click()
    expect(last_turn(page)).to_have_text("Jc1-e3-c5")
    assert page.locator(".piece[data-piece='p']").count() == 2


def test_the_king_castles_by_its_squares(page):
    begin(page, "pocket", "person", "person", start=TEXTS["castling"])
    click(page, "c1")
    click(page, "e1")
    expect(last_turn(page)).to_have_text("O-O")
    expect(page.locator(".piece[data-piece='R'][data-square='d1']")).to_be_visible()


def test_a_piece_in_hand_is_chosen_first_and_then_its_square(page):
    begin(page, "pocket", "person", "person", start=TEXTS["hand"])
    expect(page.locator(".chips button > span")).to_have_text(["Drop: Rook", "Drop: Pawn"])
    assert square(page, "c3").get_attribute("aria-label") == "c3, empty"
    page.get_by_role("button", name="Drop: Pawn").click()
    expect(square(page, "c3")).to_have_attribute("aria-label", "c3, empty, can be chosen")
    click(page, "c3")
    expect(last_turn(page)).to_have_text("P*c3")


def test_a_game_is_played_by_clicks(page):
    from .clicking import Clicker

    options, start = {"turn_limit": 30}, TEXTS["hand"]
    begin(page, "pocket", "person", "player random", options=options, start=start)
    Clicker(page, seed=2).play()
    expect(page.locator(".result")).to_be_visible()
