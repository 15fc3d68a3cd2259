"""Slow and lost connections, and states that come again: nothing is lost or done twice."""

import json
import re

import pytest

from .test_browser import begin, click

expect = pytest.importorskip("playwright.sync_api").expect

pytestmark = pytest.mark.browser


class Relay:
    """Stands between a page and its server.

    Attributes:
        asked: the requests of the page, by their commands.
        holds: commands that are held back.
    """

    def __init__(self, page):
        self.page, self.asked, self.holds = page, [], set()
        self._held, self._states, self._sockets = [], [], []
        page.route_web_socket("**/socket*", self._connect)
        page.goto(page.url.partition("#")[0])
        page.wait_for_selector(".hit.can")

    def _connect(self, socket):
        server = socket.connect_to_server()

        def ask(text):
            command = json.loads(text)["do"]
            self.asked.append(command)
            if command in self.holds:
                self._held.append(lambda: server.send(text))
            else:
                server.send(text)

        def tell(text):
            if '"event":"state"' in text:
                self._states.append(text)
            socket.send(text)

        socket.on_message(ask)
        server.on_message(tell)
        self._sockets.append(socket)

    def release(self):
        """Send what was held back."""
        self.holds = set()
        for send in self._held:
            send()

    def lose(self):
        """Lose the connection, and wait until the page has another one."""
        before = self.asked.count("hello")
        self._sockets[-1].close()
        self.wait_for_more("hello", before)

    def wait_for_more(self, command, before):
        """Wait until the page has sent a command more often than before."""
        for _ in range(400):
            if self.asked.count(command) > before:
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"the page has not sent {command} again")

    def come_again(self, turn, **fields):
        """Tell the last state again, with another number of the turn and other fields."""
        state = {**json.loads(self._states[-1]), "turn": turn, **fields}
        self._sockets[-1].send(json.dumps(state))
        expect(self.page.locator("#clock")).to_contain_text(re.compile(f"{turn}|{turn + 1}"))


@pytest.fixture
def relay(open_page):
    page = open_page("#/rules")
    page.wait_for_selector("#content h1")
    return Relay(page)


def test_a_state_that_comes_again_closes_no_choice_and_offers_none_that_was_made(relay):
    page = relay.page
    begin(page, "spalding", "person", "person")
    click(page, "e1")
    click(page, "e2")
    expect(page.locator(".status")).to_contain_text("what comes out of the Box")
    click(page, "e3")
    button = page.locator(".popover button", has_text="Rhino").first
    expect(button).to_be_visible()
    relay.come_again(77)
    relay.holds = {"play"}
    button.click(timeout=5_000)
    expect(page.locator(".hit.can")).to_have_count(0)
    relay.come_again(88)
    expect(page.locator(".hit.can")).to_have_count(0)


def test_a_comment_is_typed_on_while_states_come(relay):
    page = relay.page
    begin(page, "pasgl312", "person", "person")
    for _ in range(2):
        page.get_by_role("button", name="Resign", exact=True).last.click()
    page.get_by_text("Rate this game").click()
    page.locator("textarea").focus()
    page.keyboard.type("We liked ")
    relay.come_again(77, rematch="another")
    page.keyboard.type("the train.")
    assert page.locator("textarea").input_value() == "We liked the train."


def test_turns_are_taken_back_once_however_often_one_presses(relay):
    page = relay.page
    begin(page, "pasgl312", "person", "person")
    for label in ("Th1h2", "wg8g6"):
        page.locator("#type").fill(label)
        page.locator("#type").press("Enter")
        expect(page.locator(".moves")).to_contain_text(label)
    relay.holds = {"take_back"}
    for _ in range(2):
        page.get_by_role("button", name="Take back").click()
    relay.release()
    expect(page.locator(".notice")).to_contain_text("has moved on in the meantime")
    expect(page.locator(".turn-line")).to_have_count(1)


def begin_variation(page):
    """Open the variations of a new game, and choose the piece that moves first."""
    begin(page, "pasgl312", "person", "person")
    page.locator("#analysis summary").click()
    page.get_by_role("button", name="Variations").click()
    page.wait_for_selector(".study .hit.can")
    click(page, "d2")


def test_variations_are_kept_when_the_connection_is_lost(relay):
    page = relay.page
    begin_variation(page)
    relay.holds = {"position"}
    before = relay.asked.count("position")
    click(page, "e3")
    relay.wait_for_more("position", before)
    relay.holds = set()
    relay.lose()
    line = page.locator(".study").get_by_role("button", name="Pd2e3")
    expect(line).to_have_attribute("aria-current", "true")
    expect(page.locator(".notice")).to_have_count(0)


def test_steps_through_variations_count_before_they_are_answered(relay):
    page = relay.page
    begin_variation(page)
    click(page, "e3")
    line = page.locator(".study").get_by_role("button", name="Pd2e3")
    expect(line).to_have_attribute("aria-current", "true")
    relay.holds = {"position"}
    page.get_by_role("button", name="Back", exact=True).click()
    expect(page.locator(".hit.can")).to_have_count(0)
    page.get_by_role("button", name="On", exact=True).click()
    relay.release()
    expect(page.locator(".hit.can")).not_to_have_count(0)
    expect(line).to_have_attribute("aria-current", "true")


def test_any_number_of_games_can_be_studied_one_after_the_other(relay, client):
    page = relay.page
    for _ in range(9):
        game, _ = client.new("pasgl312", "person", "person")
        before = relay.asked.count("watch")
        page.evaluate("game => (location.hash = `#/study?game=${game}`)", game)
        relay.wait_for_more("watch", before)
        page.wait_for_selector(".study .hit.can")
        client.ask("leave", game=game)
    expect(page.locator(".notice")).to_have_count(0)


def test_the_list_of_games_is_asked_for_again_after_a_lost_connection(relay):
    page = relay.page
    page.evaluate("location.hash = '#/games'")
    page.wait_for_selector(".lists h2")
    relay.holds = {"games"}
    relay.wait_for_more("games", relay.asked.count("games"))
    relay.holds = set()
    relay.lose()
    relay.wait_for_more("games", relay.asked.count("games"))


def test_an_answer_that_is_shown_is_not_played_in_another_task(relay):
    page = relay.page
    page.evaluate("location.hash = '#/learn/spalding/1'")
    page.wait_for_selector(".lesson .hit.can")
    relay.holds = {"attempt"}
    page.locator("#solve").click()
    page.locator(".lesson-steps button").nth(2).click()
    relay.release()
    expect(page.locator(".lesson[data-shown='2 0']")).to_be_visible()
    page.wait_for_timeout(1_500)
    expect(page.locator(".lesson[data-shown='2 0']")).to_be_visible()
