"""Checkpoints: files of tensors and plain values, loaded without executing anything in them.

A checkpoint is a file of ``torch.save`` with a checksum at its end, which PyTorch overlooks.

``agent.pt`` holds a network to play with, ``training.pt`` all that training goes on from. Each is
replaced in one step, so that a kill at any moment leaves the one before.
``pasgl_env/players/checkpoints`` has the agents that come with the package; their cards are in
``agents/``.
"""

from __future__ import annotations

import hashlib
import io
import math
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from pasgl_env import players
from pasgl_env.games.contract import brief
from pasgl_env.storage.files import write_whole
from pasgl_env.training.ppo.network import NetworkPlayer, design_of, new_policy
from pasgl_env.training.ppo.quantization import dequantized
from pasgl_env.training.settings import LAYERS, TEMPERATURE

AGENT_FILE, TRAINING_FILE = "agent.pt", "training.pt"
SHIPPED = Path(players.__file__).parent / "checkpoints"
FORMAT = 4
# What a network is made of.
DESIGN = "layers", "width", "action_prior"
# A file that names a wider network than anybody trains would only fill the memory.
_MOST_WIDTH = 8192
_MARK = b"pasgl_env sha256"
_DIGEST = hashlib.sha256().digest_size
# Entries that are texts and numbers, or a dict of these; others may be tensors.
_PLAIN = ("variant", "kind", "options", *DESIGN, "temperature")


class BadCheckpoint(ValueError):
    """A file that is not a checkpoint, or not one for this variant and version."""


def write(file: Path, content: dict[str, Any]) -> None:
    """Write tensors and plain values; the file is complete or as it was before.

    Raises:
        OSError: if it cannot be written, for example to a full disk.
    """
    # Not straight into the file: PyTorch would not tell why it cannot be written.
    stream = io.BytesIO()
    torch.save({"format": FORMAT, **content}, stream)
    write_whole(file, with_checksum(stream.getvalue()))


def with_checksum(content: bytes) -> bytes:
    """What ``torch.save`` wrote, as a checkpoint."""
    return content + _MARK + hashlib.sha256(content).digest()


def read(file: Path, variant: str | None, *names: str) -> dict[str, Any]:
    """Read what :func:`write` wrote.

    Args:
        file: the checkpoint.
        variant: what it must be for; None: any.
        names: entries that it must have.

    Raises:
        BadCheckpoint: if it is none, or one for another variant, or lacks an entry.
        OSError: if it cannot be read.
    """
    stream = io.BytesIO(_checked(file.read_bytes(), file))
    try:
        with catch_warnings():
            simplefilter("ignore")  # about files that are refused anyway
            content = torch.load(stream, map_location="cpu", weights_only=True)
    except Exception as error:  # a hostile file makes the reader stumble over anything
        raise BadCheckpoint(f"{file} is not a checkpoint, or a damaged one") from error
    if (
        type(content) is not dict
        or not _is_plain(content.get("format"))
        or (content.get("format") != FORMAT)
    ):
        raise BadCheckpoint(f"{file} is not a checkpoint of this version (format {FORMAT})")
    missing = [name for name in ("variant", *names) if name not in content]
    if missing:
        raise BadCheckpoint(f"{file} lacks {', '.join(missing)}")
    unfit = [name for name in _PLAIN if not _is_plain(content.get(name))]
    if unfit:
        raise BadCheckpoint(f"{file} holds no text or number as {', '.join(unfit)}")
    if variant is not None and content["variant"] != variant:
        raise BadCheckpoint(f"{file} plays {content['variant']}, not {variant}")
    return content


def _checked(content: bytes, file: Path) -> bytes:
    """A checkpoint without its checksum, once that and the sizes of its entries are verified."""
    saved, mark = content[: -len(_MARK) - _DIGEST], content[-len(_MARK) - _DIGEST : -_DIGEST]
    if mark != _MARK or hashlib.sha256(saved).digest() != content[-_DIGEST:]:
        raise BadCheckpoint(f"{file} is not a checkpoint, or a damaged one")
    try:
        entries = zipfile.ZipFile(io.BytesIO(saved)).infolist()
    except Exception as error:  # as above
        raise BadCheckpoint(f"{file} is not a checkpoint, or a damaged one") from error
    # PyTorch compresses nothing: a file cannot take more memory than disk.
    if sum(entry.file_size for entry in entries) > len(saved):
        raise BadCheckpoint(f"{file} is not a checkpoint: it holds compressed entries")
    return saved


def _is_plain(value: Any) -> bool:
    """Whether a value is a text, a number or nothing, or a dict of such by name."""
    scalars = (str, int, float, bool, type(None))
    if type(value) is dict:
        return all(type(key) is str and type(value[key]) in scalars for key in value)
    return type(value) in scalars


