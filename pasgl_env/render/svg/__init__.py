"""Drawings in SVG, a module for each game.

Each module has

- ``draw(state, options, marks, theme) -> Canvas``: the drawing of a state record under an options
  record, whose title says how the game stands ("turn 7, Black to move").
- ``bare(options, marks, theme) -> Canvas``: the board alone, with its scenery, squares of the last
  turn and of a heat map.
- ``places(options) -> dict[str, Box]``: where in the drawing each square is, by its name.
- ``icon(symbol, options, theme) -> Canvas``: a piece alone, by the symbol of position texts (where
  those have one letter for all players, with the colour before it: ``black-R``).
"""
