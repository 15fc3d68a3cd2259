"""The pieces of Captain Spalding Chess, for people."""

from __future__ import annotations

from pasgl_env.contract.base import OptionsRecord
from pasgl_env.contract.fields import put_on_board
from pasgl_env.contract.parts import Piece
from pasgl_env.engine.position import Position
from pasgl_env.games.spalding.names import KIND_NAMES
from pasgl_env.games.spalding.options import box_moves, finders
from pasgl_env.games.spalding.rules.legal import FINDS_OF, FOUND
from pasgl_env.games.spalding.rules.state import (
    BAT,
    BOOH,
    BOX,
    BUNNY,
    CRUMB,
    DEMON,
    ELEPHANT,
    GREAT,
    GREAT_ELEPHANT,
    HEADLESS,
    LETTERS,
    LINT,
    MONSTER,
    PAJAMA,
    RHINO,
)
from pasgl_env.render.svg.silhouette import SEATS

_SYMBOLS = {
    **dict(
        zip(
            (
                *(BOX, PAJAMA, GREAT, RHINO, HEADLESS, BAT, BOOH),
                *(CRUMB, MONSTER, ELEPHANT, GREAT_ELEPHANT),
            ),
            "XPJRHVWCMLE",
            strict=True,
        )
    ),
    LINT: "N",
    BUNNY: "B",
    DEMON: "D",
}
# In braces what depends on options.
_MOVES = {
    BOX: "{opens}. The player who loses the Box loses the game.",
    PAJAMA: "{opens}.",
    GREAT: "{opens}.",
    RHINO: "One step along a rank or file, or such a step to an empty square and then one"
    " diagonally. Captures both ways.",
    HEADLESS: "Moves like the Rhino, but captures only with a single step along a rank or file.",
    BAT: "One step straight forward, capturing too. On its last rank it turns into a Booh.",
    BOOH: "Any distance up or down its file, without capturing; captures one step along a rank or"
    " file.",
    CRUMB: "Does not move. A Crumb put on a Crumb of the same side makes a Cookie Monster.",
    MONSTER: "Does not move. Eats any piece that ends its move beside it, and vanishes with it.",
    ELEPHANT: "One step diagonally or straight forward, capturing too. One at a time.",
    GREAT_ELEPHANT: "One step or leap of two, diagonally or straight forward, capturing too.",
    LINT: "Neutral. Does not move; both players may capture it. Lint put on Lint makes a Dust"
    " Bunny.",
    BUNNY: "Neutral: either player may move it, one step diagonally or straight forward. It never"
    " captures and is never captured.",
    DEMON: "Neutral: either player may move it, like the Great Pajama. It captures one step"
    " diagonally or straight forward, but no pieces of the player who moves it.",
}
_STEPS = {
    PAJAMA: "One step diagonally or straight forward",
    GREAT: "One step or leap of two, diagonally or straight forward",
}
_BOX_STEPS = {"K": "in any direction", "W": "along a rank or file", "F": "diagonally"}
_FINDS = {
    ELEPHANT: "an Elephant",
    LINT: "Lint",
    GREAT_ELEPHANT: "a Great Elephant",
    BUNNY: "a Dust Bunny",
}
_BOTH = (0, 1)

SHORT_TEXTS = ("{} w RHErhe 0",)

BOARD_SIGNS = {
    ".find:not([opacity])": "What can still come out of a container.",
    ".find[opacity]": "What is not inside any more, or not yet again.",
}

_CONTAINERS = "XPJ"


def pieces(options: OptionsRecord) -> list[Piece]:
    """All pieces, because positions may hold those that options leave out."""
    return [
        Piece(
            _SYMBOLS[kind],
            KIND_NAMES[kind],
            _told(kind, options, _BOTH),
            (_SYMBOLS[kind].lower(),) if _SYMBOLS[kind] in LETTERS else (),
        )
        for kind in _MOVES
    ]


def describe(position: Position, square: str) -> list[str]:
    """The piece on a square, and whether a Cookie Monster is beside it."""
    board = _board(position)
    lines = [_about(position, board[square])] if board.get(square) else []
    if any(board.get(near, "").upper() == "M" for near in _beside(square)):
        lines.append("Beside a Cookie Monster: a piece that ends its move here is eaten.")
    return lines


