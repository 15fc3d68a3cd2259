"""Rules, "Repetition", in a game that takes too long for rules that run as plain Python."""

# Crumbs that keep both Boxes at home.
CAGED = "Cg1 Cg2 Ch2 cg8 cg7 ch7"
# White's Booh goes round on its file.
ONE_BOOH = list(range(1, 8))
# Black's Boohs, on a file each, stand everywhere once, always one move from the next time.
TWO_BOOHS = [(c, d) for c in range(1, 9) for d in (range(2, 9) if c % 2 else range(8, 1, -1))]
TWO_BOOHS += [(c, 1) for c in range(8, 0, -1)]
ROUNDS = len(ONE_BOOH) * len(TWO_BOOHS)


def white_move(turn):
    before, after = (ONE_BOOH[place % len(ONE_BOOH)] for place in (turn, turn + 1))
    return f"Wa{before}-a{after}"


def black_move(turn):
    before, after = (TWO_BOOHS[place % len(TWO_BOOHS)] for place in (turn, turn + 1))
    file = 0 if before[0] != after[0] else 1
    return f"W{'cd'[file]}{before[file]}-{'cd'[file]}{after[file]}"


def test_a_position_is_remembered_for_hundreds_of_turns(side):
    """The Boohs of both sides have met everywhere: only Black's Bat makes a new position."""
    position = side.position(f"Wa1 wc1 wd2 ve7 {CAGED}")
    for turn in range(ROUNDS - 1):
        side.play(position, white_move(turn), black_move(turn))
    side.play(position, white_move(ROUNDS - 1))
    assert side.moves(position) == "Ve7-e6"
