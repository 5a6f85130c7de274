"""Models without the variants that they never choose: they choose the same everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from model_samples import SVM

from fettle.core.native import native
from fettle.model.model import Model, ModelInput
from fettle.model.model_directory import write_model
from fettle.model.predictor import Predictor
from fettle.model.reachable_variants import without_unreachable
from fettle.model.svm import SvmPredictor
from fettle.model.trees import Tree, TreePredictor

VARIANTS = ("csr", "dia", "ell", "coo", "hyb")
# Classes are the variants 4, 0 and 2, in this order.
MACHINE = SvmPredictor(SVM.text.replace("label 2 0 1", "label 4 0 2"))


def tree_of(*leaves: Sequence[float]) -> Tree:
    """Splits the first input at 0, 1, 2, ...: a leaf for each interval."""
    splits = len(leaves) - 1
    own = [place for k in range(splits) for place in (k, -1)] + [-1]
    feature = tuple(0 if place >= 0 else -1 for place in own)
    threshold = tuple(float(max(place, 0)) for place in own)
    left = tuple(k + 1 if place >= 0 else -1 for k, place in enumerate(own))
    right = tuple(k + 2 if place >= 0 else -1 for k, place in enumerate(own))
    waiting = [tuple(leaf) for leaf in leaves]
    cost = tuple(() if place >= 0 else waiting.pop(0) for place in own)
    return Tree(feature, threshold, left, right, cost)


def model_of(predictor: Predictor, default: str = "csr") -> Model:
    return Model(
        function="spmv",
        variants=VARIANTS,
        features=("nnz", "rows"),
        inputs=(
            ModelInput("linear", "nnz", None, -2.0, 5.0),
            ModelInput("linear", "rows", None, -2.0, 5.0),
        ),
        predictor=predictor,
        default=default,
        guard=0.5,
        provenance={"tool": "fettle"},
    )


CHEAP_DIA = (2.0, 1.0, 3.0, 4.0, 5.0)
CHEAP_HYB = (2.0, 9.0, 3.0, 4.0, 1.0)
TIED = (7.0, 9.0, 3.0, 3.0, 8.0)  # the first of equals is chosen: ell
MODELS = {
    "tree": (model_of(TreePredictor((tree_of(CHEAP_HYB, TIED),))), ("csr", "ell", "hyb")),
    "another default": (
        model_of(TreePredictor((tree_of(CHEAP_HYB, CHEAP_DIA),)), "coo"),
        ("dia", "coo", "hyb"),
    ),
    "machine": (model_of(MACHINE), ("csr", "ell", "hyb")),
    "machine, another default": (model_of(MACHINE, "dia"), ("csr", "dia", "ell", "hyb")),
    "forest": (model_of(TreePredictor((tree_of(CHEAP_HYB), tree_of(CHEAP_DIA, TIED)))), VARIANTS),
    "one leaf": (model_of(TreePredictor((tree_of(CHEAP_DIA),))), ("csr", "dia")),
    "all": (
        model_of(TreePredictor((tree_of(*(1 - np.eye(5)).tolist()),))),
        VARIANTS,
    ),
}


def choices(model: Model, folder: Path) -> list[str]:
    """What a program chooses within the region of training and beyond."""
    write_model(folder, model)
    values = np.array([(x, y) for x in np.arange(-4, 8, 0.25) for y in np.arange(-4, 8, 0.5)])
    chosen, _ = native().Model(str(folder)).select_many(values)
    return [model.variants[place] for place in chosen]


@pytest.mark.parametrize("name", MODELS)
def test_the_choices_stay(name: str, tmp_path: Path) -> None:
    model, expected = MODELS[name]
    small = without_unreachable(model)
    assert small.variants == expected
    assert without_unreachable(small) == small
    assert (small.default, small.guard, small.features) == (model.default, 0.5, model.features)
    before = choices(model, tmp_path / "before")
    assert set(before) <= set(expected)
    assert choices(small, tmp_path / "after") == before


def test_a_model_that_chooses_all_is_left_alone() -> None:
    model, _ = MODELS["all"]
    assert without_unreachable(model) is model


def test_the_default_alone_asks_nothing_of_the_input(tmp_path: Path) -> None:
    best = (0.0, 1.0, 2.0, 3.0, 4.0)
    small = without_unreachable(model_of(TreePredictor((tree_of(best, best),))))
    assert (small.variants, small.inputs) == (("csr",), ())
    assert set(choices(small, tmp_path)) == {"csr"}


def test_what_is_known_of_variants_goes_with_them() -> None:
    tiles = {"tile": (8, 16)}
    model = model_of(TreePredictor((tree_of(CHEAP_DIA),)))
    of_points = replace(model, variants=("tile=8", "tile=16"), default="tile=8")
    points = replace(of_points, predictor=TreePredictor((tree_of((0.0, 1.0)),)))
    model = replace(
        model,
        parameters={"dia": tiles, "hyb": tiles},
        refinements={"dia": points, "hyb": points},
    )
    small = without_unreachable(model)
    assert small.parameters == {"dia": tiles}
    assert small.refinements == {"dia": points}
