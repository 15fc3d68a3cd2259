"""``pasgl check-game``: check that a game keeps the contract."""

from __future__ import annotations

from typing import Annotated

import typer

from pasgl_env.cli.arguments import Variant, number, wrong_input
from pasgl_env.cli.output import err, say


def command(
    variant: Variant,
    seconds: Annotated[
        float, number("Seconds of random games as plain Python.", least=0.1, max=86_400)
    ] = 20.0,
    seed: Annotated[int, number("Seed of these games.", least=0)] = 0,
) -> None:
    r"""Check that a game's rules and texts keep the contract.

    For authors of games: it checks the game's declaration, plays random games under each option
    with array bounds checked, and plays them again compiled. The exit code is 1 for a fault.

    \b
    Examples:
      pasgl check-game stones
      pasgl check-game pasgl312 --seconds 120 --seed 7
    """
    with wrong_input():
        from pasgl_env import testing

        try:
            testing.check_game(variant, seconds=seconds, seed=seed)
        except testing.GameFault as fault:
            err.print(f"{variant} breaks the contract: {fault}", soft_wrap=True, markup=False)
            raise typer.Exit(1) from None
    say(f"{variant} keeps the contract.")
