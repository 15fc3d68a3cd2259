"""Turns of players that are programs."""

from __future__ import annotations

from pasgl_env import Position, players


def take_turn(position: Position, player: players.Player) -> list[str]:
    """Let a player play its turn to the end, in place; the labels that it played."""
    seat, turn, labels = position.to_move, position.turns, list[str]()
    while position.to_move == seat and position.turns == turn:
        action = players.choose_one(player, position)
        labels.append(position.label(action))
        position.play_action(action)
    return labels
