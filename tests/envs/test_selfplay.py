"""The learner against opponents that act inside."""

from unittest.mock import patch

import numpy as np
import pytest

from pasgl_env import Batch, IllegalMove, Position, players
from pasgl_env.contract.variants import find
from pasgl_env.engine.threads import ThreadPool
from pasgl_env.envs.selfplay import Duel

from ..games.pasgl312.positions import place
from ..players.scripted import Scripted, action_of

# White scores 4 a turn, Black 2; neither can reach the other.
FIRES = "He4 Ta1 td5 ta8"


def duel_at(text, *replies, learner=0, n=1, illegal="error", **arguments):
    """A duel in a position, against an opponent that plays these labels."""
    opponent = Scripted(*replies)
    duel = Duel(Batch("pasgl312", n, **arguments), [opponent], learner=learner, illegal=illegal)
    duel.reset(states=Position.from_text("pasgl312", text).state)
    return duel, opponent


def play(duel, *labels):
    """One step, a label for each game."""
    duel.step([action_of(duel.batch, game, label) for game, label in enumerate(labels)])


def random_duel(
    n=16, learner="alternate", names=("random",), threads=1, variant="pasgl312", **arguments
):
    opponents = [players.make(name, variant, seed=5) for name in names]
    batch = Batch(variant, n, seed=1, threads=threads, **arguments)
    duel = Duel(batch, opponents, learner=learner)
    duel.reset()
    return duel


class TestCredit:
    """Every reward goes to the learner's own side and to the action that earned it."""

    def test_learner_is_white(self):
        duel, opponent = duel_at(place(FIRES), "ta8a7", "ta7a8", reward="points")
        play(duel, "Ta1a2")
        assert duel.reward == 4 - 2
        play(duel, "He4e3")
        assert duel.reward == 0 - 2
        assert opponent.labels == []

    def test_learner_is_black(self):
        duel, _ = duel_at(place(FIRES), "Ta1a2", "Ta2a3", "He4e3", learner=1, reward="points")
        assert duel.reward == 0, "White scored before Black had acted"
        play(duel, "ta8a7")
        assert duel.reward == 2 - 4
        play(duel, "ta7a8")
        assert duel.reward == 2

    def test_both_sides_in_one_batch(self):
        replies = ("Ta1a2", "ta8a7", "Ta2a3", "ta7a6")
        duel, _ = duel_at(place(FIRES), *replies, n=2, learner="alternate", reward="points")
        assert duel.side.tolist() == [0, 1]
        play(duel, "Ta1a2", "ta8a7")
        assert duel.reward.tolist() == [4 - 2, 2 - 4]

    @pytest.mark.parametrize("reward, worth", [("outcome", 1), ("points", 4)])
    def test_learner_ends_the_game(self, reward, worth):
        duel, opponent = duel_at(place(FIRES, score="26:0"), reward=reward)
        play(duel, "Ta1a2")
        assert duel.reward == worth
        assert duel.terminated and not duel.truncated
        assert duel.ended.outcome == 1
        assert opponent.asked == []

    @pytest.mark.parametrize("reward, worth", [("outcome", -1), ("points", -2)])
    def test_opponent_ends_the_game(self, reward, worth):
        duel, _ = duel_at(place("Ta1 td5 ta8", score="0:28"), "ta8a7", reward=reward)
        play(duel, "Ta1a2")
        assert duel.reward == worth
        assert duel.terminated
        assert duel.ended.outcome == -1

    def test_a_draw(self):
        duel, _ = duel_at(place("Be3 Pa7 be7", passes=39, mover="w", score="7:7"), "be7e6")
        play(duel, "Be3e2")
        assert duel.reward == 0
        assert not duel.terminated

    def test_rewards_of_an_episode_are_its_outcome(self, variant):
        duel = random_duel(64, variant=variant)
        total = np.zeros(64)
        for _ in range(300):
            duel.step(duel.batch.sample())
            total += duel.reward
            ended = duel.ended
            assert (total[ended.game] == ended.outcome).all()
            assert (ended.total_reward == ended.outcome).all()
            total[ended.game] = 0

    def test_points_of_an_episode_are_the_final_lead(self):
        duel = random_duel(64, reward="points", turn_limit=90)
        seen = set()
        for _ in range(200):
            duel.step(duel.batch.sample())
            ended = duel.ended
            own, other = (
                ended.state["score"][np.arange(ended.game.size), side]
                for side in (ended.side, 1 - ended.side)
            )
            assert (ended.total_reward == own - other).all()
            seen |= set(zip(ended.side.tolist(), duel.truncated[ended.game].tolist(), strict=True))
        assert seen == {(0, False), (1, False), (0, True), (1, True)}


