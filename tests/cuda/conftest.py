"""Where these tests run: on a GPU, or in Numba's simulator with ``NUMBA_ENABLE_CUDASIM=1``."""

import pytest

pytest.importorskip("numba_cuda")
