"""The Gymnasium environments."""

import multiprocessing
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import vector

import pasgl_env.envs  # noqa: F401 (registers)
from pasgl_env import Batch, IllegalMove, Position, players
from pasgl_env.contract.variants import find
from pasgl_env.envs.gym import DuelEnv, DuelVectorEnv
from pasgl_env.envs.registration import gymnasium_id

from ..games.pasgl312.positions import place
from ..players.scripted import Scripted, action_of

NAME = "pasgl_env/Pasgl312-v0"
PLANES = Batch("pasgl312", 1).observation_shape
WRAPPERS: tuple[tuple[Any, dict[str, Any]], ...] = (
    (vector.DictInfoToList, {}),
    (vector.RecordEpisodeStatistics, {}),
    (vector.FlattenObservation, {}),
    (vector.ReshapeObservation, {"shape": (PLANES[0] * PLANES[1], PLANES[2])}),
    (vector.DtypeObservation, {"dtype": np.float32}),
    (vector.TransformObservation, {"func": lambda seen: 1 - seen}),
    (vector.NormalizeObservation, {}),
    (vector.NormalizeReward, {}),
    (vector.ClipReward, {"min_reward": -0.5, "max_reward": 0.5}),
    (vector.TransformReward, {"func": lambda reward: 2 * reward}),
    (vector.TransformAction, {"func": lambda action: action}),
)

ARGUMENTS: tuple[dict[str, Any], ...] = (
    {},
    {"opponent": "greedy", "learner": 1},
    {"learner": 0, "reward": "points", "turn_limit": 30},
)


def possible(variant, arguments):
    """The arguments, without a reward that the variant lacks."""
    has_points = find(variant).has_points
    return {name: arguments[name] for name in arguments if name != "reward" or has_points}


def by_first(observation, action_mask):
    return action_mask.argmax(axis=1)


def by_observation(observation, action_mask):
    """A deterministic function of observation and mask."""
    count = action_mask.sum(axis=1, dtype=int)
    seen = observation.sum(axis=(1, 2, 3), dtype=int) + observation.argmax(axis=1).sum(axis=(1, 2))
    return np.array(
        [np.flatnonzero(m)[s % k] for m, s, k in zip(action_mask, seen, count, strict=True)]
    )


class Policy:
    def predict(self, observation, state=None, deterministic=False, action_masks=None):
        return by_observation(observation, action_masks), None


def bare(variant="pasgl312", **arguments) -> DuelEnv:
    """The environment without Gymnasium's wrappers."""
    env = gymnasium.make(gymnasium_id(variant), **arguments).unwrapped
    assert isinstance(env, DuelEnv)
    return env


def legal(info, random):
    return random.choice(np.flatnonzero(info["action_mask"]))


def any_legal(infos, random):
    """Actions for all games; any action if none is legal."""
    masks = np.where(infos["action_mask"].any(axis=1, keepdims=True), infos["action_mask"], 1)
    return all_legal({"action_mask": masks}, random)


def assert_same_where(rows, returned, others):
    """Gymnasium's own infos only cover the games in a reset mask."""
    assert data_equivalence(returned[0], others[0], exact=True)
    for key, values in others[1].items():
        assert (returned[1][key][rows] == values[rows]).all()


def all_legal(infos, random):
    return np.array([random.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]])


def played(env, steps=40, seed=0):
    """The outputs of several steps after a seeded reset."""
    random = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    returned: list[tuple[Any, ...]] = [(observation, info)]
    for _ in range(steps):
        returned.append(following(env, returned[-1], random))
    return returned


def following(env: Any, last: tuple[Any, ...], random: Any) -> tuple[Any, ...]:
    """The output of the next step, or of the next reset after an end."""
    *_, info = last
    has_ended = len(last) == 5 and (last[2] or last[3])
    return env.reset() if has_ended else env.step(legal(info, random))


def _kind(opponent):
    """A test name that is the same in every process."""
    return opponent if isinstance(opponent, str) else type(opponent).__name__


