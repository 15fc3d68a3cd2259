from pasgl_env.contract import Texts
from pasgl_env.contract.fields import read_mover, read_number, wrong

from .rules import SIZE

LETTERS = ".KRPJkrpj"


def write(state, options):
    board = "".join(LETTERS[content] for content in state.board.tolist())
    ranks = "/".join(board[SIZE * rank : SIZE * (rank + 1)] for rank in reversed(range(SIZE)))
    hands = "".join(str(number) for number in state.hand.ravel())
    return f"{ranks} {hands} {'wb'[state.mover]} {state.turn_count}"


def read(text, options, state):
    board, hands, mover, turns = text.split(" ")
    ranks = board.split("/")
    if [len(rank) for rank in ranks] != [SIZE] * SIZE or set("".join(ranks)) - set(LETTERS):
        raise wrong("board", "not five ranks of five squares")
    contents = [LETTERS.index(letter) for letter in "".join(reversed(ranks))]
    if max(contents.count(1), contents.count(5)) > 1 or not {1, 5} & set(contents):
        raise wrong("board", "not a King each")
    if len(hands) != 4 or not set(hands) <= set("01234"):
        raise wrong("hands", "not four numbers up to 4")
    state.board[:] = contents
    state.hand.ravel()[:] = list(map(int, hands))
    state.mover = read_mover(mover)
    state.turn_count = read_number("turns", turns)


TEXTS = Texts(write, read)
