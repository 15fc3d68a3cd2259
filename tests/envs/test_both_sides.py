"""Self-play in which one learner plays all sides."""

from typing import Any

import numpy as np
import pytest

from pasgl_env import Batch, IllegalMove
from pasgl_env.players.potential import potential, potentials

pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from pasgl_env.envs.both_sides import BothSidesVecEnv
from pasgl_env.envs.credit import estimate_advantages
from pasgl_env.envs.vec import SelfPlayVecEnv

N = 6
SHORT: dict[str, dict[str, Any]] = {  # games whose random play is over soon
    "pasgl312": {"reward": "points", "win_margin": 3, "turn_limit": 60},
    "pachessi in teams": {"players": 4, "turn_limit": 30},
    "spalding": {"turn_limit": 30},
}


def make(game, **arguments):
    env = BothSidesVecEnv(game.split()[0], N, seed=1, **{**SHORT[game], **arguments})
    env.reset()
    return env


@pytest.mark.parametrize("game", SHORT)
def test_a_decision_has_what_its_side_earns_until_that_side_decides_again(game):
    """Compared with accounts of the same games in a batch."""
    env, batch = make(game), Batch(game.split()[0], N, seed=1, **SHORT[game])
    batch.reset()
    member = [batch.teams.tolist().index(side) for side in range(env.num_sides)]
    accounts: list[dict[int, float]] = [{} for _ in range(N)]
    ended = closed = 0
    for _ in range(400):
        actions = env.sample()
        assert (batch.sample() == actions).all()
        sides = batch.teams[batch.to_move].tolist()
        assert env.side.tolist() == sides
        observation, reward, done, _ = env.step(actions)
        batch.step(actions)
        assert (observation == batch.observation).all()
        credit = env.credit
        assert credit.side.tolist() == sides
        for number, account in enumerate(accounts):
            account[sides[number]] = 0.0
            for side in account:
                account[side] += batch.reward[number, member[side]]
            next_side = int(credit.next_side[number])
            due = {side for side in account if side == next_side or batch.terminated[number]}
            assert set(np.flatnonzero(credit.is_closed[number])) == due
            for side in range(env.num_sides):
                expected = account[side] if side in due else 0
                assert credit.rewards[number, side] == pytest.approx(expected, abs=1e-4)
            assert reward[number] == credit.rewards[number, next_side]
            closed += len(due)
            if done[number]:
                account.clear()
                ended += 1
    assert ended > N and closed > 200


@pytest.mark.parametrize("game", ["spalding", "pasgl312"])
def test_returns_do_not_depend_on_how_turns_are_split(game):
    """Each decision's return is the outcome, discounted once per later turn of the side."""
    env = make(game, reward="outcome", turn_limit=0, discount=0.9, discount_per="turn")
    credits, turns = [], []
    outcomes: dict[int, Any] = {}
    while not outcomes:
        turns.append(env.batch.turns)
        *_, infos = env.step(env.sample())
        credits.append(env.credit)
        outcomes = {number: info["outcomes"] for number, info in enumerate(infos) if info}
    shape = len(credits), N
    returns, _ = estimate_advantages(credits, np.zeros(shape, np.float32), np.zeros(N), 1.0)
    for number, outcome in outcomes.items():
        sides = np.array([credit.side[number] for credit in credits])
        turn = np.array([count[number] for count in turns])
        assert len(set(turn)) < len(turn), "some turns are several decisions"
        for step, side in enumerate(sides):
            later = set(turn[sides == side]) - set(range(turn[step] + 1))
            expected = 0.9 ** len(later) * outcome[side]
            assert returns[step, number] == pytest.approx(expected, abs=1e-5)


def test_discounts_are_per_action_or_per_turn():
    by_turn, by_action = (make("spalding", discount_per=per) for per in ("turn", "action"))
    for _ in range(20):  # most turns are a move and a throw
        for env in (by_turn, by_action):
            env.step(env.sample())
        goes_on = by_turn.credit.next_side == by_turn.credit.side
        assert by_turn.credit.discount == pytest.approx(np.where(goes_on, 1, 0.99))
        assert by_action.credit.discount == pytest.approx(np.full(N, 0.99))
    with pytest.raises(ValueError, match="discount_per must be 'action' or 'turn', not 'game'"):
        make("spalding", discount_per="game")


