"""Intervals, ratings, sequential tests and regression: each formula once.

- ``estimates``: :class:`Estimate`, proportions and means of independent observations.
- ``clustered``: the same where observations come in clusters, such as pairs of games.
- ``ratings``: Elo ratings by maximum likelihood.
- ``sprt``: Wald's sequential test between two players.
- ``sequential``: confidence sequences, which hold at every look.
- ``regression``: logistic and linear regression with clustered errors.

``estimates`` needs NumPy only, the others need SciPy.
"""
