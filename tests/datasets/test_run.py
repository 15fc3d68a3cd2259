import json
import os
import re

import numpy as np
import pytest

pytest.importorskip("scipy")
pytest.importorskip("pyarrow")

from pasgl_env import datasets
from pasgl_env.datasets.folder import files_of
from pasgl_env.datasets.play import games_in, play_here, play_positions
from pasgl_env.datasets.run import of_records, of_self_play
from pasgl_env.evaluation.match import play_match
from pasgl_env.storage.files import write_whole
from pasgl_env.storage.runs import BadRun

from ..playtest.interrupted import Killed
from .small import small_plan

PLAN = small_plan("pachessi")


def content(folder):
    """All files but those that tell of the command, byte by byte."""
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file() and file.name not in (".lock", "manifest.json")
    }


def killed_after(shards):
    def play_shards(all_shards, progress):
        for number, table in enumerate(play_here(all_shards, progress)):
            if number == shards:
                raise Killed
            yield table

    return play_shards


@pytest.mark.parametrize("shards", [0, 2])
def test_killed_it_goes_on_to_the_same_bytes(shards, tmp_path):
    of_self_play(PLAN, 400, tmp_path / "whole")
    with pytest.raises(Killed):
        of_self_play(PLAN, 400, tmp_path / "killed", play_shards=killed_after(shards))
    of_self_play(PLAN, 400, tmp_path / "killed", threads=2)
    assert content(tmp_path / "killed") == content(tmp_path / "whole")


@pytest.mark.parametrize("split", ["validation", "test"])
def test_files_of_an_incomplete_shard_are_no_part_of_a_data_set(split, tmp_path, monkeypatch):
    def killed(file, content):
        write_whole(file, content)
        if (file.parent.name, file.stem) == (split, "00002"):
            raise Killed

    of_self_play(PLAN, 200, tmp_path / "whole")
    monkeypatch.setattr("pasgl_env.datasets.folder.write_whole", killed)
    with pytest.raises(Killed):
        of_self_play(PLAN, 4000, tmp_path / "killed")
    left = tmp_path / "killed" / "data" / split / "00002.parquet"
    assert left.exists()
    assert left not in files_of(tmp_path / "killed", split)
    of_self_play(PLAN, 200, tmp_path / "killed")  # fewer, which are there
    assert content(tmp_path / "killed") == content(tmp_path / "whole")


def test_a_cluster_makes_the_same_bytes(tmp_path):
    pytest.importorskip("ray")
    from pasgl_env.playtest.cluster import play_on

    of_self_play(PLAN, 400, tmp_path / "here")
    there = play_on("local", play_positions)
    of_self_play(PLAN, 400, tmp_path / "there", play_shards=there)
    assert content(tmp_path / "there") == content(tmp_path / "here")


def test_more_positions_are_added_to_those_there_are(tmp_path):
    of_self_play(PLAN, 400, tmp_path / "at once")
    for positions in (1, 300, 400):
        assert of_self_play(PLAN, positions, tmp_path / "in steps") >= positions
    assert content(tmp_path / "in steps") == content(tmp_path / "at once")


def damaged(content):
    return content[:100] + bytes([content[100] ^ 1]) + content[101:]


@pytest.mark.parametrize("split", ["validation", "train"])
@pytest.mark.parametrize("change", [damaged, None])
def test_what_was_changed_since_is_named_and_nothing_is_written(change, split, tmp_path):
    """Also if a later shard has no checksums yet."""
    of_self_play(PLAN, 200, tmp_path)
    with pytest.raises(Killed):
        of_self_play(PLAN, 4000, tmp_path, play_shards=killed_after(1))
    file = files_of(tmp_path, split)[0]
    if change:
        file.write_bytes(change(file.read_bytes()))
    else:
        file.unlink()
    before = content(tmp_path)
    with pytest.raises(
        BadRun, match=f"{re.escape(str(file))} is {'damaged' if change else 'missing'}"
    ):
        of_self_play(PLAN, 400, tmp_path)
    assert content(tmp_path) == before


@pytest.mark.parametrize("cut", [0, 300, -9])
def test_a_damaged_file_without_a_checksum_is_named(cut, tmp_path):
    with pytest.raises(Killed):
        of_self_play(PLAN, 400, tmp_path, play_shards=killed_after(2))
    file = tmp_path / "data" / "train" / "00001.parquet"
    whole = file.read_bytes()
    file.write_bytes(whole[:4] + bytes(cut) + whole[4 + cut :] if cut > 0 else whole[:cut])
    with pytest.raises(ValueError, match=f"{re.escape(str(file))} cannot be read"):
        of_self_play(PLAN, 1, tmp_path)
    assert not (tmp_path / "checksums.txt").exists()


