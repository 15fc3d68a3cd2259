"""All questions, in the order of the page."""

from __future__ import annotations

from collections.abc import Sequence

from tools.findings import chieftain, pachessi, pasgl312, spalding
from tools.findings.question import Question

QUESTIONS: tuple[Question, ...] = (
    *pasgl312.QUESTIONS,
    *spalding.QUESTIONS,
    *pachessi.QUESTIONS,
    *chieftain.QUESTIONS,
)


def chosen(names: Sequence[str]) -> list[Question]:
    """Questions by their keys, or by what their keys begin with up to the dot; all for no names.

    >>> [question.key for question in chosen(["pasgl312.deer", "overlord"])]
    ['pasgl312.deer', 'overlord.over', 'overlord.limit', 'overlord.command']

    Raises:
        ValueError: for an unknown name; lists those that there are.
    """
    families = {question.key.split(".")[0] for question in QUESTIONS}
    known = [question.key for question in QUESTIONS]
    for name in names:
        if name not in families and name not in known:
            raise ValueError(f"no question {name!r}: {', '.join(known)}")
    return [
        question
        for question in QUESTIONS
        if not names or question.key in names or question.key.split(".")[0] in names
    ]
