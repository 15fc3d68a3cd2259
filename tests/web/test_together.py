"""People who play together from different places."""

import pytest

from .conftest import Client
from .test_browser import click

expect = pytest.importorskip("playwright.sync_api").expect


def begin_with_link(page, variant):
    """Begin a game by the dialog, and return the part of its link that names the page."""
    page.wait_for_selector(".hit.can")
    page.get_by_role("button", name="New game").click()
    page.locator("#ng-variant").select_option(variant)
    page.locator("#ng-seat1").select_option("link")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".invitation")).to_contain_text("Waiting for")
    return "#" + page.locator(".invitation div.link-row input").input_value().partition("#")[2]


def give_name(page, name):
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Save").click()


def play(page, label):
    page.wait_for_selector(".status.mine")
    page.locator("#type").fill(label)
    page.locator("#type").press("Enter")
    expect(page.locator(".moves")).to_contain_text(label)


def move(page, origin, target):
    """Move, or plan to move, by clicks."""
    for square in (origin, target):
        click(page, square)


@pytest.mark.browser
def test_two_persons_meet_by_a_link_and_play_and_take_back(open_page):
    white = open_page()
    link = begin_with_link(white, "pasgl312")
    give_name(white, "Ann")
    expect(white.get_by_label("Your name")).to_have_count(0)
    play(white, "Th1h2")
    expect(white.locator(".status")).to_have_text("Waiting for Black …")
    black = open_page(link)
    expect(white.locator(".invitation")).to_be_hidden()
    expect(black.locator(".player").first).to_contain_text("White: Ann")
    expect(black).to_have_title("● Your turn: PASGL 312 Chess · pasgl")
    give_name(black, "Bob")
    expect(white.locator(".player").last).to_contain_text("Black: Bob")
    play(black, "wg8g6")
    expect(white).to_have_title("● Your turn: PASGL 312 Chess · pasgl")
    expect(white.locator("#announce")).to_contain_text("Black: wg8g6")
    black.get_by_role("button", name="Take back").click()
    expect(black.locator(".asks")).to_contain_text("You have asked")
    expect(white).to_have_title("● Take back? PASGL 312 Chess · pasgl")
    white.get_by_role("button", name="Refuse").click()
    for page in (white, black):
        expect(page.locator(".notice")).to_contain_text("Black was not allowed")
        expect(page.locator(".turn-line")).to_have_count(2)
    black.get_by_role("button", name="Take back").click()
    white.get_by_role("button", name="Allow").click()
    expect(black.locator(".turn-line")).to_have_count(1)
    expect(black.locator(".asks")).to_be_hidden()


@pytest.mark.browser
def test_two_persons_play_again_with_changed_seats(open_page):
    ann = open_page()
    link = begin_with_link(ann, "pasgl312")
    ann.get_by_label("Your name").fill("Ann")
    bob = open_page(link)
    expect(ann.locator(".invitation .link-row")).to_have_count(1)
    ann.get_by_role("button", name="Save").click()
    expect(bob.locator(".player").first).to_contain_text("White: Ann")
    for button in ("Resign", "Resign"):
        bob.get_by_role("button", name=button, exact=True).last.click()
    expect(ann.locator(".side")).not_to_contain_text("null")
    watcher = open_page(link.rpartition("/")[0])
    expect(ann.get_by_role("button", name="Take back")).to_be_disabled()
    ann.get_by_role("button", name="Rematch").click()
    expect(ann.locator(".after")).to_contain_text("You have offered a rematch.")
    expect(bob).to_have_title("● Rematch? PASGL 312 Chess · pasgl")
    expect(bob.locator(".after")).to_contain_text("Ann offers a rematch")
    bob.get_by_role("button", name="Decline").click()
    expect(ann.locator(".notice")).to_contain_text("Black declined the rematch.")
    ann.get_by_role("button", name="Rematch").click()
    bob.get_by_role("button", name="Play the rematch").click()
    expect(ann.locator(".status")).to_have_text("White is thinking …")
    watcher.get_by_role("link", name="Watch the rematch").click()
    expect(watcher.locator(".player").last).to_contain_text("Black: Ann")
    expect(bob.locator(".player").last).to_contain_text("Black: Ann")
    play(bob, "Th1h2")
    play(ann, "wg8g6")


@pytest.mark.browser
def test_ones_own_link_takes_the_other_seat_only_if_one_wants_to(open_page):
    page = open_page()
    link = begin_with_link(page, "pasgl312")
    for answer, who in (("Leave it", "a person (away)"), ("Take it", "you")):
        page.evaluate("link => (location.hash = link)", link)
        expect(page.locator(".invitation")).to_contain_text("This link is for the other person.")
        expect(page.locator(".player").last).to_contain_text("Black: a person (away)")
        page.get_by_role("button", name=answer).click()
        expect(page.locator(".invitation")).not_to_contain_text("for the other person.")
        expect(page.locator(".player").last).to_contain_text(f"Black: {who}")


def test_a_rematch_begins_once_for_those_who_played(served):
    first, second, other = Client(served), Client(served), Client(served)
    game, _ = first.new("spalding", "person", "person")
    for each, secrets in ((first, first.secrets[:1]), (second, first.secrets[1:]), (other, [])):
        each.watch(game, *secrets)
    assert first.ask("rematch", game=game)["error"]["code"] == "over"
    first.ask("resign", game=game)
    assert other.ask("rematch", game=game)["error"]["code"] == "seat"
    assert second.ask("rematch", game=game)["game"] is None
    assert second.ask("decline", game=game)["error"]["code"] == "over"
    again = first.ask("rematch", game=game)["game"]
    assert second.ask("rematch", game=game)["game"] == again
    assert first.ask("rematch", game=game)["game"] == again
    first.watch(again, first.secrets[0])
    assert first.wait_for("state", lambda state: state["game"] == again)["you"] == [1]
    assert not first.ask("watch", game=again, secrets=[first.secrets[1]])["wrong_secrets"]
    for each in (first, second, other):
        each.close()


