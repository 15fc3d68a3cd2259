"""The page in a real browser: whole games by clicks, every kind of choice, links, keys, phones."""

import json
import re
import sys
from typing import Any

import pytest
from playwright.sync_api import expect

from pasgl_env import Position
from pasgl_env.web.app import STATIC

from .clicking import Clicker
from .conftest import Served

pytestmark = pytest.mark.browser


def begin(page, variant, *seats, options=None, start=""):
    """Have the page begin a game, as its dialog does."""
    page.wait_for_selector(".game .players")
    page.evaluate(
        "async ([variant, options, seats, start]) =>"
        " (location.hash = '#/game/' + await (await import('/static/newgame.js'))"
        ".begin(variant, options, seats, start))",
        [variant, options or {}, list(seats), start],
    )
    title = {"pasgl312": "PASGL"}.get(variant, variant.split("_")[-1].capitalize())
    page.wait_for_function(
        "title => document.querySelector('.side h1')?.textContent.includes(title)",
        arg=title if variant != "spalding" else "Spalding",
    )
    page.wait_for_selector(".board > svg:not(.over)")


def square(page, name):
    return page.locator(f"rect.hit[data-at='{name}']")


def click(page, name):
    square(page, name).click()


def click_on(page, locator):
    """Click in the middle of what lies under the squares, such as a piece; return its box."""
    box = locator.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    return box


def play(page, *labels):
    """Type actions, one after the other."""
    for label in labels:
        page.locator("#type").fill(label)
        page.locator("#type").press("Enter")
        expect(page.locator(".moves")).to_contain_text(label)


def turns(page):
    return page.locator(".turn-line > button").all_inner_texts()


def test_a_stranger_makes_a_legal_move_with_two_clicks(open_page):
    page = open_page()
    page.wait_for_selector(".status.mine")
    page.wait_for_selector(".hit.can")
    click(page, "d2")
    click(page, "e3")
    expect(page.locator(".turn-line").first).to_contain_text("Pd2e3")


SHORT = {
    "pasgl312": {"turn_limit": 12},
    "spalding": {"turn_limit": 6},
    "chieftain": {"turn_limit": 4},
    "superchief": {"turn_limit": 2},
    "overlord": {"turn_limit": 2},
    "pachessi": {"turn_limit": 12},
    "grand_pachessi": {"turn_limit": 10},
}


@pytest.mark.parametrize(
    "variant",
    [
        *("pasgl312", "spalding", "overlord", "pachessi"),
        *(
            pytest.param(variant, marks=pytest.mark.slow)
            for variant in ("chieftain", "superchief", "grand_pachessi")
        ),
    ],
)
def test_a_game_to_a_near_turn_limit_is_played_by_clicks(open_page, variant):
    page = open_page(reduced_motion="reduce")
    begin(page, variant, "person", "player random", options=SHORT[variant])
    clicker = Clicker(page)
    clicker.play()
    assert "Cut off at the turn limit" in page.locator(".result").inner_text()
    assert clicker.clicks > 4


WHOLE: dict[str, dict[str, Any]] = {
    "pasgl312": {"win_margin": 3},
    "spalding": {},
    "chieftain": {"setup": "c4/1m2m/5/1M2M/C4"},
    "superchief": {"setup": "c4c/1m2mh/6/1M2MH/C4C"},
    "overlord": {"setup": "c4b/1m2mr/6/1M2MR/C4B"},
    "pachessi": {"size": 5, "hole": 1, "first": "black"},
    "grand_pachessi": {"size": 6, "hole": 2, "first": "black"},
}
# Races of random players end soon, and surely, without Horses, which get stuck in corners.
STARTS = {
    "pachessi": "Ra5:0,Eb5:0,H*,S*/Re1:0,Ed1:0,H*,S* black - i 0",
    "grand_pachessi": "Ra6:0,Eb6:0,H*,S*/Rf1:0,Ee1:0,H*,S* black - i 0",
}


@pytest.mark.slow
def test_a_whole_game_is_played_by_clicks_to_its_end_by_the_rules(open_page, variant):
    page = open_page(reduced_motion="reduce")
    options, start = {"turn_limit": 0, **WHOLE[variant]}, STARTS.get(variant, "")
    begin(page, variant, "person", "player random", options=options, start=start)
    Clicker(page, seed=3).play()
    assert (
        "wins" in page.locator(".result").inner_text()
        or "draw" in page.locator(".result").inner_text()
    )


def test_a_victim_is_chosen_on_the_board(open_page):
    page = open_page()
    start = "4b3/8/8/8/2[h-wp]5/1F6/8/4B3 ./././. ./. 1 w 0:0 0 0"
    begin(page, "pasgl312", "person", "person", start=start)
    click(page, "b3")
    click(page, "c4")
    expect(page.locator(".chips button")).to_have_count(2)
    click_on(page, page.locator(".piece[data-piece='-w'][data-square='c4']"))
    expect(page.locator(".turn-line").last).to_contain_text("Fb3c4 -w")


def test_what_happened_is_told_under_the_board_and_in_the_list_of_turns(open_page):
    page = open_page()
    start = "4b3/8/8/2P5/2[h-wp]1D3/1F6/8/4B3 ./././. ./. 9 w 0:0 0 0"
    begin(page, "pasgl312", "person", "person", start=start)
    play(page, "Fb3c4", "h")
    told = [
        "White's Fox stole the lunch of Black's Hunter.",
        "+3 for White's Deer at the campfire.",
    ]
    expect(page.locator("#happened p")).to_have_text(told)
    expect(page.locator("#announce")).to_contain_text(told[0])
    play(page, "be8d8", "Be1d1")
    expect(page.locator("#happened p")).to_have_text(told[1])
    expect(page.locator(".turn-line .events").first).to_be_hidden()
    page.locator(".turn-line button").first.click()
    expect(page.locator(".turn-line .events").first).to_have_text(" ".join(told))
    expect(page.locator("#happened p")).to_have_text(told)


