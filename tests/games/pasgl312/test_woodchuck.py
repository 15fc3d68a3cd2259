"""Rules, "What happens": the Woodchuck chucks wood."""

from ...rows import rows

DIAGONALS = ["c3", "b2", "a1", "e5", "f6", "g7", "h8", "c5", "b6", "a7", "e3", "f2", "g1"]


@rows("square", DIAGONALS)
def test_woodchuck_chucks_exactly_two_or_three_squares_diagonally(side, square):
    far = abs(ord(square[0]) - ord("d")) in (2, 3)
    assert side.targets(f"Wd4 h{square}", "Wd4^") == (square if far else "")


@rows("square", ["d6", "d7", "b4", "a4", "e6", "f5", "d4"])
def test_woodchuck_does_not_chuck_otherwise(side, square):
    assert side.targets(f"Wd4 h{square}", "Wd4^") == ""


@rows("obstacles", ["Pe5", "te5", "Te5 pe5 Mf6"])
def test_chucked_wood_flies_over_critters(side, obstacles):
    assert side.targets(f"Wd4 hg7 {obstacles}", "Wd4^") == "g7"


def test_chucked_wood_flies_over_the_train(side):
    assert side.targets("Wh3 hf5", "Wh3^", phase=4) == "f5"
    assert side.targets("Wd2 hg5", "Wd2^", phase=5) == "g5"


@rows("victim", "hdfw")
def test_chuck_makes_an_enemy_drop_its_lunch(side, victim):
    assert side.after(f"Wd4 {victim}f6", "Wd4^f6") == f"-{victim}f6 Wd4"


def test_chuck_makes_the_bear_drop_its_lunch(side):
    assert side.after("Wd4 bf6", "Wd4^f6") == "-bf6 Wd4"


@rows("skunk", ["s", "-s"])
def test_chuck_at_a_skunk_with_or_without_lunch_makes_it_spray(side, skunk):
    after = side.after(f"Wd4 {skunk}f6 Te5 De6 Tf4", "Wd4^f6")
    assert after == "*-De6 *Te5 -sf6 Tf4 Wd4"


@rows("symbol", ["t", "m", "p", "-h", "-d", "-f", "-w", "H", "D", "F", "S", "-S", "T"])
def test_woodchuck_chucks_at_nobody_else(side, symbol):
    assert side.targets(f"Wd4 {symbol}f6", "Wd4^") == ""


def test_woodchuck_chucks_at_no_lunchless_bear(side):
    assert side.targets("Wd4 -bf6", "Wd4^") == ""


@rows(
    ("crowd", "choice", "after"),
    [
        ("hf6 df6 tf6", "h", "-hf6 Wd4 df6 tf6"),
        ("hf6 df6 tf6", "d", "-df6 Wd4 hf6 tf6"),
        ("-sf6 df6 -hf6", "-s", "-hf6 -sf6 Wd4 df6"),
        ("sf6 df6 Tf6", "s", "*Tf6 -sf6 Wd4 df6"),
    ],
)
def test_chuck_hits_one_enemy_of_its_choice(side, crowd, choice, after):
    assert side.after(f"Wd4 {crowd}", "Wd4^f6", choice) == after


def test_woodchuck_needs_its_lunch(side):
    assert side.targets("-Wd4 hf6 sb2", "-Wd4^") == ""


def test_woodchuck_leaps_over_critters(side):
    assert side.targets("Wd4 Pd5 pc4 Td3 te4", "Wd4") == "b4 d2 d6 f4"


@rows(
    ("critters", "mover", "phase", "reached"),
    [
        ("Wf3", "Wf3", 4, "d3 e3 f1 f2 g3 h3"),
        ("Wf5", "Wf5", 4, "d5 e5 f6 f7 g5 h5"),
        ("Wf3", "Wf3", 6, "d3 e3 f1 f2 f4 f5 g3 h3"),
        ("~Wz4", "Wz4", 9, ""),
        ("~Wz4", "Wz4", 8, "a4"),
    ],
)
def test_leap_is_blocked_by_the_train_on_the_square_between(side, critters, mover, phase, reached):
    assert side.targets(critters, mover, phase=phase) == reached
