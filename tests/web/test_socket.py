"""The protocol, as any client sees it."""

import json
import random
import time
import urllib.request
from typing import Any

import pytest

from pasgl_env import Position, variants

from ..rows import rows
from .conftest import Client


def test_hello_tells_what_can_be_played_and_by_whom(client):
    hello = client.hello
    assert hello["version"] == 3
    assert [variant["name"] for variant in hello["variants"]] == list(variants.names())
    assert hello["levels"][1]["name"] == "beginner"


def test_another_version_of_the_protocol_is_refused(client):
    assert client.ask("hello", version=1)["error"]["code"] == "field"


def test_a_program_answers_an_action(client):
    game, state = client.new("pasgl312", "person", "greedy")
    assert state["to_move"] == 0 and state["you"] == [0]
    assert client.ask("play", game=game, label="Th1h2")["ok"]
    answered = client.wait_for("state", lambda state: state["turn"] == 2)
    assert answered["to_move"] == 0
    assert [seat for _, _, seat, *_ in answered["turns"]] == [0, 1]


def test_legal_actions_are_those_of_the_rules(client, variant):
    options = {"first": "black"} if "pachessi" in variant else {}
    _, state = client.new(variant, "person", "person", options=options)
    position = Position.from_text(variant, state["text"], **options)
    assert sorted(action[0] for action in state["legal"]) == position.legal_moves()


def test_who_wants_drawings_gets_them_and_a_bot_gets_none(served):
    plain, drawn = Client(served), Client(served, draw=True)
    assert plain.new("spalding", "person", "greedy")[1]["drawing"] is None
    assert drawn.new("spalding", "person", "greedy")[1]["drawing"]["sprites"]


def test_two_clients_play_by_a_link_and_watchers_only_watch(served):
    first, second, third = Client(served), Client(served), Client(served)
    game, _ = first.new("spalding", "person", "person")
    white, black = first.secrets
    assert first.watch(game, white)["you"] == [0]
    assert second.watch(game, black)["you"] == [1]
    assert third.watch(game)["you"] == []
    label = first.watch(game, white)["legal"][0][0]
    assert second.ask("play", game=game, label=label)["error"]["code"] == "turn"
    assert third.ask("play", game=game, label=label)["error"]["code"] == "turn"
    assert first.ask("play", game=game, label=label)["ok"]
    assert third.wait_for("state", lambda state: state["ply"] == 1)["labels"] == [label]
    for client in (first, second, third):
        client.close()


def test_an_action_for_a_position_that_is_no_more_is_refused(client):
    game, _ = client.new("pasgl312", "person", "person")
    client.ask("play", game=game, label="Th1h2", ply=0)
    assert client.ask("play", game=game, label="wg8g6", ply=0)["error"]["code"] == "late"


def test_four_seats_of_pachessi(client):
    seats = ["person", "greedy", "greedy", "random"]
    game, state = client.new("pachessi", *seats, options={"players": 4, "first": "black"})
    while state["to_move"] == 0:
        client.ask("play", game=game, label=state["legal"][0][0])
        state = client.wait_for("state")
    last = client.wait_for("state", lambda state: state["turn"] >= 4 and state["to_move"] == 0)
    assert last["legal"]


def test_a_game_between_programs_runs_while_somebody_watches_and_can_rest(client):
    game, _ = client.new("spalding", "random", "random", pace=0.05)
    client.wait_for("state", lambda state: state["turn"] >= 2)
    assert client.ask("pace", game=game, paused=True)["ok"]
    rested = client.wait_for("state", lambda state: state["paused"])
    assert client.ask("pace", game=game, paused=False)["ok"]
    client.wait_for("state", lambda state: state["turn"] > rested["turn"])


def test_options_have_their_usual_values_unless_they_are_given(client):
    told = next(each for each in client.hello["variants"] if each["name"] == "pachessi")
    usual = {option["name"]: option["usual"] for option in told["options"]}
    assert usual["first"] == "lot" and usual["laps"] == 1
    for given, changed in (({}, {}), ({"first": "lot"}, {}), ({"first": "black"},) * 2):
        looked = client.ask("look", variant="pachessi", options=given)
        assert looked["options"]["first"] == given.get("first", "lot")
        game, _ = client.new("pachessi", "person", "person", options=given)
        about = client.ask("watch", game=game)
        assert about["options"]["first"] == given.get("first", "lot")
        assert about["changed_options"] == changed
        client.ask("leave", game=game)


