"""A player that clicks like a person: it knows the page but not the games."""

import json
import random

from pasgl_env.contract.description import Asked

COMPILED = 150_000
"""Milliseconds in which an opponent makes its first move in a game that is not compiled yet."""
CAN_MOVE, CAN_CHOOSE = "rect.hit[aria-label$='can move']", "rect.hit[aria-label$='can be chosen']"
MOST_MISSES = 30
"""Clicks in a row that may change nothing, such as a second one on the same piece."""


class Clicker:
    """A person at a page, who clicks on whatever the page offers, at random.

    Attributes:
        clicks: how many were made.
        kinds: what was chosen by buttons, by their first words.
    """

    def __init__(self, page, seed=1):
        self._page = page
        self._random = random.Random(seed)
        self.clicks = 0
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

    def click_once(self):
        """Click on something, and on a button if one is asked for."""
        page = self._page
        chips, squares = page.locator(".chips button"), page.locator(f"{CAN_MOVE}, {CAN_CHOOSE}")
        numbers = [chips.count(), squares.count()]
        if self._random.choices((True, False), [min(3, numbers[0]), numbers[1]])[0]:
            self._press(chips, numbers[0])
        else:
            self._click(squares, numbers[1])
        while buttons := page.locator(".popover button").count():
            self._press(page.locator(".popover button"), buttons)

    def play(self):
        """Click until the game is over."""
        ply, missed = None, 0
        while True:
            self.wait_for_turn()
            if self.is_over:
                return
            before, ply = ply, self._page.locator(".game").get_attribute("data-ply")
            missed = missed + 1 if ply == before else 0
            assert missed <= MOST_MISSES, f"{missed} clicks have changed nothing at ply {ply}"
            self.click_once()

    def _click(self, squares, number):
        square = squares.nth(self._random.randrange(number))
        square.click()
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
        page.locator(f"rect.hit[data-at='{name}']").click()
    if page.locator(".popover").count():
        button.first.click()
