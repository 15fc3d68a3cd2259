"""Records of games played in the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from pasgl_env.cli.arguments import wrong_input
from pasgl_env.engine.position import Position
from pasgl_env.records import GameRecord, RecordWriter


@contextmanager
def recorded(
    file: Path | None, start: Position, players: tuple[str, ...], seed: int | None
) -> Iterator[list[str]]:
    """Append a game to a file, however it ends.

    Yields:
        A list for the labels played and rolled.
    """
    labels = list[str]()
    if file is None:
        yield labels
        return
    begun = start.copy()
    with wrong_input():
        writer = RecordWriter(file, append=True)
    with writer:
        try:
            yield labels
        finally:
            if labels:
                today = date.today().isoformat()
                writer.write(GameRecord.of(begun, labels, players=players, seed=seed, date=today))
