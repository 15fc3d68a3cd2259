"""Players with learned values: their choices, their seeds, and masks."""

import copy
import warnings
from time import perf_counter
from typing import Any

import numpy as np
import pytest

from pasgl_env import Batch, Position, players, solve, variants
from pasgl_env.players import TreeSearchPlayer, ValuePlayer
from pasgl_env.players.values.weights import unlearned, write_network

from ...games.pachessi.positions import Seat
from ...games.pasgl312.positions import place as pasgl
from .trees import best_values

ALL = np.arange


def make(name: str, variant: str = "pachessi", seed: int | None = 1) -> Any:
    return players.make(name, variant, seed=seed)


def choice(name: str, position: Position) -> str:
    return position.label(players.choose_one(make(name, position.variant), position))


def opened(variant: str, games: int, actions: int, **options: Any) -> Batch:
    """Games after some random actions."""
    batch = Batch(variant, games, seed=5, **options)
    for _ in range(actions):
        batch.step(batch.sample())
    return batch


@pytest.mark.parametrize("name", ["td", "search:100"])
class TestBoth:
    def test_win_in_one(self, name):
        assert choice(name, Position.from_text("pasgl312", pasgl("Ha4 ba6"))) == "Ha4:a6"

    def test_win_by_the_last_of_two_dice(self, name):
        position = Seat(2, "black").position("Hc7:1 R* E* S*", foe="Rg1", dice="2,3")
        assert "off" in choice(name, position)

    def test_choose_in_the_middle_of_a_turn(self, name):
        position = Position.from_text("pasgl312", pasgl("Fa1 ha3 ta3")).play("Fa1a3")
        assert choice(name, position) in position.legal_moves()

    def test_play_alike_with_the_same_seed_whatever_is_beside(self, name):
        batch = opened("pachessi", 6, 30)
        alone = make(name).choose(batch, np.array([4]))
        player = make(name)
        player.reseed(ALL(6), [1] * 6)
        other = make(name)
        other.reseed(ALL(6), [1] * 6)
        together = player.choose(batch, ALL(6))
        assert together.tolist() == other.choose(batch, ALL(6)).tolist()
        assert batch.action_mask[4, alone[0]] == 1

    def test_play_only_what_the_mask_allows(self, name):
        batch = opened("pasgl312", 4, 10)
        player = make(name, "pasgl312")
        first = player.choose(batch, ALL(4))
        mask = batch.action_mask.copy()
        mask[ALL(4), first] = 0
        restricted = Masked(batch, mask)
        assert mask[ALL(4), make(name, "pasgl312").choose(restricted, ALL(4))].all()

    def test_know_nothing_of_the_dice_to_come(self, name):
        chosen = []
        for dice in (1, 2):
            batch = opened("pachessi", 3, 20)
            batch.reseed(ALL(3), [dice] * 3)
            chosen.append(make(name).choose(batch, ALL(3)).tolist())
        assert chosen[0] == chosen[1]

    def test_without_learned_values_say_so_and_play_by_the_hand_written_ones(self, name):
        position = Position("pachessi", size=5, hole=1).play("roll 2 3")
        with pytest.warns(UserWarning, match="no values of pachessi were learned with these opt"):
            assert choice(name, position) in position.legal_moves()

    def test_take_weights_from_a_file(self, name, tmp_path):
        options = {"size": 5, "hole": 1}
        ruleset = variants.ruleset("pachessi", **options)
        content = write_network(unlearned(ruleset), ruleset, {})
        (tmp_path / "values.safetensors").write_bytes(content)
        position = Position("pachessi", **options).play("roll 2 3")
        assert choice(f"{name}:values={tmp_path}", position) in position.legal_moves()

    def test_refuse_another_variant(self, name):
        with pytest.raises(ValueError, match="plays pachessi, not spalding"):
            make(name).choose(Batch("spalding", 1), ALL(1))

    def test_can_be_copied(self, name):
        batch = opened("pachessi", 2, 20)
        player = make(name)
        twin = copy.deepcopy(player)
        assert player.choose(batch, ALL(2)).tolist() == twin.choose(batch, ALL(2)).tolist()


