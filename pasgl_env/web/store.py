"""Games stored in SQLite. Written data survives a crash of the server."""

from __future__ import annotations

import json
import logging
import os
import secrets
import sqlite3
import threading
import time
from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from pasgl_env.contract import variants
from pasgl_env.contract.game import OptionValue
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.storage.files import write_whole
from pasgl_env.web.protocol import Problem

SCHEMA_VERSION = 3
_SCHEMA = """
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY,
    variant TEXT NOT NULL,
    options TEXT NOT NULL,
    start TEXT,
    dice INTEGER NOT NULL,
    seats TEXT NOT NULL,
    secrets TEXT NOT NULL,
    resigned INTEGER,
    pace REAL,
    kind TEXT NOT NULL,
    about TEXT NOT NULL,
    created REAL NOT NULL,
    out_of_time INTEGER,
    turn_time REAL,
    running INTEGER,
    deadline REAL,
    seen REAL
) STRICT;
CREATE TABLE IF NOT EXISTS actions (
    game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    ply INTEGER NOT NULL,
    choice INTEGER NOT NULL,
    made REAL,
    PRIMARY KEY (game, ply)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS feedback (
    game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    rating INTEGER NOT NULL,
    length TEXT NOT NULL,
    comment TEXT NOT NULL,
    written REAL NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS feedback_of_games ON feedback (game);
CREATE INDEX IF NOT EXISTS games_by_age ON games (created);
CREATE INDEX IF NOT EXISTS games_by_deadline ON games (deadline) WHERE deadline IS NOT NULL;
CREATE INDEX IF NOT EXISTS open_games ON games (created) WHERE seen IS NOT NULL;
CREATE TABLE IF NOT EXISTS alive (at REAL NOT NULL) STRICT;
INSERT INTO alive SELECT 0 WHERE NOT EXISTS (SELECT * FROM alive);
"""
_ADDED = {
    1: ("actions ADD made REAL",),
    2: (
        "games ADD out_of_time INTEGER",
        "games ADD turn_time REAL",
        "games ADD running INTEGER",
        "games ADD deadline REAL",
        "games ADD seen REAL",
    ),
}
"""Columns that came after a version of the store."""
_CORE = {"games", "actions"}
"""Tables of every version."""
PATIENCE = 5.0
"""Seconds that threads wait for another writer; the thread that made the store does not wait."""
DAY = 24 * 3600.0
MOST_OPEN_GAMES = 500
PLAYED, OPENED = "played", "opened"
"""Kinds of games: played here, or opened from a file of records."""


_PLAIN = (
    *("id", "start", "resigned", "pace", "kind", "created"),
    *("out_of_time", "turn_time", "running", "deadline", "seen"),
)
_JSON = ("seats", "secrets", "about")
"""Columns of a game as they are in :class:`SavedGame`, and those that are JSON."""
_FORMS: dict[str, tuple[Any, Any]] = {
    "options": (dict, str),
    "about": (dict, str),
    "seats": (list, dict),
    "secrets": (list, str),
}
"""What columns of JSON hold: an object or a list, and of what."""


@dataclass
class SavedGame:
    """A row of the table of games, with the choices made so far.

    Attributes:
        id: the id in links.
        ruleset: the variant with its options.
        start: the position text of the start; None for the variant's usual start.
        dice: the state of the dice generator at the start.
        seats: the player of each seat.
        secrets: a digest of each seat's secret.
        choices: the numbers of actions and outcomes.
        resigned: the seat that resigned; None if nobody did.
        pace: seconds between turns of a game between programs; None for games with people.
        kind: ``PLAYED`` or ``OPENED``.
        about: further information: a record's date, tags and comments, ``paused``, ``rematch``, in
            ``came`` the seats whose players have come, and in ``met`` when all had.
        created: seconds since 1970.
        out_of_time: the seat whose time ran out; None if nobody's did.
        turn_time: seconds that a person has for a turn; None for as long as they like.
        running: the seat whose time runs; None if nobody's does.
        deadline: when it runs out, in seconds since 1970.
        seen: when one who waits for others was last there; None if no seat is open to everybody.
    """

    id: str
    ruleset: Ruleset
    start: str | None
    dice: int
    seats: list[dict[str, Any]]
    secrets: list[str]
    choices: array[int] = field(default_factory=lambda: array("H"))
    resigned: int | None = None
    pace: float | None = None
    kind: str = PLAYED
    about: dict[str, Any] = field(default_factory=dict)
    created: float = field(default_factory=time.time)
    out_of_time: int | None = None
    turn_time: float | None = None
    running: int | None = None
    deadline: float | None = None
    seen: float | None = None

    @property
    def forfeit(self) -> int | None:
        """The seat that resigned or ran out of time; None if none did."""
        return self.out_of_time if self.resigned is None else self.resigned


