"""Games that whoever comes first may join."""

import json
import re
import sqlite3

import pytest

from pasgl_env.web.bounds import OPEN_GAMES_AT_ONCE, Address
from pasgl_env.web.hub import Hub
from pasgl_env.web.live_game import AWAY, RESERVED
from pasgl_env.web.store import DAY

from .conftest import Client
from .test_bounds import Local, with_hub
from .test_together import expect, play

LEFT = re.compile("3 days|2 days 23 hours")
SEATS = [{"name": "Ann"}, {"open": True}]


def open_to_all(client, **fields):
    made = client.ask("new", variant="spalding", seats=SEATS, **fields)
    assert made["ok"], made
    return made["game"], made["secrets"]


def test_one_joins_an_open_game_and_who_comes_later_is_told(served):
    ann, bob, eve = Client(served), Client(served), Client(served)
    game, secrets = open_to_all(ann, options={"turn_limit": 77})
    assert list(secrets) == ["0"]
    ann.watch(game, secrets["0"])
    (row,) = [row for row in bob.ask("games")["open"] if row["game"] == game]
    assert row["changed_options"] == {"turn_limit": 77}
    assert [(who["name"], who["open"]) for who in row["seats"]] == [("Ann", False), ("", True)]
    for each in (bob, eve):
        each.send("join", game=game, name="Bob")
    answers = [each.answer() for each in (bob, eve)]
    (joined,) = [answer for answer in answers if answer["ok"]]
    (refused,) = [answer for answer in answers if not answer["ok"]]
    assert refused["error"]["code"] == "seat"
    assert "somebody else was faster" in refused["error"]["message"]
    assert bob.watch(game, joined["secret"])["you"] == [joined["seat"]] == [1]
    for each, secret, seat in ((bob, joined["secret"], 1), (ann, secrets["0"], 0)):
        again = each.ask("join", game=game, secrets=["wrong", secret])
        assert (again["seat"], again["secret"]) == (seat, secret)  # who has one gets no other
    assert ann.wait_for("notice")["message"] == "Black has come."
    assert ann.wait_for("present")["open"] == []
    assert game not in [row["game"] for row in bob.ask("games")["open"]]
    for each in (ann, bob, eve):
        each.close()


@pytest.fixture
def idle(monkeypatch):
    """Servers compile nothing, so that none is closed while it starts a worker."""
    monkeypatch.setattr(Hub, "_preparing", lambda self, variant: None)


@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize("turn_time", [None, 60.0, DAY])
def test_an_open_game_is_listed_while_somebody_waits(tmp_path, turn_time):
    """For a day without a clock, until the page is left by minutes, for ever by days."""

    now = 1e9

    async def body(hub):
        nonlocal now
        ann = Local(hub)
        timed = {} if turn_time is None else {"turn_time": turn_time}
        made = await ann.ask("new", variant="spalding", seats=SEATS, **timed)

        async def is_listed():
            return made["game"] in [row["game"] for row in (await ann.ask("games"))["open"]]

        await ann.ask("watch", game=made["game"], secrets=list(made["secrets"].values()))
        now += 2 * DAY
        assert await is_listed()
        await ann.ask("leave", game=made["game"])
        assert await is_listed() == (turn_time != 60)
        now += 2 * DAY
        assert await is_listed() == (turn_time == DAY)
        await ann.close()

    with_hub(body, tmp_path, lambda: now)


@pytest.mark.usefixtures("idle")
def test_who_joins_and_does_not_come_within_a_minute_may_find_the_seat_taken(tmp_path):
    now = 1e9

    async def body(hub):
        nonlocal now
        ann, bob, eve = (Local(hub) for _ in range(3))
        game = (await ann.ask("new", variant="spalding", seats=SEATS))["game"]
        late = (await bob.ask("join", game=game, name="Bob"))["secret"]
        now += RESERVED - 1
        assert (await eve.ask("games"))["open"] == []
        assert (await eve.ask("join", game=game))["error"]["code"] == "seat"
        now += 1
        assert [row["game"] for row in (await eve.ask("games"))["open"]] == [game]
        secret = (await eve.ask("join", game=game, name="Eve"))["secret"]
        now += 2 * RESERVED
        about = await eve.ask("watch", game=game, secrets=[secret])
        assert about["seats"][1] == {
            "seat": "Black",
            "player": "person",
            "name": "Eve",
            "open": False,
            "joined": True,
        }
        assert (await bob.ask("watch", game=game, secrets=[late]))["wrong_secrets"] == [late]
        assert (await bob.ask("join", game=game))["error"]["code"] == "seat"
        for each in (ann, bob, eve):
            await each.close()

    with_hub(body, tmp_path, lambda: now)


