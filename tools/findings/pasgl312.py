"""What Ralph Betza asked or claimed of PASGL 312 Chess."""

from __future__ import annotations

from tools.findings.question import (
    CHANGE,
    COUNT,
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
from tools.findings.readings import figure, total, worth, worth_more

_RULES, _NOTES = "PASGL 312 Chess", "More Design Notes and Clarifications for PASGL312 Chess"
_USUAL = tuple(Run("pasgl312", player) for player in ("random", "greedy", "mcts:100", "mcts:400"))
_NEVER_BOARDS = ("first:/[a-h][1-8][zx][45]/",)


def _betza(text: str, page: str = _RULES) -> tuple[Quotation, ...]:
    return (Quotation(text, "Ralph Betza", page),)


_WHITE = Column(
    "White's score", "Unfinished games count half.", figure("score", seat="White"), SHARE
)
_CUT_OFF = Column("cut off", "Games that the turn limit ended.", figure("truncations"), SHARE)
_TURNS = Column("turns", "Turns of both players together.", figure("turns"), Unit(1))
QUESTIONS = (
    Question(
        "pasgl312.deer",
        "Is the Deer worth more than the Hunter?",
        _betza(
            "if in the game the Hunter still has an advantage, I don't mind, but if the Deer is "
            "actually better than the Hunter, I am content",
            _NOTES,
        ),
        "Values are estimated as in [playtests](playtest.md#values-of-pieces): by logistic "
        "regression of results on material, points and the side to move, from one quiet position "
        "of each game. The comparison is between critters with their lunch. Values depend on the "
        "players: a piece that they waste is worth little.",
        _USUAL,
        (
            Claim(
                Column(
                    "Deer less Hunter",
                    "How much more a Deer adds to the log odds of winning.",
                    worth_more("Deer", "Hunter"),
                    CHANGE,
                ),
                0.0,
                "The Deer is worth more than the Hunter.",
                "The Hunter is worth more than the Deer.",
                "It is not known which of the two is worth more.",
            ),
        ),
        (
            Column("Deer", "What a Deer adds to the log odds.", worth("Deer"), CHANGE),
            Column("Hunter", "What a Hunter adds to them.", worth("Hunter"), CHANGE),
        ),
    ),
    Question(
        "pasgl312.white",
        "Does White win?",
        _betza("Not playtested yet. I was too impatient to wait!"),
        "A player against itself, from the usual start.",
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
        (
            Column("draws", "Games that nobody won.", figure("draws"), SHARE),
            Column(
                "margin",
                "The lead of the player with more points at the end.",
                figure("margin"),
                Unit(1),
            ),
        ),
    ),
    Question(
        "pasgl312.length",
        "Do games end, and how long are they?",
        _betza(
            "the maximum winning score was a logical extension, to keep the game from going on "
            "forever",
            _NOTES,
        ),
        "A game ends with a lead of 30 points, a Bear's death, or a circuit of passes; "
        "environments cut it off at their turn limit.",
        _USUAL,
        (
            Claim(
                _CUT_OFF,
                0.01,
                "More than one game in a hundred reaches the turn limit.",
                "Games end: fewer than one in a hundred reaches the turn limit.",
                "It is not known whether one game in a hundred reaches the turn limit.",
            ),
            Claim(
                Column(
                    "by the lead",
                    "Games that ended with a lead of 30 points, both Bears alive.",
                    total("margin_ends"),
                    SHARE,
                ),
                0.5,
                "Most games end with a lead of 30 points.",
                "Fewer than half of the games end with a lead of 30 points.",
                "It is not known whether most games end with a lead of 30 points.",
            ),
            Trend(_TURNS),
        ),
        (
            Column("median", "The median number of turns.", figure("turns_median"), COUNT),
            Column("95% below", "The 95% quantile.", figure("turns_95th"), COUNT),
        ),
    ),
    Question(
        "pasgl312.bear",
        "How often does a Bear die, and can one win without it?",
        _betza(
            "the reason I decided to make it possible to win even if you lose your Bear is that I "
            'wanted to stretch the boundaries of "Chess variant" a bit'
        ),
        "A Bear's death ends the game and is worth 20 points to the enemy.",
        _USUAL,
        (
            Claim(
                Column(
                    "a Bear dies",
                    "Games that ended with a Bear's death.",
                    total("bear_ends"),
                    SHARE,
                ),
                0.5,
                "Most games end with a Bear's death.",
                "Fewer than half of the games end with a Bear's death.",
                "It is not known whether most games end with a Bear's death.",
            ),
            Claim(
                Column(
                    "won without",
                    "Games won by the player whose Bear died.",
                    total("wins_without_bear"),
                    SHARE,
                ),
                0.01,
                "More than one game in a hundred is won without the Bear.",
                "Winning without the Bear is rare: fewer than one game in a hundred.",
                "It is not known whether one game in a hundred is won without the Bear.",
            ),
        ),
    ),
    Question(
        "pasgl312.train",
        "Does anyone ride the Train?",
        _betza(
            "I had to make up some minor rules that would make it worth while to ride the train in "
            "at least a few situations",
            _NOTES,
        ),
        "A ride is counted when the Train picks up a critter.",
        _USUAL,
        (
            Claim(
                Column("rides", "Rides of both players per game.", total("rides"), MEAN),
                1.0,
                "Critters ride the Train more than once a game.",
                "Critters ride the Train less than once a game.",
                "It is not known whether critters ride the Train once a game.",
            ),
        ),
        (
            Column(
                "new lunches",
                "Lunches that critters got at terminals, per game.",
                total("lunches_regained", source="terminal"),
                MEAN,
            ),
        ),
    ),
    Question(
        "pasgl312.riding",
        "Does riding pay?",
        _betza(
            "the Train is rather slow, and riding it puts a piece out of action for quite a while",
            _NOTES,
        ),
        "[Restricted play](playtest.md#restricted-play): one of two equal players, playing each "
        "side in turn, may not move to a terminal; a Bear can still push its critters there.",
        (Run("pasgl312", "greedy", forbidden=_NEVER_BOARDS),),
        (
            Claim(
                Column(
                    "score without",
                    "The score of the player who may not enter terminals.",
                    figure("first_player_score"),
                    SHARE,
                ),
                0.5,
                "Riding does not pay: the player who never rides scores more than half.",
                "Riding pays: the player who never rides scores less than half.",
                "It is not known whether riding pays.",
            ),
        ),
    ),
    Question(
        "pasgl312.skunk",
        "Is suicide by Skunk used?",
        _betza("Letting your Skunk get run over is one way to use its stinky power offensively."),
        "A suicide is counted when a Skunk moves to the square that the Train enters next, "
        "whatever the player's intention.",
        _USUAL,
        (
            Claim(
                Column(
                    "suicides",
                    "Moves of Skunks to the square that the Train enters next, per game.",
                    total("steps_before_train", critter="Skunk"),
                    MEAN,
                ),
                0.1,
                "Suicide by Skunk is used: more than once in ten games.",
                "Suicide by Skunk is rare: less than once in ten games.",
                "It is not known whether suicide by Skunk happens once in ten games.",
            ),
        ),
        (
            Column(
                "sprayed",
                "The enemy's critters made stinky when a Skunk died under the Train, per game.",
                total("stinky_by_train"),
                MEAN,
            ),
        ),
    ),
    Question(
        "pasgl312.crowd",
        "Does the trap of the crowd by the campfire snap?",
        _betza(
            "I set a trap for the unwary player! [...] here comes the Train bearing down on them, "
            "and you can only save one of them per turn!!",
            _NOTES,
        ),
        "The trap snaps when the Train runs over two or more critters in one turn, on any square.",
        _USUAL,
        (
            Claim(
                Column(
                    "crowds",
                    "Turns in which the Train ran over several critters, per game.",
                    figure("crowds_run_over"),
                    MEAN,
                ),
                0.1,
                "The trap snaps more than once in ten games.",
                "The trap snaps less than once in ten games.",
                "It is not known whether the trap snaps once in ten games.",
            ),
        ),
    ),
)