@dataclass(frozen=True)
class Feedback:
    """Feedback on a game.

    Attributes:
        name: the author; may be empty.
        rating: from 1 to 5.
        length: ``short``, ``right`` or ``long``.
        comment: free text.
    """

    name: str
    rating: int
    length: str
    comment: str


STORE = "games.sqlite3"
"""The name of the file in a server's data."""
_JOURNAL, _INDEX = "-wal", "-shm"
"""What SQLite adds to the name of a file for its journal, and for that journal's index."""
_OPENED, _ASIDE = "-opened", "-wal.replaced"
"""The same for a note of which file was opened, and for a journal set aside."""
_MARK_AT = 68
"""Where SQLite's files have their ``application_id`` (https://www.sqlite.org/fileformat.html)."""
_LOG = logging.getLogger("pasgl_env.web")


class Locked(Problem):
    """Another process or thread is writing: the same call succeeds later."""


class Store:
    """The games of a server in a file, for several threads; ``now`` tells seconds since 1970.

    SQLite writes ahead and does not wait for the disk: a crash of the process loses nothing that
    was written, a crash of the machine at most the last moments. All methods that read or write
    raise a :class:`Problem` if they cannot, and then have changed nothing.

    Raises:
        sqlite3.Error: if it is not an SQLite file.
        ValueError: if it was written by another version or another program; it is unchanged then.
    """

    def __init__(self, file: Path, now: Callable[[], float] = time.time) -> None:
        self._file = file
        self.now = now
        with open(os.open(file, os.O_CREAT | os.O_RDWR, 0o600), "rb") as opened:
            self._opened_as = os.fstat(opened.fileno())
        _set_strange_journal_aside(file)
        version = _version_of(file)
        for each in file.parent.glob(f"{file.name}*"):  # with SQLite's journals
            each.chmod(0o600)
        self._of_thread = threading.local()
        self._opened: list[sqlite3.Connection] = []
        if version in _ADDED:
            self._upgrade()
        self._base.executescript(_SCHEMA)
        self._base.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        self._mark()
        self._base.execute("PRAGMA busy_timeout = 0")
        self._base.execute("PRAGMA wal_autocheckpoint = 0")  # it waits for the disk

    def _mark(self) -> None:
        """Give the file a number of this opening, and note it: a journal belongs to such a file.

        SQLite knows only their names, and file systems use inodes again.
        """
        (own,) = self._base.execute("PRAGMA application_id").fetchone()
        new = secrets.randbelow(2**31 - 1) + 1
        _note_marks(self._file, _mark_in(self._file), own, new)
        self._base.execute(f"PRAGMA application_id = {new}")
        (is_busy, *_) = self._base.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if not is_busy:
            _note_marks(self._file, new)

    def _upgrade(self) -> None:
        """Add the columns that an older file lacks, all or none of them."""
        with self._transaction():
            (version,) = self._base.execute("PRAGMA user_version").fetchone()
            for older in range(version, SCHEMA_VERSION):
                for column in _ADDED[older]:
                    self._base.execute(f"ALTER TABLE {column}")
            self._base.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    @property
    def _base(self) -> sqlite3.Connection:
        """The thread's own connection."""
        base: sqlite3.Connection | None = getattr(self._of_thread, "base", None)
        if base is None:
            self.check_file()  # SQLite would make a new one
            base = sqlite3.connect(
                self._file, PATIENCE, isolation_level=None, check_same_thread=False
            )
            base.row_factory = sqlite3.Row
            base.text_factory = lambda content: content.decode("utf-8", "replace")
            base.execute("PRAGMA journal_mode = WAL")
            base.execute("PRAGMA synchronous = NORMAL")
            base.execute("PRAGMA foreign_keys = ON")
            self._of_thread.base = base
            self._opened.append(base)
        return base

    def checkpoint(self) -> None:
        """Move written data from the journal to the file; for a thread that may wait."""
        with suppress(sqlite3.Error):
            self._base.execute("PRAGMA wal_checkpoint")

    def close(self) -> None:
        """Write everything and close the file."""
        if self._opened and not self._is_in_place:
            # SQLite would leave the journal, which the new file of this name must not get.
            with suppress(sqlite3.Error):
                self._opened[0].execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for base in self._opened:
            base.close()
        if not _beside(self._file, _JOURNAL).exists():
            _beside(self._file, _OPENED).unlink(missing_ok=True)

    def add(self, games: Iterable[SavedGame]) -> None:
        """Store new games, each in a transaction of its own, so that others can write meanwhile."""
        for game in games:
            with self._writing():
                self._insert(game)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """A transaction whose errors are for clients."""
        self.check_file()
        with _telling("stored"), self._transaction():
            yield

    def check_file(self) -> None:
        """Check that others will find what is stored: SQLite goes on writing to a deleted file.

        Raises:
            Problem: if the file was deleted, moved or replaced since it was opened.
        """
        if self._is_in_place:
            return
        name = f"the server's file {self._file.name} was deleted, moved or replaced"
        raise Problem("failed", f"{name}: nothing can be stored until the server is started again")

    @property
    def _is_in_place(self) -> bool:
        """Whether the file still has its name."""
        with suppress(OSError):
            return os.path.samestat(os.stat(self._file), self._opened_as)
        return False

    def _select(self, query: str, *values: Any) -> list[sqlite3.Row]:
        """The rows that a query finds; its errors are for clients."""
        with _telling("read"):
            return self._base.execute(query, values).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self._base.execute("BEGIN IMMEDIATE")
            yield
            self._base.execute("COMMIT")
        finally:
            if self._base.in_transaction:
                self._base.execute("ROLLBACK")

    def _insert(self, game: SavedGame) -> None:
        columns = {
            "variant": game.ruleset.name,
            "options": json.dumps(dict(game.ruleset.options)),
            "dice": game.dice - 2**63,  # SQLite's integers are signed
            **{name: getattr(game, name) for name in _PLAIN},
            **{name: json.dumps(getattr(game, name)) for name in _JSON},
        }
        places = ", ".join(f":{name}" for name in columns)
        self._base.execute(f"INSERT INTO games ({', '.join(columns)}) VALUES ({places})", columns)
        rows = ((game.id, number, choice) for number, choice in enumerate(game.choices))
        self._base.executemany("INSERT INTO actions VALUES (?, ?, ?, NULL)", rows)

    def append(self, game: SavedGame, choices: Iterable[int], **columns: Any) -> None:
        """Store choices of a game after those that it has, and change some of its columns."""
        now, first = self.now(), len(game.choices)
        rows = [(game.id, number, choice, now) for number, choice in enumerate(choices, first)]
        with self._changing(game, columns):
            self._base.executemany("INSERT INTO actions VALUES (?, ?, ?, ?)", rows)

    def cut(self, game: SavedGame, length: int, **columns: Any) -> None:
        """Delete all choices of a game after the first ``length``, and change some columns."""
        with self._changing(game, columns):
            self._base.execute("DELETE FROM actions WHERE game = ? AND ply >= ?", (game.id, length))

    def change(self, game: SavedGame, **columns: Any) -> None:
        """Store new values in some columns of a game, and then in the game itself."""
        with self._changing(game, columns):
            pass

    @contextmanager
    def _changing(self, game: SavedGame, columns: dict[str, Any]) -> Iterator[None]:
        """A transaction that stores new values in columns, too, and then in the game itself."""
        assignments = ", ".join(f"{name} = ?" for name in columns)
        values = [json.dumps(v) if isinstance(v, list | dict) else v for v in columns.values()]
        with self._writing():
            yield
            if columns:
                change = f"UPDATE games SET {assignments} WHERE id = ?"
                self._base.execute(change, (*values, game.id))
        for name, value in columns.items():
            setattr(game, name, value)

    def find(self, game: str) -> SavedGame | None:
        """A game by its id; None if there is none.

        Raises:
            Problem: if it is damaged, or of a variant or option that this version does not have.
        """
        found = self._select("SELECT * FROM games WHERE id = ?", game)
        if not found:
            return None
        row = dict(found[0])
        rows = self._select("SELECT choice FROM actions WHERE game = ? ORDER BY ply", game)
        with _playable():
            return SavedGame(
                ruleset=_rules(row["variant"], row["options"])[0],
                dice=row["dice"] + 2**63,
                choices=array("H", (choice for (choice,) in rows)),
                **{name: row[name] for name in _PLAIN},
                **_decoded(row),
            )

    def times(self, game: str) -> list[float | None]:
        """When each choice of a game was made, in seconds since 1970; None where nobody knows."""
        rows = self._select("SELECT made FROM actions WHERE game = ? ORDER BY ply", game)
        return [made for (made,) in rows]

    def played(self) -> list[str]:
        """The ids of all games played here, oldest first."""
        rows = self._select("SELECT id FROM games WHERE kind = ? ORDER BY created, id", PLAYED)
        return [game for (game,) in rows]

    def recent(self, most: int) -> list[dict[str, Any]]:
        """The newest games with a choice, with the number of choices instead of the choices."""
        rows = self._select(
            "SELECT id AS game, variant, options, seats, kind, created, about,"
            " (SELECT MAX(ply) + 1 FROM actions WHERE game = id) AS plies"
            " FROM games WHERE plies > 0 ORDER BY created DESC LIMIT ?",
            most,
        )
        return [{**row, "about": row["about"].get("tags", {})} for row in _read(rows)]

    def open_games(self) -> list[dict[str, Any]]:
        """The games with seats that are open to everybody, newest first."""
        rows = self._select(
            "SELECT id AS game, variant, options, seats, turn_time, created, seen,"
            " start IS NOT NULL OR EXISTS (SELECT 1 FROM actions WHERE game = id AND made IS NULL)"
            " AS is_begun"
            " FROM games WHERE seen IS NOT NULL ORDER BY created DESC LIMIT ?",
            MOST_OPEN_GAMES,
        )
        now = self.now()
        return _read(rows, lambda seats: any(may_be_joined(who, now) for who in seats))

    def running(self, games: list[str]) -> list[dict[str, Any]]:
        """Those of some games in which somebody's time runs, with the digest of that seat's secret.

        By the time that is left, the least first.
        """
        rows = self._select(
            "SELECT id AS game, variant, options, seats, deadline - ? AS time_left,"
            " json_extract(secrets, '$[' || running || ']') AS awaited"
            " FROM games WHERE id IN (SELECT value FROM json_each(?)) AND deadline IS NOT NULL"
            " AND json_valid(secrets) ORDER BY deadline",
            self.now(),
            json.dumps(games),
        )
        return _read(rows)

    def run_out(self) -> list[tuple[str, int]]:
        """End the games in which somebody's time has run out; return their ids with these seats."""
        now = self.now()
        if not self._select("SELECT 1 FROM games WHERE deadline <= ? LIMIT 1", now):
            return []
        with self._writing():
            ended = self._base.execute(
                "UPDATE games SET out_of_time = running, running = NULL, deadline = NULL,"
                " seen = NULL WHERE deadline <= ? AND out_of_time IS NULL AND resigned IS NULL"
                " RETURNING id, out_of_time",
                (now,),
            ).fetchall()
        return [(game, seat) for game, seat in ended]

    def note_alive(self) -> None:
        """Note that the server is there, while somebody's time runs."""
        with self._writing():
            self._base.execute(
                "UPDATE alive SET at = ?"
                " WHERE EXISTS (SELECT 1 FROM games WHERE deadline IS NOT NULL)",
                (self.now(),),
            )

    def resume_clocks(self, since: float | None = None) -> dict[str, float]:
        """Give back the time for which the server was away, but not more than a whole turn's.

        Args:
            since: when it was there last; None for when :meth:`note_alive` was called last.

        Returns:
            The new deadlines, by the ids of games.
        """
        now = self.now()
        with self._writing():
            rows = self._base.execute(
                "UPDATE games SET deadline = MIN(?1 + turn_time,"
                " deadline + ?1 - IFNULL(?2, (SELECT at FROM alive)))"
                " WHERE deadline IS NOT NULL RETURNING id, deadline",
                (now, since),
            ).fetchall()
        self.note_alive()
        return {game: deadline for game, deadline in rows}

    def drop_unplayed(self) -> None:
        """Delete games older than a day in which nothing was played, but not those by days."""
        with self._writing():
            self._base.execute(
                "DELETE FROM games WHERE created < ? AND IFNULL(turn_time, 0) < ? AND NOT EXISTS"
                " (SELECT 1 FROM actions WHERE game = id)",
                (self.now() - DAY, DAY),
            )

    def rate(self, game: str, feedback: Feedback) -> None:
        """Store feedback on a game."""
        row = (game, feedback.name, feedback.rating, feedback.length, feedback.comment, self.now())
        with self._writing():
            self._base.execute("INSERT INTO feedback VALUES (?, ?, ?, ?, ?, ?)", row)

    def feedback(self, game: str | None = None, most: int = 500) -> list[dict[str, Any]]:
        """Feedback on one game or on all, newest first."""
        rows = self._select(
            "SELECT game, variant, options, seats, name, rating, length, comment, written,"
            " (SELECT IFNULL(MAX(ply) + 1, 0) FROM actions WHERE actions.game = feedback.game)"
            " AS plies"
            " FROM feedback JOIN games ON games.id = feedback.game"
            " WHERE ?1 IS NULL OR feedback.game = ?1 ORDER BY written DESC LIMIT ?2",
            game,
            most,
        )
        return _read(rows)


