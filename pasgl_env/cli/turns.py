"""Turns of programs."""

from __future__ import annotations

from pasgl_env import players
from pasgl_env.engine.dice import Dice
from pasgl_env.engine.position import Position


def take_turn(position: Position, player: players.Player, dice: Dice) -> list[str]:
    """Let a player complete its turn, in place; return the labels played and rolled."""
    seat, turn, labels = position.to_move, position.turns, list[str]()
    while position.to_move in (seat, -1) and position.turns == turn:
        if position.is_chance:
            labels += let_chance_act(position, dice)
            continue
        action = players.choose_one(player, position)
        labels.append(position.label(action))
        position.play_action(action)
    return labels


def let_chance_act(position: Position, dice: Dice) -> list[str]:
    """Roll the dice due before a player acts, in place; return the labels."""
    labels = list[str]()
    while position.is_chance:
        labels.append(position.roll(dice))
    return labels
