"""``pasgl watch``: show a game between two players."""

from __future__ import annotations

import time
from itertools import count
from typing import Annotated

import typer

from pasgl_env import players
from pasgl_env.cli.arguments import (
    PLAYER_HELP,
    RecordFile,
    Seed,
    Settings,
    Start,
    Variant,
    complete_player,
    read_position,
    wrong_input,
)
from pasgl_env.cli.output import out, print_diagram, say
from pasgl_env.cli.recording import recorded
from pasgl_env.cli.turns import let_chance_act, take_turn
from pasgl_env.engine.dice import Dice
from pasgl_env.engine.position import Position
from pasgl_env.evaluation.match import make_pair
from pasgl_env.render.words import cut_off, mover, result

_DELAY = 0.5
_LONGEST_DELAY = 3600


def _seconds(value: float | None) -> float | None:
    if value is not None and not 0 <= value <= _LONGEST_DELAY:
        raise typer.BadParameter(f"{value} is not from 0 to {_LONGEST_DELAY}")
    return value


def command(
    variant: Variant,
    first: Annotated[
        str,
        typer.Argument(
            metavar="FIRST",
            help=f"The player in the first seat: {PLAYER_HELP}",
            autocompletion=complete_player,
        ),
    ] = "greedy",
    second: Annotated[
        str, typer.Argument(metavar="SECOND", help="The opponent.", autocompletion=complete_player)
    ] = "greedy",
    delay: Annotated[
        float | None,
        typer.Option(
            callback=_seconds,
            metavar="SECONDS",
            help=f"Pause between turns; default: {_DELAY} in a terminal, otherwise none.",
            show_default=False,
        ),
    ] = None,
    plies: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="Stop after N turns of both players together."),
    ] = None,
    seed: Seed = None,
    start: Start = None,
    record: RecordFile = None,
    settings: Settings = None,
) -> None:
    r"""Watch a game between two players.

    The game ends by its rules, or at the option turn_limit.

    \b
    Examples:
      pasgl watch pasgl312
      pasgl watch pasgl312 greedy random --delay 2 --seed 1
      pasgl watch pasgl312 runs/mine/agent.pt greedy --plies 20
      pasgl watch pachessi --record games.pgr
    """
    with wrong_input():
        position = read_position(variant, start, settings, to_play=True)
        pair = make_pair(variant, first, second, seed)
        if set(position.teams) != {0, 1}:
            raise ValueError(f"{variant} is not for two players")
    pause = delay if delay is not None else _DELAY if out.is_terminal else 0.0
    names = tuple(pair[team].name for team in position.teams)
    with recorded(record, position, names, seed) as labels:
        _watch(position, pair, plies, pause, Dice(seed), labels)


def _watch(
    position: Position,
    pair: list[players.Player],
    plies: int | None,
    pause: float,
    dice: Dice,
    played: list[str],
) -> None:
    print_diagram(position)
    for ply in count():
        if position.to_move is None:
            say(result(position), "bold")
            return
        if position.is_truncated:
            say(cut_off(position), "bold")
            return
        if ply == plies:
            say(f"Stopped. To continue from here: --from '{position.text}'")
            return
        time.sleep(pause)
        rolled = let_chance_act(position, dice)
        who, player = mover(position), pair[position.teams[position.to_move]]
        labels = rolled + take_turn(position, player, dice)
        played += labels
        say(f"\n{who} ({player.name}): {', '.join(labels)}", "bold")
        print_diagram(position)
