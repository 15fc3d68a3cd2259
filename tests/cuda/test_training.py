"""The PPO script learns the same from a `CudaBatch` as from a `Batch`.

On a GPU the networks round otherwise: the simulator alone can tell.
"""

import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

from pasgl_env.cuda.device import SIMULATED

torch = pytest.importorskip("torch")

pytestmark = [
    pytest.mark.skipif(not SIMULATED, reason="needs the simulator: NUMBA_ENABLE_CUDASIM=1"),
    pytest.mark.filterwarnings("ignore:overflow encountered"),
]
SCRIPT = Path(__file__).parents[2] / "agents" / "ppo_cuda.py"


def test_learns_the_same():
    script = SimpleNamespace(**runpy.run_path(str(SCRIPT)))
    tiny = {"games": 6, "random_games": 2, "copy_games": 2, "steps": 4, "updates": 2, "width": 2}
    here, there = (
        script.train(script.Settings(variant="pachessi", device=device, **tiny)).state_dict()
        for device in ("cpu", "cuda")
    )
    assert all(torch.equal(here[name], there[name]) for name in here)
    assert here["policy.weight"].abs().sum() > 0
