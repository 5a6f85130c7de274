"""A random forest that says, without running a kernel, which part of its space holds the best.

Garvey and Abdelrahman 2018, section 6.1: the parameter with the largest effect (how data is loaded)
splits the space; which of its values is best is learned from other kernels' static features (size,
dimensions and density of a stencil, the dimension that differs from the rest). Here each tree
regresses what share of the best every value reaches, so that what a mistake costs counts;
`learns="label"` is the paper's classification, where all mistakes are equal.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, Literal

import numpy as np

from fettle.core.errors import FettleError
from fettle.data.training_set import Floats

Features = Mapping[str, Hashable]
"""Static features by name: numbers, truth values, or words."""
Learns = Literal["share", "label"]

TREES = 200


@dataclass(frozen=True)
class Example:
    """A kernel: its features, and the best time that was found with each value of the partition.

    A time is infinite where nothing worked. `times` may come from incomplete searches: what counts
    is which part a search should go to.
    """

    name: str
    features: Features
    times: Mapping[Hashable, float]

    @property
    def best(self) -> float:
        """The least of the times: the oracle's."""
        return min(self.times.values())

    def share(self, values: Sequence[Hashable]) -> float:
        """The oracle's time over that of the best of these values; 0 where none worked."""
        time = min(self.times[value] for value in values)
        return self.best / time if math.isfinite(time) else 0.0


@dataclass(frozen=True)
class Column:
    """An input of the trees: a number, or whether a feature is one of its words."""

    feature: str
    word: str | None = None


@dataclass(frozen=True)
class GrownTree:
    """A tree as arrays, parents before children; `feature` is -1 at leaves.

    What is not greater than the threshold goes left. `value` has a row a node: what each value of
    the partition is expected to reach.
    """

    feature: tuple[int, ...]
    threshold: tuple[float, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    value: tuple[tuple[float, ...], ...]

    def leaf(self, row: Floats) -> tuple[float, ...]:
        """The leaf's values for a row of inputs."""
        node = 0
        while self.feature[node] >= 0:
            no = row[self.feature[node]] <= self.threshold[node]
            node = self.left[node] if no else self.right[node]
        return self.value[node]


@dataclass(frozen=True)
class PartitionModel:
    """A trained forest: predicts the likeliest values of the parameter that splits the space."""

    parameter: str
    values: tuple[Hashable, ...]
    columns: tuple[Column, ...]
    trees: tuple[GrownTree, ...] = field(repr=False)
    learns: Learns = "share"

    @staticmethod
    def fit(
        parameter: str,
        examples: Sequence[Example],
        *,
        trees: int = TREES,
        seed: int = 0,
        learns: Learns = "share",
    ) -> PartitionModel:
        """Train on kernels whose best times are known; the same seed gives the same model.

        About half a second for 200 trees. Raises FettleError, naming the example, where examples
        differ in their features or values, no value worked on one, or a time is not positive.
        """
        from sklearn.ensemble import RandomForestRegressor

        values, columns = _described(parameter, examples)
        if trees < 1:
            raise FettleError(f"a forest of {trees} trees; give at least 1")
        if learns not in ("share", "label"):
            raise FettleError(f"learns={learns!r}; there are 'share' and 'label'")
        rows = np.array([_row(columns, example.features) for example in examples])
        shares = np.array([[example.share([value]) for value in values] for example in examples])
        if learns == "label":
            shares = np.eye(len(values))[shares.argmax(axis=1)]
        # Weka's default, as in the paper: log2(number of features) + 1 of them at a split.
        some = min(len(columns), int(math.log2(len(columns))) + 1)
        forest = RandomForestRegressor(trees, max_features=some, random_state=seed)
        forest.fit(rows, shares if len(values) > 1 else shares[:, 0])
        grown = tuple(_grown(tree.tree_) for tree in forest.estimators_)
        return PartitionModel(parameter, values, columns, grown, learns)

    def scores(self, features: Features) -> dict[Hashable, float]:
        """The share of the best that each value is expected to reach; of `label`, its votes.

        Microseconds a tree. FettleError for a feature that is missing or of another type; words
        that no example had are none of those that some had.
        """
        row = _row(self.columns, features)
        total = np.mean([tree.leaf(row) for tree in self.trees], axis=0)
        return dict(zip(self.values, map(float, total), strict=True))

    def predict(self, features: Features, top: int = 1) -> tuple[Hashable, ...]:
        """The `top` most promising values, best first; `partition=` of `Grouped` takes them."""
        if not 1 <= top <= len(self.values):
            raise FettleError(
                f"top={top}; {self.parameter} has {len(self.values)} values, so give 1 to "
                f"{len(self.values)}"
            )
        scores = self.scores(features)
        return tuple(sorted(self.values, key=lambda value: -scores[value])[:top])


def _described(
    parameter: str, examples: Sequence[Example]
) -> tuple[tuple[Hashable, ...], tuple[Column, ...]]:
    """The values that all examples have times for, and the inputs that their features make."""
    if not examples:
        raise FettleError(f"no examples to learn {parameter} from; give at least one kernel")
    first = examples[0]
    values = tuple(first.times)
    if not values or not first.features:
        raise FettleError(f"the example {first.name!r} has no times or no features")
    for example in examples:
        for what, its, others in (
            ("times for", set(example.times), set(values)),
            ("the features", set(example.features), set(first.features)),
        ):
            if its != others:
                odd = ", ".join(sorted(map(repr, its ^ others)))
                raise FettleError(
                    f"the examples {first.name!r} and {example.name!r} differ in {what} {odd}"
                )
        bad = [v for v, time in example.times.items() if math.isnan(time) or time <= 0]
        if bad:
            raise FettleError(
                f"the time of the example {example.name!r} with {parameter}={bad[0]!r} is "
                f"{example.times[bad[0]]}; give a positive number, infinity where nothing worked"
            )
        if math.isinf(example.best):
            raise FettleError(
                f"nothing worked on the example {example.name!r}, so that it teaches nothing; "
                "leave it out"
            )
    columns: list[Column] = []
    for name, value in first.features.items():
        if isinstance(value, str):
            words = sorted({str(example.features[name]) for example in examples})
            columns += [Column(name, word) for word in words]
        else:
            columns.append(Column(name))
    for example in examples:
        _row(tuple(columns), example.features, f"the example {example.name!r}: ")
    return values, tuple(columns)


def _row(columns: Sequence[Column], features: Features, where: str = "") -> Floats:
    row = np.empty(len(columns))
    for i, column in enumerate(columns):
        if column.feature not in features:
            raise FettleError(
                f"{where}the feature {column.feature!r} is missing; there are "
                f"{', '.join(map(str, features)) or 'none'}"
            )
        value = features[column.feature]
        if column.word is not None:
            if not isinstance(value, str):
                raise FettleError(f"{where}the feature {column.feature!r} is {value!r}, no word")
            row[i] = value == column.word
        else:
            if not isinstance(value, Real) or not math.isfinite(value):
                raise FettleError(
                    f"{where}the feature {column.feature!r} is {value!r}; give a finite number"
                )
            row[i] = float(value)
    # Trees are grown in single precision, and asked in it.
    single: Floats = row.astype(np.float32).astype(np.float64)
    return single


def _grown(tree: Any) -> GrownTree:
    return GrownTree(
        tuple(max(int(f), -1) for f in tree.feature),
        tuple(float(t) for t in tree.threshold),
        tuple(int(n) for n in tree.children_left),
        tuple(int(n) for n in tree.children_right),
        tuple(tuple(float(v) for v in row) for row in tree.value[:, :, 0]),
    )
