"""Rules, "What happens": life without lunch, and where to get a new one."""

from ...rows import rows


@rows(
    ("mover", "home", "after"),
    [
        ("-Be2", "e1", ""),
        ("-Hd2", "d1", "Hd1"),
        ("-De3", "f1", "Df1"),
        ("-Fc2", "c1", "Fc1"),
        ("-Wg2", "g1", "Wg1"),
        ("-Sb4", "b1", "Sb1"),
        ("*-Be2", "e1", ""),
        ("*-Wg3", "g1", "Wg1"),
    ],
)
def test_arriving_home_brings_a_lunch(side, mover, home, after):
    assert side.after(mover, mover + home) == after


@rows(
    ("start", "end"),
    [
        ("Wg7", "g8"),  # the other side's home
        ("Hc2", "c1"),  # a friend's home
        ("Wd3", "d1"),
        ("Hd3", "d2"),
        ("De4", "f2"),
        ("Sb3", "b2"),
        ("Be3", "e2"),
        ("Fc3", "c2"),
    ],
)
def test_arriving_elsewhere_brings_none(side, start, end):
    assert side.after(f"-{start}", f"-{start}{end}") == f"-{start[0]}{end}"


def test_lunch_at_home_comes_on_arrival_before_any_spray(side):
    assert side.after("Bb2 De3 sf1", "De3f1") == "*-Df1 -sf1 Bb2"


def test_staying_at_home_brings_no_lunch(side):
    assert side.after("-Hd1 Mb2", "Mb2a1") == "-Hd1 Ma1"


def test_leaving_home_brings_no_lunch(side):
    assert side.after("-Hd1", "-Hd1d2") == "-Hd2"


@rows("pushed", ["-H", "*-H"])
def test_who_is_pushed_home_gets_a_lunch_but_stays_stinky(side, pushed):
    # The Fox, threatening the Turkey, lets White move the Bear in spite of the stink.
    critters = f"Be2 {pushed}d2 Ta5 fb6"
    after = side.after(critters, "Be2d2", f"{pushed}d1")
    assert f"{pushed.replace('-', '')}d1" in after.split()


def test_who_is_pushed_next_to_its_home_gets_no_lunch(side):
    assert side.after("Be2 -Hd2", "Be2d2", "-Hc1") == "-Hc1 Bd2"


def test_lunchless_critters_get_nothing_from_the_home_of_the_enemy(side):
    assert side.after("Be2 -hd2", "Be2d2", "-hd1") == "-hd1 Bd2"


@rows(
    ("critters", "without", "start"),
    [
        ("Hd4 td6", "-Hd4 td6", "Hd4:"),
        ("Wd4 hf6", "-Wd4 hf6", "Wd4^"),
    ],
)
def test_lunchless_carrier_neither_shoots_nor_chucks(side, critters, without, start):
    assert side.targets(critters, start) != ""
    assert side.targets(without, f"-{start}") == ""


@rows(("mover", "end"), [("Bd3", "e3"), ("De2", "d4"), ("Fd3", "e4"), ("Sd3", "d5")])
@rows("occupant", ["p", "P", "t", "h", "-w"])
def test_lunchless_carrier_enters_no_occupied_square(side, mover, end, occupant):
    critters = f"{mover} {occupant}{end}"
    assert end in side.targets(critters, mover).split()
    assert end not in side.targets(f"-{critters}", f"-{mover}").split()
