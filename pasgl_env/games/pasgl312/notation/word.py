"""A turn in Lawson's notation as text: what it mentions, apart from any board."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from pasgl_env.contract.game import brief
from pasgl_env.records.notation import NotationError

PASS = "pass"
# More than twice the length needed to displace and to spray everybody.
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
    """A critter mentioned in a word.

    Attributes:
        letter: upper case for White's, lower for Black's.
        modifiers: those of ``*`` and ``-`` that are mentioned.
        square: its square or target; empty if not mentioned.
        run_over: whether the Train kills it there.
        column: its column in the word.
        unsaid: modifiers of the critter that are not mentioned.
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
        """Whether it may mean such a critter: a capital stands for both sides."""
        of_side = self.letter in (letter, letter.upper())
        return of_side and set(self.modifiers) <= set(modifiers)

    def tells_of(self, real: Mention) -> bool:
        """Whether everything mentioned is true of what really happens to a critter."""
        return (
            self.may_be(real.letter, real.modifiers + real.unsaid)
            and self.square in ("", real.square)
            and self.run_over <= real.run_over
        )


class Word(NamedTuple):
    """The parts of a turn.

    Attributes:
        actor: the critter that moves, shoots or chucks, and its square.
        sign: empty for a move, ``:`` for a shot, ``^`` for a chuck.
        target: the square that it moves, shoots or chucks to.
        killed: critters squashed, shot or devoured, and a devourer that dies.
        robbed: a critter that loses its lunch to a Deer, a Fox or a Woodchuck.
        displaced: critters displaced by a Bear, and their new squares.
        sprayed: critters sprayed by Skunks, and their squares.
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
        """All effects on others."""
        return self.killed, self.robbed, self.displaced, self.sprayed

    @property
    def victim(self) -> Mention | None:
        """The robbed or else the killed critter; not Shrews, which are never chosen."""
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
    """Parse a word.

    Raises:
        NotationError: if it is not a move, shot or chuck, followed by effects.
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
    """The effects after a move, shot or chuck, by attribute of :class:`Word`."""
    effects: dict[str, tuple[Mention, ...]] = dict.fromkeys(
        ("killed", "robbed", "displaced", "sprayed"), ()
    )
    sign_of_list = ""
    while column < len(text):
        found = _expect(_EFFECT, "one of the signs _ : - * , and a critter", text, column)
        # The list continues after a comma, but only the displaced and the sprayed have squares.
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
