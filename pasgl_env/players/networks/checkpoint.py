"""Checkpoints: files of tensors and plain values, loaded without executing anything in them.

A checkpoint is a file of ``torch.save`` followed by a checksum, which PyTorch ignores.

``agent.pt`` holds a network to play with; ``training.pt`` holds everything needed to resume
training. Each is replaced in one step, so a kill at any moment leaves the previous file.
``checkpoints/`` has the agents that come with the package; their cards are in ``agents/``.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from pasgl_env.contract import variants
from pasgl_env.contract.game import brief
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.players.networks.policy import NetworkPlayer, design_of, new_policy
from pasgl_env.players.networks.quantization import dequantized
from pasgl_env.players.trained import AGENT_FILE, LAYERS, MOST_TEMPERATURE, MOST_WIDTH, TEMPERATURE
from pasgl_env.players.values import weights as learned
from pasgl_env.players.values.action_prior import PRIORS, Prior
from pasgl_env.storage.files import write_whole
from pasgl_env.storage.runs import writing_order

TRAINING_FILE = "training.pt"
FORMAT = 4
# The settings that define a network.
DESIGN = "layers", "width", "action_prior"
MOST_WEIGHT = 1e6
_MARK = b"pasgl_env sha256"
_DIGEST = hashlib.sha256().digest_size
# Entries that are texts and numbers, or a dict of these; other entries may be tensors.
_PLAIN = ("variant", "kind", "options", *DESIGN, "prior_checksum", "temperature")


class BadCheckpoint(ValueError):
    """The file is not a checkpoint, or not one for this variant and version."""


def write(file: Path, content: dict[str, Any]) -> None:
    """Write tensors and plain values; the file is then complete or unchanged.

    Raises:
        OSError: if it cannot be written, for example because the disk is full.
    """
    # Not straight into the file: PyTorch would not report why writing failed.
    stream = io.BytesIO()
    torch.save({"format": FORMAT, **content}, stream)
    write_whole(file, with_checksum(stream.getvalue()))


def write_both(out: Path, agent: Mapping[str, Any], training: Mapping[str, Any]) -> None:
    """Write an agent to a folder, and with it all that resuming its training needs besides.

    Raises:
        OSError: as :func:`write`.
    """
    contents = {AGENT_FILE: {**agent}, TRAINING_FILE: {**agent, **training}}
    for file in writing_order(out / AGENT_FILE, out / TRAINING_FILE):
        write(file, contents[file.name])


def with_checksum(content: bytes) -> bytes:
    """The output of ``torch.save`` as a checkpoint."""
    return content + _MARK + hashlib.sha256(content).digest()


def read(file: Path, variant: str | None, *names: str) -> dict[str, Any]:
    """Read a checkpoint.

    Args:
        file: the checkpoint.
        variant: the required variant; None for any.
        names: required entries.

    Raises:
        BadCheckpoint: if it is not a checkpoint, is for another variant or lacks an entry.
        OSError: if it cannot be read.
    """
    stream = io.BytesIO(_checked(file.read_bytes(), file))
    try:
        with catch_warnings():
            simplefilter("ignore")  # warnings about files that are refused anyway
            content = torch.load(stream, map_location="cpu", weights_only=True)
    except Exception as error:  # malicious files can make the reader raise anything
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
        raise BadCheckpoint(f"these entries of {file} are not texts or numbers: {', '.join(unfit)}")
    if variant is not None and content["variant"] != variant:
        raise BadCheckpoint(f"{file} plays {content['variant']}, not {variant}")
    return content


def _checked(content: bytes, file: Path) -> bytes:
    """A checkpoint without its checksum, after a check of that and of the sizes of its entries."""
    saved, mark = content[: -len(_MARK) - _DIGEST], content[-len(_MARK) - _DIGEST : -_DIGEST]
    if mark != _MARK or hashlib.sha256(saved).digest() != content[-_DIGEST:]:
        raise BadCheckpoint(f"{file} is not a checkpoint, or a damaged one")
    try:
        entries = zipfile.ZipFile(io.BytesIO(saved)).infolist()
    except Exception as error:  # as above
        raise BadCheckpoint(f"{file} is not a checkpoint, or a damaged one") from error
    # PyTorch does not compress: a valid file never needs more memory than disk space.
    if sum(entry.file_size for entry in entries) > len(saved):
        raise BadCheckpoint(f"{file} is not a checkpoint: it holds compressed entries")
    return saved


def _is_plain(value: Any) -> bool:
    """Whether a value is a text, a number, None, or a dict of these."""
    scalars = (str, int, float, bool, type(None))
    if type(value) is dict:
        return all(type(key) is str and type(value[key]) in scalars for key in value)
    return type(value) in scalars


@contextmanager
def refusing(file: Path, what: str = "holds no training state to resume from") -> Iterator[None]:
    """Refuse a checkpoint whose content does not fit: errors become ``BadCheckpoint``."""
    try:
        yield
    except BadCheckpoint:
        raise
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadCheckpoint(f"{file} {what}") from error


def load_weights(policy: MaskableActorCriticPolicy, weights: Any, file: Path) -> None:
    """Load the weights of a checkpoint into a policy.

    Raises:
        BadCheckpoint: if the network has a different shape, or the weights are not sound.
    """
    _check_shapes(policy, weights, file)
    try:
        policy.load_state_dict(weights)
    except RuntimeError as error:  # tensors of an unsupported kind
        raise BadCheckpoint(f"{file} holds a network of a different shape") from error
    if not are_sound(policy.state_dict()):
        raise BadCheckpoint(
            f"{file} holds weights that are too large or no numbers: its training failed"
        )


def are_sound(weights: Mapping[str, torch.Tensor]) -> bool:
    """Whether no weight is infinite, NaN or so large that scores may become so."""
    return all(bool((tensor.abs() <= MOST_WEIGHT).all()) for tensor in weights.values())


def _check_shapes(policy: MaskableActorCriticPolicy, weights: Any, file: Path) -> None:
    own = {name: tensor.shape for name, tensor in policy.state_dict().items()}
    given = weights if isinstance(weights, Mapping) else {}
    if own != {name: getattr(tensor, "shape", None) for name, tensor in given.items()}:
        raise BadCheckpoint(f"{file} holds a network of a different shape")


def load_player(
    file: Path, variant: str | None = None, seed: int | None = None, name: str | None = None
) -> NetworkPlayer:
    """Load the player in an ``agent.pt``, or in a folder that contains one.

    Args:
        file: the checkpoint, or its folder.
        variant: the required variant; None for any.
        seed: seed of its draws; None draws one.
        name: the player's name; None for the folder's.

    Raises:
        BadCheckpoint: if the file is not an agent, or is for another variant.
        OSError: if it cannot be read.
    """
    if file.is_dir():
        file = file / AGENT_FILE
    content = read(file, variant, "kind", "options", "policy", *DESIGN)
    policy, kind = policy_in(content, file), content["kind"]
    policy.set_training_mode(False)
    name = name or file.resolve().parent.name
    temperature = content.get("temperature", TEMPERATURE)
    if not isinstance(temperature, int | float) or not 0 <= temperature <= MOST_TEMPERATURE:
        raise BadCheckpoint(f"{file} holds an agent of an impossible temperature")
    if kind != "ppo":
        raise BadCheckpoint(f"{file} holds an agent of an unknown kind, {brief(kind)}")
    trained_for = variants.ruleset(content["variant"], **content["options"])
    return NetworkPlayer(policy, name, temperature=temperature, seed=seed, trained_for=trained_for)


def network_in(policy: MaskableActorCriticPolicy) -> dict[str, Any]:
    """The entries of a checkpoint that hold a network; :func:`policy_in` restores it."""
    return {**design_of(policy), "policy": policy.state_dict()}


def prior_checksum(prior: Prior, ruleset: Ruleset) -> str | None:
    """A checksum of the learned values behind an action prior; None if there are none."""
    values = learned.shipped(ruleset) if prior == "td" else None
    return None if values is None else learned.checksum_of(values)


def check_prior(content: dict[str, Any], file: Path) -> Prior:
    """The action prior of the network in a checkpoint.

    Raises:
        BadCheckpoint: if there is no such prior, or it is made from other learned values than those
            that come with this version.
    """
    prior = content["action_prior"]
    if isinstance(prior, bool):  # version 0.1.0 had only one
        prior = "greedy" if prior else "none"
    if prior not in PRIORS:
        raise BadCheckpoint(f"{file} holds a network of an impossible action prior")
    here = prior_checksum(prior, variants.ruleset(content["variant"], **content["options"]))
    if here != content.get("prior_checksum"):
        raise BadCheckpoint(
            f"{file} was trained with other learned values of {content['variant']} than those of"
            " this version: train it again"
        )
    return prior


def policy_in(content: dict[str, Any], file: Path) -> MaskableActorCriticPolicy:
    """The network in a checkpoint.

    Raises:
        BadCheckpoint: if the network is impossible, or the weights do not fit it.
    """
    layers, width, _ = (content[name] for name in DESIGN)
    if not isinstance(width, int) or not 0 < width <= MOST_WIDTH:
        raise BadCheckpoint(f"{file} holds a network of an impossible width")
    if layers not in LAYERS:
        raise BadCheckpoint(f"{file} holds a network of impossible layers")
    with refusing(file, "holds an agent for impossible options"):
        ruleset = variants.ruleset(content["variant"], **content["options"])
        design = {"layers": layers, "action_prior": check_prior(content, file)}
        # Allocates no memory until the file is known to hold a network of this size.
        with torch.device("meta"):
            sketch = new_policy(ruleset, width, **design)
    _check_shapes(sketch, content["policy"], file)
    policy = new_policy(ruleset, width, **design)
    load_weights(policy, _weights_in(content, file), file)
    return policy


def _weights_in(content: dict[str, Any], file: Path) -> Any:
    """The weights in a checkpoint, some of which may be quantized."""
    try:
        return dequantized(content["policy"], content.get("scales", {}))
    except (ValueError, AttributeError, TypeError, RuntimeError, IndexError) as error:
        raise BadCheckpoint(f"{file} holds weights whose scales do not fit them") from error
