"""Checkpoints: files of tensors and plain values, loaded without executing anything in them.

``agent.pt`` holds a network to play with, ``training.pt`` all that training goes on from. Each is
replaced in one step, so that a kill at any moment leaves the one before.
"""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from pasgl_env.agents.network import NetworkPlayer, new_policy

AGENT_FILE, TRAINING_FILE = "agent.pt", "training.pt"
FORMAT = 1


class BadCheckpoint(ValueError):
    """A file that is no checkpoint, or not one for this variant and version."""


def write(file: Path, content: dict[str, Any]) -> None:
    """Write tensors and plain values; the file is complete or as it was before.

    Raises:
        OSError: if it cannot be written, for example to a full disk.
    """
    temporary = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        with open(temporary, "wb") as stream:
            torch.save({"format": FORMAT, **content}, stream)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, file)
    except (OSError, RuntimeError) as error:
        temporary.unlink(missing_ok=True)
        raise OSError(f"cannot write {file}: {error}") from error


def read(file: Path, *names: str) -> dict[str, Any]:
    """Read what :func:`write` wrote.

    Args:
        file: the checkpoint.
        names: entries that it must have.

    Raises:
        BadCheckpoint: if it is none, or lacks an entry.
        OSError: if it cannot be read.
    """
    try:
        content = torch.load(file, map_location="cpu", weights_only=True)
    except (RuntimeError, pickle.UnpicklingError, EOFError, ValueError, KeyError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise BadCheckpoint(f"{file} is no checkpoint: {reason}") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise BadCheckpoint(f"{file} is no checkpoint of this version (format {FORMAT})")
    missing = [name for name in names if name not in content]
    if missing:
        raise BadCheckpoint(f"{file} lacks {', '.join(missing)}")
    return content


def load_weights(policy: MaskableActorCriticPolicy, weights: Any, file: Path) -> None:
    """Give a policy the weights of a checkpoint.

    Raises:
        BadCheckpoint: if they are of a network of another shape.
    """
    try:
        policy.load_state_dict(weights)
    except (RuntimeError, TypeError, AttributeError) as error:
        raise BadCheckpoint(f"{file} holds a network of another shape") from error


def load_player(file: Path, variant: str, seed: int | None = None) -> NetworkPlayer:
    """The player that an ``agent.pt``, or the folder with one, holds.

    Raises:
        BadCheckpoint: if the file is no such checkpoint, or one for another variant.
        OSError: if it cannot be read.
    """
    if file.is_dir():
        file = file / AGENT_FILE
    content = read(file, "variant", "width", "policy")
    if content["variant"] != variant:
        raise BadCheckpoint(f"{file} plays {content['variant']}, not {variant}")
    try:
        policy = new_policy(variant, int(content["width"]))
    except (TypeError, ValueError, RuntimeError) as error:
        raise BadCheckpoint(f"{file} holds a network of an impossible width") from error
    load_weights(policy, content["policy"], file)
    policy.set_training_mode(False)
    return NetworkPlayer(policy, file.resolve().parent.name, seed=seed)
