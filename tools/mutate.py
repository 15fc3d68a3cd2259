"""Plant faults in the package, one at a time, and count those that tests catch.

A measure of the tests' power, for instance before and after some of them are cut::

    python -m tools.mutate pasgl_env/games/spalding/rules --tests tests/games/spalding --plain
    python -m tools.mutate pasgl_env/envs/vec.py --tests tests/envs/test_vec.py --faults 30

A fault is another comparison, operator or number, a condition turned round, or a statement left
out. Which faults are planted depends on the modules and the seed alone. The files stay as they are:
each fault is planted while a pytest of its own imports the module, so a test that starts another
process does not see it.

Compiled functions come from a cache that knows files only. Faults in them need ``--plain``, which
runs the tests marked ``jitfree`` as plain Python.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parents[1]

_SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


class Fault(NamedTuple):
    """A change of one node: in which kind of place, on which line, and how to make it."""

    kind: str
    line: int
    plant: Callable[[], None]


class Planted(NamedTuple):
    """A fault of a module by its number, its statement after the change, and what caught it."""

    path: str
    number: int
    line: int
    reads: str
    caught_by: str | None

    def __str__(self) -> str:
        by = f"caught by {self.caught_by}" if self.caught_by else "MISSED"
        return f"{self.path}:{self.line} #{self.number}: {self.reads}\n    {by}"


def faults(tree: ast.Module) -> list[Fault]:
    """All faults that can be planted in the functions of a module, always in the same order."""
    functions = [
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    inner = {id(node) for each in functions for node in ast.walk(each) if node is not each}
    return [
        fault
        for function in functions
        if id(function) not in inner
        for statement in function.body
        for node in ast.walk(statement)
        for fault in _faults_of(node)
    ] + [
        fault
        for function in functions
        if id(function) not in inner
        for node in ast.walk(function)
        for fault in _left_out(node)
    ]


def _faults_of(node: ast.AST) -> Iterator[Fault]:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _SWAPS:
        yield Fault("comparison", node.lineno, lambda: _swap(node.ops, 0))
    elif isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign) and type(node.op) in _SWAPS:
        yield Fault("operator", node.lineno, lambda: _swap(vars(node), "op"))
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float, bool):
        other = (not node.value) if isinstance(node.value, bool) else node.value + 1  # type: ignore[operator]
        yield Fault("constant", node.lineno, lambda: setattr(node, "value", other))
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        yield Fault("condition", node.lineno, lambda: _negate(node))


def _swap(place: Any, key: Any) -> None:
    place[key] = _SWAPS[type(place[key])]()


def _negate(node: ast.If | ast.IfExp | ast.While) -> None:
    node.test = ast.UnaryOp(ast.Not(), node.test)


def _left_out(node: ast.AST) -> Iterator[Fault]:
    """Statements whose names nobody misses: calls, and changes of what was there before."""
    for name in ("body", "orelse", "finalbody"):
        body = getattr(node, name, None)
        for place, statement in enumerate(body if isinstance(body, list) else ()):
            if _may_be_left_out(statement):
                yield Fault(
                    "statement",
                    statement.lineno,
                    lambda body=body, place=place: body.__setitem__(place, ast.Pass()),  # type: ignore[misc]
                )


def _may_be_left_out(statement: ast.AST) -> bool:
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Call)
    if isinstance(statement, ast.Assign):
        return not any(isinstance(target, ast.Name | ast.Tuple) for target in statement.targets)
    return isinstance(statement, ast.AugAssign | ast.Continue | ast.Break)


def with_fault(path: Path, number: int) -> ast.Module:
    """The syntax tree of a module with one of its faults."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    faults(tree)[number].plant()
    return ast.fix_missing_locations(tree)


