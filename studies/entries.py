"""Files of results: JSON objects of dataclasses, with an entry on each line.

The results on ``docs/results/NAME.md`` are kept in ``studies/NAME.json``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from pasgl_env.benchmark.protocol import values_of
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.storage.files import write_whole

PAGES = Path("docs/results")
"""Folder of the pages."""
Entry = TypeVar("Entry")


def entries_file(page: Path) -> Path:
    """The file of a page's results: in ``studies``; beside a page that is not in :data:`PAGES`.

    >>> entries_file(Path("docs/results/ladder.md")).as_posix()
    'studies/ladder.json'
    >>> entries_file(Path("runs/ladder.md")).as_posix()
    'runs/ladder.json'
    """
    folder = Path("studies") if page.parent == PAGES else page.parent
    return folder / f"{page.stem}.json"


def read_entries(file: Path, what: str, entry: Callable[[Any], Entry]) -> dict[str, Entry]:
    """The entries of a file; none if it does not exist.

    Args:
        file: the file.
        what: what the entries are, for the message.
        entry: makes an entry of its JSON.

    Raises:
        ValueError: if it is not a file of such entries.
    """
    if not file.exists():
        return {}
    try:
        return {name: entry(each) for name, each in json.loads(file.read_bytes()).items()}
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"{file} is not a file of {what}: move it away") from error


def write_entries(
    file: Path, entries: Mapping[str, Any], order: Iterable[str] | None = None
) -> None:
    """Write dataclasses, each on a line of its own; with an order, those that it names."""
    names = entries if order is None else [name for name in order if name in entries]
    lines = (f"{json.dumps(name)}: {json.dumps(asdict(entries[name]))}" for name in names)
    write_whole(file, ("{\n" + ",\n".join(lines) + "\n}\n").encode())


def check_names(names: Iterable[str], known: Sequence[str], what: str) -> None:
    """Check names that were given to a study.

    >>> check_names(["chess"], ["pasgl312", "spalding"], "variant")
    Traceback (most recent call last):
    ...
    ValueError: no variant 'chess': pasgl312, spalding

    Args:
        names: the names.
        known: those that there are.
        what: a word for one of them.

    Raises:
        ValueError: for the first one that is not known.
    """
    for name in names:
        if name not in known:
            raise ValueError(f"no {what} {name!r}: {', '.join(known)}")


def commands(study: str, minutes: Mapping[str, float]) -> str:
    """The commands that measured some names, as a block of Markdown.

    >>> print(commands("ladder", {"pasgl312": 12.0, "spalding": 12.0, "chieftain": 2.5}))
        python -m studies.ladder pasgl312 spalding --minutes 12
        python -m studies.ladder chieftain --minutes 2.5

    Args:
        study: the module.
        minutes: those of each name.
    """
    together: dict[float, list[str]] = {}
    for name, each in minutes.items():
        together.setdefault(each, []).append(name)
    return "\n".join(
        f"    python -m studies.{study} {' '.join(names)} --minutes {each:g}"
        for each, names in together.items()
    )


def values_now(ruleset: Ruleset) -> str:
    """A digest of the values that ``td`` and ``search`` play by now; empty if there are none."""
    return values_of("td", ruleset) or ""


def are_replaced(values: str, ruleset: Ruleset) -> bool:
    """Whether others have replaced the values by which something was measured.

    Args:
        values: their digest, as of :func:`values_now`; empty if it measured none.
        ruleset: the rules that they are for.
    """
    return bool(values) and values != values_now(ruleset)
