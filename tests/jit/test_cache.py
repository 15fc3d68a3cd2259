"""The cache on disk, with damaged or unwritable files."""

import errno
import hashlib
import io
import lzma
import os
import pickle
import random
import subprocess
import sys
import tarfile
from collections import namedtuple
from pathlib import Path
from typing import Any

import pytest

from pasgl_env.jit import archive, cache, compiled, processor
from pasgl_env.jit.cache import CheckedFiles, only_process, say_once
from pasgl_env.jit.compiled import JIT, cache_folder, packed_folder, rule

pytestmark = pytest.mark.skipif(not JIT, reason="about compiled code")


@pytest.fixture(autouse=True)
def root(tmp_path, monkeypatch):
    """An empty cache."""
    monkeypatch.setenv("PASGL_CACHE_DIR", str(tmp_path))
    cache_folder.cache_clear()
    say_once.cache_clear()
    yield tmp_path
    cache_folder.cache_clear()
    say_once.cache_clear()


def twice(number):
    return 2 * number


def used():
    """Whether a new process would find the function in the cache; uses it."""
    function: Any = rule(twice)
    assert function(4) == 8
    return bool(function.stats.cache_hits)


def plus_twice(function, added):
    """A caller of a function, with a key of its own."""
    return rule(lambda number: added + function(number))


def test_a_loaded_function_can_be_compiled_into_another_caller():
    for added in 1, 2:
        function: Any = rule(twice)
        assert plus_twice(function, added)(4) == added + 8
    assert function._unwrapped.stats.cache_hits