class Masked:
    """A batch that allows less than is legal."""

    def __init__(self, batch: Batch, mask: np.ndarray) -> None:
        self._batch, self.action_mask = batch, mask
        self.legal_count = mask.sum(axis=1)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._batch, name)

    def __len__(self) -> int:
        return len(self._batch)


def test_by_one_ply_with_hand_written_values_is_greedy_play(tmp_path):
    options = {"size": 5, "hole": 1}
    ruleset = variants.ruleset("pachessi", **options)
    content = write_network(unlearned(ruleset), ruleset, {})
    (tmp_path / "values.safetensors").write_bytes(content)
    batch = opened("pachessi", 40, 30, **options)
    value_player = ValuePlayer(variants.find("pachessi"), 1, values=tmp_path)
    chosen = value_player.choose(batch, ALL(40))
    game = variants.find("pachessi")
    # On the last die of a roll nothing is ahead but the state itself.
    last = [game for game in range(40) if batch.states["dice"][game][1] == 0]
    assert last
    for number in last:
        worth = {}
        for action in np.flatnonzero(batch.action_mask[number]).tolist():
            state = batch.states[number : number + 1].copy()
            mover = game.to_move(state[0])
            game.play(state[0], batch.options_record[0], action)
            worth[action] = game.evaluate(state[0], batch.options_record[0], mover)
        assert worth[int(chosen[number])] == pytest.approx(max(worth.values()), abs=0.02)


def test_a_single_simulation_plays_the_best_one_ply_choice():
    batch = opened("pasgl312", 20, 40)
    chosen = [make(name, "pasgl312").choose(batch, ALL(20)).tolist() for name in ("search:1", "td")]
    assert chosen[0] == chosen[1]


def test_td_with_a_temperature_varies():
    batch = Batch("pasgl312", 60, seed=1)
    assert np.unique(make("td", "pasgl312").choose(batch, ALL(60))).size < 5
    assert np.unique(make("td:temperature=1", "pasgl312").choose(batch, ALL(60))).size > 10


class TestSearch:
    def test_is_named_by_all_that_is_unusual(self):
        for name in ("search:80", "search:80:exploration=0.3:prior_visits=2:trees=3"):
            assert make(name).name == name

    def test_tells_visits_values_and_the_best_line(self):
        batch = opened("pasgl312", 2, 4)
        player = make("search:200", "pasgl312")
        chosen = player.choose(batch, ALL(2))
        assert player.visits.argmax(axis=1).tolist() == chosen.tolist()
        assert player.visits.sum(axis=1).tolist() == [199, 199]
        values = player.action_values[batch.action_mask == 1]
        assert ((values >= -1) & (values <= 1)).all()
        line = player.best_line(batch, 0)
        assert line[0] == chosen[0]
        alone = Batch("pasgl312", 1)
        alone.put([0], batch.states[:1])
        for action in line:
            alone.step([action])  # refuses what is not legal
        assert len(line) >= 2

    @pytest.mark.parametrize("variant", ["pasgl312", "spalding"])
    def test_without_dice_a_node_is_worth_what_its_best_child_is(self, variant):
        batch, player = opened(variant, 1, 4), make("search:150", variant)
        player.choose(batch, ALL(1))
        tree = player._trees[0, 0]
        pairs = list(best_values(tree, variants.find(variant), batch.options_record[0]))
        assert len(pairs) > 100
        for best, of_children in pairs:
            assert best == pytest.approx(of_children, abs=1e-5)  # ties are broken at random
        values = player.action_values[0, tree.children["choice"]]
        assert values.tolist() == tree.children["best"].tolist()

    def test_with_dice_an_action_is_worth_the_mean_of_its_results(self):
        batch, player = opened("pachessi", 1, 20), make("search:150")
        player.choose(batch, ALL(1))
        children = player._trees[0, 0].children
        means = (children["total"] + children["prior"]) / (children["visits"] + 1)
        assert player.action_values[0, children["choice"]] == pytest.approx(means)

    def test_does_not_depend_on_the_number_of_threads(self):
        batch = opened("pachessi", 5, 20)
        one, three = (
            TreeSearchPlayer(variants.find("pachessi"), 1, simulations=80, threads=threads)
            for threads in (1, 3)
        )
        assert one.choose(batch, ALL(5)).tolist() == three.choose(batch, ALL(5)).tolist()
        assert (one.visits == three.visits).all()

    def test_a_board_of_another_size_is_searched_as_by_a_new_player(self):
        player = make("search:40")
        for size in (7, 5):
            batch = opened("pachessi", 1, 20, size=size, hole=1)
            players.reseed(player, ALL(1), [9])
            chosen = player.choose(batch, ALL(1)).tolist()
            again = make("search:40")
            players.reseed(again, ALL(1), [9])
            assert again.choose(batch, ALL(1)).tolist() == chosen
            assert (again.visits == player.visits).all()

    def test_keeps_to_its_time(self):
        batch = opened("pasgl312", 1, 6)
        player = make("search:50ms", "pasgl312")
        player.choose(batch, ALL(1))
        begun = perf_counter()
        player.choose(batch, ALL(1))
        assert 0.05 <= perf_counter() - begun < 1.0

    def test_sees_what_one_ply_cannot(self):
        """The Hunter may be shot next turn where it stands after the capture."""
        player = make("search:400", "pachessi")
        batch = opened("pachessi", 1, 30)
        player.choose(batch, ALL(1))
        assert player.visits.max() > 20


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("td:temperature=hot", "temperature of td must be a number, not 'hot'"),
        ("td:temperature=-1", "temperature must be 0 or more"),
        ("td:depth=2", "td takes values=…, temperature=…"),
        ("search:0", "a budget must be a number of simulations"),
        ("search:ms", "a budget must be a number of simulations"),
        ("search:20ms:depth=2", "search takes values=…"),
        ("search:20:ahead=end", "ahead of search must be an integer, not 'end'"),
        ("td:", "td takes values=…, temperature=…, separated by colons, not ''"),
        ("td:values=nowhere", "No such file"),
    ],
)
def test_a_name_that_means_nothing_is_refused(name, reason):
    with pytest.raises((ValueError, OSError), match=reason):
        make(name)


