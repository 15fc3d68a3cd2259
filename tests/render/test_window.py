"""The window: its content, closing and waiting. Without a display: see tests/conftest.py."""

import copy
import importlib
import pickle
import sys
import types
from time import monotonic

import numpy as np
import pytest

pygame = pytest.importorskip("pygame")
from pasgl_env.render.svg.canvas import Canvas  # noqa: E402
from pasgl_env.render.window import Window  # noqa: E402

FAST = 10_000


@pytest.fixture
def window():
    window = Window("A test", 200)
    yield window
    window.close()


@pytest.fixture(autouse=True)
def no_events_are_left():
    yield
    pygame.quit()


def coloured(colour, width=100, height=50):
    canvas = Canvas(width, height, "a test")
    canvas.rect(0, 0, width, height, fill=colour)
    canvas.rect(width / 4, height / 4, width / 2, height / 2, fill="red")
    return canvas


def shown(window):
    """What the window shows, ``uint8[H, W, 3]``."""
    return pygame.surfarray.array3d(window._window.get_surface()).swapaxes(0, 1)


def post(kind, **about):
    pygame.event.post(pygame.event.Event(kind, **about))


class TestShow:
    def test_opens_with_the_first_drawing_in_its_shape(self, window):
        window.show(coloured("blue"), FAST)
        assert shown(window).shape == (100, 200, 3)
        assert window._window.title == "A test"
        assert (shown(window)[0] == [0, 0, 255]).all()
        assert (shown(window)[30:70, 60:140] == [255, 0, 0]).all()

    def test_shows_the_next_drawing(self, window):
        for colour, pixel in (("blue", [0, 0, 255]), ("black", [0, 0, 0])):
            window.show(coloured(colour), FAST)
            assert shown(window)[0, 0].tolist() == pixel

    def test_drawing_is_as_large_as_the_window_and_in_its_middle(self, window):
        window.show(coloured("blue"), FAST)
        window._window.size = (400, 300)
        window.show(coloured("blue"), FAST)
        rows, columns = np.nonzero((shown(window) == [255, 0, 0]).all(axis=2))
        assert (rows.min(), rows.max(), columns.min(), columns.max()) == (100, 199, 100, 299)
        assert (shown(window)[0] == [0, 0, 255]).all()

    def test_resizing_draws_anew_while_it_waits(self, window):
        window.show(coloured("blue"), FAST)
        window._window.size = (400, 300)
        window._wait(monotonic() + 0.05)
        assert (shown(window)[100:200, 100:300] == [255, 0, 0]).all()

    @pytest.mark.parametrize("size", [(1, 1), (33, 500), (6000, 20)])
    def test_any_size_of_window(self, window, size):
        window.show(coloured("blue"), FAST)
        window._window.size = size
        window.show(coloured("blue"), FAST)

    def test_waits_between_drawings(self, window):
        window.show(coloured("blue"), 10)
        start = monotonic()
        window.show(coloured("black"), 10)
        window.show(coloured("black"), 10)
        assert 0.17 < monotonic() - start < 2

    def test_shut_down_by_others_it_opens_again(self, window):
        window.show(coloured("blue"), FAST)
        pygame.quit()
        window.show(coloured("blue"), FAST)
        assert shown(window).shape == (100, 200, 3)
        pygame.quit()
        window.close()

    @pytest.mark.parametrize("size", [31, 4097, "200", None])
    def test_other_sizes_are_refused(self, size):
        with pytest.raises(ValueError, match="32 to 4096"):
            Window("A test", size)


class TestClosing:
    def test_closed_by_its_user_it_stays_closed_and_waits_no_more(self, window):
        window.show(coloured("blue"), FAST)
        post(pygame.WINDOWCLOSE, window=window._window)
        window.show(coloured("black"), FAST)
        assert window._window is None
        start = monotonic()
        for _ in range(5):
            window.show(coloured("black"), 0.1)
        assert window._window is None
        assert monotonic() - start < 1

    def test_closed_while_it_waits(self, window):
        window.show(coloured("blue"), FAST)
        post(pygame.QUIT)
        start = monotonic()
        window.show(coloured("blue"), 0.01)
        assert monotonic() - start < 5

    def test_closed_by_the_program_it_opens_again(self, window):
        window.show(coloured("blue"), FAST)
        window.close()
        window.close()
        assert window._window is None
        window.show(coloured("black"), FAST)
        assert shown(window)[0, 0].tolist() == [0, 0, 0]

    def test_two_windows_are_apart(self, window):
        other = Window("Another", 100)
        for one in (window, other):
            one.show(coloured("blue"), FAST)
        post(pygame.WINDOWCLOSE, window=other._window)
        window.show(coloured("black"), FAST)
        assert window._window is not None
        other.show(coloured("black"), FAST)
        assert other._window is None
        window.show(coloured("black"), FAST)
        assert shown(window)[0, 0].tolist() == [0, 0, 0]

    @pytest.mark.parametrize(
        "copied", [copy.copy, copy.deepcopy, lambda window: pickle.loads(pickle.dumps(window))]
    )
    def test_copy_opens_a_window_of_its_own(self, window, copied):
        window.show(coloured("blue"), FAST)
        twin = copied(window)
        assert twin._window is None
        twin.show(coloured("black"), FAST)
        twin.close()
        assert shown(window)[0, 0].tolist() == [0, 0, 255]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is a display")
def test_no_display_is_a_clear_error(window, monkeypatch):
    pygame.quit()
    for name in ("SDL_VIDEODRIVER", "SDL_VIDEO_DRIVER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    for _ in range(2):
        with pytest.raises(RuntimeError, match=r"there is no display.*SDL_VIDEODRIVER=dummy"):
            window.show(coloured("blue"), FAST)


def test_unknown_driver_is_a_clear_error(window, monkeypatch):
    pygame.quit()
    monkeypatch.setenv("SDL_VIDEODRIVER", "no such driver")
    with pytest.raises(RuntimeError, match="there is no display"):
        window.show(coloured("blue"), FAST)


@pytest.mark.parametrize(
    ("package", "found", "message"),
    [
        ("pygame", None, r"windows need pygame-ce.*'pasgl-env\[render\]'"),
        ("pygame", types.ModuleType("pygame"), "windows need pygame-ce.*pip uninstall pygame"),
        ("thorvg_python", None, r"pixels need the extra.*'pasgl-env\[render\]'"),
        ("PIL", None, r"pixels need the extra.*'pasgl-env\[render\]'"),
        ("fontTools.ttLib", None, r"pixels need the extra.*'pasgl-env\[render\]'"),
    ],
)
def test_missing_package_names_the_extra(monkeypatch, package, found, message):
    monkeypatch.setitem(sys.modules, package, found)
    for module in ("pasgl_env.render.raster", "pasgl_env.render.window"):
        monkeypatch.delitem(sys.modules, module)
    with pytest.raises(ImportError, match=message):
        importlib.import_module("pasgl_env.render.window")
