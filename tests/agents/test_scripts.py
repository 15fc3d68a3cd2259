"""The scripts that make the shipped agents: they run, and their cards tell what they do."""

import runpy
from dataclasses import replace
from pathlib import Path

import pytest

from pasgl_env.search import weights
from pasgl_env.training.settings import command_of

AGENTS = Path(__file__).parents[2] / "agents"
SCRIPTS = {str(file.relative_to(AGENTS)): file for file in sorted(AGENTS.glob("*/*.py"))}


def runs(script):
    """The settings of each run that a script makes, by folder."""
    names = runpy.run_path(str(script))
    return names["STAGES"] if "STAGES" in names else {str(names["OUT"]): names["SETTINGS"]}


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_card_has_the_command_of_the_last_run(name):
    script = SCRIPTS[name]
    *_, last = runs(script).values()
    card = script.with_suffix(".md").read_text().splitlines()
    assert card[5].strip() == command_of(last)


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_run_begins_with_the_one_before_it(name):
    folders = list(runs(SCRIPTS[name]))
    starts = [settings.start for settings in runs(SCRIPTS[name]).values()]
    assert starts[1:] == folders[:-1]


def test_every_shipped_file_has_a_script():
    made = {f"{file.parent.name}/{file.stem}" for file in SCRIPTS.values()}
    values = {f"{file.stem}/td" for file in weights.SHIPPED.glob("*.safetensors")}
    checkpoints = AGENTS.parent / "pasgl_env" / "players" / "checkpoints"
    networks = {f"{file.parent.name}/ppo" for file in checkpoints.glob("*/ppo.pt")}
    assert made == values | networks


def main_of(script, **changes):
    """The function ``main`` of a script, with other settings."""
    main = runpy.run_path(str(script))["main"]
    main.__globals__.update(changes)
    return main


def test_a_script_for_learned_values_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    script = SCRIPTS["pachessi/td.py"]
    ((folder, settings),) = runs(script).items()
    short = replace(settings, minutes=None, games=20, options={"size": 5, "hole": 1})
    main_of(script, SETTINGS=short, MATCHES=(("td", "random", 4),))()
    assert (tmp_path / folder / weights.FILE).exists()
    assert f"td:values={folder}" in capsys.readouterr().out


def test_a_script_for_networks_runs(tmp_path, monkeypatch, capsys):
    pytest.importorskip("sb3_contrib")
    monkeypatch.chdir(tmp_path)
    script = SCRIPTS["grand_pachessi/ppo.py"]
    tiny = {"minutes": None, "steps": 1, "games": 4, "evaluations": 0, "options": {"turn_limit": 8}}
    stages = {folder: replace(settings, **tiny) for folder, settings in runs(script).items()}
    main_of(script, STAGES=stages)()
    assert all((tmp_path / folder / "agent.pt").exists() for folder in stages)
    assert "against greedy" in capsys.readouterr().out
