import sys
from types import SimpleNamespace

import numpy as np
import pytest

from pasgl_env import Batch, Dice, IllegalMove, Position, players, variants
from pasgl_env.evaluation import play_match

from ..games.pasgl312.positions import place

ALL = np.arange
# The search of each game is compiled for itself, which takes long: all of them only in slow tests.
SEARCHED = ("pachessi", "pasgl312")
over_all_players = pytest.mark.parametrize(
    ("variant", "name"),
    [
        *((variant, name) for variant in variants.names() for name in ("random", "greedy")),
        *(
            pytest.param(variant, "mcts:10", marks=() if variant in SEARCHED else pytest.mark.slow)
            for variant in variants.names()
        ),
    ],
)


def by_first(observation, action_mask):
    return action_mask.argmax(axis=1)


class Policy:
    """Has Stable-Baselines3's predict."""

    def __init__(self):
        self.calls = []

    def predict(self, observation, state=None, deterministic=False, action_masks=None):
        self.calls.append((observation.shape, action_masks.dtype, deterministic))
        return action_masks.argmax(axis=1), None


def game_of(player, variant, seed=0, games=5, steps=60):
    """All actions of some games that a player plays against itself."""
    batch = Batch(variant, games, seed=seed)
    actions = []
    for _ in range(steps):
        actions.append(players.choose(player, batch, ALL(games)))
        batch.step(actions[-1])
    return np.array(actions)


class TestMake:
    @over_all_players
    def test_makes_a_player_of_that_name(self, variant, name):
        player = players.make(name, variant, seed=1)
        assert isinstance(player, players.Player)
        assert player.name == name

    def test_a_ruleset_names_its_variant(self):
        ruleset = variants.ruleset("chieftain", setup="c3/4/4/3C")
        for name in ("greedy", "td", "mcts:2"):
            player = players.make(name, ruleset, seed=1)
            start = Position(ruleset)
            assert players.choose_one(player, start) in start.legal_actions()
        assert players.as_player("greedy", ruleset).name == "greedy"

    def test_unknown_name(self):
        with pytest.raises(ValueError, match=r"'gredy'; did you mean 'greedy'\? \(players: random"):
            players.make("gredy", "pasgl312")

    def test_unknown_variant(self):
        with pytest.raises(ValueError, match="did you mean 'pasgl312'"):
            players.make("random", "pasgl321")

    @over_all_players
    def test_the_seed_decides(self, variant, name):
        first, again, other = (
            game_of(players.make(name, variant, seed=seed), variant) for seed in (1, 1, 2)
        )
        assert (first == again).all()
        assert (first != other).any()

    @over_all_players
    def test_without_a_seed_players_differ(self, variant, name):
        one, other = (game_of(players.make(name, variant), variant) for _ in range(2))
        assert (one != other).any()

    @over_all_players
    def test_a_game_is_the_same_whichever_games_are_beside_it(self, variant, name):
        together, alone = (players.make(name, variant, seed=3) for _ in range(2))
        batch = Batch(variant, 4)
        for _ in range(20):
            actions = players.choose(together, batch, ALL(4))
            assert players.choose(alone, batch, ALL(4)[2:3]) == actions[2]
            batch.step(actions)

    def test_reseed_begins_the_generators_of_some_games_anew(self, variant):
        player, reseeded = (players.make("random", variant, seed=4) for _ in range(2))
        players.reseed(reseeded, np.array([1, 3]), [11, 11])
        batch = Batch(variant, 4, seed=4)
        batch.states = np.repeat(batch.states[:1], 4)
        usual = np.array([players.choose(player, batch, ALL(4)) for _ in range(9)])
        changed = np.array([players.choose(reseeded, batch, ALL(4)) for _ in range(9)])
        assert (usual[:, [0, 2]] == changed[:, [0, 2]]).all()
        assert (changed[:, 1] == changed[:, 3]).all()
        assert (usual[:, 1] != changed[:, 1]).any()

    def test_an_object_in_a_python_file(self, tmp_path):
        file = tmp_path / "mine.py"
        (tmp_path / "beside_mine.py").write_text("strong = 'greedy'\n")
        file.write_text(
            "from beside_mine import strong\n"
            "def first(observation, action_mask):\n    return action_mask.argmax(axis=1)\n"
        )
        player, batch = players.make(f"{file}:first", "pachessi"), Batch("pachessi", 3)
        assert players.choose(player, batch, ALL(3)).tolist() == (
            batch.action_mask.argmax(axis=1).tolist()
        )
        assert players.make(f"{file}:strong", "pachessi").name == "greedy"
        with pytest.raises(ValueError, match=r"there is no last in .*mine\.py"):
            players.make(f"{file}:last", "pachessi")
        with pytest.raises(FileNotFoundError):
            players.make(f"{tmp_path / 'none.py'}:first", "pachessi")