def test_a_danger_is_shown_before_a_move_is_made_and_can_be_turned_off(open_page):
    page = open_page()
    start = "4b3/8/8/8/3T4/8/8/4B3 ./././. ./. 5 w 0:0 0 0"
    begin(page, "pasgl312", "person", "person", start=start)
    page.get_by_label("Warn me of dangers").check()
    click(page, "e1")
    label = "d1, empty, danger, can be chosen"  # once a process has loaded the rules
    expect(square(page, "d1")).to_have_attribute("aria-label", label, timeout=90_000)
    click(page, "d1")
    warning = page.locator(".popover .warning")
    expect(warning).to_have_text("The Train would run over your Turkey on d4.")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("rect.origin")).to_have_count(0)
    page.get_by_label("Warn me of dangers").uncheck()
    click(page, "e1")
    click(page, "d1")
    expect(page.locator(".turn-line").last).to_contain_text("Be1d1")


def test_a_hint_names_a_move_and_what_follows(open_page):
    page = open_page()
    start = "8/8/8/4[bp]3/8/8/4H3/4B3 ./././. ./. 12 w 0:7 0 0"
    begin(page, "pasgl312", "person", "person", start=start)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hinted")).to_contain_text(
        "Try this. Shoot: Hunter e2 to e5.", timeout=90_000
    )
    page.get_by_text("Why?").click()
    expect(page.locator(".hinted .events").first).to_contain_text("shot Black's Bear on e5")


def test_a_forced_pass_is_explained_and_made(open_page):
    page = open_page()
    start = "4b3/8/8/8/8/8/pp6/[-B]m6 ./././. ./. 1 w 0:0 0 0"
    begin(page, "pasgl312", "person", "person", start=start)
    expect(page.locator(".turn-line").last).to_contain_text("pass")
    why = "You could only pass: None of your critters can do anything."
    expect(page.locator("#happened")).to_contain_text(why)


def test_a_pass_that_is_left_after_the_first_die_is_explained_and_made(open_page):
    page = open_page()
    start = "Rb6:0,Ea2:0,Hg2:0/Re1:0,E@,Hd2:0/Rf4:0,Ef3:0,H@/Rc7:0,Ee7:0,Hb5:0 black 2,6 i 20"
    options = {"players": 4, "first": "black"}
    begin(page, "pachessi", *["person"] * 4, options=options, start=start)
    play(page, "6:Ea2-d2")
    expect(page.locator(".status")).to_contain_text("You can only pass: None of your pieces")
    expect(page.locator(".turn-line").first).to_contain_text("pass")


def test_examples_of_the_rules_are_played_on_the_board(open_page):
    page = open_page("#/rules/pasgl312", reduced_motion="reduce")
    example = page.locator("figure[data-labels='He2:e5']")
    example.get_by_role("button", name="Play this example").click()
    expect(example.locator("figcaption")).to_contain_text("He2:e5. White's Hunter shot")


SIGNS = {
    "pasgl312": ("4b3/8/8/8/8/8/3[*T]4/4B3 [~T]/././. ./. 1 w 3:0 0 0", 7),
    "chieftain": ("", 2),
    "spalding": ("4x3/8/8/3m4/8/4R3/8/4X3 w - 1", 2),
    "pachessi": ("R@,Eb7:2,Hc7:0,Sd7:0/Rg1:0,E*,He1:0,Sd1:0 black 4,6 i 0", 4),
}


@pytest.mark.parametrize("variant", SIGNS)
def test_the_signs_on_the_board_are_listed_and_pointed_at(open_page, variant):
    page = open_page()
    start, number = SIGNS[variant]
    begin(page, variant, "person", "person", start=start)
    page.get_by_text("What the signs on the board mean").click()
    expect(page.locator(".signs button")).to_have_count(number)
    for sign in page.locator(".signs button").all():
        sign.focus()
        expect(page.locator(".over rect.ring").first).to_be_attached()


def test_a_button_shows_a_piece_as_the_board_does(open_page):
    page = open_page()
    start = "4b3/8/8/8/2[h-w]5/1F6/8/4B3 ./././. ./. 1 w 0:0 0 0"
    begin(page, "pasgl312", "person", "person", start=start)
    click(page, "b3")
    click(page, "c4")
    lunch = "use[href$=lunch]"
    expect(page.locator(f".chips [data-label=h] {lunch}")).to_have_count(1)
    expect(page.locator(f".chips [data-label=-w] {lunch}")).to_have_count(0)


def test_of_two_pieces_on_a_square_the_chosen_one_is_marked(open_page):
    page = open_page()
    start = "4b3/8/8/8/3[TP]4/8/8/4B3 ./././. ./. 12 w 0:0 0 0"
    begin(page, "pasgl312", "person", "person", start=start)
    shrew = page.locator("[data-square=d4][data-piece=P]")
    box = click_on(page, shrew)
    marked = page.locator("rect.origin").bounding_box()
    assert marked["width"] < square(page, "d4").bounding_box()["width"]
    assert abs(marked["x"] - box["x"]) < 8


def test_turns_do_not_push_buttons_down(open_page):
    page = open_page()
    begin(page, "pasgl312", "person", "person")
    before = page.locator("#flip").bounding_box()
    play(page, "Pd2e3", "pe7d6", "Pe3d4", "ph7g6")
    assert page.locator("#flip").bounding_box() == before


