"""One point for all inputs, where no model is surely better."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from noisy_program import SPACES
from quick_classifier import QuickClassifier

from fettle.core.native import native
from fettle.data.training_set import TrainingSet
from fettle.model.model import Model
from fettle.model.model_directory import named_in, read_model, write_model
from fettle.parameters.fixed_point import (
    always_one,
    best_of,
    best_point,
    fixed_by_folds,
    gain_of,
    surely_better,
)
from fettle.training.judged_points import choose_points
from fettle.training.trainer import Judged, Trainer

CLASSES = (
    "plain",
    "tiled tile=64 unroll=1",
    "packed rows=4 columns=32",
    "packed rows=8 columns=8",
)


def table(costs: np.ndarray) -> TrainingSet:
    count = len(costs)
    return TrainingSet(
        function="f",
        features=("n", "m"),
        variants=CLASSES,
        inputs=tuple(map(str, range(count))),
        values=np.column_stack([np.arange(1.0, count + 1), np.ones(count)]),
        costs=costs,
        feature_seconds=np.zeros(2),
        default="plain",
    )


def judged(shares: list[float]) -> Judged:
    """Choices of the third class with these shares of best."""
    costs = np.ones((len(shares), len(CLASSES)))
    costs[:, 2] = 1 / np.array(shares)
    return Judged(table(costs), np.full(len(shares), 2), np.zeros(len(shares)))


@pytest.fixture
def refined() -> Model:
    """A model of two levels that chooses by n."""
    costs = np.tile([3.0, 2.0, 1.5, 1.0], (12, 1))
    costs[:5] = [1.0, 2.0, 3.0, 4.0]
    data = table(costs)
    upper = replace(data, variants=("plain", "tiled", "packed"), costs=costs[:, :3], default=None)
    below = data.only(CLASSES[2:])
    classifier = QuickClassifier()
    return replace(
        classifier.fit(upper),
        parameters={name: space.values for name, space in SPACES.items()},
        refinements={"packed": classifier.fit(below)},
    )


def test_a_model_has_to_be_ahead_by_more_than_chance() -> None:
    fixed = judged([0.9] * 10)
    assert surely_better(judged([0.95] * 10), fixed, 0)
    assert not surely_better(fixed, fixed, 0)
    assert not surely_better(judged([0.85] * 10), fixed, 0)
    assert not surely_better(judged([0.905] * 10), fixed, 0), "by less than is worth it"
    assert not surely_better(judged([1.0] * 2 + [0.89] * 8), fixed, 0), "better by two inputs only"


def test_of_few_inputs_chance_is_larger() -> None:
    shares, fixed = [1.0, 0.96, 0.91], [0.9, 0.9, 0.9]
    assert surely_better(judged(shares * 4), judged(fixed * 4), 0)
    assert not surely_better(judged(shares), judged(fixed), 0)


def test_an_input_counts_for_those_that_it_stands_for() -> None:
    model, default = judged([1.0, 1.0, 1.0, 0.5]), judged([0.8] * 4)
    crowd = np.array([0.02, 0.02, 0.02, 0.94])
    assert gain_of(model, default, 0)[0] == pytest.approx(0.075)
    assert gain_of(model, default, 0, crowd)[0] < -0.2
    costs = np.tile([3.0, 2.0, 1.5, 1.0], (4, 1))
    costs[3] = [1.0, 2.0, 3.0, 4.0]
    assert best_point(table(costs)) == CLASSES[3]
    assert best_point(table(costs), crowd) == CLASSES[0]


def test_the_best_is_ahead_of_what_is_simpler() -> None:
    model = QuickClassifier().fit(table(np.tile([3.0, 2.0, 1.5, 1.0], (8, 1))))
    others = [replace(model, provenance={"place": str(place)}) for place in range(3)]
    shares = ([0.9] * 8, [0.905] * 8, [0.95] * 8)
    candidates = [(one, judged(its)) for one, its in zip(others, shares, strict=True)]
    assert best_of(candidates, 0)[0] is others[2]
    assert best_of(candidates[:2], 0)[0] is others[0]


def test_the_fixed_point_is_that_of_other_inputs() -> None:
    costs = np.tile([3.0, 2.0, 1.5, 1.0], (10, 1))
    costs[0] = [1.0, 2.0, 3.0, 4.0]
    found = fixed_by_folds(table(costs), seed=1)
    assert found is not None
    assert found.chosen.tolist() == [3] * 10
    assert fixed_by_folds(table(costs[:1]), seed=1) is None


@pytest.mark.parametrize("best", CLASSES)
def test_the_point_is_chosen_for_every_input(refined: Model, best: str) -> None:
    costs = np.full((8, 4), 2.0)
    costs[:, CLASSES.index(best)] = 1.0
    model = always_one(refined, best_point(table(costs)), SPACES)
    assert model.provenance["parameters"] == f"{best} always"
    values = np.array([[1.0, 1.0], [9.0, 1.0], [1e6, 1.0]])
    assert choose_points(Trainer(QuickClassifier()), model, values, SPACES) == [best] * 3
    assert not any(one.inputs for one in (model, *model.refinements.values()))


def test_it_is_written_and_read_as_any_other(refined: Model, tmp_path: Path) -> None:
    costs = np.tile([3.0, 2.0, 1.5, 1.0], (8, 1))
    model = always_one(refined, best_point(table(costs)), SPACES)
    write_model(tmp_path, model)
    assert read_model(tmp_path) == model
    [folder] = named_in(tmp_path, "refine")
    below = native().Model(tmp_path / folder)
    assert below.select_many(np.array([[5.0, 1.0]]))[0] == [1]


def test_of_one_level_the_class_is_chosen(refined: Model) -> None:
    costs = np.tile([3.0, 2.0, 1.5, 1.0], (8, 1))
    flat = QuickClassifier().fit(table(costs))
    model = always_one(flat, best_point(table(costs)), SPACES)
    assert Trainer(QuickClassifier()).choose(model, np.array([[5.0, 1.0]])).tolist() == [3]
