"""Network files: tensors in the safetensors format, with a checksum and metadata.

>>> network = shipped(variants.ruleset("pasgl312"))
>>> network.rows.shape, network.rows.dtype
((5357, 64), dtype('float32'))
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any
from warnings import warn

import numpy as np

from pasgl_env.contract import variants
from pasgl_env.contract.game import Game, OptionValue, brief
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.batch import Batch
from pasgl_env.players.player import check_variant
from pasgl_env.players.values.network import BASE, Network, features_of

SHIPPED = Path(__file__).parent / "weights"
SUFFIX = ".safetensors"
FILE = f"values{SUFFIX}"
MOST_BYTES = 1 << 28
_TYPES: dict[str, Any] = {"F16": np.dtype("<f2"), "F32": np.dtype("<f4"), "I64": np.dtype("<i8")}
_NAMES = {dtype: name for name, dtype in _TYPES.items()}


class BadWeights(ValueError):
    """The file holds no network, a damaged one, or one for another use."""


def write_tensors(tensors: Mapping[str, np.ndarray], metadata: Mapping[str, str]) -> bytes:
    """Arrays of float16, float32 or int64 and texts, as a safetensors file with a checksum."""
    data = b"".join(np.ascontiguousarray(array).tobytes() for array in tensors.values())
    header: dict[str, Any] = {
        "__metadata__": {**metadata, "sha256": hashlib.sha256(data).hexdigest()}
    }
    offset = 0
    for name, array in tensors.items():
        header[name] = {
            "dtype": _NAMES[array.dtype],
            "shape": list(array.shape),
            "data_offsets": [offset, offset + array.nbytes],
        }
        offset += array.nbytes
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def read_tensors(file: Path) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """Read the output of :func:`write_tensors`.

    Raises:
        BadWeights: if it is another kind of file, or damaged.
        OSError: if it cannot be read.
    """
    if file.stat().st_size > MOST_BYTES:
        raise BadWeights(f"{file} is larger than any network")
    content = file.read_bytes()
    try:
        return _read(content)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadWeights(f"{file} holds no network, or a damaged one") from error


def _read(content: bytes) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    size = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + size])
    data = content[8 + size :]
    metadata = header.pop("__metadata__")
    if metadata.pop("sha256") != hashlib.sha256(data).hexdigest():
        raise ValueError("checksum")
    tensors = {}
    for name, entry in header.items():
        first, last = entry["data_offsets"]
        numbers = np.frombuffer(data[first:last], dtype=_TYPES[entry["dtype"]])
        tensors[name] = numbers.reshape(entry["shape"])
    return tensors, metadata


def write_network(network: Network, ruleset: Ruleset, training: Mapping[str, str]) -> bytes:
    """A network file for play, in float16, with a description of the training for people."""
    tensors = {name: array.astype(np.float16) for name, array in network._asdict().items()}
    purpose = {
        "variant": ruleset.name,
        "options": json.dumps(unusual_learned_options(ruleset), sort_keys=True),
        "features": _features(ruleset.game),
    }
    return write_tensors(tensors, {**training, **purpose})


def read_network(file: Path, variant: str) -> tuple[Network, Ruleset]:
    """The network in a file or folder, and the variant's rules under the options of its training.

    It may have been trained in another variant with the same features, as those of the Chieftain
    family are.

    Raises:
        BadWeights: if there is none, or one with other features.
        OSError: if it cannot be read.
    """
    file = file / FILE if file.is_dir() else file
    tensors, metadata = read_tensors(file)
    same_features = metadata.get("features") == _features(variants.find(variant))
    if not same_features and metadata.get("variant") != variant:
        raise BadWeights(f"{file} plays {brief(metadata.get('variant'))}, not {variant}")
    ruleset = variants.ruleset(variant, **_trained_for(file, metadata))
    return _network(file, tensors, metadata, ruleset), ruleset


def training_of(file: Path) -> dict[str, str]:
    """What the file of a network says about its training, as :func:`write_network` was told.

    Raises:
        BadWeights: if it is another kind of file, or damaged.
        OSError: if it cannot be read.
    """
    purpose = ("variant", "options", "features")
    return {name: text for name, text in read_tensors(file)[1].items() if name not in purpose}


def read_start(file: Path, ruleset: Ruleset) -> Network:
    """The network in a file or folder, to continue training.

    It may be for another variant or other options if the features are the same.

    Raises:
        BadWeights: if there is none, or one with other features.
        OSError: if it cannot be read.
    """
    file = file / FILE if file.is_dir() else file
    return _network(file, *read_tensors(file), ruleset)


def _network(
    file: Path,
    tensors: Mapping[str, np.ndarray],
    metadata: Mapping[str, str],
    ruleset: Ruleset,
) -> Network:
    """The network in these tensors, if its features are those of the variant.

    If it has fewer units than today's networks, units of zeros are added: values stay the same.
    """
    if metadata.get("features") != _features(ruleset.game):
        raise BadWeights(
            f"{file} was trained with different features from those of {ruleset.name} in this"
            " version"
        )
    network = zeros(ruleset)
    width = min(tensors["bias"].size, network.bias.size) if "bias" in tensors else 0
    units = max(width - 1, 0)
    expected = Network.zeros(len(network.rows), units)._asdict()
    shapes = {name: array.shape for name, array in expected.items()}
    if {name: array.shape for name, array in tensors.items()} != shapes:
        raise BadWeights(f"{file} holds a network of a different shape")
    for mine, name in zip(network, Network._fields, strict=True):
        mine[..., :units], mine[..., -1] = tensors[name][..., :-1], tensors[name][..., -1]
    if not all(np.isfinite(array).all() for array in network):
        raise BadWeights(f"{file} holds weights that are not finite numbers: its training failed")
    return network


def _trained_for(file: Path, metadata: Mapping[str, str]) -> dict[str, OptionValue]:
    """The options of the training that differ from the defaults of its variant."""
    try:
        options: dict[str, OptionValue] = json.loads(metadata["options"])
        variants.ruleset(metadata["variant"], **options)
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise BadWeights(f"{file} is for options that are not possible") from error
    return options


def _features(game: Game) -> str:
    """A digest of the table of a game's features."""
    table = repr([tuple(run) for run in features_of(game).table])
    return hashlib.sha256(table.encode()).hexdigest()[:16]


