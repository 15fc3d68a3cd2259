"""A board on each environment's page: `make docs` builds what it opens, with `tools.site`."""

from __future__ import annotations

from sphinx.application import Sphinx

BOARD = """</picture>

<details>
<summary>Play it here</summary>
<iframe src="../play/index.html#/new/{name}" width="100%" height="720" loading="lazy"
 title="A board"></iframe>
</details>
"""


def add_board(app: Sphinx, page: str, content: list[str]) -> None:
    """Put a board below the picture of an environment."""
    folder, _, name = page.rpartition("/")
    if folder == "environments":
        content[0] = content[0].replace("</picture>\n", BOARD.format(name=name), 1)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("source-read", add_board, priority=400)  # while pictures are one element
    return {"parallel_read_safe": True}
