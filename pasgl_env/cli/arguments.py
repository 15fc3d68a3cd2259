"""Arguments shared by several commands, and their parsing."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pasgl_env.cli.output import out
from pasgl_env.programs import line_of
from pasgl_env.storage.files import is_special, naming
from pasgl_env.table import names

if TYPE_CHECKING:
    from pasgl_env.contract.ruleset import Ruleset


def value(metavar: str, help: str, *names: str, **more: Any) -> Any:
    """An option with a value, for which ``metavar`` stands; ``names`` if not the parameter's."""
    return typer.Option(*names, metavar=metavar, help=help, **more)


def number(help: str, *names: str, least: float = 1, **more: Any) -> Any:
    """As :func:`value`, with a number."""
    return value("N", help, *names, min=least, **more)


def flag(name: str, help: str, **more: Any) -> Any:
    """An option without a value."""
    return typer.Option(name, help=help, **more)


def complete_variant(incomplete: str) -> list[str]:
    """Tab completion of variants."""
    return [name for name in names() if name.startswith(incomplete)]


def complete_player(incomplete: str) -> list[str]:
    """Tab completion of players."""
    from pasgl_env import players

    return [name for name in (*players.names(), "ppo") if name.startswith(incomplete)]


_VARIANT = typer.Argument(
    metavar="VARIANT",
    help="A name that `pasgl variants` lists.",
    autocompletion=complete_variant,
)
Variant = Annotated[str, _VARIANT]
MaybeVariant = Annotated[str | None, _VARIANT]
PositionText = Annotated[
    str | None,
    typer.Argument(metavar="TEXT", help="Position text, in quotes; default: the start."),
]
Settings = Annotated[
    list[str] | None,
    value(
        "NAME=VALUE",
        "Set an option of the variant; `pasgl variants VARIANT` lists them. Repeat for more.",
        "--set",
    ),
]
Start = Annotated[str | None, value("TEXT", "Start from this position text, in quotes.", "--from")]
Ray = Annotated[
    str | None,
    value(
        "ADDRESS",
        "Use a Ray cluster: HOST:PORT, auto for the one that this machine belongs to, or local"
        " for one on this machine.",
        "--ray",
    ),
]
Seed = Annotated[int | None, number("Seed of the random generators; random if not given.", least=0)]
GamesSeed = Annotated[int, number("The same seed gives the same games.", "--seed", least=0)]
Threads = Annotated[int, number("Number of threads; does not change the results.")]
RecordFile = Annotated[
    Path | None,
    value("FILE", "Append the games to this record file: .pgr, .pgr.gz or .pgb.", "--record"),
]
Force = Annotated[bool, flag("--force", "Replace an existing file.")]


def check_new(file: Path, force: bool) -> None:
    """Raise ``ValueError`` if a file exists that may not be replaced."""
    if (file.is_file() or file.is_dir()) and not force:  # a device or pipe is not replaced
        raise ValueError(f"{file} exists; --force replaces it")


PLAYER_HELP = (
    "random, greedy, mcts, td, search (mcts:400 for 400 simulations, search:2s for 2 seconds),"
    " ppo, the path of a trained agent (a run's folder or a zip of Stable-Baselines3), or"
    " mine.py:NAME, a function or player in a Python file."
)
First = Annotated[
    str,
    typer.Argument(
        metavar="FIRST", help=f"The first player: {PLAYER_HELP}", autocompletion=complete_player
    ),
]
Second = Annotated[
    str, typer.Argument(metavar="SECOND", help="The opponent.", autocompletion=complete_player)
]


def out_option(usual: str = "") -> Any:
    """The option ``--out`` of commands that continue in a folder, by default ``usual``."""
    default = f"; default: {usual}" if usual else ""
    return value(
        "FOLDER",
        "Folder for the results, from which the same command continues if it was interrupted"
        f"{default}.",
        "--out",
    )


def pair_option(usual: str) -> Any:
    """The option ``--players`` of commands for two players; ``usual`` describes the default."""
    return value("A,B", f"Two players: {PLAYER_HELP} Default: {usual}.", "--players")


_DELAY, _LONGEST_DELAY = 0.5, 3600


def _checked_delay(value: float | None) -> float:
    if value is None:
        return _DELAY if out.is_terminal else 0.0
    if not 0 <= value <= _LONGEST_DELAY:
        raise typer.BadParameter(f"{value} is not from 0 to {_LONGEST_DELAY}")
    return value


Delay = Annotated[
    float | None,
    value(
        "SECONDS",
        f"Pause between turns; default: {_DELAY} in a terminal, otherwise none.",
        callback=_checked_delay,
        show_default=False,
    ),
]


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
    """Turn errors caused by the user's input, or raised in a user's program, into one line."""
    try:
        yield
    except (Exception, SystemExit) as error:
        if isinstance(error, BrokenPipeError | SystemExit) and not line_of(error):
            raise  # the reader has closed the pipe, or the command has ended
        message = _message(error)
        if message is None:
            raise
        raise WrongInput(message) from error


def _message(error: BaseException) -> str | None:
    """What to tell of an error; None if it is not caused by the user's input.

    ImportError: a trained agent may need packages that are not installed. NotImplementedError: a
    game may lack drawings, a notation or a summary. MemoryError: numbers may be huge.
    """
    if line := line_of(error):
        return f"{line}: {type(error).__name__}: {error}"
    if isinstance(error, OSError):
        return describe(error)
    if isinstance(error, MemoryError):
        return "not enough memory: ask for fewer games or less at once"
    is_input = isinstance(error, (ValueError, ImportError, NotImplementedError))
    return str(error) if is_input else None


def check_writable(*files: Path | None) -> None:
    """Check before long work, not after it, that files can be written; None for no file.

    Raises:
        OSError: if one cannot.
    """
    for file in filter(None, files):
        if is_special(file):  # to open a pipe would wait for its reader
            if not os.access(file, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(file))
        elif file.exists():
            file.open("ab").close()
        else:
            with naming(file), TemporaryFile(dir=Path(os.path.realpath(file)).parent):
                pass


def read_ruleset(variant: str, settings: list[str] | None, *, published: bool = False) -> Ruleset:
    """The ruleset given by the arguments, with the defaults of environments or of the inventor.

    Raises:
        ValueError: if one of them is invalid.
    """
    from pasgl_env.contract import variants

    options = variants.read_options(variant, settings)
    make = variants.published_ruleset if published else variants.ruleset
    return make(variant, **options)
