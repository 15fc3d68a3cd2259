"""Build the wheels and the source distribution, and check them: ``make dist``.

One wheel has no compiled code; the other has that of all games, for this platform and Python. All
are built from the tracked files only, with a README whose links are absolute. They are left in
``dist/`` only if

- ``twine check --strict`` and ``check-wheel-contents`` find no problems,
- none is larger than 8 MB, the wheel with compiled code 25 MB, or contains tests, tools or other
  files of the repository,
- the examples of the README run from the wheel in a separate environment, outside the checkout.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
from pathlib import Path
from shutil import copyfile, move, rmtree
from tempfile import TemporaryDirectory
from typing import Annotated
from zipfile import ZipFile

import typer

from pasgl_env.jit.processor import baseline

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
MAX_BYTES = 8_000_000
MOST_COMPILED_BYTES = 25_000_000
NOT_PACKED = (
    "agents",
    "benchmarks",
    "entries",
    "examples",
    "notebooks",
    "studies",
    "tests",
    "tools",
)
TORCH_INDEX = os.environ.get("TORCH_INDEX", "https://download.pytorch.org/whl/cpu")

_USE = """
import os, sys
from pasgl_env.cli.cache import compile_game, one_of_each_game

opened = set()
sys.addaudithook(lambda event, given: event == "open" and opened.add(given[0]))
for name in one_of_each_game():
    compile_game(name)
print(*(file for file in opened if isinstance(file, str)), sep="\\n")
"""

_PICTURE = re.compile(r"<picture>.*?(<img[^>]*>).*?</picture>", re.DOTALL)
_IMAGE = re.compile(r'<img src="(?![a-z]+:)([^"]+)"[^>]*>')
_LINK = re.compile(r"\[([^\[\]]+)\]\((?![a-z]+:|#)([^)\s]+)\)")


def main(
    compiled: Annotated[bool, typer.Option(help="Only the wheel with compiled code.")] = False,
) -> None:
    """Build and check all, and put them into ``dist/``."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        source, built = folder / "source", folder / "dist"
        copy_tracked(source)
        readme = source / "README.md"
        readme.write_text(
            absolute(readme.read_text(encoding="utf-8"), *_address()), encoding="utf-8"
        )
        made = [] if compiled else _plain(source, built)
        made.append(compiled_wheel(source, folder))
        check(made[-1].name, made[-1].stat().st_size, _in_wheel(made[-1]), MOST_COMPILED_BYTES)
        _run(sys.executable, "-m", "twine", "check", "--strict", *made)
        _try_examples(made[-1], folder)
        rmtree(DIST, ignore_errors=True)
        DIST.mkdir()
        for file in made:
            size = file.stat().st_size
            move(file, DIST)
            print(f"dist/{file.name}: {size / 1e6:.1f} MB")


def _plain(source: Path, built: Path) -> list[Path]:
    """Build and check the wheel without compiled code and the source distribution."""
    _run(sys.executable, "-m", "build", "--outdir", built, source)
    wheel, archive = *built.glob("*.whl"), *built.glob("*.tar.gz")
    for file, names in ((wheel, _in_wheel(wheel)), (archive, _in_archive(archive))):
        check(file.name, file.stat().st_size, names)
    _run(Path(sys.executable).with_name("check-wheel-contents"), wheel)
    return [wheel, archive]


def absolute(readme: str, repository: str | None, tag: str) -> str:
    """The README for a package index: absolute links, and the package by name.

    Args:
        readme: the text in Markdown.
        repository: address of the repository on GitHub; None removes pictures and links.
        tag: the tag of the release.
    """
    readme = _PICTURE.sub(r"\1", readme).replace("pip install '.[", "pip install 'pasgl-env[")
    if repository is None:
        return _LINK.sub(r"\1", _IMAGE.sub("", readme))
    raw = repository.replace("github.com", "raw.githubusercontent.com")
    readme = _IMAGE.sub(
        lambda image: image[0].replace(image[1], f"{raw}/{tag}/{image[1]}", 1), readme
    )
    return _LINK.sub(rf"[\1]({repository}/blob/{tag}/\2)", readme)


