"""The drawing of Captain Spalding Chess shows who is where, and what may be found and put where."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from pasgl_env import Position, render
from pasgl_env.contract.variants import find
from pasgl_env.games.spalding.drawing.pieces import piece
from pasgl_env.games.spalding.drawing.svg import BOARD, HEIGHT, RIGHT
from pasgl_env.games.spalding.position_text import CONTENT_LETTERS
from pasgl_env.games.spalding.rules.state import BEYOND
from pasgl_env.render.svg.silhouette import BRIGHT
from pasgl_env.render.svg.theme import THEMES

from ...render.reading import box, contrast, of_class, pixels_of, shapes, texts
from ...rows import rows
from ...steering import games
from ...suites import SUITES
from .positions import place

SEED = 2


def positions(number, *, in_turn=False):
    """Positions of steered games, every ninth one."""
    steered = (position for position, _ in games(SUITES["spalding"], SEED, 18))
    return islice((at for at in islice(steered, 0, None, 9) if at.in_turn or not in_turn), number)


def drawn_at(pieces="", *labels, options=None, **fields):
    position = Position.from_text("spalding", place(pieces, **fields), **(options or {}))
    for label in labels:
        position.play(label)
    return shapes(position)


def letter(shape):
    return shape.get("href").removeprefix("#spalding-light-")


def square_of(shape):
    """The name of the square in which the middle of a picture is."""
    left, top, right, bottom = box(shape)
    file, down = (left + right) / 2 - BOARD.left, (top + bottom) / 2 - BOARD.top
    return f"{'abcdefgh'[int(file // BOARD.side)]}{8 - int(down // BOARD.side)}"


class TestBoard:
    def test_every_piece_is_drawn_once_where_it_is(self):
        game = find("spalding")
        for position in positions(60):
            text = game.texts.write(position.state[0], position.options_record[0])
            held = "".join(" " * int(sign) if sign.isdigit() else sign for sign in text.split()[0])
            squares = [f"{file}{rank}" for rank in "87654321" for file in "abcdefgh"]
            expected = zip(squares, held.replace("/", ""), strict=True)
            found = of_class(shapes(position), "piece")
            assert Counter(
                (at.get("data-square"), at.get("data-piece")) for at in found
            ) == Counter((square, sign) for square, sign in expected if sign != " ")
            for at in found:
                assert (square_of(at), letter(at)) == (at.get("data-square"), at.get("data-piece"))

    def test_the_container_that_has_moved_is_marked(self):
        drawn = drawn_at("Xe1", "Xe1-e2")
        assert len(of_class(drawn, "origin")) == 1
        assert len(of_class(drawn, "last")) == 2


class TestChoices:
    def test_what_may_be_put_where(self):
        seen = set()
        for position in positions(40, in_turn=True):
            drawn = [
                (letter(at).upper(), square_of(at)) for at in of_class(shapes(position), "choice")
            ]
            legal = [(label[1], label[2:]) for label in position.legal_moves()]
            assert sorted(drawn) == sorted(legal)
            seen |= {kind for kind, _ in legal}
        assert seen == set("RHVWCMLNEBD")

    def test_is_small_and_in_its_square(self):
        for position in positions(20, in_turn=True):
            for at in of_class(shapes(position), "choice"):
                left, top, right, bottom = box(at)
                x, y = BOARD.corner("abcdefgh".index(square_of(at)[0]), int(square_of(at)[1]) - 1)
                assert x <= left and right <= x + 100 and y <= top and bottom <= y + 100
                assert right - left < 70

    def test_leaves_the_piece_in_sight_upon_which_it_is_put(self):
        position = Position.from_text("spalding", place("Ph4 Ng5")).play("Ph4-h5")
        (at,) = [at for at in of_class(shapes(position), "choice") if letter(at) == "B"]
        left, top, _, _ = box(at)
        x, y = BOARD.corner(6, 4)
        assert left > x + 40 and top > y + 40

    def test_every_square_is_framed_on_which_something_may_be_put(self):
        position = Position.from_text("spalding", place("Ph4 Nh5")).play("Ph4-g5")
        squares = {label[2:] for label in position.legal_moves()}
        assert len(of_class(shapes(position), "target")) == len(squares) == 8

    def test_only_where_it_is_asked_for(self):
        position = Position("spalding").play("Xe1-e2")
        marks = render.Marks(targets=frozenset({"d3"}))
        svg = render.drawing(position, marks=marks).to_svg()
        assert svg.count('class="choice"') == 4
        assert render.drawing(position).to_svg().count('class="choice"') == 0

    def test_where_a_piece_may_go(self):
        drawn = shapes(Position("spalding"), origin="a1")
        assert len(of_class(drawn, "origin")) == 1
        assert len(of_class(drawn, "target")) == 2
        assert not of_class(drawn, "choice")


class TestTrays:
    def finds(self, drawn):
        """Letters of what may come out of containers, and of what cannot any more."""
        there: set[str] = set()
        gone: set[str] = set()
        for tray in (shape for shape in drawn if of_class(list(shape), "find")):
            for at in of_class(list(tray), "find"):
                pale = tray.get("opacity") or at.get("opacity")
                side = "w" if box(at)[1] > HEIGHT / 2 else "b"
                (gone if pale else there).add(letter(at).upper() + side)
        return there, gone

    def test_at_the_start_everything_may_be_found(self):
        there, gone = self.finds(shapes(Position("spalding")))
        assert there == {kind + side for kind in "RHVCLNEB" for side in "wb"}
        assert not gone

    def test_once_a_game(self):
        there, gone = self.finds(drawn_at("Pa1 Jh2 pa8 jh7", left="HEr"))
        assert gone == {"Rw", "Hb", "Eb"}
        assert {"Hw", "Ew", "Rb"} < there

    def test_one_elephant_at_a_time(self):
        assert self.finds(drawn_at("Pa1 Jh2 pa8 jh7 Lc4", left="RHErhe"))[1] == {"Lw"}

    def test_one_bat_on_a_file(self):
        bats = " ".join(f"v{file}4" for file in "abcdefgh")
        assert self.finds(drawn_at(f"Pa1 Jh2 pa8 jh7 {bats}", left="RHErhe"))[1] == {"Vb"}

    def test_with_a_container_goes_all_that_is_in_it(self):
        assert self.finds(drawn_at("Jh2 pa8", left="RHErhe"))[1] == {"Lw", "Nw", "Eb", "Bb"}

    def test_what_the_options_leave_out_is_not_there(self):
        off = {"box_bat": False, "pajama_lint": False}
        there, gone = self.finds(shapes(Position("spalding", **off)))
        assert {kind[0] for kind in there} == set("RHCLEB")
        assert not gone

    @rows("turns", [0, 999, 10**18 - 1])
    def test_notes_stand_beside_the_trays(self, turns):
        drawn = drawn_at("Pa1 Jh2 pa8 jh7", turns=turns)
        (note,) = [at for at in drawn if at.text == str(turns + 1) and at.get("x") == str(RIGHT)]
        # Digits are about six tenths as wide as high.
        left = float(note.get("x")) - 0.64 * float(note.get("font-size")) * len(note.text)
        rects = [at for at in drawn if at.tag.endswith("rect") and at.get("rx") == "16"]
        assert left > max(float(at.get("x")) + float(at.get("width")) for at in rects)


class TestStatus:
    def test_whose_turn_it_is(self):
        drawn = drawn_at(turns=6, mover="b")
        assert {"turn", "7"} < set(texts(drawn))
        assert len(of_class(drawn, "turn")) == 1
        assert drawn[1].text == "Captain Spalding Chess: turn 7, Black to move"

    def test_a_captured_box(self):
        drawn = drawn_at("Rf7", "Rf7xh8")
        assert {"won", "lost", "no Box"} < set(texts(drawn))
        assert not of_class(drawn, "turn")
        assert drawn[1].text.endswith("over: White wins, Black has no Box")

    def test_no_turn(self):
        drawn = drawn_at("Cg1 Cg2 Ch2")
        assert {"won", "lost", "no turn"} < set(texts(drawn))
        assert drawn[1].text.endswith("over: Black wins, White has no turn")


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
class TestPieces:
    def test_each_says_what_it_is(self, theme):
        drawn = [piece(content, theme) for content in range(1, BEYOND)]
        titles = [shape.split("<title>")[1].split("</title>")[0] for shape in drawn]
        assert len(titles) == len(set(titles)) == 25
        assert titles[CONTENT_LETTERS.index("J") - 1] == "White Great Pajama"
        assert titles[CONTENT_LETTERS.index("D") - 1] == "Dust Demon"

    def test_neutral_ones_stand_out_from_squares_and_sides(self, theme):
        for square in (theme.light, theme.dark):
            assert contrast(theme.neutral_line, square) >= 3
        assert contrast(theme.neutral, theme.neutral_line) >= 4.5
        assert theme.neutral not in (theme.white, theme.black)

    def test_yellow_shows_on_either_side(self, theme):
        for player in range(2):
            fill, line = theme.of_player(player)
            edge = (line, fill)[player]
            assert contrast(BRIGHT, edge) >= 7

    def test_all_differ_where_a_board_has_400_pixels(self, theme):
        images = [pixels_of(piece(content, theme), theme.light, 38) for content in range(1, BEYOND)]
        for number, image in enumerate(images):
            assert all(abs(image - other).mean() > 12 for other in images[:number])
