"""Silhouettes of Captain Spalding Chess, in boxes of 100 × 100 units; animals look left."""

from __future__ import annotations

from functools import cache

from pasgl_env.games.spalding.names import KIND_NAMES
from pasgl_env.games.spalding.rules.state import (
    BAT,
    BOOH,
    BOX,
    BUNNY,
    CRUMB,
    DEMON,
    ELEPHANT,
    GREAT,
    GREAT_ELEPHANT,
    HEADLESS,
    KIND,
    LINT,
    MONSTER,
    OWNER,
    PAJAMA,
    RHINO,
)
from pasgl_env.render.svg.silhouette import Silhouette, dot
from pasgl_env.render.svg.theme import Theme

_NOBODY = 2
# From the withers over the back to the fore leg; a head, or its remainder, completes it.
_TRUNK = (
    "C51 27 55 25 61 25C76 24 87 31 91 44C93 50 92 54 92 60L91 87H78L76 69C69 71 61 71 55 69"
    "L54 87H41L38 64"
)

SILHOUETTES = {
    # A wagon with bars, as the box of animal crackers shows it, on its string.
    BOX: Silhouette(
        (
            "M9 28H91V77H9z",
            "M28 69a12 12 0 1 1 0 24a12 12 0 1 1 0-24zM72 69a12 12 0 1 1 0 24a12 12 0 1 1 0-24z",
        ),
        limbs="M34 28C34 2 66 2 66 28",
        lines="M26 52V67M42 52V72M58 52V72M74 52V67"
        "M9 41L19.5 48L30 41L40 48L50 41L60 48L70 41L80.5 48L91 41",
        spots=dot(28, 81, 4) + dot(72, 81, 4),
    ),
    PAJAMA: Silhouette(
        (
            "M40 10C44 17 56 17 60 10L74 16L92 44L78 53L70 42L72 91"
            "H54L50 60L46 91H28L30 42L22 53L8 44L26 16z",
        ),
        lines="M38 20V83M62 20V83",
        spots=dot(50, 27, 3.6) + dot(50, 39, 3.6) + dot(50, 51, 3.6),
    ),
    # Wide, for one seventh of a ton, and bright yellow.
    GREAT: Silhouette(
        (
            "M36 8C43 15 57 15 64 8L80 13L98 46L84 57L77 46"
            "C84 60 84 70 82 93H55L50 76L45 93H18C16 70 16 60 23 46L16 57L2 46L20 13z",
        ),
        bright="M42 17V88H23C21 70 21 60 27 46L28 14L37 12z"
        "M58 17V88H77C79 70 79 60 73 46L72 14L63 12z",
        spots=dot(50, 26, 3.6) + dot(50, 40, 3.6) + dot(50, 54, 3.6),
    ),
    RHINO: Silhouette(
        (
            "M8 61C5 55 8 50 11 48L4 24L20 41L22 32L28 39C30 37 33 35 36 33L35 22L44 30"
            + _TRUNK
            + "C35 62 33 63 30 64C24 68 13 68 8 61z",
        ),
        lines="M46 36C44 45 47 54 52 58",
        spots=dot(28, 48, 3.6),
    ),
    HEADLESS: Silhouette(
        ("M47 29" + _TRUNK + "L46 58L36 52L46 46L37 40L48 35z",),
        limbs="M22 42l4 2M13 55l2 1M24 62l1-3M16 74l3 2M28 77h1M8 85l6 1M22 87h3",
    ),
    BAT: Silhouette(
        (
            "M42 22L46 32H54L58 22L62 38C70 26 84 21 98 27C92 36 91 45 92 57C86 52 80 53 76 61"
            "C70 56 64 59 60 67L50 83L40 67C36 59 30 56 24 61C20 53 14 52 8 57C9 45 8 36 2 27"
            "C16 21 30 26 38 38z",
        ),
        spots=dot(45, 43, 3) + dot(55, 43, 3),
    ),
    # A bat's ghost.
    BOOH: Silhouette(
        (
            "M26 42C16 28 9 30 2 38C9 42 9 50 6 58C13 53 20 56 26 64z"
            "M74 42C84 28 91 30 98 38C91 42 91 50 94 58C87 53 80 56 74 64z",
            "M32 20L30 6L42 12C47 9 53 9 58 12L70 6L68 20C75 27 78 36 78 46V88C72 94 68 83 62 83"
            "C56 83 55 93 50 93C45 93 44 83 38 83C32 83 28 94 22 88V46C22 36 25 27 32 20z",
        ),
        spots=dot(40, 38, 6.5) + dot(60, 38, 6.5) + dot(50, 61, 8.5),
    ),
    CRUMB: Silhouette(
        (
            "M20 59C13 46 26 32 40 35C48 23 68 26 72 40C86 45 84 63 74 69"
            "C68 82 46 84 36 75C26 78 17 70 20 59z",
        ),
        limbs="M84 84l5-1M14 26l3-2M89 66h1M14 82h2",
        spots=dot(39, 51, 5) + dot(61, 44, 4.5) + dot(58, 65, 5),
    ),
    MONSTER: Silhouette(
        (
            "M22 38C10 46 9 66 18 78C26 90 38 95 50 95C62 95 74 90 82 78C91 66 90 46 78 38"
            "C70 31 30 31 22 38z",
            "M34 7a15 15 0 1 1 0 30a15 15 0 1 1 0-30zM66 7a15 15 0 1 1 0 30a15 15 0 1 1 0-30z",
        ),
        spots=dot(37, 25, 6.5)
        + dot(63, 25, 6.5)
        + "M26 57L34 68L42 59L50 70L58 59L66 68L74 57C77 74 66 83 50 83C34 83 23 74 26 57z",
    ),
    ELEPHANT: Silhouette(
        (
            "M36 20C23 17 13 27 13 42L12 66C12 73 7 74 5 69L1 76C5 88 21 88 22 73L23 63"
            "C27 67 32 67 36 65L37 88H50L52 71C59 73 65 73 71 71L73 88H87L88 62C90 58 92 62 94 72"
            "C98 56 95 24 66 22C54 21 46 23 36 20z",
        ),
        lines="M38 30C50 26 56 38 51 52C47 60 39 56 38 48",
        spots=dot(24, 40, 3.6),
    ),
    # Faces the player, so that it differs from the Elephant at a glance.
    GREAT_ELEPHANT: Silhouette(
        (
            "M36 26C24 6 1 14 3 42C4 62 20 70 34 58zM64 26C76 6 99 14 97 42C96 62 80 70 66 58z",
            "M38 58C36 70 30 76 20 76C30 86 44 82 47 64z"
            "M62 58C64 70 70 76 80 76C70 86 56 82 53 64z",
            "M50 10C66 10 72 21 71 36C70 50 60 54 60 66C60 78 61 80 67 82L66 93"
            "C48 96 40 85 40 66C40 54 30 50 29 36C28 21 34 10 50 10z",
        ),
        bright="M50 10L62 20L50 34L38 20z",
        lines="M46 66H54M47 76H55",
        spots=dot(39, 41, 4) + dot(61, 41, 4),
    ),
    LINT: Silhouette(
        (
            "M36 70C26 72 22 60 30 56C24 46 36 38 42 44C46 34 60 36 60 45C70 42 76 54 68 59"
            "C76 66 66 76 60 71C56 80 40 80 36 70z",
        ),
        limbs="M60 70C72 80 80 76 87 85M42 45C34 34 26 38 17 27",
        lines="M42 62C40 52 54 48 57 56C59 64 48 66 48 60",
    ),
    BUNNY: Silhouette(
        (
            "M37 48C24 30 26 8 34 6C43 6 46 26 46 44zM63 48C76 30 74 8 66 6C57 6 54 26 54 44z",
            "M24 88C13 90 9 76 18 72C10 62 20 52 29 55C30 44 44 39 50 46C56 39 70 44 71 55"
            "C80 52 90 62 82 72C91 76 87 90 76 88C70 97 58 95 50 90C42 95 30 97 24 88z",
        ),
        lines="M45 75L50 79L55 75",
        spots=dot(41, 63, 4.5) + dot(59, 63, 4.5),
    ),
    DEMON: Silhouette(
        (
            "M32 44C18 38 12 22 18 6C26 20 36 24 46 32zM68 44C82 38 88 22 82 6C74 20 64 24 54 32z",
            "M50 26L59 34L71 31L73 43L87 45L82 57L95 65L83 73L88 86L74 85L70 97L59 89L50 98L41 89"
            "L30 97L26 85L12 86L17 73L5 65L18 57L13 45L27 43L29 31L41 34z",
        ),
        lines="M32 74L39 80L45 74L50 80L55 74L61 80L68 74",
        spots="M28 48L46 58C44 66 32 64 28 48zM72 48L54 58C56 66 68 64 72 48z",
    ),
}


@cache
def piece(content: int, theme: Theme) -> str:
    """A square's content, unless empty, as SVG in a box of 100 × 100 units."""
    kind, owner = int(KIND[content]), int(OWNER[content])
    silhouette, name = SILHOUETTES[kind], KIND_NAMES[kind]
    if owner == _NOBODY:
        return silhouette.painted(theme.neutral, theme.neutral_line, name)
    return silhouette.of_player(theme, owner, name)
