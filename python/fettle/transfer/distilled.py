"""What the function's own classifier learns from: inputs with the costs that transfer predicts."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from fettle.data.training_set import Floats, TrainingSet

MOST = 20.0  # between scores: beyond, an exponential says nothing


def predicted_set(
    function: str,
    features: tuple[str, ...],
    variants: tuple[str, ...],
    default: str,
    values: Floats,
    gains: Floats,
    withheld: Iterable[str],
) -> TrainingSet:
    """Inputs with costs in the order of the scores `gains`, (n, d) and (n, k).

    Gains are nearly logarithmic shares of best, so that near the best the costs have these shares.

    Inputs with a feature that is not known are left out; variants of `withheld` cost infinitely
    much.
    """
    rows = np.flatnonzero(np.isfinite(values).all(axis=1))
    best = gains[rows].max(axis=1, keepdims=True)
    costs = np.exp(np.minimum(best - gains[rows], MOST))
    costs[:, [variants.index(name) for name in withheld]] = np.inf
    return TrainingSet(
        function=function,
        features=features,
        variants=variants,
        inputs=tuple(f"input {one}" for one in rows.tolist()),
        values=values[rows],
        costs=costs,
        feature_seconds=np.zeros(len(features)),
        default=default,
        cost_seconds=None,
    )


def always(variant: str, variants: tuple[str, ...], rows: int) -> Floats:
    """Scores that say one variant on every input."""
    gains = np.full((rows, len(variants)), -1.0)
    gains[:, variants.index(variant)] = 0.0
    return gains
