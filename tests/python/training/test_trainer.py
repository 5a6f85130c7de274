"""Trains and judges models: what a judgement charges, and what folds and features do to it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from quick_classifier import QuickClassifier

from fettle.classifiers import TreeClassifier
from fettle.classifiers.judging import folds_of
from fettle.data.training_set import TrainingSet
from fettle.model.model import ModelInput
from fettle.training.trainer import Judged, Trainer, columns, used_features


def split(count: int = 12, **more: object) -> TrainingSet:
    """The variant a is the best one for n below the middle, b above; m says nothing."""
    sizes = np.arange(float(count))
    values = np.column_stack([np.zeros(count), sizes])
    low = sizes < count / 2
    costs = np.column_stack([np.where(low, 1.0, 4.0), np.where(low, 4.0, 1.0)])
    names = tuple(f"i{k}" for k in range(count))
    made = TrainingSet(
        "f", ("m", "n"), ("a", "b"), names, values, costs, np.array([5.0, 0.25]), default="a"
    )
    return replace(made, **more)  # type: ignore[arg-type]


def test_shares_charge_the_features_to_the_calls_that_share_a_selection() -> None:
    judged = Judged(split(2), np.array([0, 0]), np.array([1.0, 1.0]))
    assert judged.shares().tolist() == [1.0, 0.25]
    assert judged.shares(calls=1).tolist() == [0.5, 0.2]
    assert judged.shares(calls=10)[0] == pytest.approx(1 / 1.1)
    assert judged.share_of_best() == 0.625
    score = judged.score()
    assert (score.mean, score.worst, score.accuracy) == (0.625, 0.25, 0.5)


def test_what_the_calls_cost_takes_the_place_of_the_chosen_variants_costs() -> None:
    plain = Judged(split(2), np.array([0, 1]), np.zeros(2))
    assert plain.charged() is plain.data
    charged = replace(plain, costs=np.array([2.0, 1.0]))
    assert charged.charged().costs.tolist() == [[2.0, 4.0], [4.0, 1.0]]
    assert charged.shares().tolist() == [0.5, 1.0]
    assert plain.data.costs[0, 0] == 1.0, "the data stay as they are"


def test_choices_are_judged_against_more_variants_and_inputs() -> None:
    whole = replace(
        split(3),
        variants=("c", "b", "a"),
        costs=np.array([[0.5, 4.0, 1.0], [0.5, 4.0, 1.0], [9.0, 1.0, 4.0]]),
    )
    few = split(3).rows([2, 0])
    against = Judged(few, np.array([1, 0]), np.zeros(2)).against(whole)
    assert against.data.inputs == ("i2", "i0")
    assert against.chosen.tolist() == [1, 2]
    assert against.shares().tolist() == [1.0, 0.5]
    same = Judged(few, np.array([1, 0]), np.zeros(2))
    assert same.against(split(3)) is same


def test_a_model_of_some_features_is_for_a_program_with_all() -> None:
    data = split()
    model = Trainer(QuickClassifier()).fit(data, ("n",))
    assert model.features == ("m", "n")
    assert used_features(model) == {"n"}
    assert Trainer(QuickClassifier()).choose(model, data.values).tolist() == [0] * 6 + [1] * 6
    assert columns(data, ("n",)).feature_seconds.tolist() == [0.25]
    assert columns(data, ("n", "m")).values[3].tolist() == [3.0, 0.0]


def test_the_features_used_are_those_of_divisors_and_refinements_too() -> None:
    model = Trainer(QuickClassifier()).fit(split(), ("n",))
    below = replace(model, inputs=(ModelInput("ratio", "n", "m", 0.0, 1.0),))
    assert used_features(below) == {"n", "m"}
    assert used_features(replace(model, inputs=(), refinements={"a": below})) == {"n", "m"}


def test_outside_the_region_the_default_runs_if_guarded() -> None:
    model = replace(Trainer(QuickClassifier()).fit(split()), guard=0.25)
    beyond = np.array([[0.0, 1e6]])
    assert Trainer(QuickClassifier()).choose(model, beyond).tolist() == [0]
    assert Trainer(QuickClassifier(), guarded=False).choose(model, beyond).tolist() == [1]


def test_each_input_is_judged_by_a_model_that_has_not_seen_it() -> None:
    data = split()
    trainer = Trainer(QuickClassifier())
    judged = trainer.cross_validate(data)
    assert judged is not None
    rows = np.concatenate([fold for fold, _ in judged.folds])
    assert sorted(rows.tolist()) == list(range(12))
    for fold, model in judged.folds:
        seen = data.rows([row for row in range(12) if row not in fold])
        assert model == trainer.fit(seen)
        assert judged.chosen[fold].tolist() == trainer.choose(model, data.values[fold]).tolist()
    of_the_search = [fold.tolist() for fold in folds_of(data, trainer.seed)]
    assert [fold.tolist() for fold, _ in judged.folds] != of_the_search
    assert trainer.cross_validate(split(2)) is None


def test_a_classifier_without_a_search_is_scored_by_folds() -> None:
    learned = Trainer(QuickClassifier()).learn(split())
    assert learned.fit is None
    assert learned.score is not None
    assert learned.net < learned.score.mean, "the features' time is charged"
    free = Trainer(QuickClassifier()).learn(split(cost_seconds=None))
    assert free.score is not None
    assert free.net == free.score.mean, "costs that are not seconds have no such time"
    few = Trainer(QuickClassifier()).learn(split(2))
    assert (few.score, few.net) == (None, 0.0)


def test_lost_runs_are_charged_where_the_next_best_variant_runs() -> None:
    data = split(4, lost_seconds=np.zeros((4, 2)))
    trainer = Trainer(TreeClassifier())
    model = Trainer(QuickClassifier()).fit(data)
    assert trainer.judge(model, data).costs is not None
    assert trainer.judge(model, split(4)).costs is None
    lost = np.array([[0.5, 0.0], *[[0.0, 0.0]] * 3])
    judged = trainer.judge(model, replace(data, lost_seconds=lost))
    assert judged.costs is not None
    assert judged.costs.tolist() == [4.5, 1.0, 1.0, 1.0], "a's run was lost, and b ran next"
