"""What is remembered of self-play: whose games ended how, and the latest positions."""

import numpy as np
import pytest
import torch

from pasgl_env import Batch, variants
from pasgl_env.agents.replay import Pending, Positions, Replay
from pasgl_env.games.contract import options_array
from pasgl_env.players.opinion import opinions_in


def positions_of(batch, most=8):
    return Positions(batch.observation_shape, batch.num_actions, most)


def recorded(batch, positions, visits=None):
    """Records of all games."""
    games = np.arange(len(batch))
    if visits is None:
        visits = np.zeros((len(batch), batch.num_actions), np.int32)
    return positions.recorded(batch, games, visits, np.zeros(len(batch), np.float32))


class TestPositions:
    @pytest.fixture
    def batch(self):
        batch = Batch("pachessi", 3, seed=1)
        for _ in range(20):
            batch.step(batch.sample())
        return batch

    def test_a_lesson_is_what_was_recorded(self, batch):
        positions = positions_of(batch)
        visits = np.zeros((3, batch.num_actions), np.int32)
        visits[0, [5, 392]] = 1, 3
        visits[1, 0] = 60_000
        values = np.array([0.5, -1, 0], np.float32)
        records = positions.recorded(batch, np.arange(3), visits, values)
        records["outcome"] = 1, 0, -1
        lesson = positions.lesson(records)
        assert (lesson.parts["planes"].numpy() == batch.observation).all()
        assert (lesson.mask.numpy() == batch.action_mask).all()
        shares = torch.zeros(3, batch.num_actions).scatter_add(1, lesson.action, lesson.share)
        assert shares[0, [5, 392]].tolist() == [0.25, 0.75]
        assert shares.sum(1).tolist() == [1, 1, 0]
        assert lesson.value.tolist() == [0.5, -1, 0]
        assert lesson.outcome.tolist() == [1, 0, -1]

    def test_an_opinion_is_remembered_to_a_part_in_255(self, batch):
        positions = Positions(batch.observation_shape, batch.num_actions, 8, opinion=True)
        lesson = positions.lesson(recorded(batch, positions))
        told = opinions_in(batch, np.arange(3))
        held = lesson.parts["opinion"].numpy()
        assert held == pytest.approx(told.actions, abs=1 / 255)
        assert ((held == 0) == (told.actions == 0)).all()
        assert (lesson.parts["standing"].numpy() == told.standing).all()

    def test_records_come_back_from_a_checkpoint(self, batch):
        positions = positions_of(batch)
        records = recorded(batch, positions)
        assert (positions.from_tensor(positions.to_tensor(records)) == records).all()
        assert positions.from_tensor(positions.to_tensor(records[:0])).size == 0

    @pytest.mark.parametrize(
        "field, value", [("action", 393), ("action", -1), ("value", np.nan), ("outcome", 2)]
    )
    def test_damaged_records_are_refused(self, batch, field, value):
        positions = positions_of(batch)
        records = recorded(batch, positions)
        records[field][1] = value
        with pytest.raises(ValueError, match="damaged"):
            positions.from_tensor(positions.to_tensor(records))

    @pytest.mark.parametrize("kept", [torch.zeros(3, 5, dtype=torch.uint8), torch.zeros(3)])
    def test_records_of_another_size_are_refused(self, batch, kept):
        with pytest.raises(ValueError, match="bytes"):
            positions_of(batch).from_tensor(kept)