def test_earlier_positions_can_be_looked_at(client):
    game, start = client.new("pasgl312", "person", "person")
    client.ask("play", game=game, label="Th1h2")
    assert client.ask("position", game=game, ply=0)["text"] == start["text"]


def test_analyses_stream_until_they_are_stopped(client):
    game, _ = client.new("pasgl312", "person", "person")
    assert client.ask("analyse", game=game, every=0.05)["ok"]
    first = client.wait_for("analysis")
    assert first["basis"] in ("calibrated", "uncalibrated")
    assert first["lines"][0]["label"] in Position("pasgl312").legal_moves()
    assert client.wait_for("analysis")["visits"] > first["visits"]
    assert client.ask("stop")["ok"]


def test_every_turn_of_a_game_gets_a_value(client):
    game, _ = client.new("pasgl312", "person", "person", options={"turn_limit": 2})
    for label in ("Th1h2", "wg8g6"):
        client.ask("play", game=game, label=label)
    client.ask("evaluate", game=game)
    found = []
    while "done" not in (message := client.wait_for("evaluation")):
        found.append(message)
    assert [each["ply"] for each in found] == [0, 1, 2]
    assert all(-1 <= each["value"] <= 1 for each in found)
    assert found[-1]["value"] == 0  # cut off, which analyses before expect, and end at
    assert client.ask("analyse", game=game)["error"]["code"] == "over"


def test_feedback_is_kept_with_the_game(client):
    game, _ = client.new("pasgl312", "person", "person")
    client.ask("play", game=game, label="Th1h2")
    said = {"rating": 4, "length": "long", "comment": "<script>alert(1)</script>", "name": "Ann"}
    assert client.ask("rate", game=game, **said)["ok"]
    [row] = client.ask("feedback", game=game)["feedback"]
    assert {key: row[key] for key in said} == said and row["plies"] == 1


def test_a_playtest_is_begun_seen_to_run_and_its_report_opened(served, client):
    asked = {"variant": "pachessi", "players": ["random", "random"], "games": 20}
    name = client.ask("playtest", **asked)["name"]
    assert client.ask("playtest", **asked)["error"]["code"] == "busy"
    until = time.monotonic() + 120
    while (row := client.ask("playtests")["playtests"][0])["state"] == "running":
        assert time.monotonic() < until
        time.sleep(0.5)
    assert row["state"] == "done", row
    with urllib.request.urlopen(f"{served.link}playtests/{name}/report.html") as answer:
        assert "sandbox" in answer.headers["content-security-policy"]
        assert b"Pachessi" in answer.read()


@pytest.mark.parametrize(
    "data",
    [
        "",
        "[]",
        "nonsense",
        "[" * 20_000,
        '{"do": 5}',
        '{"do": "play"}',
        '{"do": "play", "game": "no such game", "label": "x"}',
        '{"do": "watch", "game": "../../etc/passwd"}',
        '{"do": "new", "variant": "chess"}',
        '{"do": "new", "variant": "pasgl312", "seats": [{}]}',
        '{"do": "new", "variant": "pasgl312", "seats": [{"player": "runs/x/agent.pt"}, {}]}',
        '{"do": "new", "variant": "pasgl312", "seats": [{"player": "td:values=/etc"}, {}]}',
        '{"do": "new", "variant": "pasgl312", "seats": [{"player": "search:99s"}, {}]}',
        '{"do": "new", "variant": "pasgl312", "seats": [{"player": "search:0"}, {}]}',
        '{"do": "new", "variant": "pasgl312", "seats": [{"player": "random:plies=1"}, {}]}',
        '{"do": "new", "variant": "pasgl312", "seats": [{"player": "greedy:prior_visits=1"}, {}]}',
        '{"do": "new", "variant": "pasgl312", "seats": [{}, {}], "options": {"win_margin": -1}}',
        '{"do": "new", "variant": "pasgl312", "seats": [{}, {}], "options": {"win_margin": []}}',
        '{"do": "new", "variant": "pasgl312", "seats": [{}, {}], "start": "8/8"}',
        '{"do": "look", "variant": "spalding", "text": "\\ud800"}',
        '{"do": "look", "variant": "pachessi", "options": {"size": 1e9}}',
        '{"do": "hello", "version": true}',
        '{"do": "rate", "game": null}',
        '{"do": "playtest", "variant": "spalding", "players": ["a,b --out /", "td"]}',
        '{"do": "playtest", "variant": "spalding", "players": ["td", "td"], "sweep": "--out=/"}',
        '{"do": "playtest", "variant": "spalding", "players": ["td"], "games": 10}',
        json.dumps({"do": "look", "variant": "pasgl312", "text": "x" * 5000}),
    ],
)
def test_whatever_is_wrong_is_answered_with_what_would_be_right(client, data):
    client.socket.send(data)
    error = client.answer()["error"]
    assert error["code"] not in ("", "failed") and len(error["message"]) > 10
    assert "Traceback" not in error["message"]
    assert client.ask("games")["ok"]