class TestCheckers:
    def test_gymnasium(self, every_variant):
        check_env(gymnasium.make(gymnasium_id(every_variant)).unwrapped)

    @pytest.mark.parametrize("arguments", [*ARGUMENTS, {"render_mode": "ansi"}], ids=str)
    def test_gymnasium_with_arguments(self, arguments):
        check_env(gymnasium.make(NAME, **arguments).unwrapped)

    @pytest.mark.parametrize("arguments", ARGUMENTS, ids=str)
    @pytest.mark.filterwarnings("ignore:It seems that your observation")
    @pytest.mark.filterwarnings("ignore:The minimal resolution for an image")
    @pytest.mark.filterwarnings("ignore:Treating image space as channels-last")
    def test_stable_baselines(self, variant, arguments):
        checker = pytest.importorskip("stable_baselines3.common.env_checker")
        env = gymnasium.make(gymnasium_id(variant), **possible(variant, arguments))
        checker.check_env(env, skip_render_check=False)

    def test_gymnasium_with_legal_actions_too(self, variant, monkeypatch):
        """The checker samples actions without a mask; here they are always legal."""
        env = bare(variant, learner=0, opponent=by_first)
        first = int(env.reset()[1]["action_mask"].argmax())
        monkeypatch.setattr(env.action_space, "sample", lambda: first)
        check_env(env, skip_render_check=True)

    def test_maskable_ppo(self):
        pytest.importorskip("sb3_contrib")
        from sb3_contrib import MaskablePPO
        from sb3_contrib.common.maskable.utils import get_action_masks

        env: Any = gymnasium.make(NAME, turn_limit=10)
        network = {"net_arch": [8]}
        model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=16, policy_kwargs=network)
        model.learn(32)
        env.reset()
        assert get_action_masks(env).sum() == env.unwrapped.duel.batch.legal_count[0]
        opponent = gymnasium.make(NAME, opponent=model, learner=1, illegal="error", turn_limit=10)
        played(opponent, steps=12)


class TestMaskInObservation:
    """For frameworks that look for the mask in the observation."""

    KEYS = {"observation_key": "observations", "mask_key": "mask"}  # noqa: RUF012

    def test_the_checker(self):
        env = bare(mask_in_observation=True, **self.KEYS)
        check_env(env, skip_render_check=True)
        assert list(env.reset()[0]) == ["observations", "mask"]

    @pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
    def test_it_is_the_real_one_and_never_empty(self, mode):
        arguments = {"learner": 0, "mask_in_observation": True, "autoreset_mode": mode}
        text = place("He4 Ta1 td5 ta8", score="26:0")
        envs = make_vec(1, **arguments)
        seen, infos = envs.reset(options={"position": text})
        assert (seen["action_mask"] == infos["action_mask"]).all()
        assert envs.observation_space.contains(seen)
        won = action_of(envs.duel.batch, 0, "Ta1a2")
        seen, _, terminated, _, infos = envs.step(np.array([won]))
        last = infos["final_obs"][0] if mode == "SameStep" else seen
        assert terminated.all() and last["action_mask"].all()
        end = infos["final_info"] if mode == "SameStep" else infos
        assert not end["action_mask"].any()
        assert end["is_success"].all()