class TestTurns:
    def test_the_learners_choice_of_a_victim_comes_before_the_opponent(self):
        duel, opponent = duel_at(place("Fa1 ha3 ta3 wa8"), "wa8a7")
        play(duel, "Fa1a3")
        assert opponent.asked == []
        play(duel, "t")
        assert opponent.asked == [[0]]

    def test_the_opponents_choices_are_one_step(self):
        text = place("Fa1 ha3 ta3 wa8 Ha6 Ta6 fa8", mover="w")
        duel, opponent = duel_at(text, "fa8a6", "T")
        play(duel, "Fa1b2")
        assert opponent.asked == [[0], [0]]
        assert duel.batch.to_move == 0

    def test_games_with_longer_turns_do_not_hold_up_the_others(self):
        duel = random_duel(32, names=("greedy",))
        for _ in range(50):
            duel.step(duel.batch.sample())
            assert (duel.batch.to_move == duel.side).all()


class TestEnd:
    def test_the_next_episode_has_begun_and_the_last_one_is_told_of(self):
        text = place(FIRES, score="26:0")
        duel, _ = duel_at(text, learner=0)
        play(duel, "Ta1a2")
        last = Position.from_text("pasgl312", text).play("Ta1a2")
        ended = duel.ended
        assert ended.state == last.state
        assert (ended.observation[0] == last.observation(0)).all()
        assert (ended.decisions, ended.length, ended.total_reward) == (1, 1, 1)
        assert (duel.batch.observation[0] == Position("pasgl312").observation(0)).all()

    def test_the_opponent_opens_the_next_game(self):
        text = place(FIRES, score="28:0", mover="b")
        duel, opponent = duel_at(text, "Ta1a2", "Th1h2", learner=1)
        play(duel, "ta8a7")
        assert opponent.labels == []
        opened = Position("pasgl312").play("Th1h2")
        assert (duel.batch.observation[0] == opened.observation(1)).all()
        last = Position.from_text("pasgl312", text).play("ta8a7").play("Ta1a2")
        assert (duel.ended.observation[0] == last.observation(1)).all()
        assert (duel.ended.decisions, duel.ended.length) == (1, 2)

    def test_sides_alternate_in_each_game(self, variant):
        duel = random_duel(6, variant=variant, turn_limit=4)
        sides: list[list[int]] = [[] for _ in range(6)]
        while min(map(len, sides)) < 5:
            duel.step(duel.batch.sample())
            for game, side in zip(duel.ended.game, duel.ended.side, strict=True):
                sides[game].append(int(side))
        assert [played[:5] for played in sides] == [[0, 1, 0, 1, 0], [1, 0, 1, 0, 1]] * 3

    @pytest.mark.parametrize("learner", [0, 1])
    def test_a_fixed_side_stays(self, variant, learner):
        duel = random_duel(6, variant=variant, learner=learner, turn_limit=4)
        for _ in range(9):
            duel.step(duel.batch.sample())
            assert (duel.side == learner).all()

    def test_lengths(self, variant):
        duel = random_duel(16, variant=variant)
        decisions = np.zeros(16, int)
        for _ in range(300):
            duel.step(duel.batch.sample())
            decisions += 1
            ended = duel.ended
            assert (ended.decisions == decisions[ended.game]).all()
            assert (ended.length > ended.decisions).all()
            assert (ended.length >= [find(variant).turns(state) for state in ended.state]).all()
            decisions[ended.game] = 0

    def test_a_limit_truncates_where_the_learner_is_to_act(self, variant):
        duel = random_duel(16, variant=variant, turn_limit=10)
        game, sides = find(variant), set()
        for _ in range(60):
            duel.step(duel.batch.sample())
            ended = duel.ended
            for row in np.flatnonzero(duel.truncated[ended.game]):
                state, side = ended.state[row], int(ended.side[row])
                mover = int(game.to_move(state))
                assert game.turns(state) >= 10
                assert duel.batch.teams[mover] == side
                there = Batch(variant, 1, **duel.batch.options)
                there.states = ended.state[row : row + 1]
                assert (ended.observation[row] == there.observation[0]).all()
                assert (ended.action_mask[row] == there.action_mask[0]).all()
                sides.add(side)
        assert sides == {0, 1}

    def test_nothing_ended(self):
        ended = random_duel(3).ended
        assert [len(column) for column in ended] == [0] * len(ended)
        assert ended.observation.shape == (0, 60, 8, 10)

    def test_a_game_that_never_comes_to_the_learner(self):
        with pytest.raises(ValueError, match="100 times in a row before its learner could act"):
            random_duel(2, learner=1, turn_limit=1)

    def test_a_game_that_comes_to_the_learner_every_other_time(self):
        duel = random_duel(2, turn_limit=1)
        for _ in range(5):
            duel.step(duel.batch.sample())
            assert duel.ended.side.tolist() == [0, 0]


