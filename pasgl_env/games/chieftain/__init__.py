"""Chieftain, Superchief and Overlord, by Joe Joyce (2008): armies that move many pieces a turn."""

from __future__ import annotations

from pasgl_env.games.chieftain import features, legal, play, possible, state, text, value, view
from pasgl_env.games.contract import Game, Option, OptionsRecord, Spaces, TextOption, never_full

CHIEFTAIN_SETUP = (
    "1hcs1chsshc1sch1/1nm2mn2nm2mn1/16/m2mm2mm2mm2m/1m4m2m4m1/16/16/1M4M2M4M1/M2MM2MM2MM2M/16"
    "/1NM2MN2NM2MN1/1HCS1CHSSHC1SCH1"
)
SUPERCHIEF_SETUP = (
    "1hcs1chs1chsshc1shc1sch1/1nm2mn2mn2nm2nm2mn1/24/m2mm2mm2mm2mm2mm2m/1m4m3m2m3m4m1/24/24"
    "/1M4M3M2M3M4M1/M2MM2MM2MM2MM2MM2M/24/1NM2MN2MN2NM2NM2MN1/1HCS1CHS1CHSSHC1SHC1SCH1"
)
OVERLORD_SETUP = (
    "hcschshcschsshcschshcsch/n1bn1rn1bn1rr1nb1nr1nb1n/24/m1mm1mm1mm1mm1mm1mm1mm1m"
    "/1m2m2m2m2m2m2m2m1/24/24/24/24/24/24/1M2M2M2M2M2M2M2M1/M1MM1MM1MM1MM1MM1MM1MM1M/24"
    "/N1BN1RN1BN1RR1NB1NR1NB1N/HCSCHSHCSCHSSHCSCHSHCSCH"
)
_RECONSTRUCTED = (
    "the inventor's picture of the setup is lost; the default is a reconstruction that keeps what"
    " his text says: {pieces} pieces a side, {kinds} kinds, tribes like Chieftain's. Give another"
    " as the option setup, a board like the first field of a position text"
)


def _spaces(options: OptionsRecord) -> Spaces:
    actions = legal.LAST_PLANE * int(options.squares) + 2
    return Spaces(2, actions, (view.PLANE_COUNT, int(options.ranks), int(options.files)))


def _game(name: str, title: str, setup: str, note: str = "") -> Game:
    """A variant: the same rules with a setup of its own."""
    return Game(
        name=name,
        rules="chieftain",
        title=title,
        state=state.STATE,
        options=(
            TextOption(
                "setup",
                setup,
                "a board field, 4 to 24 ranks and files, 1 to 32 Chieftains a side",
                "the starting position, which gives the board its size",
                text.SETUP_SHAPE,
                text.setup_to_record,
                text.setup_to_text,
            ),
            Option("activations", 1, 1, 8, "pieces that a Chieftain activates in a turn"),
            Option("command_range", 3, 1, 23, "how far a Chieftain commands, in king's steps"),
            Option(
                "turn_limit", 400, 0, 10**9 - 1, "turns after which environments truncate; 0: never"
            ),
        ),
        derived=text.DERIVED,
        derive=text.derive,
        text_fields=len(text.FIELDS),
        planes=view.PLANES,
        has_points=True,
        spaces=_spaces,
        start=state.start,
        legal_actions=legal.legal_actions,
        play=play.play,
        observe=view.observe,
        to_move=state.to_move,
        winner=state.winner,
        points=state.points,
        turns=state.turns,
        in_turn=state.in_turn,
        is_settled=state.is_settled,
        is_full=never_full,
        is_possible=possible.is_possible,
        evaluate=value.evaluate,
        settle=play.settle,
        label=text.label,
        write=text.write,
        read=text.read,
        question=text.question,
        seats=lambda options: ("White", "Black"),
        has_plane_actions=True,
        spaced_labels=True,
        features=features.FEATURES,
        note=note,
    )


CHIEFTAIN = _game("chieftain", "Chieftain", CHIEFTAIN_SETUP)
SUPERCHIEF = _game(
    "superchief", "Superchief", SUPERCHIEF_SETUP, _RECONSTRUCTED.format(pieces=48, kinds="five")
)
OVERLORD = _game(
    "overlord", "Overlord", OVERLORD_SETUP, _RECONSTRUCTED.format(pieces=64, kinds="seven")
)
