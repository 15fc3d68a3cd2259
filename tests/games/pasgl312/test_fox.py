"""Rules, "What happens": the Fox steals lunches and devours the medium-sized who have none."""

from ...rows import rows

# All on e4, to which the Fox goes from d3.
STEALS = ["h", "d", "f", "w", "*h", "*w"]
DEVOURS = ["t", "*t", "-w", "*-w"]
SPARES = ["-h", "-d", "-f", "m", "p", "*m", "H", "D", "W", "-W", "S", "-S", "T", "M", "P"]


def fox_to_e4(side, crowd, *choice):
    """What is left of the crowd, and of the Fox, after it went from d3 to e4."""
    crowd = " ".join(f"{symbol}e4" for symbol in crowd.split())
    after = side.after(f"Fd3 {crowd}", "Fd3e4", *choice)
    assert all(critter.endswith("e4") for critter in after.split())
    return " ".join(critter.removesuffix("e4") for critter in after.split())


@rows("symbol", STEALS)
def test_fox_steals_the_lunch_of_an_enemy(side, symbol):
    robbed = symbol.replace(symbol[-1], f"-{symbol[-1]}")
    assert fox_to_e4(side, symbol) == " ".join(sorted(["F", robbed]))


def test_fox_steals_the_lunch_of_the_bear(side):
    assert side.after("Fd5 be6", "Fd5e6") == "-be6 Fe6"


def test_fox_that_steals_from_a_skunk_is_sprayed(side):
    assert fox_to_e4(side, "s") == "*-F -s"


@rows("symbol", DEVOURS)
def test_fox_devours(side, symbol):
    assert fox_to_e4(side, symbol) == "F"


def test_fox_dies_of_a_devoured_skunk_which_sprays(side):
    assert side.after("Fd3 -se4 Te4 Te5 He3 Dd2", "Fd3e4") == "*-He3 *Te4 *Te5 Dd2"


@rows("symbol", SPARES)
def test_fox_spares(side, symbol):
    assert fox_to_e4(side, symbol) == " ".join(sorted(["F", symbol]))


def test_fox_spares_a_lunchless_bear(side):
    assert side.after("Fd5 -be6", "Fd5e6") == "-be6 Fe6"


@rows(
    ("crowd", "choice", "after"),
    [
        ("h t", "h", "-h F t"),
        ("h t", "t", "F h"),
        ("t t", "t", "F t"),
        ("-w h -d m", "-w", "-d F h m"),
        ("-w h -d m", "h", "-d -h -w F m"),
        ("w -s", "-s", "w"),
        ("s -w", "s", "*-F -s -w"),
    ],
)
def test_fox_takes_one_victim_of_its_choice(side, crowd, choice, after):
    assert fox_to_e4(side, crowd, choice) == after


def test_fox_must_take_the_only_candidate(side):
    assert fox_to_e4(side, "t -h m p T W") == "-h F T W m p"


def test_fox_squashes_no_shrews(side):
    assert fox_to_e4(side, "P p t") == "F P p"


@rows("occupant", ["t", "-w", "h", "p", "P"])
def test_lunchless_fox_may_not_enter_an_occupied_square(side, occupant):
    assert "e4" not in side.targets(f"-Fd3 {occupant}e4", "-Fd3").split()


def test_fox_devours_with_its_step_back_too(side):
    assert side.after("Fd3 td2", "Fd3d2") == "Fd2"


def test_fox_does_nothing_on_its_way(side):
    assert side.after("Fd3 td4 we3", "Fd3f3") == "Ff3 td4 we3"
