"""Extremely randomised trees: quick, good with few inputs, and no model where one loses."""

from __future__ import annotations

import time
import warnings

import numpy as np
from made_up import bands, data_of, mean_share

from fettle.classifiers import ExtraTreesClassifier, ForestClassifier
from fettle.classifiers.constant import Constant
from fettle.data.training_set import TrainingWarning


def test_learns_on_few_inputs() -> None:
    fit = ExtraTreesClassifier().fit_and_judge(bands(60))
    assert fit.model.classifier == "forest"
    unseen = bands(200, seed=1)
    assert mean_share(unseen, fit.chosen.fitted.choose(unseen.values)) > 0.9


def test_a_fit_to_a_hundred_inputs_takes_less_than_a_second() -> None:
    """Of processor time: the machine may be busy. One more objective costs such a fit."""
    data = bands(100)
    ExtraTreesClassifier().fit(bands(20))  # imports
    start = time.process_time()
    ExtraTreesClassifier().fit_and_judge(data)
    assert time.process_time() - start < 1.0


def test_one_variant_always_where_the_trees_are_worse() -> None:
    rng = np.random.default_rng(0)
    costs = np.where(rng.random((40, 2)) < 0.5, 1.0, 1.2)
    costs[:, 0] *= 0.95
    fit = ExtraTreesClassifier().fit_and_judge(data_of(rng.random((40, 1)), costs))
    assert isinstance(fit.chosen.recipe, Constant)


def test_recipes_of_an_earlier_fit_are_kept() -> None:
    data = bands(40)
    first = ForestClassifier().fit_and_judge(data)
    other = ForestClassifier().fit_and_judge(data.only(data.variants[::-1]), first)
    assert [one.recipe for one in other.compared] == [one.recipe for one in first.compared]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TrainingWarning)
        constant = ForestClassifier().fit_and_judge(data_of(data.values, data.costs[:, :1]))
    again = ForestClassifier().fit_and_judge(data, constant)  # of one variant nothing was found
    assert again.model.classifier == first.model.classifier
