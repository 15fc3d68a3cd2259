"""The search for a value that makes a game even, among games of known chances."""

import numpy as np
import pytest

pytest.importorskip("scipy")

from pasgl_env.playtest import experiment
from pasgl_env.playtest.balance import Search, Target
from pasgl_env.playtest.sweep.grid import Swept
from pasgl_env.playtest.trials import Chunk, Played, Trial

TARGET = Target("first_mover_score", 0.5, within=0.05)


def chunk_of(chance, number, seed=0):
    rng = np.random.default_rng((seed, number))
    marks = np.where(rng.random(32) < chance, "1", "0")
    return Chunk(number, "".join(marks), [10] * 32, [0] * 32)


@pytest.fixture
def played():
    """The values that games were played with, in their order."""
    return []


@pytest.fixture
def find(monkeypatch, tmp_path, played):
    """Search with games whose chance for the first mover is a function of the value."""

    def search(option, chance, games=8000, variant="pasgl312"):
        swept = Swept.read(variant, option)

        def play(trial, number, **noted):
            value = trial.options[swept.option.name]
            played.append(value)
            return chunk_of(chance(value), number, swept.values.index(value))

        monkeypatch.setattr(experiment, "play_chunk", play)
        return Search(Trial(variant, "random", {}), games, swept, TARGET).run(tmp_path / "run")

    return search


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
    games = {each.value: each.played.games for each in found.tested}
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


def test_says_between_which_values_the_share_jumps(find):
    found = find("score_handicap=0..10", lambda value: 0.8 if value < 4 else 0.2)
    assert found.found is None
    assert found.bounds == (3, 4)
    assert "score_handicap=3 is above" in next(iter(found.sentences))


def test_says_what_too_few_games_leave_open(find):
    found = find("score_handicap=0..2", lambda value: 0.5 - 0.03 * value, games=64)
    assert found.found.answer is None
    assert "may reach the target" in next(iter(found.sentences))
    assert all(each.played.games <= 64 for each in found.tested)


def test_values_without_an_order_are_all_tried(find):
    chances = {"RHE": 0.8, "HE": 0.5, "E": 0.2, "-": 0.1}
    found = find("white_finds=RHE,HE,E,-", chances.get, variant="spalding")
    assert [each.value for each in found.tested] == list(chances)
    assert found.found.value == "HE"
    assert found.bounds == (None, None)


def test_goes_on_and_takes_over_what_was_played(find, played):
    first = find("score_handicap=0..10", lambda value: 0.9 - 0.08 * value)
    before = len(played)
    again = find("score_handicap=0..10", lambda value: 0.9 - 0.08 * value)
    assert len(played) == before
    assert again.to_dict() == first.to_dict()
    assert again.to_markdown() == first.to_markdown()


@pytest.mark.parametrize(
    ("chance", "wrong"), [(0.5, "above below"), (0.55, "below"), (0.45, "above")]
)
def test_answers_are_wrong_no_more_often_than_stated(chance, wrong):
    target = Target("first_mover_score", 0.5, within=0.05, alpha=0.1, beta=0.1)
    mistakes = sum(answer_of(target, chance, seed) in wrong.split() for seed in range(150))
    assert mistakes <= 0.1 * 150


def test_a_value_outside_the_margin_is_called_even_no_more_often_than_stated():
    target = Target("first_mover_score", 0.5, within=0.05, alpha=0.1, beta=0.1)
    assert sum(answer_of(target, 0.56, seed) == "even" for seed in range(150)) <= 0.1 * 150


def answer_of(target, chance, seed):
    """What games say that are looked at after every chunk."""
    chunks = []
    for number in range(60):
        chunks.append(chunk_of(chance, number, seed))
        if answer := target.answer(Played(chunks), tests=1):
            return answer
    return None


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


def test_values_that_cannot_be_are_refused_before_a_game(find, played):
    with pytest.raises(ValueError, match="score_handicap"):
        find("score_handicap=0,40", lambda value: 0.5)
    assert not played
