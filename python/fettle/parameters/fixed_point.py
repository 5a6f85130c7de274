"""What is deployed: a model of points, one point, the variants at their defaults, or nothing.

A model among many points that are nearly equal costs features and time, and gains chance. So it has
to beat one point on inputs that neither was chosen by. But of few inputs the best fixed point is
chance as well: where neither is surely better than the default, the program goes on as untuned.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from fettle.classifiers.judging import folds_of, rest_of
from fettle.classifiers.regret import Indices, best_fixed
from fettle.data.training_set import TrainingSet
from fettle.model.model import Model
from fettle.model.trees import TreePredictor, one_leaf
from fettle.search.variant_space import VariantSpace, family_of
from fettle.training.standing import Weights, equal_weights
from fettle.training.trainer import Judged

# A model has to improve the mean share of best by this much; measurements are not more accurate.
WORTH = 0.01
CONFIDENCE = 0.975
"""That what is deployed is better than the program untuned."""


def best_of(
    candidates: Sequence[tuple[Model, Judged]], calls: int, weights: Weights | None = None
) -> tuple[Model, Judged]:
    """Of some candidates the last that is ahead by `WORTH` of the one that was kept before it.

    All are judged on the same inputs; `weights` say how many inputs each of these stands for.
    """
    model, judged = candidates[0]
    for other, its in candidates[1:]:
        mean, _ = gain_of(its, judged, calls, weights)
        if mean > WORTH:
            model, judged = other, its
    return model, judged


def surely_better(model: Judged, other: Judged, calls: int, weights: Weights | None = None) -> bool:
    """Whether a model's mean share of best is ahead by `WORTH`, and by more than chance.

    By Student's t: of few inputs the standard error itself is uncertain.
    """
    from scipy.special import stdtrit

    mean, error = gain_of(model, other, calls, weights)
    errors = float(stdtrit(max(len(model.chosen) - 1, 1), CONFIDENCE))
    return mean > max(WORTH, errors * error)


def gain_of(
    model: Judged, other: Judged, calls: int, weights: Weights | None = None
) -> tuple[float, float]:
    """By how much a model's mean share of best is ahead, and the standard error of that.

    Both are judged on the same inputs. `calls` is over how many calls a selection's features are
    spread; 0: they are not charged. With weights the error is that of as many inputs as weigh
    equally (Kish's effective sample size).
    """
    gain = model.shares(calls) - other.shares(calls)
    weight = equal_weights(len(gain)) if weights is None else weights
    mean = float(weight @ gain)
    return mean, math.sqrt(float(weight @ (gain - mean) ** 2) * float(weight @ weight))


def decision_folds(data: TrainingSet, seed: int) -> list[Indices]:
    """The folds that what is deployed is decided on; of few inputs each call is one by itself."""
    if folds := folds_of(data, seed):
        return folds
    return [np.array([row], dtype=np.intp) for row in range(len(data))] if len(data) > 1 else []


def fixed_by_folds(data: TrainingSet, seed: int, weights: Weights | None = None) -> Judged | None:
    """The best fixed point of the other folds, for each fold; None: there is one input only."""
    folds = decision_folds(data, seed)
    if not folds:
        return None
    chosen = np.zeros(len(data), dtype=np.intp)
    for fold in folds:
        chosen[fold] = _best_fixed(data, rest_of(data, fold), weights)
    return Judged(data, chosen, np.zeros(len(data)))


def fixed_models(
    model: Model,
    data: TrainingSet,
    seed: int,
    spaces: Mapping[str, VariantSpace],
    weights: Weights | None = None,
) -> tuple[tuple[Indices, Model], ...]:
    """The models that `fixed_by_folds` stands for: each chooses for a fold that it has not seen."""
    return tuple(
        (fold, always_one(model, data.variants[_best_fixed(data, rest, weights)], spaces))
        for fold in decision_folds(data, seed)
        for rest in (rest_of(data, fold),)
    )


def always(data: TrainingSet, point: str) -> Judged:
    """One class of the table for each of its inputs."""
    index = data.variants.index(point)
    return Judged(data, np.full(len(data), index, dtype=np.intp), np.zeros(len(data)))


def works(data: TrainingSet, point: str) -> bool:
    """Whether a class of the table may be chosen: on some input it has a cost."""
    return bool(np.isfinite(data.costs[:, data.variants.index(point)]).any())


def best_point(data: TrainingSet, weights: Weights | None = None) -> str:
    """The class with the best mean share of best."""
    return data.variants[_best_fixed(data, np.arange(len(data), dtype=np.intp), weights)]


def _best_fixed(data: TrainingSet, rows: Indices, weights: Weights | None) -> int:
    return best_fixed(data.rows(rows), None if weights is None else weights[rows])


def always_one(model: Model, point: str, spaces: Mapping[str, VariantSpace]) -> Model:
    """A model that is deployed as `model` is, and chooses one class of the table.

    `model` selects a class of the table, or a variant whose refinement then selects its point.
    """
    facts = model.provenance | {"parameters": f"{point} always"}
    if point in model.variants:
        return replace(
            model,
            inputs=(),
            predictor=_constant(model.variants, point),
            refinements={},
            provenance=facts,
        )
    family = family_of(point, spaces)
    below = {}
    if point != spaces[family].default_name:
        refining = model.refinements[family]
        predictor = _constant(refining.variants, point)
        below = {family: replace(refining, inputs=(), predictor=predictor)}
    return replace(
        model,
        inputs=(),
        predictor=_constant(model.variants, family),
        refinements=below,
        provenance=facts,
    )


def _constant(classes: tuple[str, ...], chosen: str) -> TreePredictor:
    """A tree of one leaf."""
    index = classes.index(chosen)
    return one_leaf([float(k != index) for k in range(len(classes))])
