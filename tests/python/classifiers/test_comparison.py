"""Why a model was taken: of equally good ones the fastest to select with, where that counts."""

from __future__ import annotations

import math
from dataclasses import asdict, replace

import numpy as np
import pytest
from made_up import bands, data_of

from fettle.classifiers import AutoClassifier, Fit
from fettle.classifiers.comparison import comparison_of
from fettle.classifiers.judging import Judged, best_or_faster
from fettle.data.model_comparison import ModelComparison, rows_of
from fettle.data.score import Score

NOISE = np.random.default_rng(1).normal(0, 0.01, 50)


def judged(kind: str, mean: float, seconds: float) -> Judged:
    """A model whose net shares are about `mean`."""
    nets = mean + (NOISE[::-1] if kind == "forest" else NOISE)
    score = Score.of(kind, nets, nets == 1)
    return Judged(kind, kind, None, score, nets, seconds)  # type: ignore[arg-type]


def test_the_fastest_of_those_that_are_as_good_is_taken() -> None:
    tree, forest = judged("tree", 0.95, 10e-9), judged("forest", 0.951, 2e-6)
    svm = judged("svm", 0.95, 1e-9)
    assert best_or_faster([tree, forest, svm]) is tree, "the forest is better by chance only"
    assert best_or_faster([tree, replace(forest, nets=forest.nets + 0.03), svm]).classifier == (
        "forest"
    )
    unjudged = [replace(one, nets=np.empty(0)) for one in (tree, forest)]
    assert best_or_faster(unjudged) is unjudged[0]


def test_the_best_is_kept_where_faster_selections_spare_nothing() -> None:
    forest, tree = judged("forest", 0.951, 2e-6), judged("tree", 0.95, 10e-9)
    slow_calls = replace(forest, charged=0.0003), replace(tree, charged=0.0001)
    assert best_or_faster(slow_calls) is slow_calls[0]
    quick_calls = replace(forest, charged=0.02), replace(tree, charged=0.002)
    assert best_or_faster(quick_calls) is quick_calls[1]
    assert best_or_faster((forest, tree)) is tree, "nothing is charged: what counts is unknown"


@pytest.mark.parametrize("kind", ["forest", "tree"])
def test_a_support_vector_machine_has_to_be_clearly_better(kind: str) -> None:
    other, svm = replace(judged("forest", 0.95, 2e-6), classifier=kind), judged("svm", 0.95, 2e-7)
    error = float((svm.nets - other.nets).std()) / math.sqrt(len(svm.nets))
    by_chance, clearly = (replace(svm, nets=svm.nets + n * error) for n in (1.5, 2.5))
    assert by_chance.surely_better(other) and not by_chance.clearly_better(other)
    assert best_or_faster((other, by_chance)) is other
    assert best_or_faster((other, clearly)) is clearly
    assert best_or_faster((by_chance,)) is by_chance, "where it was asked for"


def test_the_time_to_select_is_charged_where_costs_are_seconds() -> None:
    rng = np.random.default_rng(2)
    values = rng.uniform(0, 1, (60, 1))
    costs = np.where(values < 0.5, [[1.0, 2.0]], [[2.0, 1.0]])
    in_seconds = replace(data_of(values, costs * 1e-6), cost_seconds=1.0)
    for one in AutoClassifier().fit_and_judge(in_seconds).compared:
        assert one.charged is not None and one.score is not None
        assert math.isclose(one.net + one.charged, one.score.mean, abs_tol=1e-9)
    unknown = replace(in_seconds, cost_seconds=None)
    assert all(one.charged is None for one in AutoClassifier().fit_and_judge(unknown).compared)


def test_a_slower_model_that_is_taken_says_why_the_faster_is_not() -> None:
    forest, tree = judged("forest", 0.951, 2e-6), judged("tree", 0.95, 10e-9)
    fit = Fit(None, forest, (forest, tree), forest.score, 100)  # type: ignore[arg-type]
    assert list(comparison_of(fit).reasons())[1].endswith("of 2 µs, which spares too little")


def test_a_forest_that_is_taken_says_why() -> None:
    forest, svm = judged("forest", 0.95, 2e-6), judged("svm", 0.951, 200e-9)
    fit = Fit(None, forest, (forest, svm), forest.score, 100)  # type: ignore[arg-type]
    mostly = "a forest is mostly better on inputs unlike these"
    taken, left = comparison_of(fit).reasons()
    assert mostly in taken and "what svm is better by, 0.0010, may be chance" in taken
    assert left.endswith(f"of 2 µs, but {mostly}")


def test_each_model_says_why() -> None:
    tree, forest = judged("tree", 0.80, 10e-9), judged("forest", 0.951, 2e-6)
    svm = judged("svm", 0.95, 200e-9)
    fit = Fit(None, svm, (tree, forest, svm), svm.score, 100, (("threshold", "no time"),))  # type: ignore[arg-type]
    found = comparison_of(fit)
    assert [one.kind for one in found.models if one.is_taken] == ["svm"]
    reasons = list(found.reasons())
    assert reasons[0].startswith("tree: not taken: its net share is 0.1500 less")
    assert reasons[1].startswith("forest: not taken: its net share is 0.0010 more, which may be")
    assert reasons[1].endswith("and a selection takes 2 µs instead of 200 ns")
    assert reasons[2] == (
        "svm: taken: its selections are faster, and what forest is better by, 0.0010, may be chance"
    )
    assert reasons[3] == "threshold: not trained: no time"
    assert ModelComparison.restored(asdict(found)) == found
    assert rows_of(found)[2][0] == "svm (taken)"


def test_a_fit_that_ends_with_one_variant_shows_it() -> None:
    rng = np.random.default_rng(0)
    values = rng.uniform(0, 1, (30, 2))
    fit = AutoClassifier().fit_and_judge(data_of(values, rng.uniform(0.9, 1.1, (30, 2))))
    found = comparison_of(fit)
    assert [one.kind for one in found.models if one.is_taken] == ["one variant always"]
    assert all(not math.isnan(one.net) for one in found.models)
    assert len(found.models) >= 3


def test_too_few_inputs_are_said() -> None:
    found = comparison_of(AutoClassifier().fit_and_judge(bands(5)))
    assert all("too few inputs to judge" in line for line in found.reasons())
