"""The time that people have for a turn, by a clock that the tests set."""

import asyncio
import re
import sqlite3
import threading

import pytest

from pasgl_env import Position
from pasgl_env.records import GameRecord, read_records, write_records
from pasgl_env.records.clocks import seconds_of
from pasgl_env.web import hub as web_hub
from pasgl_env.web.hub import stopped
from pasgl_env.web.live_game import LiveGame, records_in
from pasgl_env.web.protocol import Problem
from pasgl_env.web.store import DAY, Locked, Store

from .conftest import Client
from .test_bounds import Local, with_hub
from .test_together import expect, play

PERSON, GREEDY = {"player": "person", "name": ""}, {"player": "greedy", "name": ""}

LEFT = re.compile(r"5:00|[0-4]:\d\d")


class Clocked:
    """A store whose time the tests set."""

    def __init__(self, folder):
        self.now = 1e9
        self.store = Store(folder / "games.sqlite3", lambda: self.now)

    def begin(self, turn_time, variant="pasgl312", seats=(PERSON, PERSON), **options):
        before = GameRecord.of(Position(variant, **options), [])
        return LiveGame.begin(self.store, before, list(seats), None, turn_time)[0]

    def opened(self, live):
        """A game as the store has it."""
        saved = self.store.find(live.id)
        assert saved is not None
        return LiveGame(saved, self.store)


@pytest.fixture
def clocked(tmp_path):
    made = Clocked(tmp_path)
    yield made
    made.store.close()


def test_the_time_of_a_turn_begins_with_it_and_is_kept_in_the_store(clocked):
    live = clocked.begin(60)
    assert live.meet({0, 1})
    clocked.now += 20
    assert live.time_left == 40
    live.play("Th1h2", {0})
    clocked.now += 15
    again = clocked.opened(live)
    assert (again.time_left, again.saved.running) == (45, 1)


def test_who_runs_out_of_time_loses_with_the_team_and_the_record_says_so(clocked, tmp_path):
    live = clocked.begin(60, "pachessi", [PERSON] * 4, players=4, first="black")
    live.meet({0, 1, 2, 3})
    clocked.now += 59
    assert clocked.store.run_out() == []
    clocked.now += 1
    assert clocked.store.run_out() == [(live.id, 0)]
    live.run_out(0)
    for each in (live, clocked.opened(live)):
        assert each.is_over and each.time_left is None
        assert (each.ending, each.returns) == ("Black ran out of time.", (-1, 1, -1, 1))
        with pytest.raises(Problem, match="the game is over"):
            each.play(live.position.choices[0].label, {0})
    record = live.record
    assert (record.result, record.termination) == ("0-1", "time forfeit")
    for form in ("pgr", "pgb"):
        file = tmp_path / f"games.{form}"
        write_records(file, [record])
        assert list(read_records(file)) == [record]
    assert '[OutOfTime "Black"]' in (tmp_path / "games.pgr").read_text()
    assert '[TimeControl "1/60"]' in (tmp_path / "games.pgr").read_text()


@pytest.mark.parametrize(("turn_time", "begins"), [(300, False), (3 * DAY, True)])
def test_no_time_runs_before_all_have_come_and_by_minutes_until_they_are_there(
    clocked, turn_time, begins
):
    live = clocked.begin(turn_time)
    assert not live.meet({0})
    live.play("Th1h2", {0})
    clocked.now += 10 * turn_time
    assert live.time_left is None and clocked.store.run_out() == []
    again = clocked.opened(live)
    assert again.meet({1}) == begins
    assert again.meet({0, 1}) != begins
    assert again.time_left == turn_time


def test_programs_have_no_clock_and_time_needs_an_opponent(clocked):
    seats = [PERSON, GREEDY, GREEDY, PERSON]
    live = clocked.begin(60, "pachessi", seats, players=4, first="black")
    live.meet({0, 3})
    while live.position.to_move == 0:
        assert live.time_left == 60
        live.play(live.choices[0].label, {0})
    assert live.player_to_act == "greedy" and live.time_left is None
    for alone in ([PERSON, GREEDY], [GREEDY, GREEDY]):
        with pytest.raises(Problem, match="people play against each other only"):
            clocked.begin(60, seats=alone)


