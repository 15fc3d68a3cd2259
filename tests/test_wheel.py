"""The installed wheel works without a checkout."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from pasgl_env import variants
from tools import dist

ROOT = Path(__file__).parents[1]
DATA = (
    ".jinja",
    ".ttf",
    ".json",
    ".md",
    ".toml",
    ".pt",
    ".js",
    ".css",
    ".html",
    ".svg",
    "py.typed",
)


def is_data(path: Path) -> bool:
    return path.name.endswith(DATA) and "__pycache__" not in path.parts


@pytest.mark.slow
def test_it_has_every_module_and_all_data(tmp_path):
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(tmp_path), "."]
    subprocess.run(build, cwd=ROOT, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    packed = set(ZipFile(wheel).namelist())
    package = ROOT / "pasgl_env"
    for path in package.rglob("*"):
        if path.suffix == ".py" or is_data(path):
            assert f"pasgl_env/{path.relative_to(package).as_posix()}" in packed


FIRST_STEP = """
import sys, time
from pasgl_env import Batch
batch = Batch(sys.argv[1], 4, seed=1)
batch.step(batch.sample())
print(time.process_time())
"""


@pytest.mark.slow
def test_with_compiled_code_each_game_is_ready_at_once(tmp_path, monkeypatch):
    source, python = tmp_path / "source", tmp_path / "venv" / "bin" / "python"
    monkeypatch.setenv("PASGL_CACHE_DIR", "")  # put back what the building sets
    monkeypatch.delenv("PYTHONPATH", raising=False)  # pip takes a checkout there for installed
    dist.copy_tracked(source)
    wheel = dist.compiled_wheel(source, tmp_path)
    assert wheel.stat().st_size < dist.MOST_COMPILED_BYTES
    venv.create(tmp_path / "venv", with_pip=True)
    constraints = str(ROOT / "constraints.txt")
    install = [python, "-m", "pip", "install", "--quiet", "-c", constraints, wheel]
    subprocess.run(install, check=True)
    environment = {"PASGL_CACHE_DIR": str(tmp_path / "empty")}
    command = [python, "-c", FIRST_STEP]
    for variant in variants.names():
        run = subprocess.run(
            [*command, variant], cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        assert (run.returncode, run.stderr) == (0, "")
        assert float(run.stdout) < 2
