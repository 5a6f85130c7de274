"""Features of inputs and machines as columns that learn well: logarithms, and their differences."""

from __future__ import annotations

import numpy as np

from fettle.data.training_set import Floats

MISSING = -99.0
"""What trees see in place of a value that is not known: below all logarithms."""
MOST_PAIRED = 9  # more features have too many pairs


def logarithms(values: Floats) -> Floats:
    """The logarithm of 1 + |x|, with the sign of x; not a number stays so."""
    found: Floats = np.sign(values) * np.log1p(np.abs(values))
    return found


def tree_columns(values: Floats) -> Floats:
    """Logarithms of the features and, of few features, the differences of all pairs."""
    logs = logarithms(values)
    width = logs.shape[1]
    columns = [logs]
    if width <= MOST_PAIRED:
        columns += [logs[:, [i]] - logs[:, [j]] for i in range(width) for j in range(i)]
    return np.nan_to_num(np.hstack(columns), nan=MISSING, posinf=1e9, neginf=-1e9)


def scaled(values: Floats, by: Floats) -> Floats:
    """The columns of `values`, those of `by` spread over 0 to 1; 0.5 where unknown or constant."""
    low, high = _ends(by)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = (values - low) / (high - low)
    kept: Floats = np.clip(np.nan_to_num(np.where(high > low, found, 0.5), nan=0.5), -2.0, 3.0)
    return kept


def device_columns(values: Floats) -> Floats:
    """Device features as they are compared: logarithms where all are positive."""
    with np.errstate(invalid="ignore", divide="ignore"):
        logs = np.log(values)
    positive = ~(values <= 0).any(axis=0)
    found: Floats = np.where(positive, logs, values)
    return found


def standardised(values: Floats, by: Floats) -> Floats:
    """The columns of `values` in standard deviations of `by` from its mean; 0 where unknown."""
    known = np.isfinite(by)
    count = np.maximum(known.sum(axis=0), 1)
    mean = np.where(known, by, 0.0).sum(axis=0) / count
    deviation = np.sqrt((np.where(known, by - mean, 0.0) ** 2).sum(axis=0) / count)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = (values - mean) / deviation
    return np.nan_to_num(np.where(deviation > 1e-12, found, 0.0), nan=0.0)


def _ends(by: Floats) -> tuple[Floats, Floats]:
    known = np.isfinite(by)
    low = np.where(known, by, np.inf).min(axis=0)
    high = np.where(known, by, -np.inf).max(axis=0)
    return low, high
