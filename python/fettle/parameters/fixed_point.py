"""One point for all inputs, where no model is surely better.

A model among many points that are nearly equal costs features and time, and gains chance. So it has
to beat the best fixed point on inputs that neither was chosen by, and by more than chance.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from fettle.classifiers.constant import Constant
from fettle.classifiers.judging import folds_of, rest_of
from fettle.classifiers.regret import best_fixed, shares_of
from fettle.model import Model
from fettle.parameters.space import VariantSpace, family_of
from fettle.predictor_text import TreePredictor
from fettle.training.trainer import Judged, Trainer
from fettle.training_set import TrainingSet

# A model has to bring the mean share of best forward by this: measuring is no surer.
WORTH = 0.01


def model_or_fixed(
    trainer: Trainer,
    model: Model,
    data: TrainingSet,
    judged: Judged | None,
    spaces: Mapping[str, VariantSpace],
) -> tuple[Model, Judged | None]:
    """The model, or one point always, with how it does on inputs that were not learned from.

    `judged` is the model cross-validated; None, and the model stays, with too few inputs for that.
    """
    if judged is None:
        return model, None
    fixed = fixed_by_folds(data, trainer.seed + 1)
    assert fixed is not None  # there were folds to judge the model
    calls = 0 if data.cost_seconds is None else trainer.calls
    if surely_better(judged, fixed, calls):
        return model, judged
    return always_one(model, data, spaces), fixed


def fixed_by_folds(data: TrainingSet, seed: int) -> Judged | None:
    """The best fixed point of the other folds, for each fold; None: too few inputs for folds."""
    folds = folds_of(data, seed)
    if not folds:
        return None
    chosen = np.zeros(len(data), dtype=np.intp)
    for fold in folds:
        chosen[fold] = best_fixed(shares_of(data.rows(rest_of(data, fold))))
    return Judged(data, chosen, np.zeros(len(data)))


def surely_better(model: Judged, fixed: Judged, calls: int) -> bool:
    """Whether a model's mean share of best is ahead by `WORTH`, and by its standard error.

    Both are judged on the same inputs. `calls` is over how many calls a selection's features are
    spread; 0: they are not charged.
    """
    gain = model.shares(calls) - fixed.shares(calls)
    return float(gain.mean()) > max(WORTH, float(gain.std()) / math.sqrt(len(gain)))


def always_one(model: Model, data: TrainingSet, spaces: Mapping[str, VariantSpace]) -> Model:
    """A model that is deployed as `model` is, and chooses the best fixed class of `data`.

    `model` selects a class of the table, or a variant whose refinement then selects its point.
    """
    point = data.variants[best_fixed(shares_of(data))]
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
    place = classes.index(chosen)
    return Constant(place, tuple(float(k != place) for k in range(len(classes)))).predictor
