"""A model that must not choose certain variants: neither it nor what refines it can."""

from __future__ import annotations

from dataclasses import replace

import pytest
from model_samples import SVM

from fettle.classifiers.constant import Constant
from fettle.model.model import Model
from fettle.model.model_text import ModelError
from fettle.model.never_chosen import never_choosing
from fettle.model.predictor import Predictor
from fettle.model.trees import NEVER, Tree, TreePredictor

LEAF = Constant(0, (0.1, 0.2, 0.3)).predictor


def model_of(predictor: Predictor, *variants: str) -> Model:
    return Model("f", variants or ("a", "b", "c"), ("n",), (), predictor, "a", None, {})


def test_a_tree_gives_them_a_cost_beyond_all_others() -> None:
    split = Tree((0, -1, -1), (1.0, 0.0, 0.0), (1, -1, -1), (2, -1, -1), ((), (1, 2, 3), (3, 2, 1)))
    found = never_choosing(model_of(TreePredictor((split, split))), {"c"}).predictor
    assert isinstance(found, TreePredictor)
    assert {tree.cost for tree in found.trees} == {((), (1, 2, NEVER), (3, 2, NEVER))}


def test_a_machine_must_have_no_class_for_them() -> None:
    machine = model_of(SVM, "a", "b", "c", "d")  # its classes are a, b and c
    assert never_choosing(machine, {"d"}).predictor == SVM
    with pytest.raises(
        ModelError, match="the model of the classifier svm chooses 'b', which failed"
    ):
        never_choosing(machine, {"b", "d"})


def test_points_below_are_never_chosen_and_their_variant_may_be() -> None:
    below = model_of(LEAF, "b x=1", "b x=2", "b x=4")
    whole = replace(model_of(LEAF), refinements={"b": below})
    found = never_choosing(whole, {"b", "b x=1"})  # the variant alone is the point x=1
    assert found.predictor == LEAF
    predictor = found.refinements["b"].predictor
    assert isinstance(predictor, TreePredictor)
    assert predictor.trees[0].cost == ((NEVER, 0.2, 0.3),)
    assert never_choosing(replace(whole, refinements={}), {"b"}).predictor != LEAF
