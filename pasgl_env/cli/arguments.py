"""Arguments shared by several commands, and their parsing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from pasgl_env import players
from pasgl_env.contract import variants
from pasgl_env.contract.game import environment_values
from pasgl_env.engine.position import Position


def complete_variant(incomplete: str) -> list[str]:
    """Tab completion of variants."""
    return [name for name in variants.names() if name.startswith(incomplete)]


def complete_player(incomplete: str) -> list[str]:
    """Tab completion of players."""
    return [name for name in (*players.names(), "ppo") if name.startswith(incomplete)]


Variant = Annotated[
    str,
    typer.Argument(
        metavar="VARIANT",
        help="A name that `pasgl variants` lists.",
        autocompletion=complete_variant,
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Set an option of the variant; `pasgl variants VARIANT` lists them. Repeat for more.",
    ),
]
Start = Annotated[
    str | None,
    typer.Option("--from", metavar="TEXT", help="Start from this position text, in quotes."),
]
OpeningSet = Annotated[
    str | None,
    typer.Option(
        "--openings",
        metavar="FILE",
        help="Begin pairs of games at these positions in turn: a file with a position text on each"
        " line, or records, whose last positions are used. `shipped`: the package's own positions;"
        " `even`: random ones that a search finds about even.",
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(min=0, metavar="N", help="Seed of the random generators; random if not given."),
]
GamesSeed = Annotated[
    int, typer.Option("--seed", min=0, metavar="N", help="The same seed gives the same games.")
]
Threads = Annotated[
    int, typer.Option(min=1, metavar="N", help="Number of threads; does not change the results.")
]
RecordFile = Annotated[
    Path | None,
    typer.Option(
        "--record",
        metavar="FILE",
        help="Append the games to this record file: .pgr, .pgr.gz or .pgb.",
    ),
]
PLAYER_HELP = (
    "random, greedy, mcts, td, search (mcts:400 for 400 simulations, search:2s for 2 seconds),"
    " ppo, or the path of a trained agent."
)


def called() -> list[str]:
    """The command as it was typed."""
    return [Path(sys.argv[0]).name, *sys.argv[1:]]


class WrongInput(typer.TyperException):
    """The user's input is wrong; the message says how."""

    exit_code = 2


def describe(error: OSError) -> str:
    """The file that could not be read or written, and the reason."""
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename else reason


@contextmanager
def wrong_input() -> Iterator[None]:
    """Turn errors caused by the user's input into one line.

    ImportError: a trained agent may need packages that are not installed. NotImplementedError: a
    game may lack drawings, a notation or a summary. MemoryError: numbers may be huge.
    """
    try:
        yield
    except BrokenPipeError:
        raise  # the reader has closed the pipe
    except OSError as error:
        raise WrongInput(describe(error)) from error
    except MemoryError as error:
        raise WrongInput("not enough memory: ask for fewer games or less at once") from error
    except (ValueError, ImportError, NotImplementedError) as error:
        raise WrongInput(str(error)) from error


def read_position(
    variant: str, text: str | None, settings: list[str] | None, *, to_play: bool = False
) -> Position:
    """The position given by the arguments, or the start; to play, with environments' defaults.

    Raises:
        ValueError: if one of them is invalid.
    """
    options = variants.read_options(variant, settings)
    if to_play:
        options = environment_values(variants.find(variant), options)
    if text is None:
        return Position(variant, **options)
    return Position.from_text(variant, text, **options)
