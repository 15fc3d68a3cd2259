"""Games at the table: turns, undo, take-back, resignation, and storage."""

import sqlite3

import pytest

from pasgl_env import Position
from pasgl_env.records import GameRecord
from pasgl_env.records.text_writer import write_game
from pasgl_env.web.protocol import Problem
from pasgl_env.web.store import Store
from pasgl_env.web.table import Table

PERSON, GREEDY = {"player": "person", "name": ""}, {"player": "greedy", "name": ""}


@pytest.fixture
def store(tmp_path):
    kept = Store(tmp_path / "games.sqlite3")
    yield kept
    kept.close()


@pytest.fixture
def begin(store):
    def begun(variant="pasgl312", seats=(PERSON, PERSON), start=None, **options):
        return Table.begin(store, variant, options, start, list(seats), None)[0]

    return begun


def test_what_is_played_is_there_when_the_game_is_opened_again(begin, store):
    table = begin()
    table.play("Th1h2", {0, 1})
    table.play("wg8g6", {0, 1})
    again = Table(store.find(table.id), store)
    assert again.position.text == table.position.text
    assert again.turns == table.turns


def test_only_the_seat_to_move_plays(begin):
    table = begin()
    with pytest.raises(Problem, match="it is White's turn"):
        table.play("wg8g6", {1})
    with pytest.raises(Problem, match="'Th1h9' is not legal here"):
        table.play("Th1h9", {0})
    assert table.ply == 0


def test_undo_takes_back_choices_of_the_turn_under_way_only(begin, store):
    table = begin("chieftain")
    table.play("Cc1-c3", {0})
    table.play(table.choices[0].label, {0})
    table.undo({0})
    assert table.position.labels == ["Cc1-c3"]
    assert len(store.find(table.id).choices) == 1
    table.undo({0})
    with pytest.raises(Problem, match="nothing to undo"):
        table.undo({0})


def test_what_was_rolled_cannot_be_undone_and_comes_again_after_a_take_back(begin):
    table = begin("pachessi", first="black")
    assert table.ply == 1 and not table.can_undo
    rolled = table.position.text
    while table.position.to_move == 0:
        table.play(table.choices[0].label, {0, 1})
    table.take_back({0, 1})
    assert table.position.text == rolled


def test_the_same_dice_are_rolled_when_a_game_is_opened_again(begin, store):
    table = begin("pachessi")
    for _ in range(40):
        table.play(table.choices[0].label, {0, 1})
    again = Table(store.find(table.id), store)
    for _ in range(40):
        table.play(table.choices[0].label, {0, 1})
    store.cut(table.id, again.ply)
    for _ in range(40):
        again.play(again.choices[0].label, {0, 1})
    assert again.position.text == table.position.text


def test_a_take_back_against_a_program_goes_to_ones_last_turn(begin):
    table = begin(seats=(PERSON, GREEDY))
    table.play("Th1h2", {0})
    table.play_number(table.position.action("wg8g6"))
    assert table.take_back({0})
    assert table.position.text == Position("pasgl312").text


def test_between_two_persons_the_other_has_to_agree_to_a_take_back(begin):
    table = begin()
    table.play("Th1h2", {0})
    assert not table.take_back({0})
    assert table.asks_to_take_back == 0
    assert not table.take_back({0})
    assert table.take_back({1})
    assert table.ply == 0 and table.asks_to_take_back is None


def test_a_partner_cannot_agree_to_a_take_back_and_one_opponent_can(begin):
    table = begin("pachessi", [PERSON] * 4, players=4, first="black")
    while table.position.to_move == 0:
        table.play(table.choices[0].label, {0})
    before = table.ply
    assert not table.take_back({0})
    assert not table.take_back({2})
    with pytest.raises(Problem, match="nobody has asked"):
        table.refuse({2})
    assert table.asks_to_take_back == 0 and table.ply == before
    assert table.take_back({3})
    assert table.position.to_move == 0


def test_partners_against_programs_ask_nobody(begin):
    table = begin("pachessi", [PERSON, GREEDY] * 2, players=4, first="black")
    while table.position.to_move == 0:
        table.play(table.choices[0].label, {0})
    assert table.take_back({0})


def test_who_agrees_to_a_take_back_after_the_asker_has_moved_asks_for_nothing(begin):
    table = begin()
    for label in ("Th1h2", "wg8g6"):
        table.play(label, {0, 1})
    assert not table.take_back({0})
    table.play(table.choices[0].label, {0})
    with pytest.raises(Problem, match="moved on") as late:
        table.take_back({1})
    assert late.value.code == "late" and table.asks_to_take_back is None and table.ply == 3
    assert not table.take_back({1})
    assert table.asks_to_take_back == 1