def _version_of(file: Path) -> int:
    """The version of a store, 0 for a new one; looks at the file without changing anything.

    Raises:
        sqlite3.Error: if it is not an SQLite file.
        ValueError: if it was written by another version or another program.
    """
    # Without a journal nothing else has to be read; otherwise SQLite would make an empty one.
    how = "mode=ro" if _beside(file, _JOURNAL).exists() else "immutable=1"
    base = sqlite3.connect(f"{file.absolute().as_uri()}?{how}", PATIENCE, uri=True)
    with closing(base):
        (version,) = base.execute("PRAGMA user_version").fetchone()
        tables = _tables(base)
        is_known = version in (0, *_ADDED, SCHEMA_VERSION)
        if not is_known and (not tables or tables >= _CORE):
            raise ValueError(f"{file} was written by another version of pasgl_env")
        if not is_known or not _is_store(base, tables, version):
            raise ValueError(f"{file} is not a file of pasgl serve: give another folder")
    return int(version)


def _is_store(base: sqlite3.Connection, tables: set[str], version: int) -> bool:
    """Whether tables are those of a version; 0 has some or none, as when making them is cut off."""
    wanted = _columns_by_table(version or SCHEMA_VERSION)
    if not (tables <= wanted.keys() if version == 0 else tables >= _CORE):
        return False
    return all(_columns(base, table) == wanted[table] for table in tables & wanted.keys())


