"""Training with PPO on Ray RLlib; needs the extra ``ray``."""

from __future__ import annotations

import os

# No usage reports are sent to Ray's makers unless the user wants it.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

try:
    import ray  # noqa: F401

    import pasgl_env.players.networks  # noqa: F401 # before PyTorch, to configure its threads
except ImportError as error:
    raise ImportError(
        f"training on RLlib needs the extra: pip install 'pasgl-env[ray]' ({error})"
    ) from error