def test_pushed_critters_are_put_on_squares_one_after_the_other_and_undone(open_page):
    page = open_page()
    start = "4b3/8/8/8/8/8/3[TPd]4/4B3 ./././. ./. 1 w 0:0 0 0"
    begin(page, "pasgl312", "person", "person", start=start)
    click(page, "e1")
    click(page, "d2")
    expect(page.locator(".status")).to_contain_text("where does White's Turkey go?")
    click(page, "d1")
    expect(page.locator(".status")).to_contain_text("where does Black's Deer go?")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator(".status")).to_contain_text("where does White's Turkey go?")
    click(page, "c1")
    expect(page.locator(".status")).to_contain_text("where does Black's Deer go?")
    click(page, "c3")
    expect(page.locator(".turn-line").last).to_contain_text("Be1d2 Tc1 dc3")


def test_what_comes_out_of_a_container_is_chosen_on_its_square(open_page):
    page = open_page()
    begin(page, "spalding", "person", "person")
    click(page, "e1")
    click(page, "e2")
    expect(page.locator(".status")).to_contain_text("what comes out of the Box")
    click(page, "e3")
    page.locator(".popover button", has_text="Rhino").first.click()
    expect(page.locator(".turn-line").last).to_contain_text("Xe1-e2 /")


def test_orders_are_given_one_after_the_other_and_the_turn_is_ended(open_page):
    page = open_page()
    begin(page, "chieftain", "person", "person")
    click(page, "c1")
    click(page, "c3")
    page.get_by_role("button", name="Ordered by the Chieftain on c1").click()
    expect(page.locator(".status")).to_contain_text("activations left: 3")
    page.get_by_role("button", name="End the turn").click()
    expect(page.locator(".turn-line").last).to_contain_text("Cc1-c3 by c1 end")


def test_who_gave_the_order_is_asked_on_the_board(open_page):
    page = open_page()
    begin(page, "chieftain", "person", "person", options={"setup": "c3/4/4/CM1C"})
    click(page, "b1")
    click(page, "b2")
    expect(page.locator(".chips button")).to_have_count(2)
    click(page, "d1")
    expect(page.locator(".turn-line").last).to_contain_text("Mb1-b2 by d1")


def test_the_die_is_asked_for_where_two_lead_to_the_same_square(open_page):
    page = open_page()
    start = "Ra7:0,Eb7:0,Hc7:0,Sd7:0/Rg1:0,Ef1:0,He1:0,Sd1:0 black 2,6 i 0"
    begin(page, "pachessi", "person", "person", start=start)
    click(page, "c7")
    click(page, "b5")
    page.get_by_role("button", name="by the 6").click()
    expect(page.locator(".turn-line").last).to_contain_text("6:Hc7-b5")


def test_taken_pieces_enter_and_others_are_borne_off(open_page):
    page = open_page()
    start = "R@,Eb7:0,Hc7:0,Sd7:0/Rg1:0,Ef1:0,He1:0,Sd1:0 black 4,6 i 0"
    begin(page, "pachessi", "person", "person", start=start)
    click(page, "a7")
    page.locator(".popover button", has_text="by the 4").click()
    expect(page.locator(".turn-line").last).to_contain_text("4:R@-a7")
    start = "Ra7:1,Eb7:0,Hc7:0,Sd7:0/Rg1:0,Ef1:0,He1:0,Sd1:0 black 1,4 i 0"
    begin(page, "pachessi", "person", "person", start=start)
    page.get_by_role("button", name="Bear off: Raja by the 4").click()
    expect(page.locator(".turn-line").last).to_contain_text("4:Ra7-off")


def test_a_shot_and_a_move_to_one_square_are_told_apart(open_page):
    page = open_page()
    start = "4b3/8/8/4t3/8/8/4H3/4B3 ./././. ./. 1 w 0:0 0 0"
    begin(page, "pasgl312", "person", "person", start=start)
    click(page, "e2")
    click(page, "e5")
    expect(page.locator(".turn-line").last).to_contain_text("He2:e5")


