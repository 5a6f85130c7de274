"""What every classifier is: `fit` gives a Model, `fit_and_judge` says besides how good it is.

A classifier searches among recipes (a way to train with all parameters fixed) by cross-validation,
and judges the one it takes on folds that the search has not seen.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from fettle.classifiers.provenance import provenance_of
from fettle.classifiers.regret import Indices, best_fixed, contenders, share_of, shares_of
from fettle.classifiers.scaling import tells_apart, warn_of_features
from fettle.classifiers.selection_cost import selection_seconds
from fettle.errors import FettleError
from fettle.model_directory import Model, ModelInput, SvmPredictor, Tree, TreePredictor
from fettle.report.summary import Score
from fettle.training_set import Floats, TrainingSet, TrainingWarning

GUARD = 0.25
CALLS = 100
FOLDS = 5
PARTITIONS = 2  # a search is over this many partitions into folds
FEWEST = 6  # inputs; with fewer, folds say nothing


class Classifier(Protocol):
    """Learns from a training set which variant to choose."""

    def fit(self, data: TrainingSet) -> Model:
        """A model for `data`. Raises FettleError if there is nothing to learn from."""
        ...


class Fitted(Protocol):
    """A trained recipe."""

    @property
    def inputs(self) -> tuple[ModelInput, ...]:
        """What the predictor sees."""
        ...

    @property
    def predictor(self) -> SvmPredictor | TreePredictor:
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
class Constant:
    """One variant, whatever the input: a recipe and its own result."""

    variant: int
    costs: tuple[float, ...]

    inputs: tuple[ModelInput, ...] = ()

    def train(self, data: TrainingSet, seed: int) -> Constant:
        """The best fixed variant of `data`."""
        return always_the_best(data)

    @property
    def predictor(self) -> TreePredictor:
        """A tree of one leaf."""
        return TreePredictor((Tree((-1,), (0.0,), (-1,), (-1,), (self.costs,)),))

    def choose(self, values: Floats) -> Indices:
        """The variant, once a row."""
        return np.full(len(values), self.variant, dtype=np.intp)

    def __str__(self) -> str:
        return "one variant always"


def always_the_best(data: TrainingSet) -> Constant:
    """The best fixed variant as a model."""
    shares = shares_of(data)
    return Constant(best_fixed(shares), tuple((1 - shares.mean(axis=0)).tolist()))


@dataclass(frozen=True)
class Always(Constant):
    """A certain variant, whatever is learned."""

    def train(self, data: TrainingSet, seed: int) -> Always:
        """The same."""
        return self


def always_the_default(data: TrainingSet) -> Always | None:
    """The default variant as a model; None where it is not known, or fails on some input."""
    if data.default not in data.variants:
        return None
    place = data.variants.index(data.default)
    shares = shares_of(data)
    if not (shares[:, place] > 0).all():
        return None
    costs = (1 - shares.mean(axis=0)).tolist()
    return Always(place, tuple(0.0 if k == place else 1.0 + c for k, c in enumerate(costs)))


@dataclass(frozen=True)
class Judged:
    """A recipe, judged on inputs that it was not trained on."""

    classifier: str
    recipe: Recipe
    fitted: Fitted
    """Trained on all inputs."""
    score: Score | None
    """Cross-validated; None with too few inputs."""
    net: float
    """Mean share of best with features and selection charged; 0 without a score."""
    seconds: float
    """Estimated time of one selection, features included."""


@dataclass(frozen=True)
class Fit:
    """A model, and why it is this one."""

    model: Model
    chosen: Judged
    compared: tuple[Judged, ...]
    fixed: Score
    """The best fixed variant on the training inputs."""
    calls: int

    @property
    def searched(self) -> Judged:
        """The best of the models that were compared, though it may be no better than no model."""
        return max(self.compared, key=lambda judged: judged.net)


class SearchingClassifier(ABC):
    """The common part of all classifiers.

    - `guard`: how far outside the training range of an input, as a fraction of it, the model is
      still trusted; None: everywhere.
    - `calls`: over how many calls of the function one selection (with its features) is spread when
      its time is charged.
    - `seed`: folds and forests depend on it; the same seed and data give the same model.
    """

    def __init__(self, *, guard: float | None = GUARD, calls: int = CALLS, seed: int = 0) -> None:
        if guard is not None and not (np.isfinite(guard) and guard >= 0):
            raise FettleError(f"guard must be a fraction >= 0 of the trained range, not {guard}")
        if calls < 1:
            raise FettleError(f"calls must be at least 1, not {calls}")
        self.guard = guard
        self.calls = calls
        self.seed = seed

    def fit(self, data: TrainingSet) -> Model:
        """A model for `data`. Raises FettleError if there is nothing to learn from."""
        return self.fit_and_judge(data).model

    def fit_and_judge(self, data: TrainingSet) -> Fit:
        """A model with its cross-validated score, and what else was tried."""
        if not len(data):
            raise FettleError(f"training set of {data.function}: it has no inputs")
        data = data.usable()
        warn_of_features(data)
        shares = shares_of(data)
        constant = self._why_constant(data, shares)
        if constant:
            warnings.warn(
                f"{data.function}: {constant}; the model always chooses "
                f"{data.variants[best_fixed(shares)]!r}",
                TrainingWarning,
                stacklevel=2,
            )
            compared: tuple[Judged, ...] = (
                judge("tree", always_the_best(data), data, self.calls, self.seed),
            )
        else:
            compared = self.compare(data)
        chosen = self._or_no_model(max(compared, key=lambda judged: judged.net), data)
        best = best_fixed(shares)
        fixed = Score.of(data.variants[best], shares[:, best], shares[:, best] == 1)
        model = Model(
            function=data.function,
            variants=data.variants,
            features=data.features,
            inputs=chosen.fitted.inputs,
            predictor=chosen.fitted.predictor,
            default=data.default or data.variants[best],
            guard=self.guard,
            provenance=provenance_of(
                len(data), chosen.classifier, str(chosen.recipe), chosen.score, fixed
            ),
        )
        return Fit(model, chosen, compared, fixed, self.calls)

    @abstractmethod
    def compare(self, data: TrainingSet) -> tuple[Judged, ...]:
        """What this classifier can make of usable data; the one with the best `net` is taken."""

    def typical(self, data: TrainingSet) -> Recipe | None:
        """A recipe whose selections take about as long as those of the best one; None: unknown."""
        return None

    def most(self, data: TrainingSet) -> float:
        """The mean net share of best if all choices were right: what the time to select leaves."""
        recipe = self.typical(data)
        if recipe is None or data.cost_seconds is None:
            return 1.0
        fitted = recipe.train(data, self.seed)
        seconds = selection_seconds(fitted.inputs, fitted.predictor, data) / self.calls
        best = data.costs.min(axis=1)
        return float(np.mean(best / (best + seconds / data.cost_seconds)))

    def _or_no_model(self, found: Judged, data: TrainingSet) -> Judged:
        """One variant always, the best fixed one or the default, where no model does better."""
        if found.score is None:
            return found
        for one in (always_the_best(data), always_the_default(data)):
            if one is not None:
                plain = judge("tree", one, data, self.calls, self.seed)
                found = plain if plain.net >= found.net else found
        return found

    @staticmethod
    def _why_constant(data: TrainingSet, shares: Floats) -> str:
        """Why there is nothing to choose by or among; empty if there is."""
        if len(data.variants) == 1:
            return "there is one variant only"
        if len(data) == 1:
            return "there is one input only"
        if not tells_apart(data):
            return "no feature tells the inputs apart"
        if len(contenders(shares, 0.0)) == 1:
            return f"one variant is the best on all {len(data)} inputs"
        return ""


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
    for place, group in enumerate(order):
        parts[place % count] += rows[group]
    return [np.array(sorted(part), dtype=np.intp) for part in parts]


def search_folds(data: TrainingSet, seed: int) -> list[Indices]:
    """The folds of several partitions, none of them the one that `judge` uses."""
    return [fold for i in range(PARTITIONS) for fold in folds_of(data, seed + 2 * i)]


def rest_of(data: TrainingSet, fold: Indices) -> Indices:
    """The inputs outside a fold."""
    rest: Indices = np.setdiff1d(np.arange(len(data), dtype=np.intp), fold)
    return rest


def judge(name: str, recipe: Recipe, data: TrainingSet, calls: int, seed: int) -> Judged:
    """Train `recipe` on all of `data`, and cross-validate it on folds of its own."""
    fitted = recipe.train(data, seed)
    times = selection_seconds(fitted.inputs, fitted.predictor, data)
    seconds = float(np.median(times))
    folds = folds_of(data, seed + 1)
    if not folds:
        return Judged(name, recipe, fitted, None, 0.0, seconds)
    chosen = np.zeros(len(data), dtype=np.intp)
    for fold in folds:
        chosen[fold] = recipe.train(data.rows(rest_of(data, fold)), seed).choose(data.values[fold])
    shares = share_of(shares_of(data), chosen)
    charge = 0.0 if data.cost_seconds is None else times / calls / data.cost_seconds
    cost = data.costs[np.arange(len(data)), chosen] + charge
    net = float(np.mean(data.costs.min(axis=1) / cost))
    return Judged(name, recipe, fitted, Score.of(name, shares, shares == 1), net, seconds)