def test_a_turn_of_several_actions_has_one_time_even_if_actions_are_undone(clocked):
    live = clocked.begin(60, "chieftain")
    live.meet({0, 1})
    clocked.now += 10
    live.play("Cc1-c3", {0})
    clocked.now += 10
    live.undo({0})
    assert live.time_left == 40


def test_a_turn_that_was_taken_back_has_its_whole_time_again(clocked):
    live = clocked.begin(60)
    live.meet({0, 1})
    live.play("Th1h2", {0})
    clocked.now += 30
    live.take_back({0})
    assert live.time_left == 30
    live.allow({1})
    assert (live.time_left, live.saved.running) == (60, 0)


def test_no_time_runs_after_the_end_and_a_rematch_has_the_same(clocked):
    live = clocked.begin(60, turn_limit=1)
    live.meet({0, 1})
    live.play("Th1h2", {0})
    assert live.is_over and clocked.opened(live).time_left is None
    again = live.begin_rematch()
    assert (again.saved.turn_time, again.time_left) == (60, None)
    again.meet({0, 1})
    again.resign({1})
    clocked.now += 100
    assert clocked.store.run_out() == []
    assert again.ending == "Black resigned."


def test_the_times_in_a_record_do_not_contain_the_wait_for_others(clocked, tmp_path):
    live = clocked.begin(None)
    live.meet({0})
    clocked.now += 100
    live.play("Th1h2", {0})
    clocked.now += 100
    live.meet({0, 1})
    for label in ("wg8g6", "Pd2e3"):
        clocked.now += 7
        live.play(label, {0, 1})
    (record,) = records_in(tmp_path / "games.sqlite3")
    assert seconds_of(record) == {1: 7, 2: 7}


async def begin_a_minute(hub):
    """A client with both seats of a game that it watches, a minute a turn; and the game."""
    ann = Local(hub)
    made = await ann.ask("new", variant="spalding", seats=[PERSON, PERSON], turn_time=60)
    await ann.ask("watch", game=made["game"], secrets=list(made["secrets"].values()))
    return ann, made["game"]


def test_clocks_stand_while_the_server_is_suspended(tmp_path):
    now = 1e9

    async def body(hub):
        nonlocal now
        ann, game = await begin_a_minute(hub)
        for seconds, left in ((5, 55), (1000, 55), (5, 50)):
            now += seconds
            await hub.run_out()
            assert hub.open(game).time_left == left
        for _ in range(10):
            now += 5
            await hub.run_out()
        assert hub.open(game).ending == "White ran out of time."
        await ann.close()

    with_hub(body, tmp_path, lambda: now)


def check_held_up(folder, monkeypatch, look):
    """A clock stands for 1,000 seconds, though whoever looks then finds the store held up."""
    now = 1e9

    def held_up(since=None):
        raise Locked("locked", "another program is writing")

    async def body(hub):
        nonlocal now
        ann, game = await begin_a_minute(hub)
        hub.store.note_alive()
        now += 1000
        with monkeypatch.context() as patched:
            patched.setattr(hub.store, "resume_clocks", held_up)
            await look(hub)
        now += 1
        await hub.run_out()
        assert hub.open(game).time_left == 60
        await ann.close()

    with_hub(body, folder, lambda: now)


def test_a_store_that_is_held_up_loses_no_time_of_a_suspension(tmp_path, monkeypatch):
    async def look(hub):
        with pytest.raises(Locked):
            await hub.run_out()

    check_held_up(tmp_path, monkeypatch, look)


def test_clocks_go_on_after_an_error_of_the_store_which_is_logged_once(
    tmp_path, monkeypatch, caplog
):
    now = 1e9
    monkeypatch.setattr(web_hub, "TICK", 0.001)

    async def body(hub):
        nonlocal now
        ann, game = await begin_a_minute(hub)
        keeping = asyncio.create_task(hub.keep_time())
        denied = 0

        def deny(*_):
            nonlocal denied
            denied += 1
            return sqlite3.SQLITE_DENY

        hub.store._base.set_authorizer(deny)
        while denied < 3:
            await asyncio.sleep(0)
        hub.store._base.set_authorizer(None)
        while not hub.open(game).is_over:
            now += 5
            while hub._looked != now and not keeping.done():
                await asyncio.sleep(0)
        assert len([line for line in caplog.messages if "goes on trying" in line]) == 1
        await stopped([keeping])
        await ann.close()

    with_hub(body, tmp_path, lambda: now)


