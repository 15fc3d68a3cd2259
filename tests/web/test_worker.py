"""What the workers compute for the page."""

import pytest

from pasgl_env import Position
from pasgl_env.records import GameRecord
from pasgl_env.web import worker
from pasgl_env.web.live_game import fields_of


@pytest.mark.parametrize("variant", ["pasgl312", "pachessi", "chieftain"])
def test_a_turn_that_the_search_expects_is_judged_to_lose_nothing(variant, monkeypatch):
    position = Position(variant)
    while position.is_chance:
        position.play(position.legal_moves()[-1])
    monkeypatch.setattr(worker, "_tables", list)
    seen = worker._looked(position, 0.01)
    monkeypatch.setattr(worker, "_looked", lambda *_: seen)
    values = iter([0.5, -0.5])  # as different as short looks may be
    monkeypatch.setattr(worker, "_value", lambda *_: next(values))
    after, labels = position.copy(), list[str]()
    for label in worker._line(seen):
        if after.turns == position.turns and not after.is_chance:
            labels.append(label)
            after.play(label)
    before = GameRecord.of(position, [])
    task = {"before": len(before.choices), **fields_of(GameRecord.of(position, labels))}
    assert next(worker._judge(task)) == {"lost": 0.0}
    other = next(label for label in position.legal_moves() if label != labels[0])
    task |= fields_of(GameRecord.of(position, [other]))
    assert next(worker._judge(task)) == {"lost": 1.0}