def drag(page, origin, target):
    """Drag a piece over a square, without letting it go."""
    page.wait_for_selector(".hit.can")
    start, end = (square(page, name).bounding_box() for name in (origin, target))
    page.mouse.move(start["x"] + 20, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(end["x"] + 20, end["y"] + 20, steps=5)


def test_a_piece_can_be_dragged(open_page):
    page = open_page()
    drag(page, "d2", "e3")
    page.mouse.up()
    expect(page.locator(".turn-line").first).to_contain_text("Pd2e3")


@pytest.mark.parametrize("how", ["right", "Escape"])
def test_a_drag_is_cancelled(open_page, how):
    page = open_page()
    drag(page, "d2", "e3")
    expect(page.locator(".ghost")).to_have_count(1)
    if how == "right":
        page.mouse.down(button="right")
        page.mouse.up(button="right")
    else:
        page.keyboard.press(how)
    expect(page.locator(".ghost, rect.origin")).to_have_count(0)
    page.mouse.up()
    click(page, "c2")
    click(page, "d3")
    expect(page.locator(".turn-line").first).to_contain_text("Pc2d3")


def test_a_game_is_played_with_keys_only(open_page):
    page = open_page()
    page.wait_for_selector(".hit.can")
    square(page, "a1").focus()
    for key in ("ArrowUp", "ArrowRight", "Enter", "ArrowUp", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(page.locator(".turn-line").first).to_contain_text("Pb2c3")
    page.wait_for_selector(".status.mine")
    page.locator("#type").focus()
    page.keyboard.type("Ph2g3")
    page.keyboard.press("Enter")
    expect(page.locator(".moves")).to_contain_text("Ph2g3")


def test_squares_say_what_is_on_them_and_what_can_be_done(open_page):
    page = open_page()
    page.wait_for_selector(".hit.can")
    expect(square(page, "e1")).to_have_attribute("aria-label", "e1, White Bear, can move")
    click(page, "d2")
    expect(square(page, "e3")).to_have_attribute("aria-label", "e3, empty, can be chosen")


def test_a_game_goes_on_after_the_server_was_killed(open_page, tmp_path):
    served = Served(tmp_path)
    try:
        page = open_page(server=served)
        page.wait_for_selector(".hit.can")
        click(page, "d2")
        click(page, "e3")
        expect(page.locator(".turn-line")).to_have_count(2)
        page.wait_for_selector(".status.mine")
        page.get_by_text("Analysis").click()
        expect(page.locator(".candidates tbody tr").first).to_be_visible()
        before = turns(page)
        served.kill()
        page.wait_for_selector("#connection:not([hidden])")
        click(page, "f2")
        click(page, "g3")
        expect(page.locator(".status")).to_contain_text("Pf2g3 is sent when the server is back")
        expect(page.locator("rect.planned")).to_have_count(2)
        page.locator(".candidates tbody").evaluate("body => body.replaceChildren()")
        served.start()
        page.wait_for_selector("#connection", state="hidden")
        expect(page.locator(".moves")).to_contain_text("Pf2g3")
        expect(page.locator("rect.planned")).to_have_count(0)
        assert turns(page)[:2] == before
        page.wait_for_selector(".status.mine")
        expect(page.locator(".candidates tbody tr").first).to_be_visible()
    finally:
        served.kill()


def test_a_page_tells_that_its_link_is_not_valid_any_more(open_page, tmp_path):
    served = Served(tmp_path, "--host", "0.0.0.0")
    try:
        page = open_page(server=served)
        page.wait_for_selector(".hit.can")
        served.kill()
        (tmp_path / "token").unlink()
        served.start()
        expect(page.locator("#connection")).to_contain_text("not valid any more")
    finally:
        served.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="needs a second address of this machine")
def test_links_lead_where_the_page_was_opened_and_are_copied_without_https(open_page, tmp_path):
    served = Served(tmp_path, "--host", "0.0.0.0")
    try:
        page = open_page("#/rules", server=served)
        address = f"http://127.0.0.2:{served.port}/"
        page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        page.goto(f"{address}?{served.link.partition('?')[2]}")
        begin(page, "spalding", "person", "link")
        row = page.locator(".invitation div.link-row").first
        row.get_by_role("button", name="Copy").click()
        expect(row).to_contain_text("Copied.")
        page.locator("#type").focus()
        page.keyboard.press("Control+V")
        copied = page.locator("#type").input_value()
        assert copied.startswith(f"{address}?token=") and "#/game/" in copied
        page.evaluate("document.execCommand = () => false")
        page.get_by_role("button", name="Link", exact=True).click()
        row = page.locator("dialog .link-row").first
        row.get_by_role("button", name="Copy").click()
        expect(row).to_contain_text("yourself")
    finally:
        served.kill()


@pytest.mark.parametrize("command", ["new", "watch"])
def test_a_page_that_lost_the_connection_while_it_opened_opens_again(open_page, command):
    page = open_page("#/rules")
    page.wait_for_selector("#content h1")
    sockets = [0]

    def lose(socket):
        sockets[0] += 1
        server = socket.connect_to_server()
        if sockets[0] == 1:
            asks = f'"do":"{command}"'
            socket.on_message(lambda text: socket.close() if asks in text else server.send(text))

    page.route_web_socket("**/socket*", lose)
    page.goto(page.url.partition("#")[0])
    page.wait_for_selector(".hit.can")
    assert sockets == [2]


def test_a_reload_comes_back_to_the_game(open_page):
    page = open_page()
    page.wait_for_selector(".hit.can")
    click(page, "d2")
    click(page, "e3")
    expect(page.locator(".turn-line")).to_have_count(2)
    before = turns(page)
    page.goto(page.url.partition("#")[0])
    page.reload()
    page.wait_for_selector(".turn-line")
    assert turns(page) == before


def test_on_a_phone_nothing_is_wider_than_the_screen_and_moves_are_tapped(open_page):
    page = open_page(width=390, height=844, has_touch=True, is_mobile=True)
    page.wait_for_selector(".hit.can")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for name in ("d2", "e3"):
        box = square(page, name).bounding_box()
        assert box["width"] >= 24
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".turn-line").first).to_contain_text("Pd2e3")


def test_a_flipped_board_is_played_on_as_well(open_page):
    page = open_page()
    page.wait_for_selector(".hit.can")
    ways = "train => { const { a, d } = train.getScreenCTM(); return [a, d].map(Math.sign); }"
    assert page.locator(".train").first.evaluate(ways) == [1, 1]
    page.get_by_role("button", name="Flip").click()
    page.wait_for_selector(".board.flipped")
    assert square(page, "a1").bounding_box()["y"] < square(page, "a8").bounding_box()["y"]
    assert page.locator(".train").first.evaluate(ways) == [-1, 1]  # mirrored, not turned
    expect(square(page, "e1")).to_have_attribute("aria-label", "e1, White Bear, can move")
    click(page, "d2")
    click(page, "e3")
    expect(page.locator(".turn-line").first).to_contain_text("Pd2e3")
    page.keyboard.press("f")
    page.wait_for_selector(".board:not(.flipped)")


def test_lines_of_words_stay_in_order_on_a_flipped_board(open_page):
    page = open_page("#/study?variant=spalding")
    page.wait_for_selector(".hit.can")
    page.get_by_role("button", name="Flip").click()
    lines = page.locator(".board .upright text")
    turn, number = (lines.filter(has_text=word).bounding_box() for word in ("turn", "1"))
    assert turn["y"] < number["y"]


def test_a_game_is_taken_back_and_resigned(open_page):
    page = open_page()
    page.wait_for_selector(".hit.can")
    click(page, "d2")
    click(page, "e3")
    expect(page.locator(".turn-line")).to_have_count(2)
    page.wait_for_selector(".status.mine")
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".turn-line")).to_have_count(0)
    page.get_by_role("button", name="Resign").click()
    page.locator("dialog .primary").click()
    expect(page.locator(".result")).to_contain_text("White resigned.")


