"""The benchmark runs; the simulator's times mean nothing."""

import json

import pytest
from numba import cuda

from pasgl_env.cuda.device import SIMULATED

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered")


@pytest.mark.skipif(not SIMULATED, reason="needs the simulator: NUMBA_ENABLE_CUDASIM=1")
def test_measures_a_variant(tmp_path, capsys):
    from benchmarks import cuda as benchmark

    file = tmp_path / "figures.json"
    benchmark.main(["pachessi"], 0.001, 1, [2], 1, file)
    times = json.loads(file.read_text())["pachessi"]["seconds"]["2"]
    assert set(times) == {"step", "draw", "look", "observe", "floor", "gigabytes"}
    assert "1 CPU thread:" in capsys.readouterr().out


@pytest.mark.skipif(cuda.is_available(), reason="there is a GPU, or the simulator")
def test_says_so_without_a_gpu():
    from benchmarks import cuda as benchmark

    with pytest.raises(SystemExit, match="no usable GPU"):
        benchmark.main()
