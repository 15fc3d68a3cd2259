from pasgl_env.contract import rule, wide
from pasgl_env.contract.scene import show
from pasgl_env.render.svg.board import Board, squares
from pasgl_env.render.svg.canvas import Shapes
from pasgl_env.render.svg.layout import Icon, Layout, Look, Role

from .. import description
from ..rules import SIZE
from ..rules import SQUARES as COUNT

SIDE, MOST = 60, COUNT
BOARD = Board(0, 0, SIDE, SIZE, SIZE)


@rule
def scene(state, options, rolled, mask, out):
    count = 0
    for square in range(COUNT):
        if state.board[square]:
            count = show(out, count, 0, wide(state.board[square]) - 1, square)
    return count


def layout(options, theme):
    piece = Shapes()
    with piece.group(class_="piece", data_piece="{symbol}", data_square="{square}"):
        piece.circle("{cx}", "{cy}", 0.4 * SIDE, fill=theme.light)
        piece.text("{cx}", "{cy+10}", "{symbol}", 30, fill=theme.ink)
    symbols = [symbol.text for symbol in description.symbols(options)]
    letter = (
        f'<text x="50" y="70" font-size="50" text-anchor="middle" fill="{theme.ink}">{{}}</text>'
    )
    return Layout(
        theme=theme,
        prefix=f"pocket-{theme.name}-",
        size=(SIDE * SIZE, SIDE * SIZE),
        side=SIDE,
        ground=squares(BOARD, theme),
        places=tuple(BOARD.box(square % SIZE, square // SIZE) for square in range(COUNT)),
        squares=description.SQUARES,
        looks=(Look(str(piece), Role.PIECE),),
        symbols=tuple({"symbol": symbol} for symbol in symbols),
        icons={symbol: Icon(symbol, letter.format(symbol)) for symbol in symbols},
    )
