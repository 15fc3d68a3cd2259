"""Sequential halving among first moves, with games of known chances."""

import numpy as np
import pytest

pytest.importorskip("scipy")
pytest.importorskip("jinja2")

from pasgl_env.playtest.first_moves import TOGETHER, WIDTH, Tree
from pasgl_env.playtest.trials import NO_VERDICT, Trial

BEGIN = "4x3/8/8/8/8/8/4L3/4X3 w - 9"
ACTIONS = 9


@pytest.fixture
def explore(known_games, tmp_path):
    """Grow a tree in which White wins by a chance that depends on the line."""

    def explore(chance, games=2000, depth=1, visits=None, endings=()):
        visits = visits or {"0 e4": 4, "1 d8": 8}
        known_games(lambda trial: chance(trial.line), visits=visits, endings=[*endings])
        trial = Trial("spalding", "random", {}, begin=BEGIN, opening_turns=0)
        return Tree(trial, games, depth).run(tmp_path / "run")

    return explore


def test_the_best_move_is_found_and_gets_more_games(explore):
    found = explore(lambda line: 0.8 if line[0] == "Le2-e3" else 0.4)
    best, *others = found.nodes
    assert best.label == "Le2-e3"
    assert best.games > 3 * np.mean([node.games for node in others])
    assert best.score.low < 0.8 < best.score.high
    assert 1500 <= sum(node.games for node in found.nodes) <= 2500


def test_answers_are_the_best_ones_for_who_gives_them(explore):
    found = explore(lambda line: 0.2 if line[-1] == "Xe8-d8" else 0.7, depth=2)
    seen = [node for node in found.nodes if node.answers]
    assert len(seen) == WIDTH
    for node in seen:
        answer = node.answers[0]
        assert answer.score.value > 0.5
        assert (answer.label == "Xe8-d8") is (node.label[0] == "L")  # a Box has to bring out more


@pytest.mark.parametrize("endings", [[], ["the same"] * TOGETHER])
def test_games_that_hardly_vary_are_told(explore, endings):
    found = explore(lambda line: 0.5, endings=endings)
    assert (NO_VERDICT in found.table.notes) is bool(endings)


def test_the_page_has_the_tree_and_where_pieces_go(explore):
    found = explore(lambda line: 0.5, depth=2)
    page = found.to_html()
    assert found.nodes[0].answers[0].label in page
    assert page.count("<svg") == 2
    assert "e4: 0.5 a game" in page
    assert "d8: 1 a game" in page


def test_no_more_games_are_played_than_asked_for(explore):
    found = explore(lambda line: 0.5, games=ACTIONS * TOGETHER, depth=2)
    assert [node.games for node in found.nodes] == [TOGETHER] * ACTIONS
    assert not any(node.answers for node in found.nodes)


def test_games_that_are_left_go_to_the_better_half(explore):
    found = explore(lambda line: 0.5, games=(ACTIONS + 5) * TOGETHER)
    assert [node.games // TOGETHER for node in found.nodes] == [2] * 5 + [1] * 4


def test_a_deeper_tree_in_the_folder_does_not_change_the_heat_maps(explore):
    whole = explore(lambda line: 0.5).visits
    explore(lambda line: 0.5, games=4000, depth=2, visits={"0 e5": 8})
    assert explore(lambda line: 0.5).visits == whole


def test_the_games_of_a_folder_are_not_played_again(explore):
    assert explore(lambda line: 0.5).to_dict() == explore(lambda line: 1 / 0).to_dict()


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
        Tree(Trial(variant, "random", {}), games, depth)


@pytest.mark.parametrize(
    ("limit", "label", "complaint"),
    [(400, "Le7xe8", "the game is over"), (3, "Le7-f8", "the game is cut off")],
)
def test_a_finished_game_has_no_first_moves(limit, label, complaint):
    begin = "4x3/4L3/8/8/8/8/8/P3X2J w RHErhe 2"
    trial = Trial("spalding", "random", {"turn_limit": limit}, begin=begin, line=(label,))
    with pytest.raises(ValueError, match=complaint):
        Tree(trial, 1000, 1)