def test_the_learner_against_opponents_is_discounted_by_its_own_turns():
    env = SelfPlayVecEnv("spalding", N, seed=1, shaping=0.5, discount=0.9, discount_per="turn")
    env.reset()
    for _ in range(20):
        before, length = potential(env.batch, env.duel.side), env.duel.length.copy()
        _, reward, _, _ = env.step(env.sample())
        answered = env.duel.length > length + 1
        assert env.credit.discount == pytest.approx(np.where(answered, 0.9, 1))
        growth = env.credit.discount * potential(env.batch, env.duel.side) - before
        assert reward == pytest.approx(0.5 * growth, abs=1e-5)


@pytest.mark.parametrize("adjudicate", [False, True])
def test_shaping_adds_up_to_what_the_sides_first_decision_was_worth(adjudicate):
    rules = {"shaping": 0.5, "discount": 1.0, "adjudicate": adjudicate}
    env = make("spalding", **rules)
    rows, some = np.arange(N), 0
    began, added = np.full((N, 2), np.nan), np.zeros((N, 2))
    for _ in range(300):
        new = np.isnan(began[rows, env.side])
        now = potential(env.batch, env.batch.to_move)
        began[rows[new], env.side[new]] = now[new]
        _, _, done, infos = env.step(env.sample())
        added += env.credit.rewards
        for row, number in enumerate(env.batch.ended):
            was_cut = env.batch.truncated[number]
            assert infos[number]["TimeLimit.truncated"] == (was_cut and not adjudicate)
            for side in np.flatnonzero(env.credit.is_closed[number]):
                state = env.batch.final_states[row : row + 1]
                last = potentials(env.batch.ruleset, state, np.array([side]))[0]
                reached = 0.5 * last if was_cut else infos[number]["outcomes"][side]
                gained = reached - 0.5 * began[number, side]
                assert added[number, side] == pytest.approx(gained, abs=1e-4)
                some += 1
        began[done], added[done] = np.nan, 0
    assert some > N


def test_where_the_turn_limit_truncates_only_who_is_to_act_is_asked():
    env, some = make("spalding", turn_limit=3), 0
    for _ in range(8):
        _, _, _, infos = env.step(env.sample())
        seen, truncations = env.batch.final_observation, env.truncations
        assert truncations.action_mask.any(axis=1).all()
        for row, number in enumerate(truncations.game.tolist()):
            assert infos[number]["TimeLimit.truncated"]
            next_side = int(env.credit.next_side[number])
            assert next_side == 1 and env.credit.is_closed[number].tolist() == [False, True]
            assert (infos[number]["terminal_observation"] == seen[row, next_side]).all()
            some += 1
    assert some >= N


def test_what_others_do_before_a_sides_first_decision_earns_it_nothing():
    env = BothSidesVecEnv("pachessi", N, seed=1, shaping=0.5, first="black")
    env.reset()
    while (env.side == 0).all():
        env.step(env.sample())
        assert not env.credit.is_closed[:, 1].any() and not env.credit.rewards[:, 1].any()


def test_seeds_repeat_games():
    def history(env):
        env.reset()
        return [env.step(env.sample())[0].tobytes() for _ in range(20)]

    env = make("pachessi in teams")
    env.seed(9)
    first = [env.reset().tobytes(), env.batch.states.tobytes()]
    env.seed(9)
    assert [env.reset().tobytes(), env.batch.states.tobytes()] == first
    assert history(make("pachessi in teams")) == history(make("pachessi in teams"))


def test_an_illegal_action_changes_nothing():
    env, twin = make("pasgl312"), make("pasgl312")
    with pytest.raises(IllegalMove, match="game 0: action 1164 is not legal"):
        env.step(np.full(N, 1164))
    actions = env.sample()
    for one, other in zip(env.step(actions)[:3], twin.step(actions)[:3], strict=True):
        assert (one == other).all()
    assert (env.credit.rewards == twin.credit.rewards).all()
