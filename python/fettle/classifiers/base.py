"""What every classifier is: `fit` gives a Model, `fit_and_judge` says besides how good it is.

A classifier searches among recipes (a way to train with all parameters fixed) by cross-validation,
and judges the one it takes on folds that the search has not seen.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from fettle.classifiers.constant import Constant, always_the_best, always_the_default
from fettle.classifiers.judging import MANY, Judged, Recipe, best_or_faster, judge, some_of
from fettle.classifiers.provenance import provenance_of
from fettle.classifiers.regret import best_fixed, contenders, shares_of
from fettle.classifiers.scaling import tells_apart, warn_of_features
from fettle.classifiers.selection_cost import selection_seconds
from fettle.core.errors import FettleError
from fettle.core.numbers import is_number, is_whole
from fettle.core.scikit_learn import without_checks
from fettle.core.wording import counted
from fettle.data.score import Score
from fettle.data.training_set import Floats, TrainingSet, TrainingWarning
from fettle.model.model import Model

GUARD = 0.25
CALLS = 100
TYPICAL = 1000  # of many inputs: they say how long a selection takes
LITTLE = 0.05
"""Mean share of best that a model could gain at most, and that too few inputs do not prove."""


class Classifier(Protocol):
    """Learns from a training set which variant to choose."""

    def fit(self, data: TrainingSet) -> Model:
        """A model for `data`. Raises FettleError if there is nothing to learn from."""
        ...


@dataclass(frozen=True)
class Fit:
    """A model, and why it is this one."""

    model: Model
    chosen: Judged
    compared: tuple[Judged, ...]
    fixed: Score
    """The best fixed variant on the training inputs."""
    calls: int
    left_out: tuple[tuple[str, str], ...] = ()
    """Kinds that were not trained, and why."""

    @property
    def searched(self) -> Judged:
        """The best of the models that were compared, though it may be no better than no model."""
        return best_or_faster(self.compared)


class SearchingClassifier(ABC):
    """The common part of all classifiers.

    - `guard`: how far outside the training range of an input, as a fraction of it, the model is
      still trusted; None: everywhere.
    - `calls`: over how many calls of the function one selection (with its features) is spread when
      its time is charged.
    - `failure_regret`: what it loses to choose a variant that runs without a result, as a solver
      does that diverges, in shares of best: 1 is as much as a variant that is infinitely slow; with
      more, a variant that may have none is not chosen for a small gain.
    - `seed`: folds and forests depend on it; the same seed and data give the same model.
    """

    def __init__(
        self,
        *,
        guard: float | None = GUARD,
        calls: int = CALLS,
        failure_regret: float = 1.0,
        seed: int = 0,
    ) -> None:
        if guard is not None and not (is_number(guard) and guard >= 0):
            raise FettleError(f"guard must be a fraction >= 0 of the trained range, not {guard!r}")
        if not is_whole(calls, 1):
            raise FettleError(f"calls must be a whole number from 1 on, not {calls!r}")
        if not (is_number(failure_regret) and failure_regret >= 1):
            raise FettleError(f"failure_regret must be a number >= 1, not {failure_regret!r}")
        self.guard = guard
        self.calls = calls
        self.failure_regret = failure_regret
        self.seed = seed
        self.tell: Callable[[str], None] = lambda _: None
        """Is called with what is being trained, where that takes long."""
        self._left_out: list[tuple[str, str]] = []  # of the last call of `compare`

    def fit(self, data: TrainingSet) -> Model:
        """A model for `data`. Raises FettleError if there is nothing to learn from."""
        return self.fit_and_judge(data).model

    @without_checks()
    def fit_and_judge(self, data: TrainingSet, like: Fit | None = None) -> Fit:
        """A model with its cross-validated score, and what else was tried.

        With `like` the recipes that were found then are kept, and no others are searched: for
        other costs of the same inputs, in a fraction of the time.
        """
        if not len(data):
            raise FettleError(f"training set of {data.function}: it has no inputs")
        data = self.weighed(data.usable())
        warn_of_features(data)
        shares = shares_of(data)
        best = best_fixed(data)
        constant = self._why_constant(data)
        if constant:
            warnings.warn(
                f"{data.function}: {constant}; the model always chooses {data.variants[best]!r}",
                TrainingWarning,
                stacklevel=3,
            )
            compared: tuple[Judged, ...] = (
                judge("tree", always_the_best(data), data, self.calls, self.seed),
            )
        elif like is not None and not any(
            isinstance(one.recipe, Constant) for one in like.compared
        ):
            compared = tuple(
                judge(one.classifier, one.recipe, data, self.calls, self.seed)
                for one in like.compared
            )
        else:
            compared = self.compare(data)
        chosen = self._or_no_model(best_or_faster(compared), data)
        fixed = Score.of(data.variants[best], shares[:, best], shares[:, best] == 1)
        model = Model(
            function=data.function,
            variants=data.variants,
            features=data.features,
            inputs=chosen.fitted.inputs,
            predictor=chosen.fitted.predictor,
            default=data.default or _safest(data, shares),
            guard=self.guard,
            provenance=provenance_of(
                len(data), chosen.classifier, str(chosen.recipe), chosen.score, fixed
            ),
        )
        return Fit(model, chosen, compared, fixed, self.calls, tuple(self._left_out))

    def weighed(self, data: TrainingSet) -> TrainingSet:
        """The data with what a choice without a result loses here."""
        return replace(data, failure_regret=self.failure_regret)

    @abstractmethod
    def compare(self, data: TrainingSet) -> tuple[Judged, ...]:
        """What this classifier can make of usable data, simplest first."""

    def typical(self, data: TrainingSet) -> Recipe | None:
        """A recipe whose selections take about as long as those of the best one; None: unknown."""
        return None

    def most(self, data: TrainingSet) -> float:
        """The mean net share of best if all choices were right: what the time to select leaves."""
        recipe = self.typical(data)
        if recipe is None or data.cost_seconds is None:
            return 1.0
        # A model of fewer inputs is not slower, so this is an upper bound for one of all inputs.
        some = some_of(data, TYPICAL, self.seed) if len(data) > MANY else data
        fitted = recipe.train(some, self.seed)
        seconds = selection_seconds(fitted.inputs, fitted.predictor, data) / self.calls
        best = data.costs.min(axis=1)
        return float(np.mean(best / (best + seconds / data.cost_seconds)))

    def _or_no_model(self, found: Judged, data: TrainingSet) -> Judged:
        """One variant always, the best one or the default, where no model is surely better."""
        for one in (always_the_best(data), always_the_default(data)):
            if one is not None:
                plain = judge("tree", one, data, self.calls, self.seed)
                if found.score is None:  # too few inputs to judge by
                    if self._loses_little(one, data):
                        return plain
                elif not found.surely_better(plain):
                    found = plain
        return found

    @staticmethod
    def _loses_little(one: Constant, data: TrainingSet) -> bool:
        return float(shares_of(data)[:, one.variant].mean()) >= 1 - LITTLE

    @staticmethod
    def _why_constant(data: TrainingSet) -> str:
        """Why there is nothing to choose by or among; empty if there is."""
        if len(data.variants) == 1:
            return "there is one variant only"
        if len(data) == 1:
            return "there is one input only"
        if not tells_apart(data):
            return "no feature tells the inputs apart"
        if len(contenders(data, 0.0)) == 1:
            return f"one variant is the best on all {counted(len(data), 'input')}"
        return ""


def _safest(data: TrainingSet, shares: Floats) -> str:
    """The variant that runs on most inputs, the best of these: it has to be right for every one."""
    ran = np.isfinite(data.costs).sum(axis=0)
    index = max(range(len(data.variants)), key=lambda k: (ran[k], shares[:, k].mean()))
    name = data.variants[index]
    if ran[index] < len(data):
        first = data.inputs[int(np.flatnonzero(~np.isfinite(data.costs[:, index]))[0])]
        warnings.warn(
            f"{data.function}: no variant could run on every input (constraints, failures, "
            f"bounds); the default, {name!r}, could not on {len(data) - ran[index]} of "
            f"{len(data)}, first on {first!r}",
            TrainingWarning,
            stacklevel=2,
        )
    return name