class Hidden:
    """A random player that a duel cannot recognise as random."""

    name = "hidden"

    def __init__(self, variant):
        self._player = players.make("random", variant, seed=5)

    def choose(self, batch, games):
        return self._player.choose(batch, games)

    def reseed(self, games, seeds):
        players.reseed(self._player, games, seeds)


class TestRandomOpponent:
    """It answers in the same compiled call, with the same results."""

    @pytest.mark.parametrize("learner", ["alternate", 1])
    @pytest.mark.parametrize("reward", ["outcome", "points"])
    @patch.dict(ThreadPool.run.__kwdefaults__, worth=1)
    def test_duel_is_the_same_as_against_one_who_is_asked(self, variant, reward, learner):
        settings = {"reward": reward} if find(variant).has_points else {}
        duels = [
            Duel(
                Batch(variant, 9, seed=1, turn_limit=25, threads=threads, **settings),
                [opponent],
                learner=learner,
                illegal="lose",
            )
            for threads, opponent in (
                (1, players.make("random", variant, seed=5)),
                (2, players.make("random", variant, seed=5)),
                (1, Hidden(variant)),
            )
        ]
        for duel in duels:
            duel.reset(seeds=range(9))
        for step in range(60):
            actions = duels[0].batch.sample()
            actions[step % 20 :: 20] = 0  # now and then illegal
            told = []
            for duel in duels:
                duel.step(actions)
                told.append(what_is_told(duel))
            assert told[0] == told[1] == told[2]

    def test_an_illegal_action_changes_nothing(self):
        duel = random_duel()
        actions = duel.batch.sample()
        actions[-1] = np.flatnonzero(duel.batch.action_mask[-1] == 0)[0]
        before = what_is_told(duel)
        with pytest.raises(IllegalMove, match="game 15"):
            duel.step(actions)
        assert what_is_told(duel) == before


def what_is_told(duel):
    """All outputs of a duel and its batch, as bytes."""
    batch = duel.batch
    outputs = (
        *(batch.states, batch.observation, batch.action_mask, batch.to_move, batch.length),
        *(duel.side, duel.reward, duel.terminated, duel.truncated, *duel.ended),
    )
    return [output.tobytes() for output in outputs]


