"""Stable-Baselines3's ``VecEnv`` over self-play."""

import math
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

from pasgl_env import Batch, IllegalMove, Position, players
from pasgl_env.players.potential import potential, potentials

from ..games.pasgl312.positions import place
from ..players.scripted import Scripted, action_of

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO  # noqa: E402
from sb3_contrib.common.maskable.evaluation import evaluate_policy  # noqa: E402
from sb3_contrib.common.maskable.utils import (  # noqa: E402
    get_action_masks,
    is_masking_supported,
)
from stable_baselines3.common.monitor import Monitor  # noqa: E402
from stable_baselines3.common.vec_env import (  # noqa: E402
    DummyVecEnv,
    VecEnv,
    VecMonitor,
    VecNormalize,
)

from pasgl_env.envs.vec import SelfPlayVecEnv  # noqa: E402

from ..small_networks import one_thread  # noqa: E402, F401

N = 6


def make(n=N, variant="pasgl312", *, seed: int | None = 1, **arguments):
    env = SelfPlayVecEnv(variant, n, seed=seed, **arguments)
    env.reset()
    return env


def first_legal(env):
    return env.action_masks().argmax(axis=1)


def history(env, steps=80):
    """All outputs of an environment as bytes, for actions that depend on it alone."""
    seen = [env.reset().tobytes()]
    for step in range(steps):
        masks = env.action_masks()
        order = np.roll(np.arange(masks.shape[1]), 37 * step)
        observation, reward, done, infos = env.step(order[masks[:, order].argmax(axis=1)])
        ends = [sorted(info) for info in infos]
        seen += [observation.tobytes(), reward.tobytes(), done.tobytes(), ends]
    return seen


def learner(env, **arguments):
    settings = {"n_steps": 16, "batch_size": 32, "n_epochs": 1, "seed": 0} | arguments
    return MaskablePPO("MlpPolicy", env, **settings)


class TestInterface:
    def test_spaces(self, variant):
        env = make(N, variant)
        assert env.observation_space == spaces.Box(0, 1, env.batch.observation_shape, np.uint8)
        assert env.action_space == spaces.Discrete(env.batch.num_actions)
        assert env.num_envs == len(env.batch) == N

    def test_what_reset_and_step_give(self, every_variant):
        env = make(N, every_variant)
        shape = (N, *env.batch.observation_shape)
        observation = env.reset()
        assert (observation.shape, observation.dtype) == (shape, np.uint8)
        observation, reward, done, infos = env.step(first_legal(env))
        assert (observation.shape, observation.dtype) == (shape, np.uint8)
        assert (reward.shape, reward.dtype) == ((N,), np.float32)
        assert (done.shape, done.dtype) == ((N,), np.bool_)
        assert infos == [{}] * N

    def test_masks_where_maskable_ppo_looks_for_them(self, variant):
        env = make(N, variant)
        assert is_masking_supported(env)
        masks = get_action_masks(env)
        assert masks.shape == (N, env.batch.num_actions)
        assert masks.dtype == np.bool_
        assert (masks == env.batch.action_mask).all()

    def test_masks_of_some_games(self, variant):
        env = make(N, variant)
        rows = env.env_method("action_masks", indices=[4, 1])
        assert (np.stack(rows) == env.action_masks()[[4, 1]]).all()
        assert len(env.env_method("action_masks", indices=2)) == 1

    def test_attributes(self):
        env = make()
        assert env.has_attr("action_masks") and not env.has_attr("no_such_thing")
        assert env.get_attr("render_mode") == [None] * N
        assert env.env_is_wrapped(VecMonitor, indices=[0, 2]) == [False, False]
        assert env.env_is_wrapped(Monitor, indices=[0, 2]) == [True, True]
        with pytest.raises(AttributeError, match="no method 'render'"):
            env.env_method("render")
        with pytest.raises(AttributeError, match="no attribute 'gravity' to set"):
            env.set_attr("gravity", 3)

    def test_options_of_a_reset_are_refused(self):
        env = make()
        env.set_options({})
        env.set_options()
        for options in ({"position": "..."}, [{}, {"position": "..."}]):
            with pytest.raises(ValueError, match="takes no options"):
                env.set_options(options)

    def test_what_is_handed_out_is_the_callers_own(self, variant):
        env, twin = (make(N, variant, turn_limit=6) for _ in range(2))
        for _ in range(12):
            actions = env.sample()
            handed = list(env.step(actions))
            expected = twin.step(twin.sample())
            kept = [np.copy(array) for array in handed[:3]]
            infos = handed.pop()
            for info in infos:
                if info:
                    info["terminal_observation"][:] = 7
            for array in [*handed, actions, *get_action_masks(env)]:
                array[:] = 0
            assert all((one == other).all() for one, other in zip(kept, expected[:3], strict=True))
            assert (env.batch.states == twin.batch.states).all()
            assert (env.action_masks() == twin.action_masks()).all()

    def test_actions_may_change_before_the_wait(self):
        env, twin = make(), make()
        actions = first_legal(env)
        env.step_async(actions)
        actions[:] = 0
        env.step_wait()
        twin.step(first_legal(twin))
        assert (env.batch.states == twin.batch.states).all()


