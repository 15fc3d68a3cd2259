"""Pages that read well in the repository, on GitHub too, as pages of a Sphinx site.

- ``<picture>`` elements with a light and a dark image become two images, of which Furo shows one.
- A page that only includes a file of the repository is that file. The pages of the games'
  rules are such pages, made in ``docs/rules`` when the site is built.
- The blank line that ends an example, for doctest, is left out.
- Relative links to files outside docs/ lead to the page that shows the file on the site, or to the
  file in the repository; as long as ``repository_url`` is not set, files are offered as downloads.
"""

from __future__ import annotations

import re
from pathlib import Path
from posixpath import normpath, relpath

from sphinx.application import Sphinx
from sphinx.util import logging

ROOT = Path(__file__).parents[2]
RULES = {
    f"pasgl_env/games/{file.parent.name}/rules.md": f"rules/{file.parent.name}"
    for file in ROOT.glob("pasgl_env/games/*/rules.md")
}
# Pages of the site that show what lies outside docs/; docs/notebooks is a link to the notebooks.
SHOWN = {
    "notebooks/README.md": "tutorials",
    "CHANGELOG.md": "changelog",
    "CONTRIBUTING.md": "contributing",
}

_PICTURE = re.compile(
    r'<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="(?P<dark>[^"]+)">'
    r'\s*<img src="(?P<light>[^"]+)"(?P<rest>[^>]*)>\s*</picture>'
)
_LINK = re.compile(r"(?<!!)\[(?P<text>[^\[\]]+)\]\((?P<path>[^)#:\s]+)(?P<anchor>#[^)\s]*)?\)")
_INCLUDE = re.compile(r"```\{include\} (?P<path>\S+)\n```\n")
_EXAMPLE = re.compile(r"^(```python\n>>> .*?)\n+^```$", re.DOTALL | re.MULTILINE)
_log = logging.getLogger(__name__)


def make_rules(app: Sphinx) -> None:
    """Write the pages of rules, which include the files that are installed with the games."""
    for source, page in RULES.items():
        file = ROOT / "docs" / f"{page}.md"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"```{{include}} ../../{source}\n```\n", encoding="utf-8")


def adapt(app: Sphinx, page: str, content: list[str]) -> None:
    """Rewrite the source of a page before it is parsed."""
    folder = normpath(f"docs/{page}/..").replace("docs/notebooks", "notebooks")
    if included := _INCLUDE.fullmatch(content[0]):
        file = ROOT / folder / included["path"]
        app.env.note_dependency(file)
        content[0] = file.read_text(encoding="utf-8")
        folder = file.resolve().parent.relative_to(ROOT).as_posix()

    def link(match: re.Match[str]) -> str:
        path = normpath(f"{folder}/{match['path']}")
        if path.startswith("docs/"):
            inside = f"/{path.removeprefix('docs/')}{match['anchor'] or ''}"
            return match[0] if folder.startswith("docs") else f"[{match['text']}]({inside})"
        if not (ROOT / path).exists():
            _log.warning("%s does not exist", path, location=page, type="repository_pages")
        if path in RULES:
            return f"[{match['text']}](/{RULES[path]}.md{match['anchor'] or ''})"
        shown = SHOWN.get(path) or (path.endswith(".ipynb") and path.removesuffix(".ipynb"))
        if shown:
            return f"{{doc}}`{match['text']} </{shown}>`"
        if app.config.repository_url:
            address = f"{app.config.repository_url}/blob/main/{path}{match['anchor'] or ''}"
            return f"[{match['text']}]({address})"
        if (ROOT / path).is_file() and not page.startswith("notebooks/"):
            file = relpath(path, normpath(f"docs/{page}/.."))
            if path.endswith(".md"):  # which MyST takes for pages
                return f"{{download}}`{match['text'].replace('`', '')} <{file}>`"
            return f"[{match['text']}]({file})"
        return match["text"]

    text = _EXAMPLE.sub(r"\1\n```", content[0])
    content[0] = _LINK.sub(link, _PICTURE.sub(_two_images, text))


def _two_images(match: re.Match[str]) -> str:
    return "".join(
        f'<img src="{match[theme]}" class="only-{theme}"{match["rest"]}>'
        for theme in ("light", "dark")
    )


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_config_value("repository_url", None, "env")
    app.connect("builder-inited", make_rules)
    app.connect("source-read", adapt)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
