"""Rules, "Laps", and bearing off."""

import random
from collections import Counter

from pasgl_env import Position, variants
from pasgl_env.games.pachessi.rules.state import goes_one_way

from ...rows import rows
from .positions import COLOURS, Seat, fields, place, point

# Pieces of the two-player game, from beside their starting squares (R a7, E b7, H c7, S d7).
LAPS = [
    # On the way round.
    ("Ra7", "a6", "Ra6"),
    ("Ra7:1", "a6", "Ra6:1"),
    ("Hc7", "b5", "Hb5"),
    ("Hc7:1", "a6", "Ha6:1"),
    ("Hc1", "e2", "He2"),
    ("Hg4", "f6", "Hf6"),
    ("Eg7", "d7", "Ed7"),
    # To the starting square.
    ("Rb7", "a7", "Ra7:1"),
    ("Ec7", "b7", "Eb7:1"),
    ("Ee7:2", "b7", "Eb7:3"),
    ("He6", "c7", "Hc7:1"),
    ("Hd7:1", "b6", "Hb6:2"),
    # Past it.
    ("Rb7", "a6", "Ra6:1"),
    ("Ec7", "a7", "Ea7:1"),
    ("Ed6", "a6", "Ea6:1"),
    ("Ed6", "b6", "Eb6:1"),
    ("Ed6", "c6", "Ec6"),
    ("Hd7", "b6", "Hb6:1"),
    ("He6:1", "c7", "Hc7:2"),
    # To the line from the centre through it, and on from there.
    ("Rb7", "b6", "Rb6:1"),
    ("Rc7", "b6", "Rb6:1"),
    ("Rb6:1", "a6", "Ra6:1"),
    ("Rb6:1", "b5", "Rb5:1"),
    # Clockwise to that line, and beyond it.
    ("Ra6:1", "b6", "Rb6:1"),
    ("Ra6", "b6", "Rb6"),
    ("Ea6", "b6", "Eb6"),
    ("Ea6", "c6", "Ec6:-1"),
    ("Ea6", "d6", "Ed6:-1"),
    ("Ea6:1", "c6", "Ec6"),
    ("Ea6:2", "d6", "Ed6:1"),
    ("Ec6:-1", "b6", "Eb6"),
    ("Ec6:-1", "a6", "Ea6"),
    ("Ec6:-1", "c7", "Ec7:-1"),
    ("Ec7:-1", "b7", "Eb7"),
    # Clockwise elsewhere.
    ("Ef7", "f5", "Ef5"),
    ("Eg2:1", "d2", "Ed2:1"),
    ("Rb1", "b2", "Rb2"),
]


@rows(("piece", "end", "after"), LAPS)
def test_laps(seat, piece, end, after):
    name = piece.partition(":")[0]
    assert seat.after(piece, f"6:{name}-{end}", dice="6") == after


@rows(
    ("piece", "end", "after"),
    [
        ("Sd7", "a4", "Sa4"),
        ("Se6", "d7", "Sd7:1"),
        ("Se7", "d6", "Sd6:1"),
        ("Sd6:1", "c7", "Sc7:1"),
        ("Sf6", "e7", "Se7"),
        ("Sd1", "g4", "Sg4"),
    ],
)
def test_laps_of_the_ship(seat_of_two, piece, end, after):
    name = piece.partition(":")[0]
    assert seat_of_two.after(piece, f"6:{name}-{end}", dice="6") == after


@rows("colour", COLOURS[4])
@rows(
    ("piece", "end", "after"),
    [
        ("Ra11", "a9", "Ra9"),
        ("Rc11", "a11", "Ra11:1"),
        ("Rc11", "b10", "Rb10:1"),
        ("Rd10", "c9", "Rc9:1"),
        ("Rc10", "a10", "Ra10:1"),
        ("Ra10", "b10", "Rb10"),
        ("Ra10", "c10", "Rc10:-1"),
        ("Rb9:1", "d9", "Rd9"),
        ("Rc10:-1", "c11", "Rc11:-1"),
        ("Rc11:-1", "a11", "Ra11"),
        ("Eb11", "b6", "Eb6"),
        ("Eg11", "b11", "Eb11:1"),
        ("Ef11", "a11", "Ea11:1"),
        ("Eb9", "c9", "Ec9"),
        ("Eb9", "d9", "Ed9:-1"),
        ("Ea10", "c10", "Ec10:-1"),
        ("Ea10", "b10", "Eb10"),
        ("Hc11", "b8", "Hb8"),
        ("Hd11", "b10", "Hb10:1"),
        ("Hd11", "c8", "Hc8:1"),
        ("He9", "b10", "Hb10:1"),
        ("Hf10", "c11", "Hc11:1"),
        ("Ha10", "d9", "Hd9"),
        ("Ha10", "c9", "Hc9"),
        ("Sf9", "d11", "Sd11:1"),
        ("Sf11", "d9", "Sd9:1"),
        ("Sd9:1", "a6", "Sa6:1"),
        ("Sk4", "i6", "Si6"),
    ],
)
def test_laps_on_the_grand_board(colour, piece, end, after):
    name = piece.partition(":")[0]
    seat = Seat(4, colour, "grand_pachessi")
    assert seat.after(piece, f"6:{name}-{end}", dice="6") == after


