"""Every game of this package has every part, and each part follows its protocol."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import import_module
from threading import Timer

import pytest

from pasgl_env import variants
from pasgl_env.contract import parts
from pasgl_env.games.chieftain import description as chieftain_description
from pasgl_env.games.chieftain import events as chieftain_events
from pasgl_env.games.chieftain import guide as chieftain_guide
from pasgl_env.games.chieftain import notation as chieftain_notation
from pasgl_env.games.chieftain import summary as chieftain_summary
from pasgl_env.games.chieftain.drawing import diagram as chieftain_diagram
from pasgl_env.games.chieftain.drawing import svg as chieftain_svg
from pasgl_env.games.chieftain.statistics import counters as chieftain_counters
from pasgl_env.games.chieftain.statistics import material as chieftain_material
from pasgl_env.games.pachessi import description as pachessi_description
from pasgl_env.games.pachessi import events as pachessi_events
from pasgl_env.games.pachessi import guide as pachessi_guide
from pasgl_env.games.pachessi import notation as pachessi_notation
from pasgl_env.games.pachessi import summary as pachessi_summary
from pasgl_env.games.pachessi.drawing import diagram as pachessi_diagram
from pasgl_env.games.pachessi.drawing import svg as pachessi_svg
from pasgl_env.games.pachessi.statistics import counters as pachessi_counters
from pasgl_env.games.pachessi.statistics import material as pachessi_material
from pasgl_env.games.pasgl312 import description as pasgl312_description
from pasgl_env.games.pasgl312 import events as pasgl312_events
from pasgl_env.games.pasgl312 import guide as pasgl312_guide
from pasgl_env.games.pasgl312 import notation as pasgl312_notation
from pasgl_env.games.pasgl312 import summary as pasgl312_summary
from pasgl_env.games.pasgl312.drawing import diagram as pasgl312_diagram
from pasgl_env.games.pasgl312.drawing import svg as pasgl312_svg
from pasgl_env.games.pasgl312.statistics import counters as pasgl312_counters
from pasgl_env.games.pasgl312.statistics import material as pasgl312_material
from pasgl_env.games.spalding import description as spalding_description
from pasgl_env.games.spalding import events as spalding_events
from pasgl_env.games.spalding import guide as spalding_guide
from pasgl_env.games.spalding import notation as spalding_notation
from pasgl_env.games.spalding import summary as spalding_summary
from pasgl_env.games.spalding.drawing import diagram as spalding_diagram
from pasgl_env.games.spalding.drawing import svg as spalding_svg
from pasgl_env.games.spalding.statistics import counters as spalding_counters
from pasgl_env.games.spalding.statistics import material as spalding_material

# mypy compares these modules with the protocols.
DESCRIPTIONS: list[parts.Description] = [
    chieftain_description,
    pachessi_description,
    pasgl312_description,
    spalding_description,
]
EVENTS: list[parts.Events] = [
    chieftain_events,
    pachessi_events,
    pasgl312_events,
    spalding_events,
]
NOTATIONS: list[parts.Notation] = [
    chieftain_notation,
    pachessi_notation,
    pasgl312_notation,
    spalding_notation,
]
DIAGRAMS: list[parts.Diagram] = [
    chieftain_diagram,
    pachessi_diagram,
    pasgl312_diagram,
    spalding_diagram,
]
DRAWINGS: list[parts.Drawing] = [chieftain_svg, pachessi_svg, pasgl312_svg, spalding_svg]
SUMMARIES: list[parts.Summary] = [
    chieftain_summary,
    pachessi_summary,
    pasgl312_summary,
    spalding_summary,
]
GUIDES: list[parts.Guide] = [chieftain_guide, pachessi_guide, pasgl312_guide, spalding_guide]
COUNTERS: list[parts.Counters] = [
    chieftain_counters,
    pachessi_counters,
    pasgl312_counters,
    spalding_counters,
]
MATERIAL: list[parts.Material] = [
    chieftain_material,
    pachessi_material,
    pasgl312_material,
    spalding_material,
]


@pytest.mark.parametrize(
    ("part", "known"),
    [
        (parts.description, DESCRIPTIONS),
        (parts.events, EVENTS),
        (parts.notation, NOTATIONS),
        (parts.diagram, DIAGRAMS),
        (parts.drawing, DRAWINGS),
        (parts.summary, SUMMARIES),
        (parts.guide, GUIDES),
        (parts.counters, COUNTERS),
        (parts.material, MATERIAL),
    ],
)
def test_every_game_has_every_part(variant, part, known):
    assert part(variants.find(variant)) in known


def test_a_part_that_another_thread_imports_is_waited_for(tmp_path, monkeypatch):
    package = tmp_path / "slowgame"
    package.mkdir()
    (package / "__init__.py").write_text(
        "from threading import Event\nbegun, goes_on = Event(), Event()"
    )
    text = "from slowgame import begun, goes_on\nbegun.set()\ngoes_on.wait(60)\nSUMMARY = 1\n"
    (package / "summary.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    slow, gate = replace(variants.find("spalding"), package="slowgame"), import_module("slowgame")
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(parts.summary, slow)
        assert gate.begun.wait(60)
        second = threads.submit(parts.summary, slow)
        Timer(0.1, gate.goes_on.set).start()
        assert vars(second.result(60))["SUMMARY"] == 1
        assert first.result(60) is second.result(60)


def test_an_error_inside_a_part_is_not_taken_for_a_missing_part(tmp_path, monkeypatch):
    package = tmp_path / "oddgame"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "summary.py").write_text("import nothing_like_it\n")
    monkeypatch.syspath_prepend(tmp_path)
    odd = replace(variants.find("spalding"), name="odd", package="oddgame")
    with pytest.raises(ModuleNotFoundError, match="nothing_like_it"):
        parts.summary(odd)
    with pytest.raises(NotImplementedError, match="odd has no guide"):
        parts.guide(odd)