def _columns_by_table(version: int) -> dict[str, dict[str, list[Any]]]:
    """The columns of a version's tables."""
    came = range(version, SCHEMA_VERSION)
    later = {tuple(each.split()[::2]) for older in came for each in _ADDED[older]}
    with closing(sqlite3.connect(":memory:")) as base:
        base.executescript(_SCHEMA)
        return {
            table: {
                name: about
                for name, about in _columns(base, table).items()
                if (table, name) not in later
            }
            for table in _tables(base)
        }


def _tables(base: sqlite3.Connection) -> set[str]:
    """The names of tables and views, but for SQLite's own."""
    names = base.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
    return {name for (name,) in names if not name.startswith("sqlite_")}


def _columns(base: sqlite3.Connection, table: str) -> dict[str, list[Any]]:
    """The type of each column, whether it may be empty, and its place in the primary key."""
    query = 'SELECT name, type, "notnull", pk FROM pragma_table_info(?)'
    return {name: about for name, *about in base.execute(query, (table,))}


def _beside(file: Path, ending: str) -> Path:
    """A file beside a store; a store's journal is where a link to the store leads to."""
    return Path(os.path.realpath(file) + ending)


def _note_marks(file: Path, *marks: int) -> None:
    """Note the numbers that the file of the journal may have."""
    write_whole(_beside(file, _OPENED), json.dumps(marks).encode(), 0o600)


