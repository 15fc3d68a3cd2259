"""References in docstrings: short names are found, names of internals are plain text.

Docstrings name things as their module does. On the site such a name leads to the entry of what it
means there. What has no entry, because it is not public, is shown without a link; what does not
exist at all stays a warning. And the docstring of a property is a sentence, in which a colon does
not separate a type from its description, as Napoleon takes it to.
"""

from __future__ import annotations

import sys
from functools import cache, reduce
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.ext.napoleon import GoogleDocstring
from sphinx.util.nodes import make_refnode

_properties: dict[str, list[str]] = {}


def resolve(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, text: nodes.TextElement
) -> nodes.Node | None:
    """What a reference within the package leads to, or its text; None if it names nothing."""
    if node.get("refdomain") != "py":
        return None
    domain, target = env.domains["py"], node["reftarget"]
    entries = domain.find_obj(env, None, None, target.removeprefix("pasgl_env."), None, 1)
    if len({entry.node_id for _, entry in entries}) == 1:
        _, entry = entries[0]
        return make_refnode(app.builder, node["refdoc"], entry.docname, entry.node_id, text)
    return text if _is_known(target, node.get("py:module"), node.get("py:class")) else None


def _is_known(path: str, module: str | None, owner: str | None) -> bool:
    """Whether a module of the package, or the class that is described, has such a name."""
    if module and owner and _has(getattr(import_module(module), owner, None), path):
        return True
    return _is_of_the_package(path)


@cache
def _is_of_the_package(path: str) -> bool:
    modules = [thing for name, thing in sys.modules.items() if name.startswith("pasgl_env")]
    if any(_has(module, path) for module in modules):
        return True
    package, _, name = path.rpartition(".")
    if not package.startswith("pasgl_env"):
        return False
    scope = import_module(package)
    return _has(scope, name) or (hasattr(scope, "__path__") and find_spec(path) is not None)


def _has(scope: Any, path: str) -> bool:
    owners, _, name = path.rpartition(".")
    try:
        owner = reduce(getattr, filter(None, owners.split(".")), scope)
    except AttributeError:
        return False
    return hasattr(owner, name) or name in getattr(owner, "__annotations__", ())


def keep_property(
    app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]
) -> None:
    """Keep the docstring of a property before Napoleon reads it."""
    if what in ("property", "attribute", "data"):
        _properties[name] = lines.copy()


def read_property(
    app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]
) -> None:
    """Read the docstring of a property as that of a method."""
    if name in _properties:
        kept = _properties.pop(name)
        lines[:] = GoogleDocstring(kept, app.config, app, "method", name, thing, options).lines()


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("missing-reference", resolve, priority=600)  # after intersphinx
    app.connect("autodoc-process-docstring", keep_property, priority=400)
    app.connect("autodoc-process-docstring", read_property, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
