"""The scripts that make the shipped agents run, and agree with their cards."""

import runpy
from pathlib import Path

import pytest

from agents import recipes
from pasgl_env.players import trained
from pasgl_env.players.values import weights
from pasgl_env.training.settings import command_of

AGENTS = Path(__file__).parents[2] / "agents"
SCRIPTS = {str(file.relative_to(AGENTS)): file for file in sorted(AGENTS.glob("*/*.py"))}


def runs(script):
    """The settings of each run in a script, by folder."""
    return runpy.run_path(str(script))["STAGES"]


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


@pytest.mark.parametrize("name", SCRIPTS)
def test_what_a_script_begins_with_is_there(name):
    first, *_ = runs(SCRIPTS[name]).values()
    assert not first.start or Path(first.start).exists()


def test_every_shipped_file_has_a_script():
    made = {f"{file.parent.name}/{file.stem}" for file in SCRIPTS.values()}
    values = {f"{file.stem}/td" for file in weights.SHIPPED.glob("*.safetensors")}
    networks = {f"{file.parent.name}/ppo" for file in trained.SHIPPED.glob("*/ppo.pt")}
    assert made == values | networks


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_trains_what_it_states(name, monkeypatch):
    runs_made: dict[str, object] = {}
    monkeypatch.setattr(recipes, "train_networks", runs_made.update)
    monkeypatch.setattr(
        recipes,
        "train_values",
        lambda stages, variant=None: runs_made.update(stages),
    )
    runpy.run_path(str(SCRIPTS[name]), run_name="__main__")
    assert runs_made == runs(SCRIPTS[name])
