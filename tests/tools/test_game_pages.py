"""The environments' pages are up to date, and agree with the code."""

import re
from importlib import import_module
from itertools import pairwise

import pytest

from pasgl_env import variants
from pasgl_env.games.pasgl312.rules import legal
from tools import game_pages

FOLDER = game_pages.DOCS / "environments"


def written(variant):
    return (FOLDER / f"{variant}.md").read_text("utf-8")


def test_all_pages_are_up_to_date():
    stale = [name for name, text in game_pages.pages().items() if written(name[:-3]) != text]
    assert not stale, "write them anew: python -m tools.game_pages"


def test_there_are_no_other_pages():
    assert {page.name for page in FOLDER.iterdir()} == game_pages.pages().keys()


def test_every_page_is_in_the_table_of_environments():
    table = (FOLDER.parent / "environments.md").read_text("utf-8")
    assert all(f"(environments/{name})" in table for name in game_pages.pages())


def test_every_plane_and_option_is_told(variant):
    game, page = variants.find(variant), written(variant)
    assert all(f" | {plane.meaning} |" in page for plane in game.planes)
    assert all(f"| `{option.name}` | " in page for option in game.options)


@pytest.mark.parametrize("variant", ["pasgl312"])
def test_the_action_table_is_that_of_the_code(variant):
    table = written(variant).partition("| Action    | Meaning |")[2]
    starts = [0, legal.DISPLACEMENTS, legal.VICTIMS, legal.PASS, legal.ACTIONS]
    expected = [
        str(first) if end - first == 1 else f"{first}-{end - 1}" for first, end in pairwise(starts)
    ]
    assert re.findall(r"^\| ([0-9-]*[0-9]) +\|", table, re.MULTILINE)[: len(expected)] == expected


def test_the_versions_begin_with_this_one(variant):
    newest = re.search(r"## Versions\n\n\* v(\d+)", written(variant))
    assert newest is not None
    assert int(newest[1]) == variants.table()[variant].environment


def test_the_modules_of_the_environments_name_their_pages(variant):
    version = variants.table()[variant].environment
    module = import_module(f"pasgl_env.envs.{variant}_v{version}")
    assert f"docs/environments/{variant}.md" in str(module.__doc__)
