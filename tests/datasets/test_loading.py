import pickle
import re
import shutil

import numpy as np
import pytest

pytest.importorskip("scipy")
pytest.importorskip("pyarrow")

import pyarrow
from pyarrow import parquet

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


@pytest.mark.parametrize("size", [np.uint8(5), np.int8(100)], ids=repr)
def test_batches_of_a_size_of_numpy_hold_each_row_once(small_folder, size):
    data = datasets.load(small_folder("pasgl312"))
    sizes = [len(each["action"]) for each in data.batches(size)]
    assert sum(sizes) == len(data)
    assert set(sizes[:-1]) <= {int(size)}


@pytest.mark.parametrize("seed", ["x", 2.5, -1])
def test_a_seed_of_batches_is_a_whole_number(seed, small_folder):
    with pytest.raises(ValueError, match="seed must be a non-negative integer or None"):
        datasets.load(small_folder("pasgl312")).batches(16, seed=seed)


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


def replaced(table, name, values, kind=None):
    """A table with other values in a column."""
    at = table.column_names.index(name)
    column = pyarrow.array(values, kind or table.schema.field(name).type)
    changed = table.set_column(at, name, column)
    return changed.replace_schema_metadata(table.schema.metadata)


def described(table, **about):
    """A table with other metadata; None for none of a name."""
    new = {**table.schema.metadata, **{name.encode(): value for name, value in about.items()}}
    return table.replace_schema_metadata({name: value for name, value in new.items() if value})


def test_the_policy_without_visits_is_the_action_played(small_folder):
    """A search that only looked at the root leaves such rows."""
    table = datasets.load(small_folder("chieftain")).table
    nothing = [each and [0] * len(each) for each in table["visits"].to_pylist()]
    some = datasets.DataSet(replaced(table, "visits", nothing))[:]
    assert (some["policy"].argmax(axis=1) == some["action"]).all()
    assert (some["policy"].sum(axis=1) == 1).all()


FAULTS = {
    "its metadata do not name the rules": lambda table: described(table, variant=None),
    "its metadata do not name the player": lambda table: described(table, player=b"\xff"),
    "no variant 'x'": lambda table: described(table, variant=b"x"),
    "it is of .*, played by td, but .*, played by mcts": lambda table: described(
        table, player=b"td"
    ),
    "it must have one column visits": lambda table: table.drop_columns(["visits"]),
    r"its column state is of type fixed_size_binary\[3\], not": lambda table: replaced(
        table, "state", [b"123"] * len(table), pyarrow.binary(3)
    ),
    "its column outcome is of type float, not int8": lambda table: replaced(
        table, "outcome", [0.5] * len(table), pyarrow.float32()
    ),
    "its column outcome has nulls": lambda table: replaced(table, "outcome", [None] * len(table)),
    "its column action has values from 60000 to 60000, but they must be from 0": (
        lambda table: replaced(table, "action", [60000] * len(table))
    ),
    "its column visits must have a value for each legal action": lambda table: replaced(
        table, "visits", [[1] * 999] * len(table)
    ),
}


def without_checksums(folder, copy):
    shutil.copytree(folder, copy)
    (copy / "checksums.txt").unlink()
    return copy


@pytest.mark.parametrize("reason", FAULTS)
def test_a_file_that_is_not_of_the_data_set_is_named(reason, small_folder, tmp_path):
    folder = without_checksums(small_folder("pachessi"), tmp_path / "copy")
    first, file = (folder / "data" / "train" / f"0000{number}.parquet" for number in (0, 1))
    parquet.write_table(FAULTS[reason](parquet.read_table(first)), file)
    with pytest.raises(ValueError, match=f"{re.escape(str(file))} cannot be read .*: {reason}"):
        datasets.load(folder)


def test_a_file_with_another_checksum_is_named(small_folder, tmp_path):
    folder = shutil.copytree(small_folder("pachessi"), tmp_path / "copy")
    file = folder / "data" / "train" / "00000.parquet"
    parquet.write_table(parquet.read_table(file).slice(1), file)
    with pytest.raises(ValueError, match=f"{re.escape(str(file))} is damaged, by its checksum"):
        datasets.load(folder)


@pytest.mark.parametrize("has_checksums", [True, False])
def test_a_missing_shard_is_named(has_checksums, small_folder, tmp_path):
    copied = shutil.copytree if has_checksums else without_checksums
    folder = copied(small_folder("pachessi"), tmp_path / "copy")
    file = folder / "data" / "train" / "00000.parquet"
    file.rename(file.with_name("00009.parquet"))
    with pytest.raises(ValueError, match=f"{re.escape(str(file))} is missing"):
        datasets.load(folder)


def test_a_damaged_file_is_named(small_folder, tmp_path):
    folder = without_checksums(small_folder("pachessi"), tmp_path / "copy")
    file = sorted((folder / "data" / "train").iterdir())[-1]
    content = file.read_bytes()
    for damaged in (b"", content[:-9], content[:4] + bytes(500) + content[504:]):
        file.write_bytes(damaged)
        with pytest.raises(ValueError, match=f"{re.escape(str(file))} cannot be read"):
            datasets.load(folder)
