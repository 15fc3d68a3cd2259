"""Execute notebooks and keep their outputs: ``python -m notebooks.execute``.

To be done after every change of a cell: a test compares the digest of the cells with that of those
from which the outputs came.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

import nbformat
import typer
from nbclient import NotebookClient
from nbformat import NotebookNode

from pasgl_env.cli.arguments import wrong_input
from pasgl_env.cli.complaints import program
from pasgl_env.cli.output import say
from pasgl_env.storage.files import write_whole

FOLDER = Path(__file__).parent
FILES = tuple(sorted(FOLDER.glob("*.ipynb")))
PARAMETERS = "parameters"
"""Tag of the cells whose assignments can be replaced."""

_SECONDS = 1800  # for a cell, on a slow machine
_KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
_COMPILING = re.compile(r"(pasgl_env: compil.*\n?)*")


class Disturbed(ValueError):
    """A notebook wrote to the standard error stream, which readers would be puzzled by."""


def read(file: Path) -> NotebookNode:
    """The notebook in a file."""
    return nbformat.read(file, as_version=nbformat.current_nbformat)


def execute(notebook: NotebookNode, parameters: Mapping[str, Any] | None = None) -> None:
    """Execute a notebook in place, in a kernel of its own.

    Args:
        notebook: what to execute.
        parameters: values by names that the cells with the tag ``parameters`` assign, to be taken
            instead of those written there.

    Raises:
        CellExecutionError: if a cell raises an error.
        ValueError: if a parameter is assigned in no such cell.
    """
    for name, value in (parameters or {}).items():
        _assign(notebook, name, value)
    NotebookClient(
        notebook,
        timeout=_SECONDS,
        kernel_name=_KERNEL["name"],
        extra_arguments=["--IPKernelApp.log_level=40"],  # no warnings of the kernel's own
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": FOLDER}},
    ).execute()


def tidy(notebook: NotebookNode) -> None:
    """Leave out what differs from machine to machine, and note what the outputs came from.

    Raises:
        Disturbed: if a cell wrote to the standard error stream, other than that rules are compiled.
    """
    for cell in _code(notebook):
        cell.outputs = [output for output in cell.outputs if not _is_of_compiling(output)]
        for output in cell.outputs:
            if output.get("name") == "stderr":
                raise Disturbed(f"a cell wrote to the standard error stream: {output.text}")
    notebook.metadata = NotebookNode(
        kernelspec=_KERNEL, language_info={"name": "python"}, executed=digest(notebook)
    )


def digest(notebook: NotebookNode) -> str:
    """What tells a notebook's code from another's."""
    return sha256("\0".join(cell.source for cell in _code(notebook)).encode()).hexdigest()[:16]


def _code(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def _assign(notebook: NotebookNode, name: str, value: Any) -> None:
    found = 0
    for cell in _code(notebook):
        if PARAMETERS in cell.metadata.get("tags", ()):
            cell.source, times = re.subn(rf"(?m)^{name} = .*$", f"{name} = {value!r}", cell.source)
            found += times
    if found != 1:
        raise ValueError(f"{name} is assigned {found} times in cells tagged {PARAMETERS}, not once")


def _is_of_compiling(output: NotebookNode) -> bool:
    return output.get("name") == "stderr" and _COMPILING.fullmatch(output.text) is not None


def main(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME...]", help="Default: all.")
    ] = None,
) -> None:
    """Execute notebooks, and write each when it is done."""
    files = {file.stem: file for file in FILES}
    with wrong_input():
        if unknown := set(names or ()) - set(files):
            raise ValueError(f"no notebook {unknown.pop()!r}: there are {', '.join(files)}")
        for name in names or files:
            say(f"{name} ...")
            notebook = read(files[name])
            execute(notebook)
            tidy(notebook)
            write_whole(files[name], f"{nbformat.writes(notebook)}\n".encode())


app = program(main)

if __name__ == "__main__":
    app()
