"""What counts as material: the contract that every game's table of kinds keeps.

A game family's table is in the module of this package that has the name of its rules (see
:func:`pasgl_env.variants.part`). It provides

- ``KINDS: tuple[str, ...]``: the kinds of pieces; a piece is of one kind at a time, or of none.
- ``COVARIATES: tuple[str, ...]``: what else is counted for each side, because it decides games and
  goes with material, such as points. A position is quiet whether or not these change.
- ``UNIT: str``: the kind or covariate whose value is called 1.
- ``count(states) -> int64[n, 2, kinds + covariates]``: how many of each the two sides have, in
  records ``[n]`` of the game's state at the start of turns.

The state has a field ``turn_count``, the number of turns completed.
"""
