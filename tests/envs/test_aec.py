"""The PettingZoo environment: interface, credit, ends of games, copies, documentation."""

import importlib
import re
import subprocess
import sys
import warnings

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from pasgl_env import Batch, IllegalMove, Position
from pasgl_env.contract.variants import find, table
from pasgl_env.envs import pasgl312_v0, registration

state_test = importlib.import_module("pettingzoo.test.state_test")

PUSH = "8/8/8/4b3/8/8/4T3/4B3 ./././. ./. 1 w 0:0 0 0"
WHITE_WINS = "8/8/8/4b3/3H4/8/8/T3B3 ./././. ./. 1 w 27:0 0 0", "Ta1a2"
BLACK_WINS = "t3b3/8/8/3h4/8/8/8/4B3 ./././. ./. 3 b 0:27 0 0", "ta8a7"
# The Train, coming to h5, runs over the Bear of the player who moved.
BLACK_LOSES = "t7/8/8/7b/8/8/8/4B3 ./././. ./. 18 b 0:0 0 0", "ta8a7"
WHITE, BLACK = "player_0", "player_1"


def module_of(variant):
    return importlib.import_module(f"pasgl_env.envs.{variant}_v{table()[variant].environment}")


@pytest.fixture
def module(variant):
    """The module of one environment of each game."""
    return module_of(variant)


def identifier(variant):
    return f"pasgl_env/{variant}-v{table()[variant].environment}"


@pytest.fixture
def any_env(module):
    """An environment of each game."""
    env = module.env()
    env.reset(seed=0)
    return env


@pytest.fixture
def raw():
    return pasgl312_v0.raw_env()


@pytest.fixture
def env():
    env = pasgl312_v0.env()
    env.reset(seed=0)
    return env


def play(env, label):
    env.step(env.unwrapped.position.action(label))


def begun_at(text, **arguments):
    env = pasgl312_v0.env(**arguments)
    env.reset(options={"position": text})
    return env


def random_episode(env, seed=0):
    """Play legal actions to the end; yield every agent that acts, with its last observation."""
    rng = np.random.default_rng(seed)
    for agent in env.agent_iter():
        seen = env.last()
        yield agent, *seen
        ended = seen[2] or seen[3]
        env.step(None if ended else int(rng.choice(np.flatnonzero(seen[0]["action_mask"]))))


def credits(env, seed=0):
    """Each agent's rewards over the rest of a random game, as returned by ``last()``."""
    paid = dict.fromkeys(env.possible_agents, 0.0)
    for agent, _, reward, *_ in random_episode(env, seed):
        paid[agent] += reward
    return paid


def snapshot(env):
    """All outputs of an environment."""
    env = env.unwrapped
    return (
        env.position.text,
        env.agent_selection,
        *(
            env.observe(agent)[key].tobytes()
            for agent in env.possible_agents
            for key in ("observation", "action_mask")
        ),
        *(
            dict(told)
            for told in (env.rewards, env._cumulative_rewards, env.terminations, env.truncations)
        ),
    )


