"""Some of many inputs to learn from, with all variants that are the best somewhere."""

from __future__ import annotations

import numpy as np

from fettle.core.errors import FettleError
from fettle.data.training_set import TrainingSet

FEWEST_SHARE = 0.25  # of the sample, divided among all variants alike: what each gets at least


def row_sample(data: TrainingSet, rows: int, seed: int) -> TrainingSet:
    """At most `rows` inputs, in their order; the same ones for the same seed.

    Stratified by the best variant: each has its share of the inputs, but at least as many as a
    quarter of the sample gives each variant, or all that it has. Raises FettleError for `rows`
    below 1.
    """
    if rows < 1:
        raise FettleError(f"a sample of {rows} rows is none to learn from; give 1 or more")
    if len(data) <= rows:
        return data
    best = data.costs.argmin(axis=1)
    there = np.bincount(best, minlength=len(data.variants))
    least = np.minimum(there, int(FEWEST_SHARE * rows / len(data.variants)))
    more = there - least
    wanted = least + (more * ((rows - least.sum()) / more.sum())).astype(np.int64)
    random = np.random.default_rng(seed)
    chosen = [
        random.choice(np.flatnonzero(best == variant), count, replace=False)
        for variant, count in enumerate(wanted)
    ]
    taken = np.zeros(len(data), dtype=bool)
    taken[np.concatenate(chosen)] = True
    # What rounding down has left over.
    rest = random.choice(np.flatnonzero(~taken), rows - int(wanted.sum()), replace=False)
    taken[rest] = True
    return data.rows(np.flatnonzero(taken))
