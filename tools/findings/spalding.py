"""What Ralph Betza asked or claimed of Captain Spalding Chess."""

from __future__ import annotations

from typing import NamedTuple

from tools.findings.question import (
    CHANGE,
    DIFFERENCE,
    MEAN,
    SHARE,
    Claim,
    Column,
    Question,
    Quotation,
    Run,
    Trend,
    Unit,
)
from tools.findings.readings import against, figure, total, worth

_USUAL = tuple(Run("spalding", player) for player in ("random", "greedy", "ppo", "mcts:100"))
_SEARCHERS = tuple(run for run in _USUAL if run.player in ("greedy", "mcts:100"))
_WHITE = Column("White's score", "Games cut off count half.", figure("score", seat="White"), SHARE)
_TURNS = Column("turns", "Turns of both players together.", figure("turns"), Unit(1))


def _betza(text: str) -> tuple[Quotation, ...]:
    return (Quotation(text, "Ralph Betza", "Captain Spalding Chess"),)


class _Attack(NamedTuple):
    """An attack of the inventor's opening analysis.

    Attributes:
        key: a word.
        name: its heading there.
        line: his moves and creations, as far as they are legal and thought good for both.
        rest: what of his analysis is left out, and why.
    """

    key: str
    name: str
    line: str
    rest: str


_ATTACKS = (
    _Attack(
        "rhino",
        "Rhino Attack, Cookie Monster Defense",
        "Xe1-e2 /Rd3 Xd8-e7 /Ce6",
        "His second move, Rd3-d5+, breaks his rules.",
    ),
    _Attack(
        "elephant",
        "Great Elephant Attack, Rhino Pack Defense",
        "Jh1-f3 /Ee4 Xd8-d7 /Hd6 Ee4-e5 Xd7-c6 /Rd5",
        "He himself doubts his third move, Ee5-g7.",
    ),
    _Attack(
        "allout",
        "All-Out Attack",
        "Jh1-f3 /Ee4 Xd8-d7 /Hd6 Xe1-d2 /Rd3",
        "Black's second move, Ja8-b8, breaks his rules.",
    ),
)


def _attack(attack: _Attack) -> Question:
    line = tuple(attack.line.split())
    return Question(
        f"spalding.{attack.key}",
        f"Does the {attack.name.split(',')[0]} fail?",
        _betza(
            "It looks like blitz attacks fail because of the power of the short-range pieces that "
            "can be created in good defensive places."
        ),
        f"Games begin after `{' '.join(line)}`, the line of *{attack.name}*. {attack.rest} The "
        "same player plays both sides. The attack fails if White scores less than half from there.",
        tuple(run._replace(line=line, beside=run) for run in _SEARCHERS),
        (
            Claim(
                _WHITE,
                0.5,
                "The attack works: White scores more than half.",
                "The attack fails: White scores less than half.",
                "It is not known whether the attack fails.",
            ),
            Claim(
                Column(
                    "more than usual",
                    "White's score from there, minus that from the usual start.",
                    against(figure("score", seat="White")),
                    DIFFERENCE,
                    compares=True,
                ),
                0.0,
                "White stands better after it than at the start.",
                "White stands worse after it than at the start.",
                "It is not known whether White stands better after it than at the start.",
            ),
        ),
        (_TURNS,),
    )


QUESTIONS = (
    Question(
        "spalding.white",
        "Can White win or force a draw?",
        _betza("If White can either win or force a draw, the rules need changing."),
        "A player against itself, from the usual start. The rules know no draws, and imperfect "
        "play forces nothing, so the question here is who has the advantage.",
        _USUAL,
        (
            Claim(
                _WHITE,
                0.5,
                "White has the advantage.",
                "Black has the advantage.",
                "It is not known who has the advantage.",
            ),
        ),
    ),
    Question(
        "spalding.end",
        "Is it possible to win?",
        _betza("the major danger would be if it were impossible to win"),
        "A game is won by capturing the Box, or when the enemy has no legal turn. Environments cut "
        "it off at the turn limit, or when the memory for its history is full.",
        _USUAL,
        (
            Claim(
                Column("won", "Games that somebody won.", figure("decisive_games"), SHARE),
                0.95,
                "Games are won: more than 19 out of 20.",
                "More than one game in 20 is not won.",
                "It is not known whether 19 out of 20 games are won.",
            ),
            Trend(_TURNS),
        ),
        (
            Column(
                "Boxes taken",
                "Games that ended with the capture of a Box.",
                total("box_taken_by"),
                SHARE,
            ),
        ),
    ),
    *map(_attack, _ATTACKS),
    Question(
        "spalding.great",
        "Is the Great Pajama too poor?",
        _betza("The Great Pajama may create either a Great Elephant or a Dust Bunny"),
        "After its one Great Elephant, a Great Pajama only brings out Dust Bunnies, which serve "
        "both players. [Restricted play](playtest.md#restricted-play): one of two equal players, "
        "playing each side in turn, may not move its Great Pajama. For comparison, a player may "
        "not move its Pajama, which brings out Elephants again and again.",
        tuple(
            run._replace(forbidden=("first:J*",), beside=run._replace(forbidden=("first:P*",)))
            for run in _USUAL[1:3]
        ),
        (
            Claim(
                Column(
                    "score without",
                    "The score of the player who may not move its Great Pajama.",
                    figure("first_player_score"),
                    SHARE,
                ),
                0.5,
                "The player who may not move the Great Pajama is better off.",
                "The Great Pajama is worth having: without it a player scores less than half.",
                "It is not known whether the Great Pajama is worth anything.",
            ),
            Claim(
                Column(
                    "more than without Pajama",
                    "That score, minus the score of the player who may not move its Pajama.",
                    against(figure("first_player_score")),
                    DIFFERENCE,
                    compares=True,
                ),
                0.0,
                "It is poorer than the Pajama, which is missed more.",
                "It is not poorer than the Pajama, which is missed less.",
                "It is not known whether it is poorer than the Pajama.",
            ),
        ),
    ),
    Question(
        "spalding.spent",
        "Does the Great Pajama move on when its Great Elephant is out?",
        _betza("You get only one per game."),
        "He means the Great Elephant. A player against itself, from the usual start.",
        _USUAL,
        (
            Claim(
                Column(
                    "spent moves",
                    "Moves of Great Pajamas whose Great Elephant had been found, per game.",
                    total("spent_great_moves"),
                    MEAN,
                ),
                1.0,
                "It moves on more than once a game.",
                "It moves on less than once a game.",
                "It is not known whether it moves on once a game.",
            ),
        ),
    ),
    Question(
        "spalding.monster",
        "Is the Cookie Monster worth less than nothing?",
        _betza("In balance, the Cookie Monster whose value is less than zero"),
        "Values are estimated as in [playtests](playtest.md#values-of-pieces): by logistic "
        "regression of results on material and the side to move, from one quiet position of each "
        "game.",
        _USUAL,
        (
            Claim(
                Column(
                    "Cookie Monster",
                    "What a Cookie Monster adds to the log odds of winning.",
                    worth("Cookie Monster"),
                    CHANGE,
                ),
                0.0,
                "A Cookie Monster is worth more than nothing.",
                "A Cookie Monster is worth less than nothing.",
                "It is not known whether a Cookie Monster is worth less than nothing.",
            ),
        ),
    ),
)
