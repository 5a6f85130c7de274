"""Which inputs to measure on a new machine: those that stand for most others.

The inputs are put into as many clusters as may be measured, by their features (k-means), and of
each cluster the input nearest its centre is taken. Inputs that the sources disagree on, or that are
far from each other, are unusual ones, and taught less on a published table than random ones.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from fettle.data.training_set import Floats
from fettle.transfer.columns import logarithms, scaled


def telling_inputs(values: Floats, count: int, known: Sequence[int], seed: int) -> list[int]:
    """The indices of at most `count` inputs to measure, of features (n, d).

    Clusters that hold one of `known`, the inputs measured before, need no other one.
    """
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    free = len(values) - len(known)
    if count <= 0 or free <= 0:
        return []
    scaled_values = np.nan_to_num(scaled(logarithms(values), logarithms(values)), nan=0.5)
    clusters = min(count + len(known), len(values))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # of inputs that are alike
        found = KMeans(clusters, n_init=3, random_state=seed).fit(scaled_values)
    order = np.argsort([-float((found.labels_ == one).sum()) for one in range(clusters)])
    chosen: list[int] = []
    for one in order.tolist():
        members = np.flatnonzero(found.labels_ == one)
        if len(chosen) < count and len(members) and not set(members.tolist()) & set(known):
            distance = np.linalg.norm(scaled_values[members] - found.cluster_centers_[one], axis=1)
            chosen.append(int(members[distance.argmin()]))
    rest = [i for i in range(len(values)) if i not in chosen and i not in set(known)]
    if len(chosen) < min(count, free):
        more = np.random.default_rng(seed).permutation(rest)[: min(count, free) - len(chosen)]
        chosen += more.tolist()
    return chosen