def test_the_dialog_begins_any_game_with_changed_rules_and_the_chosen_players(open_page):
    page = open_page()
    page.wait_for_selector(".hit.can")
    asked: list[str] = []
    page.on(
        "websocket", lambda socket: socket.on("framesent", lambda text: asked.append(str(text)))
    )
    page.reload()
    page.wait_for_selector(".hit.can")
    page.get_by_role("button", name="New game").click()
    page.locator("#ng-variant").select_option("pachessi")
    page.locator("#ng-seat1").select_option("link")
    page.get_by_text("Change rules").click()
    page.locator("[name=option-players]").select_option("4")
    expect(page.locator(".seats select")).to_have_count(4)
    expect(page.locator("#ng-seat1")).to_have_value("link")
    expect(page.locator("[name=option-first]")).to_have_value("lot")  # as in environments
    page.locator("[name=option-first]").select_option("black")
    page.get_by_role("button", name="Play", exact=True).dblclick()
    expect(page.locator(".player")).to_have_count(4)
    expect(page.locator(".player").nth(1)).to_contain_text("a person (away)")
    (new,) = (text for text in asked if '"do":"new"' in text)
    assert json.loads(new)["options"] == {"players": 4, "first": "black"}
    assert page.locator("#play-on").evaluate("button => button.hidden")  # not against a person


def test_a_game_against_a_program_is_played_on_as_another(open_page):
    page = open_page()
    page.wait_for_selector(".hit.can")
    first = page.url
    page.locator("#play-on").dispatch_event("click")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("dialog")).to_have_count(0)
    expect(page).not_to_have_url(first)


def test_skipping_the_navigation_stays_on_the_page(open_page):
    page = open_page("#/rules/spalding")
    page.wait_for_selector("#content h1")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#content")).to_be_focused()
    assert page.url.endswith("#/rules/spalding")
    expect(page).to_have_title("Rules of Captain Spalding Chess · pasgl")


def test_without_storage_the_page_can_still_be_used(open_page):
    page = open_page("#/rules")
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied'); } });"
    )
    page.goto(page.url.partition("#")[0])
    page.wait_for_selector(".hit.can")
    click(page, "d2")
    click(page, "e3")
    expect(page.locator(".turn-line").first).to_contain_text("Pd2e3")
    before = page.locator("html").get_attribute("data-theme")
    page.locator("#theme").click()
    expect(page.locator("html")).not_to_have_attribute("data-theme", str(before))


def test_names_in_games_are_never_markup(open_page, served):
    from .conftest import Client

    client = Client(served)
    evil = "<img src=x onerror=alert(1)>"
    seats = [{"player": "person", "name": evil}, {"player": "greedy"}]
    game = client.ask("new", variant="spalding", seats=seats)["game"]
    page = open_page(f"#/game/{game}")
    expect(page.locator(".players")).to_contain_text(evil)
    assert page.locator(".players img").count() == 0
    client.close()


def test_a_refused_position_is_told_in_the_dialog(open_page):
    page = open_page(width=360, height=640)
    page.wait_for_selector(".hit.can")
    page.get_by_role("button", name="New game").click()
    page.get_by_text("Start from a position").click()
    page.locator("#ng-start").fill(Position("spalding").text)
    page.locator("#ng-variant").select_option("pasgl312")
    page.get_by_role("button", name="Play", exact=True).click()
    refused = page.locator("dialog").get_by_role("alert")
    expect(refused).to_contain_text("A position text of pasgl312 has 8 fields")
    expect(refused).to_be_in_viewport()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_enabled()


def test_it_is_told_why_a_move_is_not_legal(open_page):
    page = open_page()
    page.wait_for_selector(".hit.can")
    click(page, "b1")
    click(page, "c4")
    expect(page.locator(".tip")).to_contain_text("Skunk: Any distance along a rank or file")


def test_what_a_finger_asks_for_is_told_and_stays(open_page):
    page = open_page("#/learn/pasgl312/4", width=390, height=844, has_touch=True, is_mobile=True)
    page.wait_for_selector(".hit.can")
    tip, own = page.locator(".tip"), page.locator(".hit.can").first
    own.tap()
    square(page, "a8").tap()
    expect(tip).to_be_visible()
    own.scroll_into_view_if_needed()
    box = own.bounding_box()
    devtools = page.context.new_cdp_session(page)
    place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2, "id": 1}
    for kind, points in (("touchStart", [place]), ("touchEnd", [])):
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        expect(tip).to_be_visible()


@pytest.mark.parametrize("address", ["", "#/editor/pasgl312"])
def test_resting_on_a_square_tells_what_it_is_beside_the_board(open_page, address):
    page = open_page(address)
    page.wait_for_selector(".board > svg:not(.over)")
    square(page, "h4").hover()
    expect(page.locator(".tip")).to_contain_text("The Train comes here next")
    board, tip = (page.locator(part).bounding_box() for part in (".board", ".tip"))
    assert tip["x"] >= board["x"] + board["width"]


def test_a_position_is_set_up_and_its_address_shows_it(open_page):
    page = open_page("#/editor/spalding")
    page.wait_for_selector(".palette button")
    page.wait_for_selector(".board > svg:not(.over)")
    page.locator("[data-tool=R]").click()
    click(page, "e4")
    expect(page.locator(".status")).to_contain_text(
        "Not possible yet: left: R is on the board, so it has been found"
    )
    expect(page.locator(".sketch")).to_have_count(1)
    expect(page.get_by_role("button", name="Play from here")).to_be_disabled()
    page.locator("#ed-left").fill("-")
    page.locator("#ed-left").press("Enter")
    expect(page.locator("#ed-text")).to_have_value("j2x3p/8/8/8/4R3/8/8/P3X2J w - 0")
    other = open_page("#" + page.url.partition("#")[2])
    expect(other.locator("#ed-text")).to_have_value("j2x3p/8/8/8/4R3/8/8/P3X2J w - 0")
    other.locator("#think").click()
    expect(other.locator(".candidates tbody tr").first).to_be_visible()
    other.get_by_role("button", name="Play from here").click()
    other.get_by_role("button", name="Play", exact=True).click()
    other.wait_for_selector(".game .players")
    expect(other.locator(".piece[data-square='e4']")).to_be_visible()


