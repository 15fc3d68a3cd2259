"""Games in progress: turns, undo, take-back, resignation, and storage."""

import sqlite3

import pytest

from pasgl_env import Position, variants
from pasgl_env.records import GameRecord
from pasgl_env.records.text_writer import write_game
from pasgl_env.web.live_game import LiveGame, records_in
from pasgl_env.web.protocol import Problem
from pasgl_env.web.store import _ADDED, Feedback, SavedGame, Store

PERSON, GREEDY = {"player": "person", "name": ""}, {"player": "greedy", "name": ""}


@pytest.fixture
def store(tmp_path):
    kept = Store(tmp_path / "games.sqlite3")
    yield kept
    kept.close()


@pytest.fixture
def begin(store):
    def begun(variant="pasgl312", seats=(PERSON, PERSON), start=None, **options):
        position = Position.from_text(variants.ruleset(variant, **options), start)
        return LiveGame.begin(store, GameRecord.of(position, []), list(seats), None)[0]

    return begun


def test_what_is_played_is_there_when_the_game_is_opened_again(begin, store):
    live = begin()
    live.play("Th1h2", {0, 1})
    live.play("wg8g6", {0, 1})
    again = LiveGame(store.find(live.id), store)
    assert again.position.text == live.position.text
    assert again.turns == live.turns


def test_only_the_seat_to_move_plays(begin):
    live = begin()
    with pytest.raises(Problem, match="it is White's turn"):
        live.play("wg8g6", {1})
    with pytest.raises(Problem, match="'Th1h9' is not legal here"):
        live.play("Th1h9", {0})
    assert live.length == 0


def test_undo_takes_back_choices_of_the_turn_under_way_only(begin, store):
    live = begin("chieftain")
    live.play("Cc1-c3", {0})
    live.play(live.choices[0].label, {0})
    live.undo({0})
    assert live.position.labels == ["Cc1-c3"]
    assert len(store.find(live.id).choices) == 1
    live.undo({0})
    with pytest.raises(Problem, match="nothing to undo"):
        live.undo({0})


def test_what_was_rolled_cannot_be_undone_and_comes_again_after_a_take_back(begin):
    live = begin("pachessi", first="black")
    assert live.length == 1 and not live.can_undo
    rolled = live.position.text
    while live.position.to_move == 0:
        live.play(live.choices[0].label, {0, 1})
    live.take_back({0, 1})
    assert live.position.text == rolled


def test_the_same_dice_are_rolled_when_a_game_is_opened_again(begin, store):
    live = begin("pachessi")
    for _ in range(40):
        live.play(live.choices[0].label, {0, 1})
    again = LiveGame(store.find(live.id), store)
    for _ in range(40):
        live.play(live.choices[0].label, {0, 1})
    store.cut(live.saved, again.length)
    for _ in range(40):
        again.play(again.choices[0].label, {0, 1})
    assert again.position.text == live.position.text


def test_a_take_back_against_a_program_goes_to_ones_last_turn(begin):
    live = begin(seats=(PERSON, GREEDY))
    live.play("Th1h2", {0})
    live.play_number(live.position.action("wg8g6"))
    assert live.take_back({0})
    assert live.position.text == Position("pasgl312").text


def test_between_two_persons_the_other_has_to_agree_to_a_take_back(begin):
    live = begin()
    live.play("Th1h2", {0})
    assert not live.take_back({0})
    assert not live.take_back({0})
    assert live.view(())["asks_to_take_back"] == 0
    live.allow({1})
    assert live.length == 0 and live.view(())["asks_to_take_back"] is None


def test_a_partner_cannot_agree_to_a_take_back_and_one_opponent_can(begin):
    live = begin("pachessi", [PERSON] * 4, players=4, first="black")
    while live.position.to_move == 0:
        live.play(live.choices[0].label, {0})
    before = live.length
    assert not live.take_back({0})
    assert not live.take_back({2})
    for answer in (live.allow, live.refuse):
        with pytest.raises(Problem, match="nobody has asked"):
            answer({2})
    assert live.length == before
    live.allow({3})
    assert live.position.to_move == 0


def test_partners_against_programs_ask_nobody(begin):
    live = begin("pachessi", [PERSON, GREEDY] * 2, players=4, first="black")
    while live.position.to_move == 0:
        live.play(live.choices[0].label, {0})
    assert live.take_back({0})


