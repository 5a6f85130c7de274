"""From measurements to a judged model: feature selection, the fit, choices on inputs not seen."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from fettle.core.wording import counted, counted_are
from fettle.data.training_set import TrainingSet, TrainingWarning
from fettle.data.tuning_result import Evaluation, FeatureCurve
from fettle.model.model import Model
from fettle.training.feature_selection import select_features
from fettle.training.trainer import Judged, Learned, Trainer

Say = Callable[[str], None]


@dataclass(frozen=True)
class Trained:
    """A model, how good it is, and the features that were worth their time."""

    model: Model
    evaluation: Evaluation | None  # None: too few inputs to judge it
    judged: Judged | None
    curve: FeatureCurve | None
    learned: Learned | None = None  # how the model came about; folds are fitted alike


def train(
    trainer: Trainer,
    data: TrainingSet,
    test: TrainingSet | None,
    *,
    feature_selection: bool,
    say: Say,
    warn: Say,
) -> Trained:
    """Trains on `data`; judges by `test`, or where there is none by cross-validation.

    `say` hears of progress, `warn` of what the user should know.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TrainingWarning)  # folds would repeat them
        curve = select_features_of(trainer, data, say, warn) if feature_selection else None
        kept = None if curve is None else curve.kept
        say(f"training on {counted(len(data), 'input')}")
        learned = _learn(trainer, data, kept, warn)
        model = learned.model
        if test is not None and len(test):
            judged: Judged | None = trainer.judge(model, test)
        else:
            judged = trainer.cross_validate(data, kept, learned)
    if judged is None:
        warn(f"{counted_are(len(data), 'input')} too few to judge the model")
        return Trained(model, None, None, curve, learned)
    how: Literal["held-out", "cross-validated"]
    how = "cross-validated" if judged.data is data else "held-out"
    evaluation = Evaluation(how, judged.charged(), judged.chosen)
    return Trained(model, evaluation, judged, curve, learned)


def _learn(trainer: Trainer, data: TrainingSet, kept: tuple[str, ...] | None, warn: Say) -> Learned:
    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always", TrainingWarning)
        learned = trainer.learn(data, kept)
    for warning in raised:
        warn(str(warning.message))
    return learned


def select_features_of(
    trainer: Trainer, data: TrainingSet, say: Say, warn: Say
) -> FeatureCurve | None:
    """The features that are worth their time; None with too few inputs to judge."""
    if data.cost_seconds is None:
        warn(
            "feature selection does not charge the features' time: the metric is what the variants "
            "return, which may be no seconds (with metric='elapsed' it is)"
        )
    curve = select_features(trainer, data, tell=say)
    if curve is None:
        warn("feature selection needs features and at least 6 inputs; all features are kept")
    return curve
