"""The drawing of PASGL 312 Chess shows who is where, in which condition, and the Train."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from pasgl_env import Position, render
from pasgl_env.games.pasgl312.drawing.forest import forest
from pasgl_env.games.pasgl312.rules.state import CRITTERS
from pasgl_env.render.svg.theme import THEMES

from ...render.reading import contrast, of_class, shapes, texts
from ...rows import rows
from ...steering import games
from ...suites import SUITES
from .positions import HOME_BEARS, listed, place

CARS = {"head car": "@head", "tail car": "@tail"}
ALL_BUT_BEARS = "HDFWSTTPPPPPPPP"


def positions(number):
    steered = (position for position, _ in games(SUITES["pasgl312"], 5, 9))
    return islice(steered, 0, 8 * number, 8)


def drawn_at(critters="", **fields):
    return shapes(Position.from_text("pasgl312", place(critters, **fields)))


def pieces(drawn):
    """What is drawn, in the words of `positions`: symbol and place, and how many."""
    counts: Counter[str] = Counter()
    for piece in of_class(drawn, "piece"):
        square = piece.get("data-square")
        word = piece.get("data-piece") + CARS.get(square, square)
        counts[word] += int(piece.get("data-count", "1"))
    return counts


def signs(drawn, square):
    """The symbols of which the pictures of a square's critters consist, without prefix."""
    here = [piece for piece in of_class(drawn, "piece") if piece.get("data-square") == square]
    return [
        shape.get("href").removeprefix("#pasgl312-light-")
        for piece in here
        for shape in piece.iter()
        if shape.get("href")
    ]


def test_every_critter_is_drawn_once_where_it_is_and_as_it_is():
    for position in positions(60):
        found = pieces(shapes(position))
        assert found.total() == CRITTERS
        left_out = {word for word in found if word.endswith("dead") or word in HOME_BEARS}
        alive = {word: number for word, number in found.items() if word not in left_out}
        assert alive == Counter(listed(position).split())


class TestConditions:
    def test_lunches_are_drawn_where_they_are(self):
        drawn = drawn_at("-Ba1 Fc3 -Wd3 Te3")
        assert signs(drawn, "a1") == ["white-bear"]
        assert signs(drawn, "c3") == ["white-fox", "lunch"]
        assert signs(drawn, "d3") == ["white-woodchuck"]
        assert signs(drawn, "e3") == ["white-turkey"]
        assert signs(drawn, "e8") == ["black-bear", "lunch"]

    def test_the_stinky(self):
        assert signs(drawn_at("*-dc3"), "c3") == ["black-deer", "stink"]

    def test_the_leaving_and_the_boarding(self):
        assert signs(drawn_at("~Px4 pz5 hz5"), "x4") == ["white-shrew", "leaving"]
        assert signs(drawn_at("pz5"), "z5") == ["black-shrew"]

    def test_chipmunks(self):
        assert signs(drawn_at("Mb5"), "b5") == ["white-chipmunk"]

    def test_the_dead_have_no_lunch(self):
        drawn = drawn_at(" ".join(f"{letter}c3" for letter in ALL_BUT_BEARS))
        assert {sign.split("-")[0] for sign in signs(drawn, "dead")} == {"black"}

    def test_words_for_who_points_at_a_critter(self):
        drawn = drawn_at("*-Fc3 ~Px4")
        titles = [shape.text for shape in drawn if shape.tag.endswith("title")]
        assert "White Fox, without lunch, stinky, c3" in titles
        assert "White Shrew, leaving, x4" in titles


class TestCrowds:
    @rows("number", range(1, 10))
    def test_up_to_nine_are_drawn_one_by_one(self, number):
        drawn = drawn_at(" ".join("Pc3 " for _ in range(min(number, 8))) + "Tc3" * (number > 8))
        here = [piece for piece in of_class(drawn, "piece") if piece.get("data-square") == "c3"]
        assert len(here) == number

    def test_of_more_those_that_look_alike_are_counted(self):
        drawn = drawn_at("Pc3 " * 5 + "*Pc3 " * 3 + "pc3 " * 2)
        here = [piece for piece in of_class(drawn, "piece") if piece.get("data-square") == "c3"]
        counts = {piece.get("data-piece"): piece.get("data-count") for piece in here}
        assert counts == {"P": "5", "*P": "3", "p": "2"}

    def test_everybody_on_one_square(self):
        words = [f"{letter}e3" for letter in "B" + ALL_BUT_BEARS]
        words += [f"{letter}e3" for letter in ALL_BUT_BEARS.lower()]
        found = pieces(drawn_at(" ".join(words)))
        assert found == Counter(words) + Counter(be8=1)

    @rows("place", ["c3", "z4", "x5", "@head", "@tail"])
    @rows("number", [1, 2, 3, 4, 9, 30])
    def test_nobody_stands_on_another_place(self, place, number):
        letters = (ALL_BUT_BEARS + ALL_BUT_BEARS.lower())[:number]
        drawn = drawn_at(" ".join(letter + place for letter in letters), phase=6)
        name = {"@head": "head car", "@tail": "tail car"}.get(place, place)
        here = [piece for piece in of_class(drawn, "piece") if piece.get("data-square") == name]
        left, top, right, bottom = extent(here)
        wide, high = SPACE.get(place[0], (40, 40))
        assert right - left <= 1.1 * wide and bottom - top <= 1.1 * high

    def test_the_dead_lie_on_a_tile_with_their_numbers_beside_them(self):
        for position in positions(60):
            drawn = shapes(position)
            dead = [
                piece for piece in of_class(drawn, "piece") if piece.get("data-square") == "dead"
            ]
            tiles = of_class(drawn, "tile")
            assert len(tiles) == len({piece.get("data-piece").islower() for piece in dead})
            for piece in dead:
                left, top, right, bottom = extent([piece])
                assert any(
                    x <= left and right <= x + width and y <= top and bottom <= y + height
                    for x, y, width, height in map(box_of, tiles)
                )
                numbers = [shape for shape in piece.iter() if shape.tag.endswith("text")]
                # The letters of a low picture, as of a Shrew, stand no higher than it does.
                assert all(50 < float(shape.get("y")) < 100 for shape in numbers)