def test_two_who_ask_for_take_backs_at_once_do_not_agree(begin):
    live = begin()
    for label in ("Th1h2", "wg8g6"):
        live.play(label, {0, 1})
    assert not live.take_back({0})
    with pytest.raises(Problem, match="White asks to take back a turn"):
        live.take_back({1})
    live.play(live.choices[0].label, {0})
    with pytest.raises(Problem, match="nobody has asked"):
        live.allow({1})
    assert live.length == 3 and not live.take_back({1})


def test_going_back_in_a_long_game_replays_little_of_it(begin, store, monkeypatch):
    monkeypatch.setattr("pasgl_env.web.live_game.KEPT_EVERY", 16)
    live = begin("pachessi", turn_limit=0)
    while live.length < 200:
        live.play(live.choices[0].label, {0, 1})
    texts = {ply: live.at(ply).text for ply in range(0, live.length, 7)}
    again = LiveGame(store.find(live.id), store)
    while live.length > 40:
        live.take_back({0, 1})
        again = LiveGame(store.find(live.id), store)
        assert (again.position.text, again.turns) == (live.position.text, live.turns)
        assert again._dice.generator == live._dice.generator
    assert all(live.at(ply).text == texts[ply] for ply in range(0, 36, 7))


def test_a_resigned_game_is_recorded_as_resigned(begin):
    live = begin("pachessi", [PERSON] * 4, players=4, first="black")
    live.resign({1})
    record = live.record_with(["Well played."])
    assert (record.result, record.termination) == ("1-0", "resignation")
    assert '[Resigned "Green"]' in write_game(record)


def test_a_take_back_can_be_refused_but_not_by_who_asked(begin):
    live = begin()
    live.play("Th1h2", {0})
    live.take_back({0})
    with pytest.raises(Problem, match="nobody has asked"):
        live.refuse({0})
    live.refuse({1})
    assert live.view(())["asks_to_take_back"] is None and live.length == 1


def test_who_can_take_back_a_turn_is_told_so(begin):
    live = begin()
    live.play("Th1h2", {0})
    assert [live.can_take_back({seat}) for seat in (0, 1)] == [True, False]
    live.resign({1})
    assert not live.can_take_back({0})


def test_who_holds_all_seats_gets_help_unless_somebody_else_has_held_one(begin, store):
    live = begin()
    live.note_holder({0})
    assert live.is_between_people({0}) and not live.is_between_people({0, 1})
    live.note_holder({1})
    again = LiveGame(store.find(live.id), store)
    assert again.is_between_people({0, 1})
    again.resign({0})
    assert not again.is_between_people(())
    assert again.begin_rematch().is_between_people({0, 1})


def test_who_resigns_loses_and_so_does_the_team(begin):
    live = begin("pachessi", [PERSON] * 4, players=4, first="black")
    live.resign({1})
    assert live.is_over and live.ending == "Green resigned."
    assert live.returns == (1.0, -1.0, 1.0, -1.0)
    with pytest.raises(Problem, match="the game is over"):
        live.resign({1})


def test_programs_do_not_resign_and_watchers_neither(begin):
    with pytest.raises(Problem, match="only players of this game"):
        begin(seats=(GREEDY, GREEDY)).resign({0})


def test_a_paused_game_is_still_paused_when_it_is_opened_again(begin, store):
    live = begin(seats=(GREEDY, GREEDY))
    assert live.player_to_act == "greedy"
    live.set_paused(True)
    assert LiveGame(store.find(live.id), store).player_to_act is None


def test_a_game_can_begin_in_the_middle_of_a_turn(begin, store):
    text = Position("chieftain").play("Cc1-c3").text
    live = begin("chieftain", start=text)
    assert live.position.text == text
    assert LiveGame(store.find(live.id), store).position.text == text


def test_a_game_goes_on_from_another_with_its_whole_history(begin, store):
    live = begin("spalding")
    for _ in range(8):
        live.play(live.choices[0].label, {0, 1})
    on, _ = LiveGame.begin(store, live.until(4), [PERSON, PERSON], None)
    assert on.position.text == live.at(4).text and on.length == 4


def test_the_record_of_a_game_is_that_of_its_choices(begin):
    live = begin(seats=({"player": "person", "name": "Ann"}, GREEDY))
    live.play("Th1h2", {0})
    about = {"players": ("Ann", "greedy")}
    assert live.record == GameRecord.of(Position("pasgl312"), ["Th1h2"], **about)


def test_an_offer_of_a_rematch_ends_with_a_take_back(begin):
    live = begin(turn_limit=1)
    live.play("Th1h2", {0})
    assert not live.offer_rematch({0}) and live.view(())["offers_rematch"] == 0
    assert not live.take_back({0})
    live.allow({1})
    assert live.view(())["offers_rematch"] is None