def test_damaged_checksums_are_named(tmp_path):
    of_self_play(PLAN, 1, tmp_path)
    file = tmp_path / "checksums.txt"
    file.write_bytes(file.read_bytes() + b"half a li")
    with pytest.raises(
        BadRun, match=f"{re.escape(str(file))}, line . is not a SHA-256 and the name of a file"
    ):
        of_self_play(PLAN, 1, tmp_path)


def test_files_of_the_user_are_left_alone(tmp_path):
    of_self_play(PLAN, 200, tmp_path)
    before, rows = content(tmp_path), len(datasets.load(tmp_path))
    for split in ("train", "validation", "test"):
        (tmp_path / "data" / split / "mine.parquet").write_bytes(b"mine")
    of_self_play(PLAN, 200, tmp_path)
    own = {f"data/{split}/mine.parquet": b"mine" for split in ("train", "validation", "test")}
    assert content(tmp_path) == before | own
    assert len(datasets.load(tmp_path)) == rows


def test_another_run_is_refused(tmp_path):
    of_self_play(PLAN, 1, tmp_path)
    with pytest.raises(BadRun, match="seed"):
        of_self_play(PLAN.changed(seed=4), 1, tmp_path)


def test_games_are_whole_and_in_one_split(tmp_path):
    of_self_play(PLAN, 600, tmp_path)
    games = {split: datasets.load(tmp_path, split)[:]["game"] for split in ("train", "test")}
    assert not set(games["train"]) & set(games["test"])
    for split, numbers in games.items():
        steps = datasets.load(tmp_path, split)[:]["step"]
        assert (np.flatnonzero(steps == 0) == np.unique(numbers, return_index=True)[1]).all()


def test_a_player_without_a_search_leaves_no_visits(tmp_path):
    of_self_play(small_plan("pachessi", "greedy"), 1, tmp_path)
    assert datasets.load(tmp_path).table["visits"].null_count == len(datasets.load(tmp_path))


@pytest.mark.parametrize("suffix", [".pgb", ".pgr"])
def test_records_give_the_rows_of_their_games(suffix, tmp_path):
    """Those of the same match, but for its searches."""
    file = tmp_path / f"games{suffix}"
    play_match("pachessi", "greedy", "greedy", 13, seed=5, record=file, turn_limit=14)
    rows = of_records(file, "pachessi", tmp_path / "data", seed=1)
    tables = [datasets.load(tmp_path / "data", split) for split in ("train", "test", "validation")]
    assert rows == sum(map(len, tables))
    assert "license: unknown" in (tmp_path / "data" / "README.md").read_text("utf-8")
    assert sum((each[:]["step"] == 0).sum() for each in tables) == 13
    assert len(files_of(tmp_path / "data", "train")) == 3
    assert games_in(0) + games_in(1) < 13
    assert all((each[:]["turn"] + each[:]["turns_left"] <= 14).all() for each in tables)


@pytest.mark.parametrize("suffix", [".pgb", ".pgr", ".pgr.gz"])
def test_games_that_are_appended_meanwhile_do_not_count(suffix, tmp_path):
    file, data, other = tmp_path / f"games{suffix}", tmp_path / "data", tmp_path / "other"
    play_match("pachessi", "greedy", "greedy", 13, seed=5, record=file, turn_limit=14)
    rows = of_records(file, "pachessi", other, seed=1)

    def append(progress):
        play_match("pachessi", "greedy", "greedy", 2, seed=6, record=file, turn_limit=14)

    assert of_records(file, "pachessi", data, seed=1, positions=1, report=append) < rows
    assert of_records(file, "pachessi", data, seed=1) == rows
    assert (data / "checksums.txt").read_text() == (other / "checksums.txt").read_text()
    about = [json.loads((each / "manifest.json").read_bytes())["records"] for each in (data, other)]
    assert about[0] == about[1]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_pipe_is_refused_as_it_cannot_be_read_again(tmp_path):
    os.mkfifo(tmp_path / "games.pgb")
    with pytest.raises(ValueError, match=r"games.pgb must be a file, which can be read several"):
        of_records(tmp_path / "games.pgb", "pachessi", tmp_path / "data")
    assert not (tmp_path / "data").exists()


def test_records_of_another_variant_are_refused(tmp_path):
    file = tmp_path / "games.pgb"
    play_match("pachessi", "greedy", "greedy", 2, seed=5, record=file, turn_limit=14)
    with pytest.raises(ValueError, match="holds games of pachessi, not spalding"):
        of_records(file, "spalding", tmp_path / "data")
