"""Monte-Carlo tree search: its choices, trees and budgets."""

import _thread
import copy
import pickle
from threading import Timer
from time import perf_counter
from typing import Any

import numpy as np
import pytest

from pasgl_env import Batch, Position, players, variants
from pasgl_env.jit.compiled import JIT
from pasgl_env.players.search.mcts import loop_of
from pasgl_env.players.search.playout import Playout, PlayoutScratch
from pasgl_env.players.search.tree import Selection, Tree, Walk

from ...games.chieftain.positions import Side as ChieftainSide
from ...games.pachessi.positions import Seat, turned
from ...games.pasgl312.positions import place as pasgl
from ...games.spalding.positions import Side as SpaldingSide

ALL = np.arange
# Each game's search is compiled for itself, which takes long.
slow = pytest.mark.slow


def mcts(variant, simulations=100, seed=1, **rest):
    return players.MctsPlayer(variants.find(variant), seed, simulations=simulations, **rest)


def choice(position, simulations=100, **rest):
    player = mcts(position.variant, simulations, **rest)
    return position.label(players.choose_one(player, position))


def tree_of(position, simulations, seed=1, exploration=0.5, room=1 << 14):
    """The tree after this number of simulations."""
    game = variants.find(position.variant)
    options = position.options_record
    tree = Tree.at(position.state, room, mask_of(position))
    with np.errstate(over="ignore"):
        loop_of(game)(
            tree,
            options,
            Selection(exploration, 4.0),
            Playout(0, 0.0, game.decisive_lead),
            Walk.empty(),
            PlayoutScratch.of(game, game.spaces(options[0])),
            np.array([seed], np.uint64),
            simulations,
        )
    return tree


def mask_of(position):
    """Which actions are legal: ``uint8[A]``."""
    batch = Batch(position.variant, 1, **position.options)
    batch.states = position.state
    return batch.action_mask[0].copy()


def children(tree, node):
    first, count = tree.nodes["first"][node], tree.nodes["children"][node]
    return range(first, first + count)


def favourite(tree, node=0):
    """The most visited child of a node."""
    return max(children(tree, node), key=lambda child: tree.nodes["visits"][child])


def mean(tree, node):
    return tree.nodes["total"][node] / tree.nodes["visits"][node]


class TestFinds:
    def test_a_win_in_one(self):
        assert choice(Position.from_text("pasgl312", pasgl("Ha4 ba6"))) == "Ha4:a6"

    def test_no_win_that_is_a_loss(self):
        lost = Position.from_text("pasgl312", pasgl("Ha4 ba6", score="0:25"))
        assert choice(lost) != "Ha4:a6"

    @pytest.mark.jitfree
    def test_a_victim_in_the_middle_of_a_turn(self):
        position = Position.from_text("pasgl312", pasgl("Fa1 ha3 ta3")).play("Fa1a3")
        assert choice(position) == "t"

    @pytest.mark.jitfree
    def test_the_last_piece_to_bear_off(self):
        position = Seat(2, "black").position("Hc7:1 R* E* S*", foe="Rg1", dice="2,3")
        assert "off" in choice(position)

    @slow
    def test_a_chieftain_to_capture_by_the_second_move_of_a_turn(self):
        position = ChieftainSide("white").position("Ca1 Ra5 Mb2 ca8", activations=2)
        assert not any("x" in label for label in position.legal_moves())
        while not position.is_over and position.to_move == 0:
            position.play(choice(position, 400))
        assert position.is_over

    @slow
    def test_a_box_to_capture(self):
        assert choice(SpaldingSide("white").position("Hd4 xc4")) == "Hd4xc4"

    @slow
    def test_that_its_own_box_is_in_danger(self):
        position = SpaldingSide("white").position("Ra1 rh3")
        position.play(choice(position, 1000))
        assert not any(label.endswith("xh1") for label in position.legal_moves())


