"""A process that thinks for the server: one task at a time, one line of JSON per result.

:mod:`pasgl_env.web.pool` starts it, with the files of exact values as arguments. A line of
input is a task or, while a task is running, ``{"stop": true}``. Every line of output belongs to the
current task; the last one has ``done``.
"""

from __future__ import annotations

import gzip
import json
import os
import queue
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

import numpy as np

from pasgl_env import players, render
from pasgl_env.animation import film_of
from pasgl_env.contract.events import sentences
from pasgl_env.dangers import dangers
from pasgl_env.engine.position import Position
from pasgl_env.players.search.analysis import Analysis, Line, analyse
from pasgl_env.records import RecordError, read_records
from pasgl_env.records.clocks import with_clocks
from pasgl_env.records.files import COMPRESSED
from pasgl_env.records.text_writer import write_game
from pasgl_env.solving.table import ValueTable
from pasgl_env.web.live_game import LONGEST_GAME, fields_of, record_of

MOST_MEMORY = 8 * 2**30
"""Limit of the address space in bytes, far more than a search uses; it stops runaway searches."""
MOST_GAMES = 1000
MOST_CHOICES = 200_000
MOST_LINES = 12
SHORT_LOOK = 0.05
LEAST_VISITS = 300
JUDGED = 0.5
LONGEST_LINE = 6

Found = Iterator[dict[str, Any]]


def main() -> None:
    """Carry out tasks until the input ends."""
    _limit_memory()
    # Keep other output from getting between the lines.
    out, sys.stdout = sys.stdout, sys.stderr
    tasks: queue.Queue[dict[str, Any]] = queue.Queue()
    stop = threading.Event()
    threading.Thread(target=_read, args=(sys.stdin, tasks, stop), daemon=True).start()
    with suppress(BrokenPipeError):  # the server has gone
        while True:
            task = tasks.get()
            stop.clear()
            _work(task, stop, out)


def _limit_memory() -> None:
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def _read(stream: IO[str], tasks: queue.Queue[dict[str, Any]], stop: threading.Event) -> None:
    for line in stream:
        message = json.loads(line)
        if "stop" in message:
            stop.set()
        else:
            tasks.put(message)
    os._exit(0)  # the server has gone, so the current task has no reader


def _work(task: dict[str, Any], stop: threading.Event, out: IO[str]) -> None:
    last: dict[str, Any] = {"done": True}
    try:
        for found in TASKS[task["task"]](task):
            out.write(json.dumps(found) + "\n")
            out.flush()
            if stop.is_set():
                break
    except BrokenPipeError:
        raise
    except (ValueError, NotImplementedError, OSError, ImportError, MemoryError) as error:
        last["error"] = str(error) or type(error).__name__
    out.write(json.dumps(last) + "\n")
    out.flush()


@lru_cache(maxsize=8)
def _player(name: str, variant: str) -> players.Player:
    return players.make(name, variant)


def _choose(task: dict[str, Any]) -> Found:
    """Report the choice of a player."""
    player = _player(task["player"], task["variant"])
    yield {"action": players.choose_one(player, record_of(task).final)}


def _check(task: dict[str, Any]) -> Found:
    """Check that a player exists for a variant; a trained agent is loaded for it."""
    yield {"name": _player(task["player"], task["variant"]).name}


@lru_cache(maxsize=1)
def _tables() -> list[ValueTable]:
    """The tables of exact values, read when first needed."""
    return [ValueTable.load(file) for file in sys.argv[1:]]


def _analysed(position: Position, every: float, seed: int | None = None) -> Iterator[Analysis]:
    return analyse(position, seed=seed, every=every, tables=_tables())


def _analyse(task: dict[str, Any]) -> Found:
    """Search a position, and report the candidates until stopped or finished."""
    position = record_of(task).final
    for seen in _analysed(position, task["every"]):
        yield {
            "visits": seen.visits,
            "value": _number(seen.value),
            "lines": [_described(position, line) for line in seen.lines[:MOST_LINES]],
            "expected": list(seen.expected),
            "basis": seen.basis,
        }
        if seen.visits >= task["visits"]:
            return


