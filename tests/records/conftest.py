"""A plain notation for the tests of records: the labels of a turn, joined.

Records are written in the inventors' notations, whose own tests are elsewhere.
"""

import sys
from types import ModuleType

import pytest

from pasgl_env.records.notation import NotationError
from pasgl_env.variants import find, names


def write(turn):
    return ",".join(turn.labels).replace(" ", "_")


def read(before, text):
    position, labels = before.copy(), []
    for part in text.split(","):
        legal = {label.replace(" ", "_"): label for label in position.legal_moves()}
        if part not in legal:
            raise NotationError(f"{part} is not legal here", text.index(part))
        labels.append(legal[part])
        position.play(legal[part])
    return tuple(labels)


def remarks(turn):
    """What stands beside a turn: who moved, and points where there are some."""
    return (f"#{turn.before.to_move}", "/".join(map(str, turn.after.points)) + "#")


def is_remark(word):
    return "#" in word


@pytest.fixture(autouse=True)
def plain_notation(monkeypatch):
    module = ModuleType("plain")
    module.__dict__.update(
        write=write, read=read, remarks=remarks, is_remark=is_remark, COLUMNS=("Mover", "Points")
    )
    for variant in names():
        name = f"pasgl_env.records.notation.{find(variant).rules}"
        monkeypatch.setitem(sys.modules, name, module)
