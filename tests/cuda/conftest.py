"""What all tests of CUDA code need."""

from typing import Any

import pytest
from numba import config, cuda

from pasgl_env.cuda import kernels


class SimulatedCuda:
    """The module `cuda` as the simulator's threads see it, with their indices."""

    def __getattr__(self, name: str) -> Any:
        from numba.cuda.simulator import kernel

        context = kernel._kernel_context
        return getattr(context if hasattr(context, name) else cuda, name)


@pytest.fixture(autouse=True)
def threads_of_the_simulator_share_a_module(monkeypatch):
    """Keep the simulator from replacing `cuda` in the module of a device function.

    It does so for each thread, and puts it back when that thread leaves the function, even if
    another one is still there.
    """
    if config.ENABLE_CUDASIM:
        monkeypatch.setattr(kernels, "cuda", SimulatedCuda())
