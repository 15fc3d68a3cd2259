"""The page of rules of Pachessi: the inventor's charts, letter for letter where he has them."""

from pasgl_env import Position, render

from ...rows import rows
from .diagrams import PACHESSI, SIX_BY_SIX, cells

DICE = """
  Roll         Piece
  ====         =====
    1          Ship (Bishop)
    2          Horse (Knight)
    3          Elephant (Rook)
   4,5         Raja (King)
    6          Any Piece
"""
QUADRANTS = """
  N = Northern Quadrant (no eastward moves)
  W = Western Quadrant (no northward moves)
  S = Southern Quadrant (no westward moves)
  E = Eastern Quadrant (no southward moves)
"""


def page(variant: str = "pachessi", **options: int | str) -> str:
    return render.summary(Position(variant, **options).ruleset)


def test_his_charts_of_dice_and_prohibitions():
    for chart in (DICE, PACHESSI, QUADRANTS):
        assert f"\n{chart}\n" in page()


def test_the_chart_of_another_board():
    assert dict(cells(page(size=6, hole=2))) == dict(cells(SIX_BY_SIX))


def test_a_chart_that_is_too_wide_is_left_out():
    assert "|N+W|" in page(size=18, hole=2)
    assert "|" not in page(size=20, hole=2)
    assert QUADRANTS in page(size=20, hole=2)


def test_where_pieces_start():
    assert (
        "Raja      Elephant  Horse     Ship\nBlack     a7        b7        c7        d7\n" in page()
    )
    starts = page("grand_pachessi", players=4).split("\n\n")[2].splitlines()[1:]
    assert [line.split() for line in starts] == [
        "Black a11 b11 c11 d11".split(),
        "Green a1 a2 a3 a4".split(),
        "Yellow k1 j1 i1 h1".split(),
        "Red k11 k10 k9 k8".split(),
    ]


def test_four_players_have_no_ships_and_play_in_teams():
    four = page(players=4)
    assert "    1          Roll again\n    2          Horse (Knight)\n" in four
    assert "Ship" not in four
    assert "Black and Yellow play against Green and Red" in four
    assert "team-mate" in four
    assert "team" not in page()


@rows(
    ("variant", "options", "moves"),
    [
        (
            "pachessi",
            {},
            [
                "Raja      one square in any direction",
                "Elephant  up to 3 squares straight on along a rank or file",
                "Horse     a leap (1,2)",
                "Ship      any number of squares diagonally",
            ],
        ),
        (
            "grand_pachessi",
            {"elephant_range": 1},
            [
                "Raja      up to 2 squares straight on in any direction",
                "Elephant  one square along a rank or file",
                "Horse     a leap (1,2), or (1,3)",
                "Ship      any number of squares diagonally",
            ],
        ),
    ],
)
def test_how_pieces_move(variant, options, moves):
    assert "\n".join(["", *moves, ""]) in page(variant, **options)
    assert page(variant, **options).startswith("GRAND" if variant.startswith("grand") else "PACH")


@rows(
    ("options", "sentence"),
    [
        ({"dice": "all"}, "Both must be used if a choice allows it, unless another wins."),
        ({"bear_off": "free"}, "Dice whose only uses bear pieces off need not be used."),
        ({"grace_move": "free"}, "A grace die need not be used."),
        ({"first": "team", "players": 4}, "A lot decides which team begins"),
    ],
)
def test_other_readings(options, sentence):
    assert sentence in page(**options)
    assert sentence not in page()
    assert "grace die" not in page(grace=False, grace_move="free")
