"""The search for a value that makes a game even, among games of known chances."""

import numpy as np
import pytest

pytest.importorskip("scipy")

from pasgl_env.playtest.balance import Search, Target
from pasgl_env.playtest.lab import NO_VERDICT
from pasgl_env.playtest.play import Plan
from pasgl_env.playtest.swept import Swept
from pasgl_env.statistics.clustered import sums_of_pairs

TARGET = Target("first_mover_score", 0.5, within=0.05)


@pytest.fixture
def find(known_games, tmp_path):
    """Search among games whose chance for the first mover is a function of the value."""

    def find(option, chance, games=8000, variant="pasgl312", **how):
        swept = Swept.read(variant, option)
        known_games(lambda plan: chance(plan.ruleset.options[swept.option.name]), **how)
        plan = Plan.of(variant, ("greedy", "greedy"))
        return Search(plan, games, swept, TARGET).run(tmp_path / "run")

    return find


@pytest.mark.parametrize("even", [0, 3, 7, 10])
@pytest.mark.parametrize("slope", [0.1, -0.1])
def test_finds_the_value_whether_the_share_rises_or_falls(find, even, slope):
    found = find("score_handicap=0..10", lambda value: 0.5 + slope * (value - even))
    assert found.found.value == even
    assert found.found.answer == "even"
    assert len(found.tested) <= found.search.tests
    low, high = found.bounds
    assert (low is None or low < even) and (high is None or high > even)


def test_far_values_take_fewer_games(find):
    found = find("score_handicap=0..10", lambda value: 0.5 - 0.1 * (value - 5))
    games = {each.value: each.arm.games for each in found.tested}
    assert games[0] < games[5] and games[10] < games[5]


def test_the_curve_crosses_where_the_game_is_even(find):
    found = find("score_handicap=0..10", lambda value: 1 / (1 + np.exp(0.3 * (value - 4.4))))
    crossing = found.crossing()
    assert crossing.low < 4.4 < crossing.high
    assert crossing.high - crossing.low < 1.5
    assert any("A logistic curve" in each for each in found.sentences)


@pytest.mark.parametrize(("chance", "word"), [(0.8, "above"), (0.2, "below")])
def test_says_that_no_value_in_the_range_does_it(find, chance, word):
    found = find("score_handicap=0..10", lambda value: chance)
    assert found.found is None
    [sentence] = found.sentences
    assert sentence.startswith("No value in the range reaches the target")
    assert word in sentence


@pytest.mark.parametrize(
    ("values", "bounds", "gap"),
    [
        ("0..10", (3, 4), "there is no value between them"),
        ("0,3,6,9", (3, 6), "none between them was tried"),
    ],
)
def test_says_between_which_values_the_share_jumps(find, values, bounds, gap):
    found = find(f"score_handicap={values}", lambda value: 0.8 if value < 4 else 0.2)
    assert found.found is None
    assert found.bounds == bounds
    sentence = next(iter(found.sentences))
    assert "score_handicap=3 is above" in sentence and gap in sentence


def test_says_what_too_few_games_leave_open(find):
    found = find("score_handicap=0..2", lambda value: 0.5 - 0.03 * value, games=64)
    assert found.found.answer is None
    assert "may reach the target" in next(iter(found.sentences))
    assert all(each.arm.games <= 64 for each in found.tested)


def test_games_that_hardly_vary_settle_nothing(known_games, tmp_path):
    known_games(lambda plan: 0.9, vary=False)
    swept = Swept.read("pasgl312", "score_handicap=0")
    plan = Plan.of("pasgl312", ("greedy", "greedy"))
    found = Search(plan, 8000, swept, TARGET).run(tmp_path / "run")
    assert [each.answer for each in found.tested] == [None]
    assert NO_VERDICT in found.to_markdown()


def test_values_without_an_order_are_all_tried(find):
    chances = {"RHE": 0.8, "HE": 0.5, "E": 0.2, "-": 0.1}
    found = find("white_finds=RHE,HE,E,-", chances.get, variant="spalding")
    assert [each.value for each in found.tested] == list(chances)
    assert found.found.value == "HE"
    assert found.bounds == (None, None)


def test_long_values_have_numbers_and_a_legend(find):
    setups = [f"2cc/{12 * '4/'}{'M' * men}{4 - men}/2CC" for men in (1, 2, 3)]
    chances = dict(zip(setups, (0.2, 0.5, 0.8), strict=True))
    found = find(f"setup={','.join(setups)}", chances.__getitem__, variant="chieftain")
    [sentence] = found.sentences
    assert sentence.startswith("setup=no. 2 reaches the target")
    legend = [note for note in found.table.notes if note.startswith("setup no. ")]
    assert legend == [f"setup no. {number}: {setup}" for number, setup in enumerate(setups, 1)]


def test_the_games_of_a_folder_are_not_played_again(find):
    first, again = (
        find("score_handicap=0..10", lambda value: 0.9 - 0.08 * value, plays=plays)
        for plays in (True, False)
    )
    assert again.to_dict() == first.to_dict()
    assert again.to_markdown() == first.to_markdown()


@pytest.mark.parametrize(
    ("chance", "wrong"), [(0.5, "above below"), (0.55, "below"), (0.45, "above"), (0.56, "even")]
)
def test_answers_are_wrong_no_more_often_than_stated(chance, wrong):
    """Games are checked after every shard."""
    test = Target("first_mover_score", 0.5, within=0.05, alpha=0.1, beta=0.1).test(1)

    def answer(seed):
        won = np.random.default_rng(seed).random(60 * 32) < chance
        for games in range(32, won.size + 1, 32):
            pairs = won[:games].reshape(-1, 2).astype(float)
            if found := test.verdict(*sums_of_pairs(pairs)):
                return "even" if found == "between" else found
        return None

    assert sum(answer(seed) in wrong.split() for seed in range(150)) <= 0.1 * 150


@pytest.mark.parametrize(
    ("text", "within", "complaint"),
    [
        ("turns=0.5", 0.05, "a target is one of"),
        ("draws", 0.05, "a target is MEASURE=SHARE"),
        ("draws=x", 0.05, "a target is MEASURE=SHARE"),
        ("draws=1", 0.05, "above 0 and below 1"),
        ("draws=0.5", 0.0, "within must be above 0 and below 0.5"),
        ("draws=0.1", 0.2, "within must be above 0 and below 0.1"),
    ],
)
def test_impossible_targets_are_refused(text, within, complaint):
    with pytest.raises(ValueError, match=complaint):
        Target.read(text, within)


def test_more_games_in_the_folder_are_used(find):
    def even(value):
        return 0.5

    find("score_handicap=0,1", even, games=320)
    again = find("score_handicap=0,1", even, games=40, plays=False)
    assert all(each.arm.games > 40 for each in again.tested)


def test_texts_keep_their_games_in_another_order(find):
    setups = "cm2/4/4/2MC", "cmm1/4/4/3C"
    chances = dict(zip(setups, (0.2, 0.8), strict=True))
    answers = {
        each.value: each.answer
        for order in (setups[:1], setups[::-1])
        for each in find(f"setup={','.join(order)}", chances.get, variant="chieftain").tested
    }
    assert answers == dict(zip(setups, ("below", "above"), strict=True))


def test_values_that_cannot_be_are_refused_before_a_game(find, tmp_path):
    with pytest.raises(ValueError, match="score_handicap"):
        find("score_handicap=0,40", lambda value: 0.5)
    assert not list(tmp_path.iterdir())
