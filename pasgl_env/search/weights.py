"""Network files: tensors in the safetensors format, with a checksum and metadata.

>>> network = shipped("pasgl312", {})
>>> network.rows.shape, network.rows.dtype
((5357, 32), dtype('float32'))
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

from pasgl_env import variants
from pasgl_env.games.contract import OptionValue, brief, options_array, options_dict
from pasgl_env.search.value import BASE, Network, features_of

SHIPPED = Path(__file__).parent / "weights"
SUFFIX = ".safetensors"
FILE = f"values{SUFFIX}"
MOST_BYTES = 1 << 28
_TYPES: dict[str, Any] = {"F16": np.dtype("<f2"), "F32": np.dtype("<f4"), "I64": np.dtype("<i8")}
_NAMES = {dtype: name for name, dtype in _TYPES.items()}


class BadWeights(ValueError):
    """The file holds no network, or it is damaged or for something else."""


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


def write_network(
    network: Network, variant: str, options: Mapping[str, OptionValue], told: Mapping[str, str]
) -> bytes:
    """A network file for play, in float16.

    Args:
        network: the weights.
        variant: the variant's name.
        options: the variant's options that differ from the default.
        told: for people: how the network was made.
    """
    tensors = {name: array.astype(np.float16) for name, array in network._asdict().items()}
    return write_tensors(tensors, {**told, **_purpose(variant, options)})


def read_network(file: Path, variant: str) -> tuple[Network, dict[str, OptionValue]]:
    """The network in a file or folder, and the options that it was trained for.

    It may have been trained in another variant with the same features, as those of the Chieftain
    family are.

    Raises:
        BadWeights: if there is none, or one with other features.
        OSError: if it cannot be read.
    """
    file = file / FILE if file.is_dir() else file
    tensors, metadata = read_tensors(file)
    if metadata.get("features") != _features(variant) and metadata.get("variant") != variant:
        raise BadWeights(f"{file} plays {brief(metadata.get('variant'))}, not {variant}")
    options = _options_in(file, metadata)
    return _network(file, tensors, metadata, variant, options), options


def read_start(file: Path, variant: str, options: Mapping[str, OptionValue]) -> Network:
    """The network in a file or folder, to continue training.

    It may be for another variant or other options if the features are the same.

    Raises:
        BadWeights: if there is none, or one with other features.
        OSError: if it cannot be read.
    """
    file = file / FILE if file.is_dir() else file
    return _network(file, *read_tensors(file), variant, options)


def _network(
    file: Path,
    tensors: Mapping[str, np.ndarray],
    metadata: Mapping[str, str],
    variant: str,
    options: Mapping[str, OptionValue],
) -> Network:
    """The network in these tensors, if its features are those of the variant."""
    if metadata.get("features") != _features(variant):
        raise BadWeights(
            f"{file} was trained with different features from those of {variant} in this version"
        )
    shapes = {
        name: array.shape
        for name, array in Network.zeros(feature_count(variant, options))._asdict().items()
    }
    if {name: array.shape for name, array in tensors.items()} != shapes:
        raise BadWeights(f"{file} holds a network of a different shape")
    network = Network(*(tensors[name].astype(np.float32) for name in Network._fields))
    if not all(np.isfinite(array).all() for array in network):
        raise BadWeights(f"{file} holds weights that are not finite numbers: its training failed")
    return network


def _options_in(file: Path, metadata: Mapping[str, str]) -> dict[str, OptionValue]:
    try:
        options = json.loads(metadata["options"])
        options_array(variants.find(metadata["variant"]), options)
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise BadWeights(f"{file} is for options that are not possible") from error
    return dict(options)


def _purpose(variant: str, options: Mapping[str, OptionValue]) -> dict[str, str]:
    return {
        "variant": variant,
        "options": json.dumps(dict(options), sort_keys=True),
        "features": _features(variant),
    }


def _features(variant: str) -> str:
    """A digest of the table of a variant's features."""
    table = repr([tuple(run) for run in features_of(variants.find(variant)).table])
    return hashlib.sha256(table.encode()).hexdigest()[:16]


def feature_count(variant: str, options: Mapping[str, OptionValue]) -> int:
    """The number of features of a variant under these options."""
    game = variants.find(variant)
    return features_of(game).count(options_array(game, options)[0])


def learned_options(variant: str, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """All options with their values, except those that do not affect learned values."""
    game = variants.find(variant)
    every = options_dict(game, options_array(game, options))
    free = features_of(game).free + features_of(game).free_in(every)
    return {name: value for name, value in every.items() if name not in free}


@cache
def _shipped_for() -> dict[tuple[str, str], Path]:
    """The shipped files, by variant and options."""
    files = {}
    for file in sorted(SHIPPED.glob(f"*{SUFFIX}")):
        metadata = read_tensors(file)[1]
        files[metadata["variant"], _key(metadata["variant"], _options_in(file, metadata))] = file
    return files


def learned_variants() -> frozenset[str]:
    """The variants with shipped values."""
    return frozenset(variant for variant, _ in _shipped_for())


def _key(variant: str, options: Mapping[str, OptionValue]) -> str:
    return json.dumps(learned_options(variant, options), sort_keys=True)


def shipped(variant: str, options: Mapping[str, OptionValue]) -> Network | None:
    """The shipped network of a variant under some options; None if there is none."""
    file = _shipped_for().get((variant, _key(variant, options)))
    return None if file is None else read_network(file, variant)[0]


def shipped_or_unlearned(variant: str, options: Mapping[str, OptionValue]) -> Network:
    """The shipped network of a variant under some options, or else the hand-written evaluation.

    It warns if values were learned with other options only.
    """
    network = shipped(variant, options)
    if network is None and variant in learned_variants():
        warn_of_options(variant)
    return unlearned(variant, options) if network is None else network


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


def unlearned(variant: str, options: Mapping[str, OptionValue]) -> Network:
    """A network that reproduces the hand-written evaluation."""
    network = Network.zeros(feature_count(variant, options))
    network.out[-1] = BASE
    return network