class TestEnv:
    def test_spaces(self, variant):
        env = gymnasium.make(gymnasium_id(variant))
        batch = Batch(variant, 1)
        assert env.observation_space == gymnasium.spaces.Box(
            0, 1, batch.observation_shape, np.uint8
        )
        assert env.action_space == gymnasium.spaces.Discrete(batch.num_actions)

    def test_masks(self, variant):
        env = bare(variant, learner=0)
        _, info = env.reset()
        assert info["action_mask"].dtype == np.int8
        assert env.action_masks().dtype == np.bool_
        legal_actions = np.flatnonzero(env.duel.batch.action_mask[0]).tolist()
        assert np.flatnonzero(info["action_mask"]).tolist() == legal_actions
        assert np.flatnonzero(env.action_masks()).tolist() == legal_actions
        env.action_space.seed(1)
        assert env.action_space.sample(info["action_mask"]) in legal_actions

    @pytest.mark.parametrize(
        ("learner", "opponent"),
        [(0, "random"), (1, "greedy"), ("alternate", by_observation), ("alternate", Policy())],
        ids=["random", "greedy", "function", "policy"],
    )
    def test_a_seed_decides(self, variant, learner, opponent):
        env = gymnasium.make(
            gymnasium_id(variant), opponent=opponent, learner=learner, turn_limit=16
        )
        first, again, other = played(env), played(env), played(env, seed=1)
        assert data_equivalence(first, again, exact=True)
        assert not data_equivalence(first, other, exact=True)

    def test_any_opponent(self, variant):
        for opponent in ("random", players.make("greedy", variant), by_first, Policy()):
            env = DuelEnv(variant, opponent=opponent, illegal="error", turn_limit=20)
            played(env)

    @pytest.mark.parametrize("name", ["random", "greedy"])
    def test_a_shared_player_does_not_break_seeds(self, name):
        """The other environment's resets and steps change nothing here."""
        shared = players.make(name, "pasgl312", seed=1)
        env, other = (DuelEnv("pasgl312", opponent=shared, turn_limit=16) for _ in range(2))
        alone = played(env)
        env.reset(seed=0)
        random = np.random.default_rng(0)
        returned: list[Any] = [env.reset(seed=0)]
        for step in range(40):
            other.reset(seed=step)
            returned.append(following(env, returned[-1], random))
        assert data_equivalence(alone, returned, exact=True)

    def test_sides_alternate(self, variant):
        env = gymnasium.make(gymnasium_id(variant), turn_limit=2)
        random = np.random.default_rng(0)
        sides: list[int] = []
        returned = env.reset(seed=5)
        while len(sides) < 6:
            returned = following(env, returned, random)
            if len(returned) == 2:
                sides.append(returned[1]["side"])
        assert sides == [0, 1, 0, 1, 0, 1]

    def test_a_reset_in_the_middle_begins_the_next_episode(self):
        env = gymnasium.make(NAME)
        sides = [env.reset(seed=4)[1]["side"]] + [env.reset()[1]["side"] for _ in range(3)]
        assert sides == [0, 1, 0, 1]

    def test_the_end(self):
        text = place("He4 Ta1 td5 ta8", score="26:0")
        env = bare(learner=0, render_mode="ansi")
        env.reset(options={"position": text})
        position = Position.from_text("pasgl312", text)
        action = position.action("Ta1a2")
        observation, reward, terminated, truncated, info = env.step(action)
        position.play("Ta1a2")
        assert (observation == position.observation(0)).all()
        assert (reward, terminated, truncated) == (1.0, True, False)
        assert (info["outcome"], info["length"], info["side"]) == (1.0, 1, 0)
        assert not info["action_mask"].any()
        assert not env.action_masks().any()
        assert env.render() == str(position)
        with pytest.raises(ResetNeeded):
            env.step(action)
        env.reset()
        assert env.render() == str(Position("pasgl312"))
        env.step(Position("pasgl312").legal_actions()[0])

    def test_a_limit_truncates(self):
        env = gymnasium.make(NAME, turn_limit=1, learner=0)
        env.reset()
        action = Position("pasgl312").action("Th1h2")
        observation, reward, terminated, truncated, info = env.step(action)
        assert (reward, terminated, truncated, info["outcome"]) == (0.0, False, True, 0.0)
        assert observation[48].all(), "the learner is to act"
        assert info["action_mask"].any()

    def test_points(self):
        opponent = Scripted("ta8a7", "ta7a8")
        env = bare(opponent=opponent, learner=0, reward="points")
        env.reset(options={"position": place("He4 Ta1 td5 ta8")})
        assert env.step(action_of(env.duel.batch, 0, "Ta1a2"))[1] == 4 - 2
        assert env.step(action_of(env.duel.batch, 0, "He4e3"))[1] == 0 - 2

    def test_a_position_where_the_opponent_is_to_move(self):
        text = place("He4 Ta1 td5 ta8")
        env = gymnasium.make(NAME, opponent=Scripted("Ta1a2"), learner=1)
        observation, info = env.reset(options={"position": text})
        position = Position.from_text("pasgl312", text).play("Ta1a2")
        assert info["side"] == 1
        assert (observation == position.observation(1)).all()

    @pytest.mark.parametrize("make", [DuelEnv, DuelVectorEnv])
    def test_a_position_where_the_opponent_ends_the_game_is_refused(self, make):
        text = "j4h1l/6cp/4v3/5mx1/7v/4VR2/PL2X1V1/5V1J w HEre 14"
        env = make("spalding", opponent="greedy", learner=1)
        with pytest.raises(ValueError, match="ends before its learner"):
            env.reset(seed=1, options={"position": text})
        with pytest.raises((ResetNeeded, RuntimeError), match="reset"):
            env.step(0 if make is DuelEnv else np.zeros(1, int))
        env.reset()

    @pytest.mark.parametrize("make", [DuelEnv, partial(DuelVectorEnv, autoreset_mode="Disabled")])
    def test_a_refused_position_after_an_episode_needs_a_reset(self, make):
        text = "j4h1l/6cp/4v3/5mx1/7v/4VR2/PL2X1V1/5V1J w HEre 14"
        env = make("spalding", opponent="greedy", learner=1, turn_limit=20)
        _, info = env.reset(seed=1)
        has_ended = False
        while not has_ended:
            _, _, terminated, truncated, info = env.step(info["action_mask"].argmax(axis=-1))
            has_ended = bool(np.any(terminated) or np.any(truncated))
        with pytest.raises(ValueError, match="ends before its learner"):
            env.reset(options={"position": text})
        _, info = env.reset()
        env.step(info["action_mask"].argmax(axis=-1))

    def test_a_position_holds_for_one_episode(self):
        env = gymnasium.make(NAME, learner=0, render_mode="ansi")
        env.reset(options={"position": place("He4 Ta1 td5 ta8")})
        env.reset()
        assert env.render() == str(Position("pasgl312"))

    @pytest.mark.parametrize(
        "options, message",
        [
            ({"positions": ""}, "reset has no option 'positions'; its options are 'position'"),
            ({"position": "x"}, "8 fields"),
            ({"position": None}, "a position text must be a str"),
            ({"position": place(score="30:0")}, "the game is over"),
            ({"position": place(turns=50)}, "50 turns have been played .* turn_limit of 50"),
        ],
        ids=str,
    )
    def test_a_bad_reset_changes_nothing(self, options, message):
        env = bare(learner=0, turn_limit=50)
        _, info = env.reset(seed=1)
        env.step(info["action_mask"].argmax())
        before = env.duel.batch.states.copy()
        with pytest.raises(ValueError, match=message):
            env.reset(seed=2, options=options)
        assert (env.duel.batch.states == before).all()

    def test_an_illegal_action_loses(self):
        env = gymnasium.make(NAME)
        before, _ = env.reset()
        observation, reward, terminated, truncated, info = env.step(1164)
        assert (reward, terminated, truncated, info["outcome"]) == (-1.0, True, False, -1.0)
        assert (observation == before).all()

    @pytest.mark.parametrize("variant", ["pasgl312", "chieftain"])
    def test_an_illegal_action_costs_as_much_as_the_worst_loss(self, variant):
        """By points, it costs more than the largest lead of any game."""
        env = bare(variant, learner=0, reward="points", opponent="greedy", turn_limit=60)
        random, total, worst = np.random.default_rng(1), 0.0, 0.0
        env.reset(seed=1)
        for _ in range(2000):
            _, reward, terminated, truncated, info = env.step(legal(env._info(), random))
            total += reward
            worst = min(worst, total)
            if terminated or truncated:
                env.reset()
                total = 0.0
        env.reset()
        _, info = env.reset()
        _, paid, *_ = env.step(legal(info, random))
        _, reward, *_ = env.step(int(env.action_masks().argmin()))
        assert paid + reward <= worst < 0

    def test_an_illegal_action_is_an_error(self):
        env = bare(illegal="error")
        _, info = env.reset()
        with pytest.raises(IllegalMove, match="action 1164 is not legal"):
            env.step(1164)
        assert (env.action_masks() == info["action_mask"]).all()
        env.step(info["action_mask"].argmax())

    @pytest.mark.parametrize("action", [0.5, None, "a", [1, 2], np.zeros(1, int)], ids=repr)
    def test_an_action_of_another_kind(self, action):
        env = bare()
        env.reset()
        with pytest.raises(ValueError, match="must be 1 integers"):
            env.step(action)

    def test_step_before_reset(self):
        with pytest.raises(ResetNeeded, match="call reset first"):
            DuelEnv("pasgl312").step(0)

    def test_render_without_a_mode(self):
        env = DuelEnv("pasgl312")
        env.reset()
        with pytest.warns(UserWarning, match="draws nothing"):
            assert env.render() is None

    def test_a_registered_environment_is_what_it_says(self):
        env = bare(win_margin=5)
        assert env.duel.batch.options["win_margin"] == 5


