"""Files that several processes write at the same time."""

import errno
import os
import signal
import subprocess
import sys

import pytest

from pasgl_env.storage import files
from pasgl_env.storage.files import InUse, append, held, replacing, write_whole

BEGIN = "import os, sys, time; from pathlib import Path; from pasgl_env.storage.files import *\n"


def begun(code, *arguments):
    command = [sys.executable, "-c", BEGIN + code, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def outputs(*processes):
    told = [process.communicate(timeout=60) for process in processes]
    assert [err for _, err in told] == [""] * len(told)
    return [out for out, _ in told]


WRITE = """
for _ in range(150):
    write_whole(Path(sys.argv[1]), sys.argv[2].encode() * 10_000)
    content = Path(sys.argv[1]).read_bytes()
    assert len(content) == 10_000 and len(set(content)) == 1
"""


def test_a_file_that_two_processes_replace_is_always_whole(tmp_path):
    outputs(*(begun(WRITE, tmp_path / "state", sign) for sign in "ab"))
    assert [each.name for each in tmp_path.iterdir()] == ["state"]


APPEND = """
for number in range(150):
    append(Path(sys.argv[1]), f"{sys.argv[2]}{number}\\n".encode() * 3)
"""


def test_lines_that_two_processes_append_are_all_there(tmp_path):
    outputs(*(begun(APPEND, tmp_path / "lines", sign) for sign in "ab"))
    lines = (tmp_path / "lines").read_text().splitlines()
    assert sorted(lines) == sorted(f"{sign}{n}" for n in range(150) for sign in "ab" * 3)
    assert [each.name for each in tmp_path.iterdir()] == ["lines"]


def test_a_killed_process_leaves_the_file_and_the_next_writer_removes_the_rest(tmp_path):
    file = tmp_path / "agent.pt"
    write_whole(file, b"old")
    code = "with replacing(Path(sys.argv[1])): print(flush=True); time.sleep(60)"
    with begun(code, file) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert len(list(tmp_path.iterdir())) == 2
        write_whole(file, b"new")  # while the other one is still at work
        assert len(list(tmp_path.iterdir())) == 2
        process.send_signal(signal.SIGKILL)
    assert file.read_bytes() == b"new"
    write_whole(file, b"newer")
    assert [each.name for each in tmp_path.iterdir()] == ["agent.pt"]


def test_an_error_leaves_the_file_as_it_is(tmp_path):
    file = tmp_path / "state"
    write_whole(file, b"old")
    with pytest.raises(RuntimeError), replacing(file) as stream:
        stream.write(b"half")
        raise RuntimeError
    with pytest.raises(FileExistsError), replacing(file, overwrite=False):
        pass
    with pytest.raises(FileNotFoundError, match=r"none/state"):
        write_whole(tmp_path / "none" / "state", b"")
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("state", b"old")]


def test_a_link_stays_and_what_it_leads_to_is_replaced(tmp_path):
    file, link = tmp_path / "far" / "results", tmp_path / "link"
    file.parent.mkdir()
    link.symlink_to(file)
    for content in (b"old", b"new"):
        write_whole(link, content)
        assert link.is_symlink()
        assert file.read_bytes() == content


@pytest.mark.skipif(sys.platform == "win32", reason="has no such pipes")
def test_a_pipe_gets_the_content_and_stays(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(pipe, b"content")
    assert os.read(reader, 99) == b"content"
    os.close(reader)
    assert pipe.is_fifo()
    with pytest.raises(FileExistsError), replacing(pipe, overwrite=False):
        pass


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="has no such file")
def test_the_standard_output_goes_on_in_its_file(tmp_path):
    program = (
        "from pathlib import Path; from pasgl_env.storage.files import write_whole\n"
        "print('printed'); write_whole(Path('/dev/stdout'), b'written\\n'); print('at last')"
    )
    file = tmp_path / "log"
    file.write_text("earlier\n")
    with file.open("ab") as log:
        subprocess.run([sys.executable, "-c", program], stdout=log, check=True)
    assert file.read_text().split("\n") == ["earlier", "printed", "written", "at last", ""]


def test_the_longest_name_that_a_file_may_have(tmp_path):
    file = tmp_path / ("é" * 127)
    write_whole(file, b"a")
    append(file, b"b")
    assert file.read_bytes() == b"ab"


def test_a_file_system_without_locks(tmp_path, monkeypatch):
    """Another file is the lock; it remains after a kill, and the message says what to do."""

    def fail(*_):
        raise OSError(errno.ENOSYS, "no locks")

    monkeypatch.setattr("fcntl.flock", fail)
    with held(tmp_path / "lock"), pytest.raises(InUse, match=r"if none is, delete .*lock\.held"):  # noqa: SIM117
        with held(tmp_path / "lock"):
            pass
    for content in (b"a", b"b"):
        append(tmp_path / "lines", content)
    assert (tmp_path / "lines").read_bytes() == b"ab"
    write_whole(tmp_path / "state", b"a")
    old = tmp_path / "state.0.part"
    old.touch()
    write_whole(tmp_path / "state", b"b")
    assert old.exists()  # it may be another process's
    os.utime(old, (0, 0))
    write_whole(tmp_path / "state", b"c")
    assert {each.name for each in tmp_path.iterdir()} == {"lines", "lock", "state"}


def test_a_writer_that_waits_for_long_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "SECONDS_TO_WAIT", 0.1)
    with held(tmp_path / ".lines.lock"), pytest.raises(InUse, match="another process writes to"):
        append(tmp_path / "lines", b"a")
    append(tmp_path / "lines", b"b")
    assert (tmp_path / "lines").read_bytes() == b"b"


def test_a_lock_ends_with_the_process_but_not_with_its_children(tmp_path):
    code = """
with held(Path(sys.argv[1])):
    if os.fork() == 0:
        time.sleep(1)
        os._exit(0)
print("released", flush=True)
"""
    file = tmp_path / "lock"
    process = begun(code, file)
    assert process.stdout is not None
    process.stdout.readline()
    with held(file):
        pass
    process.communicate()
