"""Rules, "What happens": what makes a Skunk spray, and whom it sprays."""

from pasgl_env import Position

from ...rows import rows
from .positions import listed, place

# One White critter on each square next to d5, and one on it.
RING = "Tc4 Hc5 Fc6 Dd4 Pd6 Me4 Te5 Pe6 Pd5"
SPRAYED = "*-Dd4 *-Fc6 *-Hc5 *Me4 *Pd5 *Pd6 *Pe6 *Tc4 *Te5"


@rows("skunk", ["s", "-s"])
def test_spray_reaches_every_enemy_on_the_square_and_next_to_it(side, skunk):
    assert side.after(f"Wg2 {skunk}d5 {RING}", "Wg2^d5") == f"{SPRAYED} -sd5 Wg2"


def test_spray_reaches_no_further(side):
    further = "Db3 Fb7 Hd3 Pb5 Pf4 Pf6 Td7 Tf5"
    assert side.after(f"Wg2 sd5 {further}", "Wg2^d5") == "-sd5 Db3 Fb7 Hd3 Pb5 Pf4 Pf6 Td7 Tf5 Wg2"


def test_spray_spares_the_friends_of_the_skunk(side):
    friends = "de5 fd6 hc5 md5 pc4 te4 wd4"
    assert side.after(f"Wg2 sd5 {friends}", "Wg2^d5") == f"-sd5 Wg2 {friends}"


def test_spray_spares_skunks(side):
    assert side.after("Wg2 sd5 Sd6", "Wg2^d5") == "-sd5 Sd6 Wg2"
    assert side.after("Wg2 sd5 Sd5", "Wg2^d5") == "-sd5 Sd5 Wg2"


def test_spray_reaches_the_bear(side):
    assert side.after("Wg2 sd5 Bd4", "Wg2^d5") == "*-Bd4 -sd5 Wg2"


def test_spray_reaches_who_is_lunchless_or_stinky_already(side):
    # The Hunter on b5 threatens the Turkey, so White may chuck in spite of its stink.
    after = side.after("Wg2 sd5 -He5 *-Dd6 *Tc5 hb5", "Wg2^d5")
    assert after == "*-Dd6 *-He5 *Tc5 -sd5 Wg2 hb5"


@rows(
    ("critters", "labels", "after"),
    [
        ("Fb5 -sd5 Te5", ["Fb5d5"], "*Te5"),
        ("Hd2 sd5 Te5", ["Hd2:d5"], "*Te5 Hd2"),
        ("Hd2 -sd5 Te5", ["Hd2:d5"], "*Te5 Hd2"),
        ("Df4 sd5 Te5", ["Df4d5"], "*-Dd5 *Te5 -sd5"),
        ("Fb5 sd5 Te5", ["Fb5d5"], "*-Fd5 *Te5 -sd5"),
        ("Wg2 sd5 Te5", ["Wg2^d5"], "*Te5 -sd5 Wg2"),
        ("Wg2 -sd5 Te5", ["Wg2^d5"], "*Te5 -sd5 Wg2"),
    ],
)
def test_what_makes_a_skunk_spray(side, critters, labels, after):
    assert side.after(critters, *labels) == after


@rows("skunk", ["S", "s", "-S"])
def test_skunk_that_is_run_over_sprays(skunk):
    enemy = "h" if skunk[-1] == "S" else "H"
    text = place(f"{skunk}e4 {enemy}d5", phase=4, mover="b")
    position = Position.from_text("pasgl312", text).play("be8e7")
    assert f"*-{enemy}d5" in listed(position)


@rows(
    ("critters", "labels", "after"),
    [
        ("Bd3 se3 Te4", ["Bd3e3", "sd4"], "Be3 Te4 sd4"),
        ("Dd3 -se5 Te4 He5", ["Dd3e5"], "De5 He5 Te4 -se5"),
        ("Td3 se3 He4", ["Td3e3"], "He4 Te3 se3"),
        ("Se4 He5 te3 hd3", ["Se4e3"], "He5 Se3 hd3 te3"),
    ],
)
def test_what_makes_no_skunk_spray(side, critters, labels, after):
    assert side.after(critters, *labels) == " ".join(sorted(after.split()))


def test_attacker_on_the_square_of_the_skunk_is_sprayed(side):
    assert side.after("Df1 se3", "Df1e3") == "*-De3 -se3"


def test_attacker_out_of_reach_is_not_sprayed(side):
    assert side.after("Hd4 sd6", "Hd4:d6") == "Hd4"


def test_skunk_enters_occupied_squares_and_harms_nobody(side):
    crowd = "he3 me3 pe3 te3 -we3"
    assert side.after(f"Se1 Bd1 {crowd}", "Se1e3") == f"-we3 Bd1 Se3 {crowd.replace(' -we3', '')}"
