"""Films show their frames in order, each for the requested time."""

import re
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image, ImageSequence

from pasgl_env import Position, animation, render
from pasgl_env.animation import Film, film_of
from pasgl_env.records import GameRecord

SVG = "{http://www.w3.org/2000/svg}"
UNSEEN = {f"{SVG}title", f"{SVG}desc", f"{SVG}defs"}
TURNS = ["Th1h2", "wg8g6", "Th2h3"]
DICE = ["roll 2 6", "2:Hc7-b5", "6:Ra7-a6", "roll 3 3"]


def record(variant="pasgl312", labels=TURNS, **options):
    return GameRecord.of(Position(variant, **options), labels)


def frames_of(svg):
    """The groups that are shown one after the other."""
    return [
        group
        for group in ElementTree.fromstring(svg)
        if len(group) and group[0].tag == f"{SVG}animate"
    ]


def shown(svg, moment):
    """The numbers of the frames that are seen at a moment, in parts of the whole time."""
    numbers = []
    for number, group in enumerate(frames_of(svg)):
        values = group[0].get("values").split(";")
        times = map(float, group[0].get("keyTimes").split(";"))
        state = [value for value, time in zip(values, times, strict=True) if time <= moment][-1]
        numbers += [number] if state == "inline" else []
    return numbers


def resolved(element, symbols):
    """Everything that is drawn, with what is used in the place of its use."""
    name = element.get("href", "")[1:]
    if name in symbols:
        return [part for child in symbols[name] for part in resolved(child, symbols)]
    own = (element.tag, *sorted(element.attrib.items()), element.text)
    return [own, *(part for child in element for part in resolved(child, symbols))]


class TestSvg:
    def test_each_frame_has_its_time_and_the_last_one_more(self):
        svg = film_of(record()).to_svg(seconds=0.5)
        assert len(frames_of(svg)) == 4
        moments = [0, 0.1, 0.15, 0.28, 0.29, 0.5, 0.99]
        assert [shown(svg, moment) for moment in moments] == [[0], [0], [1], [1], [2], [3], [3]]
        assert {group[0].get("dur") for group in frames_of(svg)} == {"3.5s"}

    def test_the_last_frame_is_seen_where_nothing_moves(self):
        hidden = [group.get("display") for group in frames_of(film_of(record()).to_svg())]
        assert hidden == ["none", "none", "none", None]

    @pytest.mark.parametrize("number", range(5))
    def test_a_frame_is_the_drawing_of_the_position_and_a_strip(self, number):
        game = record("pachessi", DICE, players=4)
        scene = ElementTree.fromstring(film_of(game).to_svg())
        # Those that stand for parts of several frames; the others are the drawing's own.
        symbols = {
            each.get("id"): each
            for each in scene.iter()
            if re.fullmatch("f[0-9a-f]{10}", each.get("id", ""))
        }
        frames = [each for each in scene if len(each) and each[0].tag == f"{SVG}animate"]
        _, *ground = (each for each in scene if each.tag not in UNSEEN and each not in frames)
        _, *frame = frames[number]
        drawn = [part for each in [*ground, *frame] for part in resolved(each, symbols)]
        picture = ElementTree.fromstring(render.svg(list(game.positions())[number]))
        seen = [each for each in picture if each.tag not in UNSEEN]
        assert drawn[:-3] == [part for each in seen for part in resolved(each, {})]
        assert [part[0] for part in drawn[-3:]] == [f"{SVG}text", f"{SVG}rect", f"{SVG}rect"]

    def test_has_no_script_and_no_style_that_a_page_would_share(self):
        svg = film_of(record()).to_svg()
        assert "<script" not in svg and "<style" not in svg

    def test_equal_ids_of_two_films_are_of_equal_shapes(self):
        one, other = film_of(record()), film_of(record(labels=["Th1h2", "wg8g6", "Df1d5"]))
        shapes = dict[str, str]()
        for svg in (one.to_svg(), other.to_svg(), render.svg(Position("pasgl312"))):
            for name, shape in re.findall(r'<g id="([^"]+)">(.*?)</g>', svg):
                assert shapes.setdefault(name, shape) == shape

    def test_grows_slowly(self):
        film = Film()
        position = Position("pachessi", players=4)
        for label in ["roll 2 6", "2:Hc7-b5", "6:Ra7-a6"]:
            film.add(position.play(label))
        short = len(film.to_svg())
        for _ in range(100):
            film.add(position)
        assert len(film.to_svg()) < short + 100 * 2500


