"""The page as static files: games, lessons and puzzles without a server."""

import functools
import http.server
import re
import struct
import threading
from base64 import urlsafe_b64encode
from random import Random
from types import SimpleNamespace
from typing import ClassVar
from urllib.parse import parse_qs, unquote

import pytest
from playwright.sync_api import expect

from pasgl_env import Position, variants
from pasgl_env.dangers import dangers
from pasgl_env.jit.compiled import JIT
from pasgl_env.records import read_records, write_records
from tools import site

from .clicking import Clicker
from .test_browser import click, turns

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not JIT, reason="there is nothing to compile without Numba's compiler"),
]


class Files(http.server.SimpleHTTPRequestHandler):
    refused: ClassVar[set[str]] = set()

    def do_GET(self):
        if self.path.rpartition("/")[2] in self.refused:
            self.send_error(503)
        else:
            super().do_GET()

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    site.build(folder / "play", ["pachessi"])
    handler = functools.partial(Files, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield SimpleNamespace(link=f"http://127.0.0.1:{server.server_port}/play/")
        server.shutdown()


def test_a_whole_game_against_a_program_is_played_by_clicks(open_page, files):
    page = open_page(server=files)
    player = Clicker(page)
    player.wait_for_turn()
    for _ in range(400):
        if player.is_over or len(turns(page)) > 12:
            break
        player.click_once()
        player.wait_for_turn()
    played = turns(page)
    assert len(played) > 12
    page.reload()
    page.wait_for_selector(".status.mine, .result")
    assert turns(page)[: len(played)] == played


def test_a_link_leads_to_the_position(open_page, files):
    page = open_page("#/new/pachessi", server=files)
    page.wait_for_selector(".status.mine")
    page.locator("#link").click()
    link = page.locator("dialog input").input_value()
    played = page.locator(".moves").inner_text()
    other = open_page(link.removeprefix(files.link), server=files)
    other.wait_for_selector(".status.mine")
    assert other.locator(".moves").inner_text() == played
    other.goto(link.replace("#/from/pachessi/", "#/from/pachessi/AAAA"))
    expect(other.locator("#content .empty")).to_contain_text("This link leads to no position")


STATE = """
async () => {
  const { server } = await import('./static/main.js');
  const state = new Promise((resolve) => server.addEventListener('state', resolve, { once: true }));
  const about = await server.ask('watch', { game: location.hash.split('/')[2], secrets: [] });
  return [about, (await state).detail].map(Object.keys);
}
"""


def test_games_are_told_in_the_same_fields_as_by_a_server(open_page, files, client):
    page = open_page("#/new/pachessi", server=files)
    page.wait_for_selector(".status.mine")
    game, state = client.new("pachessi", "person", "random")
    about = client.ask("watch", game=game, secrets=client.secrets)
    for told, own in zip((about, state), page.evaluate(STATE), strict=True):
        assert set(own) >= set(told)


def play_some_turns(page, more=4):
    player = Clicker(page)
    player.wait_for_turn()
    end = len(turns(page)) + more
    while len(turns(page)) < end:
        player.click_once()
        player.wait_for_turn()


def expect_in_step(page, other):
    """Wait until two pages show the same choice of a person in a game."""
    for each in (page, other):
        Clicker(each).wait_for_turn()
    for _ in range(100):
        plies = {each.locator(".game").get_attribute("data-ply") for each in (page, other)}
        if len(plies) == 1 and turns(page) == turns(other):
            return
        page.wait_for_timeout(100)
    pytest.fail(f"the pages are at {plies}")


@pytest.mark.parametrize("form", ["pgr", "pgr.gz", "pgb"])
def test_a_record_is_saved_for_pasgl_and_opened_again(open_page, files, tmp_path, form):
    page = open_page("#/new/pachessi", server=files)
    play_some_turns(page)
    save_record(page, tmp_path / "game.pgr")
    [game] = read_records(tmp_path / "game.pgr")
    write_records(tmp_path / f"again.{form}", [game])
    other = open_page("#/games", server=files)
    other.set_input_files("input[type=file]", tmp_path / f"again.{form}")
    other.wait_for_selector(".turn-line")
    *complete, last = [" ".join(turn.labels) for turn in game.turns()]
    for shown in turns(page), turns(other):  # both may have gone on
        assert shown[: len(complete)] == complete
        assert shown[len(complete)].startswith(last)


def test_a_damaged_record_is_refused_with_its_line_and_others_are_opened(
    open_page, files, tmp_path
):
    text = '[Variant "pachessi"]\n[Result "*"]\n\n1. black;2-1 *\n\n'
    (tmp_path / "games.pgr").write_text(f"{text}{text.replace('black;2-1 ', '')}")
    page = open_page("#/games", server=files)
    page.set_input_files("input[type=file]", tmp_path / "games.pgr")
    expect(page.get_by_text("line 4: black;2-1 is no legal turn")).to_be_visible()
    page.wait_for_selector(".board > svg:not(.over)")


TEXT = "R@,Ea1:0,Hb3:1,S*/R*,E*,H*,Sf3:0 black 3,4 i 12"


def test_a_game_from_a_position_text_is_recorded_with_it(open_page, files, tmp_path):
    page = open_page("#/editor/pachessi", server=files)
    page.locator("#ed-text").fill(f"{TEXT}+")
    page.locator("#ed-turns").focus()
    expect(page.locator(".status")).to_contain_text("Not possible: turns")
    page.locator("#ed-text").fill(TEXT)
    page.locator("#ed-turns").focus()
    expect(page.locator(".piece[data-square='b3']")).to_have_attribute("data-piece", "H")
    assert parse_qs(page.url.partition("?")[2])["text"] == [TEXT]
    page.get_by_role("button", name="Play from here").click()
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_selector(".status.mine")
    save_record(page, tmp_path / "game.pgr")
    [game] = read_records(tmp_path / "game.pgr")
    assert game.start == TEXT
    other = open_page("#/games", server=files)
    other.set_input_files("input[type=file]", tmp_path / "game.pgr")
    expect(other.locator(".piece[data-square='b3']")).to_have_attribute("data-piece", "H")


def save_record(page, file):
    page.locator("#analysis summary").click()
    with page.expect_download() as saving:
        page.get_by_role("link", name="record").click()
    saving.value.save_as(file)


def test_rules_are_changed(open_page, files):
    page = open_page(server=files)
    page.locator("#new-game").click()
    page.get_by_text("Change rules").click()
    page.get_by_label("laps").fill("2")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_text("Changed rules: laps 2")).to_be_visible()


