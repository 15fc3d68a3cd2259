"""Tables of cases in one test, where a test for each would take longer to collect than to run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import signature
from typing import Any


def rows(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[[Any], Any]:
    """Call the test with each case; arguments as of ``pytest.mark.parametrize``.

    The test ends at its first case that fails, and a note names it.
    """
    cases = [(case,) if isinstance(names, str) else tuple(case) for case in cases]
    columns = (names,) if isinstance(names, str) else names
    assert cases, "no cases"

    def decorate(test: Any) -> Any:
        @wraps(test)
        def test_each_case(*self: Any, **others: Any) -> None:
            for case in cases:
                row = dict(zip(columns, case, strict=True))
                try:
                    test(*self, **others, **row)
                except BaseException as error:
                    error.add_note("with " + ", ".join(f"{name}={row[name]!r}" for name in row))
                    raise

        own = signature(test)
        rest = [each for name, each in own.parameters.items() if name not in columns]
        test_each_case.__signature__ = own.replace(parameters=rest)  # type: ignore[attr-defined]
        return test_each_case

    return decorate