class TestOpponents:
    def test_an_assignment_holds_from_the_next_episode_on(self):
        duel = random_duel(4, names=("random", "greedy", "random"), turn_limit=4, learner=0)
        assert duel.opponent.tolist() == [0, 1, 2, 0]
        duel.assignment[:] = [2, 2, 1, 1]
        duel.step(duel.batch.sample())
        assert duel.opponent.tolist() == [0, 1, 2, 0]
        duel.step(duel.batch.sample())
        assert duel.ended.opponent.tolist() == [0, 1, 2, 0]
        assert duel.opponent.tolist() == [2, 2, 1, 1]

    @pytest.mark.parametrize("wrong", [[7, 7], [0.0, 0.0], [0]])
    def test_an_impossible_assignment_is_refused(self, wrong):
        duel = random_duel(2, turn_limit=2, learner=0)
        duel.assignment = np.array(wrong)
        with pytest.raises(ValueError, match="assignment must be 2 integers from 0 to 0"):
            duel.step(duel.batch.sample())
        with pytest.raises(RuntimeError, match="reset the duel first"):
            duel.step(duel.batch.sample())

    def test_each_is_asked_for_its_own_games_at_once(self):
        batch = Batch("pasgl312", 5)
        opponents = [Scripted(*["Th1h2"] * 5), Scripted(*["Wg1g3"] * 5)]
        duel = Duel(batch, opponents, learner=1, assignment=[0, 1, 1, 0, 1])
        duel.reset()
        assert [opponent.asked for opponent in opponents] == [[[0, 3]], [[1, 2, 4]]]

    def test_functions_and_policies_see_their_own_side(self):
        seen = []

        def look(observation, action_mask):
            seen.append((observation, action_mask))
            return [np.flatnonzero(mask)[-1] for mask in action_mask]

        duel = Duel(Batch("pasgl312", 2), [players.as_player(look, "pasgl312")])
        duel.reset()
        start = Position("pasgl312")
        duel.step([action_of(duel.batch, 0, "Th1h2"), duel.batch.action_mask[1].argmax()])
        black = start.copy().play("Th1h2")
        for (observation, action_mask), position in zip(seen, (start, black), strict=False):
            assert (observation[0] == position.observation()).all()
            assert (action_mask[0] == position.action_mask).all()

    def test_a_bad_answer_names_the_opponent_and_needs_a_reset(self):
        bad = [False]

        def cheat(observation, action_mask):
            return np.where(bad[0], 1164, action_mask.argmax(axis=1))

        duel = Duel(Batch("pasgl312", 2), [players.as_player(cheat, "pasgl312")], learner=0)
        duel.reset()
        bad[0] = True
        with pytest.raises(IllegalMove, match=r"'cheat' chose action 1164 in game \d, which"):
            duel.step(duel.batch.sample())
        with pytest.raises(RuntimeError, match="reset the duel first"):
            duel.step(duel.batch.sample())
        bad[0] = False
        duel.reset()
        duel.step(duel.batch.sample())

    def test_time_is_told_apart(self, monkeypatch):
        clock = [0.0]

        def reading():
            clock[0] += 1
            return clock[0]

        def slow(observation, action_mask):
            clock[0] += 1000
            return action_mask.argmax(axis=1)

        monkeypatch.setattr("pasgl_env.envs.selfplay.perf_counter", reading)
        duel = Duel(Batch("pasgl312", 2), [players.as_player(slow, "pasgl312")], learner=0)
        duel.reset()
        before = duel.seconds_in_environment
        for _ in range(5):
            duel.step(duel.batch.sample())
        assert duel.seconds_in_opponents > 5000
        assert 0 < duel.seconds_in_environment - before < 1000


