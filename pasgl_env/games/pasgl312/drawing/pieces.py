"""Silhouettes of the critters of PASGL 312 Chess, in boxes of 100 × 100 units.

All look to the left. Large critters fill the box, medium ones nearly, tiny ones are small.
"""

from __future__ import annotations

from pasgl_env.games.pasgl312.drawing.forest import Forest
from pasgl_env.games.pasgl312.rules.state import (
    BEAR,
    CHIPMUNK,
    DEER,
    FOX,
    HUNTER,
    SHREW,
    SKUNK,
    TURKEY,
    WOODCHUCK,
)
from pasgl_env.render.svg.canvas import Shapes
from pasgl_env.render.svg.silhouette import Silhouette, dot
from pasgl_env.render.svg.theme import Theme

SILHOUETTES = {
    BEAR: Silhouette(
        bodies=(
            "M5 58C5 52 10 48 16 45C18 38 22 33 26 31C24 24 29 19 34 22C38 19 44 23 42 29"
            "C50 24 62 25 70 28C85 31 94 41 95 56C96 70 93 80 94 92H74C75 85 73 80 69 76"
            "C63 79 57 79 52 78C53 83 52 88 52 92H31C31 84 31 77 28 71C22 72 15 70 11 67"
            "C7 65 5 62 5 58z",
        ),
        lines="M52 78C50 74 49 70 49 66M69 76C66 72 66 66 68 61",
        spots=dot(24, 44, 3.5) + "M4 58C4 52 11 50 14 53C14 58 9 61 5 60z",
    ),
    HUNTER: Silhouette(
        bodies=(
            "M18 96C18 78 24 66 40 62L38 55H60L58 62C76 66 82 78 82 96z",
            "M33 36H67V46C67 56 60 62 50 62C40 62 33 56 33 46z",
            "M16 40C24 34 30 33 31 32C31 18 38 11 50 11C62 11 69 18 69 32C70 33 76 34 84 40"
            "C72 44 28 44 16 40z",
            "M70 96L80 66L88 4L97 5L91 68L84 96z",
        ),
        lines="M32 31C44 35 56 35 68 31M44 63L50 74L56 63M50 74V96",
        spots=dot(43, 48, 2.8) + dot(57, 48, 2.8),
    ),
    DEER: Silhouette(
        bodies=(
            "M22 62C16 60 14 54 19 50L36 38C40 34 46 33 50 34C58 35 64 30 70 28C70 36 66 42 60 44"
            "C64 56 74 70 78 96H34C36 84 44 74 43 62C38 64 30 65 22 62z",
        ),
        limbs=(
            "M44 36C40 24 30 22 26 6M33 19C28 19 20 18 16 12M38 25C40 18 40 12 38 5"
            "M54 36C54 24 64 20 70 5M64 18C70 18 78 16 82 10M58 24C55 18 54 12 55 5"
        ),
        spots=dot(42, 45, 3.4) + dot(21, 56, 4),
    ),
    FOX: Silhouette(
        bodies=(
            "M58 88C70 94 88 92 94 76C98 64 92 50 82 44C84 54 80 60 72 62C64 66 58 76 58 88z",
            "M22 94C28 88 30 80 28 68L8 56C6 53 9 51 13 51L24 43L22 22L36 34C38 34 40 34 42 35"
            "L54 24L52 46C52 52 50 56 48 58C62 64 70 78 66 94z",
        ),
        lines="M44 94C46 84 44 78 40 74M94 72C90 66 82 66 76 74",
        spots=dot(30, 47, 3.2) + dot(10, 55, 4),
    ),
    WOODCHUCK: Silhouette(
        bodies=(
            "M30 94C22 84 22 66 30 56C26 48 28 36 36 31C36 24 44 24 46 28C50 27 54 27 57 28"
            "C60 23 68 25 67 32C74 38 76 48 71 56C80 66 80 84 72 94z",
            "M12 10L86 2C92 2 93 15 88 17L14 25C8 24 7 12 12 10z",
            "M32 60C24 52 22 38 24 23L33 22C33 34 36 44 42 52zM69 60C77 52 80 36 78 19L69 19"
            "C69 32 66 42 60 52z",
        ),
        lines="M86 2C82 6 82 14 88 17M44 52C46 56 54 56 56 52M50 48V53",
        spots=dot(43, 41, 3) + dot(58, 41, 3) + "M46 46H55L50 51z",
    ),
    SKUNK: Silhouette(
        bodies=(
            "M54 74C46 60 46 40 54 24C60 10 78 4 90 12C98 18 97 30 90 34C94 44 90 52 84 54"
            "C86 64 80 72 74 76z",
            "M6 74C8 66 16 60 24 58C26 53 31 53 33 57C50 50 74 54 80 70C82 78 80 86 80 93H68"
            "C68 88 66 84 62 82C54 85 46 85 40 83C41 87 41 90 40 93H28C28 88 27 84 24 81"
            "C17 82 8 80 6 74z",
        ),
        spots=(
            "M20 60C40 56 56 60 62 68C56 46 60 26 76 16C66 30 64 48 72 68C62 60 40 56 20 60z"
            + dot(18, 69, 3)
            + dot(7, 74, 3.6)
        ),
    ),
    TURKEY: Silhouette(
        bodies=(
            "M58 78C40 74 32 60 36 44C40 28 52 14 68 12C86 12 98 28 96 48C95 66 82 82 66 84z",
            "M14 34C12 22 22 14 30 20C38 26 34 38 36 48C42 46 54 46 64 54C76 62 74 80 62 84"
            "C46 90 28 82 24 66C22 56 24 48 22 40L8 38z",
        ),
        limbs="M41 84L36 95M28 95H42M57 84L55 95M47 95H61",
        lines=(
            "M44 40L62 52M52 26L66 52M68 18L71 54M84 28L76 58M90 50L76 66M36 64C44 72 54 72 60 64"
        ),
        spots=dot(24, 27, 3) + "M18 40C15 48 17 53 21 54C24 52 24 45 22 40z",
    ),
    SHREW: Silhouette(
        bodies=(
            "M6 78C16 70 26 62 38 60C38 54 45 53 47 58C62 54 78 60 82 76C84 84 80 90 74 90H30"
            "C24 90 24 84 18 82C12 82 6 81 6 78z",
        ),
        limbs="M76 86C88 90 96 84 98 72",
        spots=dot(30, 71, 3) + dot(8, 77, 3.4),
    ),
    CHIPMUNK: Silhouette(
        bodies=(
            "M56 90C58 76 60 66 56 56C50 44 58 28 72 30C88 32 92 50 86 62C82 72 78 80 76 90z",
            "M28 92C32 86 30 80 30 76L22 72C16 70 14 66 18 62L24 54C26 46 32 46 34 48"
            "C36 43 43 45 42 51C46 54 47 58 46 62C58 66 68 78 66 92z",
        ),
        lines="M46 66C56 72 60 80 60 90M72 40C66 52 70 66 68 80",
        spots=dot(28, 58, 2.8) + dot(18, 66, 3),
    ),
}

