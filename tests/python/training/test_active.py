"""Incremental tuning: which inputs it asks for, and when it stops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from fettle.classifiers import ForestClassifier, SvmClassifier, TreeClassifier
from fettle.classifiers.base import Classifier
from fettle.core.errors import FettleError
from fettle.data.training_set import TrainingSet
from fettle.training.a_optimality import PENALTY, least_variance
from fettle.training.active import DEFAULT_ITERATIONS, Goal, Learner
from fettle.training.margin import margins
from fettle.training.program import Input
from fettle.training.standing import inputs_nearest, weights_of
from fettle.training.trainer import Trainer

ALL = [SvmClassifier(), TreeClassifier(), ForestClassifier()]


def landscape(count: int, seed: int = 0) -> TrainingSet:
    """Three variants, each the best in a third of the plane."""
    values = np.random.default_rng(seed).uniform(0.0, 3.0, (count, 2))
    best = values[:, 0].astype(int)
    costs = 1.0 + np.abs(best[:, None] - np.arange(3)[None, :])
    names = tuple(f"i{row}" for row in range(count))
    return TrainingSet("f", ("x", "y"), ("a", "b", "c"), names, values, costs, np.zeros(2), "a")


class Lab:
    """Measures inputs of a landscape, notes the order."""

    def __init__(
        self, data: TrainingSet, broken: Sequence[str] = (), known: Sequence[str] = ()
    ) -> None:
        self.data = data
        self.broken = broken
        self.known = known
        self.measured: list[str] = []

    def measure(self, inputs: Sequence[Input]) -> list[Input]:
        self.measured += [given.name for given in inputs]
        return [given for given in inputs if given.name not in self.broken]

    def table(self, inputs: Sequence[Input]) -> TrainingSet:
        return self.data.rows([self.data.inputs.index(given.name) for given in inputs])

    def learner(self, trainer: Trainer, test: TrainingSet) -> Learner:
        return Learner(
            inputs=[Input(name, ()) for name in self.data.inputs],
            points=list(self.data.values[:, None, :]),
            measured=[Input(name, ()) for name in self.known],
            measure=self.measure,
            table=self.table,
            trainer=trainer,
            judge=lambda learned: trainer.judge(learned.model, test).score(),
            tell=lambda _: None,
        )


def test_the_initial_set_has_each_variant_win_once() -> None:
    lab = Lab(landscape(60))
    lab.learner(Trainer(TreeClassifier()), landscape(50, seed=1)).learn(Goal(0, None))
    first = lab.table([Input(name, ()) for name in lab.measured])
    assert set(first.costs.argmin(axis=1)) == {0, 1, 2}
    assert len(lab.measured) <= 6


def rare_winner(count: int) -> TrainingSet:
    """A landscape whose variant c wins on one input alone, amid the others."""
    data = landscape(count)
    costs = data.costs.copy()
    costs[:, 2] = 9.0
    nearest = int(np.abs(data.values - [0.5, 1.5]).sum(axis=1).argsort()[3])
    costs[nearest, 2] = 0.5
    return replace(data, costs=costs)


def test_on_demand_the_initial_set_has_every_label() -> None:
    lab = Lab(rare_winner(60))
    learner = lab.learner(Trainer(TreeClassifier()), landscape(50, seed=1))
    learner.learn(Goal(0, None))
    assert len(lab.measured) == 6
    first = lab.table([Input(name, ()) for name in lab.measured])
    assert set(first.costs.argmin(axis=1)) == {0, 1}
    demanding = Lab(rare_winner(60))
    learner = demanding.learner(Trainer(TreeClassifier()), landscape(50, seed=1))
    learner.learn(Goal(0, None, every_label=True))
    first = demanding.table([Input(name, ()) for name in demanding.measured])
    assert set(first.costs.argmin(axis=1)) == {0, 1, 2}
    assert 6 < len(demanding.measured) <= 60


def test_a_label_that_no_input_has_is_told() -> None:
    data = landscape(20)
    costs = data.costs.copy()
    costs[:, 2] = 9.0
    lab = Lab(replace(data, costs=costs))
    learner = lab.learner(Trainer(TreeClassifier()), landscape(50, seed=1))
    told: list[str] = []
    learner.tell = told.append
    learner.learn(Goal(0, None, every_label=True))
    assert sorted(lab.measured) == sorted(data.inputs)
    assert told[0] == "of all inputs none has the label 'c'"


def test_least_variance_learns_from_few_inputs_and_asks_for_others_than_the_margin() -> None:
    test = landscape(100, seed=1)
    asked = {}
    for query in ("margin", "variance"):
        lab = Lab(landscape(40))
        learner = lab.learner(Trainer(TreeClassifier()), test)
        learner.learn(Goal(6, None, query=query))  # type: ignore[arg-type]
        assert learner.steps[-1].share_of_best > 0.8
        asked[query] = lab.measured
    assert asked["margin"] != asked["variance"]


def test_least_variance_is_what_the_definition_says() -> None:
    rng = np.random.default_rng(3)
    known, pool = rng.uniform(size=(12, 2)), rng.uniform(size=(9, 2))
    labels = (known[:, 0] > 0.5).astype(np.intp)

    def variance(extra: Sequence[int]) -> float:
        # The delta method by numerical derivatives, two classes: p = 1 / (1 + exp(-w x)).
        fitted = LogisticRegression(C=1 / PENALTY, max_iter=1000).fit(known, labels)
        weights = np.append(fitted.coef_[0], fitted.intercept_[0])
        with_one = np.hstack([np.vstack([known, pool[list(extra)]]), np.ones((12 + len(extra), 1))])
        others = np.hstack([pool, np.ones((len(pool), 1))])
        # Both classes' weights are free: their difference is twice as uncertain.
        p = 1 / (1 + np.exp(-with_one @ weights))
        information = (with_one * (p * (1 - p))[:, None]).T @ with_one * 2 + PENALTY * np.eye(3)
        q = 1 / (1 + np.exp(-others @ weights))
        gradients = others * (q * (1 - q))[:, None]
        return float(np.trace(gradients @ np.linalg.inv(information) @ gradients.T))

    best = least_variance(known, labels, pool)
    assert variance([best]) == pytest.approx(min(variance([i]) for i in range(len(pool))))
    assert variance([best]) < variance([])


def test_a_number_of_iterations() -> None:
    lab = Lab(landscape(60))
    learner = lab.learner(Trainer(TreeClassifier()), landscape(50, seed=1))
    learner.learn(Goal(7, None))
    assert len(learner.steps) == 8
    assert learner.steps[-1].inputs == learner.steps[0].inputs + 7
    assert learner.steps[-1].added == (lab.measured[-1],)


def test_few_inputs_are_as_good_as_all() -> None:
    everything, test = landscape(60), landscape(100, seed=1)
    trainer = Trainer(TreeClassifier())
    of_all = trainer.judge(trainer.fit(everything), test).share_of_best()
    lab = Lab(everything)
    learner = lab.learner(trainer, test)
    learner.learn(Goal(None, of_all - 0.03))
    assert learner.steps[-1].share_of_best >= of_all - 0.03
    assert len(lab.measured) <= 30


def test_it_ends_when_there_are_no_more_inputs() -> None:
    lab = Lab(landscape(8))
    lab.learner(Trainer(TreeClassifier()), landscape(20, seed=1)).learn(Goal(100, None))
    assert sorted(lab.measured) == sorted(lab.data.inputs)


def test_inputs_that_are_measured_already_are_learned_from_at_once() -> None:
    data = landscape(60)
    lab = Lab(data, known=data.inputs[:20])
    learner = lab.learner(Trainer(TreeClassifier()), landscape(20, seed=1))
    learner.learn(Goal(2, None))
    assert learner.steps[0].inputs == 20
    assert learner.steps[-1].inputs == 22


def test_inputs_that_cannot_be_measured_are_passed_over() -> None:
    data = landscape(30)
    lab = Lab(data, broken=data.inputs[:10])
    learner = lab.learner(Trainer(TreeClassifier()), landscape(20, seed=1))
    learner.learn(Goal(10, None))
    assert all(given.name not in lab.broken for given in learner.labelled)
    assert len(set(lab.measured)) == len(lab.measured)


def test_a_support_vector_machine_learns_from_few() -> None:
    lab = Lab(landscape(40))
    trainer = Trainer(SvmClassifier())
    learner = lab.learner(trainer, landscape(50, seed=1))
    learner.learn(Goal(6, None))
    assert learner.steps[-1].share_of_best > 0.8
    assert len(lab.measured) <= 12


def test_inputs_that_come_too_late_end_it() -> None:
    """As after a time budget: nothing more can be measured."""
    lab = Lab(landscape(60))
    learner = lab.learner(Trainer(TreeClassifier()), landscape(20, seed=1))
    measure = learner.measure
    learner.measure = lambda inputs: measure(inputs) if len(lab.measured) < 10 else []
    learner.learn(Goal(None, 1.0))
    assert len(learner.labelled) == 10


@pytest.mark.parametrize("classifier", ALL, ids=["svm", "tree", "forest"])
def test_the_margin_is_small_where_the_choice_changes(classifier: Classifier) -> None:
    model = Trainer(classifier).fit(landscape(60))
    heights = np.linspace(0.2, 2.8, 30)
    near, far = (
        margins(model, np.column_stack([np.full(30, x), heights])).mean() for x in (1.0, 0.4)
    )
    assert 0.0 <= near <= far
    assert far > 0.0


def test_a_measured_input_stands_for_those_nearest_to_it() -> None:
    data = landscape(60)
    lab = Lab(data)
    learner = lab.learner(Trainer(TreeClassifier()), landscape(20, seed=1))
    learner.learn(Goal(0, None))
    standing = learner.standing()
    assert set(standing) == set(lab.measured)
    assert sum(standing.values()) == len(data)
    weights = weights_of(lab.table(learner.labelled), standing)
    assert weights is not None
    assert weights.sum() == pytest.approx(1.0)
    crowd = [np.array([[x]]) for x in (0.0, 0.01, 0.02, 0.03, 1.0)]
    assert inputs_nearest(crowd, [1, 4]) == [4, 1]


def test_goals() -> None:
    assert Goal.of(None, None) == Goal(DEFAULT_ITERATIONS, None)
    assert Goal.of(3, None) == Goal(3, None)
    assert Goal.of(None, 0.95) == Goal(None, 0.95)
    with pytest.raises(FettleError, match="iterations must be a whole number from 0 on, not -1"):
        Goal.of(-1, None)