class TestOpenings:
    """Random actions with which games begin."""

    def duel(self, opening=3, seed=1, names=("greedy",)):
        opponents = [players.make(name, "spalding", seed=5) for name in names]
        batch = Batch("spalding", 64, seed=1, turn_limit=20)
        return Duel(batch, opponents, opening=opening, seed=seed)

    def test_up_to_as_many_as_were_asked_for(self):
        duel = self.duel()
        with patch("pasgl_env.envs.selfplay.choose", wraps=players.choose) as asked:
            duel.reset()
        replies = np.zeros(64, np.int64)
        for player, _, games in (call.args for call in asked.call_args_list):
            replies[games] += player in duel.opponents
        assert set(duel.length - replies) == {0, 1, 2, 3}
        assert (duel.batch.to_move == duel.side).all()

    @pytest.mark.parametrize("names", [["random"], ["greedy", "random"]])
    def test_in_every_episode_and_without_credit(self, names):
        duel, begun = self.duel(names=names), []
        duel.reset()
        total = np.zeros(64)
        for _ in range(40):
            duel.step(duel.batch.sample())
            total += duel.reward
            ended = duel.ended
            assert (total[ended.game] == ended.outcome).all()
            total[ended.game] = 0
            begun.extend(duel.length[ended.game])
        assert set(begun) >= {0, 1, 2, 3}

    def test_the_same_with_the_same_seed(self):
        one, same, other = (self.duel(seed=seed) for seed in (1, 1, 2))
        for duel in (one, same, other):
            duel.reset()
        assert one.batch.states.tobytes() == same.batch.states.tobytes()
        assert one.batch.states.tobytes() != other.batch.states.tobytes()

    def test_none_before_a_given_position(self):
        duel = self.duel()
        duel.reset(states=Position("spalding").state, sides=0)
        assert not duel.length.any()


class TestReset:
    def test_step_before_reset(self):
        duel = Duel(Batch("pasgl312", 1), [players.make("random", "pasgl312")])
        with pytest.raises(RuntimeError, match="reset the duel first"):
            duel.step([0])

    def test_some_games_only(self):
        duel = random_duel(4, learner=0)
        for _ in range(5):
            duel.step(duel.batch.sample())
        before = duel.batch.states.copy()
        duel.reset(np.array([1, 3]))
        assert (duel.batch.states[[0, 2]] == before[[0, 2]]).all()
        assert (duel.batch.states["turn_count"][[1, 3]] == 0).all()

    @pytest.mark.parametrize("names", [("random",), ("greedy",), ("random", "greedy")])
    def test_seeds_decide(self, variant, names):
        def history():
            duel.reset(seeds=[7, 8, 9])
            sides = duel.side.tolist()
            rewards = []
            for _ in range(150):
                duel.step(duel.batch.action_mask.argmax(axis=1))
                rewards.append(duel.batch.states.copy())
            return sides, np.array(rewards)

        duel = random_duel(3, variant=variant, names=names)
        (sides, first), (_, again) = history(), history()
        assert sides == [1, 0, 1]
        assert (first == again).all()

    def test_threads_do_not_matter(self, variant):
        def history(threads):
            duel = random_duel(33, variant=variant, threads=threads, names=("random", "greedy"))
            for _ in range(60):
                duel.step(duel.batch.sample())
            return duel.batch.states.tobytes()

        assert history(1) == history(2)

    def test_as_many_seeds_as_games(self):
        with pytest.raises(ValueError, match="2 games need 2 seeds, not 3"):
            random_duel(2).reset(seeds=[1, 2, 3])

    @pytest.mark.parametrize("start", [{"score": "28:0"}, {"turns": 9}], ids=str)
    def test_a_game_that_ends_before_the_learner_acts_is_refused(self, start):
        text = place(FIRES, **start)
        opponent = Scripted("Ta1a2", "Th1h2")
        duel = Duel(Batch("pasgl312", 1, turn_limit=10), [opponent], learner=1)
        with pytest.raises(ValueError, match=r"game 0 ends before its learner \(side 1\) can act"):
            duel.reset(states=Position.from_text("pasgl312", text).state)
        with pytest.raises(RuntimeError, match="reset the duel first"):
            duel.step([0])

    def test_a_game_that_is_over_changes_nothing(self):
        duel = random_duel(2)
        before = duel.batch.states.copy()
        with pytest.raises(ValueError, match="is over"):
            duel.reset(states=Position.from_text("pasgl312", place(score="30:0")).state)
        assert (duel.batch.states == before).all()


