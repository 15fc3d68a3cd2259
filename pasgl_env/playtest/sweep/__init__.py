"""Rule sweeps: the same playtest under several values of one or two options.

Each *arm*, a value or a pair of values, is a run in a folder of its own. All arms have the same
seed: games of the same number have the same dice, and players draw the same random numbers (common
random numbers: Law, *Simulation Modeling and Analysis*, 5th edition, 2015, chapter 11).
"""
