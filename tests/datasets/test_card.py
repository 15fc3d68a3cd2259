import hashlib

import numpy as np
import pytest

pytest.importorskip("scipy")
pytest.importorskip("pyarrow")

from pasgl_env import datasets
from pasgl_env.datasets.run import of_self_play
from pasgl_env.evaluation.openings import Openings
from pasgl_env.playtest.play import Plan


def test_the_card_counts_games_positions_and_duplicates(small_folder):
    folder = small_folder("pachessi")
    card = (folder / "README.md").read_text("utf-8")
    data = datasets.load(folder)
    cells = {
        parts[1].strip(): parts[2].strip()
        for line in card.splitlines()
        if len(parts := line.split("|")) > 3
    }
    assert cells["positions"] == str(len(data))
    assert cells["games"] == str(np.unique(data[:]["game"]).size)
    keys = data.table["key"].to_numpy()
    assert cells["different positions, up to symmetry"] == str(np.unique(keys).size)
    assert card.startswith("---\npretty_name: Positions of Pachessi\nlicense: mit\n")


def test_the_card_names_the_sides_and_the_openings(tmp_path):
    openings = Openings(turns=(2, 2))
    plan = Plan.of("pachessi", ("greedy", "greedy"), 3, openings=openings, turn_limit=14, players=4)
    of_self_play(plan, 1, tmp_path)
    card = (tmp_path / "README.md").read_text("utf-8")
    assert "games won by Black and Yellow" in card
    assert "games won by Green and Red" in card
    assert "with seed 3. Openings: 2 turns, uniformly random.\n" in card


def test_checksums_are_those_of_the_files(small_folder):
    folder = small_folder("pachessi")
    content = (folder / "checksums.txt").read_bytes()
    lines = content.decode().splitlines()
    assert len(lines) == len(list((folder / "data").rglob("*.parquet")))
    for line in lines:
        digest, name = line.split("  ")
        assert digest == hashlib.sha256((folder / name).read_bytes()).hexdigest()
    assert hashlib.sha256(content).hexdigest() in (folder / "README.md").read_text("utf-8")


def test_hugging_face_reads_the_folder(small_folder, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    library = pytest.importorskip("datasets")
    found = library.load_dataset(str(small_folder("pachessi")), cache_dir=str(tmp_path))
    assert found["train"].num_rows == len(datasets.load(small_folder("pachessi")))
    assert found["train"][0]["outcome"] in (-1, 0, 1)
