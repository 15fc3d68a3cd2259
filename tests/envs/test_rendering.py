"""Render modes of all environments, and the wrappers that record and show them."""

import copy
import os
import pickle
import subprocess
import sys
import types
from typing import Any, ClassVar

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import HumanRendering, RecordVideo, RenderCollection
from gymnasium.wrappers.vector import RecordVideo as RecordVectorVideo
from pettingzoo.utils import wrappers

import pasgl_env
from pasgl_env import Position, render
from pasgl_env.envs.aec import VariantEnv
from pasgl_env.envs.gym import DuelEnv, DuelVectorEnv

NAME = "pasgl_env/Pasgl312-v0"
SHAPE = render.rgb(Position("pasgl312"), size=64).shape


def quick(env):
    """The environment with a window that does not wait."""
    env.unwrapped.metadata["render_fps"] = 10_000
    return env


def aec(variant="pasgl312", **arguments):
    env = quick(pasgl_env.make(variant, **arguments))
    env.reset(seed=1)
    return env


def duel(**arguments):
    env = quick(gymnasium.make(NAME, learner=0, render_size=64, **arguments))
    env.reset(seed=1)
    return env


def vector():
    envs = gymnasium.make_vec(NAME, num_envs=2, render_mode="rgb_array", render_size=64)
    envs.reset(seed=1)
    return envs


def play_some(env, steps=3):
    """Play legal actions; return the output of the last ``step``."""
    for _ in range(steps):
        mask = env.unwrapped.action_masks().astype(np.int8)
        returned = env.step(env.action_space.sample(mask))
    return returned


class TestImages:
    def test_aec_gives_the_position_with_its_marks(self, variant):
        env = aec(variant, render_mode="rgb_array")
        for _ in range(3):
            agent = env.agent_selection
            env.step(env.action_space(agent).sample(env.observe(agent)["action_mask"]))
        assert (env.render() == render.rgb(env.unwrapped.position)).all()

    def test_size_and_theme(self):
        env = aec(render_mode="rgb_array", render_size=80, render_theme="dark")
        assert (env.render() == render.rgb(Position("pasgl312"), size=80, theme="dark")).all()

    def test_gymnasium_gives_the_game_and_at_the_end_the_last_state(self):
        env = duel(render_mode="rgb_array")
        text = "8/8/8/4b3/3H4/8/8/T3B3 ./././. ./. 1 w 27:0 0 0"
        env.reset(options={"position": text})
        position = Position.from_text("pasgl312", text)
        assert (env.render() == render.rgb(position, size=64)).all()
        _, _, terminated, *_ = env.step(position.action("Ta1a2"))
        assert terminated
        state = position.play("Ta1a2").state[0]
        last = render.drawing_of_state(position.ruleset, state)
        assert (env.render() == render.raster.pixels(last, 64)).all()

    def test_vector_environment_gives_an_image_of_every_game(self):
        envs = vector()
        images = envs.render()
        assert [image.shape for image in images] == [SHAPE] * 2
        assert envs.metadata["render_modes"] == ["ansi", "rgb_array"]

    def test_stable_baselines_gives_all_games_in_one_image(self):
        vec = pytest.importorskip("pasgl_env.envs.vec", exc_type=ImportError)
        envs = vec.SelfPlayVecEnv("pasgl312", 4, render_mode="rgb_array", render_size=64)
        envs.reset()
        height, width, _ = SHAPE
        assert envs.render().shape == (2 * height, 2 * width, 3)


class TestWindow:
    @pytest.fixture(params=[aec, duel])
    def env(self, request):
        env = request.param(render_mode="human")
        yield env
        env.close()

    def test_shows_every_reset_and_step(self, env, monkeypatch):
        window = env.unwrapped._renderer._window
        shown = []
        monkeypatch.setattr(type(window), "show", lambda self, *drawing: shown.append(drawing))
        env.reset(seed=1)
        action = Position("pasgl312").action("Th1h2")
        env.step(action)
        assert env.render() is None
        assert len(shown) == 3
        (first, fps), (second, _), (third, _) = shown
        assert first.to_svg() != second.to_svg() == third.to_svg()
        assert fps == 10_000

    def test_closes_and_opens_again(self, env):
        window = env.unwrapped._renderer._window
        assert window._window is not None
        env.close()
        assert window._window is None
        env.reset(seed=1)
        assert window._window is not None

    @pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
    def test_copy_plays_on_with_a_window_of_its_own(self, copied):
        env = aec(render_mode="human")
        twin = copied(env)
        action = Position("pasgl312").action("Th1h2")
        for one in (env, twin):
            one.step(action)
        windows = [one.unwrapped._renderer._window._window for one in (env, twin)]
        assert None not in windows and windows[0] is not windows[1]
        for one in (env, twin):
            one.close()


