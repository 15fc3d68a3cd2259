import pickle
import shutil

import numpy as np
import pytest

pytest.importorskip("scipy")
pytest.importorskip("pyarrow")

from pasgl_env import Position, datasets


def test_observations_are_made_by_the_rules(small_folder, variant):
    data = datasets.load(small_folder(variant))
    some = data[[5, 3, 11]]
    for row, at in enumerate((5, 3, 11)):
        position = Position.from_state(data.ruleset, data.states[at])
        assert (some["observation"][row] == position.observation()).all()
        assert (some["action_mask"][row] == position.action_mask).all()
        assert (data[at]["observation"] == some["observation"][row]).all()


def test_the_policy_is_the_share_of_visits(small_folder):
    data = datasets.load(small_folder("chieftain"))
    rows = data.table.to_pylist()
    for row, policy in zip(rows, data[:]["policy"], strict=True):
        wanted = np.zeros_like(policy)
        if row["visits"]:
            wanted[row["legal"]] = np.array(row["visits"]) / sum(row["visits"])
        else:
            wanted[row["action"]] = 1
        assert policy == pytest.approx(wanted)


def test_batches_hold_each_row_once(small_folder):
    data = datasets.load(small_folder("pasgl312"))
    some = list(data.batches(16, seed=1))
    places = [place for each in some for place in zip(each["game"], each["step"], strict=True)]
    assert len(places) == len(set(places)) == len(data)
    assert places != sorted(places)


@pytest.mark.parametrize("size", [-1, 0, True, 2.0])
def test_a_batch_has_a_row_or_more(small_folder, size):
    with pytest.raises(ValueError, match=f"size must be an integer from 1 .*, not {size}"):
        datasets.load(small_folder("pasgl312")).batches(size)


def test_tensors_come_from_a_loader(small_folder):
    torch = pytest.importorskip("torch")
    data = datasets.load(small_folder("pasgl312"))
    batches = list(data.loader(16, shuffle=False))
    assert sum(len(each["action"]) for each in batches) == len(data)
    assert batches[0]["observation"].dtype == torch.uint8
    assert (batches[0]["observation"].numpy() == data[:16]["observation"]).all()


def test_a_copy_has_the_same_rows(small_folder):
    data = datasets.load(small_folder("pachessi"))
    assert (pickle.loads(pickle.dumps(data))[7]["policy"] == data[7]["policy"]).all()


def test_what_is_not_there_is_named(tmp_path, small_folder):
    with pytest.raises(ValueError, match="holds no data set"):
        datasets.load(tmp_path)
    folder = small_folder("pachessi")
    with pytest.raises(ValueError, match="no split 'training'; the splits are train, validation"):
        datasets.load(folder, "training")
    few = tmp_path / "data" / "train"
    few.mkdir(parents=True)
    shutil.copy(next((folder / "data" / "train").glob("*.parquet")), few)
    with pytest.raises(ValueError, match=r"none of the games of .* is in the split 'test'"):
        datasets.load(tmp_path, "test")