class TestRandom:
    def test_all_actions_are_equally_likely(self):
        batch = Batch("pasgl312", 1000)
        player = players.make("random", "pasgl312", seed=5)
        chosen = [players.choose(player, batch, ALL(1000)) for _ in range(36)]
        counts = np.bincount(np.concatenate(chosen), minlength=batch.num_actions)
        assert (counts[batch.action_mask[0] == 0] == 0).all()
        assert ((counts[batch.action_mask[0] == 1] - 1000) ** 2 / 1000).sum() < 66  # 99.9% of 35


@pytest.mark.jitfree
class TestGreedy:
    """Its choice in positions where one action is best."""

    def choice(self, critters, *labels, seed=0, options=None, **rest):
        position = Position.from_text("pasgl312", place(critters, **rest), **(options or {}))
        for label in labels:
            position.play(label)
        greedy = players.make("greedy", "pasgl312", seed=seed)
        return position.label(players.choose_one(greedy, position))

    def test_kills_the_best_target(self):
        assert self.choice("Ha3 ta5 hc3") == "Ha3:c3"

    def test_wins_if_it_can_but_does_not_lose(self):
        assert self.choice("Ha4 ba6") == "Ha4:a6"
        assert self.choice("Ha4 ba6", score="0:25") != "Ha4:a6"

    def test_scores_rather_than_kill_for_less(self):
        assert not self.choice("Hd4 sd6").startswith("H")
        assert self.choice("Hd4 sd6", options={"hunter_points": 0}) == "Hd4:d6"

    def test_takes_the_best_victim(self):
        assert self.choice("Fa1 ha3 ta3") == "Fa1a3"
        assert self.choice("Fa1 ha3 ta3", "Fa1a3") == "t"
        assert self.choice("Fa1 ha3 -sa3 ta3", "Fa1a3") == "t"

    def test_takes_a_lunch(self):
        assert self.choice("Wa1 hc3") == "Wa1^c3"

    def test_plays_black_too(self):
        assert self.choice("ha6 Ta4 Hc6", mover="b") == "ha6:c6"

    def test_does_not_leave_a_critter_before_the_train(self):
        # Phase 4: the Train's head enters e4 next. A Bear there would earn 5 points.
        assert self.choice("Be3", phase=4) != "Be3e4"

    def test_goes_to_the_campfire(self):
        assert self.choice("Td1") == "Td1d4"

    def test_options_count(self):
        assert self.choice("Td1 Fc3", options={"fox_points": 0}) == "Td1d4"
        assert self.choice("Td1 Fc3", options={"fox_points": 99}).startswith("Fc3")

    def test_pushes_enemies_under_the_train(self):
        # The Train is on f4 and g4.
        critters, start = "Be2 hf3", ("Be2f3",)
        assert self.choice(critters, *start, phase=4) in ("hf4", "hg4")

    def test_pushes_each_of_several(self):
        critters, start = "Be2 hf3 tf3 Tf3", "Be2f3"
        own = self.choice(critters, start, phase=4)
        assert own not in ("Tf4", "Tg4")
        enemy = self.choice(critters, start, own, phase=4)
        assert enemy in ("hf4", "hg4")
        assert self.choice(critters, start, own, enemy, phase=4) in ("tf4", "tg4")

    def test_sees_the_best_push_before_it_moves(self):
        assert self.choice("Be2 hf3 tf3", phase=4) == "Be2f3"

    def test_of_equals_any(self):
        assert len({self.choice("", seed=seed) for seed in range(20)}) > 1

    def test_refuses_another_variants_games(self, monkeypatch):
        greedy = players.make("greedy", "pasgl312")
        batch = Batch("pasgl312", 1)
        monkeypatch.setattr(Batch, "variant", "another")
        with pytest.raises(ValueError, match="plays pasgl312, not another"):
            greedy.choose(batch, ALL(1))


