"""Active learning of a logistic regression: the input that leaves least variance (A-optimality).

A. I. Schein and L. H. Ungar, "Active learning for logistic regression: an evaluation", Machine
Learning 68, 2007, which dissertation 7.2.1 names for variants with parameters. The predicted
probabilities of an input vary with the weights, whose covariance is the inverse of the Fisher
information of the measured inputs. Measured next is the input of the pool that, added to that
information, makes the variance of the predictions least, summed over the pool and the variants.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

PENALTY = 0.1  # on the squared weights: the information of inputs that no one has measured
MOST_CANDIDATES = 100  # of the pool; evenly, where it is larger


def least_variance(known: Floats, labels: NDArray[np.intp], pool: Floats) -> int:
    """Which row of `pool` to measure next; rows are scaled features.

    Precondition: `labels`, one for each row of `known`, has two different values at least.
    """
    from sklearn.linear_model import LogisticRegression

    classes, numbers = np.unique(labels, return_inverse=True)
    regression = LogisticRegression(C=1 / PENALTY, max_iter=1000).fit(known, numbers)
    rows, others = _with_one(known), _with_one(pool)
    chances, pool_chances = regression.predict_proba(known), regression.predict_proba(pool)
    size = len(classes) * rows.shape[1]
    information = PENALTY * np.eye(size)
    for row, chance in zip(rows, chances, strict=True):
        information += _information(row, chance)
    # How each prediction of the pool changes with the weights, as one matrix of squares.
    spread = np.zeros((size, size))
    for row, chance in zip(others, pool_chances, strict=True):
        gradients = np.kron(_sensitivity(chance), row)
        spread += gradients.T @ gradients
    candidates = np.unique(
        np.linspace(0, len(pool) - 1, min(len(pool), MOST_CANDIDATES)).round().astype(np.intp)
    )
    left = [
        float(
            np.trace(
                np.linalg.solve(
                    information + _information(others[index], pool_chances[index]), spread
                )
            )
        )
        for index in candidates
    ]
    return int(candidates[int(np.argmin(left))])


def _with_one(rows: Floats) -> Floats:
    found: Floats = np.hstack([rows, np.ones((len(rows), 1))])
    return found


def _sensitivity(chance: Floats) -> Floats:
    """The derivatives of probabilities by their logits."""
    found: Floats = np.asarray(np.diag(chance) - np.outer(chance, chance), dtype=np.float64)
    return found


def _information(row: Floats, chance: Floats) -> Floats:
    """The Fisher information of one input."""
    found: Floats = np.asarray(np.kron(_sensitivity(chance), np.outer(row, row)), dtype=np.float64)
    return found