def test_a_rematch_needs_an_opponents_consent_and_a_partners_among_partners_only(begin):
    live = begin("pachessi", [PERSON] * 4, players=4, first="black")
    live.resign({1})
    assert not live.offer_rematch({0}) and not live.offer_rematch({2})
    with pytest.raises(Problem, match="nobody offers"):
        live.decline_rematch({2})
    assert live.offer_rematch({3})
    partners = begin("pachessi", [PERSON, GREEDY] * 2, players=4, first="black")
    partners.resign({0})
    assert not partners.offer_rematch({0}) and partners.offer_rematch({2})


def test_no_turn_is_taken_back_once_a_rematch_has_begun(begin):
    live = begin(turn_limit=1)
    live.play("Th1h2", {0})
    live.take_back({0})
    live.begin_rematch()
    assert live.view({0})["asks_to_take_back"] is None and not live.can_take_back({0})
    with pytest.raises(Problem, match="ended for good"):
        live.take_back({0})


def test_the_turn_limit_ends_a_game(begin):
    live = begin(turn_limit=2)
    live.play("Th1h2", {0})
    live.play("wg8g6", {1})
    assert live.is_over and live.ending.startswith(
        "Cut off at the turn limit, 2, a limit of this suite"
    )


def test_secrets_open_one_seat_each(store):
    before = GameRecord.of(Position("spalding"), [])
    live, keys = LiveGame.begin(store, before, [PERSON, PERSON], None)
    assert [live.seat_of(key) for key in keys] == [0, 1]
    assert live.seat_of("guess") is None
    assert keys[0] not in repr(store.find(live.id))


@pytest.mark.parametrize("variant", ["pasgl312", "pachessi"])  # the latter stores rolls, too
def test_what_cannot_be_stored_is_not_played(begin, store, tmp_path, variant):
    live = begin(variant)
    store._base.execute("PRAGMA busy_timeout = 1")
    other = sqlite3.connect(tmp_path / "games.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    before, label = live.view(()), live.choices[0].label
    with pytest.raises(Problem, match=r"cannot be stored \(database is locked\)"):
        live.play(label, {0, 1})
    assert live.view(()) == before
    other.execute("ROLLBACK")
    other.close()
    live.play(label, {0, 1})
    assert LiveGame(store.find(live.id), store).position.text == live.position.text


def test_the_games_of_a_page_are_read_with_clocks_and_remarks(begin, store, tmp_path):
    live = begin()
    live.meet({0, 1})
    live.play("Th1h2", {0, 1})
    store.rate(live.id, Feedback("Ann", 4, "right", "Nice."))
    (record,) = records_in(tmp_path / "games.sqlite3")
    assert record.choices == live.saved.choices
    assert record.players == ("person", "person")
    said = [text for texts in record.comments.values() for text in texts]
    assert said == ["[%emt 0:00:00]", "Rated 4 of 5 by Ann, right length. Nice."]


@pytest.fixture
def first_version(tmp_path):
    """A store of the first version, with a game and a choice."""
    file = tmp_path / "games.sqlite3"
    store = Store(file)
    store.add([SavedGame("a", variants.ruleset("pasgl312"), None, 0, [], [])])
    store.close()
    base = sqlite3.connect(file)
    for index in ("games_by_deadline", "open_games"):
        base.execute(f"DROP INDEX {index}")
    for table, _, column, _ in (each.split() for added in _ADDED.values() for each in added):
        base.execute(f"ALTER TABLE {table} DROP {column}")
    base.execute("INSERT INTO actions VALUES ('a', 0, 3)")
    base.execute("PRAGMA user_version = 1")
    base.commit()
    base.close()
    return file


def test_a_store_of_the_first_version_is_kept_and_gets_what_came_later(first_version):
    """Choices made before it had times have none."""
    store = Store(first_version)
    game = store.find("a")
    assert game is not None
    store.append(game, [5])
    first, second = store.times("a")
    assert first is None
    assert second is not None


def test_a_store_that_is_not_upgraded_to_the_end_is_as_before(first_version, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setitem(_ADDED, max(_ADDED), (*_ADDED[max(_ADDED)], "nowhere ADD none INTEGER"))
        with pytest.raises(sqlite3.OperationalError, match="nowhere"):
            Store(first_version)
    assert Store(first_version).find("a") is not None


def test_a_store_of_another_version_is_refused(tmp_path):
    base = sqlite3.connect(tmp_path / "games.sqlite3")
    base.execute("PRAGMA user_version = 99")
    base.close()
    with pytest.raises(ValueError, match="another version"):
        Store(tmp_path / "games.sqlite3")
