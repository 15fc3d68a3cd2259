"""The notebooks run, and their stored outputs are current and reveal nothing of the machine."""

import re
from typing import Any

import pytest
from nbformat import NotebookNode, v4

from notebooks import execute

# The smallest sizes that run; their results mean nothing.
SMALL: dict[str, dict[str, Any]] = {
    "01_first_steps": {"TURNS": 4},
    "02_train_an_agent": {"STEPS": 256, "GAMES": 8, "EVALUATION_GAMES": 2, "MATCH_GAMES": 4},
    "03_playtest_a_rule": {"GAMES": 4, "GAMES_OF_SEARCH": 4},
    "04_your_own_player": {"GAMES": 4, "NAMES": ["random", "greedy"]},
}
MOST_BYTES = 600_000
PICTURES = {"image/svg+xml", "image/png"}
# Folders, terminal colours and memory addresses of the machine.
FOREIGN = re.compile(r"/(home|root|tmp|work|usr|Users|var)/|[A-Z]:\\\\|\x1b\[| at 0x[0-9a-f]+")

over_all_notebooks = pytest.mark.parametrize(
    "file", execute.FILES, ids=[file.stem for file in execute.FILES]
)


@over_all_notebooks
def test_it_runs_in_reduced_size(file):
    notebook = execute.read(file)
    execute.execute(notebook, SMALL[file.stem])
    assert pictures(notebook)


@over_all_notebooks
def test_every_parameter_has_a_small_value(file):
    cells = [cell for cell in code(execute.read(file)) if cell.metadata.get("tags")]
    names = re.findall(r"(?m)^(\w+) = ", "\n".join(cell.source for cell in cells))
    assert set(names) == set(SMALL[file.stem])


@over_all_notebooks
def test_what_is_kept_comes_from_its_cells(file):
    notebook = execute.read(file)
    counts = [cell.execution_count for cell in notebook.cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1))
    assert notebook.metadata.executed == execute.digest(notebook), "run: make notebooks"


@over_all_notebooks
def test_pictures_are_kept(file):
    assert pictures(execute.read(file))


@over_all_notebooks
def test_neither_errors_nor_warnings_are_kept(file):
    kept = [output for cell in code(execute.read(file)) for output in cell.outputs]
    assert {output.output_type for output in kept} <= {"stream", "display_data", "execute_result"}
    assert {output.name for output in kept if output.output_type == "stream"} <= {"stdout"}


@over_all_notebooks
def test_nothing_of_the_machine_is_kept(file):
    notebook = execute.read(file)
    assert not FOREIGN.findall("\n".join(texts(notebook)))
    assert notebook.metadata.keys() == {"kernelspec", "language_info", "executed"}


@over_all_notebooks
def test_it_is_small(file):
    assert file.stat().st_size < MOST_BYTES


def test_a_parameter_that_no_cell_assigns_is_an_error():
    notebook = v4.new_notebook(cells=[v4.new_code_cell("GAMES = 1000")])
    with pytest.raises(ValueError, match="GAMES is assigned 0 times in cells tagged parameters"):
        execute.execute(notebook, {"GAMES": 2})


def test_a_warning_is_not_kept():
    with pytest.raises(execute.Disturbed, match="beware"):
        execute.tidy(executed("beware"))


def test_that_rules_are_compiled_is_not_told():
    notebook = executed("pasgl_env: compiling pasgl312 ...\npasgl_env: compiled pasgl312\n")
    execute.tidy(notebook)
    assert notebook.cells[0].outputs == []


def executed(stderr: str) -> NotebookNode:
    """A notebook with a cell that wrote this to the standard error stream."""
    output = v4.new_output("stream", name="stderr", text=stderr)
    return v4.new_notebook(cells=[v4.new_code_cell("1", outputs=[output])])


def code(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def texts(notebook: NotebookNode) -> list[str]:
    """All text that a reader may see."""
    found = [cell.source for cell in notebook.cells]
    for cell in code(notebook):
        for output in cell.outputs:
            found.append(output.get("text", ""))
            found += [
                content for kind, content in output.get("data", {}).items() if kind != "image/png"
            ]
    return found


def pictures(notebook: NotebookNode) -> bool:
    """Whether any cell produced a picture."""
    return any(
        PICTURES & output.get("data", {}).keys()
        for cell in code(notebook)
        for output in cell.outputs
    )
