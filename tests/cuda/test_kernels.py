"""The launch configuration of kernels with shared memory."""

import pytest

from pasgl_env.cuda.kernels import MOST_TILE_BYTES, TILE_BYTES, WARP, Tiles


@pytest.mark.parametrize(("words", "word_bytes"), [(1, 8), (600, 8), (3185, 1), (1969, 8)])
def test_a_tile_has_room_for_its_rows(words, word_bytes):
    tiles = Tiles.of(words, word_bytes)
    row = (words + 1) * word_bytes
    assert 1 <= tiles.in_tile <= WARP
    assert tiles.in_tile * row <= tiles.shared <= max(TILE_BYTES, row + 8)
    assert tiles.shared % 8 == 0


def test_a_row_that_no_block_has_room_for_is_an_error():
    Tiles.of(MOST_TILE_BYTES // 8 - 1, 8)
    with pytest.raises(ValueError, match="49152 bytes does not fit"):
        Tiles.of(MOST_TILE_BYTES // 8, 8)
