"""All that a batch consists of, to compare batches by.

Equal batches may be pickled to different bytes: these tell, too, which equal parts are the same
object. From Python 3.14 on, a copy has other such parts.
"""

from typing import Any

import numpy as np

from pasgl_env import Batch


def content_of(batch: Batch) -> dict[str, Any]:
    """The state by which a batch is pickled, with bytes instead of arrays."""
    return {name: _plain(value) for name, value in batch.__getstate__().items()}


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.dtype, value.shape, value.tobytes()
    return tuple(map(_plain, value)) if isinstance(value, tuple) else value