class TestAsPlayer:
    def test_a_name(self):
        assert players.as_player("greedy", "pasgl312", 1).name == "greedy"

    def test_a_player_is_itself(self, variant):
        player = players.make("random", variant)
        assert players.as_player(player, variant) is player

    def test_a_function(self, variant):
        player = players.as_player(by_first, variant)
        assert player.name == "by_first"
        batch = Batch(variant, 5)
        actions = players.choose(player, batch, np.array([1, 4]))
        assert actions.tolist() == batch.action_mask[[1, 4]].argmax(axis=1).tolist()

    def test_a_policy(self, variant):
        policy = Policy()
        player = players.as_player(policy, variant)
        assert player.name == "Policy"
        batch = Batch(variant, 5)
        actions = players.choose(player, batch, np.array([0, 2, 3]))
        assert actions.tolist() == batch.action_mask[[0, 2, 3]].argmax(axis=1).tolist()
        assert policy.calls == [((3, *batch.observation_shape), np.dtype(bool), False)]

    def test_a_policy_that_plays_its_likeliest_action(self):
        policy = Policy()
        players.choose(players.PolicyPlayer(policy, True, "mine"), Batch("pasgl312", 1), ALL(1))
        assert policy.calls[0][2] is True

    def test_a_policy_without_masks(self):
        class Unmasked:
            def predict(self, observation, state=None, deterministic=False):
                raise AssertionError

        with pytest.raises(TypeError, match="Unmasked takes no action_masks"):
            players.as_player(Unmasked(), "pasgl312")

    def test_a_class(self):
        with pytest.raises(TypeError, match="Policy is a class"):
            players.as_player(Policy, "pasgl312")

    def test_a_name_that_is_no_text(self):
        thing = SimpleNamespace(name=5, choose=len)
        with pytest.raises(TypeError, match="the name of a player must be a text, not 5"):
            players.as_player(thing, "pasgl312")

    @pytest.mark.parametrize("thing", [None, 3, ["random"]])
    def test_anything_else(self, thing):
        with pytest.raises(TypeError, match=f"or a function, not {type(thing).__name__}"):
            players.as_player(thing, "pasgl312")


