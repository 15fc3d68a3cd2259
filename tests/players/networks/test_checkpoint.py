"""Checkpoints are whole or refused, and nothing in them is executed."""

import io
import os
import pickle
import zipfile

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from pasgl_env import players, variants
from pasgl_env.players.networks import checkpoint
from pasgl_env.players.networks.checkpoint import BadCheckpoint, load_player, read, write
from pasgl_env.players.networks.policy import new_policy

from ...training.ppo import tiny

NUMBERS = torch.arange(3)
CONTENT = {"variant": "pasgl312", "numbers": NUMBERS, "names": ["a", "b"], "none": None}


@pytest.fixture
def file(tmp_path):
    return tmp_path / "agent.pt"


@pytest.fixture(scope="module")
def agent(finished):
    """The content of a good agent.pt."""
    return read(finished / "agent.pt", "pasgl312")


class TestWrite:
    def test_what_is_written_is_read(self, file):
        write(file, CONTENT)
        content = read(file, "pasgl312", "numbers")
        assert content.pop("format") == checkpoint.FORMAT
        assert torch.equal(content.pop("numbers"), NUMBERS)
        assert content == {"variant": "pasgl312", "names": ["a", "b"], "none": None}

    def test_it_replaces_the_one_before(self, file):
        write(file, CONTENT)
        write(file, {**CONTENT, "more": 1})
        assert read(file, "pasgl312")["more"] == 1
        assert os.listdir(file.parent) == ["agent.pt"]

    def test_what_a_kill_left_is_in_nobodys_way(self, file):
        (file.parent / "agent.pt.part").write_bytes(b"half of it")
        write(file, CONTENT)
        assert os.listdir(file.parent) == ["agent.pt"]

    def test_no_such_folder(self, tmp_path):
        with pytest.raises(OSError, match=r"No such file or directory: '.*agent.pt'"):
            write(tmp_path / "nowhere" / "agent.pt", CONTENT)

    def test_what_cannot_be_replaced(self, file):
        file.mkdir()
        with pytest.raises(OSError, match=r"Is a directory: '.*agent.pt'"):
            write(file, CONTENT)
        assert os.listdir(file.parent) == ["agent.pt"]