def compiled_wheel(source: Path, folder: Path) -> Path:
    """Build the wheel of this platform and Python, with compiled code, in a folder.

    It has the code that a process loads that uses all games, for the baseline processor.
    """
    cache, built = folder / "cache", folder / "compiled"
    cache.mkdir(mode=0o700)
    os.environ["PASGL_CACHE_DIR"] = str(cache)
    _run(sys.executable, "-c", "from pasgl_env.cli import main; main()", "cache", "build")
    names = _loaded(cache)
    (source / "pasgl_env" / "compiled").mkdir()
    for name in names:
        copyfile(cache / name, source / "pasgl_env" / "compiled" / name)
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    tags = f"--python-tag={python}", f"--plat-name={_platform()}"
    options = [f"-C--build-option={tag}" for tag in tags]
    _run(sys.executable, "-m", "build", "--wheel", *options, "--outdir", built, source)
    (wheel,) = built.glob("*.whl")
    return wheel


def _loaded(cache: Path) -> set[str]:
    """The names of the files that a process opens that uses all games: of all, a seventh."""
    for mark in cache.glob("*.compiled"):
        mark.unlink()  # else what is marked as compiled is not loaded before it is used
    processor = baseline()
    if processor is None:
        raise SystemExit("this machine's processor is older than the one to compile for")
    run = subprocess.run(
        [sys.executable, "-c", _USE],
        cwd=ROOT,
        env={**os.environ, **processor.settings},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    opened = {Path(line).name for line in run.stdout.splitlines()}
    return opened & set(os.listdir(cache)) | {mark.name for mark in cache.glob("*.compiled")}


def _platform() -> str:
    """The platform's name in a wheel's. The code needs no C library newer than Numba's."""
    name = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return name.replace("linux_", "manylinux_2_17_", 1)


def check(name: str, size: int, names: list[str], most: int = MAX_BYTES) -> None:
    """Exit if a distribution is too large, or contains files that do not belong to the package."""
    if foreign := [path for path in names if path.split("/")[0] in NOT_PACKED]:
        raise SystemExit(f"{name} has {foreign[0]} in it")
    if size > most:
        raise SystemExit(f"{name} has {size / 1e6:.1f} MB; at most {most / 1e6:g} MB are allowed")


def copy_tracked(folder: Path) -> None:
    """Copy the tracked files of the repository into a folder."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True)
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            copyfile(ROOT / name, folder / name)


def _address() -> tuple[str | None, str]:
    with open(ROOT / "pyproject.toml", "rb") as file:
        repository = tomllib.load(file)["project"].get("urls", {}).get("Repository")
    if repository is None:
        print("pyproject.toml has no [project.urls] Repository: the long description has no links")
    from pasgl_env import __version__

    return repository, f"v{__version__}"


def _in_wheel(file: Path) -> list[str]:
    return ZipFile(file).namelist()


def _in_archive(file: Path) -> list[str]:
    with tarfile.open(file) as archive:
        return [name.partition("/")[2] for name in archive.getnames()]


def _try_examples(wheel: Path, folder: Path) -> None:
    """Run the README's examples as a user who has installed the wheel does."""
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    install = (python, "-m", "pip", "install", "--quiet", "-c", ROOT / "constraints.txt")
    # As in the Makefile: PyPI's build of PyTorch brings CUDA libraries.
    _run(*install, "--no-deps", "--index-url", TORCH_INDEX, "--retries", "1", "torch")
    _run(*install, f"{wheel}[train,play]")
    options = "doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE"
    run = (
        f"import doctest, sys; result = doctest.testfile({str(ROOT / 'README.md')!r},"
        f" module_relative=False, optionflags={options}); print('README.md:', result);"
        " sys.exit(bool(result.failed) or not result.attempted)"
    )
    _run(python, "-c", run, cwd=folder)
    _run(python.with_name("pasgl"), "--version", cwd=folder)


def _run(*command: str | Path, cwd: Path = ROOT) -> None:
    print("$", *command, flush=True)
    if code := subprocess.run([str(word) for word in command], cwd=cwd).returncode:
        raise SystemExit(code)


if __name__ == "__main__":
    typer.run(main)