class TestInfos:
    def ends(self, steps=400, **arguments):
        """The info of every game that ended, with its number, its last reward and its length."""
        env = make(16, opponents=["random", "greedy"], **arguments)
        lengths = np.zeros(16, int)
        for _ in range(steps):
            _, reward, done, infos = env.step(env.sample())
            lengths += 1
            for game, info in enumerate(infos):
                assert bool(info) == done[game]
                if info:
                    yield game, reward[game], lengths[game], info
            lengths[done] = 0

    def test_a_game_that_ended(self):
        sides, outcomes = set(), set()
        for game, reward, length, info in self.ends():
            assert set(info) == {
                "terminal_observation",
                "TimeLimit.truncated",
                "episode",
                "is_success",
                "outcome",
                "opponent",
                "side",
            }
            assert reward == info["outcome"] == info["episode"]["r"]
            assert not info["TimeLimit.truncated"]
            assert info["opponent"] == game % 2
            assert info["episode"]["l"] == length
            assert info["is_success"] == (reward == 1)
            sides.add(info["side"])
            outcomes.add(info["outcome"])
        assert sides == {0, 1}
        assert {-1, 1} <= outcomes

    def test_a_game_that_was_cut_off(self):
        for _, reward, _, info in self.ends(60, turn_limit=6):
            assert info["TimeLimit.truncated"]
            assert reward == info["outcome"] == 0

    def test_the_terminal_observation_is_the_learners(self):
        env = make(1, learner=0, opponents=[Scripted("ta8a7")])
        text = place("Ta1 td5 ta8", score="0:28")
        env.duel.reset(states=Position.from_text("pasgl312", text).state)
        observation, reward, done, infos = env.step([action_of(env.batch, 0, "Ta1a2")])
        last = Position.from_text("pasgl312", text).play("Ta1a2").play("ta8a7")
        assert (infos[0]["terminal_observation"] == last.observation(0)).all()
        assert (observation[0] == Position("pasgl312").observation(0)).all()
        assert (reward, done, infos[0]["side"]) == (-1, True, 0)

    def test_rewards_are_scaled(self):
        env, twin = (make(16, reward="points", reward_scale=scale) for scale in (1, 0.1))
        totals = np.zeros(16)
        some = 0
        for _ in range(200):
            actions = env.sample()
            _, reward, _, infos = env.step(actions)
            _, scaled, _, scaled_infos = twin.step(actions)
            assert scaled == pytest.approx(0.1 * reward)
            totals += scaled
            for game, info in enumerate(scaled_infos):
                if info:
                    assert info["episode"]["r"] == pytest.approx(totals[game], abs=1e-5)
                    assert info["outcome"] == infos[game]["outcome"]
                    totals[game] = 0
                    some += 1
        assert some > 10

    def test_shaping_adds_up_to_what_the_first_position_was_worth(self):
        """Without a discount, no way of playing gains by shaping."""
        plain, shaped = (
            SelfPlayVecEnv("spalding", 16, seed=1, shaping=shaping, discount=1.0)
            for shaping in (0.0, 0.5)
        )
        for env in (plain, shaped):
            env.reset()
        began = potential(shaped.batch, shaped.duel.side)
        added, some = np.zeros(16), 0
        for _ in range(400):
            actions = plain.sample()
            _, reward, _, _ = plain.step(actions)
            _, with_shaping, done, infos = shaped.step(actions)
            added += with_shaping - reward
            assert added[done] == pytest.approx(-0.5 * began[done], abs=1e-4)
            now = potential(shaped.batch, shaped.duel.side)
            assert added[~done] == pytest.approx(0.5 * (now - began)[~done], abs=1e-4)
            added[done], began[done] = 0, now[done]
            some += sum(abs(info["episode"]["r"]) == 1 for info in infos if info)
        assert some > 10

    @pytest.mark.parametrize("adjudicate", [False, True])
    def test_what_shaping_gave_stays_where_the_turn_limit_cuts_off(self, adjudicate):
        """The learner adds its value estimate, or the game's result is the potential."""
        rules = {"shaping": 0.5, "discount": 1.0, "adjudicate": adjudicate}
        env = make(16, "spalding", opponents=["greedy"], turn_limit=20, **rules)
        env.reset()
        began, added, some = potential(env.batch, env.duel.side), np.zeros(16), 0
        for _ in range(120):
            _, reward, done, infos = env.step(env.sample())
            added += reward
            ended, now = env.duel.ended, potential(env.batch, env.duel.side)
            last = potentials(env.batch.ruleset, ended.state, ended.side)
            for row, game in enumerate(ended.game.tolist()):
                was_cut = bool(env.duel.truncated[game])
                assert infos[game]["TimeLimit.truncated"] == (was_cut and not adjudicate)
                reached = 0.5 * last[row] if was_cut else infos[game]["outcome"]
                assert added[game] == pytest.approx(reached - 0.5 * began[game], abs=1e-4)
                some += was_cut and last[row] != 0
            added[done], began[done] = 0, now[done]
        assert some > 10


