"""Planting faults: the faults, and that tests catch them."""

import ast
import subprocess
import sys

from tools import mutate

SOURCE = '''
"""A module."""

LIMIT = 3


def over(score: int = 4) -> bool:
    """Whether the game is over."""
    seen.append(score)
    if score + 1 < 30:
        return False
    return True
'''

RATINGS = mutate.ROOT / "pasgl_env" / "statistics" / "ratings.py"
TESTS = "tests/statistics/test_ratings.py"


def with_each_fault() -> list[str]:
    texts = []
    for number in range(len(mutate.faults(ast.parse(SOURCE)))):
        tree = ast.parse(SOURCE)
        mutate.faults(tree)[number].plant()
        texts.append(ast.unparse(ast.fix_missing_locations(tree)))
    return texts


def test_every_fault_changes_one_line_of_a_function():
    sound = ast.unparse(ast.parse(SOURCE)).splitlines()
    changed = []
    for text in with_each_fault():
        (line,) = [new for old, new in zip(sound, text.splitlines(), strict=True) if old != new]
        changed.append(line.strip())
    assert sorted(changed) == [
        "if not score + 1 < 30:",
        "if score + 1 < 31:",
        "if score + 1 <= 30:",
        "if score + 2 < 30:",
        "if score - 1 < 30:",
        "pass",
        "return False",
        "return True",
    ]


def test_the_seed_decides_which_faults_are_planted():
    first = mutate.choose([RATINGS], 10, seed=1)
    assert first == mutate.choose([RATINGS], 10, seed=1) != mutate.choose([RATINGS], 10, seed=2)
    assert len(set(first)) == 10


def test_a_planted_fault_is_caught_and_the_file_stays_as_it_is():
    before = RATINGS.read_text(encoding="utf-8")
    command = [sys.executable, "-m", "tools.mutate", str(RATINGS), "--tests", TESTS]
    done = subprocess.run(
        [*command, "--faults", "1", "--seed", "5"],
        capture_output=True,
        text=True,
        check=True,
        cwd=mutate.ROOT,
    )
    assert done.stdout.splitlines()[-1] == "1 of 1 caught"
    assert f"caught by {TESTS}::" in done.stdout
    assert RATINGS.read_text(encoding="utf-8") == before
