"""Trains and judges models for one program, by the very code that will select with them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fettle.classifiers.base import CALLS, Classifier, Fit, SearchingClassifier
from fettle.classifiers.constant import Constant
from fettle.classifiers.judging import folds_of, judge, rest_of
from fettle.classifiers.regret import Indices
from fettle.core.native import native
from fettle.data.score import Score
from fettle.data.training_set import TrainingSet
from fettle.model.model import Model
from fettle.model.model_directory import write_model
from fettle.training.next_best import costs_of_calls
from fettle.training.scratch import scratch_folder

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Judged:
    """Choices on inputs that the choosing model was not fitted on."""

    data: TrainingSet
    chosen: Indices
    feature_seconds: Floats  # of the features that the choosing model evaluates, one an input
    costs: Floats | None = None  # of the calls, one an input; None: those of the chosen variants
    folds: tuple[tuple[Indices, Model], ...] = ()
    """Which model chose for which inputs, in cross-validation; empty: one for all."""

    def shares(self, calls: int = 0) -> Floats:
        """Share of best on each input; with the features' time charged to so many calls, if any."""
        extra = self.feature_seconds / calls if calls else 0.0
        cost = self.charged().costs[np.arange(len(self.chosen)), self.chosen] + extra
        share: Floats = self.data.costs.min(axis=1) / cost
        return share

    def charged(self) -> TrainingSet:
        """The data with what the calls cost, where that is not the chosen variant's cost."""
        if self.costs is None:
            return self.data
        table = self.data.costs.copy()
        table[np.arange(len(self.chosen)), self.chosen] = self.costs
        return replace(self.data, costs=table)

    def against(self, whole: TrainingSet) -> Judged:
        """The same choices judged against all variants of `whole`.

        `whole` has the inputs and the variants of the data among its own.
        """
        if self.data.variants == whole.variants:
            return self
        indices = {name: index for index, name in enumerate(whole.inputs)}
        variant = [whole.variants.index(name) for name in self.data.variants]
        return Judged(
            whole.rows([indices[name] for name in self.data.inputs]),
            np.array([variant[choice] for choice in self.chosen], dtype=np.intp),
            self.feature_seconds,
            self.costs,
        )

    def share_of_best(self, calls: int = 0) -> float:
        """The mean of `shares`."""
        return float(self.shares(calls).mean())

    def score(self) -> Score:
        """All of what the shares say."""
        shares = self.shares()
        return Score.of("chosen", shares, shares == 1.0)


@dataclass(frozen=True)
class Learned:
    """A model with its cross-validated score; None where there are too few inputs for one."""

    model: Model
    score: Score | None
    net: float  # mean share of best with the time of a selection charged; 0 without a score
    fit: Fit | None = None  # how the classifier came to it


