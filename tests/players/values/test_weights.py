"""Network files: they are restored exactly, and other files are refused."""

import numpy as np
import pytest

from pasgl_env import players, variants
from pasgl_env.players.values.network import Network
from pasgl_env.players.values.weights import (
    BadWeights,
    learned_options,
    read_network,
    read_tensors,
    shipped,
    unlearned,
    write_network,
    write_tensors,
    zeros,
)

OPTIONS = {"size": 5, "hole": 1}
SMALL = variants.ruleset("pachessi", **OPTIONS)


@pytest.fixture
def network():
    network = unlearned(SMALL)
    network.rows[:] = np.random.default_rng(1).normal(0, 1, network.rows.shape).astype(np.float16)
    return network


@pytest.fixture
def file(network, tmp_path):
    file = tmp_path / "values.safetensors"
    file.write_bytes(write_network(network, SMALL, {"games": "12"}))
    return file


def test_a_network_comes_back_with_the_options_it_is_for(network, file):
    for path in (file, file.parent):
        again, trained_for = read_network(path, "pachessi")
        assert trained_for == SMALL
        assert all((one == other).all() for one, other in zip(network, again, strict=True))
    assert read_tensors(file)[1]["games"] == "12"


def test_the_file_is_a_safetensors_file(file):
    safetensors = pytest.importorskip("safetensors.numpy")
    assert safetensors.load_file(file).keys() == {"rows", "bias", "out"}


def test_any_damaged_byte_is_noticed(file, tmp_path):
    content, damaged = file.read_bytes(), tmp_path / "damaged.safetensors"
    places = np.random.default_rng(2).integers(len(content), size=60)
    for place in [*range(0, 400, 7), *places.tolist()]:
        damaged.write_bytes(content[:place] + bytes([content[place] ^ 0x20]) + content[place + 1 :])
        try:
            tensors, _ = read_tensors(damaged)
        except BadWeights:
            continue
        assert place < 8 + int.from_bytes(content[:8], "little")  # a name or a text for people
        assert all(array.nbytes for array in tensors.values())
    damaged.write_bytes(content[:-5])
    with pytest.raises(BadWeights, match="damaged"):
        read_tensors(damaged)


def test_a_header_that_claims_the_impossible_is_refused(tmp_path):
    file = tmp_path / "bad"
    for header in (b"[]", b"{}", b"[" * 100_000, b'{"__metadata__": 3}'):
        file.write_bytes(len(header).to_bytes(8, "little") + header)
        with pytest.raises(BadWeights):
            read_tensors(file)
    file.write_bytes(b"\xff" * 8)
    with pytest.raises(BadWeights):
        read_tensors(file)


@pytest.mark.parametrize(
    ("variant", "options", "change", "reason"),
    [
        ("spalding", {}, {}, "plays 'spalding', not pachessi"),
        ("pachessi", OPTIONS, {"options": "{"}, "options that are not possible"),
        ("pachessi", OPTIONS, {"options": '{"size": 99}'}, "options that are not possible"),
        ("pachessi", OPTIONS, {"features": "old"}, "different features"),
        ("pachessi", OPTIONS, {"options": "{}"}, "a different shape"),
    ],
)
def test_a_network_for_something_else_is_refused(tmp_path, variant, options, change, reason):
    file = tmp_path / "values.safetensors"
    ruleset = variants.ruleset(variant, **options)
    file.write_bytes(write_network(unlearned(ruleset), ruleset, {}))
    tensors, metadata = read_tensors(file)
    file.write_bytes(write_tensors(tensors, {**metadata, **change}))
    with pytest.raises(BadWeights, match=reason):
        read_network(file, "pachessi")


def test_values_learned_in_a_variant_with_the_same_features_are_read(file):
    chieftain, overlord = map(variants.ruleset, ("chieftain", "overlord"))
    file.write_bytes(write_network(unlearned(chieftain), chieftain, {}))
    network, trained_for = read_network(file, "overlord")
    assert network.rows.shape == unlearned(overlord).rows.shape
    assert trained_for == overlord


def test_units_that_a_file_lacks_are_zeros(network, file):
    few = Network(*(np.concatenate([part[..., :7], part[..., -1:]], axis=-1) for part in network))
    file.write_bytes(write_network(few, SMALL, {}))
    again, _ = read_network(file, "pachessi")
    assert again.rows.shape == network.rows.shape
    assert (again.rows[:, :7] == network.rows[:, :7]).all()
    assert (again.rows[:, -1] == network.rows[:, -1]).all() and not again.rows[:, 7:-1].any()


def test_a_network_without_any_sums_is_refused(network, file):
    file.write_bytes(write_network(Network(*(part[..., :0] for part in network)), SMALL, {}))
    with pytest.raises(BadWeights, match="a different shape"):
        read_network(file, "pachessi")


def test_weights_that_are_no_numbers_are_refused(network, file):
    network.out[3] = np.nan
    file.write_bytes(write_network(network, SMALL, {}))
    with pytest.raises(BadWeights, match="not finite numbers"):
        read_network(file, "pachessi")


def test_options_that_change_nothing_that_is_learned_do_not_matter():
    assert shipped(variants.published_ruleset("pachessi", turn_limit=7)) is not None
    assert shipped(variants.ruleset("pachessi", size=9)) is None
    assert "turn_limit" not in learned_options(variants.ruleset("pasgl312"))


@pytest.mark.parametrize(
    ("variant", "options"),
    [
        ("pasgl312", {}),
        ("spalding", {}),
        ("pachessi", {}),
        ("pachessi", {"players": 4}),
        ("grand_pachessi", {}),
    ],
)
def test_weights_come_with_the_package(variant, options):
    ruleset = variants.ruleset(variant, **options)
    network = shipped(ruleset)
    assert network is not None
    assert network.rows.shape == zeros(ruleset).rows.shape


@pytest.mark.parametrize(
    ("setup", "holds"),
    [
        ("2cc/4/4/4/4/4/2CC", True),
        ("cmmc/4/4/C1MC", True),
        ("2c1/4/4/1CC1", False),
        ("2cc/4/4/C3", False),
    ],
)
def test_values_of_the_chieftain_family_hold_for_setups_with_several_chieftains(setup, holds):
    for variant in ("chieftain", "superchief", "overlord"):
        assert (shipped(variants.ruleset(variant, setup=setup)) is not None) == holds
    assert shipped(variants.ruleset("chieftain", setup=setup, command_range=2)) is None


def test_a_player_knows_the_rules_that_its_values_were_learned_with(file):
    usual = variants.ruleset("pachessi")
    for name in ("td", "search:2"):
        shipped_values = players.make(name, "pachessi", seed=0)
        own = players.make(f"{name}:values={file}", "pachessi", seed=0)
        assert [players.knows(shipped_values, each) for each in (usual, SMALL)] == [True, False]
        assert [players.knows(own, each) for each in (usual, SMALL)] == [False, True]
    assert players.knows(players.make("greedy", "pachessi", seed=0), SMALL)