class TestTeams:
    """Black's partner is Yellow; Green is the enemy who plays next."""

    def value(self, **others):
        position = Seat(4, "black").position("Ra6", last="Rg7", dice="2", **others)
        tree = tree_of(position, 600)
        return mean(tree, favourite(tree))

    def about_to_win(self, quarters):
        return turned("Hc7:1 R* E*", quarters, 7)

    def test_a_partner_who_will_win_is_as_good_as_a_win(self):
        assert self.value(foe="Ra1", friend=self.about_to_win(2)) > 0.6

    def test_an_enemy_who_will_win_is_as_bad_as_a_loss(self):
        assert self.value(foe=self.about_to_win(1), friend="Rg1") < -0.6


class TestChance:
    def test_outcomes_are_visited_as_often_as_they_are_likely(self):
        position = Position("pachessi", first="black")
        assert position.is_chance
        simulations = 3600 if JIT else 360
        tree = tree_of(position, simulations)
        visits = {
            tree.nodes["choice"][node]: tree.nodes["visits"][node] for node in children(tree, 0)
        }
        odds = np.array(
            [
                position.outcome_probability(position.label(outcome))
                for outcome in position.legal_actions()
            ]
        )
        seen = np.array([visits.pop(outcome) for outcome in position.legal_actions()])
        assert not any(visits.values())
        assert (((seen - simulations * odds) ** 2) / (simulations * odds)).sum() < 45  # 99.9% of 20

    def test_the_value_of_a_throw_is_the_mean_of_what_may_come(self):
        """Any grace die bears off the last piece."""
        position = Seat(2, "black").position("Hc7:1 R* E* S*", foe="Rg1", roll="g")
        tree = tree_of(position, 200)
        wins = [
            mean(tree, favourite(tree, node))
            for node in children(tree, 0)
            if tree.nodes["visits"][node] > 1
        ]
        assert min(wins) > 0.9

    def test_the_dice_of_the_batch_are_not_looked_at(self):
        choices = set()
        start = Batch("pachessi", 1, seed=3).states.copy()
        for seed in range(5):
            batch = Batch("pachessi", 1, seed=seed)
            batch.states = start
            choices.add(int(mcts("pachessi", 200).choose(batch, ALL(1))[0]))
        assert len(choices) == 1


@pytest.mark.parametrize("variant", ["pachessi", "pasgl312"])
class TestTree:
    def position(self, variant):
        batch = Batch(variant, 1, seed=4)
        position = Position(variant, **batch.options)
        for _ in range(30):
            while position.is_chance:
                position.play_action(position.legal_actions()[0])
            position.play_action(position.legal_actions()[-1])
        return position

    def test_visits_add_up(self, variant):
        position = self.position(variant)
        tree = tree_of(position, 500)
        nodes = tree.nodes[: tree.used[0]]
        assert nodes["visits"][0] == 500
        assert (np.abs(nodes["total"]) <= nodes["visits"]).all()
        for node in np.flatnonzero(nodes["children"]):
            below = sum(nodes["visits"][child] for child in children(tree, node))
            # Every node but the root was visited once before it had children.
            assert below == nodes["visits"][node] - (node > 0)

    def test_children_are_the_legal_choices(self, variant):
        tree = tree_of(self.position(variant), 150)
        pending = [(0, self.position(variant))]
        seen = 0
        while pending:
            node, position = pending.pop()
            choices = [int(tree.nodes["choice"][child]) for child in children(tree, node)]
            if choices and not position.is_chance:
                assert choices == position.legal_actions()
                seen += 1
            for child in children(tree, node):
                if tree.nodes["visits"][child]:
                    after = position.copy().play_action(int(tree.nodes["choice"][child]))
                    pending.append((child, after))
        assert seen > 10

    def test_a_full_tree_is_searched_on(self, variant):
        tree = tree_of(self.position(variant), 500, room=300)
        assert tree.used[0] <= 300
        assert tree.nodes["visits"][0] == 500

    def test_a_moved_tree_keeps_what_is_known(self, variant):
        position = self.position(variant)
        tree = tree_of(position, 800)
        node = favourite(tree)
        position.play_action(int(tree.nodes["choice"][node]))
        moved = tree.moved_to(node, position.state, mask_of(position))
        assert moved.used[0] < tree.used[0]
        pending = [(node, 0)]
        while pending:
            old, new = pending.pop()
            for field in ("visits", "total", "prior", "choice", "children"):
                assert tree.nodes[field][old] == moved.nodes[field][new]
            pending += zip(children(tree, old), children(moved, new), strict=True)


