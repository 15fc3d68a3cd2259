"""The page's renderer in JavaScript writes the same SVG as the one in Python."""

import json
import shutil
import subprocess
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from pasgl_env import Position, render
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.render.svg.theme import THEMES
from pasgl_env.web import drawings

from ..pocket import GAME
from ..steering import games
from ..suites import over_all_games

HERE = Path(__file__).parent
MODULE = HERE.parents[1] / "pasgl_env" / "web" / "static" / "layout.js"
NODE = shutil.which("node") or ""

pytestmark = pytest.mark.skipif(not NODE, reason="Node is not installed")


def check_in_node(positions, folder):
    """Draw positions, each in both themes, and all pieces of their layouts."""
    layouts: dict[Any, Any] = {}
    drawn, icons = [], []
    for position in positions:
        ruleset, marks = position.ruleset, render.marks_of(position)
        for theme in THEMES:
            if (ruleset, theme) not in layouts:
                number = len(layouts)
                board = drawings.board(ruleset, theme)["layout"]
                layouts[ruleset, theme] = number, board
                for symbol in board.get("icons", {}):
                    icon = render.icon(ruleset, symbol, theme=theme).to_svg()
                    icons.append([number, symbol, icon])
            expected = render.drawing(position, theme=theme, marks=marks).to_svg()
            drawing = drawings.drawing(position)
            drawn.append([layouts[ruleset, theme][0], drawing, expected])
    file = folder / "drawings.json"
    boards = [board for _, board in layouts.values()]
    file.write_text(json.dumps({"layouts": boards, "drawings": drawn, "icons": icons}))
    command = [NODE, str(HERE / "draw.mjs"), str(MODULE), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    made, expected = json.loads(done.stdout) or ("", "")
    assert made == expected


@over_all_games
def test_scenes_are_drawn_alike_in_python_and_in_javascript(suite, tmp_path):
    steered = (position for position, _ in games(suite, 3, 9))
    check_in_node(islice(steered, 0, 210, 7), tmp_path)


@pytest.mark.slow
@over_all_games
def test_thousands_of_scenes_are_drawn_alike(suite, tmp_path):
    check_in_node((position for position, _ in islice(games(suite, 100, 4), 2000)), tmp_path)


def test_a_game_without_scenes_is_drawn_alike_as_its_diagram(tmp_path):
    bare = replace(GAME, package="", texts=GAME.texts._replace(label=lambda *_: "<odd>"))
    check_in_node([Position(Ruleset.of(bare, {}))], tmp_path)
