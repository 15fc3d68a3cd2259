"""The rules of Pachessi and Grand Pachessi on a page, with the inventor's charts.

Board, starting squares, ranges, dice and prohibitions come from the tables of the rules.
"""

from __future__ import annotations

from collections.abc import Iterator

from pasgl_env.contract.base import OptionsRecord
from pasgl_env.games.pachessi.drawing.diagram import draw_board
from pasgl_env.games.pachessi.names import KIND_NAMES
from pasgl_env.games.pachessi.position_text import name_of, seats
from pasgl_env.games.pachessi.rules.board import MAY_GO, QUADRANTS, place_at
from pasgl_env.games.pachessi.rules.legal import KIND_OF, SIX
from pasgl_env.games.pachessi.rules.state import ELEPHANT, PLAYERS, RAJA, home_of

_WIDEST = 80
_CHESSMEN = ("King", "Rook", "Knight", "Bishop")
_QUADRANT_NAMES = ("Northern", "Western", "Southern", "Eastern")
_WAYS = ("eastward", "northward", "westward", "southward")
_PAGE = """\
Move your pieces counterclockwise around the board to where they started, and
bear them off from there. The first player to bear off all pieces wins.{teams}

{starts}

  Roll         Piece
  ====         =====
{dice}

The number of a piece that has been borne off counts as a {six}.

{moves}

For all but the Horse, every square on the way must exist and be empty. The
chart shows which directions are forbidden, by the square where a move begins.
No move ends on a piece of one's own side.

{chart}

Roll two dice. Each must be used if it can be: to move a piece, to enter it or
to bear it off, in any order, and for the same piece if you like.{both}{bear_off}{grace}{first_roll}

A taken piece enters on its starting square, where it takes an enemy's piece,
and starts again. A piece of its own side there blocks it. While your Raja is
taken you may only enter it, even onto a piece of your own, which it takes
without earning anything.{team_mate}

A piece that has been around the board{laps} may be borne off from its starting
square. If it passes by without stopping there, it has to go around once more."""
_GRACE = """ A capture with
the roll earns a grace die, which is rolled and used next; each grace die that
captures earns another."""
_GRACE_MOVE = """
A grace die need not be used."""
_BOTH = """
Both must be used if a choice allows it, unless another wins."""
_BEAR_OFF = """
Dice whose only uses bear pieces off need not be used."""
_TEAM = """
A lot decides which team begins, and the team chooses its player."""
_FIRST_ROLL = """
The game's first roll is of one die."""
_LAPS = {1: "", 2: " twice", 3: " three times"}
_TEAMS = """
{} and {} play against {} and {}, and win together."""
_TEAM_MATE = " Meanwhile your team-mate may take your pieces, too."


def summary(options: OptionsRecord) -> str:
    """The start, the dice, and the moves and their restrictions, under these options."""
    names, has_teams = seats(options), options.number == PLAYERS
    return _PAGE.format(
        teams=_TEAMS.format(*names[::2], *names[1::2]) if has_teams else "",
        starts="\n".join(_start_lines(options)),
        dice="\n".join(_dice_lines(options)),
        six=SIX,
        moves="\n".join(_move_lines(options)),
        both=_BOTH if options.dice else "",
        bear_off=_BEAR_OFF if options.bear_off else "",
        grace=_grace(options),
        first_roll=(_FIRST_ROLL if options.first_dice == 1 else "") + _TEAM * int(options.chooses),
        laps=_LAPS[int(options.laps)],
        chart="\n".join([*_chart(options), *_prohibitions()]),
        team_mate=_TEAM_MATE if has_teams else "",
    )


def _grace(options: OptionsRecord) -> str:
    if not options.grace:
        return ""
    return _GRACE + (_GRACE_MOVE if options.grace_move else "")


def _start_lines(options: OptionsRecord) -> Iterator[str]:
    kinds = range(int(options.kinds))
    yield f"{'':10}" + "".join(f"{KIND_NAMES[kind]:10}" for kind in kinds).rstrip()
    for player, name in enumerate(seats(options)):
        squares = (name_of(int(home_of(options, player, kind))) for kind in kinds)
        yield f"{name:10}" + "".join(f"{square:10}" for square in squares).rstrip()


def _dice_lines(options: OptionsRecord) -> Iterator[str]:
    dice: dict[str, list[str]] = {}
    for die in range(1, SIX + 1):
        dice.setdefault(_use(options, die), []).append(str(die))
    return (f"{','.join(numbers):^9}{'':6}{use}" for use, numbers in dice.items())


def _use(options: OptionsRecord, die: int) -> str:
    if die < options.lowest:
        return "Roll again"
    if die == SIX:
        return "Any Piece"
    kind = int(KIND_OF[die])
    return f"{KIND_NAMES[kind]} ({_CHESSMEN[kind]})"


def _move_lines(options: OptionsRecord) -> Iterator[str]:
    moves = (
        f"{_up_to(options.range[RAJA])} in any direction",
        f"{_up_to(options.range[ELEPHANT])} along a rank or file",
        "a leap (1,2), or (1,3)" if options.grand else "a leap (1,2)",
        "any number of squares diagonally",
    )
    for kind in range(int(options.kinds)):
        yield f"{KIND_NAMES[kind]:10}{moves[kind]}"


def _up_to(squares: int) -> str:
    return "one square" if squares == 1 else f"up to {squares} squares straight on"


def _chart(options: OptionsRecord) -> Iterator[str]:
    """The chart of forbidden moves, unless the board is too wide for a page."""
    board = draw_board(options, lambda x, y: _quadrants(int(options.quadrants[place_at(x, y)])))
    if board.index("\n") <= _WIDEST:
        yield f"{board}\n"


def _quadrants(within: int) -> str:
    """The letters of a square's quadrants; two neighbours in their order round the board."""
    number = len(QUADRANTS)
    inside = [bool(within >> quadrant & 1) for quadrant in range(number)]
    first = next(one for one in range(number) if inside[one] and not inside[one - 1])
    second = (first + 1) % number
    letter = QUADRANTS[first]
    return f"{letter}+{QUADRANTS[second]}" if inside[second] else f" {letter} "


def _prohibitions() -> Iterator[str]:
    for quadrant, (letter, name) in enumerate(zip(QUADRANTS, _QUADRANT_NAMES, strict=True)):
        ways = (way for number, way in enumerate(_WAYS) if not MAY_GO[1 << quadrant, number])
        yield f"  {letter} = {name} Quadrant (no {' or '.join(ways)} moves)"
