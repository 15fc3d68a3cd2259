"""Rules, "What happens": the Bear squashes Shrews and displaces everybody else."""

from pasgl_env import Position

from ...rows import rows
from .positions import listed, place


def displaced(critters, *labels, phase=1, mover="w"):
    position = Position.from_text("pasgl312", place(critters, phase=phase, mover=mover))
    for label in labels:
        position.play(label)
    return position


@rows("shrews", ["Pe3", "pe3", "Pe3 pe3 pe3"])
def test_bear_squashes_all_shrews_and_asks_nothing(side, shrews):
    position = side.position(f"Bd3 {shrews} Pa2", "Bd3e3")
    assert position.to_move == 1 - side.index
    assert side.after(f"Bd3 {shrews} Pa2", "Bd3e3") == "Be3 Pa2"


def test_bear_squashes_shrews_and_displaces_the_others(side):
    assert side.after("Bd3 Pe3 te3 pe3 *pe3", "Bd3e3", "te2") == "Be3 te2"


def test_bear_on_an_empty_square_displaces_nobody(side):
    assert side.after("Bd3 Td3 te4", "Bd3e3") == "Be3 Td3 te4"


@rows("symbol", ["H", "D", "F", "W", "S", "T", "M", "-H"])
@rows("enemy", [False, True])
def test_bear_displaces_every_critter_but_shrews(side, symbol, enemy):
    symbol = symbol.lower() if enemy else symbol
    after = side.after(f"Bd3 {symbol}e3", "Bd3e3", f"{symbol}f4")
    assert after == " ".join(sorted(["Be3", f"{symbol}f4"]))


@rows(("bears", "move", "mover"), [("Bd3 bh8", "Bd3e3", "w"), ("Bh1 bd6", "bd6e6", "b")])
def test_displacements_are_chosen_in_stack_order(bears, move, mover):
    order = ["H", "D", "-F", "S", "T", "M", "d", "f", "w", "t", "*t", "m"]
    crowd = " ".join(symbol + move[3:] for symbol in reversed(order))
    position = displaced(f"{bears} {crowd}", move, mover=mover)
    asked = []
    while position.to_move == "wb".index(mover):
        label = position.legal_moves()[-1]
        asked.append(label[:-2])
        position.play(label)
    assert asked == order


@rows(
    ("critters", "move", "phase", "squares"),
    [
        ("Bd3 te3", "Bd3e3", 1, "d2 d3 d4 e2 e4 f2 f3 f4"),
        ("Bd3 te3 Pe4 hf4 Td2", "Bd3e3", 1, "d2 d3 d4 e2 e4 f2 f3 f4"),
        ("Bd4 te4", "Bd4e4", 1, "d3 d4 d5 e3 e5 f3 f4 f5"),
        ("Bd3 te3", "Bd3e3", 4, "d2 d3 d4 e2 e4 f2 f3 f4"),
        ("Bb4 ta4", "Bb4a4", 1, "a3 a5 b3 b4 b5 z4 z5"),
        ("Bb4 ta4", "Bb4a4", 11, "a3 a5 b3 b4 b5 z4 z5"),
        ("Bg3 th3", "Bg3h3", 1, "g2 g3 g4 h2 h4 x4"),
        ("Bb1 ta1", "Bb1a1", 1, "a2 b1 b2"),
        ("Bg1 th2", "Bg1h2", 1, "g1 g2 g3 h1 h3"),
    ],
)
def test_any_square_next_to_the_bear_will_do(side, critters, move, phase, squares):
    legal = side.legal(critters, move, phase=phase).split()
    assert legal == [f"t{square}" for square in squares.split()]


def test_displaced_critters_may_land_on_one_square_or_on_several(side):
    critters = "Bd3 he3 te3 te3"
    assert side.after(critters, "Bd3e3", "hd3", "td3", "td3") == "Be3 hd3 td3 td3"
    assert side.after(critters, "Bd3e3", "hd3", "te4", "tf2") == "Be3 hd3 te4 tf2"


@rows("symbol", ["t", "T", "m", "h", "-F"])
def test_critter_pushed_under_the_train_dies(side, symbol):
    assert side.after(f"Bd3 {symbol}e3 Ta1", "Bd3e3", f"{symbol}f4", phase=4) == "Be3 Ta1"


def test_only_the_squares_of_the_train_kill(side):
    assert side.after("Bd3 te3", "Bd3e3", "te4", phase=4) == "Be3 te4"


@rows("phase", [10, 11])
def test_terminal_square_is_safe_even_under_the_train(side, phase):
    assert side.after("Bb3 -ha3", "Bb3a3", "-hz4", phase=phase) == "Ba3 hz4"


@rows("symbol", ["s", "-s"])
def test_skunk_pushed_under_the_train_sprays_from_there(side, symbol):
    after = side.after(f"Bd3 {symbol}e3 Te5 Tf3 Md3 Hf2", "Bd3e3", f"{symbol}f4", phase=4)
    assert after == "*-Be3 *Te5 *Tf3 Hf2 Md3"


def test_friendly_skunk_pushed_under_the_train_sprays_the_enemy(side):
    after = side.after("Bd3 Se3 Tf3 he5 tg3", "Bd3e3", "Sf4", phase=4)
    assert after == "*-he5 *tg3 Be3 Tf3"


def test_all_displaced_critters_arrive_before_any_skunk_sprays():
    # The Skunk is asked for first; the Turkey, asked for later, still gets its spray.
    position = displaced("Bd3 Se3 te3", "Bd3e3", "Sf4", "te4", phase=4)
    assert listed(position) == "*te4 Be3"


def test_displaced_critters_leave_the_square_before_any_skunk_sprays():
    # Next to the dying Skunk is e3, which the Hunter left for d2, out of its reach.
    position = displaced("Bd3 He3 se3", "Bd3e3", "Hd2", "sf4", phase=4)
    assert listed(position) == "*-Be3 Hd2"


def test_those_under_the_train_die_before_any_skunk_sprays():
    position = displaced("Bd3 Se3 Te3 he3 se3", "Bd3e3", "Sf4", "Tf4", "hf4", "sf4", phase=4)
    assert listed(position) == "*-Be3"


@rows(
    ("critters", "labels", "after"),
    [
        ("Bd3 he3", ["he2"], "Be3 he2"),
        ("Bd3 se3 Td2", ["se2"], "Be3 Td2 se2"),
        ("Bd3 *te3", ["*te2"], "*te2 Be3"),
        ("Bd3 De3 he2 pe2 Pe2", ["De2"], "Be3 De2 Pe2 he2 pe2"),
        ("Bd3 Fe3 te2", ["Fe2"], "Be3 Fe2 te2"),
        ("Bd3 Fe3 he2", ["Fe2"], "Be3 Fe2 he2"),
        ("Bd3 de3 Hd2", ["dd2"], "Be3 Hd2 dd2"),
    ],
)
def test_displacing_does_no_more_than_that(side, critters, labels, after):
    assert side.after(critters, "Bd3e3", *labels) == after


def test_lunchless_bear_may_not_enter_an_occupied_square(side):
    assert side.targets("-Bd3 Pe3 pe4 Td4 *th8", "-Bd3") == "c2 c3 c4 d2 e2"


def test_others_may_enter_the_square_of_a_bear(side):
    assert side.after("Te3 Be4 be6", "Te3e4") == "Be4 Te4 be6"
    assert side.after("Te5 be6", "Te5e6") == "Te6 be6"
