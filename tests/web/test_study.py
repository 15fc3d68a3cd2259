"""Variations: a tree that is played into, kept in the browser, with the engine beside it."""

import pytest
from playwright.sync_api import expect

from .test_browser import begin, click, play

pytestmark = pytest.mark.browser


def shown(page, label):
    expect(page.locator(".tree [aria-current]")).to_have_text(label)


def test_variations_of_a_game_are_played_analysed_kept_and_removed(open_page):
    page = open_page(reduced_motion="reduce")
    begin(page, "pasgl312", "person", "person")
    play(page, "Pd2e3", "pe7d6")
    page.get_by_text("Analysis").click()
    page.get_by_role("button", name="Variations").click()
    shown(page, "pe7d6")
    page.keyboard.press("ArrowLeft")
    shown(page, "Pd2e3")
    click(page, "d7")
    click(page, "e6")
    shown(page, "pd7e6")
    page.get_by_role("button", name="Think").click()
    page.locator(".candidates tbody button").first.click(timeout=90_000)
    tree = page.locator(".tree")
    expect(tree.locator("li button[aria-current]")).not_to_have_text("pd7e6")
    lines = tree.inner_text()
    page.reload()
    expect(tree).to_have_text(lines, use_inner_text=True)
    tree.get_by_text("pd7e6").click()
    page.get_by_role("button", name="Remove this variation").click()
    expect(tree.locator("button")).to_have_text(["Pd2e3", "pe7d6"])


def test_rolls_are_chosen_or_left_to_chance(open_page):
    page = open_page("#/study?variant=pachessi", reduced_motion="reduce")
    page.get_by_label("Choose the roll").select_option(index=1)
    expect(page.locator(".tree button")).to_have_count(1)
    page.wait_for_selector(".hit.can, .rolls button, .chips button")
    page.get_by_role("button", name="First").click()
    page.get_by_role("button", name="Roll", exact=True).click()
    expect(page.locator(".tree [aria-current]")).to_be_visible()
