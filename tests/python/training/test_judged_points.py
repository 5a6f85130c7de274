"""What a model with parameters chooses by name: points, and default points beyond the region."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from quick_classifier import QuickClassifier

from fettle.data.training_set import TrainingSet
from fettle.model.model_directory import read_model
from fettle.search.variant_space import VariantSpace
from fettle.training.judged_points import choose_points, judge_points
from fettle.training.trainer import Trainer

# Takes plain up to n = 10, then tiled: LOW up to m = 20 and HIGH above. Trained on n from 0 to 100.
MODEL = read_model(Path(__file__).resolve().parents[2] / "model/golden/refined/mm")
LOW, HIGH = "tiled tile=16 unroll=4", "tiled tile=64 unroll=2"
SPACES = {
    "tiled": VariantSpace(
        "tiled", {"tile": (16, 32, 64), "unroll": (1, 2, 4)}, {"tile": 32, "unroll": 1}
    )
}
INSIDE = np.array([[5.0, 10.0], [50.0, 10.0], [50.0, 30.0]])
TRAINER = Trainer(QuickClassifier())


def data(*variants: str) -> TrainingSet:
    costs = np.ones((3, len(variants)))
    names = ("x", "y", "z")
    return TrainingSet("mm", ("n", "m"), variants, names, INSIDE, costs, np.array([1.0, 2.0]))


def test_points_are_chosen_by_name() -> None:
    assert choose_points(TRAINER, MODEL, INSIDE, SPACES) == ["plain", LOW, HIGH]


def test_beyond_the_region_the_guard_decides() -> None:
    beyond = np.array([[1000.0, 30.0]])
    assert choose_points(TRAINER, MODEL, beyond, SPACES) == ["plain"]
    unguarded = Trainer(QuickClassifier(), guarded=False)
    assert choose_points(unguarded, MODEL, beyond, SPACES) == [HIGH]


def test_a_default_with_parameters_stands_for_its_default_point() -> None:
    tiled = replace(MODEL, default="tiled")
    chosen = choose_points(TRAINER, tiled, np.array([[1000.0, 30.0]]), SPACES)
    assert chosen == ["tiled tile=32 unroll=1"]


def test_judged_are_the_points_with_the_time_of_the_features_used() -> None:
    judged = judge_points(TRAINER, MODEL, data("plain", HIGH, LOW), SPACES)
    assert judged.chosen.tolist() == [0, 2, 1]
    assert judged.feature_seconds.tolist() == [3.0, 3.0, 3.0]
    with pytest.raises(ValueError, match="not in"):
        judge_points(TRAINER, MODEL, data("plain", LOW), SPACES)
