"""Rules, "Stink compels": who must move a stinky critter, and the three exceptions."""

from pasgl_env import Position

from ...rows import rows
from .positions import place


def compelled(side, critters, **rest):
    """Whether only stinky critters may move; there is a stinky Turkey, which can."""
    legal = side.legal(f"*Th1 {critters}", **rest).split()
    assert any(label.startswith("*Th1") for label in legal)
    return all(label.startswith("*") for label in legal)


def test_stinky_critter_must_move(side):
    assert side.legal("*Th1 Ta1 Hd4") == "*Th1e1 *Th1f1 *Th1g1 *Th1h2 *Th1h3 *Th1h4"


def test_any_stinky_critter_will_do(side):
    movers = {label[:4] for label in side.legal("*Th1 *Mb2 Ta5 *-He4").split()}
    assert movers == {"*Th1", "*Mb2", "*-He"}


def test_stink_of_the_enemy_compels_nobody(side):
    assert any(label.startswith("Ta1") for label in side.legal("Ta1 *th8 *-hd8").split())


def test_no_stink_no_compulsion(side):
    assert any(label.startswith("-Ha1") for label in side.legal("-Ha1 Th1").split())


@rows(
    ("critters", "stinky"),
    [
        ("*Th1 He4 te6", "*Th1"),
        ("*Th1 We4 hg6", "*Th1"),
        ("*He4 td4 te6", "*He4"),
        ("*We4 hg6", "*We4"),
        ("*Th1 *He4 te6", "*"),
    ],
)
def test_compelled_mover_neither_shoots_nor_chucks(side, critters, stinky):
    legal = side.legal(critters).split()
    assert all(label.startswith(stinky) for label in legal)
    assert not any(":" in label or "^" in label for label in legal)


def test_compelled_mover_whose_stinky_critters_cannot_move_may_do_anything(side):
    walled_in = "*-Hd4 Pc4 Pd3 Pe4 Pd5"
    legal = side.legal(f"{walled_in} We6 hg8 Ta1").split()
    assert {"We6^g8", "Ta1a2", "Be1e2", "Pd5c6"} <= set(legal)
    assert not any(label.startswith("*") for label in legal)


def test_one_stinky_critter_that_can_move_is_enough_to_compel(side):
    legal = side.legal("*-Hd4 Pc4 Pd3 Pe4 Pd5 *Mb2").split()
    assert {label[:4] for label in legal} == {"*Mb2"}


def test_stuck_stinky_critter_and_nothing_else_to_do_is_a_pass(side):
    assert side.legal("*-Ba1 ta2 tb1 sb2") == "pass"


def test_moving_takes_the_stink_away_for_good(side):
    assert side.after("*Th1 *Ta1", "*Th1h2") == "*Ta1 Th2"


def test_stinky_bear_that_must_move_displaces_as_ever(side):
    assert side.after("*Bd3 te3 Ta1", "*Bd3e3", "te2") == "Be3 Ta1 te2"


# (a) The enemy Fox could devour.


@rows(
    "critters",
    [
        "fd6 Tc5",
        "fd6 -Wc5",
        "fd6 -Sc5",
        "fd6 *Tc5",
        "fd5 Td6",  # its step back
        "fd6 Ta5",  # its third step
        "fd6 Wc5 Tc5",  # it would have the choice
        "~fz5 Ta6",
        "*ta8 fd6 Tc5",  # its own side's compulsion is left aside
        "*fd6 Tc5",
    ],
)
def test_fox_that_could_devour_excuses(side, critters):
    assert not compelled(side, critters)


@rows(
    "critters",
    [
        "-fd6 Tc5",  # without lunch
        "fd6 Wc5",  # a theft is no threat
        "fd6 Sc5",
        "fd6 -Hc5 -Dc5",
        "fd6 Mc5 Pe5",
        "fd6 Td5",  # out of its reach
        "fd5 Td4",  # no step forward
        "fd6 pc5 pc7 Ta5",  # both ways to b6 shut: a5 out of reach
        "fa6 Tz5",
        "fz5 Ta6",  # boarding
        "Fd6 Tc5",
        "td6 Tc5",
        "fd6 Td6",  # already there
    ],
)
def test_fox_that_could_not_devour_excuses_nobody(side, critters):
    assert compelled(side, critters)


@rows(("phase", "excused"), [(6, False), (4, True)])
def test_fox_could_not_devour_past_the_train(side, phase, excused):
    assert compelled(side, "fe3 pd2 Tc3", phase=phase) is not excused


# (b) The enemy Hunter could shoot.


@rows(
    "critters",
    ["hd6 Td5", "hd6 Td3", "hd6 Wa6", "hd6 -Wd5", "hd6 Pd5 Dd5", "*hd6 Td5", "*ta8 hd6 Td5"],
)
def test_hunter_that_could_shoot_excuses(side, critters):
    assert not compelled(side, critters)


def test_hunter_that_could_shoot_the_bear_excuses(side):
    assert not compelled(side, "Bd4 hd6")


@rows(
    "critters",
    [
        "-hd6 Td5",
        "hd6 Md5 Pd4",
        "hd6 Td2",  # four squares away
        "hd6 pd5 Td4",
        "hd6 Md5 Td4",
        "hd6 Tc5",
        "~hz4 Ta4",
        "hz4 Ta4",
        "ha5 Tz5",
        "hd6 Td6",
        "Hd6 Td5",
    ],
)
def test_hunter_that_could_not_shoot_excuses_nobody(side, critters):
    assert compelled(side, critters)


@rows(("phase", "excused"), [(4, False), (6, True)])
def test_hunter_could_not_shoot_past_the_train(side, phase, excused):
    assert compelled(side, "hf6 Tf3", phase=phase) is not excused


@rows("critters", ["f@head Tc5 -Wf5", "f@tail Tc5 -Wf5", "h@head Td6 We6"])
def test_rider_threatens_nobody(side, critters):
    assert compelled(side, critters, phase=6)


# (c) The Train comes next.


def must_move_the_turkey(critters, phase, mover):
    stinky = {"w": "*Th1", "b": "*th8"}[mover]
    position = Position.from_text(
        "pasgl312", place(f"{stinky} {critters}", phase=phase, mover=mover)
    )
    return all(label.startswith(stinky) for label in position.legal_moves())


@rows(("phase", "square"), [(1, "h4"), (3, "f4"), (8, "a4"), (11, "a5"), (15, "e5"), (18, "h5")])
@rows("mover", ["w", "b"])
def test_train_coming_for_a_critter_excuses(mover, phase, square):
    for symbol in "TPM":
        own = symbol if mover == "w" else symbol.lower()
        assert not must_move_the_turkey(own + square, phase, mover)
        assert must_move_the_turkey(own.swapcase() + square, phase, mover), "an enemy"


@rows(
    ("phase", "square"),
    [(3, "e4"), (3, "f5"), (4, "d4"), (9, "z4"), (10, "z5"), (19, "x5"), (20, "x4"), (9, "a5")],
)
@rows("mover", ["w", "b"])
def test_train_coming_elsewhere_or_into_a_terminal_excuses_nobody(mover, phase, square):
    assert must_move_the_turkey(("M" if mover == "w" else "m") + square, phase, mover)


def test_stinky_critter_itself_before_the_train_excuses():
    position = Position.from_text("pasgl312", place("*Tf4 Ta1", phase=3))
    assert "Ta1a2" in position.legal_moves()


def test_riders_over_the_next_square_excuse_nobody():
    assert must_move_the_turkey("T@head", 3, "w")
