from __future__ import annotations

import numpy as np
import pytest
from made_up import bands, data_of

from fettle.classifiers import AutoClassifier, Fit, SvmClassifier
from fettle.classifiers.judging import folds_of
from fettle.classifiers.selection_cost import selection_seconds
from fettle.data.training_set import TrainingSet
from fettle.model.model import ModelInput
from fettle.model.svm import SvmPredictor
from fettle.model.trees import Tree, TreePredictor

ONE_SPLIT = Tree((0, -1, -1), (0.5, 0.0, 0.0), (1, -1, -1), (2, -1, -1), ((), (0.0,), (1.0,)))


def staircase(unit: float) -> TrainingSet:
    """Two variants take turns along curved borders, which is hard for a tree; costs in `unit`."""
    rng = np.random.default_rng(2)
    values = rng.uniform(0, 10, (110, 2))
    wave = np.sin(values[:, 0]) * np.cos(values[:, 1])
    costs = np.column_stack([1 + np.maximum(wave, 0), 1 + np.maximum(-wave, 0)])
    return data_of(values, costs * unit)


@pytest.fixture(scope="module")
def long_runs() -> Fit:
    return AutoClassifier().fit_and_judge(staircase(1.0))


def test_takes_the_best_net_share(long_runs: Fit) -> None:
    assert {judged.classifier for judged in long_runs.compared} == {"tree", "svm", "forest"}
    assert long_runs.chosen.net == max(judged.net for judged in long_runs.compared)


def test_a_selection_must_be_worth_its_time(long_runs: Fit) -> None:
    assert long_runs.chosen.classifier != "tree"
    tiny = AutoClassifier(calls=1).fit_and_judge(staircase(2.0**-22))
    assert tiny.chosen.classifier == "tree"
    before = {judged.classifier: judged for judged in long_runs.compared}
    for after in tiny.compared:
        assert before[after.classifier].score == after.score  # as good, only not worth it
        assert after.net < before[after.classifier].net


def test_what_cannot_be_worth_its_time_is_not_searched() -> None:
    tiny = staircase(2.0**-22)
    compared = AutoClassifier(calls=1).fit_and_judge(tiny).compared
    assert [judged.classifier for judged in compared] == ["tree"]
    assert SvmClassifier(calls=1).most(tiny) < compared[0].net < SvmClassifier(calls=99).most(tiny)
    assert SvmClassifier(calls=1).most(staircase(1.0)) == pytest.approx(1.0, abs=1e-5)


def test_features_are_charged() -> None:
    data = staircase(1e-3)
    dear = data_of(data.values, data.costs, feature_seconds=np.array([1e-3, 0.0]))
    entry = ModelInput("linear", "x", None, 0.0, 1.0)
    predictor = TreePredictor((ONE_SPLIT,))
    assert selection_seconds([entry], predictor, dear) == pytest.approx(
        1e-3 + selection_seconds([entry], predictor, data)
    )


def test_larger_predictors_cost_more() -> None:
    svm = SvmPredictor("svm_type c_svc\ntotal_sv 100\nSV\n")
    tree, forest = TreePredictor((ONE_SPLIT,)), TreePredictor((ONE_SPLIT,) * 400)
    assert tree.seconds() < svm.seconds() < forest.seconds()


def test_costs_that_are_no_times_are_not_charged() -> None:
    data = staircase(2.0**-22)
    watts = data_of(data.values, data.costs, cost_seconds=None)
    (judged,) = SvmClassifier(calls=1).fit_and_judge(watts).compared
    assert judged.score is not None
    assert judged.net == pytest.approx(judged.score.mean)


def test_provenance_says_what_was_trained_and_how_good_it_is(long_runs: Fit) -> None:
    facts, score = long_runs.model.provenance, long_runs.chosen.score
    assert score is not None
    assert facts["inputs"] == "110"
    assert facts["share_of_best"] == f"{score.mean:.4f}"
    assert facts["share_of_best_p5"] == f"{score.p5:.4f}"
    assert facts["parameters"].startswith(long_runs.chosen.classifier)
    assert {"trained", "machine", "tool", "accuracy", "best_fixed"} <= facts.keys()


def test_calls_of_one_input_stay_in_one_fold() -> None:
    names = tuple(f"m{i // 3}" + (f" #{i % 3}" if i % 3 else "") for i in range(30))
    data = data_of(np.arange(30.0)[:, None], np.ones((30, 2)), inputs=names)
    folds = folds_of(data, 0)
    assert sorted(np.concatenate(folds).tolist()) == list(range(30))
    for fold in folds:
        assert len({names[i].partition(" #")[0] for i in fold}) * 3 == len(fold)


def test_the_same_seed_gives_the_same_model() -> None:
    data = bands(24, noise=0.3)
    first, second = (AutoClassifier(seed=5).fit(data) for _ in range(2))
    assert (first.predictor, first.inputs) == (second.predictor, second.inputs)
