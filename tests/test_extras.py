"""The extras in installation hints exist."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
TOLD = re.compile(r"pip install '(?:pasgl-env|\.)\[([a-z,]+)\]'")


def test_every_extra_that_is_named_in_a_hint_or_page_exists():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    files = [ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("pasgl_env/**/*.py")]
    told = {
        name
        for file in files
        for names in TOLD.findall(file.read_text(encoding="utf-8"))
        for name in names.split(",")
    }
    assert {"play", "lab", "train", "all"} <= told <= set(extras["optional-dependencies"])
