"""Two levels of models: one selects the variant, and for each variant one selects its point.

(Dissertation 7.2.1, multilevel search.) What is learned from is one table whose classes are
variants and points alike; a variant costs what its best point of the table does.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from fettle.classifiers.judging import folds_of, rest_of
from fettle.classifiers.regret import Indices
from fettle.model import Model
from fettle.model_directory import write_model
from fettle.parameters.chosen import chosen_names
from fettle.parameters.fixed_point import model_or_fixed
from fettle.parameters.space import VariantSpace, family_of
from fettle.training.scratch import scratch_folder
from fettle.training.train import Trained, select_features_of
from fettle.training.trainer import Judged, Learned, Trainer, used_features
from fettle.training_set import Floats, TrainingSet, TrainingWarning
from fettle.tuning_result import Evaluation

Say = Callable[[str], None]

# A variant this much slower than the best will not be selected: its points do not matter there.
HOPELESS = 2.0
# Of so few inputs nothing is learned, so all are taken.
FEW = 4


@dataclass(frozen=True)
class Levels:
    """Which classes of a table are points of which variant; those without parameters are alone."""

    families: dict[str, tuple[str, ...]]

    @staticmethod
    def of(classes: Sequence[str], spaces: Mapping[str, VariantSpace]) -> Levels:
        """The levels of some classes, families in the order of their first class."""
        families: dict[str, tuple[str, ...]] = {}
        for name in classes:
            family = family_of(name, spaces)
            families[family] = (*families.get(family, ()), name)
        return Levels(families)

    def variants(self, data: TrainingSet) -> TrainingSet:
        """The upper level: the variants, each at its best point."""
        costs = [data.only(names).costs.min(axis=1) for names in self.families.values()]
        default = next((f for f, names in self.families.items() if data.default in names), None)
        return replace(
            data, variants=tuple(self.families), costs=np.column_stack(costs), default=default
        )

    def points(self, data: TrainingSet, family: str) -> TrainingSet:
        """The lower level of a variant: its points, on the inputs where it may be selected."""
        shown = data.only(self.families[family])
        best, overall = shown.costs.min(axis=1), data.costs.min(axis=1)
        near = np.flatnonzero(np.isfinite(best) & (best <= HOPELESS * overall))
        works = np.flatnonzero(np.isfinite(best))
        return shown.rows(near if len(near) >= FEW else works)

    def refined(self, data: TrainingSet) -> list[str]:
        """The variants that have points to choose among."""
        return [
            family
            for family, names in self.families.items()
            if len(names) > 1 and len(self.points(data, family))
        ]


@dataclass(frozen=True)
class _Fit:
    """Both levels, as they were learned: what folds repeat with the same parameters."""

    top: Learned
    below: dict[str, Learned]

    def model(self, parameters: Mapping[str, VariantSpace]) -> Model:
        """The model that is deployed."""
        return _joined(
            self.top.model, {family: one.model for family, one in self.below.items()}, parameters
        )


def train_levels(
    trainer: Trainer,
    data: TrainingSet,
    test: TrainingSet | None,
    spaces: Mapping[str, VariantSpace],
    *,
    feature_selection: bool,
    say: Say,
    warn: Say,
) -> Trained:
    """Trains both levels on `data`, of variants and points; judges as `train` does."""
    levels = Levels.of(data.variants, spaces)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TrainingWarning)
        upper = levels.variants(data)
        curve = select_features_of(trainer, upper, say, warn) if feature_selection else None
        kept = None if curve is None else curve.kept
        say(f"training on {len(data)} inputs")
        fit = _Fit(
            trainer.learn(upper, kept),
            {
                family: trainer.learn(levels.points(data, family), kept)
                for family in levels.refined(data)
            },
        )
        model = fit.model(spaces)
        judged: Judged | None = _cross_validated(trainer, data, levels, fit, kept, spaces)
        model, judged = model_or_fixed(trainer, model, data, judged, spaces)
        if test is not None and len(test):
            judged = judge_levels(trainer, model, test, spaces)
    if judged is None:
        warn(f"{len(data)} inputs are too few to judge the model")
        return Trained(model, None, None, curve)
    evaluation = Evaluation(
        "cross-validated" if judged.data is data else "held-out", judged.data, judged.chosen
    )
    return Trained(model, evaluation, judged, curve)


def choose_levels(
    trainer: Trainer, model: Model, values: Floats, spaces: Mapping[str, VariantSpace]
) -> list[str]:
    """The variant, or point of one, that the deployed model selects for each row of features."""
    deployed = model if trainer.guarded else replace(model, guard=None)
    with scratch_folder() as folder:
        write_model(folder, deployed)
        names, _ = chosen_names(folder, deployed, values)
    # Unlike inputs get the default variant at its default values.
    return [spaces[name].default_name if name in spaces else name for name in names]


def judge_levels(
    trainer: Trainer, model: Model, data: TrainingSet, spaces: Mapping[str, VariantSpace]
) -> Judged:
    """What a model chooses for inputs that it was not fitted on."""
    names = choose_levels(trainer, model, data.values, spaces)
    chosen: Indices = np.array([data.variants.index(name) for name in names], dtype=np.intp)
    return Judged(data, chosen, data.evaluation_seconds(used_features(model)))


def _cross_validated(
    trainer: Trainer,
    data: TrainingSet,
    levels: Levels,
    fit: _Fit,
    kept: tuple[str, ...] | None,
    spaces: Mapping[str, VariantSpace],
) -> Judged | None:
    folds = folds_of(data, trainer.seed + 1)
    if not folds:
        return None
    chosen = np.zeros(len(data), dtype=np.intp)
    seconds = np.zeros(len(data))
    for fold in folds:
        rest = data.rows(rest_of(data, fold))
        below = {
            family: trainer.fit_like(levels.points(rest, family), kept, fit.below.get(family))
            for family in levels.refined(rest)
        }
        upper = trainer.fit_like(levels.variants(rest), kept, fit.top)
        part = judge_levels(trainer, _joined(upper, below, spaces), data.rows(fold), spaces)
        chosen[fold] = part.chosen
        seconds[fold] = part.feature_seconds
    return Judged(data, chosen, seconds)


def _joined(upper: Model, below: Mapping[str, Model], spaces: Mapping[str, VariantSpace]) -> Model:
    return replace(
        upper,
        parameters={variant: space.values for variant, space in spaces.items()},
        refinements={family: replace(one, guard=None) for family, one in below.items()},
    )
