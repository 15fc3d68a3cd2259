import copy
import dataclasses
import pickle
from array import array
from itertools import pairwise

import pytest

from pasgl_env import Dice, IllegalMove, Position, variants
from pasgl_env.records import GameRecord

from ..games.pasgl312.positions import place
from ..suites import over_all_games
from .samples import scholars_game, steered

PASGL312 = variants.published_ruleset("pasgl312")


@over_all_games
def test_turns_and_positions_are_those_of_the_game(suite):
    for game in steered(suite, 1, 5):
        position = game.begin()
        positions = list(game.positions())
        assert len(positions) == len(game.choices) + 1
        labels = [label for turn in game.turns() for label in turn.labels]
        for label, before in zip(labels, positions, strict=False):
            assert before.state == position.state
            position.play(label)
        assert positions[-1].state == position.state == game.final.state
        turns = list(game.turns())
        assert all(turn.is_complete for turn in turns[:-1])
        for turn, following in pairwise(turns):
            assert turn.after.state == following.before.state


@over_all_games
def test_a_game_that_begins_in_mid_turn_begins_with_that_turn(suite):
    seen = 0
    for game in steered(suite, 3, 20, 12):
        for position in game.positions():
            if position.in_turn and not position.is_over:
                rest = GameRecord.of(position, [position.label(position.legal_actions()[0])])
                assert not rest.begin().in_turn
                assert next(rest.turns()).labels[:-1] == tuple(position.labels)
                seen += 1
    assert seen or suite.name == "pachessi"  # where every position has a text


def test_the_usual_start_is_not_told():
    assert GameRecord.of(Position("pasgl312"), []).start is None
    moved = Position("pasgl312").play("Th1h2")
    assert GameRecord.of(moved, []).start == moved.text


@pytest.mark.parametrize(
    ("text", "label", "result", "score"),
    [
        (place("Hd5 be5", score="0:3"), "Hd5:e5", "1-0", (20, 3)),
        (place("Hd5 be5", score="0:21"), "Hd5:e5", "0-1", (20, 21)),
        (place("Hd5 be5", score="0:20"), "Hd5:e5", "1/2-1/2", (20, 20)),
        (place("Hd5 Be1 be8"), "Hd5d6", "*", (0, 0)),
    ],
)
def test_result_and_score_follow_from_the_moves(text, label, result, score):
    game = GameRecord.of(Position.from_text("pasgl312", text), [label])
    assert (game.result, game.score) == (result, score)
    assert game.termination == ("unfinished" if result == "*" else "by the rules")


def test_the_limit_of_turns_ends_a_game_without_a_result():
    game = GameRecord.of(Position("pasgl312", turn_limit=1), ["Th1h2"])
    assert (game.result, game.score, game.termination) == ("*", (0, 0), "turn limit")


def test_dice_say_whether_they_rolled_this():
    position, dice, labels = Position("pachessi"), Dice(3), list[str]()
    while len(labels) < 20:
        if position.is_chance:
            labels.append(position.roll(dice))
        else:
            labels.append(position.legal_moves()[0])
            position.play(labels[-1])
    start = int(Dice(3).generator[0])
    assert GameRecord.of(Position("pachessi"), labels, dice=start).rolled
    assert not GameRecord.of(Position("pachessi"), labels, dice=start + 1).rolled
    assert not GameRecord.of(Position("pachessi"), labels).rolled


def test_an_illegal_label_or_choice_is_refused():
    with pytest.raises(IllegalMove, match="'Th9h9' is not legal here"):
        GameRecord.of(Position("pasgl312"), ["Th9h9"])
    with pytest.raises(IllegalMove, match="action 1 is not legal here"):
        _ = GameRecord(PASGL312, array("H", [1])).final


