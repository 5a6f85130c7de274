"""SvmClassifier: an RBF support vector machine weighted by regret, an ordinary libsvm model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal

import numpy as np

from fettle.classifiers.base import CALLS, GUARD, SearchingClassifier
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
    judged_shares,
    share_of,
    wanted_shares,
)
from fettle.classifiers.scaling import FEW, InputSet, model_inputs, scaled, searched_sets
from fettle.classifiers.smoothing import smoothed_shares
from fettle.core.errors import FettleError
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


Target = Literal["measured", "smoothed", "labels"]
"""What a machine learns from: shares of best as measured or smoothed, or the best variants."""


def labelled_shares(data: TrainingSet) -> Floats:
    """1 for each input's best variant and 0 for the others: every mistake weighs the same."""
    wanted = wanted_shares(data)
    labels = np.zeros_like(wanted)
    labels[np.arange(len(wanted)), wanted.argmax(axis=1)] = 1.0
    return labels


def target_of(data: TrainingSet, target: Target, seed: int) -> Floats:
    """What to learn of each input and variant; pairs weigh an input by the difference."""
    if target == "labels":
        return labelled_shares(data)
    return smoothed_shares(data, seed) if target == "smoothed" else wanted_shares(data)


def classes_of(data: TrainingSet, target: Target) -> list[int]:
    """The variants to choose among, ascending: every label, or those worth choosing among."""
    if target == "labels":
        return np.flatnonzero(labelled_shares(data).any(axis=0)).tolist()
    return contenders(data)


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
    """C-SVCs with penalty `c` and kernel width `gamma`, of what it learns from `target`."""

    inputs: InputSet
    target: Target
    c: float
    gamma: float

    def train(self, data: TrainingSet, seed: int) -> FittedSvm | Constant:
        """Train all pairs of the variants that contend."""
        data = some_of(data, MOST_TRAINED, seed)
        variants = classes_of(data, self.target)
        inputs = model_inputs(data, self.inputs)
        if len(variants) == 1:
            return always_the_best(data)
        shares = target_of(data, self.target, seed)
        table = scaled(inputs, data.features, data.values)
        svm = train_pairs(table, shares, variants, c=self.c, gamma=self.gamma)
        if not svm.distinct_vectors():
            return always_the_best(data)
        return FittedSvm(inputs, data.features, svm)

    def __str__(self) -> str:
        learned = "best variants alone" if self.target == "labels" else f"{self.target} shares"
        return f"C {self.c:g}, gamma {self.gamma:g}, on {self.inputs}, {learned}"


class SvmClassifier(SearchingClassifier):
    """RBF SVM; C, gamma, inputs and what it learns from are found by cross-validation.

    The criterion is the mean share of best; among equals the model with fewer support vectors is
    taken. Training takes some seconds for 1000 inputs and 3 variants, and grows with the number of
    pairs of variants that are worth choosing among.

    `weighted=False` learns from the best variants alone, as the dissertation does (2.2.1): an input
    on which the second best is as good weighs as much as one on which it takes ten times as long,
    and the criterion is how often the best one is chosen. That is for comparison; by default an
    input weighs what a mistake on it costs.
    """

    def __init__(
        self,
        *,
        weighted: bool = True,
        guard: float | None = GUARD,
        calls: int = CALLS,
        failure_regret: float = 1.0,
        seed: int = 0,
    ) -> None:
        super().__init__(guard=guard, calls=calls, failure_regret=failure_regret, seed=seed)
        if not isinstance(weighted, bool):
            raise FettleError(f"weighted={weighted!r}; give True or False")
        self.weighted = weighted

    def compare(self, data: TrainingSet) -> tuple[Judged, ...]:
        """The best SVM."""
        return (judge("svm", self.search(data), data, self.calls, self.seed),)

    def typical(self, data: TrainingSet) -> SvmRecipe:
        """The smoothest machine, which has few support vectors."""
        few = len(data) < FEW
        c, gamma = (FEW_PENALTIES[-1], FEW_GAMMAS[0]) if few else (PENALTIES[-1], GAMMAS[0])
        return SvmRecipe(searched_sets(data)[0], self._targets()[0], c, gamma)

    def search(self, data: TrainingSet) -> SvmRecipe:
        """The recipe to take: from a coarse grid, then, with few inputs, other inputs and shares.

        The grid is coarse and the folds are many because a fine grid finds the luckiest recipe.
        """
        kinds = searched_sets(data)
        few = len(data) < FEW
        data = some_of(data, MOST_SEARCHED, self.seed)
        folds = search_folds(data, self.seed)
        if not folds:
            return SvmRecipe("features", self._targets()[-1], 10.0, 1.0)
        targets = self._targets() if few else self._targets()[:1]
        search = _Search(
            [_Trial(data, fold, kinds, targets, self.seed) for fold in folds], len(data)
        )
        slack = few or not self.weighted  # labels have the noise of what they were taken from
        grid = product(FEW_PENALTIES, FEW_GAMMAS) if slack else product(PENALTIES, GAMMAS)
        best = search.best_of([SvmRecipe(kinds[-1], targets[0], c, gamma) for c, gamma in grid])
        return search.best_of(
            [replace(best, inputs=kind, target=target) for kind, target in product(kinds, targets)]
        )

    def _targets(self) -> tuple[Target, ...]:
        return ("smoothed", "measured") if self.weighted else ("labels",)


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
        self,
        data: TrainingSet,
        fold: Indices,
        kinds: Sequence[InputSet],
        targets: Sequence[Target],
        seed: int,
    ) -> None:
        rest = data.rows(rest_of(data, fold))
        kept = data.rows(fold)
        self._shares = labelled_shares(kept) if targets == ("labels",) else judged_shares(kept)
        self._targets = {target: target_of(rest, target, seed) for target in targets}
        self._variants = {target: classes_of(rest, target) for target in targets}
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
        target = self._targets[recipe.target]
        variants = self._variants[recipe.target]
        svm = train_pairs(seen, target, variants, c=recipe.c, gamma=recipe.gamma)
        return float(share_of(self._shares, svm.choose(unseen)).sum()), svm.distinct_vectors()
