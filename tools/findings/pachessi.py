"""What Peter Aronson claimed of Pachessi and Grand Pachessi."""

from __future__ import annotations

from pasgl_env import variants
from tools.findings.question import (
    COUNT,
    SHARE,
    Claim,
    Column,
    Question,
    Quotation,
    Run,
    Trend,
    Unit,
)
from tools.findings.readings import figure

_LIMIT = 20_000
_PLAYERS = ("random", "greedy", "mcts:100")
_SEATS = {2: "two", 4: "four"}


def _forever(variant: str, number: int) -> Question:
    title = variants.find(variant).title
    options = (("players", number), ("turn_limit", _LIMIT))
    return Question(
        f"{variant}.forever{number}",
        f"How often does {_SEATS[number]}-player {title} run for ever?",
        (
            Quotation(
                "Even when reduced to three pieces on a side, the four player game can be pretty "
                "silly, and may run forever.",
                "Peter Aronson",
                "PACHESSI – A Chess Race Game",
            ),
        ),
        "The inventor is talking about the four-player game. A game counts as running for ever if "
        f"nobody has won after {_LIMIT:,} turns: either nobody can ever move again, or nobody "
        "comes home. A [table on the rules page](rules/pachessi.md#how-often-a-game-never-ends) "
        "shows which.",
        tuple(Run(variant, player, options) for player in _PLAYERS),
        (
            Claim(
                Column("for ever", f"Not won in {_LIMIT:,} turns.", figure("truncations"), SHARE),
                0.01,
                "More than one game in a hundred runs for ever.",
                "Hardly any game runs for ever: fewer than one in a hundred.",
                "It is not known whether one game in a hundred runs for ever.",
            ),
            Trend(Column("turns", "Turns of all players together.", figure("turns"), Unit(0))),
        ),
        (Column("median", "The median number of turns.", figure("turns_median"), COUNT),),
    )


QUESTIONS = tuple(
    _forever(variant, number) for variant in ("pachessi", "grand_pachessi") for number in (4, 2)
)
