"""A game's declaration, and the records that rules get."""

from dataclasses import replace

import numpy as np
import pytest

from pasgl_env.contract.game import checked_number, options_dtype
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


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("kind", [int, np.uint8, np.int8, np.uint64, float, np.float16, np.float64])
def test_a_checked_number_is_one_of_python_of_the_kind_of_its_bounds(kind):
    number = checked_number("share", kind(5), 0.0, 1e9)
    assert (number, type(number)) == (5.0, float)
    if not issubclass(kind, float | np.floating):
        number = checked_number("size", kind(5), 1, 2**70)
        assert (number, type(number)) == (5, int)


@pytest.mark.parametrize("value", [True, np.True_, "5", None, 5j, [5], 2**2000, -1, np.nan, np.inf])
@pytest.mark.parametrize("high", [10, 10.0])
def test_what_is_no_number_of_the_range_is_refused_with_the_range(value, high):
    with pytest.raises(ValueError, match=r"size must be an? .* from 0.* to 10.*, not "):
        checked_number("size", value, type(high)(0), high)


def test_a_fraction_is_no_integer_even_if_it_is_whole():
    for value in (5.0, np.float32(5)):
        with pytest.raises(ValueError, match="size must be an integer from 0 to 10, not"):
            checked_number("size", value, 0, 10)
