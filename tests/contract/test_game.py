"""A game's declaration, and the records that rules get."""

from dataclasses import replace

import pytest

from pasgl_env.contract.game import options_dtype
from pasgl_env.contract.variants import find


def test_numbers_of_the_options_record_are_aligned_without_padding(every_variant):
    dtype = options_dtype(find(every_variant))
    assert dtype.fields is not None
    assert sum(field.itemsize for field, *_ in dtype.fields.values()) == dtype.itemsize
    for field, first in (each[:2] for each in dtype.fields.values()):
        assert first % field.base.itemsize == 0


def test_a_game_without_a_turn_limit_is_refused_at_once(every_variant):
    with pytest.raises(ValueError, match="there is no turn_limit"):
        replace(find(every_variant), options=())