@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize(
    ("turn_time", "acts", "is_lost"),
    [(None, False, True), (None, True, False), (DAY, False, False)],
)
def test_who_joins_leaves_without_an_action_and_stays_away_loses_the_seat(
    tmp_path, turn_time, acts, is_lost
):
    """Unless nobody has to be there, in a game by days. Another tab of the same person counts."""
    now = 1e9

    async def body(hub):
        nonlocal now
        ann, bob, tab, eve = (Local(hub) for _ in range(4))
        timed = {} if turn_time is None else {"turn_time": turn_time}
        made = await ann.ask("new", variant="pasgl312", seats=SEATS[::-1], **timed)
        game, own = made["game"], [*made["secrets"].values()]
        await ann.ask("watch", game=game, secrets=own)
        held = [(await bob.ask("join", game=game, name="Bob"))["secret"]]
        await bob.ask("watch", game=game, secrets=held)
        await tab.ask("watch", game=game, secrets=held)
        await bob.ask("leave", game=game)
        now += 2 * AWAY
        assert (await eve.ask("join", game=game))["error"]["code"] == "seat"
        if acts:
            assert (await tab.ask("play", game=game, label="Th1h2"))["ok"]
        await tab.ask("leave", game=game)
        now += AWAY - 1
        assert (await eve.ask("join", game=game))["error"]["code"] == "seat"
        assert (await bob.ask("watch", game=game, secrets=held))["wrong_secrets"] == []
        await bob.ask("leave", game=game)
        now += AWAY
        joined = await eve.ask("join", game=game, name="Eve")
        wrong = (await bob.ask("watch", game=game, secrets=held))["wrong_secrets"]
        assert (joined["ok"], wrong) == (is_lost, held * is_lost)
        for each in (ann, bob, tab, eve):
            await each.close()

    with_hub(body, tmp_path, lambda: now)


@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("variant", "gone"),
        ("options", '{"gone": 1}'),
        ("options", "7"),
        ("about", "{"),
        ("seats", "[1]"),
        ("seats", "[]"),
        ("options", b"\xff"),
        ("start", "rubbish"),
    ],
)
def test_a_game_that_cannot_be_played_is_told_as_damaged_and_hides_no_other(
    tmp_path, column, value
):
    lost = fine = ""

    async def begin(hub):
        nonlocal lost, fine
        ann = Local(hub)
        lost, fine = [
            (await ann.ask("new", variant="spalding", seats=SEATS))["game"] for _ in range(2)
        ]
        await ann.close()

    async def look(hub):
        bob = Local(hub)
        listed = await bob.ask("games")
        assert fine in [row["game"] for row in listed["open"]]
        assert column in ("start", "about") or lost not in str(listed["open"])
        assert column == "start" or lost not in str(listed["games"])
        for command in ("join", "watch"):
            assert (await bob.ask(command, game=lost))["error"]["code"] == "damaged"
        assert (await bob.ask("feedback"))["ok"]
        assert (await bob.ask("join", game=fine))["ok"]
        await bob.close()

    with_hub(begin, tmp_path)
    with sqlite3.connect(tmp_path / "games.sqlite3") as base:
        base.execute(f"UPDATE games SET {column} = CAST(? AS TEXT) WHERE id = ?", (value, lost))
        base.execute("INSERT INTO actions VALUES (?, 0, 0, NULL)", (lost,))
        base.execute("INSERT INTO feedback VALUES (?, '', 3, 'right', '', 0)", (lost,))
    base.close()
    with_hub(look, tmp_path)


@pytest.mark.usefixtures("idle")
def test_seats_of_another_form_hide_no_other_game(tmp_path):
    async def body(hub):
        ann = Local(hub)
        lost, fine = [
            (await ann.ask("new", variant="spalding", seats=SEATS))["game"] for _ in range(2)
        ]
        seats = '[{}, {"open": true, "reserved": "x"}]'
        hub.store._base.execute("UPDATE games SET seats = ? WHERE id = ?", (seats, lost))
        assert [row["game"] for row in (await ann.ask("games"))["open"]] == [fine]
        await ann.close()

    with_hub(body, tmp_path)


