"""`python -m tests.fuzz TARGET [options of libFuzzer]`."""

from __future__ import annotations

import hashlib
import inspect
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from tempfile import TemporaryDirectory
from types import ModuleType

import atheris

from .targets import TARGETS, Target


def instrument(name: str) -> None:
    """Count which branches of a module, or of all modules of a package, are taken.

    Function by function, after the import: Numba would not compile what is instrumented.
    """
    module = import_module(name)
    for each in [module, *submodules(module)]:
        for value in list(vars(each).values()):
            if inspect.isfunction(value) and value.__module__ == each.__name__:
                atheris.instrument_func(value)
            elif inspect.isclass(value) and value.__module__ == each.__name__:
                for method in vars(value).values():
                    if inspect.isfunction(method):
                        atheris.instrument_func(method)


def submodules(module: ModuleType) -> list[ModuleType]:
    found = walk_packages(getattr(module, "__path__", []), f"{module.__name__}.")
    return [import_module(info.name) for info in found]


def write_samples(target: Target, folder: Path) -> None:
    for sample in target.samples():
        (folder / hashlib.sha256(sample).hexdigest()[:16]).write_bytes(sample)


def main() -> None:
    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        sys.exit(f"usage: python -m tests.fuzz {{{','.join(TARGETS)}}} [options of libFuzzer]")
    program, name, *options = sys.argv
    target = TARGETS[name]
    for module in target.modules:
        instrument(module)
    with TemporaryDirectory() as folder:
        files = [option for option in options if not option.startswith("-")]
        write_samples(target, Path(folder))
        atheris.Setup([program, *options, *([] if files else [folder])], target.read)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
