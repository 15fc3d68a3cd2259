"""Records whose fields are read quickly, for what is plain Python: texts, drawings, debugging."""

from __future__ import annotations

from typing import Any

import numpy as np


class Record(np.void):  # type: ignore[misc]
    """One record of an array, its fields as attributes.

    As :class:`numpy.record`, which takes several times as long.
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except ValueError:
            raise AttributeError(f"no attribute or field {name!r}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        try:
            self[name] = value
        except ValueError:
            if name in (self.dtype.names or ()):
                raise
            super().__setattr__(name, value)


def record_dtype(fields: Any) -> np.dtype[Any]:
    """The dtype of such records.

    Args:
        fields: a structured dtype, or what :class:`numpy.dtype` makes one of.
    """
    return np.dtype((Record, fields))
