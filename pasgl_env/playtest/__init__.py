"""The playtest laboratory: what happens in very many games of a variant, counted, with intervals.

``docs/playtest.md`` says how it is used and what is measured.
"""