class TestSeeds:
    def test_the_same_seed_the_same_games(self, variant):
        assert history(make(N, variant, seed=3)) == history(make(N, variant, seed=3))
        assert history(make(N, variant, seed=3)) != history(make(N, variant, seed=4))

    def test_the_same_samples(self):
        env, twin = make(), make()
        assert (env.sample() == twin.sample()).all()

    def test_seeding_the_next_reset(self, variant):
        env = make(N, variant, seed=None, opponents=["random", "greedy"])
        assert env.seed(9) == list(range(9, 9 + N))
        first = history(env)
        env.seed(9)
        assert history(env) == first
        env.seed(11)
        assert history(env) != first

    def test_a_seed_counts_once(self):
        env = make(seed=None)
        env.seed(9)
        first = history(env)
        assert history(env) != first


class TestOpponents:
    def test_names_players_and_policies(self):
        model = learner(make())
        greedy = players.make("greedy", "pasgl312", seed=1)
        env = make(9, opponents=["random", greedy, model])
        for _ in range(30):
            env.step(env.sample())

    def test_a_player_that_is_used_elsewhere_meanwhile_plays_the_same(self):
        greedy, alone = (players.make("greedy", "pasgl312", seed=1) for _ in range(2))
        env, twin = (make(opponents=[each]) for each in (greedy, alone))
        for _ in range(5):
            players.choose(greedy, Batch("pasgl312", N), np.arange(N))
            actions = first_legal(env)
            for each in (env, twin):
                each.step(actions)
            assert (env.batch.states == twin.batch.states).all()

    def test_time_is_told(self):
        env = make()
        before = env.seconds
        env.step(first_legal(env))
        get_action_masks(env)
        assert before < env.seconds
        assert env.duel.seconds_in_opponents < env.seconds


