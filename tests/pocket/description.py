from pasgl_env.contract import Asked, Symbol, Verb, rule, wide

from .rules import CASTLE, DROPS, JUMPS, KINDS, PROMOTIONS, ROOK, SIZE, leap
from .rules import SQUARES as COUNT

SQUARES = tuple(f"{file}{rank}" for rank in range(1, SIZE + 1) for file in "abcde")
VERBS = (
    Verb("move", "{piece}{origin}-{target}", "{name} {origin} to {target}"),
    Verb(
        "promote", "{piece}{origin}-{target}={becomes}", "{name} {origin} to {target}, now a {new}"
    ),
    Verb("jump", "{piece}{origin}-{others}-{target}", "{name} {origin} by {others} to {target}"),
    Verb("drop", "{piece}*{target}", "Drop: {name}", Asked.RESERVE),
    Verb("castle", "O-O", "Castle: {name} to {target}"),
)
MOVED, PROMOTED, JUMPED, DROPPED, CASTLED = range(len(VERBS))
_NAMES = ("King", "Rook", "Pawn", "Jumper")


def symbols(options):
    return tuple(
        Symbol(name[0].lower() if side else name[0], name, side, letter=name[0])
        for side in range(2)
        for name in _NAMES
    )


@rule
def describe(state, options, action, out):
    mover = wide(state.mover)
    if action == CASTLE:
        home = 20 * mover
        out.kind, out.piece, out.origin, out.target = CASTLED, KINDS * mover, home + 2, home + 4
        out.others[0] = home + 3
        return
    if action >= DROPS:
        out.kind = DROPPED
        out.piece = ROOK - 1 + (action - DROPS) // COUNT + KINDS * mover
        out.target = (action - DROPS) % COUNT
        return
    if action >= JUMPS:
        out.kind = JUMPED
        out.origin = (action - JUMPS) // 16
        out.others[0] = leap(wide(out.origin), (action - JUMPS) % 16 // 4)
        out.target = leap(wide(out.others[0]), (action - JUMPS) % 4)
    else:
        out.kind = PROMOTED if action >= PROMOTIONS else MOVED
        out.origin = action % PROMOTIONS // COUNT
        out.target = action % COUNT
    out.piece = state.board[out.origin] - 1
    if action >= PROMOTIONS and action < JUMPS:
        out.becomes = ROOK - 1 + KINDS * mover
