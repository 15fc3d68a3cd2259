import os
import signal
import subprocess
import sys
import time

from typer.testing import CliRunner

from pasgl_env.cli.app import app


def run(*arguments, typed=None):
    """Run the command; ``typed`` is text or lines. Uncaught exceptions fail the test."""
    typed = "\n".join(typed) + "\n" if isinstance(typed, list) else typed
    return CliRunner().invoke(app, arguments, input=typed, catch_exceptions=False)


def stop(command, how, file, is_enough):
    """Begin a command in a process of its own, and send it a signal when its file has enough."""
    process = subprocess.Popen(
        [sys.executable, "-c", "from pasgl_env.cli import main; main()", *command],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ},
    )
    deadline = time.monotonic() + 300
    while not (file.exists() and is_enough(file.read_bytes())):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(how)
    _, stderr = process.communicate(timeout=60)
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert f"Interrupted; the results are in {file.parent}" in stderr
        assert "Traceback" not in stderr