class TestWhatItTells:
    """Visits and values of the actions of the last decisions."""

    @pytest.fixture
    def batch(self, variant):
        batch = Batch(variant, 3, seed=2)
        for _ in range(12):
            batch.step(batch.sample())
        return batch

    def test_visits_are_of_legal_actions_and_add_up(self, variant, batch):
        player = mcts(variant, simulations=60, trees=2, reuse=False)
        actions = players.choose(player, batch, np.arange(3))
        has_choice = batch.legal_count > 1
        assert (player.visits[~batch.action_mask.astype(bool)] == 0).all()
        assert (player.visits.sum(axis=1) == np.where(has_choice, 2 * 60, 0)).all()
        assert (player.visits.max(axis=1) == player.visits[np.arange(3), actions])[has_choice].all()

    def test_values_are_known_of_legal_actions_where_there_is_a_choice(self, variant, batch):
        player = mcts(variant, simulations=60)
        players.choose(player, batch, np.arange(3))
        is_told = (batch.action_mask == 1) & (batch.legal_count > 1)[:, None]
        assert (~np.isnan(player.action_values) == is_told).all()
        assert (np.abs(player.action_values[is_told]) <= 1).all()

    def test_the_value_of_a_win_in_one_is_the_highest(self):
        position = Position.from_text("pasgl312", pasgl("Ha4 ba6"))
        player = mcts("pasgl312")
        assert players.choose_one(player, position) == position.action("Ha4:a6")
        values = player.action_values[0]
        assert np.nanargmax(values) == position.action("Ha4:a6")
        assert np.nanmax(values) == pytest.approx(1, abs=0.01)


class TestReuse:
    def played_on(self, player, batch, steps):
        """The root's visits at each decision."""
        visits = []
        for _ in range(steps):
            batch.step(players.choose(player, batch, ALL(1)))
            visits.append(int(player._trees[0, 0].nodes["visits"][0]))
        return visits

    def test_what_is_known_of_the_next_state_is_kept(self):
        visits = self.played_on(mcts("pasgl312", 300), Batch("pasgl312", 1), 6)
        assert visits[0] == 300
        assert max(visits[1:]) > 300

    def test_not_if_it_is_switched_off(self):
        visits = self.played_on(mcts("pasgl312", 60, reuse=False), Batch("pasgl312", 1), 6)
        assert visits == [60] * 6

    def test_nothing_is_kept_of_another_game(self):
        player, batch = mcts("pasgl312", 60), Batch("pasgl312", 1)
        self.played_on(player, batch, 2)
        players.reseed(player, ALL(1), [5])
        batch.reset()
        assert self.played_on(player, batch, 1) == [60]

    def test_nothing_is_kept_under_other_options(self):
        player = mcts("pasgl312", 60)
        settings: tuple[dict[str, Any], ...] = ({}, {"fox_range": 2}, {})
        for options in settings:
            player.choose(Batch("pasgl312", 1, **options), ALL(1))
            assert player._trees[0, 0].nodes["visits"][0] == 60

    def test_long_games_take_no_more_memory(self):
        player, batch = mcts("pachessi", 60, most_nodes=4096), Batch("pachessi", 1, seed=1)
        for _ in range(300):
            batch.step(players.choose(player, batch, ALL(1)))
            assert all(tree.nodes.size <= 4096 for tree in player._trees.values())
        assert len(player._trees) == 1


