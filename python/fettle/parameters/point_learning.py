"""Learns which variant to run at which point of its parameters, or that one point is best always.

The ways of dissertation 7.2.1 to learn; what was measured for that is tuning.py's.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from fettle.classifiers.judging import folds_of
from fettle.core.wording import counted, counted_are
from fettle.data.training_set import TrainingSet, TrainingWarning
from fettle.data.tuning_result import Evaluation, FeatureCurve
from fettle.model.model import Model
from fettle.parameters.fixed_point import (
    WORTH,
    always,
    always_one,
    best_of,
    best_point,
    fixed_by_folds,
    fixed_models,
    gain_of,
    surely_better,
    works,
)
from fettle.parameters.levels import (
    Levels,
    best_defaults,
    learn_defaults,
    learn_levels,
)
from fettle.search.variant_space import VariantSpace
from fettle.training.judged_points import judge_points
from fettle.training.standing import Weights, weights_of
from fettle.training.train import Trained, select_features_of
from fettle.training.trainer import Judged, Trainer


@dataclass(frozen=True)
class PointLearning:
    """Trains the models of one function, its variants' parameters in `spaces`."""

    way: str  # of ParameterSearch
    spaces: dict[str, VariantSpace]
    say: Callable[[str], None]
    warn: Callable[[str], None]

    def train(
        self,
        trainer: Trainer,
        data: TrainingSet,
        test: TrainingSet | None,
        *,
        feature_selection: bool,
        standing: Mapping[str, float] | None = None,
    ) -> Trained:
        """Models of the classes of `data`, or what is simpler where they are not surely better.

        `standing`: how many inputs each of the measured ones stands for; None: for itself.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TrainingWarning)  # folds would repeat them
            curve = self._feature_curve(trainer, data) if feature_selection else None
            kept = None if curve is None else curve.kept
            self.say(f"training on {counted(len(data), 'input')}")
            model, judged = self._decided(trainer, data, kept, weights_of(data, standing))
        if test is not None and len(test):
            judged = judge_points(trainer, model, test, self.spaces)
        elif not folds_of(data, trainer.seed):
            judged = None  # enough to decide by, not to claim a share of best
        if judged is None:
            self.warn(f"{counted_are(len(data), 'input')} too few to judge the model")
            return Trained(model, None, None, curve)
        how: Literal["held-out", "cross-validated"]
        how = "cross-validated" if judged.data is data else "held-out"
        return Trained(model, Evaluation(how, judged.data, judged.chosen), judged, curve)

    def _decided(
        self,
        trainer: Trainer,
        data: TrainingSet,
        kept: tuple[str, ...] | None,
        weights: Weights | None,
    ) -> tuple[Model, Judged | None]:
        """One point always, a model of points, or the variants at their defaults: what is best.

        The default always, where that is not surely better.
        """
        if self.way == "variants":
            learned = trainer.learn_undecided(data, kept)
            model = self._with_parameters(learned.model)
            judged = replace(trainer, guarded=False).cross_validate(data, kept, learned)
        else:
            model, judged = learn_levels(trainer, data, self.spaces, kept)
        fixed = fixed_by_folds(data, trainer.seed + 1, weights)
        if judged is None or fixed is None:  # of one input what is best there is all that is known
            return model, None
        one = always_one(model, best_point(data, weights), self.spaces)
        models = fixed_models(model, data, trainer.seed + 1, self.spaces, weights)
        fixed = replace(fixed, folds=models)
        calls = 0 if data.cost_seconds is None else trainer.calls
        best, its = best_of([(one, fixed), (model, judged)], calls, weights)
        if gain_of(best_defaults(data, self.spaces), its, calls, weights)[0] > WORTH:
            at_defaults = learn_defaults(trainer, data, self.spaces, kept)
            candidates = [(best, its), *([at_defaults] if at_defaults else [])]
            best, its = best_of(candidates, calls, weights)
        if data.default is not None and works(data, data.default):
            untuned = always(data, data.default)
            if not surely_better(its, untuned, calls, weights):
                return always_one(model, data.default, self.spaces), untuned
        return best, its

    def _feature_curve(self, trainer: Trainer, data: TrainingSet) -> FeatureCurve | None:
        every = self.way == "variants"
        shown = data if every else Levels.of(data.variants, self.spaces).variants(data)
        return select_features_of(trainer, shown, self.say, self.warn)

    def _with_parameters(self, model: Model) -> Model:
        values = {variant: space.values for variant, space in self.spaces.items()}
        return replace(model, parameters=values)
