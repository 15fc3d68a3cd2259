"""Reading the files of data sets; one that is not as it should be is refused, by its name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.datasets.rows import arrow, player_of, ruleset_of, schema

_MAY_LACK = ("visits", "values")
"""Columns that are null where nothing was searched."""


def read_rows(files: Sequence[Path], columns: Sequence[str] | None = None) -> Any:
    """The rows of some files of one data set, a ``pyarrow.Table``.

    Args:
        files: one or more.
        columns: the columns to read, ``legal`` among them if others are lists; None for all.

    Raises:
        ImportError: without pyarrow.
        OSError: if a file cannot be opened.
        ValueError: if a file is damaged, has other columns or values than :func:`schema` and the
            rules allow, or other rules or another player than the first.
    """
    with _opened(files[0]) as opened:
        first = opened.schema_arrow
        ruleset, _ = ruleset_of(first), player_of(first)
    tables, names = [], list(columns or _columns(ruleset))
    for file in files:
        with _opened(file) as opened:
            _check_alike(opened.schema_arrow, first, files[0])
            _check_schema(opened.schema_arrow, ruleset)
            tables.append(opened.read(names).select(names))
            _check_values(tables[-1], ruleset)
    return arrow().concat_tables(tables)


def count_rows(file: Path) -> int:
    """The number of rows in a file, by its footer; errors as :func:`read_rows`."""
    with _opened(file) as opened:
        _check_schema(opened.schema_arrow, ruleset_of(opened.schema_arrow))
        return int(opened.metadata.num_rows)


@contextmanager
def _opened(file: Path) -> Iterator[Any]:
    """A file as a ``pyarrow.parquet.ParquetFile``; errors within the context name it."""
    errors = ValueError, OSError, arrow().ArrowException
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(file, pre_buffer=True) as opened:
            yield opened
    except MemoryError:  # pyarrow's is one of its errors, too
        raise
    except errors as error:
        # pyarrow's errors about content are OSError, too, but without a number of the system.
        if isinstance(error, OSError) and error.errno is not None:
            raise
        reason = str(error).partition("\n")[0]
        raise ValueError(f"{file} cannot be read as a file of a data set: {reason}") from error


def _check_alike(found: Any, first: Any, first_file: Path) -> None:
    """Check that a file is of the same rules and player as the first one."""
    if found.metadata == first.metadata:  # reading the rules takes long
        return
    own, other = (
        f"{ruleset_of(each)}, played by {player_of(each) or 'several'}" for each in (found, first)
    )
    if own != other:
        raise ValueError(f"it is of {own}, but {first_file} of {other}")


def _check_schema(found: Any, ruleset: Ruleset) -> None:
    """Check that a file has all columns, of the right types; others are not read."""
    for name, kind in _columns(ruleset).items():
        if found.names.count(name) != 1:
            raise ValueError(f"it must have one column {name}")
        if found.field(name).type != kind:
            raise ValueError(f"its column {name} is of type {found.field(name).type}, not {kind}")


def _columns(ruleset: Ruleset) -> dict[str, Any]:
    """The types of the columns."""
    return {each.name: each.type for each in schema(ruleset)}


def _check_values(table: Any, ruleset: Ruleset) -> None:
    """Check that columns have values where they must, and only such as the rules allow."""
    from pyarrow import compute

    bounds = _bounds(ruleset)
    for name in table.column_names:
        column = table[name]
        is_list = arrow().types.is_list(column.type)
        values = compute.list_flatten(column) if is_list else column
        if values.null_count or (column.null_count and name not in _MAY_LACK):
            raise ValueError(f"its column {name} has nulls, where values must be")
        if is_list and _differs(table["legal"], column):
            raise ValueError(f"its column {name} must have a value for each legal action")
        if name in bounds:
            _check_range(name, compute.min_max(values).as_py(), *bounds[name])


def _differs(legal: Any, lists: Any) -> bool:
    """Whether lists, but for those that are null, have other lengths than the legal actions."""
    from pyarrow import compute

    lengths = map(compute.list_value_length, (legal, lists))
    return bool(compute.any(compute.not_equal(*lengths)).as_py())


def _bounds(ruleset: Ruleset) -> dict[str, tuple[int, int]]:
    """The least and the largest value of columns."""
    actions = 0, ruleset.spaces.actions - 1
    return {
        "player": (0, len(ruleset.teams) - 1),
        "legal": actions,
        "action": actions,
        "outcome": (-1, 1),
    }


def _check_range(name: str, found: dict[str, int | None], least: int, most: int) -> None:
    low, high = found["min"], found["max"]
    if low is not None and high is not None and not least <= low <= high <= most:
        raise ValueError(
            f"its column {name} has values from {low} to {high}, but they must be from {least} to"
            f" {most}"
        )
