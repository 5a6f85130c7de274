"""SvmClassifier: an RBF support vector machine weighted by regret, an ordinary libsvm model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

from fettle.classifiers.base import SearchingClassifier
from fettle.classifiers.constant import Constant, always_the_best
from fettle.classifiers.judging import (
    MANY,
    PARTITIONS,
    Judged,
    judge,
    rest_of,
    search_folds,
    some_of,
)
from fettle.classifiers.pairwise_svm import PairwiseSvm, train_pairs
from fettle.classifiers.regret import (
    NEGLIGIBLE,
    Indices,
    contenders,
    share_of,
    shares_of,
    wanted_shares,
)
from fettle.classifiers.scaling import FEW, InputSet, model_inputs, scaled, searched_sets
from fettle.classifiers.smoothing import smoothed_shares
from fettle.data.training_set import Floats, TrainingSet
from fettle.model.model import ModelInput
from fettle.model.svm import SvmPredictor

PENALTIES = (1000.0, 10000.0)
"""Smoothed shares want little slack: the noise is out already."""
GAMMAS = (1.0, 4.0, 16.0, 64.0)
FEW_PENALTIES = (1.0, 10.0, 100.0, 1000.0)
FEW_GAMMAS = (0.25, 1.0, 4.0, 16.0)
"""With few inputs smoother machines do better."""
MOST_SEARCHED = 1500
MOST_TRAINED = MANY
"""Parameters are searched on at most this many inputs, and a machine is trained on at most this
many; training takes time by their square."""


@dataclass(frozen=True)
class FittedSvm:
    """Trained pairs on scaled inputs."""

    inputs: tuple[ModelInput, ...]
    features: tuple[str, ...]
    svm: PairwiseSvm

    @property
    def predictor(self) -> SvmPredictor:
        """As it is deployed."""
        return SvmPredictor(self.svm.text())

    def choose(self, values: Floats) -> Indices:
        """The variant with most votes."""
        return self.svm.choose(scaled(self.inputs, self.features, values))


@dataclass(frozen=True)
class SvmRecipe:
    """C-SVCs with penalty `c` and kernel width `gamma`."""

    inputs: InputSet
    smoothed: bool
    c: float
    gamma: float

    def train(self, data: TrainingSet, seed: int) -> FittedSvm | Constant:
        """Train all pairs of the variants that contend."""
        data = some_of(data, MOST_TRAINED, seed)
        variants = contenders(data)
        inputs = model_inputs(data, self.inputs)
        if len(variants) == 1:
            return always_the_best(data)
        shares = smoothed_shares(data, seed) if self.smoothed else wanted_shares(data)
        table = scaled(inputs, data.features, data.values)
        svm = train_pairs(table, shares, variants, c=self.c, gamma=self.gamma)
        if not svm.distinct_vectors():
            return always_the_best(data)
        return FittedSvm(inputs, data.features, svm)

    def __str__(self) -> str:
        learned = "smoothed" if self.smoothed else "measured"
        return f"C {self.c:g}, gamma {self.gamma:g}, on {self.inputs}, {learned} shares"


class SvmClassifier(SearchingClassifier):
    """RBF SVM; C, gamma, inputs and what it learns from are found by cross-validation.

    The criterion is the mean share of best; among equals the model with fewer support vectors is
    taken. Training takes some seconds for 1000 inputs and 3 variants, and grows with the number of
    pairs of variants that are worth choosing among.
    """

    def compare(self, data: TrainingSet) -> tuple[Judged, ...]:
        """The best SVM."""
        return (judge("svm", self.search(data), data, self.calls, self.seed),)

    def typical(self, data: TrainingSet) -> SvmRecipe:
        """The smoothest machine, which has few support vectors."""
        few = len(data) < FEW
        c, gamma = (FEW_PENALTIES[-1], FEW_GAMMAS[0]) if few else (PENALTIES[-1], GAMMAS[0])
        return SvmRecipe(searched_sets(data)[0], True, c, gamma)

    def search(self, data: TrainingSet) -> SvmRecipe:
        """The recipe to take: from a coarse grid, then, with few inputs, other inputs and shares.

        The grid is coarse and the folds are many because a fine grid finds the luckiest recipe.
        """
        kinds = searched_sets(data)
        few = len(data) < FEW
        data = some_of(data, MOST_SEARCHED, self.seed)
        folds = search_folds(data, self.seed)
        if not folds:
            return SvmRecipe("features", False, 10.0, 1.0)
        search = _Search([_Trial(data, fold, kinds, self.seed) for fold in folds], len(data))
        grid = product(FEW_PENALTIES, FEW_GAMMAS) if few else product(PENALTIES, GAMMAS)
        best = search.best_of([SvmRecipe(kinds[-1], True, c, gamma) for c, gamma in grid])
        others = product(kinds, (True, False) if few else (True,))
        return search.best_of(
            [replace(best, inputs=kind, smoothed=smoothed) for kind, smoothed in others]
        )


class _Search:
    """The outcomes of all recipes tried so far."""

    def __init__(self, trials: Sequence[_Trial], inputs: int) -> None:
        self._trials = trials
        self._inputs = inputs
        self._tried: dict[SvmRecipe, tuple[float, int]] = {}

    def best_of(self, recipes: Sequence[SvmRecipe]) -> SvmRecipe:
        """Try these too; of all whose mean share is about the best, the one with fewest vectors."""
        for recipe in recipes:
            if recipe not in self._tried:
                outcomes = [trial.outcome(recipe) for trial in self._trials]
                share = sum(share for share, _ in outcomes) / (PARTITIONS * self._inputs)
                self._tried[recipe] = share, sum(vectors for _, vectors in outcomes)
        top = max(share for share, _ in self._tried.values())
        equals = [r for r, (share, _) in self._tried.items() if share >= top - NEGLIGIBLE / 2]
        return min(equals, key=lambda recipe: (self._tried[recipe][1], -self._tried[recipe][0]))


class _Trial:
    """One fold, prepared for many recipes."""

    def __init__(
        self, data: TrainingSet, fold: Indices, kinds: Sequence[InputSet], seed: int
    ) -> None:
        rest = data.rows(rest_of(data, fold))
        self._shares = shares_of(data.rows(fold))
        measured = wanted_shares(rest)
        self._targets: dict[bool, Floats] = {False: measured, True: smoothed_shares(rest, seed)}
        self._variants = contenders(rest)
        self._tables: dict[InputSet, tuple[Floats, Floats]] = {}
        for kind in kinds:
            inputs = model_inputs(rest, kind)
            self._tables[kind] = (
                scaled(inputs, data.features, rest.values),
                scaled(inputs, data.features, data.values[fold]),
            )

    def outcome(self, recipe: SvmRecipe) -> tuple[float, int]:
        """The summed share on the fold, and the number of support vectors."""
        seen, unseen = self._tables[recipe.inputs]
        svm = train_pairs(
            seen, self._targets[recipe.smoothed], self._variants, c=recipe.c, gamma=recipe.gamma
        )
        return float(share_of(self._shares, svm.choose(unseen)).sum()), svm.distinct_vectors()
