import numpy as np

from pasgl_env.statistics import histograms


def test_bins_are_narrow_and_in_order():
    lengths = np.unique(np.geomspace(1, 10**6, 5000).astype(np.int64))
    bins = histograms.bins_of(lengths)
    firsts = np.array([histograms.first_of_bin(number) for number in bins.tolist()])
    assert (np.diff(bins) >= 0).all()
    assert ((firsts <= lengths) & (lengths - firsts <= firsts / 128)).all()
    assert histograms.bins_of(np.array([2**62])).tolist() == [histograms.BINS - 1]