class TestIllegal:
    def test_it_loses_so_that_ppo_runs_without_masks(self):
        from stable_baselines3 import PPO

        env = make(illegal="lose")
        _, reward, done, infos = env.step(np.full(N, 1164))
        assert (reward == -1).all() and done.all()
        assert [info["TimeLimit.truncated"] for info in infos] == [False] * N
        policy = {"net_arch": [8]}
        PPO("MlpPolicy", env, n_steps=8, batch_size=16, policy_kwargs=policy).learn(96)

    def test_an_illegal_action_changes_nothing(self):
        env, twin = make(), make()
        for bad in (1164, -1, 1165):
            actions = first_legal(env)
            actions[3] = bad
            with pytest.raises(IllegalMove, match=f"game 3: action {bad} is not legal"):
                env.step(actions)
            assert (env.batch.states == twin.batch.states).all()
            assert (env.action_masks() == twin.action_masks()).all()
        actions = first_legal(env)
        for one, other in zip(env.step(actions)[:3], twin.step(actions)[:3], strict=True):
            assert (one == other).all()

    @pytest.mark.parametrize(
        "arguments, message",
        [
            ({"opponents": ["nobody"]}, "no player 'nobody'"),
            ({"opponents": "random"}, r"opponents must be a list, such as \['random'\]"),
            ({"discount": None}, "discount must be a number from 0.0 to 1.0, not None"),
            ({"discount": 2.0}, "discount must be a number from 0.0 to 1.0, not 2.0"),
            ({"reward_scale": math.nan}, "reward_scale must be a number from 0.0 to 1000000"),
            ({"shaping": math.nan}, "shaping must be a number from 0.0 to 1000000, not nan"),
        ],
        ids=str,
    )
    def test_impossible_arguments(self, arguments, message):
        with pytest.raises(ValueError, match=message):
            make(**arguments)


class TestMaskablePPO:
    def test_it_learns_as_it_is(self):
        model = learner(make(N))
        before = torch.nn.utils.parameters_to_vector(model.policy.parameters()).clone()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            model.learn(3 * 16 * N)
        after = torch.nn.utils.parameters_to_vector(model.policy.parameters())
        assert model.num_timesteps == 3 * 16 * N
        assert not torch.equal(before, after)

    def test_every_action_in_the_rollout_is_legal(self, variant):
        env = make(N, variant)
        model = learner(env)
        model.learn(16 * N)
        buffer: Any = model.rollout_buffer
        masks = buffer.action_masks.reshape(-1, env.batch.num_actions)
        actions = buffer.actions.astype(int).reshape(-1)
        assert masks[np.arange(actions.size), actions].all()

    def test_it_bootstraps_where_a_game_was_cut_off(self):
        env = make(turn_limit=6)
        model = learner(env, gamma=0.5, gae_lambda=0.0)
        with torch.no_grad():
            for tensor in model.policy.value_net.parameters():
                tensor.zero_()
            model.policy.value_net.bias.fill_(8)
        model._setup_learn(1)
        model.collect_rollouts(env, _Silent(model), model.rollout_buffer, 16)
        # No game was decided, so every reward is the discounted value of a cut-off position.
        assert set(model.rollout_buffer.rewards.flatten().tolist()) == {0, 4}

    def test_wrapped(self):
        env: VecEnv = VecMonitor(make(turn_limit=10, reward="points"))
        env = VecNormalize(env, norm_reward=True)
        assert is_masking_supported(env)
        model = learner(env)
        model.learn(2 * 16 * N)
        assert model.ep_info_buffer
        assert {"r", "l", "t"} <= set(model.ep_info_buffer[0])
        model._last_obs = env.reset()
        assert model._last_obs.dtype == np.float32
        assert get_action_masks(env).any(axis=1).all()

    @pytest.mark.filterwarnings("error")
    def test_evaluation_counts_results_without_shaping(self):
        env = make(4, opponents=["greedy"], turn_limit=60, shaping=1.0)
        returns, _ = evaluate_policy(
            learner(env), env, n_eval_episodes=4, return_episode_rewards=True, warn=True
        )
        assert set(np.ravel(returns)) <= {-1, 0, 1}