def _mark_in(file: Path) -> int:
    """The ``application_id`` in the file itself, whatever the journal holds; 0 in an empty one."""
    with file.open("rb") as opened:
        opened.seek(_MARK_AT)
        return int.from_bytes(opened.read(4), "big")


def _set_strange_journal_aside(file: Path) -> None:
    """Rename a journal that a server left whose file was replaced: it would destroy the new file.

    A journal without a note stays: it may be of a version that made none.
    """
    journal, aside = _beside(file, _JOURNAL), _beside(file, _ASIDE)
    try:
        is_own = _mark_in(file) in json.loads(_beside(file, _OPENED).read_bytes())
    except (OSError, ValueError, TypeError):
        return
    if is_own or not journal.exists():
        return
    if journal.stat().st_size:
        journal.replace(aside)
        _LOG.warning("%s was replaced: the journal of the former file is now %s", file, aside)
    else:
        journal.unlink()
    _beside(file, _INDEX).unlink(missing_ok=True)  # a running server keeps its own


def _read(
    rows: list[sqlite3.Row], is_wanted: Callable[[list[dict[str, Any]]], bool] = bool
) -> list[dict[str, Any]]:
    """Rows of games of wanted seats, by the columns' names, with the players of the seats.

    Games that cannot be played are left out: one of them must not hide the others.
    """
    found = []
    for row in map(dict, rows):
        with suppress(Problem), _playable():
            row |= _decoded(row)
            if is_wanted(row["seats"]):
                _, row["changed_options"] = _rules(row["variant"], row.pop("options"))
                found.append({**row, "seats": named(row["seats"])})
    return found