class TestPettingZoosOwnTests:
    def test_api_test_passes_with_no_warning_but_the_unavoidable(self, every_variant):
        module = module_of(every_variant)
        name = module.__name__.rpartition(".")[2]
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            api_test(module.env(turn_limit=60), num_cycles=1000)
        assert {str(warning.message) for warning in caught} == {
            # Its list of environments whose observations may be dictionaries is fixed.
            "Observation is not a NumPy array",
            "Observation space for each agent probably should be gymnasium.spaces.box or"
            " gymnasium.spaces.discrete",
            # It passes a meaningless option to check that reset takes options.
            f"reset of {name} has one option, 'position'; ignored: ['options']",
        }

    @pytest.mark.parametrize("reward", ["outcome", "points"])
    def test_api_test_passes_over_whole_games(self, module, variant, reward):
        arguments = {"reward": reward} if find(variant).has_points else {}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            api_test(module.env(turn_limit=0, **arguments), num_cycles=2000)
            api_test(module.raw_env(turn_limit=20, **arguments), num_cycles=100)

    def test_seed_test_passes(self, module):
        seed_test(module.env, num_cycles=500)

    def test_render_test_passes(self, module):
        def make(**arguments):
            env = module.env(render_size=64, **arguments)
            env.unwrapped.metadata["render_fps"] = 10_000
            return env

        render_test(make)

    def test_state_test_passes(self, module):
        state_test.test_state_space(module.env())
        state_test.test_state(module.env(), num_cycles=100)

    @pytest.mark.filterwarnings("ignore:reset of ")
    def test_parallel_api_test_passes_through_the_turn_based_conversion(self, module):
        parallel_api_test(turn_based_aec_to_parallel(module.env()), num_cycles=100)

    def test_max_cycles_test_does_not_apply_and_says_why(self, module, variant):
        # It expects a parallel_env in which all agents act at once, for as many cycles as its
        # keyword max_cycles allows. Here agents take turns, and the keyword is turn_limit (see
        # TestEnd).
        assert not hasattr(module, "parallel_env")
        assert module.env().metadata["is_parallelizable"] is False
        with pytest.raises(ValueError, match=r"no option 'max_cycles'.*turn_limit"):
            pettingzoo.make("aec", identifier(variant), max_cycles=4)


class TestObservation:
    def test_every_agent_sees_the_board_from_its_own_side(self, any_env):
        for _ in zip(range(60), random_episode(any_env), strict=False):
            for seat, agent in enumerate(any_env.possible_agents):
                seen = any_env.observe(agent)
                assert any_env.observation_space(agent).contains(seen)
                expected = any_env.unwrapped.position.observation(seat)
                np.testing.assert_array_equal(seen["observation"], expected)

    def test_mask_allows_the_legal_actions_of_the_agent_to_act_and_none_of_the_other(self, any_env):
        for _ in zip(range(60), random_episode(any_env), strict=False):
            masks = {agent: any_env.observe(agent)["action_mask"] for agent in any_env.agents}
            legal_actions = any_env.unwrapped.position.legal_actions()
            assert np.flatnonzero(masks.pop(any_env.agent_selection)).tolist() == legal_actions
            assert not any(mask.any() for mask in masks.values())

    @pytest.mark.parametrize("options", [{"turn_limit": 5}, {"win_margin": 1}])
    def test_masks_are_empty_once_the_game_has_ended(self, options):
        env = pasgl312_v0.env(**options)
        env.reset()
        for _, observation, _, terminated, truncated, _ in random_episode(env):
            assert observation["action_mask"].any() == (not terminated and not truncated)
        assert not any(env.observe(agent)["action_mask"].any() for agent in env.possible_agents)

    def test_arrays_handed_out_are_the_callers_own(self, raw):
        before = snapshot(raw)
        seen = raw.observe(WHITE)
        kept = {key: array.copy() for key, array in seen.items()}
        play(raw, "Th1h2")
        for key, array in kept.items():
            np.testing.assert_array_equal(seen[key], array)
        raw.reset()
        for array in (*raw.observe(WHITE).values(), raw.state()):
            array[:] = 1
        assert snapshot(raw) == before

    def test_state_is_what_player_0_sees_whoever_is_to_act(self, any_env):
        for _ in zip(range(60), random_episode(any_env), strict=False):
            state = any_env.state()
            assert any_env.state_space.contains(state)
            np.testing.assert_array_equal(state, any_env.observe(WHITE)["observation"])

    def test_spaces_are_the_same_objects_at_every_call_and_not_shared_by_agents(self, any_env):
        for space in (any_env.observation_space, any_env.action_space):
            assert space(WHITE) is space(WHITE)
            assert space(WHITE) == space(BLACK)
            assert space(WHITE) is not space(BLACK)


