"""Files of networks: tensors in the safetensors format, with a checksum, and what they are for.

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
    """A file that holds no network, or a damaged one, or one for something else."""


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
    """What :func:`write_tensors` wrote.

    Raises:
        BadWeights: if the file is another, or damaged.
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
    """A file to play with, of float16.

    Args:
        network: the weights.
        variant: what it plays.
        options: those of the variant that are not the default.
        told: how it was made, for people.
    """
    tensors = {name: array.astype(np.float16) for name, array in network._asdict().items()}
    return write_tensors(tensors, {**told, **_purpose(variant, options)})


def read_network(file: Path, variant: str) -> tuple[Network, dict[str, OptionValue]]:
    """The network of a file, or of the folder with one, and the options that it is for.

    Raises:
        BadWeights: if there is none, or for another variant or other features.
        OSError: if it cannot be read.
    """
    file = file / FILE if file.is_dir() else file
    tensors, metadata = read_tensors(file)
    if metadata.get("variant") != variant:
        raise BadWeights(f"{file} plays {brief(metadata.get('variant'))}, not {variant}")
    options = _options_in(file, metadata)
    return _network(file, tensors, metadata, variant, options), options


def read_start(file: Path, variant: str, options: Mapping[str, OptionValue]) -> Network:
    """The network of a file, or of the folder with one, to train on with.

    It may be of another variant, or of other options, if the features are the same.

    Raises:
        BadWeights: if there is none, or of other features.
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
    """The network of these tensors, if it sees what there is to see of a variant."""
    if metadata.get("features") != _purpose(variant, options)["features"]:
        raise BadWeights(
            f"{file} was trained with different features from those of {variant} in this version"
        )
    shapes = {
        name: array.shape
        for name, array in Network.zeros(_count(variant, options))._asdict().items()
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
    table = repr([tuple(run) for run in features_of(variants.find(variant)).table])
    return {
        "variant": variant,
        "options": json.dumps(dict(options), sort_keys=True),
        "features": hashlib.sha256(table.encode()).hexdigest()[:16],
    }


def _count(variant: str, options: Mapping[str, OptionValue]) -> int:
    game = variants.find(variant)
    return features_of(game).count(options_array(game, options)[0])


def learned_options(variant: str, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """All options with their values, but those that change nothing that is learned."""
    game = variants.find(variant)
    free = features_of(game).free
    every = options_dict(game, options_array(game, options))
    return {name: value for name, value in every.items() if name not in free}


@cache
def _shipped_for() -> dict[tuple[str, str], Path]:
    """The files that come with the package, by variant and options."""
    files = {}
    for file in sorted(SHIPPED.glob(f"*{SUFFIX}")):
        metadata = read_tensors(file)[1]
        files[metadata["variant"], _key(metadata["variant"], _options_in(file, metadata))] = file
    return files


def learned_variants() -> frozenset[str]:
    """The variants of which values come with the package."""
    return frozenset(variant for variant, _ in _shipped_for())


def _key(variant: str, options: Mapping[str, OptionValue]) -> str:
    return json.dumps(learned_options(variant, options), sort_keys=True)


def shipped(variant: str, options: Mapping[str, OptionValue]) -> Network | None:
    """The network that comes with the package for a variant under some options, or None."""
    file = _shipped_for().get((variant, _key(variant, options)))
    return None if file is None else read_network(file, variant)[0]


def unlearned(variant: str, options: Mapping[str, OptionValue]) -> Network:
    """A network that says what the hand-written evaluation says."""
    network = Network.zeros(_count(variant, options))
    network.out[-1] = BASE
    return network