class _Silent:
    """A callback for ``collect_rollouts`` alone."""

    def __init__(self, model):
        self.model = model

    def on_rollout_start(self):
        pass

    def on_step(self):
        return True

    def on_rollout_end(self):
        pass

    def update_locals(self, values):
        pass


class BothInOneRollout(gymnasium.Env[np.ndarray, np.int64]):
    """The usual mistake: the player to move acts, and gets the reward of its own action."""

    def __init__(self, reward):
        self.batch = Batch("pasgl312", 1, reward=reward)
        self.observation_space = spaces.Box(0, 1, self.batch.observation_shape, np.uint8)
        self.action_space = spaces.Discrete(self.batch.num_actions)

    def reset(self, *, seed=None, options=None):
        self.batch.reset()
        return self.batch.observation[0].copy(), {}

    def step(self, action):
        mover = int(self.batch.to_move[0])
        self.batch.step([action])
        reward = float(self.batch.reward[0, mover])
        return self.batch.observation[0].copy(), reward, bool(self.batch.terminated[0]), False, {}

    def action_masks(self):
        return self.batch.action_mask[0].astype(np.bool_)


# Whose Turkey stands on d5 makes two points a turn; the others only move.
AHEAD, BEHIND = "Ta1 Td5 ta8", "Ta1 td5 ta8"
DECISIVE = [("outcome", 28), ("points", 28), ("points", 0)]
# The critic's values of White's decision, and of Black's that follows.
CRITICS = pytest.mark.parametrize(
    "critic", [(0, 0), (-0.5, 0.5)], ids=["knows nothing", "knows who is ahead"]
)


def advantages(env, batch, text, decisions):
    """MaskablePPO's own, from a position on, for decisions and values fixed beforehand."""
    script = list(decisions)

    def decide(observation, action_masks=None):
        label, value = script.pop(0)
        action = action_of(batch, 0, label) if label else int(action_masks[0].argmax())
        return torch.tensor([action]), torch.tensor([[float(value)]]), torch.zeros(1)

    model = learner(env, n_steps=len(script), batch_size=len(script))
    model.policy.forward = decide
    model.policy.predict_values = lambda observation: torch.zeros(1, 1)
    model._setup_learn(1)
    state = Position.from_text("pasgl312", text).state
    if isinstance(env, SelfPlayVecEnv):
        env.duel.reset(states=state)
    else:
        batch.states = np.broadcast_to(state, 1)
    model.collect_rollouts(env, _Silent(model), model.rollout_buffer, len(script))
    return model.rollout_buffer.advantages[:, 0]


def here(text, reward, value):
    """The advantage of White's decision Ta1a2, which Black answers with ta8a7."""
    env = make(1, learner=0, opponents=[Scripted("ta8a7", "ta7a8")], reward=reward)
    first, _ = advantages(env, env.batch, text, [("Ta1a2", value), (None, 0)])
    return first


class TestCredit:
    @pytest.mark.parametrize("reward, score", DECISIVE)
    @CRITICS
    def test_the_learner_pays_for_what_its_opponent_gets(self, reward, score, critic):
        assert here(place(BEHIND, score=f"0:{score}"), reward, critic[0]) < 0

    @pytest.mark.parametrize("reward, score", DECISIVE)
    def test_the_learner_has_what_it_gets_itself(self, reward, score):
        assert here(place(AHEAD, score=f"{score}:0"), reward, 0) > 0

    @pytest.mark.parametrize("reward, score", DECISIVE)
    @CRITICS
    def test_one_rollout_for_both_praises_the_player_who_was_beaten(self, reward, score, critic):
        naive = BothInOneRollout(reward)
        text = place(BEHIND, score=f"0:{score}")
        moves = zip(["Ta1a2", "ta8a7"], critic, strict=True)
        white, black = advantages(DummyVecEnv([lambda: naive]), naive.batch, text, moves)
        assert white > 0, "Black's points are counted as White's"
        assert black > 0
