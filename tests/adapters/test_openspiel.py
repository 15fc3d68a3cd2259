"""Every variant as an OpenSpiel game, played by OpenSpiel's own tests and algorithms."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from pasgl_env import Dice, Position, players, variants
from pasgl_env.contract.game import Option, Spaces
from pasgl_env.contract.ruleset import Ruleset

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python import rl_environment  # noqa: E402
from open_spiel.python.algorithms import evaluate_bots, mcts, random_agent  # noqa: E402

from pasgl_env.adapters import openspiel  # noqa: E402

from ..broken_games import SOUND  # noqa: E402

SEED = 1


@pytest.fixture
def game(variant):
    return openspiel.load(variant, turn_limit=12)


def played(state, random):
    """Play a game to its end."""
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(random.choice(outcomes, p=chances)))
        else:
            state.apply_action(int(random.choice(state.legal_actions())))
    return state


def test_openspiels_own_test(game):
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


def test_a_state_is_the_position(variant):
    game = openspiel.load(variant, turn_limit=12)
    state, dice = game.new_initial_state(), Dice(SEED)
    position = Position(variant, **{**game.start.options})
    random = np.random.default_rng(SEED)
    while not position.is_truncated and not position.is_over:
        assert state.current_player() == position.to_move
        assert state.legal_actions() == position.legal_actions()
        if position.is_chance:
            label = position.roll(dice)
            state.apply_action(state.string_to_action(label))
            continue
        seen = np.reshape(state.observation_tensor(), game.observation_tensor_shape())
        assert (seen == position.observation()).all()
        assert state.observation_string(0) == str(state) == position.text
        action = int(random.choice(state.legal_actions()))
        assert state.action_to_string(action) == position.label(action)
        state.apply_action(action)
        position.play_action(action)
    assert state.is_terminal()


def test_clones_are_independent(game):
    state = game.new_initial_state()
    before = str(state)
    played(state.clone(), np.random.default_rng(SEED))
    assert str(state) == before


def test_an_illegal_action_is_an_error_of_openspiel(game):
    """RLlib's environment catches this one."""
    random = np.random.default_rng(SEED)
    state, states = game.new_initial_state(), []
    while not state.is_terminal():
        states.append(state.clone())
        state.apply_action(int(random.choice(state.legal_actions())))
    for each in (*states, state):
        before, legal = (str(each), each.history()), each.legal_actions()
        illegal = next(action for action in range(10**4) if action not in legal)
        with pytest.raises(pyspiel.SpielError, match="not legal"):
            each.apply_action(illegal)
        assert (str(each), each.history()) == before


def test_a_team_wins_together():
    game = openspiel.load("pachessi", players=4)
    state, dice = game.new_initial_state(), Dice(SEED)
    greedy = players.make("greedy", "pachessi", seed=SEED)
    while not state.is_terminal():
        position = state.position.copy()
        if position.is_chance:
            state.apply_action(state.string_to_action(position.roll(dice)))
        else:
            state.apply_action(players.choose_one(greedy, position))
    returns = state.returns()
    assert state.position.is_over
    assert game.num_players() == 4
    assert returns[0] == returns[2] == -returns[1] == -returns[3]


def test_a_game_without_an_end_is_a_draw():
    game = openspiel.load("pasgl312", turn_limit=1)
    state = game.new_initial_state()
    state.apply_action(state.string_to_action("Th1h2"))
    assert state.is_terminal()
    assert state.returns() == [0, 0]


def test_options_are_parameters():
    game = pyspiel.load_game("pasgl_env_pachessi(players=4,turn_limit=9)")
    assert game.start.options["players"] == 4
    assert str(pyspiel.load_game(str(game))) == str(game)


@pytest.mark.parametrize(
    "variant, options",
    [
        ("pachessi", {"players": 4, "turn_limit": 9}),
        ("spalding", {"white_finds": "-", "box_rhino": False}),
        ("chieftain", {"setup": "cm2/4/4/2MC"}),
    ],
    ids=str,
)
def test_games_can_be_pickled(variant, options):
    game = openspiel.load(variant, **options)
    again = pickle.loads(pickle.dumps(game))
    assert str(again) == str(game)
    assert again.start.options == game.start.options


def test_numbers_of_numpy_are_numbers():
    game = openspiel.load("pachessi", turn_limit=np.int64(5), players=np.int8(4))
    assert (game.start.turn_limit, game.num_players()) == (5, 4)


def test_the_longest_game_is_as_long_as_openspiel_can_count():
    assert openspiel.load("pasgl312", turn_limit=5).max_game_length() == 500
    assert openspiel.load("pasgl312", turn_limit=10**9 - 1).max_game_length() == 2**31 - 1