class TestChoose:
    """An error about an invalid answer names the player."""

    @pytest.mark.parametrize(
        "answer",
        [[1], [[1, 2, 3]], 5, [0.0, 1.0, 2.0], [], None, "abc"],
        ids=str,
    )
    def test_wrong_shape_or_type(self, answer):
        def strange(observation, action_mask):
            return answer

        player = players.as_player(strange, "pasgl312")
        with pytest.raises(ValueError, match=r"player 'strange' must return .* shape \(3,\)"):
            players.choose(player, Batch("pasgl312", 3), ALL(3))

    @pytest.mark.parametrize("ending", [StopIteration, GeneratorExit])
    def test_who_ends_a_loop_ends_only_the_choice(self, ending):
        def exhausted(observation, action_mask):
            raise ending

        player = players.as_player(exhausted, "pasgl312")
        with pytest.raises(RuntimeError, match=f"player 'exhausted' raised {ending.__name__}"):
            players.choose(player, Batch("pasgl312", 1), ALL(1))

    @pytest.mark.parametrize(
        "change",
        [
            lambda batch, games: batch.step_some(games, batch.action_mask[games].argmax(axis=1)),
            lambda batch, games: batch.reset(),
            lambda batch, games: batch.put([3], batch.states[:1]),
            lambda batch, games: batch.reseed(games, [1, 2]),
        ],
        ids="step reset put reseed".split(),
    )
    def test_who_plays_in_the_batch_is_told(self, change):
        class Trying:
            name = "trying"

            def choose(self, batch, games):
                change(batch, games)
                return batch.action_mask[games].argmax(axis=1)

        with pytest.raises(RuntimeError, match="player 'trying' changed the batch"):
            players.choose(Trying(), Batch("pachessi", 4, seed=1), np.array([0, 2]))

    def test_a_state_beside_the_actions_names_the_player(self):
        player = players.as_player(lambda observation, mask: (mask.argmax(1), None), "pasgl312")
        with pytest.raises(ValueError, match="player '<lambda>' must return an array of integers"):
            players.choose(player, Batch("pasgl312", 3), ALL(3))

    def test_the_games_are_the_players_own_array(self):
        class Careless:
            name = "careless"

            def choose(self, batch, games):
                actions = batch.action_mask[games].argmax(axis=1)
                games[:] = 0
                return actions

        batch = Batch("pasgl312", 3, seed=1)
        batch.step_some([2], batch.sample()[2:])
        assert (players.choose(Careless(), batch, ALL(3)) == batch.action_mask.argmax(1)).all()

    @pytest.mark.parametrize("action", [-1, 1164, 1165, 2**40])
    def test_illegal_action(self, action):
        def cheat(observation, action_mask):
            return np.where(np.arange(2) == 1, action, action_mask.argmax(axis=1))

        player = players.as_player(cheat, "pasgl312")
        with pytest.raises(IllegalMove, match=f"player 'cheat' chose action {action} in game 3"):
            players.choose(player, Batch("pasgl312", 4), np.array([2, 3]))


class TestChooseOne:
    @over_all_players
    def test_chooses_and_changes_nothing(self, variant, name):
        position = Position(variant, turn_limit=7)
        while position.is_chance:
            position.roll(Dice(1))
        before = position.text
        action = players.choose_one(players.make(name, variant), position)
        assert action in position.legal_actions()
        assert position.text == before

    def test_in_the_middle_of_a_turn(self):
        position = Position.from_text("pasgl312", place("Fa1 ha3 ta3")).play("Fa1a3")
        action = players.choose_one(players.make("random", "pasgl312"), position)
        assert position.label(action) in ("h", "t")

    def test_no_game_left(self):
        over = Position.from_text("pasgl312", place(score="30:0"))
        with pytest.raises(ValueError, match="the game is over"):
            players.choose_one(players.make("random", "pasgl312"), over)


def test_greedy_beats_random():
    n = 400
    batch = Batch("pasgl312", n)
    seats = np.arange(n) % 2
    greedy, random = (players.make(name, "pasgl312", seed=6) for name in ("greedy", "random"))
    outcome = np.zeros(n)
    running = np.arange(n)
    while running.size:
        turn = batch.to_move[running] == seats[running]
        actions = np.zeros(running.size, np.int64)
        actions[turn] = players.choose(greedy, batch, running[turn])
        actions[~turn] = players.choose(random, batch, running[~turn])
        batch.step_some(running, actions)
        outcome[batch.ended] = batch.outcome[np.arange(batch.ended.size), seats[batch.ended]]
        running = np.setdiff1d(running, batch.ended)
    assert (outcome == 1).mean() > 0.95


def test_players_without_networks_play_where_pytorch_cannot_be_imported(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    assert play_match("pachessi", "greedy", "random", 2, seed=0).all.games == 2