def zeros(ruleset: Ruleset) -> Network:
    """A network of zeros for a variant under its options."""
    features = features_of(ruleset.game)
    return Network.zeros(features.count(ruleset.record[0]), features.units)


def learned_options(ruleset: Ruleset) -> dict[str, OptionValue]:
    """All options with their values, except those that do not affect learned values."""
    features, options = features_of(ruleset.game), dict(ruleset.options)
    free = features.free + features.free_in(options)
    return {name: value for name, value in options.items() if name not in free}


def unusual_learned_options(ruleset: Ruleset) -> dict[str, OptionValue]:
    """Those of :func:`learned_options` that differ from the variant's defaults."""
    learned = learned_options(ruleset)
    return {name: value for name, value in ruleset.unpublished.items() if name in learned}


@cache
def _shipped_for() -> dict[tuple[str, str], Path]:
    """The shipped files, by variant and learned options."""
    files = {}
    for file in sorted(SHIPPED.glob(f"*{SUFFIX}")):
        metadata = read_tensors(file)[1]
        options = _trained_for(file, metadata)
        files[_key(variants.ruleset(metadata["variant"], **options))] = file
    return files


def learned_variants() -> frozenset[str]:
    """The variants with shipped values."""
    return frozenset(variant for variant, _ in _shipped_for())


def _key(ruleset: Ruleset) -> tuple[str, str]:
    return ruleset.name, json.dumps(learned_options(ruleset), sort_keys=True)


def shipped_file(ruleset: Ruleset) -> Path | None:
    """The file of the shipped network of a variant under its options; None if there is none."""
    return _shipped_for().get(_key(ruleset))


def shipped(ruleset: Ruleset) -> Network | None:
    """The shipped network of a variant under its options; None if there is none."""
    file = shipped_file(ruleset)
    return None if file is None else read_network(file, ruleset.name)[0]


def shipped_or_unlearned(ruleset: Ruleset) -> Network:
    """The shipped network of a variant under its options, or else the hand-written evaluation.

    It warns if values were learned with other options only.
    """
    network = shipped(ruleset)
    if network is None and ruleset.name in learned_variants():
        warn_of_options(ruleset.name)
    return unlearned(ruleset) if network is None else network


def warn_of_options(variant: str) -> None:
    """Warn that no values were learned with some options."""
    warn(
        f"no values of {variant} were learned with these options: the hand-written evaluation is"
        " used",
        stacklevel=2,
    )


def checksum_of(network: Network) -> str:
    """A checksum of the weights."""
    return hashlib.sha256(b"".join(array.tobytes() for array in network)).hexdigest()


def unlearned(ruleset: Ruleset) -> Network:
    """A network that reproduces the hand-written evaluation."""
    network = zeros(ruleset)
    network.out[-1] = BASE
    return network


class Values:
    """The network of a variant, for the options of any batch.

    Args:
        game: the variant.
        file: file of the weights, or its folder; None for the shipped ones.

    Raises:
        BadWeights: if the file holds no weights for this variant.
        OSError: if it cannot be read.
    """

    def __init__(self, game: Game, file: Path | None) -> None:
        self._game = game
        self._given = None if file is None else read_network(file, game.name)
        self._last: tuple[Ruleset, Network] | None = None

    def __deepcopy__(self, memo: Any) -> Values:
        return self  # networks are never written to

    def of(self, batch: Batch) -> Network:
        """The network for a batch; the hand-written evaluation for options without training."""
        check_variant(self._game, batch)
        ruleset, last = batch.ruleset, self._last
        if last is None or last[0] != ruleset:
            # Both at once: players in other threads may share these values.
            last = self._last = ruleset, self._find(ruleset)
        return last[1]

    def knows(self, ruleset: Ruleset) -> bool:
        """Whether values were learned with a ruleset's options."""
        if self._given is None:
            return _key(ruleset) in _shipped_for()
        return learned_options(self._given[1]) == learned_options(ruleset)

    def _find(self, ruleset: Ruleset) -> Network:
        if self._given is None:
            return shipped_or_unlearned(ruleset)
        if self.knows(ruleset):
            return self._given[0]
        warn_of_options(ruleset.name)
        return unlearned(ruleset)