@dataclass(frozen=True)
class Trainer:
    """A classifier with what else decides in deployment.

    With `guarded` the default variant runs on inputs outside the trained region, else the model
    decides there too. Classifiers' warnings are left to the caller (`warnings`).
    """

    classifier: Classifier
    guarded: bool = True
    seed: int = 0

    def fit(self, data: TrainingSet, features: tuple[str, ...] | None = None) -> Model:
        """A model for a program that hands over all features of `data`, trained on `features`."""
        model = self.classifier.fit(data if features is None else columns(data, features))
        return replace(model, features=data.features)

    def learn(
        self,
        data: TrainingSet,
        features: tuple[str, ...] | None = None,
        like: Learned | None = None,
    ) -> Learned:
        """A model as of `fit`, with its own cross-validated score.

        With `like` the parameters found then are kept: much faster than a new search, and as good
        while the data are nearly the same.
        """
        shown = data if features is None else columns(data, features)
        if not isinstance(self.classifier, SearchingClassifier):
            return self._learn_by_folds(data, features)
        if like is None or like.fit is None or isinstance(like.fit.searched.recipe, Constant):
            fit = self.classifier.fit_and_judge(shown)
            model, judged = fit.model, fit.chosen
        else:
            fit, chosen = like.fit, like.fit.searched
            judged = judge(
                chosen.classifier,
                chosen.recipe,
                self.classifier.weighed(shown),
                self.classifier.calls,
                self.classifier.seed,
            )
            model = replace(
                fit.model, inputs=judged.fitted.inputs, predictor=judged.fitted.predictor
            )
        return Learned(replace(model, features=data.features), judged.score, judged.net, fit)

    def learn_undecided(
        self, data: TrainingSet, features: tuple[str, ...] | None = None
    ) -> Learned:
        """The best model that was found, though one variant always may be as good.

        For callers that decide it for several models together: with few inputs each, every single
        model would end as one variant always, for lack of evidence.
        """
        learned = self.learn(data, features)
        if learned.fit is None:
            return learned
        fit = replace(learned.fit, chosen=learned.fit.searched)
        fitted = fit.chosen.fitted
        model = replace(learned.model, inputs=fitted.inputs, predictor=fitted.predictor)
        return Learned(model, fit.chosen.score, fit.chosen.net, fit)

    def _learn_by_folds(self, data: TrainingSet, features: tuple[str, ...] | None) -> Learned:
        model, judged = self.fit(data, features), self.cross_validate(data, features)
        if judged is None:
            return Learned(model, None, 0.0)
        charged = 0 if data.cost_seconds is None else self.calls
        return Learned(model, judged.score(), judged.share_of_best(charged))

    def choose(self, model: Model, values: Floats) -> Indices:
        """The variant that the deployed model selects for each row of feature values."""
        return self.chooser(model)(values)

    def chooser(self, model: Model) -> Callable[[Floats], Indices]:
        """`choose` for a model that is asked several times: it is loaded once."""
        shown = model if self.guarded else replace(model, guard=None)
        with scratch_folder() as folder:
            write_model(folder, shown)
            deployed = native().Model(str(folder))
        return lambda values: np.asarray(deployed.select_many(values)[0], dtype=np.intp)

    def judge(self, model: Model, data: TrainingSet) -> Judged:
        """What a model chooses for inputs that it was not fitted on."""
        chosen = self.choose(model, data.values)
        costs = None if data.lost_seconds is None else costs_of_calls(model, data, chosen)
        return Judged(data, chosen, data.evaluation_seconds(used_features(model)), costs)

    def cross_validate(
        self,
        data: TrainingSet,
        features: tuple[str, ...] | None = None,
        like: Learned | None = None,
    ) -> Judged | None:
        """Each fold chosen for by a model fitted on the others; None: too few inputs to do so.

        With `like` its parameters are kept, which saves a search a fold; the folds are not those
        that the search has seen.
        """
        folds = folds_of(data, self.seed + 1)
        if not folds:
            return None
        chosen = np.zeros(len(data), dtype=np.intp)
        seconds, costs = np.zeros(len(data)), np.zeros(len(data))
        models = []
        for fold in folds:
            model = self.fit_like(data.rows(rest_of(data, fold)), features, like)
            models.append((fold, model))
            part = self.judge(model, data.rows(fold))
            chosen[fold] = part.chosen
            seconds[fold] = part.feature_seconds
            costs[fold] = 0.0 if part.costs is None else part.costs
        charged = None if data.lost_seconds is None else costs
        return Judged(data, chosen, seconds, charged, tuple(models))

    def fit_like(
        self, data: TrainingSet, features: tuple[str, ...] | None, like: Learned | None
    ) -> Model:
        """A model as of `fit`, with the parameters found for `like` where there is one."""
        if like is None or like.fit is None or not isinstance(self.classifier, SearchingClassifier):
            return self.fit(data, features)
        shown = self.classifier.weighed(data if features is None else columns(data, features))
        fitted = like.fit.chosen.recipe.train(shown, self.classifier.seed)
        model = replace(like.fit.model, inputs=fitted.inputs, predictor=fitted.predictor)
        return replace(model, features=data.features)

    @property
    def calls(self) -> int:
        """How many calls of the function share one selection when its time is charged."""
        return getattr(self.classifier, "calls", CALLS)


def used_features(model: Model) -> set[str]:
    """The features that a model evaluates in deployment."""
    inputs = (*model.inputs, *(model.errors.inputs if model.errors is not None else ()))
    used = {entry.feature for entry in inputs}
    for refinement in model.refinements.values():
        used |= used_features(refinement)
    return used | {entry.divisor for entry in inputs if entry.divisor is not None}


def columns(data: TrainingSet, features: tuple[str, ...]) -> TrainingSet:
    """A training set with some of its features only."""
    indices = [data.features.index(name) for name in features]
    return replace(
        data,
        features=features,
        values=data.values[:, indices],
        feature_seconds=data.feature_seconds[indices],
        feature_times=None if data.feature_times is None else data.feature_times[:, indices],
    )
