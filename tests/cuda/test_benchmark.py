"""The benchmark runs; the simulator's times mean nothing."""

import json

import pytest

from pasgl_env.cuda.device import SIMULATED

pytest.importorskip("numba_cuda")
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered")


@pytest.mark.skipif(not SIMULATED, reason="needs the simulator: NUMBA_ENABLE_CUDASIM=1")
def test_measures_a_variant(tmp_path, capsys):
    from benchmarks import cuda as benchmark

    file = tmp_path / "figures.json"
    benchmark.main(["pachessi"], 0.0, 1, [2], 1, file)
    times = json.loads(file.read_text())["pachessi"]["seconds"]["2"]
    assert set(times) == {"step", "draw", "look", "observe", "floor", "gigabytes"}
    assert "1 CPU thread:" in capsys.readouterr().out


@pytest.mark.skipif(SIMULATED, reason="the simulator stands for a GPU")
def test_says_so_without_a_gpu():
    from benchmarks import cuda as benchmark

    if benchmark.cuda.is_available():
        pytest.skip("there is a GPU")
    with pytest.raises(SystemExit, match="no GPU"):
        benchmark.main()
