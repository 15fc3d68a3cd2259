"""Data sets of positions from self-play and from records; needs pyarrow, of the extra ``data``."""

from pasgl_env.datasets.loading import DataSet, load

__all__ = ["DataSet", "load"]