class TestTurn:
    def test_agent_acts_again_until_its_turn_of_several_actions_is_complete(self):
        env = begun_at(PUSH)
        play(env, "Be1e2")
        assert env.agent_selection == WHITE
        assert env.unwrapped.position.in_turn
        play(env, "Td3")
        assert env.agent_selection == BLACK
        assert env.unwrapped.position.turns == 1

    def test_rewards_and_flags_are_idle_in_mid_turn(self):
        env = begun_at(PUSH, turn_limit=1, reward="points")
        play(env, "Be1e2")
        assert env.rewards == {WHITE: 0, BLACK: 0}
        assert not any(env.truncations.values())
        play(env, "Td3")
        assert all(env.truncations.values())

    def test_agents_alternate_when_turns_are_single_actions(self, env):
        acted = []
        for label in ("Th1h2", "th8h7", "Th2h1"):
            acted.append(env.agent_selection)
            play(env, label)
        assert acted == [WHITE, BLACK, WHITE]


class TestCredit:
    @pytest.mark.parametrize(
        ("text", "label", "expected"),
        [
            (*WHITE_WINS, {WHITE: 1, BLACK: -1}),
            (*BLACK_WINS, {WHITE: -1, BLACK: 1}),
            (*BLACK_LOSES, {WHITE: 1, BLACK: -1}),
        ],
        ids=["White wins", "Black wins", "Black loses by its own move"],
    )
    def test_winner_gets_1_and_loser_minus_1_whoever_moved_last(self, text, label, expected):
        env = begun_at(text)
        play(env, label)
        assert env.terminations == {WHITE: True, BLACK: True}
        assert env.truncations == {WHITE: False, BLACK: False}
        assert env.rewards == expected
        assert credits(env) == expected
        assert env.agents == []

    def test_agent_is_paid_nothing_before_the_end_of_the_game(self, any_env):
        for agent, _, reward, terminated, truncated, _ in random_episode(any_env):
            if not (terminated or truncated):
                assert reward == 0
                assert any_env.rewards[agent] == 0

    def test_points_go_to_the_agent_that_scores_and_come_off_the_other(self):
        env = begun_at("8/8/8/4b3/3H4/8/8/T3B3 ./././. ./. 1 w 0:0 0 0", reward="points")
        play(env, "Ta1a2")
        assert env.rewards == {WHITE: 4, BLACK: -4}
        assert env.last()[1] == -4

    @pytest.mark.parametrize("seed", range(5))
    def test_points_add_up_to_the_difference_of_the_scores(self, seed):
        env = pasgl312_v0.env(reward="points")
        env.reset()
        paid = credits(env, seed)
        white, black = env.unwrapped.position.points
        assert paid == {WHITE: white - black, BLACK: black - white}
        assert white != black

    @pytest.mark.parametrize(("seed", "reward"), [(0, "outcome"), (1, "points")])
    def test_game_is_the_same_as_in_a_batch(self, module, variant, reward, seed):
        arguments = {"reward": reward} if find(variant).has_points else {}
        env = module.env(turn_limit=150, **arguments)
        env.reset(seed=seed)
        batch = Batch(variant, 1, turn_limit=150, **arguments)
        batch.reseed([0], [seed])
        batch.states = Position(variant, **batch.options).state
        rng = np.random.default_rng(seed)
        while not batch.ended.size:
            observation, *_ = env.last()
            assert env.agent_selection == f"player_{batch.to_move[0]}"
            np.testing.assert_array_equal(observation["observation"], batch.observation[0])
            np.testing.assert_array_equal(observation["action_mask"], batch.action_mask[0])
            action = rng.choice(np.flatnonzero(batch.action_mask[0]))
            env.step(action)
            batch.step([action])
            assert list(env.rewards.values()) == batch.reward[0].tolist()
            assert set(env.terminations.values()) == {bool(batch.terminated[0])}
            assert set(env.truncations.values()) == {bool(batch.truncated[0])}
        final = [env.observe(agent)["observation"] for agent in env.possible_agents]
        np.testing.assert_array_equal(final, batch.final_observation[0])


