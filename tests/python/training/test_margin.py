"""The margin of a choice: how far a model is from choosing its second best variant."""

from __future__ import annotations

import numpy as np

from fettle.classifiers import SvmClassifier, TreeClassifier
from fettle.data.training_set import TrainingSet
from fettle.training.margin import margins


def data() -> TrainingSet:
    """Two variants, equal at 0.5, the farther from it the more different."""
    values = np.random.default_rng(1).uniform(0, 1, (60, 1))
    costs = np.column_stack([1 + values[:, 0], 2 - values[:, 0]])
    names = tuple(map(str, range(60)))
    return TrainingSet("f", ("n",), ("a", "b"), names, values, costs, np.zeros(1))


def test_margins_of_an_svm_are_small_at_the_border_and_large_far_from_it() -> None:
    found = margins(SvmClassifier().fit(data()), np.array([[0.01], [0.5], [0.99]]))
    assert (found >= 0).all()
    assert found[1] < min(found[0], found[2])


def test_margins_of_a_tree_are_those_of_its_leaves() -> None:
    found = margins(TreeClassifier().fit(data()), np.array([[0.01], [0.02], [0.99]]))
    assert found[0] == found[1]
    assert (found > 0).all()
