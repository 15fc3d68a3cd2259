"""Networks trained with PyTorch, as players; needs the extra ``train``."""

from __future__ import annotations

import os

# PyTorch's idle threads each keep a core busy. If other programs need the cores too, training
# takes up to five times as long. PyTorch reads this variable once, before it starts its threads.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

try:
    import sb3_contrib  # noqa: F401
    import torch  # noqa: F401
except ImportError as error:
    raise ImportError(
        f"training and trained agents need the extra: pip install 'pasgl-env[train]' ({error})"
    ) from error