def test_a_store_that_is_held_up_at_the_start_loses_no_time_of_the_server(tmp_path, monkeypatch):
    check_held_up(tmp_path, monkeypatch, lambda hub: hub.start())


def test_games_that_run_out_while_another_is_loaded_have_ended_at_once(tmp_path, monkeypatch):
    now = 1e9

    async def body(hub):
        nonlocal now
        (ann, first), (ben, second) = await begin_a_minute(hub), await begin_a_minute(hub)
        stored = hub.store.find(second)
        await ben.close()
        for _ in range(11):
            now += 5
            await hub.run_out()
        is_read, find = threading.Event(), hub.store.find
        monkeypatch.setattr(hub.store, "find", lambda game: is_read.wait(60) and stored)
        loading = asyncio.create_task(hub.load(second))
        await asyncio.sleep(0)
        now += 6
        running_out = asyncio.create_task(hub.run_out())
        await asyncio.sleep(0)
        assert hub.open(first).ending == "White ran out of time."
        is_read.set()
        await running_out
        assert (await loading).saved.forfeit == find(second).forfeit == 0
        await ann.close()

    with_hub(body, tmp_path, lambda: now)


def test_clocks_stand_while_the_server_is_down(clocked, tmp_path):
    """As when it is killed: what it noted last is that it was alive."""
    live = clocked.begin(3 * DAY)
    live.meet({0, 1})
    clocked.now += DAY
    clocked.store.note_alive()
    clocked.now += 10 * DAY
    started = Store(tmp_path / "games.sqlite3", lambda: clocked.now)
    started.resume_clocks()
    assert started.run_out() == []
    assert clocked.opened(live).time_left == 2 * DAY
    started.resume_clocks()
    assert clocked.opened(live).time_left == 2 * DAY
    started.close()


def test_games_that_are_not_played_are_forgotten_but_not_those_by_days(clocked):
    short, long = clocked.begin(60), clocked.begin(DAY)
    clocked.now += 2 * DAY
    clocked.store.drop_unplayed()
    assert clocked.store.find(short.id) is None
    assert clocked.store.find(long.id) is not None


def test_a_client_is_told_in_which_of_its_games_it_is_awaited(served):
    """With those first in which the least time is left."""
    client = Client(served)
    secrets = {}
    for days in (3, 1):
        game, _ = client.new("spalding", "person", "person", turn_time=days * DAY)
        secrets[game] = client.secrets
    own = [
        {"game": game, "secrets": keys[days:]} for days, (game, keys) in enumerate(secrets.items())
    ]
    found = client.ask("games", own=own)["own"]
    assert [(each["game"], each["is_your_turn"]) for each in found] == [
        (own[1]["game"], False),
        (own[0]["game"], True),
    ]
    client.close()


@pytest.mark.browser
def test_the_time_of_a_turn_is_shown_and_ends_the_game(open_page, served, client):
    made = client.ask("new", variant="pasgl312", seats=[PERSON, PERSON], turn_time=300)
    game, keys = made["game"], made["secrets"]
    white = open_page(f"#/game/{game}/{keys['0']}")
    expect(white.locator("#clock")).to_contain_text("5 minutes a turn, once all have come")
    expect(white.get_by_role("timer")).to_have_count(0)
    black = open_page(f"#/game/{game}/{keys['1']}")
    expect(white.locator(".player.turn").get_by_role("timer")).to_have_text(LEFT)
    play(white, "Th1h2")
    expect(black.locator(".player").last.get_by_role("timer")).to_have_text(LEFT)
    store = sqlite3.connect(served.folder / "games.sqlite3", timeout=60, isolation_level=None)
    store.execute("UPDATE games SET deadline = 1 WHERE id = ?", (game,))
    store.close()
    for page in (white, black):
        expect(page.locator(".result")).to_have_text("Black ran out of time.")
        expect(page.get_by_role("timer")).to_have_count(0)
