"""Rule sweeps: the same playtest under several values of one or two options.

Every *arm*, a value or a pair of values, is a run in a folder of its own. All have the same seeds,
so games of the same number have the same dice and the same draws of the players (common random
numbers: Law, *Simulation Modeling and Analysis*, 5th edition, 2015, chapter 11).
"""
