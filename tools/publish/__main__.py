"""The command ``python -m tools.publish``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pasgl_env.cli.arguments import wrong_input
from pasgl_env.cli.complaints import program
from pasgl_env.cli.output import say
from pasgl_env.players.trained import SHIPPED
from pasgl_env.players.values.weights import FILE
from tools.publish import CARDS, agents, values


def main(
    run: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder of a training run.")],
    name: Annotated[
        str | None, typer.Option("--as", metavar="NAME", help="A name; default: the variant's.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Seed of the games.")] = 1000,
) -> None:
    """Measure the player of a run, and add it and its card to the shipped ones."""
    with wrong_input():
        if not (run / FILE).exists():
            say(agents.publish(run, name, agents.GAMES, seed, SHIPPED, CARDS).read_text())
        elif any(each.verdict != "H1" for each in values.publish(run, name, seed)):
            say("Not accepted: the old values stay.")


app = program(main)

if __name__ == "__main__":
    app()