@pytest.mark.parametrize("make", [DuelEnv, DuelVectorEnv])
@pytest.mark.parametrize(
    "arguments, error, message",
    [
        ({"opponent": "gredy"}, ValueError, "did you mean 'greedy'"),
        ({"opponent": None}, TypeError, "or a function, not NoneType"),
        ({"render_mode": "rgb"}, ValueError, "render_mode must be 'ansi', 'rgb_array'"),
        ({"frameskip": 3}, TypeError, "got an unexpected keyword argument 'frameskip'"),
        ({"max_cycles": 3}, TypeError, "use 'turn_limit'"),
        ({"mask_key": "observation"}, ValueError, "must differ"),
    ],
    ids=str,
)
def test_impossible_arguments(make, arguments, error, message):
    with pytest.raises(error, match=message):
        make("pasgl312", **arguments)


def make_vec(n=5, variant="pasgl312", **arguments):
    return gymnasium.make_vec(gymnasium_id(variant), num_envs=n, **arguments)


def wrapped(wrapper, envs, actions):
    """The outputs of a wrapped vector environment except infos, or its refusal."""
    cls, arguments = wrapper
    try:
        envs = cls(envs, **arguments)
        returned = [envs.reset(seed=1)[:1]]
        for chosen in actions:
            returned.append(envs.step(chosen)[:4])
    except (AssertionError, TypeError, ValueError) as error:
        return type(error)
    return [[np.array(part) for part in step] for step in returned]


