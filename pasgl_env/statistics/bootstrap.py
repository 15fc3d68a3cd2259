"""Aggregates over tasks and training runs, with intervals by a stratified bootstrap.

As Agarwal et al. propose ("Deep Reinforcement Learning at the Edge of the Statistical Precipice",
NeurIPS 2021), runs are drawn with replacement within each task. A run's score is itself measured,
in games, so the openings of each drawn run are drawn with replacement, too: with a single run, the
interval is that of its games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from pasgl_env.statistics.estimates import CONFIDENCE, Estimate

RESAMPLES = 2000
_SEED = 0

Statistic = Callable[[np.ndarray], np.ndarray]
"""Maps scores ``float64[..., k]`` to ``float64[...]``."""


def mean_score(scores: np.ndarray) -> np.ndarray:
    """The mean over the last axis."""
    return scores.mean(axis=-1)


def interquartile_mean(scores: np.ndarray) -> np.ndarray:
    """The mean of the middle half of the last axis.

    >>> float(interquartile_mean(np.array([0.0, 0.5, 0.7, 1.0])))
    0.6
    """
    cut = scores.shape[-1] // 4
    middle = np.sort(scores, axis=-1)[..., cut : scores.shape[-1] - cut]
    return mean_score(middle)


def aggregate(tasks: Sequence[Sequence[np.ndarray]], statistic: Statistic) -> Estimate:
    """A statistic of the scores of all runs in all tasks, with its bootstrap interval.

    >>> apart = np.array([0.0, 1.0, 1.0, 1.0])
    >>> estimate = aggregate([[apart, apart], [apart, apart]], mean_score)
    >>> estimate.value, 0.4 < estimate.low < 0.7 < estimate.high < 1.0
    (0.75, True)

    Args:
        tasks: for each task and each run ``float64[openings]``, the scores by opening.
        statistic: of the runs' mean scores, such as :func:`interquartile_mean`.
    """
    random = np.random.default_rng(_SEED)
    scores = np.array([scores.mean() for runs in tasks for scores in runs])
    drawn = np.column_stack([_draw(np.array(runs), random) for runs in tasks for _ in runs])
    ends = (1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2
    low, high = np.quantile(statistic(drawn), ends).tolist()
    return Estimate(float(statistic(scores)), low, high)


def _draw(runs: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """The mean scores of runs ``[runs, openings]`` drawn at random: ``float64[RESAMPLES]``."""
    number, openings = runs.shape
    run = random.integers(number, size=(RESAMPLES, 1))
    return runs[run, random.integers(openings, size=(RESAMPLES, openings))].mean(axis=1)
