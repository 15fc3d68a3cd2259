"""Whoever meets Superchief or Overlord is told that their setups are reconstructions."""

from pathlib import Path

from ...cli.runner import run
from ...rows import rows


@rows("command", ["show", "variants"])
@rows("variant", ["superchief", "overlord"])
def test_the_command_line_tells_that_the_setup_is_a_reconstruction(command, variant):
    output = run(command, variant).output
    assert "reconstruction" in output
    assert "option setup" in output


@rows("command", ["show", "variants"])
def test_the_inventors_own_setup_needs_no_note(command):
    assert "Note:" not in run(command, "chieftain").output


@rows("variant", ["superchief", "overlord"])
def test_the_environments_page_tells_it_too(variant):
    page = Path(__file__).parents[3] / "docs" / "environments" / f"{variant}.md"
    assert "reconstruction" in page.read_text("utf-8")
