"""The page's explanations of pieces and rules, and its editor."""

import pytest

from pasgl_env import Dice, Position, render
from pasgl_env.web import guides
from pasgl_env.web.guides import FieldValue, Put


def pasgl(squares, rest="./././. ./. 1 w 0:0 0 0"):
    return Position.from_text("pasgl312", f"{squares} {rest}")


def spalding(board, left="-"):
    return Position.from_text("spalding", f"{board} w {left} 4")


def pachessi(pieces, dice="2,6"):
    return Position.from_text("pachessi", f"{pieces} black {dice} i 0")


@pytest.mark.parametrize(
    ("position", "origin", "target", "reason"),
    [
        (pasgl("4b3/8/8/8/8/8/8/[-S]t2B3"), "a1", "b1", "no lunch: it may not enter occupied"),
        (pasgl("4b3/8/8/8/8/8/8/Ht2B3"), "a1", "b1", "The Hunter never enters occupied squares"),
        (pasgl("4b3/8/8/8/4B3/8/8/8"), "e4", "e5", "stays in its own half"),
        (pasgl("4b3/8/8/8/4B3/8/8/8"), "e4", "z4", "never enters a terminal"),
        (pasgl("4b3/8/8/8/8/8/8/St2B3"), "a1", "c1", "Black's Turkey on b1 is in the way"),
        (pasgl("4b3/8/8/8/8/8/8/S3B3"), "a1", "b2", "Skunk: Any distance along a rank or file"),
        (pasgl("4b3/8/8/8/7S/8/8/4B3"), "h4", "x4", "The Train is on x4"),
        (pasgl("4b3/8/8/8/8/8/8/S3B3"), "c3", "c4", "None of White's critters"),
        (pasgl("4b3/8/8/8/8/8/[*W]7/4B3"), "e1", "e2", "Stink compels"),
        (
            pasgl("4b3/8/8/8/8/8/8/4B3", "T/././. ./. 1 w 0:0 0 0"),
            "z4",
            "a4",
            "only move to the other square of the terminal",
        ),
        (
            pasgl("4b3/8/8/8/8/8/8/4B3", "H/t/./. ./. 1 w 0:0 0 0"),
            "z4",
            "z5",
            "The Hunter never enters occupied squares",
        ),
        (spalding("4x3/8/8/8/8/8/8/R3X3"), "a1", "e1", "do not capture their own"),
        (spalding("4x3/8/8/8/8/8/B7/R3X3"), "a1", "a2", "A Dust Bunny is never captured"),
        (spalding("4x3/8/8/8/8/8/8/R3X3"), "a1", "a5", "Rhino: One step along"),
        (spalding("4x3/8/8/8/8/m7/8/4X2P"), "h1", "c2", "Pajama: One step"),
        (spalding("4x3/8/8/8/8/8/8/R3X3"), "e8", "e7", "is Black's"),
        (spalding("4x3/8/8/8/3m4/8/8/4X3", "R"), "e1", "d3", "beside a Cookie Monster"),
        (
            Position("spalding", white_box="W"),
            "e1",
            "d2",
            "White Box: One step along a rank or file, without",
        ),
        (Position("chieftain"), "b5", "b6", "No Chieftain with an order left is within 3"),
        (
            Position("chieftain", setup="c4l/6/6/6/6/C4M"),
            "f1",
            "f2",
            "within 3 squares of f1, and no such Leader within 2 squares.",
        ),
        (Position("chieftain"), "c1", "b1", "do not capture their own"),
        (Position("chieftain"), "c1", "c8", "White Chieftain: One or two steps"),
        (Position("chieftain"), "b1", "b4", "Something stands in the way"),
        (Position("chieftain"), "b12", "b11", "is not White's"),
        (
            pachessi("Ra7:0,Eb7:0,Hc7:0,Sd7:0/Rg1:0,Ef1:0,He1:0,Sd1:0", "2,3"),
            "a7",
            "a6",
            "moves with a 4 or 5 or a 6, and no such die is left",
        ),
        (
            pachessi("R@,Eb7:0,Hc7:0,Sd7:0/Rg1:0,Ef1:0,He1:0,Sd1:0", "4,6"),
            "b7",
            "b6",
            "While your Raja is taken",
        ),
        (
            pachessi("Ra7:0,Eb7:0,Hc7:0,Sd7:0/Rg1:0,Ef1:0,He1:0,Sd1:0"),
            "d7",
            "e7",
            "Moves go counterclockwise",
        ),
    ],
)
def test_it_is_told_which_rule_is_in_the_way(position, origin, target, reason):
    assert reason in guides.why_not(position, origin, target)