@pytest.mark.browser
def test_a_link_with_a_wrong_secret_is_told_to_be_wrong(open_page, client):
    game, _ = client.new("spalding", "person", "person")
    page = open_page(f"#/game/{game}/{client.secrets[1][:-1]}")
    expect(page.locator(".invitation")).to_contain_text("This link opens no seat of the game")
    page.reload()
    expect(page.locator(".status")).to_contain_text("White to move")
    expect(page.locator(".invitation")).to_be_hidden()


def test_players_are_named_by_themselves_only(served):
    first, second = Client(served), Client(served)
    game, _ = first.new("spalding", "person", "person")
    second.watch(game, first.secrets[1])
    first.watch(game, first.secrets[0])
    # Without what would turn the text after the name, and what a record cannot hold.
    assert second.ask("name", game=game, name=" \u2066\u202eBob\x00\n")["ok"]
    present = first.wait_for("present", lambda present: any(present["names"]))
    assert present["names"] == ["", "Bob"]
    second.watch(game)
    assert second.ask("name", game=game, name="Bob")["error"]["code"] == "seat"
    for each in (first, second):
        each.close()


@pytest.mark.browser
def test_partners_are_named(open_page, client):
    game, _ = client.new("pachessi", *["person"] * 4, options={"players": 4, "first": "black"})
    page = open_page(f"#/game/{game}/{client.secrets[0]}")
    expect(page.locator(".player").first).to_have_text("Black, with Yellow: you")
    page.get_by_role("button", name="Resign").click()
    expect(page.get_by_role("dialog")).to_contain_text("Yellow, your partner, loses with you.")


@pytest.mark.browser
def test_a_partner_is_told_of_an_offer_of_a_rematch_that_opponents_answer(open_page, client):
    game, _ = client.new("pachessi", *["person"] * 4, options={"players": 4, "first": "black"})
    partner, opponent = (open_page(f"#/game/{game}/{client.secrets[seat]}") for seat in (2, 3))
    client.watch(game, client.secrets[0])
    for command in ("resign", "rematch"):
        assert client.ask(command, game=game)["ok"]
    expect(opponent.get_by_role("button", name="Play the rematch")).to_be_visible()
    expect(partner.locator(".after")).to_contain_text("Black has offered a rematch.")
    expect(partner.get_by_role("button", name="Decline")).to_have_count(0)


@pytest.mark.browser
def test_there_is_no_help_between_people_and_the_page_says_so(open_page, client):
    game, _ = client.new("pasgl312", *["person"] * 2)
    page = open_page(f"#/game/{game}/{client.secrets[0]}")
    page.get_by_text("Analysis", exact=True).click()
    expect(page.locator("#analysis")).to_contain_text("The engine is off")
    for name in ("Graph of the game", "Play on from here", "Hint"):
        expect(page.get_by_role("button", name=name)).to_be_hidden()


@pytest.mark.browser
def test_a_move_is_planned_and_played_if_it_is_legal_when_ones_turn_comes(open_page, client):
    game, _ = client.new("pasgl312", "person", "person")
    page = open_page(f"#/game/{game}/{client.secrets[1]}")
    page.wait_for_selector(".board.flipped > svg:not(.over)")
    planned = page.locator("rect.planned")
    for cancel in (lambda: page.keyboard.press("Escape"), lambda: click(page, "d4")):
        move(page, "g8", "g6")
        expect(page.locator(".status")).to_contain_text("Then g8 to g6, if it is legal.")
        cancel()
        expect(planned).to_have_count(0)
    click(page, "g1")  # White's
    expect(planned).to_have_count(0)
    for target, label, told in (
        ("g6", "Th1h2", page.locator(".moves", has_text="wg8g6")),
        ("a1", "Pd2e3", page.locator(".notice", has_text="g6 to a1 is not legal now")),
    ):
        move(page, "g8" if target == "g6" else "g6", target)
        expect(planned).to_have_count(2)
        assert client.ask("play", game=game, label=label)["ok"]
        expect(told).to_be_visible()


@pytest.mark.browser
def test_a_plan_is_dropped_by_a_take_back_and_played_while_an_earlier_turn_is_shown(
    open_page, client
):
    game, _ = client.new("pasgl312", "person", "person")
    page = open_page(f"#/game/{game}/{client.secrets[1]}")
    page.wait_for_selector(".board.flipped > svg:not(.over)")
    planned = page.locator("rect.planned")
    assert client.ask("play", game=game, label="Th1h2")["ok"]
    page.locator(".moves", has_text="Th1h2").wait_for()
    move(page, "g8", "g6")
    page.locator(".moves", has_text="wg8g6").wait_for()
    move(page, "g6", "g5")
    expect(planned).to_have_count(2)
    page.get_by_role("button", name="Take back").click()
    page.get_by_text("You have asked to take back a turn.").wait_for()
    assert client.ask("allow", game=game)["ok"]
    expect(planned).to_have_count(0)
    expect(page.locator(".moves", has_text="wg8g6")).to_have_count(0)
    move(page, "g8", "g6")
    page.locator(".moves", has_text="wg8g6").wait_for()
    move(page, "g6", "g5")
    expect(planned).to_have_count(2)
    page.get_by_role("button", name="Back", exact=True).click()
    assert client.ask("play", game=game, label="Pd2e3")["ok"]
    page.locator(".moves", has_text="wg6g5").wait_for()
