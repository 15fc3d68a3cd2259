"""Folders that only the user can change, the only ones from which compiled code is loaded."""

from __future__ import annotations

import errno
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal

if sys.platform != "win32":
    import grp
    import pwd

_BELOW_HOME = {"cache": ".cache", "data": ".local/share"}


class NotPrivate(PermissionError):
    """Others could change a folder, or replace it because they can change one above it."""


def user_folders(kind: Literal["cache", "data"]) -> Iterator[Path]:
    """The package's folders for the user's files, best first.

    The first follows the XDG Base Directory Specification, which ignores relative paths; a user
    without a home has none. The second is in the folder for temporary files.
    """
    named = os.environ.get(f"XDG_{kind.upper()}_HOME", "")
    base = named if os.path.isabs(named) else os.path.expanduser(f"~/{_BELOW_HOME[kind]}")
    if os.path.isabs(base):  # not without a home: the path then still begins with ~
        yield Path(base) / "pasgl_env"
    user = os.geteuid() if sys.platform != "win32" else 0
    with suppress(FileNotFoundError):  # there may be no folder for temporary files
        yield Path(tempfile.gettempdir()) / f"pasgl_env-{user}" / kind


def private_folder(folder: Path) -> Path:
    """The real path of a folder that only the user can change; creates it if needed.

    Raises:
        NotPrivate: if others could change it; nothing is created then.
        OSError: if it cannot be created.
    """
    real = Path(os.path.realpath(folder))
    _check(real)
    for part in (*reversed(real.parents), real):  # mkdir(parents=True) would ignore the mode
        if not part.exists():
            part.mkdir(mode=0o700, exist_ok=True)
    if not real.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "is not a folder", str(real))
    _check(real)
    return real


def _check(folder: Path) -> None:
    for part in (folder, *folder.parents):
        with suppress(FileNotFoundError):
            status = part.lstat()
            # In a folder such as /tmp nobody can replace what belongs to another user.
            is_sticky = part != folder and bool(status.st_mode & stat.S_ISVTX)
            if reason := who_else_writes(status, is_sticky=is_sticky):
                raise NotPrivate(errno.EPERM, f"{part} {reason}", str(folder))


def who_else_writes(status: os.stat_result, *, is_sticky: bool = False) -> str | None:
    """Describe others than the user and root who can change a file or folder; None without any."""
    if sys.platform == "win32":  # its permissions are not in the mode
        return None
    if status.st_uid not in (0, os.geteuid()):
        return "belongs to another user"
    if is_sticky:
        return None
    if status.st_mode & stat.S_IWOTH:
        return "can be changed by all users"
    if status.st_mode & stat.S_IWGRP and not _is_own_group(status.st_gid):
        return "can be changed by its group"
    return None


def _is_own_group(number: int) -> bool:
    """Whether a group is the user's alone: many systems give every user such a group."""
    if sys.platform == "win32":
        return False
    try:
        user, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(number)
    except KeyError:
        return False
    return group.gr_name == user.pw_name and set(group.gr_mem) <= {user.pw_name}
