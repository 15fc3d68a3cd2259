"""The documentation site: ``make docs`` builds it into build/docs."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS / "extensions"))

with open(DOCS.parent / "pyproject.toml", "rb") as file:
    _project = tomllib.load(file)["project"]

import pasgl_env  # noqa: E402 - after the path is set

project = "pasgl_env"
author = copyright = _project["authors"][0]["name"]
release = version = pasgl_env.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.intersphinx",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "sphinx_design",
    "api_references",
    "boards",
    "repository_pages",
]
exclude_patterns = ["README.md", "notebooks/README.md"]
# Links from these pages to files that are not part of the site lead there, once it has an address.
repository_url = _project.get("urls", {}).get("Repository")

# MyST: pages are written for GitHub, which makes anchors of headings in the same way.
myst_enable_extensions = ["colon_fence", "deflist", "html_image"]
myst_heading_anchors = 4
# Notebooks are shown as they were last executed: see notebooks/execute.py.
nb_execution_mode = "off"
nb_render_markdown_format = "gfm"  # tables, as in Jupyter

highlight_language = "text"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

autodoc_mock_imports = ["pyspiel"]
nitpicky = True
# Of other projects and not in their inventories.
nitpick_ignore_regex = [
    ("py:class", r"(numpy\._typing|pettingzoo\.utils\.env|concurrent|gymnasium\.spaces)\..*"),
    ("py:class", "types.ModuleType"),  # missing in Python's own index
    # Of signatures with default factories, which Sphinx cannot parse.
    ("py:(class|obj)", r"(dict|tuple|typing\.Literal)\[.*"),
]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
napoleon_preprocess_types = False
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
toc_object_entries_show_parents = "hide"

# The few names of other projects that these pages refer to, kept here: the site builds offline.
intersphinx_mapping = {
    name: (address, f"inventories/{name}.inv")
    for name, address in {
        "python": "https://docs.python.org/3",
        "numpy": "https://numpy.org/doc/stable",
        "gymnasium": "https://gymnasium.farama.org",
        "pettingzoo": "https://pettingzoo.farama.org",
    }.items()
}

html_theme = "furo"
html_title = f"pasgl_env {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_favicon = "_static/favicon.svg"
html_copy_source = False
html_show_sourcelink = False