def test_a_piece_that_must_be_there_is_moved_in_the_editor_and_moved_back(open_page):
    page = open_page("#/editor/pasgl312")
    page.wait_for_selector(".board > svg:not(.over)")
    text = page.locator("#ed-text")
    expect(text).to_have_value(re.compile("PPPPPPPP/TSFHBDWT"))
    square(page, "e1").drag_to(square(page, "d3"))
    expect(text).to_have_value(re.compile("3B4/PPPPPPPP/TSFH1DWT"))
    page.get_by_role("button", name="Undo").click()
    expect(text).to_have_value(re.compile("PPPPPPPP/TSFHBDWT"))
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


def test_pieces_are_moved_freely_in_the_editor_and_what_is_wrong_is_told(open_page):
    page = open_page("#/editor/pasgl312")
    page.wait_for_selector(".board > svg:not(.over)")
    status, sketched = page.locator(".status"), page.locator("rect.sketched")
    square(page, "e1").drag_to(square(page, "e5"))
    expect(status).to_contain_text("Not possible yet: board: B on e5: a Bear stays in its own half")
    expect(sketched).to_have_count(2)
    square(page, "e5").drag_to(square(page, "e6"))
    expect(sketched).to_have_count(3)
    page.get_by_role("button", name="Undo").click()
    expect(sketched).to_have_count(2)
    square(page, "e5").drag_to(square(page, "e3"))
    expect(page.locator("#ed-text")).to_have_value(re.compile("4B3/PPPPPPPP/TSFH1DWT"))
    expect(status).to_have_text("White to move: 39 actions")
    expect(sketched).to_have_count(0)


def slow_down(page, milliseconds):
    """Delay what the page sends from its next load on."""
    page.add_init_script(
        "const send = WebSocket.prototype.send; WebSocket.prototype.send = function (text)"
        f" {{ setTimeout(() => this.readyState === 1 && send.call(this, text), {milliseconds}); }};"
    )


def test_the_editor_keeps_every_edit_its_focus_and_the_reason_against_a_link(open_page):
    page = open_page("#/rules")
    slow_down(page, 150)
    page.goto(f"{page.url.partition('#')[0]}?#/editor/spalding?text=nonsense")
    expect(page.locator(".status")).to_contain_text("Not possible: a position text of spalding")
    page.wait_for_selector(".board > svg:not(.over)")
    expect(page.locator("#ed-text")).to_have_value("nonsense")
    assert page.url.endswith("text=nonsense")
    page.locator("[data-tool=empty]").click()
    click(page, "a1")
    click(page, "a8")
    expect(page.locator("#ed-text")).to_have_value("3x3p/8/8/8/8/8/8/4X2J w RHErhe 0")
    page.locator("#ed-left").fill("RHE")
    page.keyboard.press("Tab")
    expect(page.locator("#ed-text")).to_have_value("3x3p/8/8/8/8/8/8/4X2J w RHE 0")
    expect(page.locator("#ed-turns")).to_be_focused()
    click(page, "h1")
    page.evaluate("location.hash = '#/rules'")
    page.wait_for_selector(".rules h1")
    page.wait_for_timeout(400)
    assert page.url.endswith("#/rules")


def test_who_leaves_while_a_page_opens_stays_away(open_page):
    page = open_page("#/games")
    page.evaluate("localStorage.clear()")
    slow_down(page, 300)
    asked: list[str] = []
    page.on(
        "websocket", lambda socket: socket.on("framesent", lambda text: asked.append(str(text)))
    )
    page.goto(page.url.partition("#")[0] + "?")
    page.wait_for_selector("#connection", state="hidden")
    page.evaluate("location.hash = '#/playtests'")
    page.wait_for_selector(".page form")
    page.evaluate("location.hash = '#/rules'")
    page.wait_for_selector(".rules h1")
    page.wait_for_timeout(3000)
    assert page.url.endswith("#/rules")
    assert sum('"do":"playtests"' in text for text in asked) == 1


def test_the_focus_is_never_lost_and_escape_cancels(open_page):
    page = open_page()
    begin(page, "spalding", "person", "person")
    for name in ("e1", "e2"):
        square(page, name).focus()
        page.keyboard.press("Enter")
    page.wait_for_selector(".status:has-text('comes out')")
    square(page, "e3").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".popover")
    page.keyboard.press("Escape")
    expect(page.locator(".popover")).to_have_count(0)
    expect(square(page, "e3")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator(".moves")).to_contain_text("/Re3")
    expect(page.locator(".turn-line")).to_have_count(1)
    expect(square(page, "e3")).to_be_focused()
    play(page, "Ph8-g7", "/Lg6")
    line = page.locator(".turn-line button").first
    line.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".turn-line").first).to_have_class("turn-line here")
    expect(line).to_be_focused()
    begin(page, "chieftain", "person", "person")
    click(page, "c1")
    click(page, "c3")
    page.get_by_role("button", name="Ordered by the Chieftain on c1").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".status")).to_contain_text("activations left: 3")
    assert page.evaluate("document.activeElement.dataset.at") == "c3"


