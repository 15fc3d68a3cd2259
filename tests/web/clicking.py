"""A player that clicks like a person: it knows the page but not the games."""

import json
import random

from playwright.sync_api import TimeoutError

from pasgl_env.contract.description import Asked

MINE = ".status.mine"
COMPILED = 150_000
"""Milliseconds in which an opponent makes its first move in a game that is not compiled yet."""
MOST_MISSED = 3
"""How often a person clicks again in a game, where a click did not make an action."""
CAN_MOVE, CAN_CHOOSE = "rect.hit[aria-label$='can move']", "rect.hit[aria-label$='can be chosen']"


class Clicker:
    """A person at a page, who clicks on whatever the page offers, at random.

    Attributes:
        clicks: how many were made.
        missed: how many actions were not made because the page moved under the pointer.
        kinds: what was chosen by buttons, by their first words.
    """

    def __init__(self, page, seed=1):
        self._page = page
        self._random = random.Random(seed)
        self.clicks = self.missed = 0
        self.kinds = set()

    @property
    def is_over(self):
        return self._page.locator(".result").count() > 0

    def wait_for_turn(self):
        self._page.wait_for_function(
            "() => document.querySelector('.status.mine') && (document.querySelector('.hit.can')"
            " || document.querySelector('.chips button')) || document.querySelector('.result')",
            timeout=COMPILED,
        )

    def play_one(self):
        """Make one action."""
        page = self._page
        chips, targets = page.locator(".chips button"), page.locator(CAN_CHOOSE)
        pieces = page.locator(CAN_MOVE)
        numbers = [chips.count(), targets.count(), pieces.count()]
        kind = self._random.choices(range(3), [min(3, numbers[0]), numbers[1], numbers[2]])[0]
        if kind == 0:
            self._press(chips, numbers[0])
        elif kind == 1:
            self._click(targets, numbers[1])
        else:
            self._click(pieces, numbers[2])
            if (more := targets.count()) and not page.locator(".popover").count():
                self._click(targets, more)
        while buttons := page.locator(".popover button").count():
            self._press(page.locator(".popover button"), buttons)

    def play(self, most=10_000):
        """Play until the game is over, or this number of actions is made."""
        for _ in range(most):
            self.wait_for_turn()
            if self.is_over:
                return
            before = self._page.locator(".game").get_attribute("data-ply")
            self.play_one()
            try:
                self._page.wait_for_function(
                    "before => document.querySelector('.game').dataset.ply !== before"
                    " || document.querySelector('.result')",
                    arg=before,
                )
            except TimeoutError:
                self.missed += 1
                assert self.missed <= MOST_MISSED

    def _click(self, squares, number):
        square = squares.nth(self._random.randrange(number))
        box = square.bounding_box()
        square.scroll_into_view_if_needed()
        box = square.bounding_box()
        self._page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.clicks += 1

    def _press(self, buttons, number):
        button = buttons.nth(self._random.randrange(number))
        self.kinds.add(button.inner_text().split(":")[0])
        button.click()
        self.clicks += 1


def click_action(page, action):
    """Make an action by clicks on its squares, and on buttons where it is asked for by them."""
    button = page.locator(f"button[data-label={json.dumps(action.label)}]")
    if action.asked != Asked.BOARD or not action.target:
        button.click()
        return
    for name in filter(None, (action.origin, action.target)):
        box = page.locator(f"rect.hit[data-at='{name}']").bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    if page.locator(".popover").count():
        button.first.click()