class TestRead:
    def test_another_variant(self, file):
        write(file, CONTENT)
        with pytest.raises(BadCheckpoint, match=r"agent\.pt plays pasgl312, not pachessi"):
            read(file, "pachessi")

    def test_a_missing_entry(self, file):
        write(file, CONTENT)
        with pytest.raises(BadCheckpoint, match=r"agent\.pt lacks policy, width"):
            read(file, "pasgl312", "policy", "numbers", "width")

    @pytest.mark.parametrize(
        "content",
        [{}, {"format": 0}, {"format": torch.zeros(3)}, [1], None, torch.zeros(3)],
        ids=str,
    )
    def test_another_format(self, file, content):
        saved(content, file)
        with pytest.raises(BadCheckpoint, match="not a checkpoint of this version"):
            read(file, "pasgl312")

    def test_no_file(self, file):
        with pytest.raises(FileNotFoundError):
            read(file, "pasgl312")

    def test_a_folder(self, tmp_path):
        with pytest.raises(IsADirectoryError):
            read(tmp_path, "pasgl312")

    def zipped(self):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            archive.writestr("archive/data.pkl", pickle.dumps({"format": 1}))
        return stream.getvalue()

    def foreign(self):
        array = io.BytesIO()
        np.save(array, np.zeros(3))
        return [
            b"",
            b"pasgl",
            b"\x80\x04.",
            bytes(range(256)),
            pickle.dumps({"format": 1}),
            array.getvalue(),
            self.zipped(),
        ]

    @pytest.mark.parametrize("number", range(7))
    def test_a_foreign_file(self, file, number):
        file.write_bytes(self.foreign()[number])
        with pytest.raises(BadCheckpoint, match=r"agent\.pt is not a checkpoint"):
            read(file, "pasgl312")

    def test_a_file_without_a_checksum(self, file):
        torch.save({"format": checkpoint.FORMAT, **CONTENT}, file)
        with pytest.raises(BadCheckpoint, match=r"agent\.pt is not a checkpoint, or a damaged one"):
            read(file, "pasgl312")

    def test_it_is_still_a_file_of_pytorch(self, file):
        write(file, CONTENT)
        assert torch.load(file, weights_only=True)["names"] == ["a", "b"]

    def test_compressed_entries(self, file):
        """A file of kilobytes could claim gigabytes of memory."""
        plain, bomb = io.BytesIO(), io.BytesIO()
        torch.save({"format": checkpoint.FORMAT, **CONTENT, "more": torch.zeros(10**6)}, plain)
        with (
            zipfile.ZipFile(plain) as before,
            zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as after,
        ):
            for entry in before.namelist():
                after.writestr(entry, before.read(entry))
        file.write_bytes(checkpoint.with_checksum(bomb.getvalue()))
        with pytest.raises(BadCheckpoint, match="compressed entries"):
            read(file, "pasgl312")

    @pytest.mark.parametrize("name", ["variant", "kind", "width", "options", "temperature"])
    @pytest.mark.parametrize("entry", [torch.zeros(2), {"bears": torch.zeros(2)}], ids=str)
    def test_a_tensor_where_a_text_or_number_belongs(self, file, name, entry):
        write(file, {**CONTENT, name: entry})
        with pytest.raises(BadCheckpoint, match="are not texts or numbers"):
            read(file, "pasgl312")

    @settings(deadline=None, max_examples=60)
    @given(st.data())
    def test_a_damaged_file(self, tmp_path_factory, data):
        file = tmp_path_factory.mktemp("damaged") / "agent.pt"
        write(file, CONTENT)
        original = file.read_bytes()
        whole = bytearray(original)
        length = data.draw(st.integers(0, len(whole)), "kept")
        for place in data.draw(st.lists(st.integers(0, len(whole) - 1), max_size=4), "changed"):
            whole[place] = data.draw(st.integers(0, 255))
        file.write_bytes(whole[:length])
        if file.read_bytes() == original:
            return
        with pytest.raises(BadCheckpoint) as caught:
            read(file, "pasgl312")
        assert "\n" not in str(caught.value)


def saved(content, file, **how):
    """Write any content with the checksum of a checkpoint."""
    stream = io.BytesIO()
    torch.save(content, stream, **how)
    file.write_bytes(checkpoint.with_checksum(stream.getvalue()))


class Harmful:
    """Unpickled with Python's own pickle, it makes a file."""

    def __init__(self, trace):
        self.trace = str(trace)

    def __reduce__(self):
        return (open, (self.trace, "w"))


class TestHarmfulFiles:
    @pytest.fixture
    def trace(self, tmp_path):
        return tmp_path / "executed"

    def test_it_is_harmful(self, trace):
        pickle.loads(pickle.dumps(Harmful(trace))).close()
        assert trace.exists()

    @pytest.mark.parametrize("zipped", [True, False])
    def test_nothing_is_executed(self, file, trace, agent, zipped):
        content = {**agent, "evil": Harmful(trace)}
        saved(content, file, _use_new_zipfile_serialization=zipped)
        for load in (
            lambda: read(file, "pasgl312"),
            lambda: load_player(file, "pasgl312"),
            lambda: players.make(str(file), "pasgl312"),
        ):
            with pytest.raises(BadCheckpoint, match=r"agent\.pt is not a checkpoint"):
                load()
        assert not trace.exists()

    def test_nothing_is_executed_to_go_on(self, run, trace):
        saved({"format": 1, "variant": "pasgl312", "steps": Harmful(trace)}, run / "training.pt")
        with pytest.raises(BadCheckpoint, match=r"training\.pt is not a checkpoint"):
            tiny.train(run, resume=True)
        assert not trace.exists()


