"""The records that rules get."""

from pasgl_env.contract.game import options_dtype
from pasgl_env.contract.variants import find


def test_numbers_of_the_options_record_are_aligned_without_padding(every_variant):
    dtype = options_dtype(find(every_variant))
    assert dtype.fields is not None
    assert sum(field.itemsize for field, *_ in dtype.fields.values()) == dtype.itemsize
    for field, first in (each[:2] for each in dtype.fields.values()):
        assert first % field.base.itemsize == 0
