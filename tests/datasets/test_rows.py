from itertools import pairwise

import numpy as np
import pytest

pytest.importorskip("scipy")
pytest.importorskip("pyarrow")

from pasgl_env import Batch, Position, datasets, variants
from pasgl_env.datasets.rows import keys


def test_a_row_is_the_position_that_its_text_describes(small_folder, every_variant):
    data = datasets.load(small_folder(every_variant))
    rows = data.table.to_pylist()
    for row, state in list(zip(rows, data.states, strict=True))[::7]:
        position = Position.from_text(data.ruleset, row["text"])
        exact = Position.from_state(data.ruleset, state)
        assert position.to_move == exact.to_move == row["player"]
        assert position.turns == exact.turns == row["turn"]
        assert exact.legal_actions() == row["legal"]
        assert exact.label(row["action"]) == position.label(row["action"]) == row["label"]


def test_the_rows_of_a_game_follow_each_other_to_its_outcome(small_folder, variant):
    data = datasets.load(small_folder(variant))
    rows = data.table.to_pylist()
    for row, after in pairwise(rows):
        assert row["turn"] + row["turns_left"] <= 14
        if row["game"] == after["game"]:
            assert (row["step"] + 1, row["truncated"]) == (after["step"], after["truncated"])
            same = row["player"] == after["player"]
            assert after["outcome"] == (row["outcome"] if same else -row["outcome"])
        else:
            assert after["step"] == 0


def test_a_search_is_kept_where_there_was_a_choice(small_folder, variant):
    data = datasets.load(small_folder(variant))
    for row in data.table.to_pylist():
        assert (row["visits"] is None) == (len(row["legal"]) == 1)
        if row["visits"]:
            assert len(row["visits"]) == len(row["values"]) == len(row["legal"])
            assert row["visits"][row["legal"].index(row["action"])] == max(row["visits"])
            assert np.nanmax(np.abs(row["values"])) <= 1


def test_mirrored_positions_have_one_key_and_others_have_their_own():
    ruleset = variants.ruleset("chieftain")
    (mirror,) = variants.symmetries("chieftain")
    batch = Batch(ruleset, 1, seed=0)
    action = int(batch.action_mask[0].nonzero()[0][0])
    image = int(mirror.actions[action])
    other = next(a for a in batch.action_mask[0].nonzero()[0] if a not in (action, image))
    plays = [Position(ruleset).play_action(int(each)).state for each in (action, image, other)]
    one, same, different = keys(ruleset, np.concatenate(plays))
    assert one == same != different
