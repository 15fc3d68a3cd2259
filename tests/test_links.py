"""Links between the repository's pages work, also on GitHub."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[1]
_ADDRESS = re.compile(r"[a-z]+:")
_IN_HTML = re.compile(r'(?:src|srcset|href)="([^"]+)"')
_IN_REPOSITORY = re.compile(
    r"(?:agents|benchmarks|docs|pasgl_env|studies|tests|tools)/[a-z0-9_/.-]+"
)
_parser = MarkdownIt("gfm-like", {"linkify": False})


def tracked_pages() -> list[str]:
    """All but the parts of the environments' pages, whose links count from docs/environments."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "*.md", ":!pasgl_env/games/*/page.md"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    return [name for name in listed.stdout.decode().split("\0") if (ROOT / name).is_file() and name]


@pytest.mark.parametrize("page", tracked_pages())
def test_no_relative_link_is_dead(page):
    dead = [link for link in links(ROOT / page) if not leads_somewhere(ROOT / page, link)]
    assert not dead


def test_no_file_that_a_page_names_is_missing():
    named = {
        token.content
        for page in tracked_pages()
        for token in tokens(ROOT / page)
        if token.type == "code_inline" and _IN_REPOSITORY.fullmatch(token.content)
    }
    assert "tests/statistics/test_clustered.py" in named
    assert not [name for name in named if not (ROOT / name).exists()]


def test_dead_links_and_anchors_are_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text('# A `b`, c\n\n[a](#a-b-c) [b](#b) [c](none.md) <img src="none.png">\n')
    assert [link for link in links(page) if not leads_somewhere(page, link)] == [
        "#b",
        "none.md",
        "none.png",
    ]


def links(page: Path) -> list[str]:
    found: list[str] = []
    for token in tokens(page):
        found += [str(token.attrs[name]) for name in ("href", "src") if name in token.attrs]
        if token.type in ("html_block", "html_inline"):
            found += _IN_HTML.findall(token.content)
    return [link for link in found if not _ADDRESS.match(link)]


def leads_somewhere(page: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = page.parent / path if path else page
    if not target.exists():
        return False
    return not anchor or target.suffix != ".md" or anchor in anchors(target)


@cache
def anchors(page: Path) -> set[str]:
    """What GitHub and the site make of a page's headings."""
    inside, found = False, set[str]()
    for token in tokens(page):
        if inside and token.type == "inline":
            text = "".join(child.content for child in token.children or ())
            found.add(re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-"))
        inside = token.type == "heading_open"
    return found


def tokens(page: Path) -> list[Token]:
    blocks = _parser.parse(page.read_text(encoding="utf-8"))
    return [token for block in blocks for token in (block, *(block.children or ()))]
