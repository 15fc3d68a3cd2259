"""Findings: the inventors' questions and claims, and the answers of playtests.

``python -m studies.findings`` plays the games needed and writes ``docs/results/findings.md``.

- ``questions.toml``: the questions.
- ``question``: reads them.
- ``play``: plays their runs within the time given.
- ``numbers``: computes numbers of a run beyond those of every playtest.
- ``answers``: keeps the numbers of all questions, ``studies/findings.json``.
- ``page``: the verdicts and the page.

Needs SciPy.
"""
