"""Sequential halving among first moves, with games of known chances."""

import numpy as np
import pytest

pytest.importorskip("scipy")
pytest.importorskip("jinja2")

from pasgl_env import Position
from pasgl_env.evaluation.openings import Openings
from pasgl_env.playtest.first_moves import TOGETHER, WIDTH, MoveTree
from pasgl_env.playtest.lab import NO_VERDICT
from pasgl_env.playtest.play import Plan
from pasgl_env.records import read_records

BEGIN = "4x3/8/8/8/8/8/4L3/4X3 w - 9"
ACTIONS = 9


def plan_from(text, **options):
    return Plan.of("spalding", ("random", "random"), openings=Openings((text,)), **options)


@pytest.fixture
def explore(known_games, tmp_path):
    """Grow a tree in which White wins by a chance that depends on the position after a line."""

    def explore(chance, games=2000, depth=1, **how):
        known_games(lambda plan: chance(plan.openings.texts[0]), **how)
        return MoveTree(plan_from(BEGIN), games, depth).run(tmp_path / "run")

    return explore


def after(*labels):
    position = Position.from_text("spalding", BEGIN)
    for label in labels:
        position.play(label)
    return position.text


def test_the_best_move_is_found_and_gets_more_games(explore):
    found = explore(lambda text: 0.8 if text == after("Le2-e3") else 0.4)
    best, *others = found.nodes
    assert best.label == "Le2-e3"
    assert best.games > 3 * np.mean([node.games for node in others])
    assert best.score.low < 0.8 < best.score.high
    assert 1500 <= sum(node.games for node in found.nodes) <= 2500


def test_answers_are_the_best_ones_for_who_gives_them(explore):
    found = explore(lambda text: 0.2 if "Xe8-d8" in text else 0.7, depth=2)
    seen = [node for node in found.nodes if node.answers]
    assert len(seen) == WIDTH
    for node in seen:
        answer = node.answers[0]
        assert answer.score.value > 0.5
        assert (answer.label == "Xe8-d8") is (node.label[0] == "L")  # a Box has to bring out more


@pytest.mark.parametrize("vary", [True, False])
def test_games_that_hardly_vary_are_told(explore, vary):
    found = explore(lambda text: 0.5, vary=vary)
    assert (NO_VERDICT in found.table.notes) is not vary


def test_the_page_has_the_tree_and_where_pieces_go(tmp_path):
    found = MoveTree(plan_from(BEGIN, turn_limit=14), ACTIONS * TOGETHER, 1).run(tmp_path)
    page = found.to_html()
    assert found.nodes[0].label in page
    assert page.count("<svg") == 2
    assert sum(number for (side, _), number in found.visits.items() if side == 1) > 1


def test_games_that_begin_within_a_turn_are_recorded_from_its_start(tmp_path):
    MoveTree(plan_from(BEGIN, turn_limit=14), ACTIONS * TOGETHER, 1).run(tmp_path)
    within = list((tmp_path / "runs").glob("X*"))
    assert within, "a Box has to bring out more"
    for folder in within:
        label = folder.name[:6]
        for record in read_records(folder / "games.pgb"):
            assert record.start == BEGIN
            assert next(record.turns()).labels[0] == label


def test_an_action_that_wins_is_the_best_without_games(tmp_path):
    plan = plan_from("4x3/3L4/8/8/8/8/8/4X3 w - 9", turn_limit=14)
    best = MoveTree(plan, 200, 1).run(tmp_path).nodes[0]
    assert (best.label, best.games, best.score.value) == ("Ld7xe8", 0, 1.0)


def test_no_more_games_are_played_than_asked_for(explore):
    found = explore(lambda text: 0.5, games=ACTIONS * TOGETHER, depth=2)
    assert [node.games for node in found.nodes] == [TOGETHER] * ACTIONS
    assert not any(node.answers for node in found.nodes)


def test_games_that_are_left_go_to_the_better_half(explore):
    found = explore(lambda text: 0.5, games=(ACTIONS + 5) * TOGETHER)
    assert [node.games // TOGETHER for node in found.nodes] == [2] * 5 + [1] * 4


def test_a_deeper_tree_in_the_folder_does_not_change_the_scores(explore):
    whole = explore(lambda text: 0.5).to_dict()
    explore(lambda text: 0.5, games=4000, depth=2)
    assert explore(lambda text: 0.5).to_dict() == whole


def test_the_games_of_a_folder_are_not_played_again(explore):
    whole = explore(lambda text: 0.5).to_dict()
    assert explore(lambda text: 0.5, plays=False).to_dict() == whole


@pytest.mark.parametrize(
    ("variant", "games", "depth", "complaint"),
    [
        ("pachessi", 1000, 1, "chance acts"),
        ("spalding", 50, 1, "actions need"),
        ("spalding", 1000, 0, "1 action deep"),
    ],
)
def test_impossible_trees_are_refused(variant, games, depth, complaint):
    with pytest.raises(ValueError, match=complaint):
        MoveTree(Plan.of(variant, ("random", "random")), games, depth)


@pytest.mark.parametrize(
    ("limit", "label", "complaint"),
    [(400, "Le7xe8", "the game is over"), (3, "Le7-f8", "the game is cut off")],
)
def test_a_finished_game_has_no_first_moves(limit, label, complaint):
    plan = Plan.of("spalding", ("random", "random"), turn_limit=limit)
    begin = "4x3/4L3/8/8/8/8/8/P3X2J w RHErhe 2"
    position = Position.from_text(plan.ruleset, begin).play(label)
    with pytest.raises(ValueError, match=complaint):
        MoveTree(plan.from_position(position), 1000, 1)