def test_every_turn_is_evaluated(open_page, files):
    page = open_page("#/new/pachessi", server=files)
    play_some_turns(page)
    page.locator("#analysis summary").click()
    page.locator("#evaluate").click()
    expect(page.locator("#analysis")).to_contain_text(re.compile(r"no serious mistakes|marked\."))
    line = page.locator(".graph .line").get_attribute("d")
    assert line.count("L") == len(turns(page)) - 1


TRY = """
async () => {
  const { server } = await import('./static/main.js');
  const game = location.hash.split('/')[2];
  const ply = Number(document.querySelector('.game').dataset.ply);
  const { line } = await server.search('hint', { game, ply });
  const ends = line.findIndex(({ seat }) => seat !== line[0].seat);
  const labels = line.slice(0, ends < 0 ? line.length : ends).map(({ label }) => label);
  const verdicts = [];
  for (let most = 0; most <= labels.length; most++) {
    const tried = await server.ask('attempt', { game, ply, labels: labels.slice(0, most) });
    verdicts.push(tried.verdict);
  }
  return verdicts;
}
"""


def written(choices):
    """Choices in an address."""
    return urlsafe_b64encode(struct.pack(f"<{len(choices)}H", *choices)).decode()


def test_a_turn_as_good_as_the_programs_mends_a_mistake(open_page, files):
    position, choices = Position(variants.ruleset("pachessi")), []
    for label in ("black", "roll 1 2"):  # no die can take anything
        choices.append(position.action(label))
        position.play(label)
    page = open_page(f"#/from/pachessi/{written(choices)}", server=files)
    page.wait_for_selector(".status.mine")
    *first, last = page.evaluate(TRY)
    assert (set(first), last) == ({"open"}, "done")


