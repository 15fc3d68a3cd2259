"""Fixtures shared by the tests of the package's generic parts."""

import gc
import os
import shutil
import signal
from dataclasses import replace

import pytest

from pasgl_env import variants
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.jit.compiled import rule

from . import three
from .one_of_each import ONE_OF_EACH_GAME

# The shell without windows takes half of the time that the whole browser does.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]

# Windows open invisibly, on machines without a display too.
os.environ["SDL_VIDEODRIVER"] = "dummy"
# PyTorch's idle threads spin, and take the processors from other test processes.
os.environ["OMP_WAIT_POLICY"] = "PASSIVE"


# What is imported and collected stays to the end: to look for garbage in it takes a twentieth of
# the time of all tests.
gc.disable()


def pytest_collection_finish():
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items):
    """Begin with the web page's tests: they wait for a browser while others compute."""
    items.sort(key=lambda item: "web" not in item.path.parts)


@pytest.fixture(params=ONE_OF_EACH_GAME)
def variant(request):
    """One variant of each game, by name: the others take the same path through the code."""
    return request.param


@pytest.fixture(params=variants.names())
def every_variant(request):
    """Every variant in the table, by name: for one test of each interface."""
    return request.param


@pytest.fixture(scope="session")
def browser():
    """Chromium; without it tests are skipped, but they fail where CI is set."""
    playwright = pytest.importorskip("playwright.sync_api")
    playwright.expect.set_options(timeout=60_000)
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("CI has no Chromium: apt-get install chromium-headless-shell")
        pytest.skip("no Chromium on this machine: apt-get install chromium-headless-shell")
    with playwright.sync_playwright() as running:
        launched = running.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def interruptible():
    """SIGINT raises `KeyboardInterrupt`, also where the tests run in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def three_sides(monkeypatch):
    """Puts two games of three sides into the table of variants."""
    find, table = variants.find, dict(variants.table())
    games = {game.name: game for game in (three.HEAP, three.RACE)}
    table |= {name: variants.Variant(f"tests.three:{name}", 0) for name in games}
    monkeypatch.setattr(variants, "find", lambda name: games.get(name) or find(name))
    monkeypatch.setattr(variants, "table", lambda: table)


@rule
def other_team(player: int) -> int:
    return 1 - player % 2


@pytest.fixture
def swapped(monkeypatch):
    """PASGL 312 Chess, but player 0 has team 1: sides are numbered otherwise than players."""
    usual, find, table = variants.find("pasgl312"), variants.find, dict(variants.table())
    game = replace(usual, name="swapped", team=other_team)
    table["swapped"] = table["pasgl312"]
    monkeypatch.setattr(variants, "find", lambda name: game if name == "swapped" else find(name))
    monkeypatch.setattr(variants, "table", lambda: table)
    return Ruleset.of(game, {"turn_limit": 40})
