"""The drawing of Chieftain shows who is where, who can activate what, and who has moved."""

from __future__ import annotations

import re
from itertools import combinations, islice

from pasgl_env import Position, render
from pasgl_env.contract.variants import find
from pasgl_env.games.chieftain.drawing.pieces import ACTIVE_CHIEFTAIN, piece
from pasgl_env.games.chieftain.drawing.svg import TEXT, TOP, WIDTH, board_of
from pasgl_env.games.chieftain.rules.board import KINDS, LEAST, MOST
from pasgl_env.render.svg.theme import THEMES

from ...render.reading import box, contrast, of_class, pixels_of, shapes, texts
from ...rows import rows
from ...steering import games
from ...suites import SUITES
from .positions import FILES, listed, place

SEED = 13


def positions(number):
    """Positions of steered games, every seventh one, on boards of many sizes."""
    steered = (position for position, _ in games(SUITES["chieftain"], SEED, 18))
    return islice(steered, 0, 7 * number, 7)


def position_at(pieces, *labels, size="8x8", rest="w 0 0", **options):
    """A position with those pieces, on a board where each may stand."""
    board = place(pieces, size)
    position = Position.from_text("chieftain", f"{board} {rest}", setup=board, **options)
    for label in labels:
        position.play(label)
    return position


def board_in(position):
    _, ranks, files = position.observation(0).shape
    return board_of(files, ranks)


