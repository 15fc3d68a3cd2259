import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

pytest.importorskip("scipy")
pytest.importorskip("jinja2")

from pasgl_env.playtest.lab import report
from pasgl_env.playtest.lab.folder import GAMES, MANIFEST, BadRun
from pasgl_env.playtest.lab.play import Plan
from pasgl_env.playtest.lab.report import REPORT_FILE, write_report
from pasgl_env.playtest.lab.results import Results
from pasgl_env.playtest.lab.run import run
from pasgl_env.records import RecordError

HOSTILE = "<script>alert(1)</script>"


class Page(HTMLParser):
    """What a browser would make of a page, as far as tests ask."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.values, self.films = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag == "data":
            self.values.append(json.loads(dict(attrs)["value"]))
        if "data-frames" in dict(attrs):
            self.films.append(int(dict(attrs)["data-frames"]))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A run with its report."""
    folder = tmp_path_factory.mktemp("report") / "run"
    plan = Plan.of("pachessi", ("random", "random"), 5, turn_limit=12)
    command = ["pasgl", "playtest", "pachessi", "--out", HOSTILE]
    results = Results.of(plan, run(plan, 8, folder, command=command))
    write_report(results, folder)
    return results, folder


@pytest.fixture
def text(made):
    return (made[1] / REPORT_FILE).read_text("utf-8")


@pytest.fixture
def page(text):
    return Page(text)


def test_it_opens_without_a_network(text, page):
    assert not {"link", "img", "iframe", "object", "embed"} & set(page.tags)
    for name, value in page.attributes:
        if name in ("src", "href", "xlink:href", "action"):
            assert value.startswith("#")
    assert "@import" not in text
    assert "url(" not in text


def test_its_numbers_are_those_of_the_results(made, page):
    results, _ = made
    told = [value for value in page.values if value]
    known = [figure.estimate.value for figure in results.figures() if figure.estimate.value]
    assert sorted(told) == sorted(known)


def test_names_and_commands_are_text(made, page, text):
    results, _ = made
    assert page.tags.count("script") == 1
    assert "&lt;script&gt;alert(1)" in text
    hostile = results._replace(plan=replace(results.plan, players=(HOSTILE, HOSTILE)))
    manifest = json.loads((made[1] / MANIFEST).read_bytes())
    assert Page(report.page(hostile, manifest, ())).tags.count("script") == 1


def test_games_can_be_stepped_through(page, text):
    assert page.films
    assert all(frames > 1 for frames in page.films)
    # A film has a picture for each frame, once in each theme.
    assert text.count("<animate ") == 2 * sum(page.films)
    assert {name for _, name in page.attributes if name in ("light", "dark")} == {"light", "dark"}


def test_it_says_who_won_and_how_it_was_made(made, text):
    results, _ = made
    assert "random played random in 8 games." in text
    assert f"{results.figure('first_mover_score').estimate.value:.1%}" in text
    for name in results.plan.options:
        assert name in text


def test_made_again_it_is_the_same(made, text):
    results, folder = made
    write_report(results, folder)
    assert (folder / REPORT_FILE).read_text("utf-8") == text


@pytest.fixture
def copy(made, tmp_path):
    """A folder with the run's files, to be damaged."""
    for name in (MANIFEST, GAMES):
        (tmp_path / name).write_bytes((made[1] / name).read_bytes())
    return tmp_path


def test_without_games_it_says_so(made, copy):
    (copy / GAMES).unlink()
    write_report(made[0], copy)
    text = (copy / REPORT_FILE).read_text("utf-8")
    assert "were not kept" in text
    assert not Page(text).films


def test_a_damaged_file_of_games_is_an_error(made, copy):
    (copy / GAMES).write_bytes((copy / GAMES).read_bytes()[:-5])
    with pytest.raises(RecordError, match=re.escape(GAMES)):
        write_report(made[0], copy)
    assert not (copy / REPORT_FILE).exists()


@pytest.mark.parametrize("content", [None, b"", b"[]", b"{}", b'{"command": [1]}'])
def test_without_a_manifest_it_is_an_error(made, copy, content):
    (copy / MANIFEST).unlink()
    if content is not None:
        (copy / MANIFEST).write_bytes(content)
    with pytest.raises(BadRun, match=re.escape(MANIFEST)):
        write_report(made[0], copy)