def _hint(task: dict[str, Any]) -> Found:
    """A good action, and what happens if all play well, up to a roll."""
    position = record_of(task).final
    seen, asking = _looked(position, task["seconds"]), _before(task)
    you = () if asking.to_move is None or asking.is_chance else (asking.to_move,)
    after, line = position.copy(), list[dict[str, Any]]()
    for label in _line(seen)[:LONGEST_LINE]:
        action = after.action(label)
        mover = after.to_move
        events = sentences(after.effects(action), position.seats, you)
        words = after.describe(action).words
        line.append({"seat": mover, "label": label, "words": words, "events": events})
        after.play_action(action)
    best = position.describe(seen.lines[0].action)
    piece = best.piece.name if best.piece else ""
    found = {"piece": piece, "origin": best.origin, "target": best.target}
    yield {**found, "line": line, "value": _number(seen.value)}


def _judge(task: dict[str, Any]) -> Found:
    """What a turn lost, for the player who made it, against the turn that the search expects."""
    after = record_of(task).final
    before = _before(task)
    assert before.to_move is not None
    side = 1 if before.teams[before.to_move] == before.teams[0] else -1
    best = _expected(before)
    # The program's own turn loses nothing, whatever another look says.
    lost = 0.0 if best.text == after.text else _value(best, JUDGED) - _value(after, JUDGED)
    yield {"lost": side * lost}


def _before(task: dict[str, Any]) -> Position:
    """The position before the actions that are tried."""
    return record_of({**task, "choices": task["choices"][: task["before"]]}).final


def _line(seen: Analysis) -> tuple[str, ...]:
    """Labels of the expected line of play; of the best action alone, if it begins otherwise."""
    best = (seen.lines[0].label,)
    return seen.expected if seen.expected[:1] == best else best


def _expected(position: Position) -> Position:
    """The position after the turn that a search expects, as far as it looked."""
    seen, after = _looked(position, JUDGED), position.copy()
    for label in _line(seen):
        after.play(label)
        if after.is_over or after.is_chance or after.turns != position.turns:
            break
    return after


def _dangers(task: dict[str, Any]) -> Found:
    """What threatens after each action of the player to act."""
    position = record_of(task).final
    found = ((each.action, each.in_words(position)) for each in dangers(position))
    yield {"dangers": {position.label(action): lines for action, lines in found if lines}}


def _described(position: Position, line: Line) -> dict[str, Any]:
    action = position.describe(line.action)
    names = ("label", "words", "origin", "target")
    fields = {name: getattr(action, name) for name in names}
    return {**fields, "visits": line.visits, "value": _number(line.value)}


def _evaluate(task: dict[str, Any]) -> Found:
    """The value of each position at the start of a turn, for the first team, from -1 to 1."""
    record = record_of(task)
    played = 0
    for turn in record.turns():
        yield {"ply": played, "value": _value(turn.before), "labels": list(turn.labels)}
        played += len(turn.labels)
    final = record.final
    if final.turns != record.begin().turns:
        yield {"ply": played, "value": _value(final), "labels": []}


def _value(position: Position, seconds: float = SHORT_LOOK) -> float:
    """A position's value for the first player; before a roll, the expected value."""
    if position.returns is not None:
        return position.returns[0]
    if position.is_truncated:
        return 0.0  # as searches before the limit expect it
    if position.is_chance:
        # The mean over all rolls, as the search takes it.
        labels = position.legal_moves()
        weights = [position.outcome_probability(label) for label in labels]
        values = [_value(position.copy().play(label), seconds / 20) for label in labels]
        return float(np.dot(weights, values))
    assert position.to_move is not None
    seen = _looked(position, seconds)
    side = 1 if position.teams[position.to_move] == position.teams[0] else -1
    return side * float(_number(seen.value, 0.0))


