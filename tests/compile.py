"""Compile what most tests use, each game once: ``python -m tests.compile``.

Else the workers of a test run would compile the same functions at the same time, or wait for each
other. What is compiled already takes no time.
"""

from pasgl_env.cli.cache import build
from pasgl_env.cli.progress import progress_bar

if __name__ == "__main__":
    with progress_bar() as report:
        build(report)