# The height at which stink begins, for critters that do not reach the top of their box.
STINK_LEVEL = {SHREW: 26, CHIPMUNK: 4}


def critter_shapes(theme: Theme, side: int, kind: int) -> str:
    """A critter in its side's colours, as SVG."""
    return SILHOUETTES[kind].of_player(theme, side)


def lunch_shapes(colours: Forest) -> str:
    """A paper bag, in the lower right of a critter's box, as SVG."""
    shapes = Shapes()
    with shapes.group(stroke=colours.lunch_line, stroke_width=4, stroke_linejoin="round"):
        shapes.path("M73 74L77 65L81 70L85 64L89 70L93 65L97 74V98H73z", fill=colours.lunch)
        shapes.path("M73 75H97", stroke_width=3)
    return str(shapes)


def stink_shapes(colours: Forest) -> str:
    """Lines that rise from a critter's box, as SVG."""
    waves = "".join(f"M{x} 34c-9 -7 9 -9 0 -16s9 -9 0 -16" for x in (22, 50, 78))
    shapes = Shapes()
    with shapes.group(fill="none", stroke_linecap="round"):
        shapes.path(waves, stroke=colours.cloud, stroke_width=12)
        shapes.path(waves, stroke=colours.stink, stroke_width=6)
    return str(shapes)


def leaving_shapes(colours: Forest) -> str:
    """An arrow away from the Train, in the lower right of a critter's box, as SVG."""
    line = {"stroke": colours.theme.page, "stroke_width": 3}
    return str(Shapes().path("M62 72H80V62L100 80L80 98V88H62z", fill=colours.danger, **line))
