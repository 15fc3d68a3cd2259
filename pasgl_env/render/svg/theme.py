"""Colours of the drawings."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Theme:
    """Colours by use, as CSS values.

    Attributes:
        name: the theme's name, which is also a prefix of its symbols' ids.
        page: background.
        ink: coordinates and notes.
        faint: thin lines, and less important notes.
        light: light squares.
        dark: dark squares.
        white: fill of the first player's pieces.
        black: fill of the second player's pieces.
        white_line: outline and details of the first player's pieces.
        black_line: outline and details of the second player's pieces.
        neutral: fill of pieces that belong to nobody.
        neutral_line: outline and details of neutral pieces.
        last: overlay on squares of the last turn.
        heat: overlay on squares of a heat map.
        target: legal targets, and the player to move.
        command: the area under the command of a player's pieces.
    """

    name: str
    page: str
    ink: str
    faint: str
    light: str
    dark: str
    white: str
    black: str
    white_line: str
    black_line: str
    neutral: str
    neutral_line: str
    last: str
    heat: str
    target: str
    command: str

    def of_player(self, player: int) -> tuple[str, str]:
        """Fill and outline of the pieces of player 0 or 1."""
        if player == 0:
            return self.white, self.white_line
        return self.black, self.black_line


# The dark theme's squares are lighter than its page, so that black pieces stand out from them.
THEMES = {
    theme.name: theme
    for theme in (
        Theme(
            name="light",
            page="#ffffff",
            ink="#2e2a25",
            faint="#857d72",
            light="#f4ecdb",
            dark="#d8c7a3",
            white="#fffdf6",
            black="#332c25",
            white_line="#2e2a25",
            black_line="#f4ecdb",
            neutral="#b9c2e6",
            neutral_line="#39406b",
            last="#f2b632",
            heat="#d02c12",
            target="#14804a",
            command="#6a45c4",
        ),
        Theme(
            name="dark",
            page="#1b1d1f",
            ink="#e8e3da",
            faint="#969288",
            light="#8a8375",
            dark="#6f695d",
            white="#fbf6ea",
            black="#14110e",
            white_line="#14110e",
            black_line="#d9d2c3",
            neutral="#a9b3e2",
            neutral_line="#12152c",
            last="#f2b632",
            heat="#ff4420",
            target="#7ff0b2",
            command="#cfb8ff",
        ),
    )
}
