"""What Joe Joyce claimed of Chieftain, Superchief and Overlord."""

from __future__ import annotations

from pasgl_env import variants
from tools.findings.question import (
    CHANGE,
    DIFFERENCE,
    SHARE,
    Claim,
    Column,
    Question,
    Quotation,
    Run,
)
from tools.findings.readings import (
    REPLAYED,
    against,
    figure,
    settled_within,
    won_within,
)

# A search takes minutes for a game of the larger two.
_PLAYERS = {
    "chieftain": ("random", "greedy", "mcts:100"),
    "superchief": ("random", "greedy"),
    "overlord": ("random", "greedy"),
}
_TURNS, _LIMIT, _LONG = 35, 400, 2_000
# In the middle of a game, when armies have met.
_MIDDLE = {"seat": "White", "stage": "turns 21-60"}


def _joyce(text: str) -> tuple[Quotation, ...]:
    return (Quotation(text, "Joe Joyce", "Two Large Multi-Move Games"),)


_WON = Column("won", "Games that somebody won before the limit.", figure("decisive_games"), SHARE)


def _over(variant: str) -> Question:
    return Question(
        f"{variant}.over",
        f"Is {variants.find(variant).title} effectively over in around {_TURNS} turns?",
        _joyce(f"all 3 games tend to be effectively over in around {_TURNS} turns or so"),
        f"{_TURNS} turns are taken to be those of each player. A game is called settled when the "
        "later leader leads for good: who wins it or, where the limit of "
        f"{_LIMIT} turns of both players cuts it off, who has captured more by then. So a settled "
        "game need not be as good as won: compare the games that are won at all.",
        tuple(Run(variant, player) for player in _PLAYERS[variant]),
        (
            Claim(
                Column(
                    "settled",
                    f"Games, of the first {REPLAYED}, that are settled after {_TURNS} turns of "
                    "each.",
                    settled_within(2 * _TURNS),
                    SHARE,
                ),
                0.5,
                f"Most games are settled after {_TURNS} turns of each.",
                f"Fewer than half of the games are settled after {_TURNS} turns of each.",
                f"Whether most games are settled after {_TURNS} turns of each is not known.",
            ),
            Claim(
                Column(
                    "won by then",
                    f"Games, of the first {REPLAYED}, that somebody has won in {_TURNS} turns of "
                    "each.",
                    won_within(2 * _TURNS),
                    SHARE,
                ),
                0.5,
                f"Most games are won in {_TURNS} turns of each.",
                f"Fewer than half of the games are won in {_TURNS} turns of each.",
                f"Whether most games are won in {_TURNS} turns of each is not known.",
            ),
            Claim(
                _WON,
                0.5,
                "Most games are won before the limit.",
                "Fewer than half of the games are won before the limit: in the others all that can "
                "be settled is the lead.",
                "Whether most games are won before the limit is not known.",
            ),
        ),
    )


def _limit(variant: str) -> Question:
    longer = (("turn_limit", _LONG),)
    return Question(
        f"{variant}.limit",
        f"Is {variants.find(variant).title} won, given more turns?",
        (),
        f"The same players with a limit of {_LONG:,} turns of both players, beside the usual "
        f"{_LIMIT}.",
        (Run(variant, "greedy", longer, beside=Run(variant, "greedy")),),
        (
            Claim(
                _WON,
                0.5,
                f"Most games are won in {_LONG:,} turns.",
                f"Even in {_LONG:,} turns fewer than half of the games are won.",
                f"Whether most games are won in {_LONG:,} turns is not known.",
            ),
            Claim(
                Column(
                    "more than usual",
                    f"The share won, less that with a limit of {_LIMIT}.",
                    against(figure("decisive_games")),
                    DIFFERENCE,
                    compares=True,
                ),
                0.0,
                "More games are won for it.",
                "Fewer games are won for it.",
                "That more games are won for it is not shown.",
            ),
        ),
    )


def _command(variant: str) -> Question:
    everywhere = (("command_range", 23),)
    return Question(
        f"{variant}.command",
        f"Does command limit anything in {variants.find(variant).title}?",
        _joyce(
            "their leader[king] pieces can each activate[move] one piece per turn, at a "
            "distance[command control radius] of three squares"
        ),
        "[Muller's remark](rules/chieftain.md#how-many-turns-there-are) was that the range hardly "
        "limits the branching. White's turns among the turns 21 to 60 of both players are looked "
        "at when they begin. Beside them, games in which every Chieftain commands the whole board.",
        tuple(
            Run(
                variant,
                player,
                beside=Run(variant, player, everywhere) if player == "greedy" else None,
            )
            for player in _PLAYERS[variant]
        ),
        (
            Claim(
                Column(
                    "short turns",
                    "Turns with as many pieces that could move as orders, but fewer within range.",
                    figure("short_turns", **_MIDDLE),
                    SHARE,
                ),
                0.1,
                "In more than one turn of ten, fewer pieces are within range than orders.",
                "Orders find pieces enough within range, in nine turns of ten or more.",
                "Whether orders find pieces enough within range in nine turns of ten is not known.",
            ),
            Claim(
                Column(
                    "held back",
                    "Of the pieces that could move, those out of range.",
                    figure("held_back", **_MIDDLE),
                    SHARE,
                ),
                0.5,
                "Most pieces that could move are out of range.",
                "Fewer than half of the pieces that could move are out of range.",
                "Whether most pieces that could move are out of range is not known.",
            ),
            Claim(
                Column(
                    "fewer moves",
                    "Moves in such a turn, less those with command of the whole board.",
                    against(figure("moves_by_stage", **_MIDDLE)),
                    CHANGE,
                    compares=True,
                ),
                0.0,
                "Turns have more moves than with command of the whole board.",
                "Turns have fewer moves than with command of the whole board.",
                "That turns have fewer moves than with command of the whole board is not shown.",
            ),
        ),
    )


QUESTIONS = tuple(make(variant) for variant in _PLAYERS for make in (_over, _limit, _command))
