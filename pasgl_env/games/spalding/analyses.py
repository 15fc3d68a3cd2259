"""The inventor's analysis: early attacks by White that might spoil the game, and defences.

Three of his moves break his rules (Ruling 1); those lines begin at the position that he shows next.
"""

from __future__ import annotations

from pasgl_env.contract.parts import LineOfPlay

_AFTER_RHINO = "j6p/4x3/4c3/3R4/8/8/4X3/P6J b HErhe 3"
_AFTER_ALL_OUT = "1j5p/2ex4/3h4/8/4E3/3R1J2/3X4/P7 w Hr 4"
_DEFENCE = "Rd3-d4 Ph8-g7/Lf6"

ANALYSES = (
    LineOfPlay("Rhino attack: first move", "", "Xe1-e2/Rd3"),
    LineOfPlay(
        "Rhino attack, Cookie Monster defence",
        _AFTER_RHINO,
        "Xe7-f7/Me6 Rd5-d4 Xf7-g6/Rg5 Jh1-g2/Eg3 Xg6-h5/Hg4 Eg3xg5 Hg4xg5 Rd4xe6 Ph8-g7/Lh6"
        " Re6-f6 Pg7-g6/Nf5 Rf6-f7 Pg6-h7/Ng7",
    ),
    LineOfPlay(
        "Rhino attack, Great Elephant's answer", _AFTER_RHINO, "Xe7-f7/Me6 Rd5-c7 Ja8-c6/Ed5"
    ),
    LineOfPlay("Great Elephant attack: first move", "", "Jh1-f3/Ee4"),
    LineOfPlay(
        "Great Elephant attack, Rhino pack defence",
        "",
        "Jh1-f3/Ee4 Xd8-d7/Hd6 Ee4-e5 Xd7-c6/Rd5 Ee5-g7",
    ),
    LineOfPlay("All-out attack, 4.Ee4-e6", _AFTER_ALL_OUT, f"{_DEFENCE} Ee4-e6 Xd7-d8/Ve7"),
    LineOfPlay(
        "All-out attack, 4.Ee4-e6 Hd6xe6",
        _AFTER_ALL_OUT,
        f"{_DEFENCE} Ee4-e6 Hd6xe6 Rd4xe6 Xd7-c8/Rd7",
    ),
    LineOfPlay(
        "All-out attack, 4.Rd4-e6",
        _AFTER_ALL_OUT,
        f"{_DEFENCE} Rd4-e6 Hd6xe6 Ee4xe6 Xd7-d6/Re7",
    ),
    LineOfPlay("All-out attack, 3.Ee4-f5", _AFTER_ALL_OUT, "Ee4-f5 Xd7-e7/Re6"),
)
