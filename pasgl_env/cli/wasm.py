"""``pasgl wasm``: compile a game's rules for browsers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pasgl_env.cli.arguments import Settings, Variant, read_ruleset, value, wrong_input
from pasgl_env.cli.output import say


def command(
    variant: Variant,
    folder: Annotated[Path, value("FOLDER", "Write the files into this folder.", "--out")],
    options: Settings = None,
) -> None:
    r"""Compile a game's rules and players to WebAssembly, for browsers and Node.

    It writes a module, which variants that share their rules have in common, the variant's
    description and learned values, and glue.js and players.js, which play with these. It takes
    about a minute.

    \b
    Examples:
      pasgl wasm pasgl312 --out site
      pasgl wasm pachessi --out site --set players=4
    """
    with wrong_input():
        from pasgl_env.wasm.build import write

        for file in write(read_ruleset(variant, options), folder):
            say(f"{file}: {file.stat().st_size / 1000:.1f} kB")
