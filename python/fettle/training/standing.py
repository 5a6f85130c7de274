"""Weights of measured inputs, where the learner has chosen which inputs to measure.

The learner asks for unusual and undecided inputs, so a plain mean over the measured ones would be
biased. Each measured input is therefore weighted by the number of inputs that are nearest to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from fettle.data.training_set import TrainingSet

Floats = NDArray[np.float64]
Weights: TypeAlias = Floats
"""One an input of a training set, with the sum 1."""


def equal_weights(count: int) -> Weights:
    """The same weight for each of `count` inputs."""
    return np.full(count, 1.0 / max(count, 1))


def inputs_nearest(points: Sequence[Floats], measured: Sequence[int]) -> list[int]:
    """For each measured place how many of all inputs are nearer to it than to the others.

    `points` has the scaled features of each input, a row a call; of equally near ones the first.
    """
    counts = [0] * len(measured)
    known = [points[index] for index in measured]
    for rows in points:
        nearest = [float(np.linalg.norm(rows[:1] - its, axis=1).min()) for its in known]
        counts[int(np.argmin(nearest))] += 1
    return counts


def weights_of(data: TrainingSet, standing: Mapping[str, float] | None) -> Weights | None:
    """The weights of a set's rows; the calls of an input share its weight."""
    if standing is None:
        return None
    names = [name.partition(" #")[0] for name in data.inputs]
    weights = np.array([standing.get(name, 0.0) / names.count(name) for name in names])
    total = float(weights.sum())
    return weights / total if total > 0 else None