class TestVectorEnv:
    def test_is_the_vector_entry_point(self, variant):
        envs = make_vec(8, variant, opponent="greedy", threads=2)
        batch = Batch(variant, 1)
        assert isinstance(envs, DuelVectorEnv)
        assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
        assert (envs.num_envs, envs.observation_space.shape) == (8, (8, *batch.observation_shape))
        assert envs.action_space == gymnasium.spaces.MultiDiscrete([batch.num_actions] * 8)

    @pytest.mark.parametrize("mode", AutoresetMode, ids=lambda mode: mode.name)
    @pytest.mark.parametrize(
        ("variant", "settings"),
        [
            ("pasgl312", {"opponent": "random", "learner": 0, "mask_in_observation": True}),
            ("pasgl312", {"opponent": "greedy", "learner": 1, "reward": "points"}),
            ("pasgl312", {"opponent": by_observation, "learner": "alternate"}),
            ("pasgl312", {"opponent": Policy(), "learner": "alternate"}),
            ("spalding", {"opponent": "random"}),
            ("chieftain", {"opponent": "greedy", "reward": "points"}),
            ("pachessi", {"opponent": "random"}),
        ],
        ids=lambda value: _kind(value["opponent"]) if isinstance(value, dict) else value,
    )
    def test_is_gymnasiums_own_vector_environment(self, variant, settings, mode):
        """All common outputs are equal byte for byte; some actions are illegal."""
        arguments = {"variant": variant, "turn_limit": 5, **settings}
        fast = make_vec(autoreset_mode=mode, **arguments)
        own_mode = {"autoreset_mode": mode}
        slow = make_vec(vectorization_mode="sync", vector_kwargs=own_mode, **arguments)
        random = np.random.default_rng(0)
        ends = 0
        returned = fast.reset(seed=3)
        assert data_equivalence(returned, slow.reset(seed=3), exact=True)
        for step in range(60):
            actions = any_legal(returned[-1], random)
            if step % 20 == 7:
                actions[step % 5] = returned[-1]["action_mask"][step % 5].argmin()
            returned = fast.step(actions)
            assert data_equivalence(returned, slow.step(actions), exact=True)
            ended = returned[2] | returned[3]
            ends += ended.sum()
            if mode is AutoresetMode.DISABLED and ended.any():
                returned = fast.reset(options={"reset_mask": ended})
                assert_same_where(ended, returned, slow.reset(options={"reset_mask": ended}))
            if step == 40:
                returned = fast.reset()
                assert data_equivalence(returned, slow.reset(), exact=True)
        assert ends > 5

    def test_ended_games_are_the_callers_to_reset_without_autoreset(self):
        envs = make_vec(2, autoreset_mode="Disabled", learner=0)
        envs.reset(seed=1)
        first = Position("pasgl312").legal_actions()[0]
        _, _, terminated, _, _ = envs.step(np.array([first, 1164]))  # which loses
        assert terminated.tolist() == [False, True]
        with pytest.raises(ResetNeeded, match=r"games \[1\] have ended"):
            envs.step(np.zeros(2, int))

    def test_no_such_autoreset_mode(self):
        with pytest.raises(ValueError, match="must be one of 'NextStep', 'SameStep', 'Disabled'"):
            make_vec(2, autoreset_mode="never")

    @pytest.mark.parametrize("make", [DuelEnv, DuelVectorEnv])
    def test_a_reset_chooses_the_learners_side(self, make):
        """For one episode only; then the sides alternate as before."""
        env: Any = make("pasgl312", turn_limit=2)
        sides = [env.reset(seed=0)[1]["side"]]
        sides.append(env.reset(options={"learner": 0})[1]["side"])
        sides += [env.reset()[1]["side"] for _ in range(2)]
        assert np.ravel(sides).tolist() == [0, 0, 0, 1]
        with pytest.raises(ValueError, match="side must be from 0 to 1, not 2"):
            env.reset(options={"learner": 2})

    def test_a_side_for_each_game(self):
        envs = make_vec(3)
        _, infos = envs.reset(seed=1, options={"learner": [1, 0, 1]})
        assert infos["side"].tolist() == [1, 0, 1]

    def test_infos_of_an_end(self):
        envs = make_vec(3, learner=0, opponent=Scripted("ta8a7", "ta8a7"))
        text = place("He4 Ta1 td5 ta8", score="26:0")
        _, infos = envs.reset(options={"position": text})
        keys = {"action_mask", "side", "length", "outcome", "is_success"}
        assert set(infos) == keys | {f"_{key}" for key in keys}
        ends, goes_on = (action_of(envs.duel.batch, 0, label) for label in ("Ta1a2", "He4e3"))
        observations, rewards, terminations, truncations, infos = envs.step(
            np.array([goes_on, ends, goes_on])
        )
        assert rewards.tolist() == [0, 1, 0]
        assert terminations.tolist() == [False, True, False]
        assert not truncations.any()
        assert (observations[1] == Position("pasgl312").observation()).all()
        last = Position.from_text("pasgl312", text).play("Ta1a2").observation(0)
        assert infos["_final_obs"].tolist() == infos["_final_info"].tolist() == [False, True, False]
        assert infos["final_obs"][0] is None
        assert (infos["final_obs"][1] == last).all()
        final = infos["final_info"]
        assert (final["outcome"][1], final["length"][1]) == (1, 1)
        assert final["_outcome"].tolist() == [False, True, False]
        assert infos["action_mask"][1].sum() == 36

    def test_masks(self):
        envs = make_vec(4)
        _, infos = envs.reset(seed=1)
        assert envs.action_masks().dtype == np.bool_
        assert infos["action_mask"].dtype == np.int8
        assert (envs.action_masks() == infos["action_mask"]).all()
        envs.step(envs.action_space.sample(tuple(infos["action_mask"])))

    def test_what_is_handed_out_stays(self):
        envs = make_vec(4, turn_limit=6)
        random = np.random.default_rng(0)
        _, infos = envs.reset(seed=1)
        kept = []
        for _ in range(20):
            returned = envs.step(all_legal(infos, random))
            infos = returned[-1]
            kept.append((returned, [np.array(array) for array in returned[:4]]))
        for returned, copies in kept:
            assert all((a == b).all() for a, b in zip(returned[:4], copies, strict=True))

    def test_without_copies(self):
        envs = make_vec(4, copy=False)
        observations, infos = envs.reset(seed=1)
        assert not observations.flags.writeable
        assert envs.step(infos["action_mask"].argmax(axis=1))[0] is observations

    def test_a_mask_resets_some_games(self):
        envs = make_vec(4)
        _, infos = envs.reset(seed=1)
        envs.step(infos["action_mask"].argmax(axis=1))
        before = envs.duel.batch.states.copy()
        mask = np.array([True, False, False, True])
        _, infos = envs.reset(seed=[6, 0, 0, 7], options={"reset_mask": mask})
        assert (envs.duel.batch.states[~mask] == before[~mask]).all()
        assert (envs.duel.batch.states["turn_count"][mask] == [0, 1]).all()
        assert infos["side"][mask].tolist() == [0, 1]

    def test_seeds_of_some_games_only(self):
        envs = make_vec(3)
        _, infos = envs.reset(seed=[9, None, 8])
        assert infos["side"][[0, 2]].tolist() == [1, 0]

    @pytest.mark.parametrize(
        "arguments, message",
        [
            ({"seed": [1, 2]}, "3 games need 3 seeds, not 2"),
            ({"options": {"reset_mask": np.zeros(3, bool)}}, "reset_mask must be 3 booleans"),
            ({"options": {"reset_mask": np.ones(2, bool)}}, "reset_mask must be 3 booleans"),
            ({"options": {"reset_mask": [1, 0, 1]}}, "reset_mask must be 3 booleans"),
            ({"options": {"start": ""}}, "reset has no option 'start'"),
        ],
        ids=str,
    )
    def test_a_bad_reset_changes_nothing(self, arguments, message):
        envs = make_vec(3)
        _, infos = envs.reset(seed=1)
        envs.step(infos["action_mask"].argmax(axis=1))
        before = envs.duel.batch.states.copy()
        with pytest.raises(ValueError, match=message):
            envs.reset(**arguments)
        assert (envs.duel.batch.states == before).all()

    def test_an_error_changes_nothing(self):
        envs = make_vec(3, illegal="error")
        envs.reset(seed=1)
        before = envs.duel.batch.states.copy()
        with pytest.raises(IllegalMove, match="game 0: action 1164"):
            envs.step(np.full(3, 1164))
        assert (envs.duel.batch.states == before).all()

    @pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
    @pytest.mark.parametrize("wrapper", WRAPPERS, ids=lambda wrapper: wrapper[0].__name__)
    def test_gymnasiums_wrappers(self, wrapper, mode):
        """Each wrapper does the same as around Gymnasium's own vectors, or refuses both."""
        settings = {"turn_limit": 4}
        fast, twin = (make_vec(3, autoreset_mode=mode, **settings) for _ in range(2))
        own_mode = {"autoreset_mode": mode}
        slow = make_vec(3, vectorization_mode="sync", vector_kwargs=own_mode, **settings)
        random = np.random.default_rng(0)
        returned = twin.reset(seed=1)
        actions, ends = [], 0
        for _ in range(12):
            actions.append(any_legal(returned[-1], random))
            returned = twin.step(actions[-1])
            ends += returned[3].sum()
        assert ends > 3
        expected = wrapped(wrapper, slow, actions)
        if mode == "NextStep":  # many refuse the other one
            assert isinstance(expected, list)
        assert data_equivalence(wrapped(wrapper, fast, actions), expected)

    @pytest.mark.slow
    def test_in_spawned_processes(self):
        """Started as on macOS and Windows: environments are created there by their factories."""
        spawned = {"autoreset_mode": "SameStep", "context": "spawn"}
        arguments = {"turn_limit": 4, "opponent": "greedy"}
        there = make_vec(2, vectorization_mode="async", vector_kwargs=spawned, **arguments)
        here = make_vec(
            2, vectorization_mode="sync", vector_kwargs={"autoreset_mode": "SameStep"}, **arguments
        )
        random = np.random.default_rng(0)
        returned = there.reset(seed=1), here.reset(seed=1)
        for _ in range(6):
            actions = any_legal(returned[0][-1], random)
            returned = there.step(actions), here.step(actions)
            assert data_equivalence(*returned)
        there.close()

    def test_render(self):
        envs = make_vec(2, render_mode="ansi", learner=0)
        envs.reset()
        assert envs.render() == (str(Position("pasgl312")),) * 2

    def test_render_without_a_mode(self):
        envs = make_vec(2)
        envs.reset()
        with pytest.warns(UserWarning, match="draws nothing"):
            assert envs.render() is None


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_a_name_with_the_module_works_in_other_processes(method):
    """As those of Stable-Baselines3's `SubprocVecEnv`, which import nothing else."""
    worker = multiprocessing.get_context(method).Process(
        target=gymnasium.make, args=("pasgl_env:pasgl_env/Pasgl312-v0",)
    )
    worker.start()
    worker.join(60)
    assert worker.exitcode == 0