class TestBudget:
    def test_simulations(self):
        player = mcts("pachessi", 150, trees=2)
        player.choose(Batch("pachessi", 3, seed=1), ALL(3))
        assert {tree.nodes["visits"][0] for tree in player._trees.values()} <= {150}
        assert len(player._trees) % 2 == 0

    def test_seconds(self):
        player = mcts("pasgl312", None, seconds=0.3)
        begun = perf_counter()
        player.choose(Batch("pasgl312", 1), ALL(1))
        assert 0.3 <= perf_counter() - begun < 5
        assert player._trees[0, 0].nodes["visits"][0] > 100

    def test_no_search_for_the_only_action(self):
        position = Seat(2, "black").position("Ra7", foe="Rg1", dice="1")
        while len(position.legal_actions()) > 1:
            position = Seat(2, "black").position("Ra1", foe="Rg1", dice="6")
        player = mcts("pachessi")
        assert players.choose_one(player, position) == position.legal_actions()[0]
        assert not player._trees

    @pytest.mark.skipif(not JIT, reason="there are no threads")
    def test_ctrl_c_ends_all_threads_at_once(self, interruptible):
        player = mcts("pachessi", None, seconds=60, threads=2)
        batch = Batch("pachessi", 4, seed=1)
        begun = perf_counter()
        Timer(0.3, _thread.interrupt_main).start()
        with pytest.raises(KeyboardInterrupt):
            player.choose(batch, ALL(4))
        assert perf_counter() - begun < 10
        assert not player._trees


class TestReproducible:
    def actions(self, player, variant="pachessi", games=4, steps=12):
        batch = Batch(variant, games, seed=2)
        played = []
        for _ in range(steps):
            played.append(players.choose(player, batch, ALL(games)))
            batch.step(played[-1])
        return np.array(played)

    def test_any_number_of_threads(self):
        one, *others = (self.actions(mcts("pachessi", trees=3, threads=n)) for n in (1, 2, 5))
        assert all((one == other).all() for other in others)

    def test_trees_differ_from_each_other(self):
        player = mcts("pasgl312", 50, trees=2)
        player.choose(Batch("pasgl312", 1), ALL(1))
        one, other = (player._trees[0, number].children["visits"] for number in range(2))
        assert (one != other).any()

    def test_any_slicing_of_the_games(self):
        together, apart = mcts("pachessi"), mcts("pachessi")
        batch = Batch("pachessi", 4, seed=2)
        for _ in range(6):
            actions = players.choose(together, batch, ALL(4))
            assert actions.tolist() == [
                int(players.choose(apart, batch, ALL(4)[game : game + 1])[0]) for game in range(4)
            ]
            batch.step(actions)


