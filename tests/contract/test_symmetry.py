"""Symmetries of boards, and why other games have none."""

from typing import Any

import numpy as np
import pytest

from pasgl_env import Batch, Position, variants
from pasgl_env.contract.fields import ranks, write_runs
from pasgl_env.contract.game import options_array
from pasgl_env.games.pasgl312.rules.board import FILE, PHASES, RANK, SQUARES, TRAIN_HEAD

MIRRORED = ("spalding", "chieftain", "superchief", "overlord")


def mirrored(position: Position, **options: Any) -> Position:
    """The position with its files mirrored, read from its text."""
    board, *rest = position.text.split(" ")
    rows = ["".join(letter or "." for letter in reversed(row)) for row in ranks(board)]
    text = " ".join(["/".join(map(write_runs, rows)), *rest])
    return Position.from_text(position.variant, text, **options)


@pytest.mark.parametrize("more_planes", [False, True])
@pytest.mark.parametrize("variant", MIRRORED)
def test_mirrored_games_go_on_alike(variant, more_planes):
    """Random games, and the same games on the mirrored board, played by the images of actions."""
    random, options = np.random.default_rng(1), {"more_planes": more_planes}
    (symmetry,) = variants.symmetries(variant, **options)
    position = Position(variant, **options)
    image = mirrored(position, **options)
    turns = 60 if variant == "spalding" else 4
    while position.turns < turns and not position.is_over:
        for player in range(2):
            seen = symmetry.observation(position.observation(player))
            assert (image.observation(player) == seen).all(), position.text
        assert (image.action_mask == symmetry.mask(position.action_mask)).all(), position.text
        action = int(random.choice(position.legal_actions()))
        position.play_action(action)
        image.play_action(int(symmetry.actions[action]))
    assert position.is_over == image.is_over and position.to_move == image.to_move
    if not position.in_turn:
        assert mirrored(position).text == image.text


@pytest.mark.parametrize("variant", MIRRORED)
def test_an_image_of_an_image_is_the_original(variant):
    (symmetry,) = variants.symmetries(variant)
    batch = Batch(variant, 3, seed=1)
    for _ in range(5):
        batch.step(batch.sample())
    twice = symmetry.observation(symmetry.observation(batch.observation))
    assert (twice == batch.observation).all()
    assert (symmetry.observation(batch.observation) != batch.observation).any()
    assert (symmetry.mask(symmetry.mask(batch.action_mask)) == batch.action_mask).all()


def test_a_board_of_another_size_has_its_own():
    (symmetry,) = variants.symmetries("chieftain", setup="1hcm/4/4/MCH1")
    assert symmetry.cells.shape == (32, 4, 4)
    assert symmetry.actions.size == Batch("chieftain", 1, setup="1hcm/4/4/MCH1").num_actions


class TestGamesWithoutAny:
    def test_there_are_no_others(self):
        without = [name for name in variants.names() if not variants.symmetries(name)]
        assert set(without) == set(variants.names()) - set(MIRRORED)

    def test_the_train_of_pasgl_runs_the_other_way_in_a_mirror(self):
        """A half turn keeps the track, but adds 10 to the phase: no permutation of planes."""
        square = {(FILE[each], RANK[each]): each for each in range(SQUARES)}
        images = {
            "files": [square[7 - FILE[each], RANK[each]] for each in range(SQUARES)],
            "ranks": [square[FILE[each], 7 - RANK[each]] for each in range(SQUARES)],
            "half turn": [square[7 - FILE[each], 7 - RANK[each]] for each in range(SQUARES)],
        }
        circuit = TRAIN_HEAD[1:].tolist()
        shifts = {
            name: [
                by
                for by in range(PHASES)
                if [image[each] for each in circuit] == circuit[by:] + circuit[:by]
            ]
            for name, image in images.items()
        }
        assert shifts == {"files": [], "ranks": [], "half turn": [10]}

    @pytest.mark.parametrize("variant", ["pachessi", "grand_pachessi"])
    def test_pieces_of_pachessi_run_the_other_way_in_a_mirror(self, variant):
        """Quarter turns keep the track, but they are the players' own views of the board."""
        game = variants.find(variant)
        ways = observed_ways(variant)
        turned = np.rot90(ways, axes=(1, 2))
        assert any((np.roll(turned, by, axis=0) == ways).all() for by in range(4))
        right, up, left, down = range(4)
        exchanged = {
            "files": (ways[:, :, ::-1], (left, up, right, down)),
            "ranks": (ways[:, ::-1], (right, down, left, up)),
            "diagonal": (ways.transpose(0, 2, 1), (up, right, down, left)),
            "other diagonal": (
                np.rot90(ways, 2, (1, 2)).transpose(0, 2, 1),
                (down, left, up, right),
            ),
        }
        for image, order in exchanged.values():
            assert (image[list(order)] != ways).any()
        assert game.symmetries(options_array(game, {})[0]) == ()


def observed_ways(variant: str) -> np.ndarray:
    """``uint8[4, size, size]``: squares from which no move may go right, up, left, down."""
    (run,) = (plane for plane in variants.find(variant).planes if "no move may go" in plane.meaning)
    return Position(variant).observation(0)[run.first : run.first + run.length]
