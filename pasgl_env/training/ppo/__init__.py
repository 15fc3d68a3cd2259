"""Baseline agents trained with Stable-Baselines3; needs the extra ``train``."""

from __future__ import annotations

import os

# PyTorch's threads burn a core each while they wait, and where other programs want the cores too,
# training takes up to five times as long. Its threads read this once, before they are started.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

try:
    import sb3_contrib  # noqa: F401
    import torch  # noqa: F401
except ImportError as error:
    raise ImportError(
        f"training and trained agents need the extra: pip install 'pasgl-env[train]' ({error})"
    ) from error