def _looked(position: Position, seconds: float) -> Analysis:
    """A short analysis: of some time, and at least of some visits on a machine that is busy."""
    for seen in _analysed(position, seconds, seed=1):
        if seen.visits >= LEAST_VISITS:
            break
    return seen


def _number(value: float, unknown: Any = None) -> Any:
    """A value that JSON can hold."""
    return unknown if np.isnan(value) else round(float(value), 4)


def _film(task: dict[str, Any]) -> Found:
    """A game as an animated picture."""
    film = film_of(record_of(task), task["theme"], tells=True)
    if task["form"] == "gif":
        data = film.to_gif(task["size"], task["seconds"])
    else:
        data = film.to_svg(task["size"], task["seconds"]).encode()
    yield _written(task, data)


def _record(task: dict[str, Any]) -> Found:
    """A game as a record file, with the times of its turns."""
    record = with_clocks(record_of(task), task["times"], task["begun"])
    yield _written(task, write_game(record).encode())


def _written(task: dict[str, Any], data: bytes) -> dict[str, Any]:
    """Write to the task's path; the server need not read the whole file at once."""
    Path(task["out"]).write_bytes(data)
    return {"size": len(data)}


def _png(task: dict[str, Any]) -> Found:
    """A position as a picture."""
    data = render.png(record_of(task).final, theme=task["theme"], size=task["size"])
    yield _written(task, data)


def _records(task: dict[str, Any]) -> Found:
    """The games of a file of records, and a note of those that were not opened."""
    errors: list[RecordError] = []
    if (largest := task["largest"]) and _holds_more(task["file"], largest):
        yield {"wrong": f"compressed files may hold at most {largest >> 20} MB"}
        return
    opened = choices = longer = 0
    for game in read_records(task["file"], on_error=errors.append):
        if len(game.choices) > LONGEST_GAME:
            longer += 1
            continue
        choices += len(game.choices)
        if opened == MOST_GAMES or choices > MOST_CHOICES:
            yield {
                "wrong": f"only the first {opened:,} games were opened: the page takes"
                f" {MOST_GAMES:,} games with {MOST_CHOICES:,} actions and rolls from a file"
            }
            break
        yield fields_of(game)
        opened += 1
    if longer:
        yield {"wrong": f"{longer:,} games have more than {LONGEST_GAME:,} actions and rolls"}
    if errors:
        more = f", and {len(errors) - 1:,} more errors" if len(errors) > 1 else ""
        yield {"wrong": f"{errors[0]}{more}"}


def _holds_more(file: str, most: int) -> bool:
    """Whether a compressed file holds more bytes; its reader tells if it is damaged."""
    if not file.endswith(COMPRESSED):
        return False
    with suppress(OSError, EOFError, zlib.error), gzip.open(file) as stream:
        while part := stream.read(2**16):
            most -= len(part)
            if most < 0:
                return True
    return False


def _warm(task: dict[str, Any]) -> Found:
    """Compile the loops of a variant, to fill the cache on disk."""
    position = Position(task["variant"])
    render.rehearse(position)
    yield {"ready": "rules"}
    for name in ("random", "greedy", "td"):
        with suppress(NotImplementedError):  # by a game without features
            players.choose_one(_player(name, task["variant"]), position)
    yield {"ready": "players"}
    with suppress(NotImplementedError):
        next(analyse(position, every=0.01))
    yield {"ready": "search"}


TASKS: dict[str, Callable[[dict[str, Any]], Found]] = {
    "check": _check,
    "choose": _choose,
    "analyse": _analyse,
    "hint": _hint,
    "judge": _judge,
    "dangers": _dangers,
    "evaluate": _evaluate,
    "film": _film,
    "png": _png,
    "record": _record,
    "records": _records,
    "warm": _warm,
}

if __name__ == "__main__":
    main()