@pytest.mark.parametrize(
    "options, message",
    [({"turn_limit": 0}, "have to end"), ({"bears": 3}, "no option 'bears'")],
    ids=str,
)
def test_impossible_options(options, message):
    with pytest.raises(ValueError, match=message):
        openspiel.load("pasgl312", **options)


def test_rl_environment(variant, game):
    env = rl_environment.Environment(game)
    agents = [
        random_agent.RandomAgent(player, env.action_spec()["num_actions"])
        for player in range(env.num_players)
    ]
    step = env.reset()
    size = int(np.prod(Position(variant, **game.start.options).observation(0).shape))
    while not step.last():
        player = step.observations["current_player"]
        assert len(step.observations["info_state"][player]) == size
        step = env.step([agents[player].step(step).action])
    assert sum(step.rewards) == 0


def test_tree_search(game):
    random = np.random.RandomState(SEED)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    bots = [
        mcts.MCTSBot(game, 1.4, 2, evaluator, random_state=random)
        for _ in range(game.num_players())
    ]
    returns = evaluate_bots.evaluate_bots(game.new_initial_state(), bots, np.random)
    assert sum(returns) == 0


@pytest.mark.slow
def test_dqn(game):
    pytest.importorskip("torch")
    from open_spiel.python.pytorch import dqn

    env = rl_environment.Environment(game)
    shape = game.observation_tensor_shape()
    agents = [
        dqn.DQN(
            player,
            state_representation_size=int(np.prod(shape)),
            num_actions=game.num_distinct_actions(),
            hidden_layers_sizes=[8],
            replay_buffer_capacity=200,
            batch_size=8,
            min_buffer_size_to_learn=8,
            learn_every=4,
        )
        for player in range(env.num_players)
    ]
    for _ in range(3):
        step = env.reset()
        while not step.last():
            player = step.observations["current_player"]
            step = env.step([agents[player].step(step).action])
        for agent in agents:
            agent.step(step)
    assert np.isfinite(float(agents[0].loss))


@pytest.mark.slow
def test_alphazero(tmp_path):
    """One process learns from two that play short games."""
    pytest.importorskip("flax")
    from open_spiel.python.algorithms.alpha_zero import alpha_zero

    alpha_zero.alpha_zero(
        alpha_zero.Config(
            game="pasgl_env_spalding(turn_limit=10)",
            path=str(tmp_path),
            learning_rate=1e-3,
            weight_decay=1e-4,
            decouple_weight_decay=False,
            train_batch_size=16,
            replay_buffer_size=32,
            replay_buffer_reuse=1,
            max_steps=1,
            checkpoint_freq=1,
            actors=1,
            evaluators=1,
            evaluation_window=2,
            eval_levels=2,
            uct_c=2,
            max_simulations=2,
            policy_alpha=1,
            policy_epsilon=0.25,
            temperature=1,
            temperature_drop=4,
            nn_model="mlp",
            nn_width=16,
            nn_depth=1,
            observation_shape=None,
            output_size=None,
            verbose=False,
            quiet=True,
            nn_api_version="linen",
        )
    )
    assert list(tmp_path.glob("checkpoint*"))


def for_players(low, high):
    """The heap for a number of players that is an option, each of them a team."""
    players = Option("players", low, low, high, "number of players")
    return replace(
        SOUND,
        options=(*SOUND.options, players),
        spaces=lambda options: Spaces(int(options.players), 3, (4, 1, 1)),
    )


def test_the_number_of_players_may_be_any_kind_of_option():
    rulesets = openspiel.with_all_players(Ruleset.of(for_players(2, 5), {}))
    assert [each.spaces.players for each in rulesets] == [2, 3, 4, 5]
    assert openspiel.with_all_players(Ruleset.of(SOUND, {})) == [Ruleset.of(SOUND, {})]


def test_returns_of_three_teams_do_not_add_up_to_0():
    two, three = openspiel.with_all_players(Ruleset.of(for_players(2, 3), {}))
    assert openspiel.is_zero_sum(two)
    assert not openspiel.is_zero_sum(three)


def test_a_broken_game_of_another_distribution_harms_no_other(monkeypatch):
    registered = []

    def register(variant):
        if variant == "pachessi":
            raise KeyError("turn_limit")
        registered.append(variant)

    monkeypatch.setattr(openspiel, "_register", register)
    with pytest.warns(UserWarning, match="pachessi is not a game of OpenSpiel"):
        openspiel._register_all()
    assert registered == [name for name in variants.names() if name != "pachessi"]
