"""The glossary is kept: public names and flags do without the words that it replaces."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
GLOSSARY = ROOT / "docs" / "glossary.md"
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_REPLACED = re.compile(r"^\| `([a-z]+)` \|", re.MULTILINE)
_FLAG = re.compile(r"--[a-z][a-z-]+")


def replaced() -> set[str]:
    """The words in the glossary's table of those not to be used."""
    return set(_REPLACED.findall(GLOSSARY.read_text(encoding="utf-8")))


def names(tree: ast.Module) -> Iterator[str]:
    """The public names of a module: of functions, classes, parameters, variables and flags."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name) | ast.arg(arg=name) | ast.Attribute(attr=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.Constant(value=str(text)) if _FLAG.fullmatch(text):
                yield text


def words(name: str) -> set[str]:
    return set() if name.startswith("_") else {each.lower() for each in _WORDS.findall(name)}


def test_public_names_and_flags_use_the_words_of_the_glossary():
    forbidden = replaced()
    assert forbidden
    wrong = {
        f"{file.relative_to(ROOT)}: {name}"
        for file in (ROOT / "pasgl_env").rglob("*.py")
        for name in names(ast.parse(file.read_text(encoding="utf-8")))
        if not forbidden.isdisjoint(words(name))
    }
    assert not wrong, "docs/glossary.md has the words to use"


def test_words_are_found_in_names_of_every_form():
    source = "class SettleIt: ...\ndef f(settle_now): x.settle\nsettle = '--settle'\n_settle = 1"
    found = sorted(name for name in names(ast.parse(source)) if "settle" in words(name))
    assert found == ["--settle", "SettleIt", "settle", "settle", "settle_now"]


def test_no_two_classes_have_one_name():
    classes = [
        node.name
        for file in (ROOT / "pasgl_env").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    ]
    assert [name for name, count in Counter(classes).items() if count > 1] == []
