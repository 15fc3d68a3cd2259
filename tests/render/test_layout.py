"""The layout as JSON, and the sprites of a state, are all that a drawing is made of."""

import json
from itertools import islice

import numpy as np
import pytest

from pasgl_env import render
from pasgl_env.contract.scene import SPRITE, scene
from pasgl_env.render.svg.board import Board, Box
from pasgl_env.render.svg.layout import Arrow, Icon, Layout, Look, Role
from pasgl_env.render.svg.theme import THEMES, Theme
from tests.steering import games
from tests.suites import over_all_games


def drawn(text, rows, marks):
    """The drawing by a layout in JSON of sprites given as bytes."""
    data = json.loads(text)
    sprite = data.pop("sprite")
    kinds, offsets = ([sprite[name][key] for name in sprite] for key in ("type", "offset"))
    assert np.dtype({"names": list(sprite), "formats": kinds, "offsets": offsets}) == SPRITE
    title, board, arrow = data.pop("title"), data.pop("board"), data.pop("arrow")
    layout = Layout(
        theme=Theme(**data.pop("theme")),
        size=tuple(data.pop("size")),
        places=tuple(Box(**place) for place in data.pop("places")),
        squares=tuple(data.pop("squares")),
        others=tuple(data.pop("others")),
        looks=tuple(Look(**{**look, "role": Role(look["role"])}) for look in data.pop("looks")),
        icons={name: Icon(**icon) for name, icon in data.pop("icons").items()},
        board=board and Board(**board),
        arrow=arrow and Arrow(**arrow),
        **data,
    )
    canvas = layout.draw(np.frombuffer(rows, SPRITE), marks)
    canvas.title = f"{title}: {canvas.title}"
    return canvas.to_svg()


@over_all_games
@pytest.mark.parametrize("theme", THEMES)
def test_a_drawing_is_made_of_json_and_sprites_alone(suite, theme):
    steered = (position for position, _ in games(suite, 3, 9))
    for position in islice(steered, 0, 70, 7):
        marks, ruleset = render.marks_of(position), position.ruleset
        sprites = scene(ruleset.game, position.state[0], ruleset.record[0], marks.rolled)
        text = json.dumps(render.layout(ruleset, theme=theme))
        expected = render.drawing(position, theme=theme, marks=marks).to_svg()
        assert drawn(text, sprites.tobytes(), marks) == expected
