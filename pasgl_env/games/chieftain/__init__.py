"""Chieftain, Superchief and Overlord, by Joe Joyce (2008): armies that move many pieces a turn."""

from __future__ import annotations

from pasgl_env.contract.base import Learning, OptionsRecord, plane_count
from pasgl_env.contract.game import Game, Spaces
from pasgl_env.contract.symmetry import Symmetry, mirrored_files
from pasgl_env.games.chieftain import options, position_text
from pasgl_env.games.chieftain.rules import (
    board,
    evaluation,
    features,
    legal,
    observation,
    play,
    state,
    validation,
)

CHIEFTAIN_SETUP = (
    "1hcs1chsshc1sch1/1nm2mn2nm2mn1/16/m2mm2mm2mm2m/1m4m2m4m1/16/16/1M4M2M4M1/M2MM2MM2MM2M/16"
    "/1NM2MN2NM2MN1/1HCS1CHSSHC1SCH1"
)
# The setups of Superchief and Overlord are reconstructions (Ruling 1).
SUPERCHIEF_SETUP = (
    "1hcs1chs1chsshc1shc1sch1/1nm2mn2mn2nm2nm2mn1/24/m2mm2mm2mm2mm2mm2m/1m4m3m2m3m4m1/24/24"
    "/1M4M3M2M3M4M1/M2MM2MM2MM2MM2MM2M/24/1NM2MN2MN2NM2NM2MN1/1HCS1CHS1CHSSHC1SHC1SCH1"
)
OVERLORD_SETUP = (
    "hcschshcschsshcschshcsch/n1bn1rn1bn1rr1nb1nr1nb1n/24/m1mm1mm1mm1mm1mm1mm1mm1m"
    "/1m2m2m2m2m2m2m2m1/24/24/24/24/24/24/1M2M2M2M2M2M2M2M1/M1MM1MM1MM1MM1MM1MM1MM1M/24"
    "/N1BN1RN1BN1RR1NB1NR1NB1N/HCSCHSHCSCHSSHCSCHSHCSCH"
)
# Values of one variant hold in all. A turn has 4 to 8 orders: credit must reach back over all of
# them. Random openings give games of every stage; from the usual starts, most would have no winner.
# A game that is cut off counts nothing, so that a lead is worth only what it wins, and an early win
# counts more than a late one, so that players make for it.
_LEARNING = Learning(exploration=0.05, decay=0.94, truncated_value=0.0, discount=0.99)
_FAMILY = ("chieftain", "superchief", "overlord")
_RECONSTRUCTED = (
    "the inventor's picture of the setup is lost; the default is a reconstruction that keeps what"
    " his text says: {pieces} pieces a side, {kinds} kinds, tribes like Chieftain's. Give another"
    " as the option setup, a board like the first field of a position text"
)


def _spaces(record: OptionsRecord) -> Spaces:
    actions = legal.LAST_PLANE * int(record.squares) + 2
    planes = plane_count(record, observation.PLANES, observation.MORE_PLANES)
    return Spaces(2, actions, (planes, int(record.ranks), int(record.files)))


def _symmetries(record: OptionsRecord) -> tuple[Symmetry, ...]:
    _, actions, seen = _spaces(record)
    return (mirrored_files(seen, actions, board.PLACES),)


def _largest_lead(record: OptionsRecord) -> int:
    """The value of the larger army."""
    return int(max(record.army))


def _game(
    name: str, title: str, summary: str, setup: str, *, opening: int, horizon: int, note: str = ""
) -> Game:
    """A variant: the same rules with another setup, and values learned from games of all."""
    others = tuple(each for each in _FAMILY if each != name)
    learning = _LEARNING._replace(opening=opening, horizon=horizon, extra_variants=others)
    return Game.of(
        *(state, observation, legal, play, evaluation, validation, position_text),
        name=name,
        package=__name__,
        title=title,
        summary=summary,
        options=options.options(setup),
        largest_lead=_largest_lead,
        spaces=_spaces,
        is_terminal=state.is_over,
        has_plane_actions=True,
        features=features.FEATURES._replace(learning=learning),
        symmetries=_symmetries,
        note=note,
    )


CHIEFTAIN = _game(
    "chieftain",
    "Chieftain",
    "Joe Joyce's game of four Chieftains a side, each of which orders one move per turn",
    CHIEFTAIN_SETUP,
    opening=1000,
    horizon=120,
)
SUPERCHIEF = _game(
    "superchief",
    "Superchief",
    "Chieftain with six Chieftains and 48 pieces a side",
    SUPERCHIEF_SETUP,
    opening=3000,
    horizon=160,
    note=_RECONSTRUCTED.format(pieces=48, kinds="five"),
)
OVERLORD = _game(
    "overlord",
    "Overlord",
    "Chieftain with eight Chieftains and 64 pieces a side, Bishopies and Rookishes among them",
    OVERLORD_SETUP,
    opening=6000,
    horizon=160,
    note=_RECONSTRUCTED.format(pieces=64, kinds="seven"),
)