@pytest.mark.parametrize(
    ("about", "reason"),
    [
        ({"players": ("one",)}, "one name for each of White, Black"),
        ({"players": ("one", "two\nlines")}, "not a line of text"),
        ({"seed": -1}, "seed must be a non-negative integer"),
        ({"seed": True}, "seed must be a non-negative integer"),
        ({"dice": 2**64}, "dice must be at most"),
        ({"date": 2026}, "not a line of text"),
        ({"resigned": 2}, "the number of a seat"),
        ({"resigned": True}, "the number of a seat"),
        ({"tags": {"White": "x"}}, "'White' cannot be the name of a further tag"),
        ({"tags": {"Result": "1-0"}}, "'Result' cannot be"),
        ({"tags": {"two words": "x"}}, "'two words' cannot be"),
        ({"comments": {0: ("closed }",)}}, "contains a brace"),
        ({"comments": {0: ('a [Tag "x"]',)}}, "contains a brace or a tag"),
        ({"comments": {0: ("",)}}, "must have 1 to"),
        ({"comments": {0: ("two  spaces",)}}, "single spaces"),
        ({"comments": {0: ("x " * 35000 + "x",)}}, "must have 1 to"),
        ({"comments": {0: ("x" * 2001,)}}, "a word of a comment"),
        ({"comments": {0: ("x x",) * 2**18 + ("x",)}}, "the comments of a game"),
        ({"comments": {5: ("x",)}}, "follows turn 5, but the game has 4"),
        ({"comments": {-1: ("x",)}}, "a number of turns"),
        ({"comments": {"1": ("x",)}}, "a number of turns"),
        ({"comments": {1: "text"}}, "a number of turns"),
        ({"players": ("x" * 2001, None)}, "more than 2000 characters"),
        ({"seed": 10**100}, "at most 100 digits"),
        ({"seed": 10**5000}, "at most 100 digits"),
        ({"tags": {"Event": None}}, "not a line of text"),
        ({"tags": {"Event": "x" * 2001}}, "more than 2000 characters"),
        ({"tags": {f"T{n}": "x" for n in range(101)}}, "at most 100 further tags"),
    ],
)
def test_what_no_file_could_hold_is_refused(about, reason):
    with pytest.raises(ValueError, match=reason):
        scholars_game(**about)


def test_a_game_that_has_ended_cannot_be_resigned():
    game = GameRecord.of(Position("pasgl312", turn_limit=1), ["Df1d5"])
    assert game.termination == "turn limit"
    with pytest.raises(ValueError, match="White resigned after the end"):
        GameRecord.of(Position("pasgl312", turn_limit=1), ["Df1d5"], resigned=0)


def test_what_says_nothing_is_left_out():
    start = Position("pasgl312").text
    game = GameRecord(PASGL312, array("H"), start, (None, None), comments={0: ()})
    assert game == GameRecord(PASGL312, array("H"))


def test_a_start_in_mid_turn_is_refused():
    text = Position("pasgl312").play("Df1d5").play("pd7e6").play("Be1d1").text
    with pytest.raises(ValueError, match="must start at the start of a turn"):
        GameRecord(PASGL312, array("H"), text)


COPIES = {
    "copied": copy.copy,
    "deepcopied": copy.deepcopy,
    "pickled": lambda game: pickle.loads(pickle.dumps(game)),
    "replaced": dataclasses.replace,
}


def test_a_record_is_not_changed_with_what_it_was_made_of():
    choices, tags = array("H"), {"Round": "1"}
    game = GameRecord(PASGL312, choices, tags=tags)
    choices.append(1)
    tags["Round"] = "2"
    assert (list(game.choices), game.tags) == ([], {"Round": "1"})


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_copies_are_equal_and_share_nothing_that_can_change(copied):
    game, same = scholars_game(), scholars_game()
    twin = copied(game)
    assert twin == game
    assert twin.final.text == game.final.text
    twin.choices.append(0)
    twin.tags["Round"] = "2"
    twin.comments.clear()
    assert game == same
