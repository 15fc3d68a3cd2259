"""The playtest laboratory: counts events in very many games of a variant, with intervals.

``docs/playtest.md`` describes its use and its measures.
"""
