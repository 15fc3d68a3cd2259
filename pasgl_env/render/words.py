"""Sentences about positions of any game: the player to move, the choice, the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pasgl_env.contract.base import reaches_limit
from pasgl_env.wording import counted

if TYPE_CHECKING:
    from pasgl_env.engine.position import Position


def mover(position: Position) -> str:
    """The name of the player to act."""
    assert position.to_move is not None
    return "Chance" if position.is_chance else position.seats[position.to_move]


def sides(position: Position) -> list[str]:
    """The names of the players, or of the teams.

    >>> from pasgl_env import Position
    >>> sides(Position("pachessi", players=4))
    ['Black and Yellow', 'Green and Red']
    """
    teams = position.teams
    return [
        " and ".join(name for name, own in zip(position.seats, teams, strict=True) if own == team)
        for team in sorted(set(teams))
    ]


def question(position: Position) -> str:
    """The question for the player to act.

    >>> from pasgl_env import Position
    >>> question(Position("pasgl312"))
    'White'
    """
    if not position.in_turn:
        return mover(position)
    return f"{mover(position)}, after {', '.join(position.labels)}: {position.question}"


def turn_limit(position: Position) -> str:
    """The turn limit, which environments have and the game does not.

    >>> from pasgl_env import Position
    >>> turn_limit(Position("chieftain"))
    '400, a limit of this suite and not a rule of the game'
    >>> turn_limit(Position("chieftain", turn_limit=0))
    'none'
    """
    limit = position.turn_limit
    return f"{limit}, a limit of this suite and not a rule of the game" if limit else "none"


def cut_off(position: Position) -> str:
    """The reason why environments truncate a game."""
    if reaches_limit(position.turn_limit, position.turns):
        return f"Cut off at the turn limit, {turn_limit(position)}."
    return f"Cut off after {position.turns} turns: there is no room for a longer history."


def result(position: Position) -> str:
    """The result of a finished game.

    >>> from pasgl_env import Position
    >>> text = "8/8/8/8/8/8/8/4B3 ./././. ./. 1 b 20:0 0 3"
    >>> result(Position.from_text("pasgl312", text))
    'White wins after 3 turns, 20 to 0 points.'
    """
    assert position.returns is not None
    names = position.seats
    winners = [seat for seat, value in enumerate(position.returns) if value > 0]
    win = "win" if len(winners) > 1 else "wins"
    outcome = f"{' and '.join(names[seat] for seat in winners)} {win}" if winners else "A draw"
    points = ""
    if position.ruleset.game.has_points:
        # The winner's points come first.
        order = sorted(range(len(names)), key=lambda seat: seat not in winners)
        points = f", {' to '.join(str(position.points[seat]) for seat in order)} points"
    return f"{outcome} after {counted(position.turns, 'turn')}{points}."
