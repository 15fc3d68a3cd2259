"""Baseline agents trained with Stable-Baselines3; needs the extra ``train``."""

from __future__ import annotations

try:
    import sb3_contrib  # noqa: F401
    import torch  # noqa: F401
except ImportError as error:
    raise ImportError(
        f"training and trained agents need the extra: pip install 'pasgl-env[train]' ({error})"
    ) from error
