"""The time that turns took, in comments of the form ``[%emt 0:00:12]``, as in PGN."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from pasgl_env.records.game import GameRecord

_TIME = re.compile(r"\[%emt (\d{1,4}):(\d\d):(\d\d)\]")


def with_clocks(
    record: GameRecord, times: Sequence[float | None], begun: float | None
) -> GameRecord:
    """A record with the time that each turn took, as far as it is known.

    Args:
        record: the record.
        times: when each of its choices was made, in seconds; None where nobody knows.
        begun: when all players had come, before which no time counts; None where nobody knows.
    """
    ends: list[float | None] = [begun]
    made = 0
    comments = dict(record.comments)
    for turn in record.turns():
        made += len(turn.labels)
        ends.append(times[made - 1] if made <= len(times) else None)
    for number, (before, after) in enumerate(pairwise(ends), 1):
        since = None if before is None else max(before, begun or before)
        if since is not None and after is not None and after >= since:
            minutes, seconds = divmod(round(after - since), 60)
            hours, minutes = divmod(minutes, 60)
            clock = f"[%emt {min(hours, 9999)}:{minutes:02}:{seconds:02}]"
            comments[number] = (clock, *comments.get(number, ()))
    return replace(record, comments=comments)


def seconds_of(record: GameRecord) -> dict[int, int]:
    """The seconds that turns took, by their number from 0, as far as comments state them."""
    found = {}
    for played, texts in record.comments.items():
        for text in texts:
            if time := _TIME.search(text):
                hours, minutes, seconds = map(int, time.groups())
                found[played - 1] = 3600 * hours + 60 * minutes + seconds
    return found


def without_clocks(text: str) -> str:
    """A comment without the time in it."""
    return _TIME.sub("", text).strip()