@pytest.mark.usefixtures("idle")
def test_an_address_opens_few_games_to_everybody_and_refused_ones_do_not_count(tmp_path):
    async def body(hub):
        address = Address()
        ann, again = Local(hub, address), Local(hub, address)
        new = {"variant": "spalding", "seats": SEATS}
        for wrong in ({"seats": SEATS[1:]}, {"turn_time": 1}, {"start": "nothing"}) * 20:
            assert (await ann.ask("new", **(new | wrong)))["error"]["code"] in ("field", "value")
        for _ in range(int(OPEN_GAMES_AT_ONCE)):
            assert (await ann.ask("new", **new))["ok"]
        assert (await again.ask("new", **new))["error"]["code"] == "rate"
        for each in (ann, again):
            await each.close()

    with_hub(body, tmp_path)


def test_a_game_that_is_over_is_not_open(served):
    ann = Client(served)
    game, secrets = open_to_all(ann)
    ann.watch(game, secrets["0"])
    assert ann.ask("resign", game=game)["ok"]
    assert ann.ask("join", game=game)["error"]["code"] == "seat"
    wrong = ann.ask("new", variant="spalding", seats=[{}, {"player": "greedy", "open": True}])
    assert wrong["error"]["code"] == "field"
    ann.close()


@pytest.mark.browser
def test_a_time_is_offered_to_opponents_elsewhere_only(open_page):
    page = open_page("#/games")
    page.get_by_role("button", name="New game").click()
    page.locator("#ng-variant").select_option("pachessi")
    page.get_by_text("Change rules").click()
    page.locator("[name=option-players]").select_option("4")
    for seats, is_offered in (("open", False), ("person", False), ("link", True)):
        partner, opponent = ("open", "level beginner") if seats == "open" else ("person", seats)
        page.locator("#ng-seat2").select_option(partner)
        page.locator("#ng-seat1").select_option(opponent)
        expect(page.locator("#ng-time")).to_be_visible(visible=is_offered)


@pytest.mark.browser
def test_who_has_joined_in_another_tab_goes_to_the_game_and_takes_no_second_seat(open_page, client):
    seats = [{"name": "Ann"}, *[{"open": True}] * 3]
    made = client.ask("new", variant="pachessi", options={"players": 4}, seats=seats)
    page = open_page("#/games")
    page.get_by_role("row", name="Ann").get_by_role("button", name="Join").wait_for()
    joined = client.ask("join", game=made["game"])
    kept = json.dumps({made["game"]: [joined["secret"]]})
    page.evaluate(  # at once, as the list is made anew now and then
        "kept => { localStorage['pasgl.secrets'] = kept; [...document.querySelectorAll('tr')]"
        ".find((row) => row.textContent.includes('Ann')).querySelector('button').click(); }",
        kept,
    )
    expect(page.locator(".player").nth(joined["seat"])).to_contain_text("you")
    expect(page.locator(".invitation")).to_contain_text("come back within ten minutes")
    assert client.ask("join", game=made["game"])["seat"] == joined["seat"] + 1


@pytest.mark.browser
def test_two_strangers_meet_in_an_open_game(open_page):
    ann, bob = open_page(), open_page("#/games")
    ann.wait_for_selector(".hit.can")
    ann.get_by_role("button", name="New game").click()
    ann.locator("#ng-variant").select_option("pasgl312")
    expect(ann.locator("#ng-time")).to_be_hidden()
    ann.locator("#ng-seat1").select_option("open")
    ann.locator("#ng-time").select_option("3 days")
    ann.get_by_role("button", name="Play", exact=True).click()
    expect(ann.locator(".invitation")).to_contain_text("Waiting for Black")
    expect(ann).to_have_title("Waiting for Black: PASGL 312 Chess · pasgl")
    bob.get_by_role("row", name="3 days").get_by_role("button", name="Join").click()
    expect(ann.locator(".notice")).to_have_text("Black has come.")
    expect(ann).to_have_title("● Your turn: PASGL 312 Chess · pasgl")
    expect(ann.locator(".invitation h2")).to_have_count(0)
    play(ann, "Th1h2")
    play(bob, "wg8g6")
    bob.get_by_role("link", name="Games").click()
    expect(bob.get_by_role("row", name="Theirs")).to_contain_text(LEFT)