def test_a_watched_game_is_analysed_stepped_through_and_rated(open_page):
    page = open_page()
    begin(page, "spalding", "player random", "player random", options={"turn_limit": 6})
    page.locator("#pace").fill("-1.3")
    page.wait_for_selector(".result")
    page.get_by_text("Analysis").click()
    expect(page.locator(".candidates")).to_have_text(re.compile("^There is nothing to choose"))
    expect(page.locator(".candidates table")).to_be_hidden()
    page.get_by_role("button", name="Graph of the game").click()
    expect(page.locator(".graph svg")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".turn-line.here")).to_have_attribute("value", "5")
    expect(page.locator(".candidates tbody tr").first).to_be_visible()
    page.get_by_text("Rate this game").click()
    page.get_by_label("4", exact=True).check()
    page.locator("textarea[name=comment]").fill("<script>alert('no')</script>")
    drawn = page.locator(".legend svg").first.evaluate("node => node.outerHTML")
    page.locator("#theme").click()
    page.wait_for_function(
        "drawn => document.querySelector('.legend svg').outerHTML !== drawn", arg=drawn
    )
    expect(page.locator(".turn-line.here")).to_have_attribute("value", "5")
    page.get_by_role("button", name="Send").click()
    page.get_by_text("See what others said").click()
    expect(page.locator("#content")).to_contain_text("<script>alert('no')</script>")


def test_turns_that_are_taken_back_are_neither_shown_nor_judged(open_page):
    page = open_page()
    begin(page, "spalding", "person", "person")
    play(page, "Xe1-e2", "/He1", "Ph8-g7", "/Lg6")
    page.locator("#evaluate").dispatch_event("click")
    expect(page.locator("#analysis")).to_contain_text("marked.")
    expect(page.locator(".turn-line").first).to_contain_text("?")
    page.get_by_role("button", name="Back", exact=True).click()
    expect(page.locator(".status")).to_contain_text("An earlier position")
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".status")).to_contain_text("Black to move")
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("#analysis")).to_contain_text("There were no serious mistakes.")
    play(page, "Pa1-b2", "/Lb3")
    expect(page.locator(".turn-line > button")).to_have_text("Pa1-b2 /Lb3")


def test_a_game_is_played_on_from_an_earlier_position(open_page):
    page = open_page()
    begin(page, "spalding", "person", "person", options={"turn_limit": 50})
    play(page, "Pa1-b2", "/Lb3", "Ph8-g7", "/Lg6")
    page.locator(".turn-line button").first.click()
    page.get_by_text("Analysis").click()
    page.get_by_role("button", name="Play on from here").click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".player").last).to_contain_text("beginner")
    expect(page.locator(".moves")).to_contain_text("Pa1-b2 /Lb3")
    expect(page.locator("#clock")).to_contain_text("after 50")


# Goes elsewhere once something has been asked, and holds back the event that tells the page so.
LEAVING = """
command => {
  const hold = event => event.stopImmediatePropagation();
  window.addEventListener("hashchange", hold, { capture: true });
  const leave = () => (location.hash = "#/elsewhere");
  const arrive = () => setTimeout(() => (window.isAnswered = true), 500);
  const { fetch } = window;
  window.fetch = async address => {
    const answer = fetch(address);
    if (address.startsWith(`lasting/${command}.json`)) {
      leave();
      answer.then(arrive);
    }
    return answer;
  };
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (text) {
    send.call(this, text);
    const asked = JSON.parse(text);
    if (asked.do !== command) return;
    leave();
    this.addEventListener("message", ({ data }) => JSON.parse(data).re === asked.id && arrive());
  };
}
"""


@pytest.mark.parametrize(
    ("address", "command", "button"),
    [
        ("new/pasgl312", "new", None),
        ("games", "new", "Play"),
        ("games", "join", "Join"),
        ("learn/pasgl312", "lesson", None),
        ("editor/pasgl312", "edit", None),
    ],
)
def test_an_answer_leads_nobody_back_who_went_elsewhere(
    open_page, client, address, command, button
):
    if button == "Join":
        client.ask("new", variant="pasgl312", seats=[{"name": "Bea"}, {"open": True}])
    page = open_page("#/games")
    link = page.url.replace("#/games", f"#/{address}")
    page.add_init_script(f"({LEAVING})({json.dumps(command)})")
    page.goto("about:blank")  # to change only the part behind # would not run the script
    page.goto(link)
    if button == "Play":
        page.get_by_role("button", name="New game").click()
        page.get_by_role("button", name="Play", exact=True).click()
    if button == "Join":
        page.get_by_role("row", name="Bea").get_by_role("button", name="Join").click()
    page.wait_for_function("() => window.isAnswered")
    assert page.evaluate("location.hash") == "#/elsewhere"


# Asks twice in one place: the first answer has the page set its own address.
TWICE = """
async () => {
  const { Place } = await import("/static/address.js");
  const [asked, again] = [new Place(), new Place()];
  asked.rename("#/games?renamed");
  return [again.goTo("unknown"), location.hash];
}
"""


def test_an_address_that_the_page_sets_itself_does_not_hold_up_what_was_asked(open_page):
    page = open_page("#/games")
    page.wait_for_selector("h1")
    assert page.evaluate(TWICE) == [True, "#/game/unknown"]


def test_records_are_opened_from_a_file(open_page, tmp_path):
    from pasgl_env.records import GameRecord, write_records

    evil = "<img src=x onerror=alert(1)>"
    comments = {0: ("A friendly game",), 1: (f"Hm {evil}",)}
    about = {"players": (evil, None), "comments": comments, "tags": {"Event": "Cup"}}
    game = GameRecord.of(Position("pasgl312"), ["Th1h2", "wg8g6"], **about)
    write_records(tmp_path / "games.pgr", [game])
    page = open_page("#/games")
    page.locator("input[type=file]").set_input_files(tmp_path / "games.pgr")
    expect(page.locator(".turn-line")).to_have_count(2)
    expect(page.locator(".players")).to_contain_text(evil)
    expect(page.locator(".moves")).to_contain_text(f"Hm {evil}")
    expect(page.locator(".side")).to_contain_text("Event: Cup")
    expect(page.locator(".side")).to_contain_text("A friendly game")
    expect(page.locator("#type")).to_be_hidden()
    assert page.locator("#content img").count() == 0


