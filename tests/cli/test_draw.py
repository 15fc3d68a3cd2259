import errno
import os
import sys

import pytest
from PIL import Image, ImageSequence

from pasgl_env import Position, render
from pasgl_env.records import GameRecord, write_records

from .runner import run

START = Position("pasgl312")


@pytest.fixture
def games(tmp_path):
    file = tmp_path / "two.pgr"
    short = GameRecord.of(START, ["Th1h2"])
    long = GameRecord.of(START, ["Th1h2", "wg8g6", "Th2h3"])
    write_records(file, [short, long])
    return file


def frames(file):
    return len(list(ImageSequence.Iterator(Image.open(file))))


def test_a_position_as_svg(tmp_path):
    file = tmp_path / "a.svg"
    result = run("draw", "pasgl312", "-o", str(file), "--theme", "dark", "--size", "300")
    assert result.exit_code == 0
    assert file.read_text() == render.svg(START, theme="dark", size=300)
    assert f"{file.stat().st_size:,} bytes" in result.output


@pytest.mark.parametrize(
    ("what", "name"), [(["pachessi"], "pachessi.svg"), (["--game", "two.pgr:2"], "two.svg")]
)
def test_without_a_file_it_is_an_svg_named_for_what_it_shows(
    tmp_path, games, monkeypatch, what, name
):
    monkeypatch.chdir(tmp_path)
    assert run("draw", *what).exit_code == 0
    assert (tmp_path / name).read_text().startswith("<svg")


def test_a_position_of_a_text_with_options_and_targets_as_png(tmp_path):
    file = tmp_path / "a.png"
    position = Position("pachessi", players=4).play("roll 2 3")
    result = run(
        *("draw", "pachessi", position.text, "--set", "players=4", "--origin", "b7"),
        *("--size", "200", "-o", str(file)),
    )
    assert result.exit_code == 0
    same = Position.from_text("pachessi", position.text, players=4)
    assert file.read_bytes() == render.png(same, size=200, origin="b7")


@pytest.mark.parametrize(("suffix", "number"), [("", 2), (":1", 2), (":2", 4)])
def test_a_game_as_gif(tmp_path, games, suffix, number):
    file = tmp_path / "a.gif"
    result = run("draw", "--game", f"{games}{suffix}", "-o", str(file), "--size", "100")
    assert result.exit_code == 0
    assert frames(file) == number


def test_a_game_as_svg(tmp_path, games):
    file = tmp_path / "a.svg"
    run("draw", "--game", f"{games}:2", "-o", str(file), "--seconds", "2")
    assert file.read_text().count('dur="14s"') == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["pasgl312", "-o", "a.gif"], "a position can be drawn as .svg or .png, not as a.gif"),
        (["--game", "GAMES", "-o", "a.png"], "a game can be drawn as .svg or .gif, not as a.png"),
        (["-o", "a.svg"], "either VARIANT or --game FILE"),
        (["pasgl312", "--game", "GAMES", "-o", "a.svg"], "either VARIANT or --game FILE"),
        (["--game", "GAMES:3", "-o", "a.svg"], "has fewer than 3 games"),
        (["--game", "GAMES:0", "-o", "a.svg"], "numbered from 1"),
        (["--game", "none.pgr", "-o", "a.svg"], "none.pgr: No such file"),
        (["--game", "GAMES", "--origin", "a1", "-o", "a.svg"], "for positions, not for games"),
        (["--game", "GAMES", "--seconds", "0", "-o", "a.gif"], "for 0.02 to 60 seconds"),
        (["pasgl312", "--seconds", "2", "-o", "a.svg"], "--seconds and --events are for games"),
        (["pasgl312", "--theme", "blue", "-o", "a.svg"], "theme must be"),
        (["pasgl312", "--size", "5", "-o", "a.png"], "size must be"),
        (
            ["--game", "GAMES", "--size", "0", "-o", "a.svg"],
            "size must be above 0 and up to 100000",
        ),
        (["pasgl312", "--origin", "e5", "-o", "a.svg"], "no legal move starts from 'e5'"),
        (["pasgl312", "nonsense", "-o", "a.svg"], "position text"),
        (["pasgl312", "-o", "none/a.svg"], "none/a.svg: No such file"),
    ],
)
def test_what_is_wrong_is_said_in_a_line_and_nothing_is_written(
    tmp_path, monkeypatch, games, arguments, message
):
    monkeypatch.chdir(tmp_path)
    result = run("draw", *(each.replace("GAMES", games.name) for each in arguments))
    assert result.exit_code == 2
    assert message in result.output and result.output.count("\n") == 1
    assert [file.name for file in tmp_path.iterdir()] == [games.name]


@pytest.mark.parametrize(
    "arguments", [["pasgl312", "-o", "a.png"], ["--game", "no", "-o", "a.gif"]]
)
def test_a_missing_extra_is_told_of_before_anything_is_done(tmp_path, monkeypatch, arguments):
    """Compiling the rules takes half a minute."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("pasgl_env.cli.draw.read_ruleset", None)
    monkeypatch.delattr("pasgl_env.render.raster", raising=False)
    monkeypatch.delitem(sys.modules, "pasgl_env.render.raster", raising=False)
    monkeypatch.setitem(sys.modules, "thorvg_python", None)
    result = run("draw", *arguments)
    assert result.exit_code == 2
    assert "pip install 'pasgl-env[render]'" in result.output


def test_a_file_is_replaced_only_by_force(tmp_path):
    file = tmp_path / "a.svg"
    file.write_text("mine")
    result = run("draw", "pasgl312", "-o", str(file))
    assert result.exit_code == 2 and "--force replaces it" in result.output
    assert file.read_text() == "mine"
    assert run("draw", "pasgl312", "-o", str(file), "--force").exit_code == 0
    assert file.read_text() != "mine"


def test_the_old_picture_stays_if_the_new_one_cannot_be_written(tmp_path, monkeypatch):
    def full(number):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    file = tmp_path / "a.svg"
    file.write_text("mine")
    monkeypatch.setattr(os, "fsync", full)
    result = run("draw", "pasgl312", "-o", str(file), "--force")
    assert result.exit_code == 2 and "No space left on device" in result.output
    assert file.read_text() == "mine"