def load_weights(policy: MaskableActorCriticPolicy, weights: Any, file: Path) -> None:
    """Give a policy the weights of a checkpoint.

    Raises:
        BadCheckpoint: if they are of a network of a different shape, or not all are numbers.
    """
    _check_shapes(policy, weights, file)
    try:
        policy.load_state_dict(weights)
    except RuntimeError as error:  # tensors of a strange kind
        raise BadCheckpoint(f"{file} holds a network of a different shape") from error
    if not all(bool(tensor.isfinite().all()) for tensor in policy.parameters()):
        raise BadCheckpoint(
            f"{file} holds weights that are not finite numbers: its training failed"
        )


def _check_shapes(policy: MaskableActorCriticPolicy, weights: Any, file: Path) -> None:
    own = {name: tensor.shape for name, tensor in policy.state_dict().items()}
    given = weights if isinstance(weights, Mapping) else {}
    if own != {name: getattr(tensor, "shape", None) for name, tensor in given.items()}:
        raise BadCheckpoint(f"{file} holds a network of a different shape")


def load_player(
    file: Path, variant: str | None = None, seed: int | None = None, name: str | None = None
) -> NetworkPlayer:
    """The player that an ``agent.pt``, or the folder with one, holds.

    Args:
        file: the checkpoint, or its folder.
        variant: what it must play; None: any variant.
        seed: of its draws; None draws one.
        name: for tables; None: the folder's.

    Raises:
        BadCheckpoint: if the file is no such checkpoint, or one for another variant.
        OSError: if it cannot be read.
    """
    if file.is_dir():
        file = file / AGENT_FILE
    content = read(file, variant, "kind", "options", "policy", *DESIGN)
    policy, kind = policy_in(content, file), content["kind"]
    policy.set_training_mode(False)
    name = name or file.resolve().parent.name
    temperature = content.get("temperature", TEMPERATURE)
    if not isinstance(temperature, int | float) or not 0 <= temperature < math.inf:
        raise BadCheckpoint(f"{file} holds an agent of an impossible temperature")
    if kind != "ppo":
        raise BadCheckpoint(f"{file} holds an agent of an unknown kind, {brief(kind)}")
    return NetworkPlayer(policy, name, temperature=temperature, seed=seed)


def network_in(policy: MaskableActorCriticPolicy) -> dict[str, Any]:
    """The entries of a checkpoint that hold a network; :func:`policy_in` makes it again."""
    return {**design_of(policy), "policy": policy.state_dict()}


def policy_in(content: dict[str, Any], file: Path) -> MaskableActorCriticPolicy:
    """The network that a checkpoint holds.

    Raises:
        BadCheckpoint: if there can be no such network, or the weights are of another.
    """
    layers, width, has_prior = (content[name] for name in DESIGN)
    if not isinstance(width, int) or not 0 < width <= _MOST_WIDTH:
        raise BadCheckpoint(f"{file} holds a network of an impossible width")
    if layers not in LAYERS:
        raise BadCheckpoint(f"{file} holds a network of impossible layers")
    variant, options = content["variant"], content["options"]
    design = {"layers": layers, "action_prior": bool(has_prior)}
    try:
        # Without memory, until it is known that the file holds a network of this size.
        with torch.device("meta"):
            sketch = new_policy(variant, options, width, **design)
    except (ValueError, TypeError, AttributeError) as error:
        raise BadCheckpoint(f"{file} holds an agent for impossible options") from error
    _check_shapes(sketch, content["policy"], file)
    policy = new_policy(variant, options, width, **design)
    load_weights(policy, _weights_in(content, file), file)
    return policy


def _weights_in(content: dict[str, Any], file: Path) -> Any:
    """The weights of a checkpoint, of which some may be quantized."""
    try:
        return dequantized(content["policy"], content.get("scales", {}))
    except (ValueError, AttributeError, TypeError, RuntimeError) as error:
        raise BadCheckpoint(f"{file} holds weights whose scales do not fit them") from error


def shipped(name: str, variant: str) -> Path:
    """The file of an agent that comes with the package.

    Args:
        name: ``ppo`` for the variant's own, or ``ppo:pachessi_four`` for one among several.
        variant: whose agent it is, if the name does not say so.

    Raises:
        ValueError: if there is none of that name; lists those that there are.
    """
    kind, _, own = name.partition(":")
    known = shipped_names()
    if f"{kind}:{own or variant}" not in known:
        raise ValueError(f"no agent {brief(name)} comes with the package: {', '.join(known)}")
    return SHIPPED / (own or variant) / f"{kind}.pt"


def shipped_names() -> list[str]:
    """The names of the agents that come with the package, such as ``ppo:pasgl312``."""
    return sorted(f"{file.stem}:{file.parent.name}" for file in SHIPPED.glob("*/*.pt"))
