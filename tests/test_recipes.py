"""The recipe for a cluster, which is no doctest because Ray is not installed everywhere."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "docs" / "recipes.md"


def test_a_cluster_gives_the_same_result():
    ray = pytest.importorskip("ray")
    (code,) = re.findall(r"```py\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    try:
        exec(code, {})
    finally:
        ray.shutdown()
