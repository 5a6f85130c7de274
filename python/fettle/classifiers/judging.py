"""Recipes judged: trained, and cross-validated on folds that no search has seen.

A recipe is a way to train with all parameters fixed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from fettle.classifiers.regret import Indices, share_of, shares_of, without_result
from fettle.classifiers.selection_cost import selection_seconds
from fettle.data.score import Score
from fettle.data.ties import level_costs
from fettle.data.training_set import Floats, TrainingSet
from fettle.model.model import ModelInput
from fettle.model.predictor import Predictor

FOLDS = 5
PARTITIONS = 2  # a search is over this many partitions into folds
WORTH = 0.002  # mean share of best: less, and a new tuning finds it elsewhere
CLEARLY = 2.0  # standard errors of a mean gain that leave little doubt of it
MOST_DOUBT = 0.01  # mean share of best: doubts of few inputs are worth no more than that
SPARED = 0.001  # mean share of best: less time to select is not worth a model that may be worse
FEWEST = 6  # inputs; with fewer, folds say nothing
MANY = 5000
"""With more inputs than this, one fold says as much as all of them, and a search looks at some."""


class Fitted(Protocol):
    """A trained recipe."""

    @property
    def inputs(self) -> tuple[ModelInput, ...]:
        """What the predictor sees."""
        ...

    @property
    def predictor(self) -> Predictor:
        """As it is deployed."""
        ...

    def choose(self, values: Floats) -> Indices:
        """A variant for each row of feature values."""
        ...


class Recipe(Protocol):
    """A way to train, all parameters fixed. `str` names the parameters, for the provenance."""

    def train(self, data: TrainingSet, seed: int) -> Fitted:
        """Train on usable data."""
        ...


@dataclass(frozen=True)
class Judged:
    """A recipe, judged on inputs that it was not trained on."""

    classifier: str
    recipe: Recipe
    fitted: Fitted
    """Trained on all inputs."""
    score: Score | None
    """Cross-validated; None with too few inputs."""
    nets: Floats = field(compare=False)
    """The share of best on each input that it was judged by, features and selection charged, and
    1 - `failure_regret` where the choice runs without a result; empty without a score."""
    seconds: float
    """Estimated time of one selection, features included."""
    charged: float | None = None
    """The mean share of best that this time takes, spread over the calls; None where it is not
    charged."""

    @property
    def net(self) -> float:
        """Mean share of best with features and selection charged; 0 without a score."""
        return float(self.nets.mean()) if len(self.nets) else 0.0

    def surely_better(self, other: Judged) -> bool:
        """Whether the mean gain on the same inputs is more than `WORTH`, and than its standard
        error or `MOST_DOUBT`.

        A smaller gain could be noise of the measurements. A gain on a single input without a loss
        on the others is enough, unless the variants tie on that input. Of a dozen inputs the
        standard error is so large that a gain of some per cent would be lost: on inputs not trained
        on, the model that is better by more than `MOST_DOUBT` is mostly the better one.
        """
        gain, error = self._gain_over(other)
        return gain > max(WORTH, min(error, MOST_DOUBT))

    def clearly_better(self, other: Judged) -> bool:
        """Whether the mean gain is more than `WORTH` and `CLEARLY` standard errors."""
        gain, error = self._gain_over(other)
        return gain > max(WORTH, CLEARLY * error)

    def _gain_over(self, other: Judged) -> tuple[float, float]:
        """The mean gain in net share on the same inputs, and its standard error."""
        gains = self.nets - other.nets
        return float(gains.mean()), float(gains.std()) / math.sqrt(len(gains))


def best_or_faster(compared: Sequence[Judged]) -> Judged:
    """The best, or the fastest to select with of those that it is not surely better than.

    The best is the forest, or without one the tree, unless another model has a clearly larger net
    share: of models that are as good on inputs like those of training a forest is mostly the best
    on others, a support vector machine the worst. The best is kept where the faster selections
    spare less than `SPARED`. Of equally good or fast ones the first is taken.
    """
    if not len(compared[0].nets):
        return compared[0]
    best = max(compared, key=lambda one: one.net)
    kinds = {one.classifier: one for one in compared}
    robust = kinds.get("forest", kinds.get("tree"))
    if robust is not None and not best.clearly_better(robust):
        best = robust
        compared = [one for one in compared if one.classifier != "svm"]
    equals = [one for one in compared if one is best or not best.surely_better(one)]
    fastest = min(equals, key=lambda one: one.seconds)
    if best.charged is None or fastest.charged is None:
        return fastest
    return fastest if best.charged - fastest.charged > SPARED else best


def folds_of(data: TrainingSet, seed: int, count: int = FOLDS) -> list[Indices]:
    """Folds for cross-validation; the calls of one input stay together. Empty: too few inputs."""
    groups: dict[str, list[int]] = {}
    for row, name in enumerate(data.inputs):
        groups.setdefault(name.partition(" #")[0], []).append(row)
    if len(groups) < FEWEST:
        return []
    order = np.random.default_rng(seed).permutation(len(groups))
    rows = list(groups.values())
    parts: list[list[int]] = [[] for _ in range(count)]
    for index, group in enumerate(order):
        parts[index % count] += rows[group]
    return [np.array(sorted(part), dtype=np.intp) for part in parts]


def judged_folds(data: TrainingSet, seed: int) -> list[Indices]:
    """The folds to judge by: of many inputs the first, held out."""
    folds = folds_of(data, seed)
    return folds[:1] if len(data) > MANY else folds


def some_of(data: TrainingSet, most: int, seed: int) -> TrainingSet:
    """At most so many inputs, chosen at random."""
    if len(data) <= most:
        return data
    chosen = np.random.default_rng(seed).choice(len(data), most, replace=False)
    return data.rows(np.sort(chosen))


def search_folds(data: TrainingSet, seed: int) -> list[Indices]:
    """The folds of several partitions, none of them the one that `judge` uses."""
    return [fold for i in range(PARTITIONS) for fold in folds_of(data, seed + 2 * i)]


def rest_of(data: TrainingSet, fold: Indices) -> Indices:
    """The inputs outside a fold."""
    rest: Indices = np.setdiff1d(np.arange(len(data), dtype=np.intp), fold)
    return rest


def judge(name: str, recipe: Recipe, data: TrainingSet, calls: int, seed: int) -> Judged:
    """Train `recipe` on all of `data`, and cross-validate it on folds drawn for it."""
    fitted = recipe.train(data, seed)
    times = selection_seconds(fitted.inputs, fitted.predictor, data)
    seconds = float(np.median(times))
    folds = judged_folds(data, seed + 1)
    if not folds:
        return Judged(name, recipe, fitted, None, np.empty(0), seconds)
    chosen = np.zeros(len(data), dtype=np.intp)
    for fold in folds:
        chosen[fold] = recipe.train(data.rows(rest_of(data, fold)), seed).choose(data.values[fold])
    seen = np.sort(np.concatenate(folds))
    shares = share_of(shares_of(data), chosen)[seen]
    costs = level_costs(data)
    best, cost = costs.min(axis=1), costs[np.arange(len(data)), chosen]
    charge = 0.0 if data.cost_seconds is None else times / calls / data.cost_seconds
    net = best / (cost + charge)
    charged = None if data.cost_seconds is None else float(np.mean((best / cost - net)[seen]))
    net[without_result(data)[np.arange(len(data)), chosen]] = 1 - data.failure_regret
    nets = net[seen]
    return Judged(name, recipe, fitted, Score.of(name, shares, shares == 1), nets, seconds, charged)