class TestEnd:
    @pytest.mark.parametrize("limit", [1, 2, 4, 17])
    def test_game_is_truncated_after_exactly_turn_limit_turns_without_outcome(self, module, limit):
        env = module.env(turn_limit=limit)
        env.reset()
        for _, _, reward, terminated, truncated, _ in random_episode(env):
            assert truncated == (env.unwrapped.position.turns == limit)
            assert not terminated
            assert reward == 0
        assert env.unwrapped.position.turns == limit
        assert not env.unwrapped.position.is_over

    def test_turn_limit_0_never_truncates(self):
        env = pasgl312_v0.env(turn_limit=0)
        env.reset()
        assert not any(truncated for *_, truncated, _ in random_episode(env))
        assert env.unwrapped.position.is_over

    def test_turn_limit_counts_the_turns_of_the_position_that_the_game_began_from(self):
        env = begun_at(PUSH.removesuffix("0") + "8", turn_limit=10)
        turns = {env.unwrapped.position.turns for _ in random_episode(env)}
        assert turns == {8, 9, 10}

    def test_end_by_the_rules_at_the_turn_limit_is_no_truncation(self):
        text, label = WHITE_WINS
        env = begun_at(text, turn_limit=1)
        play(env, label)
        assert all(env.terminations.values())
        assert not any(env.truncations.values())

    def test_agents_step_out_one_by_one_and_a_reset_brings_them_back(self):
        text, label = WHITE_WINS
        env = begun_at(text)
        play(env, label)
        for left in (1, 0):
            env.step(None)
            assert len(env.agents) == left
        env.reset()
        assert env.agents == [WHITE, BLACK]
        assert env.agent_selection == WHITE
        assert not any(env.terminations.values())

    def test_agent_whose_game_has_ended_can_only_step_out(self, raw):
        text, label = WHITE_WINS
        raw.reset(options={"position": text})
        play(raw, label)
        with pytest.raises(ValueError, match="None"):
            raw.step(0)
        raw.step(None)
        raw.step(None)
        with pytest.raises(IllegalMove, match="reset"):
            raw.forfeit()
        with pytest.raises(IllegalMove, match="reset"):
            raw.step(None)


class TestIllegalActions:
    def test_an_illegal_action_loses_the_game(self, env):
        play(env, "Th1h2")
        assert not env.observe(BLACK)["action_mask"][0]
        env.step(0)
        assert env.terminations == {WHITE: True, BLACK: True}
        assert credits(env) == {WHITE: 1, BLACK: -1}
        env.reset()
        assert not any(env.terminations.values())

    @pytest.mark.parametrize("action", [-1, 1165, 2.0, "pass"])
    def test_action_outside_the_space_is_an_assertion_error(self, env, action):
        with pytest.raises(AssertionError, match="action space"):
            env.step(action)

    @pytest.mark.parametrize("use", ["step", "observe", "state", "render", "agent_iter"])
    def test_use_before_reset_is_an_error(self, use):
        with pytest.raises(AssertionError, match="reset"):
            getattr(pasgl312_v0.env(), use)(*[0] * (use in ("step", "observe")))

    @pytest.mark.parametrize("action", [0, -1, 1165, 10**30, 2.0, None, "Th1h2", [5], np.int32(0)])
    def test_raw_env_refuses_an_illegal_action_and_changes_nothing(self, raw, action):
        raw.reset(options={"position": PUSH})
        play(raw, "Be1e2")
        before = snapshot(raw)
        with pytest.raises(IllegalMove, match=r"not legal.*Td1"):
            raw.step(action)
        assert snapshot(raw) == before


