"""Takes pictures of the page, for the README too: python -m tests.web.screenshots FOLDER"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from ..conftest import CHROMIUM, FLAGS
from .conftest import Served

SIZES = {"wide": (1280, 860), "phone": (390, 844)}


def new_game(page, variant, seats, options=None, start="", **more):
    page.wait_for_selector(".game .players")
    before = page.url
    page.evaluate(
        "async ([variant, options, seats, start, more]) =>"
        " (location.hash = '#/game/' + await (await import('/static/newgame.js'))"
        ".begin(variant, options, seats, start, more))",
        [variant, options or {}, seats, start, more],
    )
    page.wait_for_url(lambda url: url != before)
    page.wait_for_selector(".board > svg:not(.over)")
    page.wait_for_timeout(900)


def click(page, name):
    box = page.locator(f"rect.hit[data-at='{name}']").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_timeout(500)


def play(page):
    click(page, "b1")


def choose(page):
    new_game(page, "spalding", ["person", "person"])
    click(page, "e1")
    click(page, "e2")


def orders(page):
    new_game(page, "chieftain", ["person", "level easy"])
    click(page, "c1")


def race(page):
    seats = ["person", "level easy", "level easy", "level easy"]
    new_game(page, "pachessi", seats, {"players": 4, "first": "black"})


def overlord(page):
    new_game(page, "overlord", ["person", "level easy"])


def analysis(page):
    seats = ["level casual", "level easy"]
    new_game(page, "pasgl312", seats, {"turn_limit": 40}, pace=0.05)
    page.wait_for_selector(".result", timeout=60_000)
    page.get_by_text("Analysis").click()
    page.get_by_role("button", name="Graph of the game").click()
    page.wait_for_selector("text=/turns? (is|are) marked/", timeout=120_000)
    for _ in range(12):
        page.keyboard.press("ArrowLeft")
        page.wait_for_timeout(60)
    page.wait_for_selector(".arrows path", timeout=60_000)
    page.wait_for_timeout(2000)
    if page.viewport_size["width"] > 860:
        page.locator("#analysis").scroll_into_view_if_needed()
        page.evaluate("scrollTo(0, 0)")


def dialog(page):
    page.get_by_role("button", name="New game").click()
    page.wait_for_timeout(500)


def link(page):
    new_game(page, "spalding", ["person", "link"])
    page.get_by_role("button", name="Link", exact=True).click()
    page.wait_for_timeout(200)


def explain(page):
    click(page, "b1")
    click(page, "c4")
    page.wait_for_timeout(500)


def at(address):
    def go(page):
        page.evaluate("address => { location.hash = address }", address)
        page.wait_for_selector("#content h1")
        page.wait_for_timeout(1200)

    return go


SCREENS = {
    "play": play,
    "choose": choose,
    "orders": orders,
    "race": race,
    "overlord": overlord,
    "analysis": analysis,
    "new-game": dialog,
    "link": link,
    "explain": explain,
    "editor": at("#/editor/pasgl312"),
    "rules": at("#/rules/spalding"),
    "lessons": at("#/learn"),
    "lesson": at("#/learn/pasgl312/9"),
    "games": at("#/games"),
    "playtests": at("#/playtests"),
    "feedback": at("#/feedback"),
}


def main(folder, *names):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    served = Served(tempfile.mkdtemp())
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for name, show in SCREENS.items():
            if names and name not in names:
                continue
            for theme in ("light", "dark"):
                for size, (width, height) in SIZES.items():
                    context = browser.new_context(
                        viewport={"width": width, "height": height},
                        color_scheme=theme,
                        reduced_motion="reduce",
                    )
                    page = context.new_page()
                    page.goto(served.link)
                    page.wait_for_selector(".hit.can")
                    show(page)
                    page.wait_for_selector("#compiling", state="hidden", timeout=300_000)
                    page.screenshot(path=folder / f"{name}-{size}-{theme}.png")
                    context.close()
        browser.close()
    served.kill()


if __name__ == "__main__":
    main(*sys.argv[1:])