def test_functions_that_call_each_other_are_compiled_anew_in_every_process(root):
    """Loaded code of one would jump to where another process had the other."""
    file = root / "mutual.py"
    file.write_text(
        "from pasgl_env.jit.compiled import rule\n"
        "@rule\n"
        "def is_even(number):\n"
        "    if number == 0:\n"
        "        return True\n"
        "    return is_odd(number - 1)\n"
        "@rule\n"
        "def is_odd(number):\n"
        "    if number == 0:\n"
        "        return False\n"
        "    return is_even(number - 1)\n"
        "print(rule(lambda: is_even(10))())\n"
    )
    for _ in range(2):
        done = subprocess.run([sys.executable, file], capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr


def test_modules_of_called_functions_are_not_loaded_with_a_caller(root):
    plus_twice(rule(twice), 1)(4)
    for file in root.glob("*.nbc"):
        *_, environments = pickle.loads(cache.read_checked(file))
        assert environments == ()


Pair: Any = namedtuple("Pair", "first second")


Holder: Any = namedtuple("Holder", "pair")


def first_of(holder):
    return holder.pair.first


def used_with_a_pair():
    """Like :func:`used`, with a function that takes a named tuple in another one."""
    function: Any = rule(first_of)
    assert function(Holder(Pair(first=3, second=5))) == 3
    return bool(function.stats.cache_hits)


def emptied(content):
    return b""


def truncated(content):
    return content[: len(content) // 2]


def random_bytes(content):
    return random.Random(1).randbytes(len(content))


def flipped(content):
    at = len(content) // 2
    return content[:at] + bytes([content[at] ^ 4]) + content[at + 1 :]


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", [emptied, truncated, random_bytes, flipped])
def test_a_damaged_file_is_noticed_and_made_anew(damage, suffix, root, capsys):
    assert not used()
    assert used()
    (file,) = root.rglob(f"*.{suffix}")
    file.write_bytes(damage(file.read_bytes()))
    assert not used()
    told = capsys.readouterr().err
    assert told.count("is damaged; compiling it anew") == 1
    assert len(told.splitlines()) == 1
    assert used()
    assert capsys.readouterr().err == ""


def test_an_argument_whose_fields_have_moved_is_compiled_anew(monkeypatch):
    used_with_a_pair()
    assert used_with_a_pair()
    monkeypatch.setattr(f"{__name__}.Pair", namedtuple("Pair", "second first"))
    assert not used_with_a_pair()


def test_an_argument_whose_class_is_gone_is_no_error(monkeypatch, capsys):
    used_with_a_pair()
    monkeypatch.delattr(f"{__name__}.Pair")
    function: Any = rule(first_of)
    other: Any = namedtuple("other", "first")
    assert function(Holder(other(3))) == 3
    assert not capsys.readouterr().err


def test_a_file_that_cannot_be_read_is_made_anew(root, capsys):
    used()
    (file,) = root.rglob("*.nbi")
    file.unlink()
    file.mkdir()
    assert not used()
    assert "Is a directory" in capsys.readouterr().err


def test_a_process_that_leaves_compiling_to_others_runs_plain_python_until_they_have(monkeypatch):
    function: Any = rule(twice)
    monkeypatch.setattr(compiled, "_round", 0)
    compiled.leave_compiling_to_others()
    assert function(4) == 8
    with monkeypatch.context() as other:
        other.setattr(compiled, "_round", 0)
        used()
    assert function(4) == 8
    assert not function.signatures
    compiled.use_new_code()
    assert function(4) == 8
    assert function.stats.cache_hits


def plus(number, added=1):
    return number + added


def test_plain_python_takes_the_usual_values_of_arguments(root, monkeypatch):
    function: Any = rule(plus)
    monkeypatch.setattr(compiled, "_round", 0)
    compiled.leave_compiling_to_others()
    assert [function(4), function(4, 2), function(4)] == [5, 6, 5]
    assert not function.signatures


class Planted:
    def __reduce__(self):
        return pytest.fail, ("the code of another user ran",)


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() != 0, reason="only root can give files away"
)
@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
def test_a_file_of_another_user_is_not_loaded(suffix, root, capsys):
    used()
    (file,) = root.rglob(f"*.{suffix}")
    content = pickle.dumps(Planted())
    file.write_bytes(hashlib.sha256(content).digest() + content)
    os.chown(file, 54321, 54321)
    assert not used()
    assert "belongs to another user; compiling it anew" in capsys.readouterr().err
    assert used()


def test_on_a_full_disk_nothing_is_kept_and_one_message_says_so(monkeypatch, capsys):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(CheckedFiles, "_open_for_write", full)
    for _ in range(3):
        assert not used()
    told = capsys.readouterr().err
    assert told.count("cannot keep compiled code") == 1
    assert "No space left on device" in told


def test_where_no_lock_can_be_made_nobody_waits(root):
    with only_process(root / "no such folder", "chess"), only_process(None, "chess"):
        pass


def test_a_lock_is_released_after_an_error(root):
    for _ in range(2):
        with pytest.raises(ZeroDivisionError), only_process(Path(root), "chess"):
            raise ZeroDivisionError


class TestPackage:
    """Code that a wheel for this platform brings."""

    @pytest.fixture(autouse=True)
    def packed(self, root, monkeypatch):
        """What is compiled for the baseline, here this processor, is in the package alone."""
        used()
        folder = root / "package"
        folder.mkdir(mode=0o700)
        for file in root.glob("*.nb?"):
            file.rename(folder / file.name)
        monkeypatch.setattr(compiled, "PACKED", folder)
        self.become(monkeypatch, processor.target())
        yield folder
        packed_folder.cache_clear()

    def become(self, monkeypatch, baseline):
        """Make a processor, or none, the baseline of this machine."""
        for module in (cache, compiled):
            monkeypatch.setattr(module, "baseline", lambda: baseline)
        packed_folder.cache_clear()

    def test_is_used_if_the_user_has_none(self, packed, root):
        assert used()
        assert not list(root.glob("*.nb?"))

    def test_is_not_used_by_a_processor_that_lacks_features(self, monkeypatch, root):
        self.become(monkeypatch, None)
        assert not used()
        assert list(root.glob("*.nbc"))

    def test_is_not_used_if_others_can_change_it(self, packed, capsys):
        packed.chmod(0o777)
        assert not used()
        assert "is not used" in capsys.readouterr().err

    def test_that_is_damaged_is_compiled_anew_and_left_as_it_is(self, packed, capsys):
        (file,) = packed.glob("*.nbc")
        file.write_bytes(b"")
        assert not used()
        assert "is damaged; compiling it anew" in capsys.readouterr().err
        assert used()
        assert list(packed.glob("*.nbi"))


class TestArchive:
    """Compiled code in one file."""

    def test_is_used_where_it_is_unpacked(self, root):
        used()
        content = archive.packed(root)
        for file in root.iterdir():
            file.unlink()
        assert archive.unpack(content, root) == 2
        assert archive.unpack(content, root) == 0
        assert used()

    @pytest.mark.parametrize("content", [b"", b"\xfd7zXZ\0", random.Random(1).randbytes(99)])
    def test_anything_else_is_refused(self, root, content):
        with pytest.raises(ValueError, match="no file of compiled code"):
            archive.unpack(content, root)

    def test_unpacking_goes_on_after_a_kill(self, root):
        used()
        content = archive.packed(root)
        (index,) = root.glob("*.nbi")
        index.unlink()  # it is written after the code
        assert archive.unpack(content, root) == 2
        assert index.exists()

    @pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE])
    def test_of_links_and_folders_is_refused(self, root, kind):
        content, member = io.BytesIO(), tarfile.TarInfo("twice-0123456789abcdef.nbi")
        member.type, member.linkname = kind, member.name
        with tarfile.open(fileobj=content, mode="w:xz") as file:
            file.addfile(member)
        with pytest.raises(ValueError, match="is no file of compiled code"):
            archive.unpack(content.getvalue(), root)

    def test_that_is_damaged_is_refused_as_a_whole(self, root):
        used()
        (index,) = (file.name for file in root.glob("*.nbi"))
        plain = bytearray(lzma.decompress(archive.packed(root)))
        for file in root.iterdir():
            file.unlink()
        second = plain.rindex(index.encode())  # where its header begins
        cut, changed = plain[:second], bytearray(plain)
        changed[second] ^= 1
        for damaged in (cut, changed):
            with pytest.raises(ValueError, match="no file of compiled code"):
                archive.unpack(lzma.compress(damaged), root)
        assert not list(root.iterdir())

    def test_of_files_with_other_names_is_refused(self, root):
        content = io.BytesIO()
        with tarfile.open(fileobj=content, mode="w:xz") as file:
            file.addfile(tarfile.TarInfo("../twice-0123456789abcdef.nbi"))
        with pytest.raises(ValueError, match="is no file of compiled code"):
            archive.unpack(content.getvalue(), root)
        assert not list(root.iterdir())

    def test_that_others_can_change_is_not_read(self, root):
        file = root / "code.tar.xz"
        file.touch()
        file.chmod(0o666)
        with pytest.raises(cache.UnusableFile, match="can be changed by all users"):
            archive.read(file)


def test_a_processor_that_lacks_a_feature_has_no_baseline(monkeypatch):
    processor.baseline.cache_clear()
    assert processor.baseline() is not None
    processor.baseline.cache_clear()
    monkeypatch.setattr(processor, "_features", dict)
    assert processor.baseline() is None
    processor.baseline.cache_clear()
