"""Batches recorded as they are played."""

from typing import Any

import numpy as np
import pytest

from pasgl_env import Batch, IllegalMove, Position
from pasgl_env.records import BatchRecorder, read_records
from pasgl_env.records.batch import BatchLog


def end_states(batch, steps, step):
    """The last states of all games that end, as bytes, by index, in order."""
    states: list[list[tuple[bytes, bool]]] = [[] for _ in range(len(batch))]
    for _ in range(steps):
        step(batch.sample())
        for game, state in zip(batch.ended, batch.final_states, strict=True):
            states[game].append((state.tobytes(), bool(batch.terminated[game])))
    return states


def test_every_game_that_ends_is_recorded(variant, tmp_path):
    """Their last states are those of the batch, but for dice that were rolled afterwards."""
    file = tmp_path / "games.pgb"
    batch = Batch(variant, 3, seed=4, turn_limit=5)
    with BatchRecorder(batch, file) as recorder:
        ended = end_states(batch, 100, recorder.step)
    games = list(read_records(file))
    assert len(games) == recorder.games == sum(map(len, ended)) > 2
    finals = {state for states in ended for state, _ in states}
    for game in games:
        assert game.ruleset == batch.ruleset
        assert game.termination in ("by the rules", "turn limit")
        if not game.final.is_chance:
            assert game.final.state.tobytes() in finals
        else:
            assert game.rolled


def test_steps_of_some_games_and_blocks_that_are_full():
    batch = Batch("pasgl312", 3, seed=1, turn_limit=60)
    rng = np.random.default_rng(1)
    played: list[list[int]] = [[] for _ in range(3)]
    ended = []
    log = BatchLog(batch)
    for _ in range(700):
        games = np.flatnonzero(rng.random(3) < 0.6)
        actions = batch.sample()[games]
        found = log.step_some(games, actions)
        for game, action in zip(games.tolist(), actions.tolist(), strict=True):
            played[game].append(action)
        for game in batch.ended.tolist():
            ended.append((game, played[game]))
            played[game] = []
        for game, stored in found:
            assert ended.pop(ended.index((game, list(stored.choices)))) is not None
    rest = [(game, list(stored.choices)) for game, stored in log.rest()]
    assert rest == ended
    assert log.rest() == []


def test_games_that_end_with_a_block_of_steps_are_written_once(tmp_path):
    batch = Batch("pasgl312", 8, seed=1, turn_limit=2)
    with BatchRecorder(batch, tmp_path / "a.pgb") as recorder:
        for _ in range(600):
            recorder.step(batch.sample())
    assert all(len(list(game.turns())) == 2 for game in read_records(tmp_path / "a.pgb"))


def test_a_refused_step_leaves_no_trace(tmp_path):
    with BatchRecorder(Batch("pasgl312", 2, seed=1, turn_limit=9), tmp_path / "a.pgb") as recorder:
        batch = recorder._log._batch
        while recorder.games < 3:
            with pytest.raises(IllegalMove):
                recorder.step([1164, 1164])
            recorder.step(batch.sample())
            if not batch.ended.size:
                continue
            recorder._write(recorder._log.rest())
    assert len(list(read_records(tmp_path / "a.pgb"))) == recorder.games


def test_games_under_way_are_left_out():
    batch = Batch("pasgl312", 2, seed=1, turn_limit=9)
    for _ in range(5):
        batch.step(batch.sample())
    log = BatchLog(batch)
    found = list[Any]()
    for _ in range(60):
        found += log.step(batch.sample())
    found += log.rest()
    assert found
    for _, stored in found:
        assert stored.termination == "turn limit"
    assert all(game.final.turns == 9 for game in recorded(batch, found))


def recorded(batch, found):
    from pasgl_env.records.binary import heading_of, replayed

    return [replayed(heading_of(batch.ruleset, ()), stored) for _, stored in found]


def test_games_that_are_put_begin_there():
    batch = Batch("pasgl312", 2, seed=1, turn_limit=12)
    log = BatchLog(batch)
    log.step(batch.sample())
    text = Position("pasgl312").play("Df1d5").play("pd7e6").text
    batch.put([1], Position.from_text("pasgl312", text, turn_limit=12).state)
    found = list[Any]()
    while not found:
        log.step(batch.sample())
        found = [stored for game, stored in log.rest() if game == 1]
    (game,) = recorded(batch, [(1, found[0])])
    assert game.start == text
    assert game.final.turns == 12


def test_a_game_that_is_put_again_before_its_first_action_begins_as_put_last():
    batch = Batch("pasgl312", 2, seed=1, turn_limit=5)
    log = BatchLog(batch)
    batch.put([1], Position("pasgl312", turn_limit=5).play("Df1d5").state)
    log.step_some([0], batch.sample()[:1])
    batch.reset(seed=2)
    found = list[Any]()
    while len(found) < 2:
        found += [*log.step(batch.sample()), *log.rest()]
    assert [game.start for game in recorded(batch, found)] == [None, None]
    assert [len(list(game.turns())) for game in recorded(batch, found)] == [5, 5]


def test_what_cannot_be_recorded_is_refused():
    batch = Batch("pasgl312", 1, seed=1)
    log = BatchLog(batch)
    batch.states = Position("pasgl312").play("Df1d5").play("pd7e6").play("Be1d1").state
    with pytest.raises(ValueError, match="game 0 cannot be recorded: it begins within a turn"):
        log.step(batch.sample())
    batch.reset()
    log.step(batch.sample())
    batch.step(batch.sample())
    with pytest.raises(ValueError, match="game 0 cannot be recorded: it was stepped"):
        log.step(batch.sample())


def test_dice_that_are_reseeded_in_mid_game_are_noticed():
    batch = Batch("pachessi", 2, seed=1)
    log = BatchLog(batch)
    batch.reseed([1], [3])
    log.step(batch.sample())
    batch.reseed([0], [4])
    with pytest.raises(ValueError, match=r"game 0 cannot be recorded: .* reseeded"):
        log.step(batch.sample())


def test_names_and_other_forms(tmp_path):
    batch = Batch("pasgl312", 2, seed=1, turn_limit=4)
    with BatchRecorder(batch, tmp_path / "a.pgr", players=("one", "two")) as recorder:
        while recorder.games < 40:
            recorder.step(batch.sample())
    games = list(read_records(tmp_path / "a.pgr"))
    assert {game.players for game in games} == {("one", "two")}
    with pytest.raises(FileExistsError):
        BatchRecorder(batch, tmp_path / "a.pgr")
    with pytest.raises(ValueError, match="players must be 2 names"):
        BatchRecorder(batch, tmp_path / "b.pgr", players=("one",))