def test_going_back_in_a_long_game_replays_little_of_it(begin, store, monkeypatch):
    monkeypatch.setattr("pasgl_env.web.table.KEPT_EVERY", 16)
    table = begin("pachessi", turn_limit=0)
    while table.ply < 200:
        table.play(table.choices[0].label, {0, 1})
    texts = {ply: table.at(ply).text for ply in range(0, table.ply, 7)}
    again = Table(store.find(table.id), store)
    while table.ply > 40:
        table.take_back({0, 1})
        again = Table(store.find(table.id), store)
        assert (again.position.text, again.turns) == (table.position.text, table.turns)
        assert again._dice.generator == table._dice.generator
    assert all(table.at(ply).text == texts[ply] for ply in range(0, 36, 7))


def test_a_resigned_game_is_recorded_as_resigned(begin):
    table = begin("pachessi", [PERSON] * 4, players=4, first="black")
    table.resign({1})
    record = table.record_with(["Well played."])
    assert (record.result, record.termination) == ("1-0", "resignation")
    assert '[Resigned "Green"]' in write_game(record)


def test_a_take_back_can_be_refused_but_not_by_who_asked(begin):
    table = begin()
    table.play("Th1h2", {0})
    table.take_back({0})
    with pytest.raises(Problem, match="nobody has asked"):
        table.refuse({0})
    table.refuse({1})
    assert table.asks_to_take_back is None and table.ply == 1


def test_who_resigns_loses_and_so_does_the_team(begin):
    table = begin("pachessi", [PERSON] * 4, players=4, first="black")
    table.resign({1})
    assert table.is_over and table.ending == "Green resigned."
    assert table.returns == (1.0, -1.0, 1.0, -1.0)
    with pytest.raises(Problem, match="the game is over"):
        table.resign({1})


def test_programs_do_not_resign_and_watchers_neither(begin):
    with pytest.raises(Problem, match="only players of this game"):
        begin(seats=(GREEDY, GREEDY)).resign({0})


def test_a_paused_game_is_still_paused_when_it_is_opened_again(begin, store):
    table = begin(seats=(GREEDY, GREEDY))
    assert table.player_to_act == "greedy"
    table.set_paused(True)
    assert Table(store.find(table.id), store).player_to_act is None


def test_a_game_can_begin_in_the_middle_of_a_turn(begin, store):
    text = Position("chieftain").play("Cc1-c3").text
    table = begin("chieftain", start=text)
    assert table.position.text == text
    assert Table(store.find(table.id), store).position.text == text


def test_a_game_goes_on_from_another_with_its_whole_history(begin, store):
    table = begin("spalding")
    for _ in range(8):
        table.play(table.choices[0].label, {0, 1})
    on, _ = Table.begin(store, "spalding", {}, None, [PERSON, PERSON], None, table.until(4))
    assert on.position.text == table.at(4).text and on.ply == 4


def test_the_record_of_a_game_is_that_of_its_choices(begin):
    table = begin(seats=({"player": "person", "name": "Ann"}, GREEDY))
    table.play("Th1h2", {0})
    about = {"players": ("Ann", "greedy")}
    assert table.record == GameRecord.of(Position("pasgl312"), ["Th1h2"], **about)


def test_the_turn_limit_ends_a_game(begin):
    table = begin(turn_limit=2)
    table.play("Th1h2", {0})
    table.play("wg8g6", {1})
    assert table.is_over and table.ending.startswith(
        "Cut off at the turn limit, 2, a limit of this suite"
    )


def test_secrets_open_one_seat_each(store):
    table, keys = Table.begin(store, "spalding", {}, None, [PERSON, PERSON], None)
    assert [table.seat_of(key) for key in keys] == [0, 1]
    assert table.seat_of("guess") is None
    assert keys[0] not in repr(store.find(table.id))


@pytest.mark.parametrize("variant", ["pasgl312", "pachessi"])  # the latter stores rolls, too
def test_what_cannot_be_stored_is_not_played(begin, store, tmp_path, variant):
    table = begin(variant)
    store._base.execute("PRAGMA busy_timeout = 1")
    other = sqlite3.connect(tmp_path / "games.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    before, label = table.view(), table.choices[0].label
    with pytest.raises(Problem, match=r"cannot be stored \(database is locked\)"):
        table.play(label, {0, 1})
    assert table.view() == before
    other.execute("ROLLBACK")
    other.close()
    table.play(label, {0, 1})
    assert Table(store.find(table.id), store).position.text == table.position.text


def test_a_store_of_another_version_is_refused(tmp_path):
    base = sqlite3.connect(tmp_path / "games.sqlite3")
    base.execute("PRAGMA user_version = 99")
    base.close()
    with pytest.raises(ValueError, match="another version"):
        Store(tmp_path / "games.sqlite3")
