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
_TURNS = Column("turns", "Of both players together.", figure("turns"), Unit(1))


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
        "His third move, Ee5-g7, he doubts himself.",
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
        f"Games begin after `{' '.join(line)}`, the line of *{attack.name}*. {attack.rest} Both "
        "sides are the same player. The attack counts as failing if White scores less than half "
        "from there.",
        tuple(run._replace(line=line, beside=run) for run in _SEARCHERS),
        (
            Claim(
                _WHITE,
                0.5,
                "The attack works: White scores more than half.",
                "The attack fails: White scores less than half.",
                "Whether the attack fails is not known.",
            ),
            Claim(
                Column(
                    "more than usual",
                    "White's score from there, less that from the usual start.",
                    against(figure("score", seat="White")),
                    DIFFERENCE,
                    compares=True,
                ),
                0.0,
                "White stands better after it than at the start.",
                "White stands worse after it than at the start.",
                "Whether White stands better after it than at the start is not known.",
            ),
        ),
        (_TURNS,),
    )


QUESTIONS = (
    Question(
        "spalding.white",
        "Can White win or force a draw?",
        _betza("If White can either win or force a draw, the rules need changing."),
        "A player against itself, from the usual start. There are no draws by the rules, and play "
        "that is far from perfect forces nothing: what is asked is who has the advantage.",
        _USUAL,
        (
            Claim(
                _WHITE,
                0.5,
                "White has the advantage.",
                "Black has the advantage.",
                "Who has the advantage is not known.",
            ),
        ),
    ),
    Question(
        "spalding.end",
        "Is it possible to win?",
        _betza("the major danger would be if it were impossible to win"),
        "A game is won by capturing the Box, or when the enemy has no legal turn. Environments cut "
        "it off at their turn limit, or when it outgrows the memory of its history.",
        _USUAL,
        (
            Claim(
                Column("won", "Games that somebody won.", figure("decisive_games"), SHARE),
                0.95,
                "Games are won, more than 19 of 20.",
                "More than one game in 20 is not won.",
                "Whether 19 games of 20 are won is not known.",
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
        "All that a Great Pajama brings out after its one Great Elephant is Dust Bunnies, which "
        "serve both players. [Restricted play](playtest.md#restricted-play): one of two equal "
        "players, on both sides in turn, never moves its Great Pajama; beside it, one never moves "
        "its Pajama, whose Elephants are found again.",
        tuple(
            run._replace(forbidden=("first:J*",), beside=run._replace(forbidden=("first:P*",)))
            for run in _USUAL[1:3]
        ),
        (
            Claim(
                Column(
                    "score without",
                    "What the player scored who never moves its Great Pajama.",
                    figure("first_player_score"),
                    SHARE,
                ),
                0.5,
                "Who never moves the Great Pajama is better off.",
                "The Great Pajama is worth having: who never moves it scores less than half.",
                "Whether the Great Pajama is worth anything is not known.",
            ),
            Claim(
                Column(
                    "more than without Pajama",
                    "That score, less what a player scored who never moves its Pajama.",
                    against(figure("first_player_score")),
                    DIFFERENCE,
                    compares=True,
                ),
                0.0,
                "It is poorer than the Pajama, which is missed more.",
                "It is not poorer than the Pajama, which is missed less.",
                "Whether it is poorer than the Pajama is not known.",
            ),
        ),
    ),
    Question(
        "spalding.spent",
        "Does the Great Pajama move on when its Great Elephant is out?",
        _betza("You get only one per game."),
        "So he says of the Great Elephant. A player against itself, from the usual start.",
        _USUAL,
        (
            Claim(
                Column(
                    "spent moves",
                    "Moves of Great Pajamas whose Great Elephant had been found, in a game.",
                    total("spent_great_moves"),
                    MEAN,
                ),
                1.0,
                "It moves on, more than once in a game.",
                "It moves on less than once in a game.",
                "Whether it moves on once in a game is not known.",
            ),
        ),
    ),
    Question(
        "spalding.monster",
        "Is the Cookie Monster worth less than nothing?",
        _betza("In balance, the Cookie Monster whose value is less than zero"),
        "Values are those of the [playtests](playtest.md#values-of-pieces): a logistic regression "
        "of results on material and who is to move, over one quiet position of each game.",
        _USUAL,
        (
            Claim(
                Column(
                    "Cookie Monster",
                    "What one adds to the logarithm of the odds to win.",
                    worth("Cookie Monster"),
                    CHANGE,
                ),
                0.0,
                "A Cookie Monster is worth more than nothing.",
                "A Cookie Monster is worth less than nothing.",
                "Whether a Cookie Monster is worth less than nothing is not known.",
            ),
        ),
    ),
)
