"""The scripts in examples/ run with few steps, each in its own process."""

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
MOST_LINES = 40
# The package that each script needs, and its argument.
SCRIPTS = {
    "both_sides": ("sb3_contrib", 2048),
    "with_agilerl": ("agilerl", 500),
    "with_cleanrl": ("torch", 4096),
    "with_mctx": ("mctx", 2),
    "with_openspiel": ("pyspiel", 2),
    "with_pufferlib": ("pufferlib", 800),
    "with_rllib": ("ray.rllib", 1),
    "with_stable_baselines3": ("sb3_contrib", 2048),
    "with_tianshou_dqn": ("tianshou", 500),
    "with_tianshou_ppo": ("tianshou", 500),
    "with_torchrl": ("torchrl", 1024),
}


def test_every_script_is_tested():
    assert {script.stem for script in EXAMPLES.glob("*.py")} == set(SCRIPTS)


@pytest.mark.parametrize("script", [each for each in SCRIPTS if each.startswith("with_")])
def test_it_is_short(script):
    text = (EXAMPLES / f"{script}.py").read_text()
    assert len([line for line in text.splitlines() if line.strip()]) <= MOST_LINES


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS)
def test_it_runs(script):
    package, argument = SCRIPTS[script]
    try:
        is_installed = find_spec(package) is not None
    except ModuleNotFoundError:  # of what a package is in
        is_installed = False
    if not is_installed:
        pytest.skip(f"needs {package}")
    command = [sys.executable, str(EXAMPLES / f"{script}.py"), str(argument)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr[-2000:]
    assert re.search(r"outcome [+-][01]\.\d\d|won \d+%|played \d+ moves", run.stdout)
