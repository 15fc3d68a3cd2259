"""Lessons: the page plays them by clicks; the server judges, and refuses what is not legal."""

import pytest
from playwright.sync_api import expect

from pasgl_env.lessons import lesson

from .clicking import click_action
from .test_browser import begin, click, play


def solve(page, step):
    """Do a step by clicks."""
    labels: list[str] = []
    for label in step.own(step.answers[0]):
        position = step.attempt(labels).positions[-1]
        page.wait_for_selector(f".lesson[data-shown$=' {len(labels)}'] .board > svg:not(.over)")
        click_action(page, position.describe(position.action(label)))
        labels.append(label)
    expect(page.locator(".verdict.done")).to_contain_text(step.done)


@pytest.mark.browser
def test_every_lesson_is_learned_by_clicks(open_page, variant):
    page = open_page(f"#/learn/{variant}", reduced_motion="reduce")
    steps = lesson(variant).steps
    for number, step in enumerate(steps):
        page.wait_for_selector(f".lesson[data-shown='{number} 0']")
        expect(page.locator(".task")).to_have_text(step.task)
        solve(page, step)
        page.get_by_role("button", name="Finish" if step is steps[-1] else "Next").click()
    expect(page.locator(".verdict")).to_contain_text("That was the last step.")
    expect(page.locator(".lesson-steps .done")).to_have_count(len(steps))
    page.get_by_role("button", name="Play against a beginner").click()
    page.wait_for_selector(".status.mine")


@pytest.mark.browser
def test_a_task_and_its_whole_board_are_seen_together_on_a_phone(open_page, variant):
    address = f"#/learn/{variant}"
    page = open_page(address, width=390, height=844, reduced_motion="reduce")
    for number in range(len(lesson(variant).steps)):
        page.evaluate("address => (location.hash = address)", f"{address}/{number + 1}")
        page.wait_for_selector(f".lesson[data-shown='{number} 0'] .board > svg:not(.over)")
        for part in (".task", ".board"):
            expect(page.locator(part)).to_be_in_viewport(ratio=0.99)


@pytest.mark.browser
def test_a_failed_try_is_helped_repeated_and_shown(open_page):
    page = open_page("#/learn/pasgl312/4", reduced_motion="reduce")
    step = lesson("pasgl312").steps[3]
    page.wait_for_selector(".hit.can")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".verdict")).to_have_text(step.help)
    wrong = step.start()
    click_action(page, wrong.describe(wrong.action("Be1d1")))
    expect(page.locator(".verdict.wrong")).to_contain_text(step.help)
    expect(page.get_by_role("button", name="Next")).to_be_hidden()
    page.get_by_role("button", name="Try again").click()
    page.wait_for_selector(".hit.can")
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(".verdict.done")).to_contain_text(
        "Your Deer stole the lunch of Black's Hunter."
    )
    expect(page.locator(".verdict.done")).to_contain_text(step.done)
    expect(page.locator(".lesson-steps .done")).to_have_count(0)


EARLY = """
new MutationObserver(() => {
  const button = document.getElementById("solve");
  if (button?.checkVisibility()) window.sawTexts ??= document.querySelector("h1").textContent;
}).observe(document, { subtree: true, childList: true, attributes: true });
"""


@pytest.mark.browser
def test_buttons_come_with_the_texts_that_would_move_them(open_page):
    page = open_page("#/")
    page.add_init_script(EARLY)
    page.goto(page.url.replace("#/", "#/endings/1"))
    page.reload()
    expect(page.locator("#solve")).to_be_visible()
    assert page.evaluate("window.sawTexts")


@pytest.mark.browser
def test_a_lesson_goes_on_where_it_was_left(open_page):
    page = open_page("#/learn/spalding", reduced_motion="reduce")
    page.wait_for_selector(".hit.can")
    solve(page, lesson("spalding").steps[0])
    page.get_by_role("link", name="Learn", exact=True).click()
    expect(page.locator(".lessons")).to_contain_text("1 of 11 steps done")
    page.get_by_role("link", name="Go on with Captain Spalding Chess").click()
    expect(page.locator(".lesson h1")).to_have_text(lesson("spalding").steps[1].title)


@pytest.mark.browser
@pytest.mark.parametrize(
    "address", ["puzzles/chieftain", "study?variant=chieftain", "editor/chieftain", "new/chieftain"]
)
def test_what_a_stranger_needs_stands_beside_every_board(open_page, address):
    page = open_page(f"#/{address}")
    page.wait_for_selector(".board > svg:not(.over)")
    expect(page.locator(".aim")).to_contain_text(lesson("chieftain").aim)
    expect(page.locator("#how dd").first).to_be_visible()
    page.get_by_text("What the signs on the board mean").click()
    expect(page.locator(".signs")).to_contain_text("squares under command")
    expect(page.get_by_role("link", name="The rules, with")).to_have_attribute(
        "href", "#/rules/chieftain"
    )


@pytest.mark.browser
def test_how_to_play_is_open_until_it_is_closed(open_page):
    page = open_page()
    page.wait_for_selector(".hit.can")
    expect(page.locator("#how dd").first).to_be_visible()
    page.get_by_text("How to play").click()
    page.wait_for_function("() => localStorage.getItem('pasgl.how') === 'false'")  # a moment later
    page.reload()
    page.wait_for_selector(".hit.can")
    expect(page.locator("#how dd").first).to_be_hidden()