@pytest.mark.parametrize(
    ("variant", "options", "name", "move"),
    [
        ("pasgl312", {"turkey_range": 0}, "Turkey", "Does not move. Carries no lunch."),
        ("pasgl312", {"fox_range": 0}, "Fox", "One step straight back. With its lunch"),
        ("pasgl312", {"hunter_range": 0}, "Hunter", "to empty squares. Earns"),
        ("pasgl312", {"hunter_range": 1}, "Hunter", "shoots one square along"),
        ("spalding", {"white_box": "W", "black_box": "W"}, "Box", "One step along a rank or file,"),
        (
            "spalding",
            {"white_box": "F"},
            "Box",
            "One step, diagonally for White and in any direction for Black, without",
        ),
        ("spalding", {"pajama_lint": False}, "Pajama", "then an Elephant comes out"),
        ("spalding", {"white_finds": "-"}, "Great Pajama", "a Great Elephant (Black only) or a"),
        (
            "spalding",
            {"great_elephant": False, "great_bunny": False},
            "Great Pajama",
            "Does not move, for nothing can come out.",
        ),
        ("chieftain", {"first_turn_orders": 2}, "Chieftain", "first turn all together order at"),
        ("chieftain", {"command_range": 1}, "Chieftain", "Orders one piece within one square to"),
    ],
)
def test_the_legend_tells_the_options_in_force(variant, options, name, move):
    def told(**options):
        legend = guides.pieces(Position(variant, **options).ruleset)
        return next(piece.move for piece in legend if piece.name == name)

    assert move in told(**options)
    assert move not in told()


@pytest.mark.parametrize(
    ("position", "square", "words"),
    [
        (pasgl("4b3/8/8/8/8/8/8/[-S]3B3"), "a1", "no lunch: may not enter occupied squares"),
        (pasgl("4b3/8/8/8/8/8/8/4B3"), "h4", "The Train comes here next"),
        (pasgl("4b3/8/8/8/8/8/8/4B3"), "x4", "The Train is here"),
        (pasgl("4b3/8/8/8/8/8/8/4B3"), "d4", "The campfire"),
        (Position("spalding"), "e1", "White Box"),
        (Position("chieftain"), "c1", "Chieftains with an order left can order it to move"),
        (
            Position("chieftain", setup="c2l/4/4/CM1L"),
            "b1",
            "2 Chieftains or Leaders with an order",
        ),
        (Position("pachessi", first="black"), "a7", "Here Black's Raja starts and ends"),
    ],
)
def test_squares_are_explained(position, square, words):
    assert words in " ".join(guides.explain(position, square))


def test_any_two_squares_of_a_random_game_get_a_sentence(variant):
    position, dice = Position(variant), Dice(5)
    for number in range(5):
        while position.is_chance:
            position.roll(dice)
        if position.is_over:
            break
        legal = {(action.origin, action.target) for action in position.choices}
        squares = sorted(render.places(position.ruleset))
        for origin, target in zip(squares[number % 7 :: 7], squares[number % 5 :: 5], strict=False):
            assert all(isinstance(line, str) for line in guides.explain(position, origin))
            if (origin, target) not in legal and origin != target:
                assert guides.why_not(position, origin, target)
            assert guides.why_not(position, origin, None)
        moves = position.legal_moves()
        position.play(moves[7 * number % len(moves)])


