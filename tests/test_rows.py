"""A table of cases in one test loses neither a case nor the name of the one that fails."""

import pytest

from .rows import rows


def test_every_case_is_tested():
    seen = []

    @rows("one", "ab")
    @rows(("two", "three"), [(1, 2), (3, 4)])
    def test(one, two, three):
        seen.append((one, two, three))

    test()
    assert seen == [("a", 1, 2), ("a", 3, 4), ("b", 1, 2), ("b", 3, 4)]


def test_a_failure_names_its_case():
    @rows("one", "ab")
    @rows(("two", "three"), [(1, 2), (3, 4)])
    def test(one, two, three):
        assert (one, two) != ("b", 3)

    with pytest.raises(AssertionError) as failure:
        test()
    assert failure.value.__notes__ == ["with two=3, three=4", "with one='b'"]


def test_no_cases_are_refused():
    with pytest.raises(AssertionError, match="no cases"):
        rows("one", [])
