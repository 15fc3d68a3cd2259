"""``pasgl cache``: compile all games at once, and take the code to other machines."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Literal, get_args

import typer

from pasgl_env.cli.arguments import Force, check_new, wrong_input
from pasgl_env.cli.output import say
from pasgl_env.cli.progress import Report, progress_bar
from pasgl_env.storage.files import write_whole
from pasgl_env.wording import counted

PARTS = "rules", "playtests", "td", "search:2", "training", "greedy", "mcts:2", "random"
"""What is compiled of a game, each after what it has in common with others."""


def command(
    action: Annotated[
        Literal["build", "export", "import"],
        typer.Argument(metavar="build|export|import", show_default=False),
    ],
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="To write (export) or to read (import)."),
    ] = None,
    force: Force = False,
) -> None:
    r"""Compile all games at once, and take the code to other machines.

    build compiles what has not been compiled: batches, positions, players, playtests and training
    of every game, for any processor of this kind. export writes all compiled code to a file, and
    import takes it from there, for the same versions of Python and Numba. Code from a file can do
    anything on your machine: import only what you or somebody you trust has exported.

    \b
    Examples:
      pasgl cache build
      pasgl cache export code.tar.xz
      pasgl cache import code.tar.xz
    """
    with wrong_input():
        from pasgl_env.jit import archive
        from pasgl_env.jit.compiled import cache_folder

        if (file is None) != (action == "build"):
            raise ValueError("export and import take a FILE, build takes none")
        folder = cache_folder()
        if folder is None:
            raise ValueError("there is no folder to keep compiled code in: set PASGL_CACHE_DIR")
        if file is None:
            with progress_bar() as report:
                build(report)
            say(f"All games are compiled: {folder}")
        elif action == "export":
            check_new(file, force)
            content = archive.packed(folder)
            write_whole(file, content)
            say(f"{file}: {len(content) / 1e6:.1f} MB")
        else:
            count = archive.unpack(archive.read(file), folder)
            say(f"{folder}: {counted(count, 'new file')}")


def build(report: Report = lambda done, text: None) -> None:
    """Compile all games for the baseline processor, in a process for each processor."""
    from pasgl_env.contract import variants
    from pasgl_env.jit.compiled import compile_quietly
    from pasgl_env.jit.processor import baseline

    usual = baseline()
    if usual is not None:
        os.environ.update(usual.settings)
    # Part by part, so that processes rarely compile what parts of one game have in common.
    names = [(variant, part) for part in PARTS for variant in one_of_each_game()]
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn"), compile_quietly) as pool:
        compiled = pool.map(_compile_part, *zip(*names, strict=True))
        for number, (variant, part) in enumerate(names):
            report(number / len(names), f"Compiling {variants.find(variant).title}: {part}")
            next(compiled)


def one_of_each_game() -> list[str]:
    """The first variant of each game: the others share its rules."""
    from pasgl_env.contract import variants

    names = variants.loadable()
    return list({variants.find(name).cache_name: name for name in names[::-1]}.values())[::-1]


def compile_game(variant: str) -> None:
    """Compile a game's rules, players, training and counters."""
    for part in PARTS:
        _compile_part(variant, part)


def _compile_part(variant: str, part: str) -> None:
    from pasgl_env import players, render
    from pasgl_env.contract import variants
    from pasgl_env.engine.batch import Batch
    from pasgl_env.engine.loops import Use, loops_of
    from pasgl_env.engine.position import Position
    from pasgl_env.engine.threads import GAMES_WORTH_A_THREAD
    from pasgl_env.playtest import assessment, counting
    from pasgl_env.training.td.loops import loop_of

    game = variants.find(variant)
    position = Position(variant, **game.environment_options)
    render.rehearse(position)
    with suppress(NotImplementedError):  # by a game without features
        match part:
            case "rules":
                for use in get_args(Use):
                    loops_of(game, use)
                position.perft(1)
                batch = Batch(variant, 2 * GAMES_WORTH_A_THREAD, threads=2)
                batch.step(batch.sample())
            case "playtests":
                counting.loop_of(game)
                assessment.loop_of(game)
            case "training":
                loop_of(game)
            case player:
                players.choose_one(players.make(player, variant, seed=1), position)
