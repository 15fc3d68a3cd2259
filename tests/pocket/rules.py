import numpy as np

from pasgl_env.contract import Plane, Spaces, rule, wide

SIZE, SQUARES, KINDS = 5, 25, 4
KING, ROOK, PAWN, JUMPER = range(1, KINDS + 1)  # Black's are KINDS more
STATE = np.dtype(
    [
        ("turn_count", np.int32),
        ("board", np.int8, (SQUARES,)),
        ("hand", np.int8, (2, 2)),
        ("mover", np.uint8),
    ]
)
PLANES = (Plane(0, 8, "pieces"), Plane(8, 16, "hands, in unary"), Plane(24, 1, "own colour"))
PROMOTIONS, JUMPS = SQUARES * SQUARES, 2 * SQUARES * SQUARES
DROPS, CASTLE = JUMPS + 16 * SQUARES, JUMPS + 18 * SQUARES
START = np.array(
    [4, 0, 1, 0, 2, 3, 0, 0, 0, 3, 0, 0, 0, 0, 0, 7, 0, 0, 0, 7, 6, 0, 5, 0, 8], np.int8
)
SIDEWAYS, UPWARD = np.array([1, 1, -1, -1]), np.array([1, -1, -1, 1])


def spaces(options):
    return Spaces(players=2, actions=CASTLE + 1, observation=(25, SIZE, SIZE))


@rule
def start(state, options):
    for square in range(SQUARES):
        state.board[square] = START[square]
    state.hand[:] = 0
    state.turn_count = state.mover = 0


@rule
def side_of(content):
    """The player of a piece; -1 for none."""
    return -1 if content == 0 else (wide(content) - 1) // KINDS


@rule
def may_move(state, origin, target):
    mover, content = wide(state.mover), wide(state.board[origin])
    if side_of(content) != mover or side_of(state.board[target]) == mover:
        return False
    right, up = target % SIZE - origin % SIZE, target // SIZE - origin // SIZE
    across, far = abs(right), abs(up)
    kind, empty = content - KINDS * mover, state.board[target] == 0
    if kind == KING:
        return max(across, far) == 1
    if kind == PAWN:
        return up == 1 - 2 * mover and across == (0 if empty else 1)
    if kind == JUMPER:
        return across == far and empty and (far == 1 or (far == 2 and jumps(state, origin, target)))
    if (across > 0) == (far > 0):
        return False
    step = (target - origin) // max(across, far)
    for square in range(origin + step, target, step):
        if state.board[square] != 0:
            return False
    return True


@rule
def jumps(state, origin, target):
    """Whether an enemy stands between two squares."""
    return side_of(state.board[(origin + target) // 2]) == 1 - wide(state.mover)


@rule
def leap(square, direction):
    """Two squares on in a diagonal direction; -1 beyond the board."""
    file, rank = square % SIZE + 2 * SIDEWAYS[direction], square // SIZE + 2 * UPWARD[direction]
    return SIZE * rank + file if 0 <= file < SIZE and 0 <= rank < SIZE else -1


@rule
def may_jump_twice(state, origin, first, second):
    if side_of(state.board[origin]) != state.mover:
        return False
    between = leap(origin, first)
    if between < 0 or (wide(state.board[origin]) - 1) % KINDS + 1 != JUMPER:
        return False
    target = leap(between, second)
    if target < 0 or state.board[between] != 0 or state.board[target] != 0:
        return False
    return jumps(state, origin, between) and jumps(state, between, target)


@rule
def legal_actions(state, options, mask):
    mask[:] = 0
    if winner(state, options) >= 0:
        return 0
    mover = wide(state.mover)
    last = SQUARES - SIZE if mover == 0 else 0
    for origin in range(SQUARES):
        for target in range(SQUARES):
            if may_move(state, origin, target):
                mask[SQUARES * origin + target] = 1
                is_pawn = wide(state.board[origin]) - KINDS * mover == PAWN
                if is_pawn and last <= target < last + SIZE:
                    mask[PROMOTIONS + SQUARES * origin + target] = 1
        for way in range(16):
            if may_jump_twice(state, origin, way // 4, way % 4):
                mask[JUMPS + 16 * origin + way] = 1
        for kind in range(2):
            if state.board[origin] == 0 and state.hand[mover, kind] > 0:
                mask[DROPS + SQUARES * kind + origin] = 1
    home = 20 * mover
    if state.board[home + 2] == KING + KINDS * mover and state.board[home + 3] == 0:
        mask[CASTLE] = state.board[home + 4] == ROOK + KINDS * mover
    return wide(mask.sum())


@rule
def play(state, options, action):
    mover = wide(state.mover)
    if action == CASTLE:
        carry(state, 20 * mover + 2, 20 * mover + 4)
        state.board[20 * mover + 3] = ROOK + KINDS * mover
    elif action >= DROPS:
        kind, target = (action - DROPS) // SQUARES, (action - DROPS) % SQUARES
        state.board[target] = ROOK + kind + KINDS * mover
        state.hand[mover, kind] -= 1
    elif action >= JUMPS:
        origin, way = (action - JUMPS) // 16, (action - JUMPS) % 16
        between = leap(origin, way // 4)
        target = leap(between, way % 4)
        take(state, (origin + between) // 2)
        take(state, (between + target) // 2)
        carry(state, origin, target)
    else:
        origin, target = action % PROMOTIONS // SQUARES, action % SQUARES
        is_jumper = (wide(state.board[origin]) - 1) % KINDS + 1 == JUMPER
        if is_jumper and abs(target // SIZE - origin // SIZE) == 2:
            take(state, (origin + target) // 2)
        take(state, target)
        carry(state, origin, target)
        if action >= PROMOTIONS:
            state.board[target] = ROOK + KINDS * mover
    state.turn_count += 1
    state.mover = 1 - mover


@rule
def carry(state, origin, target):
    state.board[target] = state.board[origin]
    state.board[origin] = 0


@rule
def take(state, square):
    """Capture what stands on a square; Rooks and Pawns go to the mover's hand."""
    kind = (wide(state.board[square]) - 1) % KINDS + 1
    if state.board[square] != 0 and kind in (ROOK, PAWN):
        state.hand[state.mover, kind - ROOK] = min(
            wide(state.hand[state.mover, kind - ROOK]) + 1, 4
        )
    state.board[square] = 0


@rule
def observe(state, options, player, planes):
    planes[:, :, :] = 0
    for square in range(SQUARES):
        if state.board[square] > 0:
            planes[state.board[square] - 1, square // SIZE, square % SIZE] = 1
    for side in range(2):
        for kind in range(2):
            for number in range(state.hand[side, kind]):
                planes[8 + 8 * side + 4 * kind + number, :, :] = 1
    planes[24, :, :] = player


@rule
def to_move(state):
    return wide(state.mover)


@rule
def winner(state, options):
    """The player whose enemy has lost the King."""
    for side in range(2):
        lost = True
        for square in range(SQUARES):
            if state.board[square] == KING + KINDS * side:
                lost = False
        if lost:
            return 1 - side
    return -1


@rule
def turns(state):
    return wide(state.turn_count)