WARN = """
async () => {
  const { server } = await import('./static/main.js');
  const game = location.hash.split('/')[2];
  const ply = Number(document.querySelector('.game').dataset.ply);
  return (await server.search('dangers', { game, ply })).dangers;
}
"""


def test_who_plays_is_warned_of_dangers_as_by_a_server(open_page, files):
    position, rng = Position(variants.ruleset("pachessi")), Random(1)
    choices, warned = list[int](), dict[str, list[str]]()
    while not warned:
        choices.append(rng.choice(position.legal_actions()))
        position.play_action(choices[-1])
        if position.to_move == 0:
            told = {
                position.label(each.action): each.in_words(position) for each in dangers(position)
            }
            warned = {label: lines for label, lines in told.items() if lines}
    page = open_page(f"#/from/pachessi/{written(choices)}", server=files)
    page.wait_for_selector(".status.mine")
    expect(page.get_by_label("Warn me of dangers")).to_be_visible()
    assert page.evaluate(WARN) == warned


FIRST = {
    "",
    "engine/server.js",
    "engine/catalogue.json",
    *(f"engine/pachessi.{kind}" for kind in ("rules.wasm", "rules.json", "words.json")),
    "engine/pachessi.light.json",
    "static/icon.svg",
}


def test_all_that_a_first_board_needs_is_asked_for_at_once(browser, files):
    page = browser.new_page(color_scheme="light")
    asked = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(files.link)))
    page.goto(files.link)
    page.wait_for_selector(".board > svg:not(.over)")
    page.close()
    assert set(list(dict.fromkeys(asked))[: len(FIRST)]) == FIRST


def test_a_variation_of_a_puzzle_is_shared_and_played_from(open_page, files):
    page = open_page("#/puzzles/pachessi/1", server=files)
    page.locator("#solve").click()
    page.get_by_role("link", name="Variations").click()
    page.locator(".game.study .board > svg:not(.over)").wait_for()
    shown = page.locator(".game.study").get_attribute("data-shown")
    page.locator("#link").click()
    other = open_page(page.locator("dialog input").input_value()[len(files.link) :], server=files)
    expect(other.locator(".game.study")).to_have_attribute("data-shown", shown)
    other.locator("#play-here").click()
    other.get_by_role("button", name="Play", exact=True).click()
    expect(other.locator(".game:not(.study) .board > svg:not(.over)")).to_be_visible()
    other.locator("#link").click()
    assert shown in unquote(other.locator("dialog input").input_value())


def set_field(page, name, value):
    page.locator(f"#ed-{name}").fill(value)
    page.locator(f"#ed-{name}").press("Enter")


def test_a_position_is_edited_shared_analysed_and_played_from(open_page, files):
    page = open_page("#/editor/pachessi", server=files)
    page.locator("[data-tool=black-R]").click()
    click(page, "d7")
    expect(page.locator(".piece[data-square='d7']")).to_have_attribute("data-piece", "R")
    set_field(page, "roll", "i+")
    expect(page.locator(".status")).to_contain_text("Not possible yet: the rules allow no")
    expect(page.get_by_role("button", name="Play from here")).to_be_disabled()
    set_field(page, "roll", "i")
    expect(page.get_by_role("button", name="Play from here")).to_be_enabled()
    set_field(page, "dice", "4")
    expect(page.locator(".status")).to_contain_text("to move:")
    other = open_page(page.url[len(files.link) :], server=files)
    expect(other.locator("#ed-dice")).to_have_value("4")
    other.locator("#think").click()
    expect(other.locator(".candidates tbody tr").first).to_be_visible()
    other.get_by_role("button", name="Play from here").click()
    other.get_by_role("button", name="Play", exact=True).click()
    expect(other.locator(".game:not(.editor) .piece[data-square='d7']")).to_be_visible()