def test_a_piece_is_dragged_with_a_finger(open_page, client):
    made = client.ask("new", variant="pasgl312", seats=[{"player": "person"}] * 2)
    link = f"#/game/{made['game']}/{made['secrets']['0']}"
    page = open_page(link, width=390, height=760, has_touch=True, is_mobile=True)
    page.wait_for_selector(".hit.can")
    page.wait_for_timeout(300)
    start, target = (page.locator(f"[data-at='{at}']").bounding_box() for at in ("f1", "d5"))
    assert start and target
    (x, y), (u, v) = (
        (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in (start, target)
    )
    devtools = page.context.new_cdp_session(page)

    def touch(kind, *points):
        touches = [{"x": at[0], "y": at[1], "id": 1} for at in points]
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
        page.wait_for_timeout(20)

    touch("touchStart", (x, y))
    for step in range(1, 13):
        touch("touchMove", (x + (u - x) * step / 12, y + (v - y) * step / 12))
    touch("touchEnd")
    expect(page.locator("ol.moves")).to_contain_text("Df1d5")


def test_the_board_keeps_up_with_a_fast_game_between_programs(open_page):
    page = open_page()
    page.wait_for_selector(".game .players")
    page.evaluate(
        "async () => (location.hash = '#/game/' + await (await import('/static/newgame.js')).begin("
        "'pasgl312', { turn_limit: 60 }, ['player random', 'player random'], '', { pace: 0.05 }))"
    )
    page.wait_for_selector(".result", timeout=30_000)
    page.wait_for_timeout(2000)
    drawn = "document.querySelector('.board > svg:not(.over)').textContent"
    shown = page.evaluate(drawn)
    page.wait_for_timeout(1000)
    assert page.evaluate(drawn) == shown


@pytest.mark.parametrize("variant", ["pasgl312", "chieftain", "overlord"])
@pytest.mark.parametrize(("width", "height"), [(844, 390), (640, 430), (932, 430)])
def test_a_whole_board_fits_on_a_low_screen(open_page, width, height, variant):
    page = open_page(f"#/study?variant={variant}", width=width, height=height)
    page.wait_for_selector(".hit.can")
    board, around = (page.locator(part).bounding_box() for part in (".board", ".board-scroll"))
    assert 0.6 * height <= board["height"] <= height
    assert board["width"] <= around["width"]


def test_a_task_and_its_board_are_seen_together_on_a_low_screen(open_page):
    page = open_page("#/puzzles/daily", width=844, height=390)
    page.wait_for_selector(".hit.can")
    expect(page.locator(".task")).to_be_in_viewport()
    expect(page.locator(".board")).to_be_in_viewport(ratio=0.7)


@pytest.mark.parametrize("address", ["", "#/puzzles/daily", "#/study?variant=pasgl312", "#/learn"])
def test_a_page_lists_the_keys_of_boards(open_page, address):
    page = open_page(address)
    page.wait_for_selector(".hit.can, .lessons a")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("flip the board")


def test_a_sign_that_is_pressed_is_seen_on_the_board_of_a_phone(open_page):
    page = open_page(width=390, height=844)
    begin(page, "pasgl312", "person", "person")
    page.get_by_text("What the signs on the board mean").click()
    page.locator(".signs button").first.click()
    expect(page.locator(".board")).to_be_in_viewport(ratio=1)
    expect(page.locator(".over rect.ring").first).to_be_attached()


def test_the_dialog_stays_after_a_double_click_and_a_selection(open_page):
    page = open_page()
    page.wait_for_selector(".hit.can")
    page.get_by_role("button", name="New game").dblclick()
    page.get_by_text("Start from a position").click()
    box = page.locator("#ng-start").bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(3, 3, steps=3)
    page.mouse.up()
    expect(page.locator("#ng-start")).to_be_visible()
    page.mouse.click(3, 3)
    expect(page.locator("dialog")).to_have_count(0)


def test_squares_are_typed_in_any_case_and_keys_work_without_the_board(open_page):
    page = open_page()
    page.wait_for_selector(".hit.can")
    page.keyboard.press("f")
    page.wait_for_selector(".board.flipped")
    page.keyboard.press("?")
    expect(page.locator("dialog")).to_contain_text("flip the board")
    page.keyboard.press("Escape")
    page.locator("#type").fill("D2E3")
    page.locator("#type").press("Enter")
    expect(page.locator(".turn-line").first).to_contain_text("Pd2e3")


@pytest.mark.parametrize("address", ["#/game/%E0%A4%A", "#/game", "#/mistakes"])
def test_an_address_of_no_page_is_told(open_page, address):
    page = open_page(address)
    expect(page.locator("#content .empty")).to_contain_text("does not exist")
    expect(page.locator("#content .empty")).to_contain_text("Play a game.")


@pytest.mark.parametrize("address", ["learn/nothing", "editor/nothing", "study?variant=nothing"])
def test_an_address_of_no_game_is_told(open_page, address):
    page = open_page(f"#/{address}")
    told = "There is no game “nothing” here. Play a game."
    expect(page.locator("#content .empty")).to_have_text(told)


def test_a_position_that_is_not_possible_is_told(open_page):
    page = open_page("#/study?variant=pasgl312&text=nonsense")
    told = re.compile(r"^A position text of pasgl312 has 8 fields.*\. Play a game\.$")
    expect(page.locator("#content .empty")).to_have_text(told)


def test_the_page_asks_for_all_modules_of_a_game_at_once():
    page, left = (STATIC / "index.html").read_text(), ["main.js"]
    modules: set[str] = set()
    while left:
        text = (STATIC / left.pop()).read_text()
        new = set(re.findall(r'^import .* from "\./([a-z]+\.js)"', text, re.MULTILINE)) - modules
        modules |= new
        left += new
    assert set(re.findall(r'modulepreload" href="static/([a-z]+\.js)"', page)) == modules
