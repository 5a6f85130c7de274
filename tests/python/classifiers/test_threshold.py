"""The threshold classifier: chains of guards, learned or given, deployed as decision trees."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from made_up import data_of, deployed, mean_share

from fettle.classifiers.threshold import ThresholdClassifier
from fettle.core.errors import FettleError
from fettle.data.training_set import TrainingSet
from fettle.model.trees import TreePredictor


def nest(count: int, seed: int = 0) -> TrainingSet:
    """Variant a if x >= 1000, else b if y >= 50, else c, which is the first by name only here."""
    rng = np.random.default_rng(seed)
    x, y = 10 ** rng.uniform(0, 6, count), rng.uniform(1, 100, count)
    best = np.where(x >= 1000, 0, np.where(y >= 50, 1, 2))
    costs = np.full((count, 3), 2.0)
    costs[np.arange(count), best] = 1.0
    return data_of(np.column_stack([x, y]), costs)


@pytest.mark.parametrize(
    "classifier",
    [ThresholdClassifier(), ThresholdClassifier([("a", "x"), ("b", "y")], "c")],
    ids=["learned", "given"],
)
def test_a_chain_is_found_and_deployed(classifier: ThresholdClassifier, tmp_path: Path) -> None:
    fit = classifier.fit_and_judge(nest(200))
    assert isinstance(fit.model.predictor, TreePredictor)
    (tree,) = fit.model.predictor.trees
    assert sum(feature >= 0 for feature in tree.feature) == 2
    unseen = nest(500, seed=7)
    chosen = deployed(fit.model, tmp_path, unseen.values)
    assert mean_share(unseen, chosen) > 0.98
    assert (chosen == fit.chosen.fitted.choose(unseen.values)).all()
    assert fit.chosen.score is not None
    assert fit.chosen.score.mean > 0.97
    assert classifier.fit(nest(200)).predictor == fit.model.predictor


def test_a_given_chain_takes_its_variants_even_where_another_would_lose_less(
    tmp_path: Path,
) -> None:
    # b wins below 10, but the chain knows a and c only.
    x = np.arange(1.0, 31.0)
    best = np.where(x > 20, 0, np.where(x > 10, 2, 1))
    costs = np.full((30, 3), 3.0)
    costs[:, 2] = 2.0
    costs[np.arange(30), best] = 1.0
    data = data_of(x[:, None], costs)
    model = ThresholdClassifier([("a", "x")], "c").fit(data)
    assert set(deployed(model, tmp_path, data.values).tolist()) == {0, 2}
    assert deployed(model, tmp_path, np.array([[20.0], [21.0]])).tolist() == [2, 0]


def test_a_given_chain_is_kept_where_another_variant_would_be_better() -> None:
    data = nest(60)
    fourth = np.where(np.arange(60) % 20 == 0, 1.5, 0.5)  # the best nearly everywhere
    better = data_of(data.values, np.column_stack([data.costs, fourth]))
    given = ThresholdClassifier([("a", "x"), ("b", "y")], "c").fit_and_judge(better)
    assert set(given.chosen.fitted.choose(better.values)) == {0, 1, 2}
    learned = ThresholdClassifier().fit_and_judge(better)
    assert set(learned.chosen.fitted.choose(better.values)) == {3}


def test_a_guard_that_decides_nothing_is_left_out() -> None:
    data = nest(100)
    flat = data_of(np.column_stack([data.values[:, 0], np.ones(100)]), data.costs)
    with pytest.warns(match="'y' is 1 on every input"):
        model = ThresholdClassifier([("b", "y"), ("a", "x")], "c").fit(flat)
    assert isinstance(model.predictor, TreePredictor)
    assert len(model.predictor.trees[0].feature) == 3


def test_few_inputs_and_variants_that_fail() -> None:
    costs = np.array([[1.0, np.inf], [1.0, np.inf], [np.inf, 1.0]])
    data = data_of([[1.0], [2.0], [3.0]], costs)
    fit = ThresholdClassifier().fit_and_judge(data)
    assert fit.chosen.fitted.choose(data.values).tolist() == [0, 0, 1]


def test_bad_chains_are_named() -> None:
    with pytest.raises(FettleError, match="needs both"):
        ThresholdClassifier([("a", "x")])
    with pytest.raises(FettleError, match="needs both"):
        ThresholdClassifier(otherwise="a")
    with pytest.raises(FettleError, match="the version 'a' is twice"):
        ThresholdClassifier([("a", "x")], "a")
    with pytest.raises(FettleError, match="f has no variant 'q', which a threshold guard names"):
        ThresholdClassifier([("q", "x")], "c").fit(nest(20))
    with pytest.raises(FettleError, match="f has no feature 'z'"):
        ThresholdClassifier([("a", "z")], "c").fit(nest(20))


def test_the_report_calls_it_threshold_and_the_program_loads_a_tree() -> None:
    fit = ThresholdClassifier().fit_and_judge(nest(100))
    assert fit.chosen.classifier == "threshold"
    assert fit.model.provenance["parameters"] == "threshold at most 2 guards"
    assert fit.model.classifier == "tree"
