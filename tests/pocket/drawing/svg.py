from pasgl_env.render.svg.board import Board, squares
from pasgl_env.render.svg.canvas import Canvas

from ..description import SQUARES
from ..position_text import LETTERS
from ..rules import SIZE

SIDE = 60
BOARD = Board(0, 0, SIDE, SIZE, SIZE)


def bare(options, marks, theme):
    canvas = Canvas(SIDE * SIZE, SIDE * SIZE, "an empty board", f"pocket-{theme.name}-")
    canvas.add(squares(BOARD, theme))
    return canvas


def draw(state, options, marks, theme):
    canvas = bare(options, marks, theme)
    for number, name in enumerate(SQUARES):
        if letter := LETTERS[state.board[number]].strip("."):
            x, y = BOARD.centre(number % SIZE, number // SIZE)
            with canvas.group(class_="piece", data_piece=letter, data_square=name):
                canvas.circle(x, y, 0.4 * SIDE, fill=theme.light)
                canvas.text(x, y + 10, letter, 30, fill=theme.ink)
    return canvas


def places(options):
    return {name: BOARD.box(number % SIZE, number // SIZE) for number, name in enumerate(SQUARES)}


def icon(symbol, options, theme):
    canvas = Canvas(SIDE, SIDE, symbol, f"pocket-{theme.name}-")
    canvas.text(SIDE / 2, 40, symbol, 30, fill=theme.ink)
    return canvas
