"""A sound little game, and games that each break one sentence of the contract.

``python -m tests.broken_games`` prints, as JSON, what ``check_game`` says of each. Run it without
the JIT: nothing here is worth compiling.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from pasgl_env.contract.base import FeatureRun, Features, Plane, Texts
from pasgl_env.contract.game import TURN_LIMIT, Game, Option, Spaces, TextOption
from pasgl_env.contract.scene import show
from pasgl_env.render.svg.board import Box
from pasgl_env.render.svg.layout import Layout, Look
from pasgl_env.testing import GameFault, check_game

HEAP = Option("stones", 9, 1, 15, "stones at the start")


def start(state, options):
    state.stones, state.turn_count, state.mover = options.stones, 0, 0


def legal_actions(state, options, mask):
    mask[:] = 0
    count = min(int(state.stones), 3)
    mask[:count] = 1
    return count


def play(state, options, action):
    state.stones -= action + 1
    state.turn_count += 1
    state.mover = 1 - int(state.mover)


def observe(state, options, player, planes):
    for bit in range(4):
        planes[bit, :, :] = (int(state.stones) >> bit) & 1


def write_features(state, options, player, indices):
    indices[0] = state.stones
    return 1


def read(text, options, state):
    try:
        stones, mover, turns = map(int, text.split(" "))
    except ValueError:
        raise ValueError("text: three numbers are needed") from None
    if not (0 <= stones <= options.stones and mover in (0, 1) and 0 <= turns < 10**9):
        raise ValueError("text: out of range")
    if text != f"{stones} {mover} {turns}":
        raise ValueError("text: not canonical")
    state.stones, state.mover, state.turn_count = stones, mover, turns


SOUND = Game(
    name="heap",
    title="Heap",
    state=np.dtype([("stones", "i4"), ("turn_count", "i4"), ("mover", "u1")]),
    options=(HEAP, TURN_LIMIT),
    planes=(Plane(0, 4, "stones in binary"),),
    spaces=lambda options: Spaces(2, 3, (4, 1, 1)),
    start=start,
    legal_actions=legal_actions,
    play=play,
    observe=observe,
    to_move=lambda state: int(state.mover),
    winner=lambda state, options: 1 - int(state.mover),
    turns=lambda state: int(state.turn_count),
    is_valid=lambda state, options: (
        0 <= state.stones <= options.stones and state.mover <= 1 and 0 <= state.turn_count < 10**9
    ),
    texts=Texts(
        label=lambda state, options, action: f"take{action + 1}",
        write=lambda state, options: f"{state.stones} {state.mover} {state.turn_count}",
        read=read,
    ),
    features=Features(
        count=lambda options: int(options.stones) + 1,
        most=1,
        write=write_features,
        viewpoint=lambda state: int(state.mover),
        table=(FeatureRun("stones + 1", "the number of stones left"),),
    ),
)


def features(**changes: Any) -> Features:
    assert SOUND.features is not None
    return SOUND.features._replace(**changes)


def texts(**changes: Any) -> Texts:
    return SOUND.texts._replace(**changes)


def takes_less_than_it_says(state, options, mask):
    return legal_actions(state, options, mask) + 1


def leaves_the_mask(state, options, mask):
    count = min(int(state.stones), 3)
    mask[:count] = 1
    return int((mask == 1).sum())


def plays_by_chance(state, options, action, calls=[0]):  # noqa: B006
    calls[0] += 1
    play(state, options, action)
    state.turn_count += calls[0] % 2


def writes_outside(state, options, player, indices):
    indices[1] = state.stones
    return 1


def changes_the_state(state, options, player):
    state.turn_count += 1
    return 0.0


def forgets_a_stone(state, options):
    state.stones = max(state.stones - 1, 0)


def half_a_point(state, player) -> Any:
    return 0.5


def a_point_for_the_last_stone(state, player):
    return int(state.stones == 0 and player != state.mover)


def no_number(state, options) -> Any:
    return None


def writes_more_later(state, options):
    return f"{state.stones} {state.mover} {state.turn_count}" + " x" * (state.turn_count > 0)


def forgets_the_mover(text, options, state):
    read(text, options, state)
    state.mover = 0


def raises_something_else(text, options, state):
    if text[0] in "xAK":
        raise KeyError(text)
    read(text, options, state)


def drawn(name: str, symbol: int, most: int) -> Game:
    """The game with a drawing of its stones by one look, in a folder of its own."""

    def scene(state, options, rolled, mask, out):
        count = 0
        for stone in range(state.stones):
            count = show(out, count, 0, symbol, stone)
        return count

    def layout(options, theme):
        return Layout(
            theme=theme,
            prefix="heap-",
            size=(20, 1),
            side=1,
            ground="",
            places=tuple(Box(file, 0, 1, 1) for file in range(16)),
            squares=tuple(f"{file}1" for file in "abcdefghijklmnop"),
            looks=(Look('<use href="#heap-{symbol}"/>'),),
            symbols=({"symbol": "o"}, {}),
            shapes={"o": "<circle r='1'/>"},
        )

    part = SimpleNamespace(scene=scene, layout=layout, MOST=most)
    sys.modules[f"{name}.drawing.svg"] = part  # type: ignore[assignment] # all of it that is used
    return replace(SOUND, name=name, package=name)


BROKEN: dict[str, Game] = {
    "more sprites than there is room for": drawn("crowded", 0, 3),
    "a symbol without a shape": drawn("blank", 1, 20),
    "a default out of range": replace(SOUND, options=(HEAP._replace(default=20), TURN_LIMIT)),
    "padding": replace(
        SOUND,
        state=np.dtype(
            (np.record, np.dtype([("mover", "u1"), ("stones", "i4"), ("turn_count", "i4")], True))
        ),
    ),
    "too few planes": replace(SOUND, planes=(Plane(0, 3, "stones in binary"),)),
    "a seat too many": replace(SOUND, texts=texts(seats=lambda options: ("White", "Black", "Red"))),
    "teams from one": replace(SOUND, team=lambda player: player + 1),
    "a single side": replace(SOUND, team=lambda player: 0),
    "too few actions": replace(SOUND, spaces=lambda options: Spaces(2, 2, (4, 1, 1))),
    "a wrong count": replace(SOUND, legal_actions=takes_less_than_it_says),
    "an old mask": replace(SOUND, legal_actions=leaves_the_mask),
    "equal labels": replace(SOUND, texts=texts(label=lambda state, options, action: "take")),
    "labels with spaces": replace(
        SOUND, texts=texts(label=lambda state, options, action: f"take {action}")
    ),
    "an old observation": replace(SOUND, observe=lambda state, options, player, planes: None),
    "play by chance": replace(SOUND, play=plays_by_chance),
    "play that does nothing": replace(SOUND, play=lambda state, options, action: None),
    "a turn that goes on unsaid": replace(SOUND, turns=lambda state: int(state.turn_count) // 2),
    "a winner that is no number": replace(SOUND, winner=no_number),
    "a looking rule that changes the state": replace(SOUND, evaluate=changes_the_state),
    "a text that forgets": replace(SOUND, texts=texts(read=forgets_the_mover)),
    "a field too many at times": replace(SOUND, texts=texts(write=writes_more_later)),
    "an error that is no ValueError": replace(SOUND, texts=texts(read=raises_something_else)),
    "a record that cannot be played": replace(SOUND, is_valid=lambda state, options: True),
    "values that are no numbers": replace(SOUND, evaluate=lambda state, options, player: np.nan),
    "points that are no integers": replace(SOUND, points=half_a_point),
    "a lead larger than the largest": replace(SOUND, points=a_point_for_the_last_stone),
    "a winner who does not play": replace(SOUND, winner=lambda state, options: 2),
    "a stone forgotten": replace(SOUND, forget=forgets_a_stone),
    "an end too early": replace(SOUND, is_terminal=lambda state, options: state.stones < 4),
    "features out of range": replace(SOUND, features=features(count=lambda options: 3)),
    "features outside the array": replace(SOUND, features=features(write=writes_outside)),
    "a value that the record cannot hold": replace(
        SOUND, options=(HEAP, TURN_LIMIT._replace(high=2**40))
    ),
    "an option that does not come back": replace(
        SOUND,
        options=(
            TextOption("shape", "round", "a text", "x", (2,), lambda text: [1, 2], lambda a: "?"),
            HEAP,
            TURN_LIMIT,
        ),
    ),
}


def fault_of(game: Game) -> str:
    """What is said of a game; empty if nothing is."""
    try:
        check_game(game, seconds=0.6)
    except GameFault as fault:
        return str(fault)
    return ""


if __name__ == "__main__":
    print(
        json.dumps(
            {name: fault_of(game) for name, game in {"": drawn("drawn", 0, 20), **BROKEN}.items()}
        )
    )
