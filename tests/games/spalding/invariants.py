"""What holds in every game of Captain Spalding Chess."""

from __future__ import annotations

from collections import Counter

from pasgl_env import Position
from pasgl_env.games.spalding.position_text import CONTENT_LETTERS

from .positions import FILES, ONCE_A_GAME, fields

ONE_EACH = "XPJRHLExpjrhle"


def standing(position: Position) -> dict[str, str]:
    """The letter on each occupied square, in the middle of a turn too."""
    board = position.state[0].board[:64].tolist()
    names = [file + rank for rank in "12345678" for file in FILES]
    pairs = zip(names, board, strict=True)
    return {name: CONTENT_LETTERS[content] for name, content in pairs if content}


def on_board(position: Position) -> Counter[str]:
    return Counter(standing(position).values())


def check_state(position: Position) -> None:
    pieces = standing(position)
    counts = Counter(pieces.values())
    assert all(counts[one] <= 1 for one in ONE_EACH)
    assert not any(counts[once] for once in left(position))
    check_bats(pieces)
    if not position.in_turn:
        assert Position.from_text(position.variant, position.text).state["board"].tolist() == (
            position.state["board"].tolist()
        )
    if position.is_over:
        loser = "wb".index(fields(position).mover)
        assert position.returns == ((-1.0, 1.0) if loser == 0 else (1.0, -1.0))


def left(position: Position) -> str:
    bits = int(position.state[0].left)
    return "".join(once for bit, once in enumerate(ONCE_A_GAME) if bits >> bit & 1)


def check_bats(pieces: dict[str, str]) -> None:
    bats = [(letter, square[0]) for square, letter in pieces.items() if letter in "Vv"]
    assert len(set(bats)) == len(bats)
    assert not any(pieces.get(file + "8") == "V" or pieces.get(file + "1") == "v" for file in FILES)


def check_action(before: Position, after: Position, label: str) -> None:
    then, now = standing(before), standing(after)
    assert after.turns - before.turns == (not after.in_turn)
    assert set(left(after)) <= set(left(before))
    assert after.state[0].mover == before.state[0].mover ^ (not after.in_turn)
    if label.startswith("/"):
        assert before.in_turn
        assert now == {**then, label[2:]: now[label[2:]]}
        assert now[label[2:]].upper() == label[1]
        return
    assert not before.in_turn
    assert after.in_turn == (label[0] in "XPJ")
    gone = {square for square in then if square not in now}
    origin, target = label[1:3], label[4:6]
    assert origin in gone
    assert gone - {origin, target} == {square for square in gone if then[square] in "Mm"} - {target}
    assert (label[3] == "x") == (target in then)
    assert (target in now) == (not gone - {origin})
    assert set(now) <= {*then, target}
