"""Starts ``pasgl``, for tests that need a process of its own."""

from pasgl_env.cli import main

if __name__ == "__main__":
    main()