def test_games_without_learned_values_are_searched_by_the_hand_written_ones(monkeypatch):
    monkeypatch.setattr("pasgl_env.players.values.weights.learned_variants", frozenset)
    monkeypatch.setattr("pasgl_env.players.values.weights.shipped", lambda ruleset: None)
    board = "c6c/8/3m4/3N4/2M5/8/8/C6C"
    position = Position("overlord", setup=board)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in ("td", "search:30"):
            assert choice(name, position) in position.legal_moves()


@pytest.mark.parametrize(("ahead", "takes"), [(0, True), (2, False)])
def test_a_search_that_plays_turns_on_sees_what_the_enemy_answers(ahead, takes, tmp_path):
    options = {"setup": "8/2c5/8/2m5/3m4/3H4/1C6/7C"}
    ruleset = variants.ruleset("chieftain", **options)
    content = write_network(unlearned(ruleset), ruleset, {})
    (tmp_path / "values.safetensors").write_bytes(content)
    guarded = Position("chieftain", **options)
    name = f"search:10:values={tmp_path}:ahead={ahead}"
    assert (choice(name, guarded) == "Hd3xd4") is takes


def test_a_leaf_that_a_table_has_gets_its_exact_value():
    ruleset = variants.ruleset("chieftain", setup="cm2/4/4/2MC")
    table = solve(ruleset, Position.from_text(ruleset, "c3/4/4/2MC w 0 1"))
    position = Position.from_text(ruleset, "c1m1/4/2C1/2M1 w 0 0")
    (lost,) = np.flatnonzero(table.follow(position.state)[0] >= 0)
    batch = Batch(ruleset, 1)
    batch.states = position.state
    values = []
    for known in (None, table):
        settings: dict[str, Any] = {"simulations": 300, "exploration": 5.0, "prior_visits": 0.0}
        player = TreeSearchPlayer(variants.find("chieftain"), 1, **settings, table=known)
        players.choose(player, batch, ALL(1))
        assert player.visits[0, lost] > 0
        values.append(player.action_values[0, lost])
    assert values[0] > values[1] == -1