class TestArguments:
    @pytest.mark.parametrize("make", [VariantEnv, DuelEnv, DuelVectorEnv])
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (
                {"render_mode": "rgb"},
                "render_mode must be 'ansi', 'rgb_array'.* or None, not 'rgb'",
            ),
            ({"render_mode": ["ansi"]}, "render_mode must be"),
            ({"render_mode": "rgb_array", "render_size": 0}, "size must be an integer"),
            (
                {"render_mode": "ansi", "render_size": 4097},
                "number of pixels, 32 to 4096, not 4097",
            ),
            ({"render_mode": "ansi", "render_size": "large"}, "size must be an integer"),
            ({"render_mode": "rgb_array", "render_theme": "blue"}, "theme must be 'light' or"),
            ({"render_mode": "ansi", "render_theme": "blue"}, "theme must be 'light' or"),
        ],
    )
    def test_wrong_ones_are_refused_at_once(self, make, arguments, message):
        with pytest.raises(ValueError, match=message):
            make("pasgl312", **arguments)

    def test_vector_environment_has_no_window(self):
        with pytest.raises(ValueError, match="must be 'ansi', 'rgb_array' or None, not 'human'"):
            gymnasium.make_vec(NAME, num_envs=2, render_mode="human")

    @pytest.mark.parametrize("make", [VariantEnv, DuelEnv, DuelVectorEnv])
    def test_missing_extra_is_an_error_at_once(self, make, monkeypatch):
        monkeypatch.setitem(sys.modules, "thorvg_python", None)
        monkeypatch.delitem(sys.modules, "pasgl_env.render.raster", raising=False)
        monkeypatch.delattr(render, "raster", raising=False)
        with pytest.raises(ImportError, match=r"pip install 'pasgl-env\[render\]'"):
            make("pasgl312", render_mode="rgb_array")
        make("pasgl312", render_mode="ansi")


class TestWrappers:
    def test_collection(self):
        env = RenderCollection(duel(render_mode="rgb_array"))
        env.reset(seed=1)
        play_some(env)
        frames: Any = env.render()
        assert [frame.shape for frame in frames] == [SHAPE] * 4

    def test_list_of_images_as_a_render_mode(self):
        env = duel(render_mode="rgb_array_list")
        assert [frame.shape for frame in env.render()] == [SHAPE]

    def test_human_rendering(self):
        env = HumanRendering(duel(render_mode="rgb_array"))
        env.reset(seed=1)
        play_some(env)
        env.close()


class Clip:
    """Replaces the clip of MoviePy, which cannot be installed together with Pillow 12 or later."""

    saved: ClassVar[list[tuple[list[np.ndarray], int]]] = []

    def __init__(self, frames, fps):
        self.film = list(frames), fps

    def write_videofile(self, path, **options):
        self.saved.append(self.film)


class TestVideos:
    @pytest.fixture(autouse=True)
    def moviepy(self, monkeypatch):
        module: Any = types.ModuleType("moviepy")
        module.ImageSequenceClip = Clip
        for name in ("moviepy", "moviepy.video.io.ImageSequenceClip"):
            monkeypatch.setitem(sys.modules, name, module)
        monkeypatch.setattr(Clip, "saved", [])

    @pytest.fixture
    def folder(self, tmp_path):
        return str(tmp_path / "videos")

    def assert_film(self, shape, fps):
        ((frames, speed),) = Clip.saved
        assert ([frame.shape for frame in frames], speed) == ([shape] * 4, fps)
        assert (frames[0] != frames[-1]).any()

    def test_gymnasium(self, folder):
        env = RecordVideo(duel(render_mode="rgb_array"), folder)
        env.reset(seed=1)
        play_some(env)
        env.close()
        self.assert_film(SHAPE, 10_000)

    @pytest.mark.filterwarnings("ignore:.*autoreset mode")
    def test_vector_environment(self, folder):
        games = vector()
        envs = RecordVectorVideo(games, folder, fps=10)
        envs.reset(seed=1)
        for _ in range(3):
            envs.step(games.action_masks().argmax(axis=1))
        envs.close()
        self.assert_film((SHAPE[0], 2 * SHAPE[1], 3), 10)

    def test_pettingzoo(self, folder):
        env = pasgl_env.make("pasgl312", render_mode="rgb_array", render_size=64)
        env = wrappers.RecordVideo(env, folder)
        env.reset(seed=1)
        for _ in range(3):
            env.step(env.unwrapped.position.legal_actions()[0])
        env.close()
        self.assert_film(SHAPE, env.metadata["render_fps"])

    def test_stable_baselines(self, folder):
        vec_env = pytest.importorskip("stable_baselines3.common.vec_env")
        vec = pytest.importorskip("pasgl_env.envs.vec", exc_type=ImportError)
        envs = vec.SelfPlayVecEnv("pasgl312", 1, render_mode="rgb_array", render_size=64)
        envs = vec_env.VecVideoRecorder(envs, folder, lambda step: step == 0, 3)
        envs.reset()
        for _ in range(4):
            envs.step(envs.unwrapped.sample())
        envs.close()
        self.assert_film(SHAPE, 1)


STEPPING = """
import sys
import gymnasium
import pasgl_env
env = pasgl_env.make("pasgl312")
env.reset(seed=1)
env.step(env.unwrapped.position.legal_actions()[0])
env.close()
envs = gymnasium.make_vec("pasgl_env/Pasgl312-v0", num_envs=2)
envs.reset(seed=1)
envs.step(envs.unwrapped.action_masks().argmax(axis=1))
drawing = ("pasgl_env.render", "thorvg_python", "fontTools", "PIL", "pygame")
print(*(name for name in sys.modules if name.startswith(drawing)))
"""


def test_what_draws_is_not_imported_without_a_render_mode():
    inherited = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-c", STEPPING], env=inherited, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []
