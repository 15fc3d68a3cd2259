"""``check_game``: what it finds in games that break the contract, and that ours keep it."""

import json
import os
import subprocess
import sys

import pytest

from pasgl_env import testing

from .broken_games import BROKEN
from .cli.runner import run

SAID = {
    "": "",
    "more sprites than there is room for": "scene: reads or writes outside an array",
    "a symbol without a shape": "scene or layout: knows no 'symbol'",
    "a default out of range": "options: stones does not allow its own default",
    "padding": "state: has padding",
    "too few planes": "spaces: 4 planes, but the table of planes has 3",
    "a seat too many": "seats: 3 names for 2 players",
    "teams from one": "team: teams are numbered from 0, not [1, 2]",
    "a single side": "team: a game needs at least two sides",
    "too few actions": "legal_actions: returns 3, and marks 2 of the 2 in spaces.actions",
    "a wrong count": "legal_actions: returns 4, and marks 3",
    "an old mask": "legal_actions: does not write the whole mask",
    "equal labels": "label: actions 0 and 1 are both 'take'",
    "labels with spaces": "label: 'take 0' has a comma or a space",
    "an old observation": "observe: ",
    "play by chance": "play: ",
    "play that does nothing": "play: 'take",
    "a turn that goes on unsaid": "in_turn: is false after 'take",
    "a winner that is no number": "play: 'take",
    "a looking rule that changes the state": "evaluate, potential or points: may only read",
    "a text that forgets": "read: makes ",
    "a field too many at times": "write: ",
    "an error that is no ValueError": "read: raises KeyError",
    "a record that cannot be played": "is_valid: accepts what cannot be played",
    "values that are no numbers": "evaluate: is nan for player 0",
    "points that are no integers": "points: is 0.5",
    "a lead larger than the largest": "largest_lead: is 0 where a lead of 1 ends a game",
    "a winner who does not play": "winner: is 2 of 2 players",
    "a stone forgotten": "forget: changes what is legal or due",
    "an end too early": "is_terminal: is true before the end",
    "features out of range": "features.write: lists [9] of 3 features",
    "features outside the array": "features.write: reads or writes outside an array",
    "a value that the record cannot hold": "options: turn_limit must fit in 32 bits",
    "an option that does not come back": "options: the default of shape does not come back",
}


@pytest.fixture(scope="module")
def said() -> dict[str, str]:
    """What is said of each broken game, by plain Python."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.broken_games"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, str] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("name", ["", *BROKEN], ids=lambda name: name or "a sound game")
def test_a_fault_is_named_where_it_is(name, said):
    assert said[name].startswith(SAID[name])
    assert bool(said[name]) == bool(SAID[name])


def test_a_position_and_its_options_are_named(said):
    assert said["equal labels"].endswith("at '9 0 0' under usual options")


@pytest.mark.slow
def test_every_variant_keeps_the_contract(every_variant):
    testing.check_game(every_variant, seconds=60, seed=1)


def test_the_command_says_what_it_found(monkeypatch):
    done = run("check-game", "nothing")
    assert done.exit_code == 2
    assert "no variant 'nothing'" in done.output

    def faulty(name: str, **given: object) -> None:
        raise testing.GameFault("label: actions 0 and 1 are both 'take'")

    monkeypatch.setattr("pasgl_env.testing.check_game", faulty)
    done = run("check-game", "pachessi")
    assert done.exit_code == 1
    assert "pachessi breaks the contract: label: actions 0 and 1 are both 'take'" in done.output
    monkeypatch.setattr("pasgl_env.testing.check_game", lambda name, **given: None)
    done = run("check-game", "pachessi", "--seconds", "3")
    assert done.exit_code == 0
    assert "pachessi keeps the contract" in done.output