@contextmanager
def _telling(what: str) -> Iterator[None]:
    """Tell clients of SQLite's errors: what cannot be done."""
    try:
        yield
    except sqlite3.Error as error:
        text = f"this cannot be {what} ({error}): try again"
        raise (Locked if _is_busy(error) else Problem)("failed", text) from error


@contextmanager
def _playable() -> Iterator[None]:
    """Tell why a game cannot be played: it is damaged, or this version lacks what it needs."""
    try:
        yield
    except Problem:
        raise
    except Exception as error:  # what is damaged can make its readers raise anything
        raise Problem("damaged", f"this game cannot be played here: {error}") from error


def _decoded(row: dict[str, Any]) -> dict[str, Any]:
    """The columns of a row that are JSON, but for the options."""
    return {name: _content(name, row[name]) for name in _FORMS if name in row and name != "options"}


@lru_cache(256)
def _rules(variant: str, options: str) -> tuple[Ruleset, dict[str, OptionValue]]:
    """A ruleset and its unusual options; cached, because lists have the same ones many times."""
    ruleset = variants.published_ruleset(variant, **_content("options", options))
    return ruleset, ruleset.unusual


def _content(name: str, text: str) -> Any:
    """What a column of JSON holds; ``ValueError`` if that is damaged."""
    kind, of = _FORMS[name]
    value: Any = None
    with suppress(ValueError):
        value = json.loads(text)
    if isinstance(value, kind) and all(isinstance(each, of) for each in value):
        return value
    raise ValueError(f"its {name!r} is damaged in the server's file of games")


def named(seats: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The players of seats, their names, which are open to everybody, and who has joined."""
    usual = {"player": "", "name": "", "open": False, "joined": False}
    return [{name: who.get(name, default) for name, default in usual.items()} for who in seats]


def may_be_joined(who: dict[str, Any], now: float) -> bool:
    """Whether a seat is open, and not reserved for somebody who has joined."""
    return bool(who.get("open")) and who.get("reserved", now) <= now


def _is_busy(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