def test_every_piece_of_the_start_is_in_the_legend(every_variant):
    position = Position(every_variant)
    legend = guides.pieces(position.ruleset)
    symbols = {own.split("-")[-1] for piece in legend for own in (piece.symbol, *piece.others)}
    drawn = render.svg(position)
    for part in drawn.split('data-piece="')[1:]:
        assert part.partition('"')[0].strip("*-") in symbols


def test_a_piece_is_put_on_a_board_of_single_letters():
    assert "/4R3/" in guides.edited(spalding("4x3/8/8/8/8/8/8/4X3"), Put("e4", "R")).text
    without = guides.edited(Position("chieftain"), Put("b5", ""))
    assert guides.edited(without, Put("a1", "M")).text.split()[0].endswith("/MHCS1CHSSHC1SCH1")


def test_a_piece_of_a_race_moves_to_its_new_square_and_takes_what_was_there():
    position = guides.edited(Position("pachessi", first="black"), Put("g1", "black-R"))
    assert position.text.startswith("Rg1:0,Eb7:0,Hc7:0,Sd7:0/R@,")


@pytest.mark.parametrize(
    ("variant", "square", "symbol", "reason"),
    [
        ("pasgl312", "a3", "*-W", "a3: there is no further"),
        ("pasgl312", "d4", "Q", "no piece 'Q'"),
        ("spalding", "e4", "R", "left: R is on the board, so it has been found"),
        ("spalding", "i9", "R", "no square 'i9'"),
        ("chieftain", "a1", "Q", "no piece 'Q'"),
        ("pachessi", "a1", "green-R", "no piece 'green-R'"),
    ],
)
def test_a_piece_that_cannot_be_there_is_refused(variant, square, symbol, reason):
    position = Position(variant, **({"first": "black"} if variant == "pachessi" else {}))
    with pytest.raises(ValueError, match=reason):
        guides.edited(position, Put(square, symbol))


def test_critters_are_stacked_and_a_square_is_emptied():
    position = guides.edited(pasgl("4b3/8/8/8/8/8/8/4B3"), Put("d4", "t"))
    position = guides.edited(position, Put("d4", "-F"))
    assert "[-Ft]" in position.text
    assert guides.edited(position, Put("d4", "")).text == pasgl("4b3/8/8/8/8/8/8/4B3").text
    boarded = guides.edited(position, Put("z5", "T"))
    assert " ./T/./. " in boarded.text


def test_fields_are_told_and_set(every_variant):
    position = Position(
        every_variant, **({"first": "black"} if "pachessi" in every_variant else {})
    )
    names = [field["name"] for field in guides.fields(position)]
    assert "mover" in names
    assert guides.edited(position, FieldValue("turns", "12")).turns == 12
    with pytest.raises(ValueError, match="no field 'colour'"):
        guides.edited(position, FieldValue("colour", "w"))
    with pytest.raises(ValueError, match="turns: '1 2' is not the number of turns"):
        guides.edited(position, FieldValue("turns", "1 2"))


def test_only_the_last_of_several_changes_has_to_leave_a_possible_position():
    start = pasgl("4b3/8/8/8/8/8/8/4B3")
    changes = Put("e1", ""), FieldValue("score", "0:20")
    for alone in changes[:1], (*changes, Put("d5", "B")):
        with pytest.raises(ValueError, match="board: "):
            guides.edited(start, *alone)
    assert guides.edited(start, *changes).text == "4b3/8/8/8/8/8/8/8 ./././. ./. 1 w 0:20 0 0"


def test_the_editor_tells_why_a_position_is_impossible():
    with pytest.raises(ValueError, match="a Bear stays in its own half"):
        guides.edited(pasgl("4b3/8/8/8/8/8/8/8", "./././. ./. 1 w 0:20 0 0"), Put("e6", "B"))