class TestIllegal:
    def test_an_error_changes_nothing(self):
        duel = random_duel(3, learner=0)
        duel.step(duel.batch.sample())
        before = duel.batch.states.copy(), duel.reward.copy()
        with pytest.raises(IllegalMove, match="game 1: action 1164 is not legal"):
            duel.step([duel.batch.action_mask[0].argmax(), 1164, 1164])
        assert (duel.batch.states == before[0]).all()
        assert (duel.reward == before[1]).all()
        duel.step(duel.batch.sample())

    @pytest.mark.parametrize("action", [1164, 1165, -1, 2**40])
    def test_it_loses(self, action):
        duel, opponent = duel_at(place(FIRES), "ta8a7", n=2, illegal="lose")
        legal = action_of(duel.batch, 0, "Ta1a2")
        seen = duel.batch.observation[1].copy()
        duel.step(np.array([legal, action]))
        assert opponent.asked == [[0]]
        assert duel.reward.tolist() == [0, -1]
        assert duel.terminated.tolist() == [False, True]
        ended = duel.ended
        assert (ended.game, ended.outcome, ended.decisions, ended.length) == (1, -1, 1, 0)
        assert (ended.observation[0] == seen).all()
        assert duel.batch.states["turn_count"].tolist() == [2, 0]

    def test_it_loses_and_the_others_end_as_they_do(self):
        duel, _ = duel_at(place(FIRES, score="26:0"), n=3, illegal="lose")
        legal = action_of(duel.batch, 0, "Ta1a2")
        duel.step(np.array([legal, 1164, legal]))
        assert duel.ended.game.tolist() == [0, 1, 2]
        assert duel.ended.outcome.tolist() == [1, -1, 1]
        assert duel.reward.tolist() == [1, -1, 1]

    @pytest.mark.parametrize("actions", [[0], [0.0, 1.0], [[0, 1]], "ab", [0, 1, 2]], ids=str)
    @pytest.mark.parametrize("illegal", ["error", "lose"])
    def test_no_row_of_whole_numbers(self, illegal, actions):
        duel, _ = duel_at(place(FIRES), n=2, illegal=illegal)
        with pytest.raises(ValueError, match="actions must be 2 integers"):
            duel.step(actions)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"opponents": []}, "a duel needs at least one opponent"),
        ({"learner": 2}, "learner must be 0, 1 or 'alternate', not 2"),
        ({"learner": True}, "learner must be 0, 1 or 'alternate', not True"),
        ({"learner": "white"}, "learner must be 0, 1 or 'alternate', not 'white'"),
        ({"illegal": "ignore"}, "illegal must be 'error' or 'lose', not 'ignore'"),
        ({"opening": -1}, "opening must be an integer from 0 to 1000000, not -1"),
        ({"opening": 1.5}, "opening must be an integer from 0 to 1000000, not 1.5"),
        ({"assignment": [0, 1]}, "assignment must be"),
        ({"assignment": [0, 0, 0]}, "assignment must be"),
        ({"assignment": [0, -1]}, "assignment must be"),
        ({"assignment": [0.0, 0.0]}, "assignment must be"),
    ],
    ids=str,
)
def test_impossible_arguments(arguments, message):
    given = {"opponents": [players.make("random", "pasgl312")]} | arguments
    with pytest.raises(ValueError, match=message):
        Duel(Batch("pasgl312", 2), **given)
