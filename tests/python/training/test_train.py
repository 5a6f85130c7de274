"""From a training set to a judged model: by what it is judged, and what the user is told."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from quick_classifier import QuickClassifier

from fettle.data.training_set import TrainingSet, TrainingWarning
from fettle.model.model import Model
from fettle.training.train import Trained, select_features_of, train
from fettle.training.trainer import Trainer


def split(count: int, **more: Any) -> TrainingSet:
    """The variant a is the best one for n below the middle, b above."""
    sizes = np.arange(float(count))
    low = sizes < count / 2
    costs = np.column_stack([np.where(low, 1.0, 4.0), np.where(low, 4.0, 1.0)])
    names = tuple(f"i{k}" for k in range(count))
    values = np.column_stack([sizes, np.ones(count)])
    made = TrainingSet("f", ("n", "m"), ("a", "b"), names, values, costs, np.zeros(2), "a")
    return replace(made, **more)


class Doubtful(QuickClassifier):
    """Warns of its data, as the project's own classifiers do."""

    def fit(self, data: TrainingSet) -> Model:
        warnings.warn("two inputs contradict", TrainingWarning, stacklevel=2)
        return super().fit(data)


class Run:
    """Trains, and keeps what is said."""

    def __init__(
        self,
        data: TrainingSet,
        test: TrainingSet | None = None,
        *,
        classifier: Any = None,
        select: bool = False,
    ) -> None:
        self.said: list[str] = []
        self.warned: list[str] = []
        self.trained: Trained = train(
            Trainer(classifier or QuickClassifier()),
            data,
            test,
            feature_selection=select,
            say=self.said.append,
            warn=self.warned.append,
        )


def test_test_inputs_judge_where_there_are_any() -> None:
    data, test = split(12), split(30)
    trained = Run(data, test).trained
    assert trained.evaluation is not None
    assert trained.evaluation.how == "held-out"
    assert len(trained.evaluation.data) == 30
    for none in (None, test.rows([])):
        judged = Run(data, none).trained.evaluation
        assert judged is not None
        assert (judged.how, len(judged.data)) == ("cross-validated", 12)


def test_too_few_inputs_are_no_judgement() -> None:
    run = Run(split(2))
    assert (run.trained.evaluation, run.trained.judged) == (None, None)
    assert run.warned == ["2 inputs are too few to judge the model"]
    assert run.said == ["training on 2 inputs"]


def test_a_classifier_s_warnings_go_to_the_user() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = Run(split(12), classifier=Doubtful())
    assert set(run.warned) == {"two inputs contradict"}


def test_features_are_selected_on_request() -> None:
    data = split(12)
    assert Run(data).trained.curve is None
    run = Run(data, select=True)
    assert run.trained.curve is not None
    assert run.trained.curve.kept == ("n",)
    assert run.trained.model.features == ("n", "m"), "the program hands over all"


@pytest.mark.parametrize(
    ("data", "warned"),
    [
        (split(4), "at least 6 inputs; all features are kept"),
        (split(12, cost_seconds=None), "does not charge the features' time"),
    ],
)
def test_what_feature_selection_cannot_do_is_told(data: TrainingSet, warned: str) -> None:
    told: list[str] = []
    curve = select_features_of(Trainer(QuickClassifier()), data, told.append, told.append)
    assert any(warned in line for line in told)
    assert (curve is None) == (len(data) < 6)
