"""Plant faults in the package, one at a time, and count those that tests catch.

Measures the power of tests, for instance before and after a cut::

    python -m tools.mutate pasgl_env/games/spalding/rules --tests tests/games/spalding --plain
    python -m tools.mutate pasgl_env/envs/vec.py --tests tests/envs/test_vec.py --faults 30

A fault is another comparison, operator or number, a negated condition, or a statement left out. The
modules and the seed alone determine which faults are planted. The files are not changed: each fault
is planted while the module is imported, in a fork of this process, so a test that starts another
process does not see it. Some faults may change no behaviour.

Compiled functions come from a cache that only knows files. Faults in them need ``--plain``, which
runs the tests marked ``jitfree`` as plain Python.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import os
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
# Imported once; the tests of each fault run in a fork.
SHARED = "numba", "gymnasium", "pettingzoo", "hypothesis", "torch", "sb3_contrib"

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
    """A change of one node: its kind, its line, and the function that makes it."""

    kind: str
    line: int
    plant: Callable[[], None]


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
    """Statements that can be removed without breaking names: calls, and changes of values."""
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
    """Finds the module with the fault before other finders find the one in the file."""

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


class _FirstFailure:
    """A pytest plugin that remembers the first test that failed."""

    name: str | None = None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and self.name is None:
            self.name = report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and self.name is None:
            self.name = report.nodeid


def _run(fault: tuple[Path, int], tests: list[str], told: Connection) -> None:
    """Run the tests in this process, which has imported nothing of the package yet."""
    for stream in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    sys.meta_path.insert(0, _Finder(*fault))
    failure = _FirstFailure()
    code = pytest.main(["-x", "-q", "-p", "no:cacheprovider", *tests], plugins=[failure])
    told.send((int(code), failure.name))


def caught_by(fault: tuple[Path, int], tests: list[str], limit: float) -> str | None:
    """The test that catches a fault, or the time limit."""
    here, there = Pipe(duplex=False)
    process = get_context("fork").Process(target=_run, args=(fault, tests, there))
    process.start()
    there.close()
    try:
        if not here.poll(limit):
            return "the time limit"
        code, name = here.recv()
    except EOFError:
        return "the process died"
    finally:
        process.kill()
        process.join()
    if code == pytest.ExitCode.NO_TESTS_COLLECTED:
        raise SystemExit(f"no tests: {' '.join(tests)}")
    return None if code == pytest.ExitCode.OK else name or f"exit status {code}"


def described(path: Path, number: int) -> str:
    """The place of a fault, and its statement with the fault."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    fault = faults(tree)[number]
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    innermost = max(
        (each for each in statements if each.lineno <= fault.line <= (each.end_lineno or 0)),
        key=lambda each: each.lineno,
    )
    fault.plant()
    reads = "left out" if fault.kind == "statement" else ast.unparse(innermost).splitlines()[0]
    return f"{path.relative_to(ROOT).as_posix()}:{fault.line} #{number}: {reads}"


def main() -> None:
    """Plant the faults, print each, and count the caught ones."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("modules", nargs="+", type=Path, help="files, or folders of them")
    parser.add_argument("--tests", nargs="+", required=True, help="what pytest runs")
    parser.add_argument("--faults", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--plain", action="store_true", help="without the JIT, for compiled modules"
    )
    parser.add_argument("--limit", type=float, default=600, help="seconds; longer is caught")
    arguments = parser.parse_args()
    paths = [
        file.resolve()
        for each in arguments.modules
        for file in (sorted(each.rglob("*.py")) if each.is_dir() else [each])
    ]
    chosen = choose(paths, arguments.faults, arguments.seed)
    os.environ["NUMBA_DISABLE_JIT"] = str(int(arguments.plain))
    for name in SHARED:
        with suppress(ImportError):
            import_module(name)
    marks = "jitfree and not slow" if arguments.plain else "not slow"
    caught = 0
    for path, number in chosen:
        by = caught_by((path, number), ["-m", marks, *arguments.tests], arguments.limit)
        caught += by is not None
        print(f"{described(path, number)}\n    {f'caught by {by}' if by else 'MISSED'}", flush=True)
    print(f"{caught} of {len(chosen)} caught")


if __name__ == "__main__":
    main()