class TestLoadPlayer:
    def test_by_file_and_by_folder(self, finished):
        for path in (finished, finished / "agent.pt", finished / "training.pt"):
            assert load_player(path, "pasgl312").name == "mine"

    def test_of_another_variant(self, file, agent):
        write(file, {**agent, "variant": "pachessi"})
        with pytest.raises(BadCheckpoint, match="plays pachessi, not pasgl312"):
            load_player(file, "pasgl312")

    @pytest.mark.parametrize(
        "entries, message",
        [
            ({"width": 128}, "a network of a different shape"),
            ({"width": 10**9}, "impossible width"),
            ({"width": 0}, "impossible width"),
            ({"width": "wide"}, "impossible width"),
            ({"layers": "wide"}, "impossible layers"),
            ({"layers": None}, "impossible layers"),
            ({"action_prior": "greedy"}, "a network of a different shape"),
            ({"action_prior": True}, "a network of a different shape"),
            ({"action_prior": "search"}, "impossible action prior"),
            ({"action_prior": {"td": 1}}, "impossible action prior"),
            ({"action_prior": "td"}, "other learned values of pasgl312"),
            ({"prior_checksum": "0"}, "other learned values of pasgl312"),
            ({"layers": "convolutional"}, "a network of a different shape"),
            ({"temperature": -1}, "impossible temperature"),
            ({"temperature": float("nan")}, "impossible temperature"),
            ({"temperature": "hot"}, "impossible temperature"),
            ({"options": {"bears": 3}}, "impossible options"),
            ({"options": None}, "impossible options"),
            ({"policy": {}}, "a network of a different shape"),
            ({"policy": None}, "a network of a different shape"),
            ({"policy": {"value_net.bias": "heavy"}}, "a network of a different shape"),
            ({"policy": {7: torch.zeros(1)}}, "a network of a different shape"),
            ({"scales": {"value_net.bias": torch.ones(1)}}, "scales do not fit"),
            ({"scales": None}, "scales do not fit"),
        ],
        ids=str,
    )
    def test_an_impossible_agent(self, file, agent, entries, message):
        write(file, {**agent, **entries})
        with pytest.raises(BadCheckpoint, match=message):
            load_player(file, "pasgl312")

    def test_a_wide_network_takes_no_memory_before_shapes_are_compared(
        self, file, agent, monkeypatch
    ):
        devices = []

        def noted(*given, **more):
            devices.append(torch.get_default_device())
            return new_policy(*given, **more)

        monkeypatch.setattr(checkpoint, "new_policy", noted)
        write(file, {**agent, "width": 8192})
        with pytest.raises(BadCheckpoint, match="a network of a different shape"):
            load_player(file, "pasgl312")
        assert [device.type for device in devices] == ["meta"]

    @pytest.mark.parametrize("temperature", [0, 0.5, 1])
    def test_it_plays_at_its_temperature(self, file, agent, temperature):
        write(file, {**agent, "temperature": temperature})
        player = load_player(file)
        assert player.temperature == temperature

    def test_weights_of_another_shape(self, file, agent):
        policy = new_policy(variants.ruleset("pasgl312"), 8).state_dict()
        write(file, {**agent, "policy": policy})
        with pytest.raises(BadCheckpoint, match="a different shape"):
            load_player(file, "pasgl312")

    def test_weights_that_are_no_numbers(self, file, agent):
        policy = dict(agent["policy"])
        policy["value_net.bias"] = torch.tensor([float("nan")])
        write(file, {**agent, "policy": policy})
        with pytest.raises(BadCheckpoint, match="too large or no numbers"):
            load_player(file, "pasgl312")

    def test_no_file(self, file):
        with pytest.raises(FileNotFoundError):
            players.make(str(file), "pasgl312")