@rows(
    ("piece", "end", "after"),
    [("Hd5", "c2", "Hc2:1"), ("Hc2", "d5", "Hd5"), ("He3", "b4", "Hb4:1")],
)
def test_ruling_8_half_a_circle_over_a_hole_of_two_is_counterclockwise(seat, piece, end, after):
    """Ruling 8. The Horse starts on c6; over the hole it passes c6 from d5, but not from c2."""
    small = Seat(seat.players, seat.colours[seat.index], size=6, hole=2, grand=True)
    assert small.after(piece, f"6:{piece}-{end}", dice="6") == after


def test_lap_is_lost_by_going_clockwise_from_the_line_itself(seat):
    """The Horse starts on c13; e10 lies on the line from the centre, g7, through it."""
    large = Seat(seat.players, seat.colours[seat.index], size=13, hole=5)
    assert large.after("He10:1", "6:He10-d12", dice="6") == "Hd12"
    assert large.after("He10", "6:He10-d12", dice="6") == "Hd12:-1"


# Bearing off.


@rows(
    ("piece", "die", "off"),
    [
        ("Ra7", 4, False),
        ("Ra7:1", 4, True),
        ("Ra7:1", 5, True),
        ("Ra7:1", 6, True),
        ("Ra7:2", 4, True),
        ("Rb6:1", 4, False),
        ("Ra6:5", 4, False),
        ("Rc7:1", 4, False),
        ("Eb7", 3, False),
        ("Eb7:1", 3, True),
        ("Eb7:9", 6, True),
        ("Ea7:1", 3, False),
        ("Hc7", 2, False),
        ("Hc7:1", 2, True),
        ("Hb6:2", 2, False),
        ("Ha3:1", 2, False),
        ("He1:1", 2, False),
    ],
)
def test_piece_on_its_own_starting_square_may_be_born_off_after_a_lap(seat, piece, die, off):
    """Ruling 5."""
    words = f"{piece} " + " ".join(letter + "@" for letter in "REH" if letter != piece[0])
    if piece[0] != "R":
        words = words.replace("R@", "Rg4")
    legal = seat.legal(words, dice=str(die)).split()
    assert [label for label in legal if "off" in label] == off * [f"{die}:{piece[:3]}-off"]


def test_ship_is_born_off(seat_of_two):
    assert seat_of_two.legal("Ra4 Sd7:1", dice="1") == "1:Sd7-b5 1:Sd7-c6 1:Sd7-off"


def test_piece_born_off_is_gone(seat):
    assert seat.after("Ra7 Hc7:1", "2:Hc7-off", dice="2") == "Ra7"
    assert seat.then("Ra7 Hc7:1", "2:Hc7-off", dice="2") == "foe - i 1"
    text = fields(seat.position("Ra7 Hc7:1", "2:Hc7-off", dice="2")).pieces
    assert "H*" in text.split("/")[seat.index]


def test_player_need_not_bear_off_and_may_go_round_again(seat):
    assert seat.legal("Ra7 Hc7:1", dice="2") == "2:Hc7-a6 2:Hc7-b5 2:Hc7-off"
    assert seat.after("Ra7 Hc7:1", "2:Hc7-b5", dice="2") == "Ra7 Hb5:1"
    assert seat.legal("Ra7 Hb5:1", dice="2") == "2:Hb5-a3"


def test_returning_takes_a_die_and_bearing_off_another(seat):
    assert seat.legal("Rg4 He6", "2:He6-c7", dice="2,2").split()[-1] == "2:Hc7-off"
    assert seat.legal("Rg4 Hd7", "2:Hd7-b6", dice="2,2") == "2:Hb6-a4"


@rows("laps", [0, 1, 7])
def test_piece_that_was_taken_must_go_round_again(laps):
    text = place("Rg7 Hb3", f"Ra4 Hc1:{laps}", dice="2")
    position = Position.from_text("pachessi", text)
    for label in ("2:Hb3-c1", "roll 6", "6:Rg7-f7", "roll 2 2", "2:H@-e1"):
        position.play(label)
    assert fields(position).pieces.split("/")[1] == "Ra4:0,E*,He1:0,S*"
    assert position.legal_moves() == ["2:He1-f3", "2:He1-g2"]


