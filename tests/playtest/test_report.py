import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

pytest.importorskip("scipy")
pytest.importorskip("jinja2")

from pasgl_env import variants
from pasgl_env.games.pasgl312.drawing import forest
from pasgl_env.playtest import report
from pasgl_env.playtest.counting import table_of
from pasgl_env.playtest.folder import GAMES, Totals
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.report import REPORT_FILE, charts, heat, write_report
from pasgl_env.playtest.results import Results
from pasgl_env.playtest.run import run
from pasgl_env.records import RecordError
from pasgl_env.render.svg.theme import THEMES
from pasgl_env.statistics.histograms import BINS
from pasgl_env.statistics.texts import value_text
from pasgl_env.storage.runs import MANIFEST, BadRun

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


class HostilePlan(Plan):
    """A plan with a player whose name is a script."""

    untrained = ()
    shown_players = HOSTILE, HOSTILE


def test_names_and_commands_are_text(made, page, text):
    results, _ = made
    assert page.tags.count("script") == 1
    assert "&lt;script&gt;alert(1)" in text
    hostile = results._replace(plan=HostilePlan(**vars(results.plan)))
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
    assert "played itself in 8 games." in text
    assert "4 pairs of games are too few for a verdict" in text
    assert value_text(results.figure("first_mover_score").estimate, is_share=True) in text
    for name in results.plan.ruleset.options:
        assert name in text


def test_a_bar_that_dwarfs_the_others_has_a_gap():
    histogram = np.zeros(BINS, np.int64)
    histogram[[10, 11, 20]] = 5, 7, 21
    drawn = charts.lengths("lengths", histogram, "turns")
    assert "gap" not in drawn
    assert ">21</text>" in drawn
    histogram[20] = 2200
    drawn = charts.lengths("lengths", histogram, "turns")
    assert drawn.count('class="gap"') == 1
    assert ">2,200</text>" in drawn
    assert ">7</text>" in drawn
    assert "20 turns: 2,200 games" in drawn


def test_teams_are_named(made):
    manifest = json.loads((made[1] / MANIFEST).read_bytes())
    plan = Plan.of("pachessi", ("random", "greedy"), players=4)
    text = report.page(counted("pachessi")._replace(plan=plan), manifest, ())
    assert "Black and Yellow are a team, and so are Green and Red." in text


def test_made_again_it_is_the_same(made, text):
    results, folder = made
    write_report(results, folder)
    assert (folder / REPORT_FILE).read_text("utf-8") == text


def counted(variant, **counts):
    """The results of two games with these values of counters, in their first cells."""
    plan = Plan.of(variant, ("random", "random"))
    none = Totals.none(plan)
    sums = none.counts.sums.copy()
    for name, count in {"games": 2, **counts}.items():
        sums[0, table_of(variants.find(variant)).firsts[name]] = count
    lengths = none.counts.lengths.copy()
    lengths[:, 9] = 2
    made = none.counts._replace(games=2, sums=sums, lengths=lengths)
    return Results.of(plan, Totals(1, made, 0))


def measure_of(results, name):
    return next(measure for measure in results.measures if measure.name == name)


def test_a_heat_map_is_drawn_below_the_scenery():
    results = counted("pasgl312", deaths_on=6)
    found = heat.heat_map(results, measure_of(results, "deaths_on"))
    assert found is not None
    assert (found.square, found.most) == ("a1", 3)
    for name, drawing in found.drawings.items():
        scenery = drawing.index(forest.railway(THEMES[name]))
        assert 0 < drawing.index(">a1: 3 a game<") < drawing.index(">h8: 0 a game<") < scenery
        assert 'class="piece"' not in drawing


def test_there_is_no_heat_map_of_nothing():
    results = counted("pasgl312")
    assert heat.heat_map(results, measure_of(results, "deaths_on")) is None
    results = counted("pasgl312", deaths=1)
    assert heat.heat_map(results, measure_of(results, "deaths")) is None


def test_a_table_without_rows_has_no_headings(made):
    manifest = json.loads((made[1] / MANIFEST).read_bytes())
    text = report.page(counted("pasgl312", rides=4), manifest, ())
    assert section_of(text, "rides").count("<th>White</th>") == 1
    assert ">critter</th>" in section_of(text, "rides")
    deaths = section_of(text, "deaths")
    assert "It never happened" in deaths
    assert "White" not in deaths


def section_of(text, name):
    """A measure's part of a page."""
    return text.split(f'<h3 id="{name}"')[1].split("<h3")[0]


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