class TestCredit:
    def test_each_position_has_the_outcome_of_whoever_acted_there(self):
        ended, outcome = np.array([1]), np.array([[-0.5, 1]], np.float32)
        positions = Positions((1, 2, 2), 4, 2)
        pending = Pending(2, positions.dtype)
        for player in (0, 0, 1, 0, 1, 1):
            records = np.zeros(2, positions.dtype)
            records["player"] = player
            pending.add(np.arange(2), records)
        assert pending.ended(ended, outcome)["outcome"].tolist() == [-0.5, -0.5, 1, -0.5, 1, 1]
        assert pending.ended(ended, outcome).size == 0, "they have been handed out"

    @pytest.mark.parametrize(
        "variant, options",
        [("pasgl312", {"win_margin": 1}), ("pachessi", {}), ("pachessi", {"players": 4})],
        ids=str,
    )
    def test_it_agrees_with_the_rules(self, variant, options):
        """With several actions a turn, with dice, and with partners who share what they win."""
        batch = Batch(variant, 4, seed=3, **options)
        game, rules = variants.find(variant), options_array(variants.find(variant), options)[0]
        positions = positions_of(batch)
        pending = Pending(4, positions.dtype)
        acted: list[list[int]] = [[] for _ in range(4)]
        outcomes = set()
        for _ in range(40_000):
            pending.add(np.arange(4), recorded(batch, positions))
            for players, player in zip(acted, batch.to_move.tolist(), strict=True):
                players.append(player)
            batch.step(batch.sample())
            records = pending.ended(batch.ended, batch.outcome)
            for number, state in zip(batch.ended, batch.final_states, strict=True):
                if batch.terminated[number] and len(batch.ended) == 1:
                    best = game.winner(state, rules)
                    won = [game.team(player) == game.team(best) for player in acted[number]]
                    expected = np.where(won, 1, -1) if best >= 0 else np.zeros(len(won))
                    assert records["outcome"].tolist() == expected.tolist()
                    assert records["player"].tolist() == acted[number]
                    outcomes |= {*zip(acted[number], records["outcome"].tolist(), strict=True)}
                acted[number] = []
            if outcomes >= {(p, z) for p in range(batch.num_players) for z in (1, -1)}:
                return
        pytest.fail(f"only saw {outcomes}")

    def test_a_truncated_game_is_nobodys(self):
        batch = Batch("pasgl312", 2, turn_limit=3)
        positions = positions_of(batch)
        pending = Pending(2, positions.dtype)
        while not batch.truncated.any():
            pending.add(np.arange(2), recorded(batch, positions))
            batch.step(batch.sample())
        assert not pending.ended(batch.ended, batch.outcome)["outcome"].any()

    def test_what_was_forgotten_does_not_come_back(self):
        batch = Batch("pasgl312", 2, turn_limit=1)
        positions = positions_of(batch)
        pending = Pending(2, positions.dtype)
        pending.add(np.arange(2), recorded(batch, positions))
        pending.clear()
        while not batch.ended.size:
            batch.step(batch.sample())
        assert pending.ended(batch.ended, batch.outcome).size == 0


class TestReplay:
    @staticmethod
    def numbered(*numbers):
        records = np.zeros(len(numbers), [("number", np.int64)])
        records["number"] = numbers
        return records

    @pytest.fixture
    def replay(self):
        return Replay(5, self.numbered().dtype)

    def test_the_oldest_make_room(self, replay):
        for first in (0, 2, 4, 6):
            replay.add(self.numbered(first, first + 1))
        assert len(replay) == 5
        assert replay.latest(99)["number"].tolist() == [3, 4, 5, 6, 7]
        assert replay.latest(2)["number"].tolist() == [6, 7]

    def test_more_than_there_is_room_for(self, replay):
        replay.add(self.numbered(*range(12)))
        assert replay.latest(99)["number"].tolist() == [7, 8, 9, 10, 11]

    @pytest.mark.parametrize("added", [3, 5, 8])
    def test_all_that_are_kept_are_drawn(self, replay, added):
        replay.add(self.numbered(*range(1, added + 1)))
        drawn = replay.sample(500, np.random.default_rng(1))["number"]
        assert set(drawn.tolist()) == set(range(max(1, added - 4), added + 1))

    def test_none_are_left_when_cleared(self, replay):
        replay.add(self.numbered(1, 2))
        replay.clear()
        assert (len(replay), replay.latest(5).size) == (0, 0)
        replay.add(self.numbered(3))
        assert replay.sample(9, np.random.default_rng(1))["number"].tolist() == [3] * 9