# Random games: laps are the crossings of the ray from the centre through the starting square.


def pieces_of(position):
    """What is said of each piece, by player and letter."""
    players = fields(position).pieces.split("/")
    return {
        (player, piece[0]): piece[1:].partition(":")[::2]
        for player, text in enumerate(players)
        for piece in text.split(",")
    }


def crossing(ray, start, end):
    """+1 or -1 if the way from start to end crosses the ray counterclockwise or clockwise.

    A point of the ray counts as past it. All are seen from the centre.
    """
    side, end_side = (ray[0] * y - ray[1] * x for x, y in (start, end))
    if (side < 0) == (end_side < 0):
        return 0
    # Where the way meets the line through the ray, times a positive number.
    meeting = [abs(end_side) * a + abs(side) * b for a, b in zip(start, end, strict=True)]
    if ray[0] * meeting[0] + ray[1] * meeting[1] <= 0:
        return 0
    return 1 if side < 0 else -1


def random_game(position, size, seed, actions):
    """Play at random; yields each piece's laps as the text has them and as crossings."""
    chance = random.Random(seed)

    def seen(name):
        return tuple(2 * a - size + 1 for a in point(name))

    pieces = pieces_of(position)
    rays = {key: seen(where) for key, (where, _) in pieces.items()}
    crossings = dict.fromkeys(pieces, 0)
    for _ in range(actions):
        legal = position.legal_moves()
        if not legal:
            return
        position.play(chance.choice(legal))
        before, pieces = pieces, pieces_of(position)
        for key, (where, laps) in pieces.items():
            was = before[key][0]
            if where in "@*":
                continue
            if was == "@":
                crossings[key] = 0
            elif was != where:
                crossings[key] += crossing(rays[key], seen(was), seen(where))
            yield laps, crossings[key]


@rows(
    ("variant", "options", "size"),
    [
        ("pachessi", {"players": 2}, 7),
        ("pachessi", {"players": 4}, 7),
        ("grand_pachessi", {"players": 2}, 11),
        ("grand_pachessi", {"players": 4}, 11),
        ("pachessi", {"players": 4, "size": 8, "hole": 4, "grand": True}, 8),
        ("pachessi", {"players": 2, "size": 5, "hole": 1, "grand": True}, 5),
    ],
)
def test_laps_are_the_crossings_of_the_ray_through_the_starting_square(variant, options, size):
    counts: Counter[int] = Counter()
    for seed in range(4):
        for laps, crossings in random_game(Position(variant, **options), size, seed, 400):
            assert laps == str(crossings)
            counts[crossings] += 1
    assert min(counts[0], counts[1]) > 50


def least_gain(letter, **options):
    """The smallest change of laps on any way of a lone piece; None if ways may lose ever more."""
    start = Position("pachessi", **options)
    files = "abcdefghijk"[: start.options["size"]]
    arcs, others = [], {each: f"{each}*" for each in "REHS"}
    for name in (f"{file}{rank + 1}" for file in files for rank in range(len(files))):
        pieces = ",".join({**others, letter: f"{letter}{name}:0"}.values())
        try:
            position = start.from_text("pachessi", f"{pieces}/R@,E*,H*,S* black 6 i 1", **options)
        except ValueError:  # the hole
            continue
        for action in position.legal_actions():
            after = position.copy().play_action(action).text.split("/")[0]
            where, _, laps = after.split(",")["REHS".index(letter)][1:].partition(":")
            if laps:
                arcs.append((name, where, int(laps)))
    least = dict.fromkeys((arc[0] for arc in arcs), 0)
    for _ in range(len(least) + 1):
        before = dict(least)
        for origin, target, gain in arcs:
            least[target] = min(least.get(target, 0), least[origin] + gain)
        if least == before:
            return min(least.values())
    return None


@rows(
    ("letter", "options", "gain"),
    [
        ("R", {}, 0),
        ("E", {}, -1),
        ("H", {}, 0),
        ("S", {}, 0),
        ("R", {"raja_range": 4}, -1),
        ("E", {"elephant_range": 4}, -1),
        ("H", {"grand": True}, 0),
        ("E", {"size": 5, "hole": 1}, -1),
        ("E", {"size": 11, "hole": 5, "elephant_range": 6}, -1),
        ("E", {"elephant_range": 5}, None),
        ("H", {"hole": 1, "grand": True}, None),
    ],
)
def test_laps_are_forgotten_only_where_at_most_one_can_be_lost(letter, options, gain):
    ruleset = variants.ruleset("pachessi", **options)
    assert least_gain(letter, **options) == gain
    assert goes_one_way(ruleset.record[0]) == (gain is not None)
