"""Model inputs: which transforms of the features a classifier sees, and their values.

Features that span decades (sizes) enter by their logarithm, and pairs of them by the logarithm of
their ratio. That costs a deployed tree nothing: it compares the plain feature with the plain
threshold (include/fettle/model/raw_stage.hpp).

Of features that count something, what a division or a square root leaves tells how the input came
to be: a matrix with a whole number of nonzeros a row has rows of equal length, one whose rows are a
square number comes from a square grid. Forests can use that.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from itertools import combinations
from typing import Literal

import numpy as np

from fettle.core.wording import counted
from fettle.data.training_set import Floats, TrainingSet, TrainingWarning
from fettle.model.model import ModelInput, Transform

InputSet = Literal["features", "ratios", "fractions"]
"""The features by themselves; pairs of sizes besides; fractions of counts besides."""

DECADES = 2.0
MAXIMUM_INPUTS = 64
FEW = 100
"""Below this many inputs, fewer model inputs or measured shares may do better: a search tries."""
_MOST_SIZES = 10  # 10 features make 45 pairs; more would exceed MAXIMUM_INPUTS
_MOST_COUNTS = 7  # likewise


def is_size(column: Floats) -> bool:
    """Whether a feature is better seen by its logarithm.

    It is positive, spans at least two decades, and its logarithm is the less skewed of the two (a
    feature that is evenly spread from 1 to 1000 stays as it is).
    """
    finite = column[np.isfinite(column)]
    if finite.size < 2 or finite.size < column.size or finite.min() <= 0:
        return False
    if np.log10(finite.max()) - np.log10(finite.min()) < DECADES:
        return False
    return abs(_skewness(np.log(finite))) < abs(_skewness(finite))


def is_count(column: Floats) -> bool:
    """Whether a feature counts something: a size, always a whole number."""
    return is_size(column) and bool((column == np.floor(column)).all())


def model_inputs(data: TrainingSet, kind: InputSet) -> tuple[ModelInput, ...]:
    """The inputs of a kind, with their training ranges; those that never vary are left out."""
    sizes = [j for j, column in enumerate(data.values.T) if is_size(column)]
    wanted: list[tuple[Transform, str, str | None]] = [
        ("log" if j in sizes else "linear", name, None) for j, name in enumerate(data.features)
    ]
    counts = [j for j in sizes if is_count(data.values[:, j])]
    if kind != "features":
        wanted += [("log_ratio", f, g) for f, g in _pairs(data, sizes)]
    if kind == "fractions":
        wanted += [("fraction", f, g) for f, g in _pairs(data, counts)]
        wanted += [("root_fraction", data.features[j], None) for j in counts]
    found = []
    for transform, feature, divisor in wanted:
        column = _values(
            ModelInput(transform, feature, divisor, 0.0, 0.0), data.features, data.values
        )
        column = column[np.isfinite(column)]
        if column.size and column.min() < column.max():
            low, high = float(column.min()), float(column.max())
            found.append(ModelInput(transform, feature, divisor, low, high))
    if not found and data.features:  # a fold may have lost the only input that differs
        return (ModelInput("linear", data.features[0], None, 0.0, 0.0),)
    return tuple(found[:MAXIMUM_INPUTS])


def tells_apart(data: TrainingSet) -> bool:
    """Whether some feature differs between two inputs."""
    finite = (column[np.isfinite(column)] for column in data.values.T)
    return any(column.size and column.min() < column.max() for column in finite)


def input_sets(data: TrainingSet) -> tuple[InputSet, ...]:
    """The sets worth trying on these features: pairs only where there are two sizes or more."""
    sizes = sum(is_size(column) for column in data.values.T)
    return ("features", "ratios") if 2 <= sizes <= _MOST_SIZES else ("features",)


def fractional_sets(data: TrainingSet) -> tuple[InputSet, ...]:
    """The set with fractions, where there are counts."""
    counts = sum(is_count(column) for column in data.values.T)
    return ("fractions",) if 1 <= counts <= _MOST_COUNTS and len(data.features) <= 10 else ()


def searched_sets(data: TrainingSet) -> tuple[InputSet, ...]:
    """The sets among which a search chooses: with many inputs, the largest serves best."""
    found = input_sets(data)
    return found if len(data) < FEW else found[-1:]


def transformed(inputs: Sequence[ModelInput], features: Sequence[str], values: Floats) -> Floats:
    """The inputs' values, (n, inputs); what is not finite becomes the input's `low`."""
    out = np.empty((len(values), len(inputs)))
    for j, entry in enumerate(inputs):
        column = _values(entry, features, values)
        out[:, j] = np.where(np.isfinite(column), column, entry.low)
    return out


def scaled(inputs: Sequence[ModelInput], features: Sequence[str], values: Floats) -> Floats:
    """`transformed`, with the training range of each input mapped to [-1, 1]."""
    low = np.array([entry.low for entry in inputs])
    width = np.array([entry.high for entry in inputs]) - low
    table = transformed(inputs, features, values)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(width > 0, 2 * (table - low) / width - 1, 0.0)


def warn_of_features(data: TrainingSet) -> None:
    """Tell of features that nothing can be learned from, and of values that are not finite."""
    for name, column in zip(data.features, data.values.T, strict=True):
        finite = column[np.isfinite(column)]
        what = ""
        if not finite.size:
            what = "has no finite value and is not used"
        elif len(data) > 1 and finite.min() == finite.max():
            what = f"is {finite[0]:g} on every input and is not used"
        elif finite.size < column.size:
            what = (
                f"is not finite on {column.size - finite.size} of {counted(column.size, 'input')}"
            )
        if what:
            warnings.warn(
                f"{data.function}: feature {name!r} {what}", TrainingWarning, stacklevel=3
            )


def _values(entry: ModelInput, features: Sequence[str], values: Floats) -> Floats:
    f = values[:, features.index(entry.feature)]
    with np.errstate(all="ignore"):
        if entry.transform == "linear":
            return f
        if entry.transform == "log":
            return np.log(np.where(f > 0, f, np.nan))
        if entry.transform == "root_fraction":
            return _fraction(np.sqrt(f))
        assert entry.divisor is not None
        g = values[:, features.index(entry.divisor)]
        if entry.transform == "ratio":
            return f / g
        if entry.transform == "fraction":
            return _fraction(f / g)
        return np.log(np.where(f > 0, f, np.nan)) - np.log(np.where(g > 0, g, np.nan))


def _pairs(data: TrainingSet, columns: Sequence[int]) -> list[tuple[str, str]]:
    """All pairs of features, the one that is usually larger first."""
    middle = np.median(data.values, axis=0)
    found = []
    for i, j in combinations(columns, 2):
        if (data.features[i] in data.device) != (data.features[j] in data.device):
            continue
        over, under = (i, j) if middle[i] >= middle[j] else (j, i)
        found.append((data.features[over], data.features[under]))
    return found


def _fraction(numbers: Floats) -> Floats:
    left: Floats = numbers - np.floor(numbers)
    return left


def _skewness(column: Floats) -> float:
    with np.errstate(over="ignore", invalid="ignore"):  # of huge values it is not known: NaN
        deviation = column - column.mean()
        spread = np.sqrt(np.mean(deviation**2))
        return float(np.mean(deviation**3) / spread**3) if spread > 0 else 0.0
