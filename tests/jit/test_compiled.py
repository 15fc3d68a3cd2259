"""The cache of compiled code, and the binding of generic loops to one game's rules."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pasgl_env.jit import compiled
from pasgl_env.jit.cache import CheckedCache
from pasgl_env.jit.compiled import (
    JIT,
    bind,
    cache_folder,
    compile_once,
    inlined_rule,
    rule,
    wide,
)

compiled_only = pytest.mark.skipif(not JIT, reason="about compiled code")


@pytest.fixture
def fresh(monkeypatch):
    """Looks up the folder again, now and after the test."""
    cache_folder.cache_clear()
    yield monkeypatch
    cache_folder.cache_clear()


class TestFolder:
    def test_is_below_the_one_asked_for(self, fresh, tmp_path):
        fresh.setenv("PASGL_CACHE_DIR", str(tmp_path / "here" / "there"))
        folder = folder_now()
        assert folder == tmp_path / "here" / "there"
        assert folder.is_dir()
        assert not any(folder.iterdir())

    def test_is_in_the_users_cache(self, fresh, tmp_path):
        fresh.delenv("PASGL_CACHE_DIR", raising=False)
        fresh.setenv("XDG_CACHE_HOME", str(tmp_path))
        assert folder_now() == tmp_path / "pasgl_env"
        fresh.delenv("XDG_CACHE_HOME")
        fresh.setenv("HOME", str(tmp_path))
        assert folder_now() == tmp_path / ".cache" / "pasgl_env"

    def test_falls_back_to_the_temporary_folder(self, fresh, tmp_path):
        fresh.delenv("PASGL_CACHE_DIR", raising=False)
        fresh.setenv("XDG_CACHE_HOME", str(unwritable(tmp_path)))
        fresh.setattr("tempfile.tempdir", str(tmp_path))
        assert tmp_path in folder_now().parents

    def test_is_none_where_nothing_is_writable(self, fresh, tmp_path):
        fresh.setenv("PASGL_CACHE_DIR", str(unwritable(tmp_path)))
        assert cache_folder() is None

    def test_is_never_one_that_others_can_change(self, fresh, tmp_path, capsys):
        tmp_path.chmod(0o777)
        fresh.setenv("PASGL_CACHE_DIR", str(tmp_path / "cache"))
        assert cache_folder() is None
        assert f"{tmp_path} can be changed by all users" in capsys.readouterr().err
        assert not any(tmp_path.iterdir())

    def test_without_a_home_is_not_in_the_working_directory(self, fresh, tmp_path):
        """As in a container that is run with any number for a user."""
        fresh.chdir(tmp_path)
        fresh.setattr("os.path.expanduser", lambda path: path)
        fresh.delenv("XDG_CACHE_HOME", raising=False)
        fresh.setattr("tempfile.tempdir", str(unwritable(tmp_path)))
        for wanted in ("", "~/cache"):
            cache_folder.cache_clear()
            fresh.setenv("PASGL_CACHE_DIR", wanted)
            assert cache_folder() is None
        assert [each.name for each in tmp_path.iterdir()] == ["file"]

    def test_is_looked_for_once(self):
        assert cache_folder() is cache_folder()

    def test_asked_for_does_not_depend_on_the_user(self, fresh, tmp_path):
        """In a container, the user may have neither a name nor a home."""

        def unknown():
            raise KeyError("getpwuid(): uid not found: 12345")

        fresh.setattr("getpass.getuser", unknown)
        fresh.setattr("pathlib.Path.home", unknown)
        fresh.setenv("PASGL_CACHE_DIR", str(tmp_path))
        assert folder_now() == tmp_path


def folder_now() -> Path:
    """The folder of compiled code, which must exist."""
    cache_folder.cache_clear()
    folder = cache_folder()
    assert folder is not None
    return folder


def unwritable(folder):
    """A folder that cannot be created, because it would be inside a file."""
    (folder / "file").touch()
    return folder / "file" / "folder"


@compiled_only
class TestCompileOnce:
    def test_says_so_and_runs_once_for_each_folder(self, fresh, tmp_path, capsys):
        runs = []
        for folder in ("a", "b"):
            cache_folder.cache_clear()
            fresh.setenv("PASGL_CACHE_DIR", str(tmp_path / folder))
            for _ in range(3):
                compile_once("chess", lambda: runs.append(1), [])
            told = capsys.readouterr()
            assert told.out == ""
            first, second = told.err.splitlines()
            kept = f"once; kept in {cache_folder()}"
            assert first == f"pasgl_env: compiling chess ({kept}) ..."
            assert second == "pasgl_env: compiled chess in 0 s"
        assert len(runs) == 2

    def test_without_a_folder_says_so_every_time(self, fresh, tmp_path, capsys):
        fresh.setenv("PASGL_CACHE_DIR", str(unwritable(tmp_path)))
        for _ in range(2):
            compile_once("chess", lambda: None, [])
            assert "compiling chess (there is no folder to keep it in)" in capsys.readouterr().err

    def test_one_that_fails_is_not_done(self, fresh, tmp_path, capsys):
        fresh.setenv("PASGL_CACHE_DIR", str(tmp_path))
        with pytest.raises(ZeroDivisionError):
            compile_once("chess", fail, [])
        compile_once("chess", lambda: None, [])
        assert "compiled chess in 0 s" in capsys.readouterr().err


def fail():
    raise ZeroDivisionError


def test_without_the_jit_nothing_is_compiled_or_said(monkeypatch, capsys):
    monkeypatch.setattr(compiled, "JIT", False)
    compile_once("chess", pytest.fail, [])
    assert capsys.readouterr().err == ""


def twice(number):
    return 2 * number


def template(number):
    return play(number) + 1  # type: ignore[name-defined]  # noqa: F821


class TestBinding:
    @pytest.fixture(autouse=True)
    def cached_elsewhere(self, fresh, tmp_path):
        fresh.setenv("PASGL_CACHE_DIR", str(tmp_path))

    def test_gives_each_game_a_function_of_its_own(self):
        doubling = bind(template, "doubling", {"play": rule(twice)})
        squaring = bind(template, "squaring", {"play": rule(lambda number: number * number)})
        assert (doubling(5), squaring(5)) == (11, 26)
        assert doubling.__name__ == doubling.__qualname__ == "template_doubling"
        assert squaring.__name__ == "template_squaring"

    def test_leaves_the_template_alone(self):
        bind(template, "doubling", {"play": rule(twice)})
        assert template.__qualname__ == "template"
        with pytest.raises(NameError):
            template(1)

    @pytest.mark.jitfree
    def test_wide_numbers_do_not_overflow(self):
        assert wide(np.int8(127)) + 1 == 128
        assert wide(np.uint32(2**32 - 1)) + 1 == 2**32


@rule
def _multiple(number, factor):
    return number * factor if factor < 2 else number + _multiple(number, factor - 1)


@rule
def _sixes(number):
    return _multiple(number, 1) + _multiple(number, 2) + _multiple(number, 3)


class TestRule:
    @pytest.mark.jitfree
    def test_can_be_called_by_rules_by_itself_and_by_python(self):
        assert (_sixes(7), _multiple(7, 6)) == (42, 42)

    @compiled_only
    def test_is_compiled_once_for_all_constants(self, fresh, tmp_path):
        fresh.setenv("PASGL_CACHE_DIR", str(tmp_path))
        twice: Any = rule(lambda number: 2 * number)
        four = rule(lambda: twice(2) - twice(0))
        assert four() == 4
        assert len(list(tmp_path.glob("*.nbc"))) == 2

    @compiled_only
    def test_is_not_inlined_because_its_first_caller_is(self, fresh, tmp_path):
        fresh.setenv("PASGL_CACHE_DIR", str(tmp_path))
        twice: Any = rule(lambda number: 2 * number)
        assert inlined_rule(lambda: twice(3))() == 6
        (result,) = twice._unwrapped.overloads.values()
        function = result.library.get_function(result.fndesc.mangled_name)
        assert not any(b"alwaysinline" in each for each in function.attributes)

    @compiled_only
    def test_gets_no_machine_code_for_its_callers_which_make_their_own(self, fresh, tmp_path):
        fresh.setenv("PASGL_CACHE_DIR", str(tmp_path))
        twice: Any = rule(lambda number: 2 * number)
        caller: Any = rule(lambda: twice(3))
        assert caller() == 6
        for function, has_code in ((twice._unwrapped, False), (caller, True)):
            (result,) = function.overloads.values()
            name = result.fndesc.mangled_name.encode()
            assert (name in result.library._get_compiled_object()) == has_code


@compiled_only
def test_an_interrupt_while_a_function_is_loaded_waits_until_it_is_whole(
    fresh, tmp_path, interruptible
):
    def interrupted(cache, *arguments):
        signal.raise_signal(signal.SIGINT)
        return load(cache, *arguments)

    fresh.setenv("PASGL_CACHE_DIR", str(tmp_path))
    load = CheckedCache.load_overload
    fresh.setattr(CheckedCache, "load_overload", interrupted)
    function: Any = rule(twice)
    with pytest.raises(KeyboardInterrupt):
        function(4)
    assert len(function.overloads) == 1
    assert function(4) == 8


def run(code, **environment):
    """The output of a new process on both streams."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


