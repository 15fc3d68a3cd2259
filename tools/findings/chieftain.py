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
        f"We take {_TURNS} turns to mean {_TURNS} for each player. A game is settled once its "
        "final leader leads for good: the winner or, if the limit of "
        f"{_LIMIT} turns of both players cuts the game off, the side that has captured more. A "
        "settled game is not necessarily as good as won; compare the share of games that are won.",
        tuple(Run(variant, player) for player in _PLAYERS[variant]),
        (
            Claim(
                Column(
                    "settled",
                    f"Games, of the first {REPLAYED}, that are settled after {_TURNS} turns of "
                    "each player.",
                    settled_within(2 * _TURNS),
                    SHARE,
                ),
                0.5,
                f"Most games are settled after {_TURNS} turns each.",
                f"Fewer than half of the games are settled after {_TURNS} turns each.",
                f"It is not known whether most games are settled after {_TURNS} turns each.",
            ),
            Claim(
                Column(
                    "won by then",
                    f"Games, of the first {REPLAYED}, that are won within {_TURNS} turns of each "
                    "player.",
                    won_within(2 * _TURNS),
                    SHARE,
                ),
                0.5,
                f"Most games are won within {_TURNS} turns each.",
                f"Fewer than half of the games are won within {_TURNS} turns each.",
                f"It is not known whether most games are won within {_TURNS} turns each.",
            ),
            Claim(
                _WON,
                0.5,
                "Most games are won before the limit.",
                "Fewer than half of the games are won before the limit; in the others only the "
                "lead can be settled.",
                "It is not known whether most games are won before the limit.",
            ),
        ),
    )


def _limit(variant: str) -> Question:
    longer = (("turn_limit", _LONG),)
    return Question(
        f"{variant}.limit",
        f"Is {variants.find(variant).title} won, given more turns?",
        (),
        f"The same players with a limit of {_LONG:,} turns of both players, compared with the "
        f"usual {_LIMIT}.",
        (Run(variant, "greedy", longer, beside=Run(variant, "greedy")),),
        (
            Claim(
                _WON,
                0.5,
                f"Most games are won within {_LONG:,} turns.",
                f"Even within {_LONG:,} turns, fewer than half of the games are won.",
                f"It is not known whether most games are won within {_LONG:,} turns.",
            ),
            Claim(
                Column(
                    "more than usual",
                    f"The share won, minus that with a limit of {_LIMIT}.",
                    against(figure("decisive_games")),
                    DIFFERENCE,
                    compares=True,
                ),
                0.0,
                "More games are won with more turns.",
                "Fewer games are won with more turns.",
                "It is not known whether more games are won with more turns.",
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
        "limits the branching. We examine White's turns from turn 21 to 60 (of both players) as "
        "they begin, and compare with games in which every Chieftain commands the whole board.",
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
                "In more than one turn in ten, there are fewer pieces within range than orders.",
                "In at least nine turns out of ten, there are enough pieces within range.",
                "It is not known whether nine turns out of ten have enough pieces within range.",
            ),
            Claim(
                Column(
                    "held back",
                    "The share of the pieces able to move that are out of range.",
                    figure("held_back", **_MIDDLE),
                    SHARE,
                ),
                0.5,
                "Most pieces that could move are out of range.",
                "Fewer than half of the pieces that could move are out of range.",
                "It is not known whether most pieces that could move are out of range.",
            ),
            Claim(
                Column(
                    "fewer moves",
                    "Moves in such a turn, minus those with command of the whole board.",
                    against(figure("moves_by_stage", **_MIDDLE)),
                    CHANGE,
                    compares=True,
                ),
                0.0,
                "Turns have more moves than with command of the whole board.",
                "Turns have fewer moves than with command of the whole board.",
                "It is not known whether command of the whole board changes the number of moves.",
            ),
        ),
    )


QUESTIONS = tuple(make(variant) for variant in _PLAYERS for make in (_over, _limit, _command))
