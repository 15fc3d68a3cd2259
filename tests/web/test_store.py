"""The file of games: whose it is, and whose its journal is."""

import logging
import os
import shutil
import sqlite3

import pytest

from pasgl_env.contract import variants
from pasgl_env.web.store import SavedGame, Store


@pytest.fixture
def file(tmp_path):
    return tmp_path / "games.sqlite3"


def add(store, *names):
    ruleset = variants.ruleset("pasgl312")
    store.add(SavedGame(name, ruleset, None, 0, [], []) for name in names)


def games_in(file):
    """The games of a file that is sound."""
    store = Store(file)
    try:
        assert [*map(tuple, store._base.execute("PRAGMA integrity_check"))] == [("ok",)]
        return {name for (name,) in store._base.execute("SELECT id FROM games")}
    finally:
        store.close()


def kill(store, folder):
    """What a server leaves that is killed, in a folder of its own; the store here is tidied."""
    shutil.copytree(store._file.parent, folder)
    return folder / store._file.name


def removed_and_copied(backup, file):
    """The new file may get the inode of the former one."""
    file.unlink()
    shutil.copy(backup, file)


class TestJournal:
    @pytest.fixture
    def backup(self, file, tmp_path):
        store = Store(file)
        add(store, "kept")
        store.close()
        return shutil.copy(file, tmp_path / "backup")

    @pytest.fixture
    def running(self, file, backup):
        """A store whose journal begins after a checkpoint: it destroys any other file."""
        store = Store(file)
        add(store, *map(str, range(200)))
        store._base.execute("PRAGMA wal_checkpoint(RESTART)")
        add(store, "last")
        yield store
        store.close()

    def test_a_restored_backup_is_unharmed_by_a_server_that_stops(self, file, backup, running):
        os.replace(backup, file)
        running.close()
        assert games_in(file) == {"kept"}

    def test_the_file_that_was_moved_away_is_complete_when_the_server_stops(
        self, file, backup, running, tmp_path
    ):
        os.replace(file, tmp_path / "moved")
        os.replace(backup, file)
        running.close()
        assert {"kept", "0", "last"} <= games_in(tmp_path / "moved")

    @pytest.mark.parametrize("restore", [os.replace, removed_and_copied, shutil.copy])
    def test_a_restored_backup_is_unharmed_by_a_server_that_was_killed(
        self, backup, running, tmp_path, caplog, restore
    ):
        left = kill(running, tmp_path / "left")
        restore(backup, left)
        with caplog.at_level(logging.WARNING):
            assert games_in(left) == {"kept"}
        aside = left.with_name("games.sqlite3-wal.replaced")
        assert aside.stat().st_size and str(aside) in caplog.messages[0]
        assert games_in(left) == {"kept"}
        assert len(caplog.messages) == 1

    def test_the_journal_of_a_server_that_was_killed_is_applied(self, running, tmp_path, caplog):
        left = kill(running, tmp_path / "left")
        assert {"kept", "0", "last"} <= games_in(left)
        assert not caplog.messages

    def test_the_journal_of_a_version_without_notes_is_applied(self, running, tmp_path):
        left = kill(running, tmp_path / "left")
        left.with_name("games.sqlite3-opened").unlink()
        assert "last" in games_in(left)

    def test_nothing_is_left_beside_a_file_that_was_closed(self, file, backup):
        assert games_in(file) == {"kept"}
        assert not [*file.parent.glob("games.sqlite3-*")]


OWN = """
CREATE TABLE actions (game TEXT, ply INTEGER, choice INTEGER, made REAL, PRIMARY KEY (game, ply));
CREATE TABLE games (id TEXT, variant TEXT, options TEXT, start TEXT, dice INTEGER, seats TEXT,
secrets TEXT, resigned INTEGER, pace REAL, kind TEXT, about TEXT, created REAL,
out_of_time INTEGER, turn_time REAL, running INTEGER, deadline REAL, seen REAL);
"""


class TestForeign:
    @pytest.mark.parametrize("version", range(5))
    @pytest.mark.parametrize(
        "schema",
        [
            "CREATE TABLE notes (a, b)",
            "CREATE TABLE games (id, white, black)",
            "CREATE TABLE games (id, white, black); CREATE TABLE notes (a, b)",
            "CREATE VIEW games AS SELECT 1 AS id",
        ],
    )
    def test_a_file_of_another_program_is_refused_and_unchanged(self, file, schema, version):
        self.check_refused(file, schema, version)

    @pytest.mark.parametrize("version", range(4))
    def test_tables_with_the_same_names_and_columns_but_no_keys_are_foreign(self, file, version):
        self.check_refused(file, OWN, version)

    def test_what_only_its_journal_holds_is_seen(self, file, tmp_path):
        base = sqlite3.connect(file)
        base.execute("PRAGMA journal_mode = WAL")
        base.executescript("CREATE TABLE notes (a, b)")
        before = file.read_bytes()
        with pytest.raises(ValueError, match="not a file of pasgl serve"):
            Store(file)
        base.execute("INSERT INTO notes VALUES (1, 2)")
        assert file.read_bytes() == before
        base.close()

    def check_refused(self, file, schema, version):
        base = sqlite3.connect(file)
        base.executescript(f"{schema}; PRAGMA user_version = {version}")
        base.close()
        file.chmod(0o644)
        before = file.read_bytes()
        with pytest.raises(ValueError, match=r"games\.sqlite3 is not a file of pasgl serve: give"):
            Store(file)
        assert file.read_bytes() == before
        assert file.stat().st_mode & 0o777 == 0o644
        assert [*file.parent.iterdir()] == [file]

    def test_a_store_that_was_not_made_to_the_end_is_completed(self, file):
        Store(file).close()
        base = sqlite3.connect(file, isolation_level=None)
        base.execute("DROP TABLE alive")
        base.execute("DROP TABLE feedback")
        base.execute("PRAGMA user_version = 0")
        base.close()
        store = Store(file)
        assert store.feedback() == []
        store.close()
