"""Folders that only the user can change."""

import os
import stat
import sys
import tempfile
from pathlib import Path

import pytest

from pasgl_env.storage import private
from pasgl_env.storage.private import NotPrivate, private_folder, user_folders

OTHER = 54321

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="about owners and modes")
by_root = pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() != 0, reason="only root can give files away"
)


def test_folders_are_created_for_the_user_alone(tmp_path):
    before = os.umask(0)
    try:
        folder = private_folder(tmp_path / "a" / "b")
    finally:
        os.umask(before)
    assert {stat.S_IMODE(each.stat().st_mode) for each in (folder, folder.parent)} == {0o700}


@pytest.mark.parametrize("part", ["a/b", "a"])
@pytest.mark.parametrize(
    ("mode", "reason"),
    [(0o777, "can be changed by all users"), (0o775, "can be changed by its group")],
)
def test_one_that_others_can_change_or_replace_is_refused(
    part, mode, reason, tmp_path, monkeypatch
):
    monkeypatch.setattr(private, "_is_own_group", lambda _: False)
    folder = private_folder(tmp_path / "a" / "b")
    (tmp_path / part).chmod(mode)
    with pytest.raises(NotPrivate, match=rf"{part} {reason}"):
        private_folder(folder)


def test_the_users_own_group_may_write(tmp_path, monkeypatch):
    monkeypatch.setattr(private, "_is_own_group", lambda _: True)
    tmp_path.chmod(0o775)
    assert private_folder(tmp_path) == tmp_path


def test_below_a_sticky_folder_only_the_owner_counts(tmp_path):
    tmp_path.chmod(0o1777)
    assert private_folder(tmp_path / "mine").is_dir()
    with pytest.raises(NotPrivate):
        private_folder(tmp_path)


@by_root
@pytest.mark.parametrize("part", ["a/b", "a"])
def test_one_of_another_user_is_refused(part, tmp_path):
    folder = private_folder(tmp_path / "a" / "b")
    os.chown(tmp_path / part, OTHER, OTHER)
    with pytest.raises(NotPrivate, match=f"{part} belongs to another user"):
        private_folder(folder)


@by_root
def test_nothing_is_created_in_a_folder_of_another_user(tmp_path):
    os.chown(tmp_path, OTHER, OTHER)
    with pytest.raises(NotPrivate):
        private_folder(tmp_path / "a" / "b")
    assert not any(tmp_path.iterdir())


def test_a_link_counts_as_what_it_leads_to(tmp_path):
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "link").symlink_to("open")
    with pytest.raises(NotPrivate):
        private_folder(tmp_path / "link" / "folder")
    (tmp_path / "open").chmod(0o700)
    assert private_folder(tmp_path / "link" / "folder") == tmp_path / "open" / "folder"


@pytest.mark.parametrize("kind", ["cache", "data"])
class TestPlaces:
    def test_are_in_the_home_then_in_the_temporary_folder(self, kind, tmp_path, monkeypatch):
        monkeypatch.delenv(f"XDG_{kind.upper()}_HOME", raising=False)
        monkeypatch.setenv("HOME", str(tmp_path))
        home, temporary = user_folders(kind)
        assert home.name == "pasgl_env" and tmp_path in home.parents
        assert str(os.geteuid()) in temporary.parent.name

    def test_a_user_without_a_home_has_only_the_second(self, kind, monkeypatch):
        """As in a container that is run with any number for a user."""
        monkeypatch.delenv("HOME", raising=False)
        monkeypatch.delenv(f"XDG_{kind.upper()}_HOME", raising=False)
        monkeypatch.setattr("os.path.expanduser", lambda path: path)
        (only,) = user_folders(kind)
        assert only.parent.parent == Path(tempfile.gettempdir())

    def test_relative_ones_are_ignored(self, kind, tmp_path, monkeypatch):
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setenv(f"XDG_{kind.upper()}_HOME", "here")
        assert all(each.is_absolute() for each in user_folders(kind))
