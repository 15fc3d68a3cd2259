"""The gallery in docs/ is up to date."""

import re
from pathlib import Path

import pytest

from pasgl_env.contract.variants import names
from tools import gallery

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def drawn():
    return dict(gallery.files(DOCS))


def test_everything_is_up_to_date(drawn):
    differing = [
        name for name, content in drawn.items() if (DOCS / name).read_text("utf-8") != content
    ]
    assert not differing, "run: make gallery"


def test_nothing_else_lies_about(drawn):
    there = {f"gallery/{file.name}" for file in (DOCS / "gallery").iterdir()}
    assert there == {name for name in drawn if "/" in name} | {gallery.RECORDS}


def test_the_page_shows_every_picture(drawn):
    mentioned = set(re.findall(r'"(gallery/[^"]+)"', drawn["gallery.md"]))
    assert mentioned == {name for name in drawn if "/" in name}


def test_every_variant_is_in_it():
    assert set(gallery.PICTURES) == set(names())


def test_it_is_small(drawn):
    assert sum(map(len, drawn.values())) < 3_000_000
