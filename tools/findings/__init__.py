"""Findings: what the inventors asked or claimed, and what playtests answer.

``python -m tools.findings`` plays what is needed and writes ``docs/findings.md``.

- ``question``: what a question is made of, and how numbers are written.
- ``verdict``: the sentences that follow from numbers and their intervals.
- ``readings``: numbers of a run beyond those that every playtest has.
- ``laboratory``: plays the runs, as long as there is time.
- ``page``: the page.
- a module for each family of games, with its ``QUESTIONS``.

Needs SciPy.
"""
