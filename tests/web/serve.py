"""Starts ``pasgl`` for tests that need it in its own process."""

from pasgl_env.cli import main

if __name__ == "__main__":
    main()
