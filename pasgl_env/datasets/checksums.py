"""The checksums of a data set, in a file for ``sha256sum -c``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from pasgl_env.storage.files import sha256_of
from pasgl_env.storage.runs import BadRun

CHECKSUMS = "checksums.txt"
_LINE = re.compile("([0-9a-f]{64})  (.+)")


def checked_sums(folder: Path, under: str = "") -> dict[str, str]:
    """The checksums that a run has written, by the names of files, which are read to compare them.

    A run writes them at its end, so after an interruption the newer files have none yet.

    Args:
        folder: of the data set.
        under: only files whose names begin so.

    Raises:
        BadRun: if a file is missing or another one, or the checksums are damaged.
        OSError: if a file cannot be read.
    """
    sums = {
        name: digest for name, digest in _read(folder / CHECKSUMS).items() if name.startswith(under)
    }
    for name, digest in sums.items():
        file = folder / name
        if not file.is_file():
            raise BadRun(f"{file} is missing: restore it, or give another folder")
        if sha256_of(file) != digest:
            raise BadRun(
                f"{file} is damaged, by its checksum in {CHECKSUMS}: restore it, or give another"
                " folder"
            )
    return sums


def _read(file: Path) -> dict[str, str]:
    lines = file.read_text("utf-8", "replace").splitlines() if file.exists() else []
    found = [_LINE.fullmatch(line) for line in lines]
    if not all(found):
        raise BadRun(
            f"{file}, line {found.index(None) + 1} is not a SHA-256 and the name of a file:"
            " restore it, or give another folder"
        )
    return {each[2]: each[1] for each in found if each}


def written(folder: Path, files: Iterable[Path], known: Mapping[str, str]) -> str:
    """The content of the file of checksums; those of ``known`` are not made again."""
    names = {file.relative_to(folder).as_posix(): file for file in files}
    return "".join(f"{known.get(name) or sha256_of(names[name])}  {name}\n" for name in names)