class TestCaptions:
    def captions(self, film):
        groups = frames_of(film.to_svg())
        return [[text.text for text in group.iter(f"{SVG}text")][-1] for group in groups]

    def test_are_in_the_notation_of_the_inventor(self):
        assert self.captions(film_of(record()))[1:] == [
            "1. Th1h2",
            "2. wg8g6 Xh4 W:0 B:0",
            "3. Th2h3",
        ]

    def test_tell_dice_as_they_are_rolled(self):
        captions = self.captions(film_of(record("pachessi", DICE)))
        assert captions[1:3] == ["1. roll 2 6", "1. roll 2 6, 2:Hc7-b5"]

    def test_what_happened_is_told_below_where_wanted(self):
        before = "4b3/8/8/4t3/8/8/4H3/4B3 ./././. ./. 1 w 0:0 0 0"
        position = Position.from_text("pasgl312", before).play("He2:e5")
        film, silent = Film(tells=True), Film()
        for each in (film, silent):
            each.add(position)
        told = [text.text for text in frames_of(film.to_svg())[0].iter(f"{SVG}text")][-2:]
        assert told == ["1. He2:e5", "White's Hunter shot Black's Turkey on e5."]
        assert self.captions(silent) == ["1. He2:e5"]
        assert film.drawing(0).height > silent.drawing(0).height

    def test_are_cut_where_they_are_too_long(self):
        film = Film()
        film.add(Position("pasgl312"), "x" * 100)
        film.add(Position("pasgl312"), "<&>")
        assert self.captions(film) == ["x" * 41 + "...", "<&>"]


class TestGif:
    def frames(self, film, **settings):
        image = Image.open(BytesIO(film.to_gif(**settings)))
        for frame in ImageSequence.Iterator(image):
            yield image.info["duration"], np.array(frame.convert("RGB"), np.int16)

    def test_each_frame_is_there_for_its_time(self):
        frames = list(self.frames(film_of(record()), size=200, seconds=0.5))
        assert [milliseconds for milliseconds, _ in frames] == [500, 500, 500, 2000]
        assert len({image.tobytes() for _, image in frames}) == 4
        assert {max(image.shape) for _, image in frames} == {200}

    def test_colours_stay_what_they_are(self):
        from pasgl_env.render.raster import pixels

        film = film_of(record("pachessi", DICE, players=4), "dark")
        for number, (_, image) in enumerate(self.frames(film, size=300)):
            errors = np.abs(image - pixels(film.drawing(number), 300))
            assert errors.mean() < 1 and errors.max() < 32

    def test_begins_anew(self):
        assert Image.open(BytesIO(film_of(record()).to_gif(100))).info["loop"] == 0


def test_a_film_of_one_frame_is_that_picture():
    film = Film()
    film.add(Position("spalding"))
    assert shown(film.to_svg(), 0) == [0] == shown(film.to_svg(), 0.9)
    assert len(list(ImageSequence.Iterator(Image.open(BytesIO(film.to_gif(100)))))) == 1


def test_an_unfinished_turn_is_the_last_frame():
    game = GameRecord.of(Position("spalding"), ["Xe1-e2"])
    assert game.final.in_turn
    assert len(film_of(game)) == 2


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"seconds": 0.01}, "for 0.02 to 60 seconds, not 0.01"),
        ({"seconds": 61}, "for 0.02 to 60 seconds, not 61"),
        ({"seconds": float("nan")}, "not nan"),
        ({"seconds": "1"}, "not '1'"),
        ({"size": 31}, "size must be an integer"),
    ],
)
def test_impossible_settings_are_refused(changed, message):
    with pytest.raises(ValueError, match=message):
        film_of(record()).to_gif(**changed)


@pytest.mark.parametrize("caption", ["two\nlines", "a\0b", 5])
def test_a_caption_that_no_svg_can_show_is_refused(caption):
    film = Film()
    with pytest.raises(ValueError, match="a caption must be a line of text"):
        film.add(Position("pasgl312"), caption)
    assert len(film) == 0


@pytest.mark.parametrize("write", [Film.to_svg, Film.to_gif])
def test_a_film_of_nothing_is_refused(write):
    with pytest.raises(ValueError, match="at least one frame"):
        write(Film())


def test_an_unknown_theme_is_refused():
    with pytest.raises(ValueError, match="theme must be 'light' or 'dark', not 'blue'"):
        Film("blue").add(Position("pasgl312"))


@pytest.mark.parametrize(
    "other", [Position("spalding"), Position("pachessi", size=9), Position("grand_pachessi")]
)
def test_frames_of_other_boards_are_refused(other):
    film = Film()
    film.add(Position("pachessi"))
    with pytest.raises(ValueError, match="one variant"):
        film.add(other)
    assert len(film) == 1


def test_a_gif_that_would_not_fit_into_memory_is_refused(monkeypatch):
    monkeypatch.setattr(animation, "MOST_PIXELS", 39_999)
    with pytest.raises(ValueError, match="4 frames of size 100 need too much memory"):
        film_of(record()).to_gif(100)


def test_a_film_has_an_end(monkeypatch):
    monkeypatch.setattr(animation, "MOST_FRAMES", 2)
    with pytest.raises(ValueError, match="at most 2 frames"):
        film_of(record())