def test_attempts_are_judged_and_explained_by_the_rules(client):
    step = {"variant": "pasgl312", "step": 8}
    assert client.ask("attempt", **step)["verdict"] == "open"
    done = client.ask("attempt", **step, labels=["Td4d5"])
    assert done["verdict"] == "done"
    assert [seen["last_turn"] for seen in done["positions"]] == [["Td4d5"], ["be8d8"]]
    illegal = client.ask("attempt", **step, labels=["Td4h8"])
    assert "'Td4h8' is not legal here" in illegal["error"]["message"]
    words = client.ask("explain", **step, square="d4", target="e4", why=True)["words"]
    assert words == ["The Train is on e4: nobody moves onto it."]
    assert client.ask("attempt", variant="pasgl312", step=12)["error"]["code"] == "field"


THREATENED = "4b3/8/4h3/8/8/4B3/8/D6H ./././. ./. 12 w 0:0 0 0"
"""The Bear must leave e3, and not for e4, or all is lost: much more than a mistake needs, so that a
look at the position may be as short as it likes."""


def test_a_turn_that_a_hint_gave_is_as_good_as_the_best_whatever_another_look_finds(client):
    game, _ = client.new("pasgl312", "person", "person", start=THREATENED)
    client.ask("play", game=game, label="Be3e4")
    client.ask("resign", game=game)
    tried = {"game": game, "ply": 0, "labels": ["Hh1g1"]}
    assert client.ask("attempt", **tried)["verdict"] == "wrong"
    assert client.ask("attempt", **tried, hinted=["Hh1g1"])["verdict"] == "done"
    assert client.ask("attempt", game=game, ply=0, hinted=[])["verdict"] == "open"


@pytest.mark.browser
def test_mistakes_of_a_game_are_tried_again(open_page):
    page = open_page(reduced_motion="reduce")
    begin(page, "pasgl312", "person", "person", start=THREATENED)
    play(page, "Be3e4")
    page.get_by_role("button", name="Resign").click()
    page.locator("dialog .primary").click()
    page.evaluate(
        "() => new MutationObserver(() => {"
        " const told = document.querySelector('.page [role=status]');"
        " if (told) window.told = told.textContent; })"
        ".observe(document.body, { subtree: true, childList: true })"
    )
    page.get_by_role("link", name="Learn from your mistakes").click()
    expect(page.locator(".lesson h1")).to_have_text("Turn 1, White", timeout=90_000)
    expect(page.locator(".say").first).to_contain_text(
        "White played “Move: Bear e3 to e4”. It lost"
    )
    assert page.evaluate("told") == "Evaluating every turn: 1 of 1 …"
    page.get_by_role("button", name="Hint").click()
    # Searches wait for a process that loads the rules.
    expect(page.locator(".verdict")).to_have_text("Look at the Bear on e3.", timeout=90_000)
    click(page, "e3")
    click(page, "e4")
    expect(page.locator(".verdict.wrong")).to_contain_text("Not quite.")
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(".verdict.done")).to_contain_text(
        "About as good as the best", timeout=90_000
    )
    page.get_by_role("button", name="Finish").click()
    expect(page.get_by_role("link", name="Back to the game")).to_be_visible()


@pytest.mark.browser
def test_puzzles_are_solved_and_rated(open_page):
    page = open_page("#/puzzles", reduced_motion="reduce")
    page.get_by_role("link", name="Solve puzzles of PASGL 312 Chess").click()
    page.wait_for_selector(".hit.can")
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(".verdict.done")).to_contain_text("That is the answer. Your rating is 9")
    page.get_by_text("Why?").click()
    expect(page.locator("details .line li").first).to_be_visible(timeout=90_000)
    page.get_by_role("button", name="Next").click()
    page.wait_for_selector(".lesson[data-shown='1 0'] .hit.can")
    page.get_by_role("link", name="Puzzles", exact=True).click()
    expect(page.locator(".lessons")).to_contain_text("You have solved 0 of 1 puzzle at once.")
    page.get_by_role("link", name="Solve today's puzzle").click()
    page.wait_for_selector(".lesson[data-shown='0 0']")


@pytest.mark.browser
def test_an_ending_is_played_out_and_judged(open_page):
    page = open_page("#/puzzles", reduced_motion="reduce")
    page.get_by_role("link", name="Play endings").click()
    page.wait_for_selector(".hit.can", timeout=90_000)
    for square in ("c2", "b1"):
        click(page, square)
    expect(page.locator(".verdict.wrong")).to_contain_text(
        "That gave the win away: now it is a draw."
    )
    page.get_by_role("button", name="Try again").click()
    page.wait_for_selector(".hit.can")
    for square in ("c2", "c3"):
        click(page, square)
    expect(page.locator(".verdict")).to_contain_text("That was the best turn.")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".verdict")).to_contain_text("Move: Chieftain c1 to")
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(".verdict.done")).to_contain_text("You have won.")


def test_puzzles_are_judged(client):
    variant, text, solution, *_ = client.ask("puzzles")["puzzles"][0]
    puzzle = {"variant": variant, "puzzle": text}
    assert client.ask("attempt", **puzzle)["verdict"] == "open"
    assert client.ask("attempt", **puzzle, labels=solution)["verdict"] == "done"
    other = client.ask("attempt", variant=variant, puzzle=f"{text} ")
    assert other["error"]["code"] == "field"