def test_a_lesson_a_puzzle_and_an_ending_are_solved(open_page, files):
    addresses = ("#/learn/pachessi/2", "2"), ("#/puzzles/pachessi/1", "1"), ("#/endings/1", "1")
    for address, step in addresses:
        page = open_page(address, server=files)
        page.locator("#solve").click()
        expect(page.locator(".verdict.done")).to_be_visible()
        expect(page.locator(".lesson-steps [aria-current=step]")).to_have_text(step)


def test_a_game_goes_on_without_the_network(open_page, files):
    page = open_page("#/new/pachessi", server=files)
    page.wait_for_selector(".status.mine")
    page.evaluate("async () => void (await navigator.serviceWorker.ready)")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.context.set_offline(True)
    page.reload()
    page.wait_for_selector(".status.mine")


def test_two_tabs_with_a_game_keep_each_others_moves(open_page, files):
    page = open_page("#/new/pachessi", server=files)
    Clicker(page).wait_for_turn()
    game = page.evaluate("location.hash")
    other = page.context.new_page()
    other.goto(files.link + game)
    play_some_turns(other)
    expect_in_step(page, other)
    play_some_turns(page, more=2)
    expect_in_step(page, other)
    page.evaluate("location.hash = '#/games'")
    play_some_turns(other, more=2)
    played = turns(other)
    page.evaluate("(game) => void (location.hash = game)", game)
    expect_in_step(page, other)
    page.reload()
    expect_in_step(page, other)
    assert turns(page)[: len(played)] == played


STALE = """
async () => {
  const { server } = await import('./static/main.js');
  const game = location.hash.split('/')[2];
  const asked = indexedDB.open('pasgl', 1);
  await new Promise((resolve) => asked.addEventListener('success', resolve));
  const games = asked.result.transaction('games', 'readwrite').objectStore('games');
  const found = games.get(game);
  await new Promise((resolve) => found.addEventListener('success', resolve));
  const stored = { ...found.result, pace: 7, revision: found.result.revision + 1 };
  const put = games.put(stored);
  await new Promise((resolve) => put.addEventListener('success', resolve));
  const told = await server.ask('resign', { game }).catch(({ message }) => message);
  const after = asked.result.transaction('games').objectStore('games').get(game);
  await new Promise((resolve) => after.addEventListener('success', resolve));
  return [told, after.result.pace, after.result.resigned];
}
"""


def test_what_another_tab_has_stored_is_never_overwritten(open_page, files):
    page = open_page("#/new/pachessi", server=files)
    Clicker(page).wait_for_turn()
    told, pace, resigned = page.evaluate(STALE)
    assert "moved on" in told
    assert (pace, resigned) == (7, None)
    expect(page.locator(".result")).to_have_count(0)


def test_what_could_not_be_loaded_is_loaded_later(open_page, files, monkeypatch):
    monkeypatch.setattr(Files, "refused", {"pachessi.lesson.json"})
    page = open_page("#/learn/pachessi", server=files)
    expect(page.locator("#content .empty")).to_contain_text("could not be loaded")
    monkeypatch.undo()
    page.get_by_role("link", name="Play a game").click()
    page.wait_for_selector(".status.mine")
    page.evaluate("location.hash = '#/learn/pachessi'")
    page.wait_for_selector(".lesson .hit.can")


def test_a_page_whose_engine_could_not_be_loaded_says_so(open_page, files, monkeypatch):
    monkeypatch.setattr(Files, "refused", {"server.js"})
    page = open_page(server=files)
    expect(page.locator("#connection")).to_contain_text("reload")


def test_what_needs_a_server_says_so(open_page, files):
    for address in ("#/feedback", "#/playtests"):
        page = open_page(address, server=files)
        expect(page.locator("#content .empty")).to_contain_text("This needs a server")


def test_nothing_is_asked_of_another_host_and_no_text_is_run_as_code(open_page, files):
    page = open_page("#/new", server=files)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    page.wait_for_selector(".status.mine")
    assert all(url.startswith(files.link) for url in asked)
    page.evaluate("() => void setTimeout('window.ran = true')")
    page.wait_for_timeout(100)
    assert page.evaluate("() => window.ran") is None
