"""A single tree that imitates a forest: nearly the forest's choices, in a tree's time.

The forest is asked at many points around and between the training inputs, and one tree is grown on
its choices, each weighed by what another choice would lose there. Where there are few inputs, such
a tree is better than one grown on them: the forest's borders lie between inputs, not at one of them
(born-again trees: Breiman and Shang 1996).

Two features may grow together in all training inputs, as keys and ascending runs do. A tree that
sees no other points splits on either; on an input where they differ only one of the two is right.
Points that mix two inputs tell which of them the forest asks for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fettle.classifiers.forest import ForestRecipe
from fettle.classifiers.regret import Indices
from fettle.classifiers.regret_trees import Forest, kept_tree
from fettle.classifiers.scaling import InputSet, is_size
from fettle.core.randomised_trees import as_trees_see, seeded
from fettle.data.training_set import Floats, TrainingSet

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

POINTS = 3000  # of each kind, about
MOST_COPIES = 40  # of an input
SPREAD = 0.2  # of the points around an input: of a size a factor, of others a share of their range
SMALLEST = 2  # points of a leaf
FEW_VALUES = 4  # of a feature: a kind, which has nothing between its values
NEVER_NEGLIGIBLE = 1e-4  # the least that a point weighs, and that the chosen variant is ahead


@dataclass(frozen=True)
class ImitationRecipe:
    """One tree with at most `leaves` leaves that imitates a forest on these inputs."""

    inputs: InputSet
    leaves: int

    def train(self, data: TrainingSet, seed: int) -> Forest:
        """Grow the forest and the tree."""
        return imitate(ForestRecipe(self.inputs).train(data, seed), data, seed, self.leaves)

    def __str__(self) -> str:
        return f"at most {self.leaves} leaves, on {self.inputs}, imitates a forest"


def imitate(forest: Forest, data: TrainingSet, seed: int, leaves: int) -> Forest:
    """A tree that chooses about as the forest does."""
    from sklearn.tree import DecisionTreeClassifier

    points = [points_around(data, seed), points_between(data, seed), points_crossed(data, seed)]
    table = forest.columns.table(np.vstack(points))
    seen = as_trees_see(table)
    expected = forest.predict(table)
    chosen: Indices = expected.argmax(axis=1)
    loss = expected.max(axis=1) - np.median(expected, axis=1)
    grown = DecisionTreeClassifier(
        max_leaf_nodes=leaves, min_samples_leaf=SMALLEST, random_state=seeded(seed)
    ).fit(seen, chosen, sample_weight=loss + NEVER_NEGLIGIBLE)
    weights = np.zeros_like(expected)
    weights[np.arange(len(table)), chosen] = loss + NEVER_NEGLIGIBLE
    costs = _costs(grown.decision_path(seen), expected, weights)
    return Forest(
        forest.columns,
        lambda: (kept_tree(_Grown(grown.tree_, -costs), lambda value: -value, cut=True),),
        lambda rows: -costs[grown.apply(as_trees_see(rows))],
    )


def points_around(data: TrainingSet, seed: int) -> Floats:
    """The inputs' feature values, and values like them, (n, features)."""
    copies = int(np.clip(POINTS // max(len(data), 1), 1, MOST_COPIES))
    rng = np.random.default_rng(seed)
    values = np.repeat(data.values, copies, axis=0)
    for j, column in enumerate(data.values.T):
        step = SPREAD * rng.standard_normal(len(values))
        if is_size(column):
            values[:, j] *= np.exp(step)
        elif np.isfinite(column).all():
            moved = values[:, j] + step * (column.max() - column.min())
            values[:, j] = np.clip(moved, column.min(), column.max())
    return np.vstack([data.values, values])


def points_between(data: TrainingSet, seed: int) -> Floats:
    """Points on the lines between two inputs, (POINTS, features)."""
    rng = np.random.default_rng((seed, 1))
    return _mixed(data, rng, np.repeat(rng.random((POINTS, 1)), data.values.shape[1], axis=1))


def points_crossed(data: TrainingSet, seed: int) -> Floats:
    """Points that have each feature's value from one or the other of two inputs."""
    rng = np.random.default_rng((seed, 2))
    return _mixed(data, rng, rng.integers(2, size=(POINTS, data.values.shape[1])).astype(float))


def _mixed(data: TrainingSet, rng: np.random.Generator, weights: Floats) -> Floats:
    """Of two inputs a point: each feature at `weights` of the way from the first to the second."""
    first, second = data.values[rng.integers(len(data), size=(2, len(weights)))]
    values: Floats = np.where(weights < 0.5, first, second)
    for j, column in enumerate(data.values.T):
        weight = weights[:, j]
        if is_size(column):
            values[:, j] = first[:, j] ** (1 - weight) * second[:, j] ** weight
        elif np.isfinite(column).all() and len(np.unique(column)) > FEW_VALUES:
            values[:, j] = first[:, j] * (1 - weight) + second[:, j] * weight
    return values


@dataclass(frozen=True)
class _Grown:
    """scikit-learn's tree with other values at its nodes."""

    tree: object
    values: Floats

    def __getattr__(self, name: str) -> object:
        return getattr(self.tree, name)

    @property
    def value(self) -> Floats:
        return self.values[:, :, None]


def _costs(path: csr_matrix, expected: Floats, weights: Floats) -> Floats:
    """What each variant is expected to lose at each node; least for the one chosen there."""
    count = np.asarray(path.sum(axis=0), dtype=np.float64).ravel()
    costs: Floats = 1.0 - (path.T @ expected) / count[:, None] + NEVER_NEGLIGIBLE
    ahead = (path.T @ weights).argmax(axis=1)
    costs[np.arange(len(costs)), ahead] = costs.min(axis=1) - NEVER_NEGLIGIBLE
    return costs
