"""The page of rules of Chieftain: its setup, its armies, and where pieces go."""

from pasgl_env import Position, render

CHARTS = """
Chieftain           Hero                Shaman              Knight
. . . . . . . . .   . . . . . . . . .   . . . . . . . . .   . . . . . . . . .
. . . . . . . . .   . . . . o . . . .   . o . . . . . o .   . . . . . . . . .
. . o o o o o . .   . . . . * . . . .   . . * . . . * . .   . . . * . * . . .
. . o * * * o . .   . . . . * . . . .   . . . * . * . . .   . . * . . . * . .
. . o * C * o . .   . o * * H * * o .   . . . . S . . . .   . . . . N . . . .
. . o * * * o . .   . . . . * . . . .   . . . * . * . . .   . . * . . . * . .
. . o o o o o . .   . . . . * . . . .   . . * . . . * . .   . . . * . * . . .
. . . . . . . . .   . . . . o . . . .   . o . . . . . o .   . . . . . . . . .
. . . . . . . . .   . . . . . . . . .   . . . . . . . . .   . . . . . . . . .

Man                 Bishopy             Rookish
. . . . . . . . .   o . . . . . . . o   . . . . o . . . .
. . . . . . . . .   . o . . . . . o .   . . . . o . . . .
. . . . . . . . .   . . o . * . o . .   . . * . o . * . .
. . . * * * . . .   . . . * . * . . .   . . . . * . . . .
. . . * M * . . .   . . * . B . * . .   o o o * R * o o o
. . . * * * . . .   . . . * . * . . .   . . . . * . . . .
. . . . . . . . .   . . o . * . o . .   . . * . o . * . .
. . . . . . . . .   . o . . . . . o .   . . . . o . . . .
. . . . . . . . .   o . . . . . . . o   . . . . o . . . .
"""


def page(variant: str = "chieftain", **options: object) -> str:
    return render.summary(Position(variant, **options).ruleset)


def test_where_pieces_go():
    assert CHARTS in page("overlord")


def test_five_kinds_stand_in_a_row():
    assert "\nChieftain       Hero            Shaman          Knight          Man\n" in page()
    assert "Bishopy" not in page()


def test_setup_and_armies():
    board = "\n".join(str(Position("superchief")).splitlines()[:16])
    assert f"\n{board}\n" in page("superchief")
    text = page(setup="cmr1/4/4/4/C2M")
    assert "White has 2 pieces: 1 C, 1 M.\nBlack has 3 pieces: 1 C, 1 M, 1 R.\n" in text
    assert text.endswith("C 8, M 1, R 4.")


def test_command():
    assert "activates one piece per turn" in page()
    assert "must be within 3 squares of it" in page()
    leaders = page(activations=2, command_range=1)
    assert "activates up to 2 pieces per turn" in leaders
    assert "must be within one square of it" in leaders


def test_orders_in_the_first_turn():
    assert "first turn" not in page()
    assert "In the game's first turn at most one piece is activated" in page(first_turn_orders=1)
    assert "In the game's first turn at most 3 pieces are activated" in page(first_turn_orders=3)


def test_leaders_and_ranges():
    text = page(setup="l2c/4/4/C2L", leader_range=1, chieftain_range=1)
    assert "A Leader is a Chieftain that activates up to 2 pieces within one square." in text
    assert "White has 2 pieces: 1 C, 1 L." in text
    assert "* * *\n* C *\n* * *".splitlines() == [
        line[:5] for line in text.splitlines() if line[:5] in ("* * *", "* C *")
    ]
    assert "Leader is" not in page()
