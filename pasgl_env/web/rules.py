"""Rules pages for people: the documentation's, with pictures instead of code."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from html import escape
from importlib import resources
from itertools import pairwise
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from pasgl_env import render
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.position import Position
from pasgl_env.web import guides

_ICON, _PICTURE = 40, 340
_PLAYED = re.compile(r'\.play\("([^"]*)"\)')
_STRINGS = re.compile(r'"([^"\n]*)"')
_SECTIONS_FOR_PROGRAMS = ("Position text", "Sources", "Perft")
# The sentences on the examples of the documentation, and the function that these use.
_FOR_TESTS = re.compile(r" The examples run as tests\..*?\n```\n(?=\n)", re.DOTALL)


@lru_cache(maxsize=32)
def page(variant: str, theme: str) -> str:
    """The rules of a variant as HTML; ``ValueError`` for an unknown variant."""
    usual = Position(variant)
    text = _text_of(usual.ruleset)
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = _for_people(parser.parse(_FOR_TESTS.sub("\n", text, count=1)))
    headings = list[str]()
    drawn = {usual.text}
    for number, token in enumerate(tokens):
        if token.type == "fence":
            shown = _illustrated(usual.ruleset, token.content, theme, drawn)
            token.type, token.content = "html_block", shown
        elif token.type == "heading_open":
            heading = tokens[number + 1].content
            token.attrSet("id", "rules-" + _slug(heading))
            headings += [heading] * (token.tag == "h2")
        for child in token.children or ():
            if child.type == "link_open":
                child.attrSet("href", _address(variant, str(child.attrGet("href"))))
    start = render.svg(usual, theme=theme, size=1.4 * _PICTURE)
    pictures = f"<figure>{start}</figure>{_legend(usual.ruleset, theme)}"
    rendered = str(parser.renderer.render(tokens, parser.options, {}))
    return rendered.replace("</h1>", f"</h1>{_contents(variant, headings)}{pictures}", 1)


def _text_of(ruleset: Ruleset) -> str:
    """The rules of a game in Markdown; its summary if it has none."""
    game = ruleset.game
    with suppress(FileNotFoundError):
        if game.package:
            return resources.files(game.package).joinpath("rules.md").read_text(encoding="utf-8")
    _, _, page = render.summary(ruleset).partition("\n\n")
    return f"# {game.title}\n\n{page}"


def _contents(variant: str, headings: list[str]) -> str:
    """Links to the sections."""
    links = (
        f'<li><a href="#/rules/{variant}/{_slug(heading)}">{escape(heading)}</a></li>'
        for heading in headings
    )
    return f'<nav class="contents" aria-label="Contents"><ul>{"".join(links)}</ul></nav>'


def _address(variant: str, link: str) -> str:
    """The address here for a link of the documentation; that of other pages is the top."""
    section = link[1:] if link.startswith("#") else ""
    return f"#/rules/{variant}/{section}" if section else f"#/rules/{variant}"


def _for_people(tokens: list[Token]) -> list[Token]:
    """The tokens without the table of contents and the sections for programs."""
    kept: list[Token] = []
    skipping = False
    for number, token in enumerate(tokens):
        if token.type == "heading_open":
            skipping = tokens[number + 1].content in _SECTIONS_FOR_PROGRAMS and token.tag == "h2"
        if not skipping:
            kept.append(token)
    first = next((n for n, token in enumerate(kept) if token.type == "bullet_list_open"), -1)
    if first >= 0 and kept[first].level == 0:
        last = next(n for n, token in enumerate(kept) if token.type == "bullet_list_close")
        if all("](#" in token.content for token in kept[first:last] if token.type == "inline"):
            del kept[first : last + 1]
    return kept


def _slug(heading: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")


def _illustrated(ruleset: Ruleset, code: str, theme: str, drawn: set[str]) -> str:
    """Pictures of the positions in an example; the code itself is folded away.

    The page plays the actions of an example on its board. ``drawn`` holds the texts of positions
    that the page already shows.
    """
    new = [each for each in _examples(ruleset, code) if each.labels or each.start.text not in drawn]
    drawn.update(each.start.text for each in new)
    shown = "".join(_figure(example, theme) for example in new)
    folded = f"<details><summary>The example as code</summary><pre>{escape(code)}</pre></details>"
    return shown + folded


class _Example(NamedTuple):
    """A position and what is played from there."""

    start: Position
    labels: list[str]


def _figure(example: _Example, theme: str) -> str:
    start, labels = example
    data = {"data-labels": ",".join(labels), "data-text": start.text}
    data["data-options"] = json.dumps(start.ruleset.unusual)
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in data.items() if labels)
    return f"<figure{attributes}>{render.svg(start, theme=theme, size=_PICTURE)}</figure>"


def _examples(ruleset: Ruleset, code: str) -> list[_Example]:
    """The positions whose texts an example contains, with the legal actions played from each."""
    found: dict[str, _Example] = {}
    position = Position(ruleset)
    labels = list[str]()
    for line in code.splitlines():
        if not line.startswith((">>>", "...")):
            continue
        for start in _positions(ruleset, line):
            position, labels = (
                start.copy(),
                found.setdefault(start.text, _Example(start, [])).labels,
            )
        for label in _PLAYED.findall(line):
            with suppress(ValueError):
                position.play(label)
                labels.append(label)
    return list(found.values())


def _positions(ruleset: Ruleset, line: str) -> Iterator[Position]:
    """The positions of a line: whole texts, those of two strings, and what a game writes short."""
    strings = _STRINGS.findall(line)
    short = guides.short_texts(ruleset)
    forms = (form.format(text) for text in strings for form in short)
    for text in (*strings, *map(" ".join, pairwise(strings)), *forms):
        with suppress(ValueError):
            yield Position.from_text(ruleset, text)
    for text in strings:
        with suppress(ValueError):
            if "setup" in ruleset.options and "/" in text:
                yield Position(ruleset.name, setup=text)


def _legend(ruleset: Ruleset, theme: str) -> str:
    """A table of the pieces, drawn."""
    rows = []
    for piece in guides.pieces(ruleset):
        icon = render.icon(ruleset, piece.symbol, theme=theme).to_svg(_ICON)
        rows.append(
            f"<tr><td>{icon}</td><td><strong>{escape(piece.name)}</strong></td>"
            f"<td>{escape(piece.move)}</td></tr>"
        )
    return f'<table class="pieces"><tbody>{"".join(rows)}</tbody></table>'