STRANGE: list[Any] = [
    None,
    True,
    -1,
    2**70,
    0.5,
    "",
    "x",
    "a1",
    "\x00",
    "☃" * 30,
    [],
    [[]],
    ["x"],
    {},
    {"a": 1},
]


@pytest.mark.slow
def test_no_strange_field_of_any_command_breaks_the_server(served):
    """Code "failed" is a mistake of the server's, or of a worker that was asked nonsense."""
    chooser = random.Random(1)
    client = Client(served)
    game, _ = client.new("spalding", "person", "person")
    known = client.ask("nothing")["error"]["message"].partition("there are ")[2].split(", ")
    sensible = {
        **{"game": game, "variant": "spalding", "square": "e1", "label": "Pa1-a2", "ply": 0},
        **{"text": Position("spalding").text, "options": {"turn_limit": 9}, "seats": [{}, {}]},
        **{"field": "mover", "value": "w", "secrets": [], "from": game, "piece": "R"},
        **{
            "version": 3,
            "draw": True,
            "theme": "dark",
            "why": True,
            "target": "a2",
            "what": "evaluate",
        },
    }
    for command in known:
        if command in ("playtest", "new"):
            continue  # what they begin would go on
        for name in sensible:
            time.sleep(0.03)  # no faster than allowed
            fields = {**sensible, name: chooser.choice(STRANGE)}
            client.watch(game, *client.secrets) if command == "leave" else None
            answer = client.ask(command, **fields)
            assert answer["ok"] or answer["error"]["code"] != "failed", (command, fields, answer)
            if command == "leave" and answer["ok"]:
                client.watch(game, *client.secrets)
    client.close()


def test_a_message_that_is_too_long_ends_the_connection_and_nothing_else(served, client):
    other = Client(served)
    other.socket.send("x" * 70_000)
    with pytest.raises(Exception, match=r"1009|message too big"):
        other.socket.recv(timeout=10)
    assert client.ask("games")["ok"]


def test_who_asks_too_fast_is_told_so_in_an_answer_to_each_message(served):
    hasty = Client(served)
    for number in range(500):
        hasty.socket.send(json.dumps({"id": number, "do": "games"}))
    answers = [hasty.answer() for _ in range(500)]
    assert {answer.get("error", {}).get("code") for answer in answers} == {None, "rate"}
    assert {answer["re"] for answer in answers} == set(range(500))
    hasty.close()


@rows(
    ("given", "repeated"),
    [
        *((each, each) for each in (-3, 7.0, 1.5, "", "x" * 60)),
        *((each, None) for each in ("x" * 61, "\ud800", True, float("inf"), [1])),
    ],
)
def test_an_id_is_any_number_or_short_text(client, given, repeated):
    client.socket.send(json.dumps({"id": given, "do": "games"}))
    assert client.answer()["re"] == repeated


def test_nothing_acknowledged_is_lost_when_the_server_is_killed(tmp_path):
    from .conftest import Served

    served = Served(tmp_path)
    try:
        client = Client(served)
        game, _ = client.new("spalding", "person", "person")
        secrets, label = client.secrets, client.ask("position", game=game, ply=0)["legal"][0][0]
        ply = client.ask("play", game=game, label=label)["ply"]
        served.kill()
        served.start()
        state = Client(served).watch(game, *secrets)
        assert state["ply"] == ply and state["you"] == [0, 1]
    finally:
        served.kill()
    assert "Traceback" not in served.said
