"""A turn in Lawson's notation as a text: what it mentions, not what that means on a board."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from pasgl_env.games.contract import brief
from pasgl_env.records.notation import NotationError

PASS = "pass"
# More than twice what it takes to displace and to spray everybody.
LONGEST = 1000

_SYMBOL = r"(?P<{0}modifiers>\*?-?)(?P<{0}letter>[BHDFWSTMPbhdfwstmp])"
_SQUARE = r"(?P<{}>[a-h][1-8]|[xz][45])"
_ACTOR = re.compile(_SYMBOL.format(""))
_ORIGIN = re.compile(_SQUARE.format("square"))
_TARGET = re.compile(
    rf"-?{_SQUARE.format('to')}"
    rf"|:(?:{_SYMBOL.format('shot_')})?{_SQUARE.format('shot')}"
    rf"|\^{_SQUARE.format('hit')}"
)
_EFFECT = re.compile(
    rf"(?P<sign>[_:*,-]){_SYMBOL.format('')}"
    rf"(?:{_SQUARE.format('square')}(?P<run_over>_(?=[,*]|$))?)?"
)


class Mention(NamedTuple):
    """A critter as a word mentions it.

    Attributes:
        letter: upper case for White's, lower for Black's.
        modifiers: ``*`` and ``-``, of those that are mentioned.
        square: where it is or goes to; empty if that is not said.
        run_over: whether the Train kills it there.
        column: where the word mentions it.
        unsaid: the modifiers that the critter has and that are not mentioned.
    """

    letter: str
    modifiers: str = ""
    square: str = ""
    run_over: bool = False
    column: int = 0
    unsaid: str = ""

    def __str__(self) -> str:
        return f"{self.modifiers}{self.letter}{self.square}{'_' if self.run_over else ''}"

    def may_be(self, letter: str, modifiers: str) -> bool:
        """Whether it can mean such a critter: a capital stands for both sides."""
        of_side = self.letter in (letter, letter.upper())
        return of_side and set(self.modifiers) <= set(modifiers)

    def tells_of(self, real: Mention) -> bool:
        """Whether all that it says is so, real being what happens to a critter."""
        return (
            self.may_be(real.letter, real.modifiers + real.unsaid)
            and self.square in ("", real.square)
            and self.run_over <= real.run_over
        )


class Word(NamedTuple):
    """What a turn is said to do.

    Attributes:
        actor: who moves, shoots or chucks, and from where.
        sign: empty for a move, ``:`` for a shot, ``^`` for a chuck.
        target: the square that it moves, shoots or chucks to.
        killed: the squashed, the shot, the devoured and their devourer.
        robbed: who loses its lunch to a Deer, a Fox or a Woodchuck.
        displaced: those a Bear displaces, and where to.
        sprayed: those that Skunks spray, and where.
    """

    actor: Mention
    sign: str
    target: str
    killed: tuple[Mention, ...] = ()
    robbed: tuple[Mention, ...] = ()
    displaced: tuple[Mention, ...] = ()
    sprayed: tuple[Mention, ...] = ()

    @property
    def effects(self) -> tuple[tuple[Mention, ...], ...]:
        """All that it does to others."""
        return self.killed, self.robbed, self.displaced, self.sprayed

    @property
    def victim(self) -> Mention | None:
        """Who is robbed, or else killed; not the Shrews, whom nobody has to choose."""
        chosen = (each for each in self.robbed + self.killed if each.letter not in "Pp")
        return next(chosen, None)

    def __str__(self) -> str:
        killed = listed(self.killed)
        if self.sign == ":":
            beginning = f"{self.actor}:{killed}{self.target}"
        else:
            sign = "_" if self.actor.letter in "Bb" else ":"
            beginning = f"{self.actor}{self.sign}{self.target}{sign if killed else ''}{killed}"
        return (
            beginning
            + "".join(f"-{each}" for each in self.robbed)
            + "".join(f",{each}" for each in self.displaced)
            + (f"*{listed(self.sprayed)}" if self.sprayed else "")
        )


def listed(mentions: Iterable[Mention | str]) -> str:
    """Critters with commas between them."""
    return ",".join(map(str, mentions))


def parse(text: str) -> Word:
    """What a word mentions.

    Raises:
        NotationError: if it is no move, shot or chuck with effects after it.
    """
    if len(text) > LONGEST:
        raise NotationError(f"a turn takes at most {LONGEST} characters, not {len(text)}", LONGEST)
    symbol = _expect(_ACTOR, "a critter's letter or pass", text, 0)
    origin = _expect(_ORIGIN, "the critter's square", text, symbol.end())
    where_to = "a square, or : or ^ and a square"
    target = _expect(_TARGET, where_to, text, origin.end())
    actor = Mention(symbol["letter"], symbol["modifiers"], origin["square"])
    shot = (
        (Mention(target["shot_letter"], target["shot_modifiers"], column=origin.end() + 1),)
        if target["shot_letter"]
        else ()
    )
    effects = _parse_effects(text, target.end())
    return Word(
        actor,
        ":" if target["shot"] else "^" if target["hit"] else "",
        target["to"] or target["shot"] or target["hit"],
        shot + effects["killed"],
        effects["robbed"],
        effects["displaced"],
        effects["sprayed"],
    )


def _expect(pattern: re.Pattern[str], wanted: str, text: str, column: int) -> re.Match[str]:
    match = pattern.match(text, column)
    if match:
        return match
    found = brief(text[column:]) if column < len(text) else "the end"
    raise NotationError(f"expected {wanted}, not {found}", column)


_KINDS = {"_": "killed", ":": "killed", "-": "robbed", "*": "sprayed"}


def _parse_effects(text: str, column: int) -> dict[str, tuple[Mention, ...]]:
    """What follows a move, shot or chuck, by the attribute of a :class:`Word`."""
    effects: dict[str, tuple[Mention, ...]] = dict.fromkeys(
        ("killed", "robbed", "displaced", "sprayed"), ()
    )
    sign_of_list = ""
    while column < len(text):
        found = _expect(_EFFECT, "one of the signs _ : - * , and a critter", text, column)
        # After a comma the list goes on; but only the displaced and the sprayed have squares.
        sign_of_list = found["sign"].strip(",") or sign_of_list
        square = found["square"] or ""
        kind = "displaced" if square and sign_of_list != "*" else _KINDS.get(sign_of_list)
        if kind is None:
            raise NotationError(f"{found['letter']} has no square to go to", found.end())
        mention = Mention(
            found["letter"], found["modifiers"], square, bool(found["run_over"]), column + 1
        )
        effects[kind] += (mention,)
        column = found.end()
    return effects
