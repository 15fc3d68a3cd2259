"""``pasgl watch``: show a game between two players."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Annotated

from pasgl_env.cli.arguments import (
    Delay,
    First,
    RecordFile,
    Second,
    Seed,
    Settings,
    Start,
    Variant,
    number,
    read_ruleset,
    wrong_input,
)
from pasgl_env.cli.boards import print_diagram
from pasgl_env.cli.output import say
from pasgl_env.cli.turns import ending, play_turns, recorded

if TYPE_CHECKING:
    from pasgl_env import players
    from pasgl_env.engine.dice import Dice
    from pasgl_env.engine.position import Position


def command(
    variant: Variant,
    first: First = "greedy",
    second: Second = "greedy",
    delay: Delay = None,
    turns: Annotated[
        int | None,
        number("Stop after N turns of both players together.", least=0, max=10**9),
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
      pasgl watch pasgl312 runs/mine/agent.pt greedy --turns 20
      pasgl watch pachessi --record games.pgr
    """
    with wrong_input():
        from pasgl_env.engine.dice import Dice
        from pasgl_env.engine.position import Position
        from pasgl_env.evaluation.match import make_pair

        position = Position.from_text(read_ruleset(variant, settings), start)
        pair = make_pair(variant, first, second, seed)
        if set(position.teams) != {0, 1}:
            raise ValueError(f"{variant} is not for two players")
    names = tuple(pair[team].name for team in position.teams)
    with recorded(record, position, names, seed) as labels, wrong_input():
        _watch(position, pair, turns, delay or 0.0, Dice(seed), labels)


def _watch(
    position: Position,
    pair: list[players.Player],
    turns: int | None,
    pause: float,
    dice: Dice,
    played: list[str],
) -> None:
    print_diagram(position)
    for who, player, labels in islice(play_turns(position, pair, dice, played, pause), turns):
        say(f"\n{who} ({player.name}): {', '.join(labels)}", "bold")
        print_diagram(position)
    if position.to_move is None or position.is_truncated:
        say(ending(position), "bold")
    else:
        say(f"Stopped. To continue from here: --from '{position.text}'")
