"""Colours of the drawings."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Theme:
    """Colours by what they are for, as CSS writes them.

    Attributes:
        page: behind everything.
        ink: of coordinates and notes.
        faint: of thin lines, and notes that matter less.
        light: of light squares.
        dark: of dark squares.
        white: fill of the first player's pieces.
        black: of the second player's.
        white_line: outline and details of the first player's pieces.
        black_line: of the second player's.
        last: squares of the last turn.
        target: where what is being played may go.
    """

    page: str
    ink: str
    faint: str
    light: str
    dark: str
    white: str
    black: str
    white_line: str
    black_line: str
    last: str
    target: str


THEMES = {
    "light": Theme(
        page="#ffffff",
        ink="#2e2a25",
        faint="#8d857a",
        light="#f3ead7",
        dark="#d9c6a0",
        white="#fffdf6",
        black="#3b332b",
        white_line="#2e2a25",
        black_line="#f3ead7",
        last="#f2c94c",
        target="#2f9e66",
    ),
    "dark": Theme(
        page="#1d1f21",
        ink="#e6e1d8",
        faint="#8b8f94",
        light="#6f6a5e",
        dark="#524d44",
        white="#f6f0e0",
        black="#17130f",
        white_line="#17130f",
        black_line="#d9d2c3",
        last="#b98a1e",
        target="#4cc38a",
    ),
}