def choose(paths: list[Path], count: int, seed: int) -> list[tuple[Path, int]]:
    """Faults of some modules, as many of each kind as there are, drawn without replacement."""
    generator = random.Random(seed)
    by_kind: dict[str, list[tuple[Path, int]]] = {}
    for path in paths:
        for number, fault in enumerate(faults(ast.parse(path.read_text(encoding="utf-8")))):
            by_kind.setdefault(fault.kind, []).append((path, number))
    chosen: list[tuple[Path, int]] = []
    while len(chosen) < count and any(by_kind.values()):
        for kind in sorted(by_kind):
            if by_kind[kind] and len(chosen) < count:
                chosen.append(by_kind[kind].pop(generator.randrange(len(by_kind[kind]))))
    return chosen


class _Finder(MetaPathFinder):
    """Finds the module with the fault before anything finds the one in the file."""

    def __init__(self, path: Path, number: int) -> None:
        self._path, self._number = path, number
        self._name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        self._name = self._name.removesuffix(".__init__")

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name != self._name:
            return None
        found = PathFinder.find_spec(name, path)
        loader = _Loader(name, str(self._path), self._number)
        places = found.submodule_search_locations if found else None
        return importlib.util.spec_from_file_location(
            name, self._path, loader=loader, submodule_search_locations=places
        )


class _Loader(SourceFileLoader):
    def __init__(self, name: str, path: str, number: int) -> None:
        super().__init__(name, path)
        self._number = number

    def get_code(self, fullname: str) -> Any:
        return compile(with_fault(Path(self.path), self._number), self.path, "exec")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The fault of this run of pytest, as `main` asks for it."""
    parser.addoption("--fault", help="MODULE.py:NUMBER, a fault to plant")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Plant the fault before anything imports the package."""
    path, _, number = early_config.known_args_namespace.fault.rpartition(":")
    sys.meta_path.insert(0, _Finder(ROOT / path, int(number)))


def plant(path: Path, number: int, arguments: argparse.Namespace) -> Planted:
    """Run the tests with one fault."""
    name = path.relative_to(ROOT).as_posix()
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    command += ["-p", "tools.mutate", f"--fault={name}:{number}"]
    command += ["-m", "jitfree and not slow" if arguments.plain else "not slow", *arguments.tests]
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, "NUMBA_DISABLE_JIT": str(int(arguments.plain))},
            capture_output=True,
            text=True,
            timeout=arguments.limit,
        )
        if done.returncode == pytest.ExitCode.NO_TESTS_COLLECTED:
            raise SystemExit(f"{' '.join(command)} runs no tests")
        first = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
        failed = first[1] if first else f"exit status {done.returncode}"
        caught_by = failed if done.returncode != pytest.ExitCode.OK else None
    except subprocess.TimeoutExpired:
        caught_by = "the limit of time"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    fault = faults(tree)[number]
    statement = min(
        (node for node in ast.walk(tree) if isinstance(node, ast.stmt)),
        key=lambda node: (not node.lineno <= fault.line <= (node.end_lineno or 0), -node.lineno),
    )
    fault.plant()
    reads = ast.unparse(statement).splitlines()[0] if fault.kind != "statement" else "left out"
    return Planted(name, number, fault.line, reads, caught_by)


def main() -> None:
    """Plant the faults, name each, and count the caught ones."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("modules", nargs="+", type=Path, help="files, or folders of them")
    parser.add_argument("--tests", nargs="+", required=True, help="what pytest runs")
    parser.add_argument("--faults", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--plain", action="store_true", help="without the JIT, for compiled modules"
    )
    parser.add_argument("--limit", type=float, default=600, help="seconds; longer is caught")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    paths = [
        file.resolve()
        for each in arguments.modules
        for file in (sorted(each.rglob("*.py")) if each.is_dir() else [each])
    ]
    chosen = choose(paths, arguments.faults, arguments.seed)
    caught = 0
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for done in pool.map(lambda fault: plant(*fault, arguments), chosen):
            caught += done.caught_by is not None
            print(done, flush=True)
    print(f"{caught} of {len(chosen)} caught")


if __name__ == "__main__":
    main()
