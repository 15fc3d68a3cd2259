"""Exact values, against a slow solver in plain Python."""

import numpy as np
import pytest

from pasgl_env import Position, solve, variants
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.solving import MISSING, NO_END, TooMany, graph

from . import slow
from .race import RACE


def values_of(table, nodes):
    """The values that a table has for the positions of the slow solver, by their keys."""
    numbers = table.find(np.concatenate([node.state for node in nodes.values()]))
    assert sorted(set(numbers)) == list(range(len(table)))
    return dict(zip(nodes, numbers.tolist(), strict=True))


@pytest.mark.parametrize(
    "setup",
    ["c3/4/4/3C", pytest.param("cm2/4/4/3C", marks=pytest.mark.slow)],
    ids=["kings", "turns of two moves"],
)
def test_cyclic_games_are_solved_as_the_slow_solver_does(setup):
    table = solve("chieftain", setup=setup)
    nodes = slow.reachable(Position(table.ruleset))
    known = slow.distances(nodes)
    assert len(known) > 100
    for name, number in values_of(table, nodes).items():
        pair = int(table.values[number]), int(table.turns[number])
        assert pair == known.get(name, (0, NO_END)), name


def test_expected_results_are_those_of_the_slow_solver():
    table = solve(Ruleset.of(RACE, {}))
    nodes = slow.reachable(Position(table.ruleset))
    expected = slow.expectations(nodes, sweeps=2000)
    assert 0.1 < table.values[0] < 0.9
    assert table.errors.max() <= 1e-9
    for name, number in values_of(table, nodes).items():
        assert table.values[number] == pytest.approx(expected[name], abs=1e-8), name


def test_games_that_never_end_are_draws_with_dice_too():
    """Lone Ships can run for ever, though one of them could also bring about an end."""
    start = "R*,E*,H*,Sd5:0/R*,E*,H*,Sb1:0 black - i 20"
    table = solve("pachessi", start, size=5, hole=1)
    assert table.exact(0) == ((0.0, 0.0), None, 0.0)
    assert (table.values == 1).any()


def test_too_many_positions_are_refused_before_they_are_enumerated(monkeypatch):
    monkeypatch.setattr(graph.Graph, "__init__", None)  # would raise a TypeError
    with pytest.raises(TooMany, match=r"at least [0-9,]+ positions .* GB or more, .* 20,000,000"):
        solve("chieftain")


def test_enumeration_stops_where_there_are_more_than_estimated():
    start = "Ra5:0,Ea4:0,H*,S*/Re1:0,E*,H*,S* black - i 20"
    with pytest.raises(TooMany, match=r"more than 2,000,000 .* added [0-9.]+, "):
        solve("pachessi", start, most_positions=2_000_000, size=5, hole=1)


def test_an_interrupt_ends_the_work():
    def interrupt(done, text):
        if "found" in text:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve("chieftain", setup="cc2/4/4/2CC", report=interrupt)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_forgotten_affects_nothing(every_variant, seed):
    """The same actions from a position and from what is left of it, forgotten after each action."""
    ruleset = variants.ruleset(every_variant)
    game, options, draw = ruleset.game, ruleset.record, np.random.default_rng(seed)
    whole = Position(ruleset)
    if game.cache_name == "pachessi":
        laps = np.random.default_rng(seed).integers(-1, 9, whole.state["laps"].shape)
        state = whole.play_action(whole.legal_actions()[0]).state
        state["laps"] = np.where(state["place"] > 2, laps, 0)
        whole = Position.from_state(ruleset, state)
    rest = Position.from_state(ruleset, whole.state)
    for _ in range(150):
        game.forget(rest._states[0], options[0])
        assert rest.legal_actions() == whole.legal_actions()
        assert (rest.to_move, rest.returns) == (whole.to_move, whole.returns)
        if whole.is_over:
            break
        action = int(draw.choice(whole.legal_actions()))
        whole.play_action(action)
        rest.play_action(action)


def test_positions_are_found_however_they_are_reached():
    table = solve("chieftain", setup="c3/4/4/3C")
    position = Position(table.ruleset)
    for label in ("Cd1-c1", "Ca4-b4", "Cc1-d1", "Cb4-a4"):
        position.play(label)
    assert table.find(position.state).tolist() == [0]
    assert table.find(Position("chieftain").state).tolist() == [MISSING]


def test_histories_are_different_positions():
    """In Captain Spalding Chess hardly any two ways lead to the same position."""
    ruleset = variants.ruleset("spalding")
    state = Position.from_text(ruleset, "4x3/8/8/8/8/8/8/4X3 w - 9").state
    with pytest.raises(TooMany, match=r"more than 3,000 positions .* with up to 4 actions"):
        graph.Graph(ruleset, state, 3000, lambda done, text: None)
