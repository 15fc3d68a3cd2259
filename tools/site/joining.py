"""ES modules in one file, for which a page on a slow line waits less than for many."""

from __future__ import annotations

import re
from collections.abc import Mapping

_IMPORT = re.compile(r'^import \{ ([^}]*) \} from "\./([\w.]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)
_COMMENT = re.compile(r"^ *(?://[^\n]*|/\*\*.*?\*/)\n", re.MULTILINE | re.DOTALL)


def bundle(modules: Mapping[str, str], entry: str) -> tuple[str, set[str]]:
    """A module with all that it imports, each in a scope of its own; and their names.

    Args:
        modules: the texts of modules by file names.
        entry: the name of the module.
    """
    written: dict[str, str] = {}
    _add(written, modules, entry)
    return "".join(written.values()), set(written)


def shared(modules: Mapping[str, str], bundled: set[str]) -> tuple[str, str]:
    """What the bundle of a page or a worker ends with, and a module that exports what it holds."""
    exporting = sorted(name for name in bundled if _exports(modules[name]))
    scopes = ", ".join(f"...{_scope(name)}" for name in exporting)
    names = ", ".join(each for name in exporting for each in _exports(modules[name]))
    return f"self.bundled = {{ {scopes} }};\n", f"export const {{ {names} }} = self.bundled;\n"


def importing(text: str, bundled: set[str], entry: str) -> str:
    """A module that imports from a bundle what is there."""
    return _IMPORT.sub(
        lambda match: match[0].replace(match[2], entry) if match[2] in bundled else match[0], text
    )


def _add(written: dict[str, str], modules: Mapping[str, str], name: str) -> None:
    """Write a module behind those that it imports."""
    text = modules[name]
    for _, other in _IMPORT.findall(text):
        if other not in written:
            _add(written, modules, other)
    body = _EXPORT.sub(r"\1", _IMPORT.sub(_taken, _COMMENT.sub("", text)))
    found = f"return {{ {', '.join(_exports(text))} }};"
    written[name] = f"const {_scope(name)} = (() => {{\n{body}{found}\n}})();\n"


def _taken(match: re.Match[str]) -> str:
    """An import, from the scope of another module."""
    return f"const {{ {match[1].replace(' as ', ': ')} }} = {_scope(match[2])};\n"


def _exports(text: str) -> list[str]:
    return [name for _, name in _EXPORT.findall(text)]


def _scope(name: str) -> str:
    return f"${name.removesuffix('.js')}"
