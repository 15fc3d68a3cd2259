"""Compile what most tests use, each game once: ``python -m tests.compile``.

Else the workers of a test run would compile the same functions at the same time, or wait for each
other. What is compiled already takes no time.
"""

from pasgl_env.cli.cache import build

if __name__ == "__main__":
    build()
