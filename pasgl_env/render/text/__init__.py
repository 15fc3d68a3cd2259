"""Diagrams in characters, a module for each game.

Each module has ``diagram(state, options) -> str``: the drawing of a state record under an options
record, lines without trailing spaces.
"""
