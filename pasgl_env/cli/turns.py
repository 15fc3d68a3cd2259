"""Games in the terminal: turns of programs, and records."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from pasgl_env.cli.arguments import wrong_input

if TYPE_CHECKING:
    from pasgl_env import players
    from pasgl_env.engine.dice import Dice
    from pasgl_env.engine.position import Position


def take_turn(
    position: Position, player: players.Player, dice: Dice, played: list[str]
) -> list[str]:
    """Let a player complete its turn, in place; return the labels played and rolled.

    Each is appended to ``played`` at once: a turn may be interrupted.
    """
    from pasgl_env import players

    seat, turn, begun = position.to_move, position.turns, len(played)
    while position.to_move in (seat, -1) and position.turns == turn:
        if position.is_chance:
            let_chance_act(position, dice, played)
            continue
        action = players.choose_one(player, position)
        label = position.label(action)
        position.play_action(action)
        played.append(label)
    return played[begun:]


def let_chance_act(position: Position, dice: Dice, played: list[str]) -> list[str]:
    """Roll the dice due before a player acts or the turn ends, as :func:`take_turn`."""
    turn, begun = position.turns, len(played)
    while position.is_chance and position.turns == turn:
        played.append(position.roll(dice))
    return played[begun:]


def play_turns(
    position: Position,
    pair: Sequence[players.Player],
    dice: Dice,
    played: list[str],
    pause: float = 0.0,
) -> Iterator[tuple[str, players.Player, list[str]]]:
    """Let two players end a game, as :func:`take_turn`; yield seat, player and labels of each."""
    from pasgl_env.render.words import mover

    while position.to_move is not None and not position.is_truncated:
        time.sleep(pause)
        begun = len(played)
        while position.is_chance:
            let_chance_act(position, dice, played)
        who, player = mover(position), pair[position.teams[position.to_move]]
        take_turn(position, player, dice, played)
        yield who, player, played[begun:]


def ending(position: Position) -> str:
    """The result of a game that is over or truncated, as a sentence."""
    from pasgl_env.render.words import cut_off, result

    return result(position) if position.is_over else cut_off(position)


@contextmanager
def recorded(
    file: Path | None, start: Position, players: tuple[str, ...], seed: int | None
) -> Iterator[list[str]]:
    """Append a game to a file, however it ends.

    Yields:
        A list for the labels played and rolled.
    """
    from pasgl_env.jit.interrupts import deferred_signals
    from pasgl_env.records import GameRecord, RecordWriter

    labels = list[str]()
    if file is None:
        yield labels
        return
    begun = start.copy()
    with wrong_input():
        writer = RecordWriter(file, append=True)
    try:
        yield labels
    finally:
        with wrong_input(), deferred_signals(), writer:  # a second interrupt would lose the game
            if labels:
                today = date.today().isoformat()
                writer.write(GameRecord.of(begun, labels, players=players, seed=seed, date=today))
