"""Whoever meets Superchief or Overlord is told that their setups are reconstructions."""

import pytest

from pasgl_env.envs import overlord_v0, superchief_v0

from ...cli.runner import run


@pytest.mark.parametrize("command", ["show", "variants"])
@pytest.mark.parametrize("variant", ["superchief", "overlord"])
def test_the_command_line_tells_that_the_setup_is_a_reconstruction(command, variant):
    output = run(command, variant).output
    assert "reconstruction" in output
    assert "option setup" in output


@pytest.mark.parametrize("command", ["show", "variants"])
def test_the_inventors_own_setup_needs_no_note(command):
    assert "Note:" not in run(command, "chieftain").output


@pytest.mark.parametrize("module", [superchief_v0, overlord_v0])
def test_the_environments_page_tells_it_too(module):
    assert "reconstruction" in module.__doc__