@pytest.mark.parametrize("twin_of", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_a_copy_goes_on_as_the_player_would(twin_of):
    player, batch = mcts("pachessi", threads=2), Batch("pachessi", 3, seed=1)
    batch.step(players.choose(player, batch, ALL(3)))
    twin = twin_of(player)
    assert (twin.choose(batch, ALL(3)) == player.choose(batch, ALL(3))).all()


class TestPlayouts:
    @pytest.mark.parametrize(
        "settings",
        [{"plies": 6}, {"plies": None}, {"plies": 2, "greed": 1.0}, {"prior_visits": 0.0}],
        ids=str,
    )
    def test_any_settings_find_a_win(self, settings):
        position = Seat(2, "black").position("Hc7:1 R* E* S*", foe="Rg1", dice="2,3")
        assert "off" in choice(position, 200, **settings)

    def test_where_environments_truncate_nobody_has_won(self):
        position = Position.from_text("pasgl312", pasgl("Ha4 ta6", turns=9), turn_limit=10)
        tree = tree_of(position, 100)
        assert not tree.children["total"].any()


@pytest.mark.parametrize(
    "variant, prior_visits", [("pachessi", 16), ("pasgl312", 4), ("spalding", 4)]
)
def test_with_dice_the_prior_counts_for_more(variant, prior_visits):
    assert mcts(variant)._evaluator.selection.prior_visits == prior_visits
    assert mcts(variant, prior_visits=2.0)._evaluator.selection.prior_visits == 2


class TestNames:
    @pytest.mark.parametrize(
        ("name", "made"),
        [
            ("mcts", "mcts:400"),
            ("mcts:100", "mcts:100"),
            ("mcts:2s", "mcts:2s"),
            ("mcts:20ms", "mcts:0.02s"),
            ("mcts:0.5s", "mcts:0.5s"),
            ("mcts:.5s", "mcts:0.5s"),
        ],
    )
    def test_a_budget_in_the_name(self, name, made):
        assert players.make(name, "pachessi").name == made

    @pytest.mark.parametrize(
        "budget", ["", "0", "-5", "x", "0s", "s", ".s", "1e3", "nans", "infs", "4 0", "9" * 5000]
    )
    def test_no_budget(self, budget):
        with pytest.raises(
            ValueError, match="a number of simulations, such as 400, or a time, such as 20ms or 2s"
        ):
            players.make(f"mcts:{budget}", "pachessi")

    @pytest.mark.parametrize(
        ("name", "settings"),
        [
            ("mcts:16:plies=10:greed=1", {"simulations": 16, "plies": 10, "greed": 1.0}),
            ("mcts:2s:prior_visits=0", {"seconds": 2.0, "prior_visits": 0.0}),
            ("mcts:50:plies=end:trees=3", {"simulations": 50, "plies": None, "trees": 3}),
            ("mcts:50:exploration=0.5", {"simulations": 50, "exploration": 0.5}),
        ],
    )
    def test_settings_in_the_name(self, name, settings):
        made: Any = players.make(name, "pachessi", seed=1)
        meant = players.MctsPlayer(variants.find("pachessi"), 1, **settings)
        assert made.name == meant.name == name
        for part in ("_budget", "_trees_each"):
            assert getattr(made, part) == getattr(meant, part)
        for part in ("selection", "parameters"):
            assert getattr(made._evaluator, part) == getattr(meant._evaluator, part)

    def test_usual_settings_are_not_in_the_name(self):
        assert players.make("mcts:50:plies=0:greed=0", "pachessi").name == "mcts:50"

    @pytest.mark.parametrize(
        ("settings", "message"),
        [
            ("", "mcts takes exploration=…, prior_visits=…, plies=…, greed=…, trees=…, .* not ''"),
            ("depth=3", "mcts takes exploration=…, .* not 'depth=3'"),
            ("plies", "plies of mcts must be an integer or end, not ''"),
            ("trees=1.5", "trees of mcts must be an integer, not '1.5'"),
            ("greed=much", "greed of mcts must be a number, not 'much'"),
            ("greed=2", "greed must be a number from 0.0 to 1.0, not 2.0"),
            ("prior_visits=nan", "prior_visits must be a number from 0.0 to 1000, not nan"),
            ("prior_visits=inf", "prior_visits must be a number from 0.0 to 1000, not inf"),
            ("exploration=inf", "exploration must be a number from 0.0 to 1000, not inf"),
            ("prior_visits=end", "prior_visits of mcts must be a number, not 'end'"),
        ],
    )
    def test_impossible_settings_in_the_name(self, settings, message):
        with pytest.raises(ValueError, match=message):
            players.make(f"mcts:50:{settings}", "pachessi")

    def test_a_misspelt_name(self):
        with pytest.raises(
            ValueError, match=r"'mtcs:400'; did you mean 'mcts'\? .*mcts:N or search:N for N"
        ):
            players.make("mtcs:400", "pachessi")

    @pytest.mark.parametrize(
        "wrong",
        [
            {"simulations": 0},
            {"simulations": 1.5},
            {"simulations": True},
            {"seconds": -1.0},
            {"simulations": 5, "seconds": 1.0},
            {"exploration": float("nan")},
            {"prior_visits": -1},
            {"plies": -1},
            {"greed": 1.5},
            {"trees": 0},
            {"threads": 0},
            {"most_nodes": 5},
        ],
        ids=str,
    )
    def test_wrong_settings(self, wrong):
        with pytest.raises(ValueError, match=list(wrong)[-1]):
            players.MctsPlayer(variants.find("pachessi"), **wrong)

    def test_another_variants_games(self):
        with pytest.raises(ValueError, match="plays pachessi, not grand_pachessi"):
            mcts("pachessi").choose(Batch("grand_pachessi", 1), ALL(1))
