"""Training data whose best choice is known."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.data.training_set import TrainingSet
from fettle.model.model import Model
from fettle.model.model_directory import write_model

Floats = NDArray[np.float64]


def data_of(values: object, costs: object, **options: object) -> TrainingSet:
    """A training set of function "f" with features x, y, ... and variants a, b, ..."""
    features = np.asarray(values, dtype=float)
    paid = np.asarray(costs, dtype=float)
    return TrainingSet(
        **{
            "function": "f",
            "features": tuple("xyzw"[: features.shape[1]]),
            "variants": tuple("abcdefgh"[: paid.shape[1]]),
            "inputs": tuple(f"input {i}" for i in range(len(features))),
            "values": features,
            "costs": paid,
            "feature_seconds": np.zeros(features.shape[1]),
            **options,  # type: ignore[arg-type]
        }
    )


def bands(count: int, seed: int = 0, noise: float = 0.0) -> TrainingSet:
    """Sizes x and y over six decades; a wins while y/x < 10, then b up to 1000, then c."""
    rng = np.random.default_rng(seed)
    x = 10 ** rng.uniform(0, 4, count)
    ratio = 10 ** rng.uniform(0, 4, count)
    best = np.digitize(ratio, (10, 1000))
    costs = np.full((count, 3), 2.0)
    costs[np.arange(count), best] = 1.0
    costs *= np.exp(noise * rng.normal(size=costs.shape))
    return data_of(np.column_stack([x, x * ratio]), costs)


def mean_share(data: TrainingSet, chosen: NDArray[np.intp]) -> float:
    """The mean share of best of choices."""
    best = data.costs.min(axis=1)
    return float(np.mean(best / data.costs[np.arange(len(data)), chosen]))


def deployed(model: Model, folder: object, values: Floats) -> NDArray[np.intp]:
    """What the deployed predictor chooses, after a trip through the model directory."""
    from pathlib import Path

    from fettle import _native

    directory = Path(str(folder)) / model.function
    write_model(directory, model)
    chosen, _ = _native.Model(str(directory)).select_many(values)
    return np.asarray(chosen, dtype=np.intp)