def why_not(position: Position, origin: str, target: str | None) -> str:
    """The rule that forbids the move."""
    board = _board(position)
    here, mover = board.get(origin, ""), position.to_move or 0
    if not here:
        return f"Nothing stands on {origin}."
    owner = _owner(here)
    if owner not in (None, mover):
        return f"The {_name(here)} on {origin} is {SEATS[1 - mover]}'s."
    there = board.get(target or "", "")
    if target is not None and there:
        if _owner(there) == mover:
            return "Players do not capture their own pieces."
        if there == "B":
            return "A Dust Bunny is never captured."
        if here.upper() in _CONTAINERS or here == "B":
            return f"The {_name(here)} moves without capturing."
    if here.upper() in _CONTAINERS and target is not None:
        if any(board.get(near, "").upper() == "M" for near in _beside(target)):
            return "A container may not end its move beside a Cookie Monster: it would be eaten."
        if _reaches_alone(position, origin, target, here):
            return "Nothing can come out there, or the position would repeat."
    if target is not None and _reaches_alone(position, origin, target, here):
        return "Something is in the way, or the position would repeat."
    if target is None:
        return f"The {_name(here)} on {origin} cannot move now. {_move_of(position, here)}"
    return _about(position, here)


def _board(position: Position) -> dict[str, str]:
    """The pieces by square, in the middle of a turn too."""
    letters = f".{LETTERS}{LETTERS.lower()}NBD"
    state = position.state[0]
    return {
        f"{'abcdefgh'[square % 8]}{square // 8 + 1}": letters[content].strip(".")
        for square, content in enumerate(state.board[:64].tolist())
    }


def _owner(letter: str) -> int | None:
    """The player of a piece; None for neutral pieces."""
    return None if letter in "NBD" else int(letter.islower())


def _kind(letter: str) -> int:
    of_nobody = {"N": LINT, "B": BUNNY, "D": DEMON}
    if letter in of_nobody:
        return int(of_nobody[letter])
    return int(next(kind for kind, own in _SYMBOLS.items() if own == letter.upper()))


def _name(letter: str) -> str:
    owner = _owner(letter)
    return f"{'' if owner is None else SEATS[owner] + ' '}{KIND_NAMES[_kind(letter)]}"


def _about(position: Position, letter: str) -> str:
    return f"{_name(letter)}: {_move_of(position, letter)}"


def _move_of(position: Position, letter: str) -> str:
    owner = _owner(letter)
    players = _BOTH if owner is None else (owner,)
    return _told(_kind(letter), position.options_record[0], players)


def _told(kind: int, options: OptionsRecord, players: tuple[int, ...]) -> str:
    """A sentence on the moves of these players' pieces of a kind."""
    if kind not in (BOX, PAJAMA, GREAT):
        return _MOVES[kind]
    found = _found(kind, options, players)
    step = _STEPS.get(kind) or _box_step(options, players)
    opens = f"{step}, without capturing; then {found} comes out beside it"
    return _MOVES[kind].format(opens=opens if found else "Does not move, for nothing can come out")


def _box_step(options: OptionsRecord, players: tuple[int, ...]) -> str:
    steps = [_BOX_STEPS[box_moves(options)[player]] for player in players]
    if len(set(steps)) == 1:
        return f"One step {steps[0]}"
    return f"One step, {steps[0]} for White and {steps[1]} for Black"


def _found(kind: int, options: OptionsRecord, players: tuple[int, ...]) -> str:
    """The pieces that these players may find in a container; empty for none."""
    names = []
    for find in range(*FINDS_OF[kind].tolist()):
        who = [player for player in finders(options, find) if player in players]
        if who and kind == BOX:
            return "a new piece"
        if who:
            only = f" ({SEATS[who[0]]} only)" if len(who) < len(players) else ""
            names.append(_FINDS[int(FOUND[find])] + only)
    return " or ".join(names)


def _beside(square: str) -> list[str]:
    file, rank = "abcdefgh".index(square[0]), int(square[1])
    return [
        f"{'abcdefgh'[x]}{y}"
        for x in range(max(0, file - 1), min(8, file + 2))
        for y in range(max(1, rank - 1), min(8, rank + 1) + 1)
        if (x, y) != (file, rank)
    ]


def _reaches_alone(position: Position, origin: str, target: str, piece: str) -> bool:
    """Whether a piece could go there on a nearly empty board."""
    board = put_on_board("8/8/8/8/8/8/8/8", origin, piece)
    free = [corner for corner in ("a1", "h8", "a8", "h1") if corner not in (origin, target)]
    for box in "Xx":
        if piece != box:
            board = put_on_board(board, free.pop(), box)
    text = f"{board} {'wb'[position.to_move or 0]} - 0"
    try:
        alone = Position.from_text("spalding", text, **position.options)
    except ValueError:
        return False
    return any(move[1:3] == origin and move.endswith(target) for move in alone.legal_moves())
