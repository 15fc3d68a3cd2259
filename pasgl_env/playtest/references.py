"""The measures of a playtest in well-known games, from published sources."""

from __future__ import annotations

from typing import NamedTuple

CHESS, GO, BACKGAMMON = "chess", "Go", "backgammon"
GAMES = (CHESS, GO, BACKGAMMON)


class Source(NamedTuple):
    """The source of a value; ``text`` is the citation."""

    key: str
    text: str


class Reference(NamedTuple):
    """The value of a measure in a well-known game.

    Attributes:
        measure: the name of the measure.
        game: the game's name.
        text: the value, for people.
        source: the key of its source; empty if it follows from the rules.
    """

    measure: str
    game: str
    text: str
    source: str


SOURCES = (
    Source(
        "Wikipedia",
        "Wikipedia, First-move advantage in chess: the games in the database of ChessGames.com on"
        " 17 March 2008 (White won 36.81%, 36.50% were drawn).",
    ),
    Source(
        "GoBase",
        "gobase.org, The Big Game, question 11: 30,876 games of Japanese professionals without komi"
        " (Black won 58.1% of those with a result; 731 had none or were ties).",
    ),
    Source(
        "Nihon Ki-in",
        "Nihon Ki-in's summary of 2018: 4,208 games with a komi of 6.5 (Black won 49.52%), quoted"
        " on lifein19x19.com, 28 December 2018.",
    ),
    Source(
        "Bower",
        "C. Bower, Average advantage of winning opening roll, rec.games.backgammon, 22 October"
        " 1998: rollouts without the doubling cube.",
    ),
    Source(
        "Motif",
        "Motif Backgammon Statistics, bkgm.com: 3,237,166 rolls in 100,289 games, June to November"
        " 1996.",
    ),
    Source(
        "Allis",
        "L. V. Allis, Searching for Solutions in Games and Artificial Intelligence, thesis,"
        " University of Limburg (1994), chapter 6.",
    ),
    Source(
        "Tesauro",
        "G. Tesauro, Temporal difference learning and TD-Gammon, Communications of the ACM 38"
        " (1995): moves for each roll of the dice.",
    ),
)

REFERENCES = (
    Reference("first_mover_score", CHESS, "55.1%", "Wikipedia"),
    Reference("first_mover_score", GO, "58.1% without komi", "GoBase"),
    Reference("first_mover_score", GO, "49.5% with a komi of 6.5", "Nihon Ki-in"),
    Reference("first_mover_score", BACKGAMMON, "51.2%", "Bower"),
    Reference("draws", CHESS, "36.5%", "Wikipedia"),
    Reference("draws", GO, "2.4% or fewer", "GoBase"),
    Reference("draws", BACKGAMMON, "none, by its rules", ""),
    Reference("turns", CHESS, "80", "Allis"),
    Reference("turns", GO, "150", "Allis"),
    Reference("turns", BACKGAMMON, "32", "Motif"),
    Reference("branching", CHESS, "35", "Allis"),
    Reference("branching", GO, "250", "Allis"),
    Reference("branching", BACKGAMMON, "about 20", "Tesauro"),
)
"""A turn is one of one player."""

MEASURES = tuple(dict.fromkeys(reference.measure for reference in REFERENCES))


def known(measure: str, game: str) -> tuple[Reference, ...]:
    """The known values of a measure in a game.

    >>> [each.text for each in known("turns", "chess")]
    ['80']
    """
    return tuple(each for each in REFERENCES if (each.measure, each.game) == (measure, game))
