"""Ties between variants, and that tuning again comes to the same choice where there are some."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from fettle.classifiers import SvmClassifier, TreeClassifier
from fettle.classifiers.base import SearchingClassifier
from fettle.classifiers.judging import Recipe
from fettle.classifiers.svm import SvmRecipe
from fettle.classifiers.tree import TreeRecipe
from fettle.classifiers.winners import winners
from fettle.data.preference import first_best, preference
from fettle.data.ties import level_costs, ties_with_best
from fettle.data.training_set import TrainingSet
from fettle.store.contents import Example
from fettle.store.subject import Offer
from fettle.training.examples import make_table
from fettle.training.trainer import Trainer

pytestmark = pytest.mark.filterwarnings("ignore::fettle.data.training_set.TrainingWarning")

OFFER = Offer(("a", "b", "c"), ("x",), "b", "s", False, {})
SIZES = 10.0 ** np.linspace(0, 4, 20)
Kind = type[SearchingClassifier]


def measured(cost: Callable[[float], dict[str, float]], noise: float, seed: int) -> TrainingSet:
    """A store's samples of variants that cost so much, and what is made of them."""
    random = np.random.default_rng(seed)
    examples = []
    for size in SIZES:
        made = Example(0, {"x": size}, {"x": 0.0})
        made.samples = {
            name: (true * np.exp(random.normal(0, noise, 9))).tolist()
            for name, true in cost(float(size)).items()
        }
        made.verdicts = dict.fromkeys(OFFER.variants, ("measured", ""))
        examples.append((f"{size:g}", [made]))
    return make_table("f", OFFER, examples).data


def all_equal(_: float) -> dict[str, float]:
    return {"a": 1.0, "b": 1.0, "c": 1.0}


def equal_when_large(size: float) -> dict[str, float]:
    return {"a": 2.0, "b": 1.0, "c": 2.0} if size < 100 else {"a": 1.0, "b": 2.0, "c": 1.0}


def by_one_percent(_: float) -> dict[str, float]:
    return {"a": 1.0, "b": 1.01, "c": 1.02}


def choices(
    kind: Kind, cost: Callable[[float], dict[str, float]], noise: float, count: int = 4
) -> NDArray[np.intp]:
    """What is chosen on each input, by models of so many measurements of the same."""
    trainer = Trainer(kind())
    found = []
    for seed in range(count):
        data = measured(cost, noise, seed)
        found.append(trainer.choose(trainer.fit(data), data.values))
    return np.array(found)


def agreement(chosen: NDArray[np.intp]) -> float:
    """The share of inputs with the same choice, the mean over all pairs of models."""
    return float(np.mean([np.mean(a == b) for a, b in itertools.combinations(chosen, 2)]))


@pytest.mark.parametrize(("kind", "noise"), [(TreeClassifier, 0.02), (SvmClassifier, 0.01)])
def test_of_variants_that_are_equal_the_default_is_deployed_each_time(
    kind: Kind, noise: float
) -> None:
    chosen = choices(kind, all_equal, noise)
    assert (chosen == OFFER.variants.index("b")).all()


@pytest.mark.parametrize("noise", [0.01, 0.015])
@pytest.mark.parametrize(
    "recipe",
    [TreeRecipe("features", False, 2, 1), SvmRecipe("features", "measured", 10.0, 1.0)],
    ids=["tree", "svm"],
)
def test_a_tie_on_some_inputs_is_decided_alike_each_time(recipe: Recipe, noise: float) -> None:
    tables = [measured(equal_when_large, noise, seed) for seed in range(12)]
    chosen = np.array([recipe.train(data, 0).choose(data.values) for data in tables])
    assert agreement(chosen) > 0.97
    assert (chosen[:, SIZES >= 100] == OFFER.variants.index("a")).mean() > 0.97


@pytest.mark.parametrize("kind", [TreeClassifier, SvmClassifier])
def test_one_percent_that_each_measurement_repeats_is_no_tie(kind: Kind) -> None:
    chosen = choices(kind, by_one_percent, 0.001)
    assert (chosen == OFFER.variants.index("a")).all()


def test_candidates_within_the_spread_of_the_default_are_no_winners() -> None:
    kept = {winners(measured(all_equal, 0.01, seed)) for seed in range(12)}
    assert kept == {("b",)}


def data_of(costs: list[list[float]], spread: list[list[float]] | None) -> TrainingSet:
    count = len(costs)
    return TrainingSet(
        function="f",
        features=(),
        variants=("a", "b", "c"),
        inputs=tuple(map(str, range(count))),
        values=np.empty((count, 0)),
        costs=np.array(costs),
        feature_seconds=np.empty(0),
        default="b",
        spread=None if spread is None else np.array(spread),
    )


def test_a_tie_is_within_the_spread_and_three_percent() -> None:
    nan = float("nan")
    data = data_of(
        [
            [1.00, 1.01, 1.02],  # the spread of the differences is 1.5 % and 2.3 %
            [1.00, 1.02, 1.04],  # here 13 %, but more than 3 % is not a tie
            [1.00, 1.01, 1.00],  # measured to a thousandth: 1 % is not a tie
            [1.00, 1.01, 1.00],  # not known how well it is measured
        ],
        [[0.0035, 0.0035, 0.007], [0.03, 0.03, 0.03], [0.001] * 3, [nan] * 3],
    )
    assert ties_with_best(data).tolist() == [
        [True, True, True],
        [True, True, False],
        [True, False, True],
        [True, False, True],
    ]
    assert level_costs(data).tolist() == [
        [1.00, 1.00, 1.00],
        [1.00, 1.00, 1.04],
        [1.00, 1.01, 1.00],
        [1.00, 1.01, 1.00],
    ]
    assert level_costs(data_of([[1.0, 1.001, np.inf]], None)).tolist() == [[1.0, 1.001, np.inf]]


def test_who_never_failed_is_preferred_then_the_default_then_who_was_registered_first() -> None:
    assert preference(("a", "b", "c"), "b") == (1, 0, 2)
    assert preference(("a", "b", "c"), "b", (0, 4, 0)) == (0, 2, 1)
    assert preference(("a", "b", "c"), None, (1, 2, 0)) == (2, 0, 1)
    scores = np.array([[0.5, 0.9, 0.9 + 1e-12], [0.1, 0.1, 0.2]])
    assert first_best(scores, (1, 0, 2)).tolist() == [1, 2]
    assert first_best(scores, (2, 1, 0)).tolist() == [2, 2]