PLAY = "from pasgl_env import Batch; b = Batch('pasgl312', 2, seed=1); b.step(b.sample())"


class TestProcesses:
    @compiled_only
    def test_with_everything_compiled_nothing_is_said(self):
        run(PLAY)
        assert run(PLAY) == ("", "")

    @compiled_only
    def test_loading_compiled_code_does_not_load_what_numba_compiles_with(self):
        run(PLAY)
        early = "import numpy, sys; early = set(sys.modules)"  # NumPy 1.26 itself loads numpy.ma
        late = '{"numba.np.arraymath", "numpy.ma"} & (sys.modules.keys() - early)'
        assert run(f"{early}; {PLAY}; print({late})") == ("set()\n", "")

    def test_without_the_jit_nothing_is_said(self):
        assert run(PLAY, NUMBA_DISABLE_JIT="1") == ("", "")

    @pytest.mark.slow
    def test_an_empty_folder_is_filled_once(self, tmp_path):
        out, told = run(PLAY, PASGL_CACHE_DIR=str(tmp_path))
        assert out == ""
        assert told.splitlines()[0].startswith(
            f"pasgl_env: compiling pasgl312 (once; kept in {tmp_path}"
        )
        assert len(told.splitlines()) == 2
        assert run(PLAY, PASGL_CACHE_DIR=str(tmp_path)) == ("", "")

    @pytest.mark.slow
    def test_four_at_once_compile_once(self, tmp_path):
        code = PLAY.replace("pasgl312", "pachessi")
        with ThreadPoolExecutor(4) as pool:
            runs = pool.map(lambda _: run(code, PASGL_CACHE_DIR=str(tmp_path)), range(4))
            told = [err for _, err in runs]
        assert sum("compiled pachessi in" in each for each in told) == 1

    @pytest.mark.slow
    def test_on_a_full_disk_everything_works(self, tmp_path):
        """A limit of file sizes simulates a full disk: it stops the same writes."""
        limited = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64)); "
        code = limited + PLAY.replace("pasgl312", "pachessi")
        _, told = run(code, PASGL_CACHE_DIR=str(tmp_path))
        assert told.count("cannot keep compiled code") == 1

    @pytest.mark.slow
    def test_without_a_folder_everything_works(self, tmp_path):
        _, told = run(PLAY, PASGL_CACHE_DIR=str(unwritable(tmp_path)))
        assert "there is no folder to keep it in" in told