def box_of(rect):
    return [float(rect.get(side)) for side in ("x", "y", "width", "height")]


SPACE = {"z": (30, 36), "x": (30, 36), "@": (34, 24)}


def extent(pieces):
    """The rectangle around the boxes of some critters."""
    boxes = []
    for piece in pieces:
        move, grow = piece.get("transform").split(") ")
        x, y = map(float, move.removeprefix("translate(").split())
        size = 100 * float(grow.removeprefix("scale(").removesuffix(")"))
        boxes.append((x, y, x + size, y + size))
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


class TestTrain:
    @rows("phase", range(1, 21))
    def test_is_drawn_in_every_phase_and_where_it_goes_next(self, phase):
        drawn = drawn_at(phase=phase)
        assert len(of_class(drawn, "train")) == 2
        assert len(of_class(drawn, "next")) == 1
        following = drawn_at(phase=phase % 20 + 1)
        head = of_class(following, "train")[0].get("transform")
        x, y = (float(of_class(drawn, "next")[0].get(side)) - 2.5 for side in "xy")
        # The locomotive's box begins at its left edge, or when it goes right at the right one.
        assert f"translate({x:g} {y:g})" in head or f"translate({x + 40:g} {y:g})" in head

    def test_riders_are_inside(self):
        drawn = drawn_at("F@head pz5", phase=11)
        head = of_class(drawn, "train")[0].get("transform")
        x, y = map(float, head.split(")")[0].removeprefix("translate(").split())
        rider = [piece for piece in of_class(drawn, "piece") if piece.get("data-piece") == "F"]
        left, top, right, bottom = extent(rider)
        assert x - 40 <= left and right <= x and y <= top and bottom <= y + 40


class TestTurn:
    def test_chosen_and_asked_about(self):
        text = place("Bd3 te4 fe4", phase=2)
        position = Position.from_text("pasgl312", text).play("Bd3e4")
        assert question_marks(position) == ["fe4"]
        assert len(of_class(shapes(position), "chosen")) == 1
        position.play("fe5")
        assert question_marks(position) == ["te4"]
        assert len(of_class(shapes(position), "chosen")) == 2

    def test_victims(self):
        position = Position.from_text("pasgl312", place("Da3 fc7 hc7 -wc7 pc7"))
        assert question_marks(position.play("Da3c7")) == ["hc7", "fc7"]

    def test_whose_turn_it_is(self):
        assert "Turn 1, White to move" in texts(drawn_at())
        assert "Turn 8, Black to move" in texts(drawn_at(mover="b", turns=7))

    def test_a_finished_game(self):
        drawn = drawn_at(score="31:0")
        assert "Turn 0, over: White wins, 31 points ahead" in texts(drawn)
        assert not of_class(drawn, "turn") and not of_class(drawn, "next")
        assert "Turn 0, over: a draw after 40 passes" in texts(drawn_at(passes=40))
        bearless = place(score="0:20").replace("B", "1").replace("413", "8")
        drawn = shapes(Position.from_text("pasgl312", bearless))
        assert "Turn 0, over: Black wins, a Bear is dead" in texts(drawn)

    def test_score_and_lead(self):
        drawn = drawn_at(score="7:19")
        assert [shape.text for shape in of_class(drawn, "score")] == ["19", "7"]
        assert [shape.text for shape in of_class(drawn, "lead")] == ["+12 of 30"]

    def test_passes(self):
        assert "passes: 3" in texts(drawn_at(passes=3))


def question_marks(position):
    """Those whose picture says that they may be chosen, or are to be put somewhere."""
    return [
        piece.get("data-piece") + piece.get("data-square")
        for piece in of_class(shapes(position), "piece")
        if of_class(piece, "asked")
    ]


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
class TestContrast:
    def test_critters_on_all_grounds(self, theme):
        colours = forest(theme)
        squares = (colours.theme.light, colours.theme.dark)
        for ground in (*squares, colours.ground, colours.window):
            for player in range(2):
                assert max(contrast(part, ground) for part in theme.of_player(player)) >= 3

    def test_conditions(self, theme):
        colours = forest(theme)
        assert contrast(colours.stink, colours.cloud) >= 4.5
        assert contrast(colours.lunch, colours.lunch_line) >= 3
        for square in (colours.theme.light, colours.theme.dark):
            assert max(contrast(colours.lunch, square), contrast(colours.lunch_line, square)) >= 3


def test_a_crowded_drawing_is_small():
    words = [f"{letter}{file}3" for letter, file in zip("BHDFWST", "abcdefg", strict=True)]
    words += [f"*P{file}4" for file in "abcdefgh"] + [f"*p{file}5" for file in "abcdefgh"]
    position = Position.from_text("pasgl312", place(" ".join(words), phase=1))
    assert len(render.svg(position)) < 40_000
