"""Environments with four players in two teams, and dice."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from pettingzoo.test import api_test

from pasgl_env import Batch, Position, players
from pasgl_env.envs import grand_pachessi_v0, pachessi_v0
from pasgl_env.envs.gym import DuelEnv, DuelVectorEnv
from pasgl_env.envs.selfplay import Duel
from pasgl_env.evaluation import play_match

FOUR: dict[str, Any] = {"players": 4}
# Black has two pieces left, both home.
NEARLY = "Ra7:1,Eb7:1,H*/Ra1:0,E@,H@/Rg1:0,E@,H@/Rg7:0,E@,H@ black - i 30"
LAST = "Ra7:1,E*,H*/Ra1:0,E@,H@/Rg1:0,E@,H@/Rg7:0,E@,H@ {} {} i 30"


def episode(env, seed):
    """All observations and rewards of a random game."""
    env.reset(seed=seed)
    rng = np.random.default_rng(1)
    told = []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        told.append((agent, observation["observation"].tobytes(), reward))
        mask = observation["action_mask"]
        done = terminated or truncated
        env.step(None if done else rng.choice(np.flatnonzero(mask)))
    return told


class TestAec:
    @pytest.mark.parametrize("module", [pachessi_v0, grand_pachessi_v0])
    def test_passes_pettingzoos_test_with_four_agents(self, module):
        env = module.env(turn_limit=60, **FOUR)
        assert env.possible_agents == [f"player_{seat}" for seat in range(4)]
        api_test(env, num_cycles=300)

    def test_both_of_a_team_are_paid_the_same(self):
        env = pachessi_v0.raw_env(**FOUR)
        env.reset(seed=1, options={"position": LAST.format("black", "4,5")})
        env.step(env.position.action("4:Ra7-off"))
        assert env.rewards == dict(zip(env.possible_agents, (1, -1, 1, -1), strict=True))
        assert all(env.terminations.values())

    def test_everybody_sees_the_same_start_from_the_own_corner(self):
        for options in ({}, FOUR, {"players": 4, "grand": True, "size": 10, "hole": 4}):
            position = Position("pachessi", **options)
            seats = range(len(position.seats))
            seen = [position.observation(seat) for seat in seats]
            assert all((seen[0][:54] == each[:54]).all() for each in seen)
            assert all(each[0, 0, 0] == 1 for each in seen)

    def test_agents_act_counterclockwise(self):
        env = pachessi_v0.raw_env(first="green", **FOUR)
        env.reset(seed=2)
        order = [env.agent_selection]
        while len(order) < 6:
            env.step(env.position.legal_actions()[0])
            if env.agent_selection != order[-1]:
                order.append(env.agent_selection)
        assert order == [f"player_{seat % 4}" for seat in range(1, 7)]

    @pytest.mark.parametrize("options", [{}, FOUR])
    def test_a_seed_determines_the_dice(self, options):
        env = pachessi_v0.env(turn_limit=40, **options)
        assert episode(env, 5) == episode(env, 5)
        assert episode(env, 5) != episode(env, 6)

    def test_a_reset_without_a_seed_goes_on_with_the_dice(self):
        texts = set()
        env = pachessi_v0.raw_env()
        env.reset(seed=7)
        for _ in range(20):
            texts.add(env.position.text)
            env.reset()
        assert len(texts) > 10

    def test_the_position_does_not_tell_the_next_roll(self):
        envs = [pachessi_v0.raw_env(first="black") for _ in range(30)]
        start = Position("pachessi").play("roll 4 4").play("4:Ra7-a6").text
        after = set()
        for seed, env in enumerate(envs):
            env.reset(seed=seed, options={"position": start})
            assert env.position.text == start
            env.step(env.position.action("4:Ra6-a5"))
            after.add(env.position.text)
        assert len(after) > 10

    def test_a_chance_node_may_be_begun_from(self):
        env = pachessi_v0.raw_env(**FOUR)
        env.reset(seed=3, options={"position": NEARLY})
        assert env.agent_selection == "player_0"
        assert env.observe("player_0")["action_mask"].any()
        with pytest.raises(ValueError, match="over"):
            env.reset(options={"position": LAST.replace("Ra7:1", "R*").format("black", "4")})


class TestDuel:
    def duel(self, n=6, **settings):
        batch = Batch("pachessi", n, seed=1, turn_limit=60, **FOUR)
        duel = Duel(batch, [players.make("random", "pachessi", seed=2)], **settings)
        duel.reset(seeds=list(range(n)))
        return duel

    @pytest.mark.parametrize("learner", [0, 1])
    def test_the_learner_plays_every_turn_of_its_team(self, learner):
        duel = self.duel(learner=learner)
        acted = set()
        for _ in range(150):
            assert (duel.batch.to_move % 2 == learner).all()
            acted |= set(duel.batch.to_move.tolist())
            duel.step(duel.batch.sample())
            assert (duel.side == learner).all()
        assert acted == {learner, learner + 2}

    def test_teams_alternate(self):
        assert self.duel().side.tolist() == [0, 1, 0, 1, 0, 1]

    @pytest.mark.parametrize("learner", [2, -1, 4])
    def test_there_are_two_teams_to_be(self, learner):
        with pytest.raises(ValueError, match="0, 1 or 'alternate'"):
            self.duel(learner=learner)

    def test_the_learner_is_paid_as_its_team_and_sees_the_end_as_one_of_it(self):
        duel = self.duel(2, learner=1)
        mover = LAST.replace("Ra1:0,E@,H@", "Ra1:1,E*,H*").replace("Ra7:1,E*,H*", "Ra7:0,E@,H@")
        position = Position.from_text("pachessi", mover.format("green", "4,5"), **FOUR)
        duel.reset(states=position.state)
        duel.step([position.action("4:Ra1-off")] * 2)
        assert duel.reward.tolist() == [1, 1]
        assert duel.ended.outcome.tolist() == [1, 1]
        position.play("4:Ra1-off")
        assert (duel.ended.observation[0] == position.observation(1)).all()

    def test_a_seed_determines_dice_and_opponents(self):
        told = []
        for _ in range(2):
            duel = self.duel()
            for _ in range(60):
                duel.step(duel.batch.action_mask.argmax(axis=1))
            told.append(duel.batch.states.tobytes())
        assert told[0] == told[1]


class TestGymnasium:
    def test_an_episode_is_determined_by_its_seed(self):
        env = gymnasium.make("pasgl_env/Pachessi-v0", opponent="random", **FOUR)
        firsts = [env.reset(seed=4)[0].tobytes() for _ in range(2)]
        assert firsts[0] == firsts[1]
        assert len({env.reset()[0].tobytes() for _ in range(12)}) > 4

    def test_many_games_are_those_of_single_environments(self):
        options: dict[str, Any] = {"opponent": "random", "turn_limit": 12, **FOUR}
        many = DuelVectorEnv("pachessi", 3, **options)
        single = SyncVectorEnv(
            [lambda: DuelEnv("pachessi", **options)] * 3, autoreset_mode=AutoresetMode.SAME_STEP
        )
        seen: list[Any] = [env.reset(seed=8) for env in (many, single)]
        for _ in range(60):
            np.testing.assert_array_equal(seen[0][0], seen[1][0])
            actions = many.action_masks().argmax(axis=1)
            seen = [env.step(actions) for env in (many, single)]
            np.testing.assert_array_equal(seen[0][1], seen[1][1])


def test_a_vec_env_tells_the_team():
    vec = pytest.importorskip("pasgl_env.envs.vec", exc_type=ImportError)
    env = vec.SelfPlayVecEnv("pachessi", 4, opponents=["greedy"], seed=1, turn_limit=200, **FOUR)
    env.reset()
    ends: list[Any] = []
    for _ in range(300):
        *_, infos = env.step(env.sample())
        ends += [info for info in infos if info]
    assert {info["side"] for info in ends} == {0, 1}
    assert np.mean([info["outcome"] for info in ends]) < 0


class TestMatch:
    @pytest.mark.parametrize("options", [{}, FOUR])
    def test_a_game_is_the_same_whatever_is_played_beside_it(self, options):
        settings: dict[str, Any] = {"seed": 3, "turn_limit": 60, **options}
        whole = play_match("pachessi", "greedy", "random", 10, **settings)
        parts = play_match("pachessi", "greedy", "random", 6, batch_size=2, **settings)
        assert (whole.games[:6] == parts.games).all()

    def test_a_player_plays_a_whole_team(self):
        match = play_match("pachessi", "greedy", "random", 40, seed=1, **FOUR)
        assert min(tally.wins for tally in match.by_side) > 15


def test_an_illegal_action_loses_for_the_whole_team():
    env = pachessi_v0.env(players=4)
    env.reset(seed=1)
    loser = env.agent_selection
    env.step(int(env.observe(loser)["action_mask"].argmin()))
    lost = {loser, f"player_{(int(loser[-1]) + 2) % 4}"}
    assert env.terminations == dict.fromkeys(env.possible_agents, True)
    assert env.rewards == {agent: -1 if agent in lost else 1 for agent in env.possible_agents}