class TestReset:
    def test_begins_at_the_position_of_the_options(self, env):
        env.reset(options={"position": BLACK_WINS[0]})
        assert env.unwrapped.position.text == BLACK_WINS[0]
        assert env.agent_selection == BLACK
        env.reset()
        assert env.unwrapped.position.text == Position("pasgl312").text

    def test_begins_in_mid_turn(self):
        env = begun_at(f"{PUSH} Be1e2")
        assert env.agent_selection == WHITE
        play(env, "Td3")
        assert env.agent_selection == BLACK

    def test_position_is_read_with_the_environments_options(self):
        text = "8/8/8/4b3/8/8/8/4B3 ./././. ./. 1 w 40:0 0 0"
        with pytest.raises(ValueError, match="over"):
            begun_at(text)
        assert begun_at(text, win_margin=50).unwrapped.position.options["win_margin"] == 50

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("nonsense", "8 fields"),
            (PUSH.replace(" w ", " x "), "mover"),
            (f"{PUSH} Be1e7", "labels"),
            (None, "str"),
            (PUSH.replace("0:0", "50:0"), "over"),
            (PUSH.removesuffix("0") + "500", "turn_limit"),
        ],
        ids=["no text", "bad field", "bad label", "None", "finished", "at the turn limit"],
    )
    def test_position_that_cannot_be_played_is_refused_and_changes_nothing(self, text, reason):
        env = begun_at(PUSH, turn_limit=500)
        play(env, "Be1e2")
        before = snapshot(env)
        with pytest.raises(ValueError, match=reason):
            env.reset(options={"position": text})
        assert snapshot(env) == before

    def test_unknown_option_is_ignored_with_a_warning_that_names_the_known(self, env):
        with pytest.warns(UserWarning, match=r"'position'.*'positoin'"):
            env.reset(options={"positoin": PUSH})
        assert env.unwrapped.position.text == Position("pasgl312").text

    def test_no_warning_without_unknown_options(self, env, recwarn):
        for options in (None, {}, {"position": PUSH}):
            env.reset(seed=1, options=options)
        assert not recwarn

    def test_seed_changes_nothing_in_a_game_without_chance(self, env):
        episodes = []
        for seed in (0, 1, None):
            env.reset(seed=seed)
            episodes.append([snapshot(env) for _ in random_episode(env)])
        assert episodes[0] == episodes[1] == episodes[2]


class TestArguments:
    @pytest.mark.parametrize(
        ("arguments", "allowed"),
        [
            ({"render_mode": "rgb"}, "'ansi', 'rgb_array', 'human' or None"),
            ({"reward": "score"}, "outcome or points"),
            ({"win_margins": 3}, "win_margin"),
            ({"win_margin": 0}, "from 1 to 255"),
            ({"turn_limit": "10"}, "integer"),
        ],
    )
    @pytest.mark.parametrize("make", [pasgl312_v0.env, pasgl312_v0.raw_env])
    def test_wrong_argument_is_refused_at_once_and_told_what_is_allowed(
        self, make, arguments, allowed
    ):
        with pytest.raises(ValueError, match=re.escape(allowed)):
            make(**arguments)

    def test_options_reach_the_rules(self):
        options = {"win_margin": 40, "hunter_range": 0, "turn_limit": 0}
        assert pasgl312_v0.raw_env(**options).position.options.items() >= options.items()

    def test_position_is_a_copy(self, raw):
        raw.position.play("Th1h2")
        assert raw.position.turns == 0


class TestRender:
    def test_ansi_is_the_diagram_of_the_position(self):
        env = begun_at(PUSH, render_mode="ansi")
        assert env.render() == str(Position.from_text("pasgl312", PUSH))

    def test_render_without_a_mode_warns_and_gives_none(self, env):
        with pytest.warns(UserWarning, match="render_mode"):
            assert env.render() is None


class TestRegistration:
    @pytest.mark.parametrize("variant", table())
    def test_every_variant_can_be_made(self, variant):
        version = table()[variant].environment
        env = pettingzoo.make("aec", f"pasgl_env/{variant}-v{version}", turn_limit=7)
        assert str(env.unwrapped) == f"{variant}_v{version}"
        assert env.unwrapped.position.options["turn_limit"] == 7

    def test_importing_the_package_registers(self):
        code = (
            "import pasgl_env, pettingzoo, sys\n"
            "assert 'pasgl_env.envs.pasgl312_v0' not in sys.modules\n"
            "pettingzoo.make('aec', 'pasgl_env/pasgl312-v0')"
        )
        done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True)
        assert done.returncode == 0, done.stderr.decode()

    def test_registering_again_is_silent(self, recwarn):
        registration.register_all()
        importlib.reload(registration)
        assert not recwarn