def name_at(board, x, y):
    """The name of the square in which a point is."""
    file, down = int((x - board.left) // board.side), int((y - board.top) // board.side)
    assert 0 <= file < board.files and 0 <= down < board.ranks
    return f"{FILES[file]}{board.ranks - down}"


def middle(shape):
    left, top, right, bottom = box(shape)
    return (left + right) / 2, (top + bottom) / 2


def numbers(data):
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", data)]


def names_of(board, shapes):
    """Names of the squares around whose middles circles are drawn, or at whose corners boxes."""
    return {name_at(board, float(at.get("cx")), float(at.get("cy"))) for at in shapes}


class TestPieces:
    def test_every_piece_is_drawn_once_where_it_is(self):
        for position in positions(60):
            game = find(position.variant)
            text = game.texts.write(position.state[0], position.options_record[0])
            found = of_class(shapes(position), "piece")
            words = [at.get("data-piece") + at.get("data-square") for at in found]
            assert sorted(words) == sorted(listed(text.split(" ")[0]).split())
            board = board_in(position)
            for at in found:
                assert name_at(board, *middle(at)) == at.get("data-square")
                assert at.get("href")[-1] == at.get("data-piece")

    def test_what_has_moved_is_underlined(self):
        for position in positions(40):
            drawn = shapes(position)
            board = board_in(position)
            lines = [
                name_at(board, float(at.get("x")), float(at.get("y")))
                for at in of_class(drawn, "moved")
            ]
            moved = [squares_of(label)[1] for label in finished_moves(position)]
            assert sorted(lines) == sorted(moved)

    @rows("theme", THEMES.values())
    def test_kinds_and_sides_differ_where_a_square_has_15_pixels(self, theme):
        for square in (theme.light, theme.dark):
            images = [
                pixels_of(piece(player, kind, theme), square, 32)[::2, ::2]
                for player in range(2)
                for kind in range(KINDS)
            ]
            for one, other in combinations(images, 2):
                assert abs(one - other).mean() > 15

    @rows("theme", THEMES.values())
    def test_a_chieftain_that_can_activate_differs(self, theme):
        for player in range(2):
            drawn = [piece(player, kind, theme) for kind in (0, ACTIVE_CHIEFTAIN)]
            assert drawn[0] != drawn[1]
            assert "can activate" in drawn[1]


def finished_moves(position):
    """Labels of the moves made in the turn under way."""
    moves = [label for label in position.labels if not label.startswith("by ")]
    return moves[:-1] if position.question.startswith("who") else moves


def squares_of(label):
    return re.findall(r"[a-x][1-9][0-9]?", label)


class TestCommand:
    def in_range(self, position):
        """Squares within range of the mover's Chieftains that can activate, by the rules."""
        names = set()
        board, state = board_in(position), position.state[0]
        mover = int(state.mover)
        for number in range(int(state.chieftains[mover])):
            if state.left[number]:
                cell = int(state.chieftain_cell[mover, number])
                name = "leader_range" if state.board[cell] & 8 else "command_range"
                (rank, file), reach = divmod(cell, 32), position.options[name]
                for right in range(-reach, reach + 1):
                    for up in range(-reach, reach + 1):
                        at = file - 4 + right, rank - 4 + up
                        if 0 <= at[0] < board.files and 0 <= at[1] < board.ranks:
                            names.add(f"{FILES[at[0]]}{at[1] + 1}")
        return names

    def tinted(self, position):
        board = board_in(position)
        tinted = set()
        for area in of_class(shapes(position), "command"):
            for part in area.get("d").split("z")[:-1]:
                x, y, width, height, _ = numbers(part)
                assert height == board.side
                for step in range(round(width / board.side)):
                    name = name_at(board, x + (step + 0.5) * board.side, y + height / 2)
                    assert name not in tinted
                    tinted.add(name)
        return tinted

    def test_the_area_is_what_the_chieftains_command(self):
        for position in positions(40):
            if not position.is_over:
                assert self.tinted(position) == self.in_range(position)

    def test_the_outline_is_as_long_as_the_edge_of_the_area(self):
        for position in positions(40):
            board, area = board_in(position), self.tinted(position)
            drawn = shapes(position)
            if not area:
                continue
            outline = drawn[drawn.index(of_class(drawn, "command")[0]) + 1]
            lengths = [abs(numbers(part)[2]) for part in outline.get("d").split("M")[1:]]
            edges = sum(neighbour not in area for name in area for neighbour in neighbours(name))
            assert sum(lengths) == edges * board.side

    def test_chieftains_with_activations_left_have_gold_in_their_crowns(self):
        position = position_at("Cb1 Cg1 Mb3 Mf3 ch8")
        assert golden(position) == {"b1", "g1"}
        assert golden(position.play("Mb3-b4")) == {"g1"}
        assert golden(position.play("end")) == {"h8"}

    def test_a_leader_has_a_crown_of_its_own(self):
        position = position_at("Lb1 Cg1 Mf3 ch8")
        assert golden(position) == {"b1", "g1"}
        assert badge(position) == ["2"]
        pictures = {
            str(render.svg(position_at(f"{letter}b1 Mf3 ch8"))).count("M38 55V85")
            for letter in "LC"
        }
        assert pictures == {0, 1}

    def test_a_number_tells_more_activations_than_one(self):
        position = position_at("Cb1 Mb3 ch8", activations=3)
        assert "3 activations left" in texts(shapes(position))
        assert [badge(position), golden(position)] == [["3"], {"b1"}]
        position.play("Mb3-b4")
        assert [badge(position), golden(position)] == [["2"], {"b1"}]
        position.play("Cb1-b2")
        assert [badge(position), golden(position)] == [[], {"b2"}]
        assert "1 activation left" in texts(shapes(position))

    def test_none_in_a_finished_game(self):
        position = position_at("Ca1 Rc3 cc5", "Rc3xc5")
        assert position.is_over
        assert not of_class(shapes(position), "command")
        assert golden(position) == set()


def neighbours(name):
    file, rank = FILES.index(name[0]), int(name[1:])
    steps = [(1, 0), (-1, 0), (0, 1), (0, -1)]
    return [f"{(FILES + '-')[file + right]}{rank + up}" for right, up in steps]


def golden(position):
    pieces = of_class(shapes(position), "piece")
    return {at.get("data-square") for at in pieces if "active" in at.get("href")}


def badge(position):
    drawn = shapes(position)
    return [drawn[drawn.index(at) + 1].text for at in of_class(drawn, "badge")]


class TestMarks:
    def test_the_last_turn_without_who_ordered_it(self):
        labels = "Mb3-b4", "by d1", "Mc4-c5"
        position = position_at("Cb1 Cd1 Mb3 Mc4 ch8", *labels)
        drawn = shapes(position)
        assert position.last_turn == list(labels)
        assert len(of_class(drawn, "last")) == 4
        assert len(of_class(drawn, "arrow")) == 2

    def test_squares_alone_can_be_marked(self):
        marks = render.Marks(last=frozenset({"a1", "b2"}))
        svg = render.drawing(Position("overlord"), marks=marks).to_svg()
        assert (svg.count('class="last"'), svg.count('class="arrow"')) == (2, 0)

    def test_who_may_activate(self):
        position = position_at("Cb1 Cd1 Cg8 Mc3 ca8", "Mc3-c4")
        drawn = shapes(position)
        assert names_of(board_in(position), of_class(drawn, "target")) == {"b1", "d1"}
        (origin,) = of_class(drawn, "origin")
        corner = float(origin.get("x")), float(origin.get("y"))
        assert name_at(board_in(position), *corner) == "c3"
        # That of the last turn's moves, and that of the question.
        assert len(of_class(drawn, "arrow")) == 2

    def test_between_moves_targets_are_shown_of_one_piece_only(self):
        position = position_at("Cb1 Cg1 Mb3 Mf3 ch8", "Mb3-b4")
        assert not of_class(shapes(position), "target")
        assert len(of_class(shapes(position, origin="f3"), "target")) == 8


class TestStatus:
    def test_turn_and_points(self):
        position = position_at("Ca1 Rc3 mc5 ch8", "Rc3xc5", rest="w 0 6")
        assert {"1 point", "0 points", "turn 8"} <= set(texts(shapes(position)))
        assert shapes(position)[1].text == "Chieftain: turn 8, Black to move"

    def test_a_pass(self):
        position = position_at("Ca1 Ma2 Mb1 Mb2 ch8", rest="b 1 0")
        assert "passed" in texts(shapes(position))

    def test_a_draw(self):
        position = position_at("Ca1 ch8", rest="w 2 9")
        assert texts(shapes(position)).count("draw: both passed") == 2
        assert shapes(position)[1].text.endswith("over: a draw, both have passed")

    def test_a_win(self):
        drawn = shapes(position_at("Ca1 Rc3 cc5", "Rc3xc5"))
        assert {"won", "lost: no Chieftain"} <= set(texts(drawn))
        assert drawn[1].text.endswith("over: White wins, Black has no Chieftain")
        assert not of_class(drawn, "turn")


class TestSizes:
    def test_24_files_have_15_pixels_each_of_400(self):
        assert board_of(24, 16).side * 400 / WIDTH >= 15
        assert TEXT * 400 / WIDTH >= 12

    @rows("files", [LEAST, 7, 16, MOST])
    @rows("ranks", [LEAST, 12, MOST])
    def test_boards_fit(self, files, ranks):
        board = board_of(files, ranks)
        assert board.left >= 46 and board.left + files * board.side <= WIDTH
        rows = [f"C{files - 1}", *[f"{files}"] * (ranks - 2), f"{files - 1}c"]
        canvas = render.drawing(Position("chieftain", setup="/".join(rows)))
        assert canvas.width == WIDTH
        assert TOP + ranks * board.side < canvas.height - 2 * TEXT


@rows("theme", THEMES.values())
def test_the_colour_of_command_stands_out(theme):
    assert contrast(theme.command, theme.page) >= 4.5
    assert contrast(theme.command, theme.light) >= 1.9
