"""What holds in every game of Pachessi."""

from __future__ import annotations

from collections import Counter
from math import isclose

from pasgl_env import Position

from .positions import Fields, fields
from .steering import COLOURS, advance, board_of, homes_of, letters_of, squares_of

NUMBERS = {"S": "1", "H": "2", "E": "3", "R": "45"}


def sides(now: Fields) -> list[dict[str, str]]:
    """Of each player, what the text says of the pieces by letter: ``@``, ``*`` or ``a7:0``."""
    players = now.pieces.split("/")
    return [{piece[0]: piece[1:] for piece in player.split(",")} for player in players]


def on_board(position: Position) -> Counter[str]:
    found = Counter[str]()
    for seat, words in enumerate(sides(fields(position))):
        colour = position.seats[seat].lower()
        found.update(f"{colour}-{letter}" for letter, word in words.items() if word not in "@*")
    return found


def mover(now: Fields) -> int:
    """The number of the player whose turn it is; -1 if a lot is due."""
    return -1 if now.mover == "lot" else COLOURS[len(sides(now))].index(now.mover)


def check_state(position: Position) -> None:
    now, options = fields(position), position.options
    words = [word for side in sides(now) for word in side.values()]
    occupied = [word.partition(":")[0] for word in words if word not in "@*"]
    assert len(set(occupied)) == len(occupied)
    assert set(occupied) <= set(squares_of(*board_of(position.variant, options)))
    letters = letters_of(position.variant, options)
    assert all("".join(side) == letters for side in sides(now))
    finished = [set(side.values()) == {"*"} for side in sides(now)]
    assert finished == [position.is_over and seat == mover(now) for seat in range(len(finished))]
    assert ("+" in now.roll) <= (now.roll[0] == "i" and len(now.dice) == 1)
    if position.is_over:
        team = mover(now) % 2
        seats = range(len(finished))
        assert position.returns == tuple(1.0 if seat % 2 == team else -1.0 for seat in seats)
    elif position.is_chance:
        check_chance(position, now)
    else:
        check_moves(position, now)


def check_chance(position: Position, now: Fields) -> None:
    assert now.dice == "-"
    outcomes = position.legal_moves()
    assert isclose(sum(map(position.outcome_probability, outcomes)), 1)
    assert not position.action_mask.any()
    if now.mover == "lot":
        assert outcomes == sorted(COLOURS[len(sides(now))])
        return
    is_short = position.turns == 0 and position.options["first_dice"] == 1
    dice = 2 if now.roll == "i" and not is_short else 1
    assert all(outcome.count(" ") == dice for outcome in outcomes)


def check_moves(position: Position, now: Fields) -> None:
    """Each action uses a die that is left for a piece that it is for."""
    assert position.to_move == mover(now)
    own = sides(now)[mover(now)]
    moves = position.legal_moves()
    if now.roll == "c":
        assert moves == sorted(COLOURS[4][mover(now) % 2 :: 2])
        return
    if moves[-1] == "pass" and len(moves) > 1:
        is_grace = position.options["grace_move"] == "free" and now.roll == "g"
        is_off = all(move.endswith("-off") for move in moves[:-1])
        assert is_grace or (is_off and position.options["bear_off"] == "free")
    for move in moves[: len(moves) - (moves[-1] == "pass")]:
        die, _, piece = move.partition(":")
        assert die in now.dice.split(",")
        numbers = [letter for letter in own if die in NUMBERS[letter]]
        assert die == "6" or piece[0] in numbers or own[numbers[0]] == "*"
        assert own["R"] != "@" or piece.startswith("R@-")


def check_action(before: Position, after: Position, label: str) -> None:
    then, now = fields(before), fields(after)
    if then.roll == "c" or then.mover == "lot":
        assert (now.pieces, now.mover, now.dice, now.turns) == (then.pieces, label, "-", then.turns)
        assert now.roll in ("i", "c") if then.mover == "lot" else now.roll == "i"
        return
    if before.is_chance:
        assert (now.pieces, now.mover, now.roll, now.turns) == (
            then.pieces,
            then.mover,
            then.roll,
            then.turns,
        )
        assert now.dice == label.removeprefix("roll ").replace(" ", ",")
        return
    if label == "pass":
        assert now.pieces == then.pieces
        assert now.dice == "-"
        return
    die, _, move = label.partition(":")
    left = then.dice.split(",")
    left.remove(die)
    assert now.dice == (",".join(left) or "-")
    check_piece(before, after, move)
    check_others(before, after, move)


def check_piece(before: Position, after: Position, move: str) -> None:
    """The piece that moves, its laps by the angle that it has gone."""
    seat = mover(fields(before))
    was, now = (sides(fields(position))[seat][move[0]] for position in (before, after))
    start, _, end = move[1:].partition("-")
    if start == "@":
        assert (was, now) == ("@", f"{end}:0")
        return
    square, _, laps = was.partition(":")
    home = homes_of(before.options["size"], fields(before).mover)[move[0]]
    assert square == start
    if end == "off":
        assert start == home
        assert int(laps) >= 1
        assert now == "*"
        return
    gone = "0:" + f"{move[0]}{{}}-{{}}"
    behind = advance(before, gone.format(home, start)) % 6.283185307179586
    ahead = advance(before, gone.format(home, end)) % 6.283185307179586
    step = advance(before, gone.format(start, end))
    # An even board has squares opposite to each other: half round counts as counterclockwise.
    step = abs(step) if isclose(abs(step), 3.141592653589793) else step
    gained = round((behind + step - ahead) / 6.283185307179586)
    assert now == f"{end}:{int(laps) + gained}"


def check_others(before: Position, after: Position, move: str) -> None:
    """Nothing else changes but what is taken, on the square that is moved to."""
    seat, end = mover(fields(before)), move.partition("-")[2]
    pairs = zip(sides(fields(before)), sides(fields(after)), strict=True)
    for number, (was, now) in enumerate(pairs):
        for letter, word in was.items():
            if (number, letter) == (seat, move[0]):
                continue
            is_hit = word.partition(":")[0] == end
            assert now[letter] == ("@" if is_hit else word)
