"""Draw the gallery of the documentation: ``python -m tools.gallery docs``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from pasgl_env import Position, render, variants
from pasgl_env.animation import film_of
from pasgl_env.contract.game import OptionValue
from pasgl_env.records import read_records
from pasgl_env.render.svg.theme import THEMES
from pasgl_env.storage.files import write_whole

_WIDTH = 400
_HEAD = """# Gallery

Drawings of common and rare positions, in the light or the dark theme, as your browser prefers.
`make gallery` redraws this page and its pictures; [Drawing](rendering.md) explains how to draw
your own.
"""
_FILM = "A game, turn by turn"
RECORDS = "gallery/games.pgr"
"""The games of the films, one per variant."""


@dataclass(frozen=True)
class Picture:
    """A position of the gallery.

    Attributes:
        name: name of its files, after the variant's name.
        sentence: the caption.
        text: the position text to start from; empty for the usual start.
        played: the labels played from there.
        origin: a square whose targets are marked.
        options: the variant's options.
    """

    name: str
    sentence: str
    text: str = ""
    played: tuple[str, ...] = ()
    origin: str | None = None
    options: dict[str, OptionValue] = field(default_factory=dict)

    def position(self, variant: str) -> Position:
        """The position shown."""
        if self.text:
            position = Position.from_text(variant, self.text, **self.options)
        else:
            position = Position(variant, **self.options)
        for label in self.played:
            position.play(label)
        return position

    def svg(self, variant: str, theme: str) -> str:
        """The drawing."""
        position, is_start = self.position(variant), not self.text and not self.played
        return render.svg(position, theme=theme, size=_WIDTH, origin=self.origin, legend=is_start)


PICTURES = {
    "pasgl312": (
        Picture(
            "start",
            "The start: all critters have their lunch, and the Train waits between x5 and x4. The"
            " dashed square is the Train's next square.",
        ),
        Picture(
            "middle",
            "Black's Bear is at the campfire's side and Black leads; a Deer rides in the Train,"
            " and the white Fox has just joined the crowd on e5.",
            "ts4wt/pp1ppppp/5h2/3b[-Wf]3/3F4/8/PP1PPPPP/TS1H[-B]2T ./././. D/. 1 w 9:32 0 40",
            ("Fd4e5",),
        ),
        Picture(
            "crowd",
            "Eight critters on one square, two in a terminal, one of them about to leave, and"
            " three on the Train.",
            "8/6b1/8/T7/1[-s]1P4/3P2B1/8/2[-DFTMhdwt]5 ./././[~Wf] [SM]/t 11 w 164:155 0 666",
        ),
        Picture(
            "stink",
            "A stinky Shrew beside a Skunk, and the Skunk's legal moves.",
            "5tbT/7m/8/W7/[*p]s6/8/6[BD*hw]1/7f F/./[~H]/. [mp]/. 7 b 289:289 0 973",
            origin="b4",
        ),
        Picture(
            "end",
            "The end: Black leads by thirty points.",
            "ts5t/pp1ppppp/5hw1/3b[F-W-f]3/8/8/P[SP]1PPPPP/T2H[-B]2T ./././. D/. 2 b 12:37 0 43",
            ("hf6f5",),
        ),
    ),
    "spalding": (
        Picture("start", "The start: the trays beside the board show what the containers hold."),
        Picture(
            "choice",
            "In mid-turn: the Box has moved, and marks show the squares on which its contents"
            " may be placed.",
            "3x3p/8/j7/e7/4E3/4RJ2/5X2/P7 b Hrh 3",
            ("Xd8-e8",),
        ),
        Picture(
            "middle",
            "The black Great Elephant in White's camp. Lint and Dust Bunnies are neutral.",
            "1cc1R3/2vx3p/vE2v2l/3L2r1/N4H2/1P1JBBh1/4Be1V/6VX b - 47",
            ("Ef2xg1",),
        ),
        Picture(
            "feast",
            "Late in a game: Crumbs, Lint and Dust Bunnies all over the board.",
            "3xcv2/3Bc1BB/1hj2l2/5RpJ/1rL3VB/4VHC1/2N1BX2/5V1C b e 65",
        ),
    ),
    "chieftain": (
        Picture("start", "The start: the area under command of a Chieftain is outlined."),
        Picture(
            "middle",
            "Arrows show the moves of Black's turn; White has two Chieftains left.",
            "1h1s2hssh2s1h1/1nm2mn2nm2mn1/16/mmcmmm1mm2mmm1m/9m6/3N5c6/C15/1M3CM2M4c1/"
            "M2MM2MM2MM2M/16/2M2MN2NM2MN1/1H1S2HSSH2S1H1 b 0 9",
            ("Cc9xd7", "Co5xp4", "Cj7-l8"),
        ),
        Picture(
            "choice",
            "In mid-turn: which Chieftain ordered this move?",
            "1hcs1chsshc1sch1/1nm2mn2nm2mn1/16/m2mm2mm2mm2m/1m4m2m4m1/16/16/1M4M2M4M1/"
            "M2MM2MM2MM2M/2CC8CC2/1NM2MN2NM2MN1/1H1S2HSSH2S1H1 b 0 1",
            ("Cn12-n10",),
        ),
    ),
    "superchief": (
        Picture(
            "middle",
            "A melee of Chieftains: Black has made seven moves of the turn and has one left.",
            "1h1s2hs2hssh2sh2s1h1/1nm2mn2mn2nm2nm2mn1/20c3/m2mm2mm2mm2mm2mmcmm/"
            "1mc1c1m1c1m2m2cm6/23C/2C4C8C2C4/1MC3M3M2M3M4M1/M1NMM2MM2MM2MM2MM2M/24/"
            "2M2MN2MN2NM2NM2MN1/1H1S2HS2HSSH2SH2S1H1 b 0 5",
            ("Ce8xc6", "by c8", "Ci8xh6", "Cv9xx7", "by v9", "Mr8-s7", "by q8", "Cu10-w8"),
        ),
    ),
    "overlord": (
        Picture("start", "The start, with 128 pieces on 384 squares."),
        Picture(
            "middle",
            "Bishopies and Rookishes have crossed the lines.",
            "h1s1hsh1s1hssh1s1hsh1s1h/3n1rn4rr1nb1nr1n2n/24/mnmm1mm1mmnmm1mm1mm1mm1m/"
            "cmc1mb1mccmc1m2mc1m2m1/24/22c1/14b6c2/C3B1BB16/C22C/16C3C1R1/"
            "1M2M1CM1CM2M2MC1MM1M1/MNMM1MM1MMNMM1MM1MMH1MNM/24/3N1RN4RR1N2N2NB2/"
            "H1S1HSH1S1HSSH1S1HS2S1H b 0 9",
            ("Bf12-c9", "by c12", "Cv9-w8", "by v9", "Cc12-c10", "Bo9xk5", "by r12"),
        ),
    ),
    "pachessi": (
        Picture(
            "start",
            "The start. Crosses mark starting squares, as on old Indian boards; arrows"
            " show each player's way, the bold one for the player to move.",
            played=("roll 2 6",),
        ),
        Picture(
            "middle",
            "Four players with different tokens. Black has captured and rolled a grace die."
            " Captured pieces wait beside the squares on which they enter.",
            "R@,Eb2:0,H@/Re7:0,E@,Hc2:0/Rg5:0,Ef4:0,H@/R@,Eg6:0,Hc7:0 black - i 24",
            ("roll 3 4", "4:R@-a7", "3:Eb2-c2", "roll 2"),
            options={"players": 4},
        ),
        Picture(
            "race",
            "The end of a race. Badges count laps; pieces at home are in the hole. One die has been"
            " played, and marks show the Elephant's legal moves.",
            "Ra6:0,Ec7:0,Hd6:0,S*/Rg2:0,Ef1:0,H*,Sd1:1 yellow - i 60",
            ("roll 1 3", "1:Sd1-off"),
            "f1",
        ),
        Picture(
            "won",
            "Black and Yellow have won as a team.",
            "R*,E*,H*/Ra1:3,E@,H@/R@,E@,Hf1:1/R@,Ef5:1,H* black 4 i 60",
            options={"players": 4},
        ),
        Picture(
            "small",
            "The smallest board. Its hole is too small, so the dice and homes are below the board.",
            "Ra5:0,E@,Hb3:0,S*/Re1:1,Ed1:0,H@,Sb2:0 yellow 2,6 i 12",
            options={"size": 5, "hole": 1},
        ),
    ),
    "grand_pachessi": (
        Picture(
            "start",
            "The start for four players; lots decide the first player.",
            options={"players": 4, "first": "lot"},
        ),
        Picture(
            "middle",
            "Red has captured Yellow's Raja with the first die, and will roll a grace die.",
            "Ra11:0,Eb11:0,Hb8:0,Sd11:0/Rk8:0,Ei9:0,Hh3:0,Sd1:0/Re11:0,Ej1:0,Hc6:0,S@/"
            "Rf10:0,E@,H@,Sf1:0 red - i 39",
            ("roll 3 6", "6:Rf10-e11"),
            options={"players": 4},
        ),
        Picture(
            "large",
            "The largest board, with the narrowest ring.",
            "Rb26:0,Ea20:0,Ha12:0,S@/Ra1:0,Eb9:0,H@,S*/Rz1:2,Em2:0,Hj1:0,Sy9:0/"
            "Rz26:0,Ez24:0,H*,Sd25:0 green 1,6 i 80",
            options={"players": 4, "size": 26, "hole": 22},
        ),
    ),
}


def files(docs: Path) -> Iterator[tuple[str, str]]:
    """Yield the file names below ``docs`` and the contents of the whole gallery."""
    yield "gallery.md", page()
    for variant, pictures in PICTURES.items():
        for picture in pictures:
            for theme in THEMES:
                yield _file(variant, picture.name, theme), picture.svg(variant, theme)
    for game in read_records(docs / RECORDS):
        for theme in THEMES:
            yield _file(game.ruleset.name, "game", theme), film_of(game, theme).to_svg(_WIDTH)


def page() -> str:
    """The page, in Markdown."""
    parts = [_HEAD]
    for variant, pictures in PICTURES.items():
        parts.append(f"## {variants.find(variant).title}\n")
        parts += [
            f"{picture.sentence}\n\n{shown(variant, picture.name, picture.sentence)}"
            for picture in pictures
        ]
        parts.append(f"{_FILM}:\n\n{shown(variant, 'game', _FILM)}")
    return "\n".join(parts)


def main(docs: str) -> None:
    """Write the gallery."""
    for name, content in files(Path(docs)):
        write_whole(Path(docs) / name, content.encode())


def _file(variant: str, name: str, theme: str) -> str:
    return f"gallery/{variant}-{name}-{theme}.svg"


def shown(variant: str, name: str, about: str, docs: str = "") -> str:
    """A picture in the theme that the reader's browser prefers, for a Markdown page.

    Args:
        variant: a variant's name.
        name: name of the picture; ``"game"`` is animated.
        about: the alternative text.
        docs: the path from the page's folder to the documentation's, such as ``"../"``.
    """
    light, dark = (docs + _file(variant, name, theme) for theme in ("light", "dark"))
    return (
        "<picture>\n"
        f'<source media="(prefers-color-scheme: dark)" srcset="{dark}">\n'
        f'<img src="{light}" width="{_WIDTH}" alt="{escape(about)}">\n'
        "</picture>\n"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
