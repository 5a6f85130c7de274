"""Trees that regress the regret of every variant at once: grown by scikit-learn, kept as `Tree`.

A regression tree on the matrix of shares splits where the variants' expected shares differ, weighs
each input by what is lost there, and its leaves say what each variant would lose: it minimises
regret, not the number of wrong labels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from fettle.classifiers.regret import Indices
from fettle.classifiers.scaling import InputSet, model_inputs, transformed
from fettle.core.randomised_trees import as_trees_see, randomised_trees, seeded
from fettle.data.training_set import Floats, TrainingSet
from fettle.model.model import ModelInput
from fettle.model.trees import Tree, TreePredictor


@dataclass(frozen=True)
class Columns:
    """The inputs that trees are grown on."""

    inputs: tuple[ModelInput, ...]
    features: tuple[str, ...]

    @staticmethod
    def of(data: TrainingSet, kind: InputSet) -> Columns:
        """The inputs of a kind for `data`."""
        return Columns(model_inputs(data, kind), data.features)

    def table(self, values: Floats) -> Floats:
        """The transformed inputs of rows of feature values, (n, inputs)."""
        return transformed(self.inputs, self.features, values)


@dataclass(frozen=True)
class Forest:
    """Grown trees: what they predict is the sum over the trees."""

    columns: Columns
    keep: Callable[[], tuple[Tree, ...]]
    """The trees in our form, which a fold that only predicts has no need of."""
    predict: Callable[[Floats], Floats]
    """Expected shares (up to a common offset) of the rows of `Columns.table`, (n, variants)."""

    @cached_property
    def trees(self) -> tuple[Tree, ...]:
        """As they are deployed."""
        return self.keep()

    def choose(self, values: Floats) -> Indices:
        """The variant with the greatest expected share, the first of equals."""
        chosen: Indices = self.predict(self.columns.table(values)).argmax(axis=1)
        return chosen

    @property
    def inputs(self) -> tuple[ModelInput, ...]:
        """The inputs that some tree splits on."""
        return tuple(self.columns.inputs[j] for j in self._used())

    @property
    def predictor(self) -> TreePredictor:
        """As it is deployed, on the inputs that are used."""
        index = {column: i for i, column in enumerate(self._used())}
        index[-1] = -1
        return TreePredictor(
            tuple(
                replace(tree, feature=tuple(index[f] for f in tree.feature)) for tree in self.trees
            )
        )

    def _used(self) -> list[int]:
        return sorted({f for tree in self.trees for f in tree.feature if f >= 0})


def extra_trees(
    columns: Columns, table: Floats, shares: Floats, seed: int, *, count: int
) -> Forest:
    """A forest of extremely randomised trees: the mean share over similar inputs."""
    grown = randomised_trees(table, shares, seed, count=count, smallest=2, max_features=0.6)

    def keep() -> tuple[Tree, ...]:
        return tuple(
            kept_tree(tree.tree_, lambda value: (1 - value) / count) for tree in grown.trees
        )

    return Forest(columns, keep, grown.predict)


def boosted_trees(
    columns: Columns, table: Floats, shares: Floats, seed: int, *, count: int
) -> Forest:
    """Boosted trees: each regresses what the ones before left over, on half of the inputs."""
    from sklearn.tree import DecisionTreeRegressor

    rng = np.random.default_rng(seed)
    rate = min(1.0, 6 / count)
    inputs = as_trees_see(table)
    start = shares.mean(axis=0)
    rest = shares - start
    grown: list[DecisionTreeRegressor] = []
    for _ in range(count):
        half = rng.random(len(table)) < 0.5
        if not half.any():
            half[:] = True
        tree = DecisionTreeRegressor(
            max_depth=7,
            min_samples_leaf=min(5, max(1, len(table) // 20)),
            max_features=0.35,
            random_state=seeded(int(rng.integers(1 << 30))),
        ).fit(inputs[half], rest[half], check_input=False)
        rest = rest - rate * tree.tree_.predict(inputs).reshape(rest.shape)
        grown.append(tree)

    def predict(rows: Floats) -> Floats:
        total: Floats = np.zeros((len(rows), shares.shape[1]))
        total += start
        seen = as_trees_see(rows)
        for tree in grown:
            np.add(total, rate * tree.tree_.predict(seen).reshape(total.shape), out=total)
        return total

    def cost(value: Floats) -> Floats:
        gain = start / count + rate * value
        lost: Floats = gain.max() - gain  # an offset common to all variants changes no choice
        return lost

    return Forest(columns, lambda: tuple(kept_tree(tree.tree_, cost) for tree in grown), predict)


def both(first: Forest, second: Forest) -> Forest:
    """The sum of two forests on the same columns."""
    return Forest(
        first.columns,
        lambda: first.trees + second.trees,
        lambda rows: first.predict(rows) + second.predict(rows),
    )


def single_tree(
    columns: Columns, table: Floats, shares: Floats, seed: int, *, leaves: int, smallest: int
) -> Forest:
    """One tree, grown best split first; branches between the same choices are cut."""
    from sklearn.tree import DecisionTreeRegressor

    grown = DecisionTreeRegressor(
        max_leaf_nodes=leaves, min_samples_leaf=smallest, random_state=seeded(seed)
    ).fit(as_trees_see(table), shares, check_input=False)
    width = shares.shape[1]
    return Forest(
        columns,
        lambda: (kept_tree(grown.tree_, lambda value: 1 - value, cut=True),),
        lambda rows: grown.tree_.predict(as_trees_see(rows)).reshape(-1, width),
    )


def kept_tree(grown: object, cost: Callable[[Floats], Floats], *, cut: bool = False) -> Tree:
    """A scikit-learn tree in our form, nodes in preorder; `cut`: see `single_tree`."""
    left: list[int] = grown.children_left.tolist()  # type: ignore[attr-defined]
    right: list[int] = grown.children_right.tolist()  # type: ignore[attr-defined]
    feature: list[int] = grown.feature.tolist()  # type: ignore[attr-defined]
    border: list[float] = grown.threshold.tolist()  # type: ignore[attr-defined]
    value: Floats = grown.value[:, :, 0]  # type: ignore[attr-defined]
    ends = _same_choice(left, right, value) if cut else [child < 0 for child in left]
    split_on: list[int] = []
    threshold: list[float] = []
    children: list[list[int]] = []
    costs: list[tuple[float, ...]] = []
    waiting = [(0, -1, 0)]  # node, its parent's index, which child of it
    while waiting:
        node, parent, side = waiting.pop()
        index = len(split_on)
        if parent >= 0:
            children[parent][side] = index
        children.append([-1, -1])
        if ends[node]:
            split_on.append(-1)
            threshold.append(0.0)
            costs.append(tuple(cost(value[node]).tolist()))
        else:
            split_on.append(feature[node])
            threshold.append(border[node])
            costs.append(())
            waiting += [(right[node], index, 1), (left[node], index, 0)]
    return Tree(
        tuple(split_on),
        tuple(threshold),
        tuple(pair[0] for pair in children),
        tuple(pair[1] for pair in children),
        tuple(costs),
    )


def _same_choice(left: Sequence[int], right: Sequence[int], value: Floats) -> list[bool]:
    """Whether all leaves below a node choose the same variant."""
    choice = value.argmax(axis=1).tolist()
    same: list[int] = [-1] * len(left)  # the choice common to the leaves below; -1: none
    for node in reversed(range(len(left))):  # children come after their parent
        if left[node] < 0:
            same[node] = choice[node]
        elif same[left[node]] == same[right[node]]:
            same[node] = same[left[node]]
    return [common >= 0 for common in same]
