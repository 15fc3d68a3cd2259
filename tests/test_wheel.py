"""The installed wheel works without a checkout."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

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
