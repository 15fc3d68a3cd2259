"""Findings: what the inventors asked or claimed, and what playtests answer.

``python -m tools.findings`` plays what is needed and writes ``docs/findings.md``.

- ``questions.toml``: the questions.
- ``question``: reads them.
- ``play``: plays their runs, as long as there is time.
- ``numbers``: what is read off a run beyond what every playtest has.
- ``page``: the verdicts and the page.

Needs SciPy.
"""
