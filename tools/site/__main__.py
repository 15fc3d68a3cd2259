"""Write the page into a folder: ``python -m tools.site FOLDER [VARIANT ...]``."""

import sys
from pathlib import Path

from pasgl_env.contract import variants
from tools.site import build


def main() -> None:
    """Read the command line."""
    folder, *names = sys.argv[1:]
    build(Path(folder), names or list(variants.names()))


if __name__ == "__main__":
    main()
