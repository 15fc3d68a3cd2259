"""The diagram of Chieftain: pieces, what has moved, and how far commands reach."""

from pasgl_env import Position

from .positions import Side


def at(pieces: str, *labels: str, **rest: int) -> list[str]:
    """The lines of a diagram; White to move, Black's Chieftain in the far corner."""
    return str(Side("white").position(pieces, *labels, size="8x8", **rest)).splitlines()


def test_squares_under_command_and_what_has_moved():
    assert at("Ca1 Cc1 Mb5 Re6", "Ca1-a3", "by c1") == [
        "     a b c d e f g h",
        "   +-----------------+",
        " 8 | . . . . . . . c | 8",
        " 7 | . . . . . . . . | 7",
        " 6 | : : : : R . . . | 6",
        " 5 | : M : : . . . . | 5",
        " 4 | : : : : . . . . | 4",
        " 3 | C': : : . . . . | 3",
        " 2 | : : : : . . . . | 2",
        " 1 | : : C : . . . . | 1",
        "   +-----------------+",
        "     a b c d e f g h",
        "Turn 1, White to move.",
        "Captured: White 0 points, Black 0.",
        "Activations left: a3.",
    ]


def test_the_start_of_chieftain():
    lines = str(Position("chieftain")).splitlines()
    assert lines[2] == "12 | . h c s . c h s s h c . s c h . | 12"
    assert lines[10:14] == [
        " 4 | M : : M M : : M M : : M M : : M | 4",
        " 3 | : : : : : : : : : : : : : : : : | 3",
        " 2 | : N M : : M N : : N M : : M N : | 2",
        " 1 | : H C S : C H S S H C : S C H : | 1",
    ]


def test_the_largest_board():
    lines = str(Position("overlord")).splitlines()
    assert lines[0].split() == list("abcdefghijklmnopqrstuvwx")
    assert lines[-3:] == [
        "Turn 1, White to move.",
        "Captured: White 0 points, Black 0.",
        "Activations left: b1, d1, h1, j1, o1, q1, u1, w1.",
    ]


def test_who_is_asked_about():
    lines = at("Ca1 Cc1 Mb2", "Mb2-b3", activations=2)
    assert lines[-2:] == [
        "Asked: who activates the Man from b2 to b3?",
        "Activations left: a1 (2), c1 (2).",
    ]


def test_a_pass_and_the_end():
    setup = "3c/4/4/C3"
    ends = {"w 1 8": "White to move. The turn before was a pass.", "w 2 9": "a draw by two passes."}
    for rest, end in ends.items():
        lines = str(Position.from_text("chieftain", f"{setup} {rest}", setup=setup)).splitlines()
        assert end in lines[8]
    won = Position.from_text("chieftain", "4/4/4/C3 b 0 9", setup=setup)
    assert str(won).splitlines()[8:] == [
        "Turn 9, White has won.",
        "Captured: White 8 points, Black 0.",
    ]
