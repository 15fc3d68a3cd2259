"""Boards and their drawings, as the page gets them."""

import os
import subprocess
import sys

import pytest

from pasgl_env import variants
from pasgl_env.jit.compiled import JIT

SHOW = """
import sys
from pasgl_env import Position
from pasgl_env.jit.compiled import leave_compiling_to_others
from pasgl_env.web import drawings

leave_compiling_to_others()
for variant in sys.argv[1:]:
    position = Position(variant)
    while position.is_chance:
        position.play_action(position.legal_actions()[0])
    drawings.board(position.ruleset, "light")
    for action in position.legal_actions()[:3]:
        after = position.copy().play_action(action)
        print(after.choices, after.events, drawings.drawing(after))
"""


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_every_game_is_shown_alike_before_and_after_it_is_compiled(tmp_path):
    tmp_path.chmod(0o700)
    command = [sys.executable, "-c", SHOW, *variants.names()]
    folders: tuple[dict[str, str], ...] = {}, {"PASGL_CACHE_DIR": str(tmp_path)}
    usual, empty = (
        subprocess.run(
            command, env={**os.environ, **folder}, check=True, capture_output=True, text=True
        ).stdout
        for folder in folders
    )
    assert len(usual) > 1000
    assert empty == usual
    assert not any(tmp_path.rglob("*.nbi"))
