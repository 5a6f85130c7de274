"""Two levels of models: one selects the variant, and for each variant one selects its point.

(Dissertation 7.2.1, multilevel search.) Both learn from one table, whose classes are variants
and points; a variant costs what its best point costs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from fettle.classifiers.judging import rest_of
from fettle.classifiers.regret import Indices
from fettle.data.preference import first_best
from fettle.data.training_set import Floats, TrainingSet
from fettle.model.model import Model
from fettle.parameters.fixed_point import decision_folds
from fettle.search.variant_space import VariantSpace, family_of
from fettle.training.judged_points import judge_points
from fettle.training.trainer import Judged, Learned, Trainer

# On inputs where a variant is this much slower than the best, its points are not learned from.
HOPELESS = 2.0
# With fewer inputs than this left, all are learned from.
FEW = 4


@dataclass(frozen=True)
class Levels:
    """The classes of each variant: its points, or the variant itself if it has no parameters."""

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
        best = [_best_point(data.only(names)) for names in self.families.values()]
        default = next((f for f, names in self.families.items() if data.default in names), None)
        # The fewest failures of a point: the lower level can choose that point.
        failed = [min(data.only(names).failed_on, default=0) for names in self.families.values()]
        return replace(
            data,
            variants=tuple(self.families),
            costs=np.column_stack([costs for costs, _ in best]),
            spread=None if data.spread is None else np.column_stack([its for _, its in best]),
            default=default,
            failed_on=tuple(failed),
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


def _best_point(family: TrainingSet) -> tuple[Floats, Floats]:
    """What the best point of a variant costs on each input, and the spread of that."""
    best = first_best(-family.costs, family.preference)[:, None]
    spread = np.full(family.costs.shape, np.nan) if family.spread is None else family.spread
    return (
        np.take_along_axis(family.costs, best, axis=1)[:, 0],
        np.take_along_axis(spread, best, axis=1)[:, 0],
    )


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


def learn_levels(
    trainer: Trainer,
    data: TrainingSet,
    spaces: Mapping[str, VariantSpace],
    kept: tuple[str, ...] | None,
) -> tuple[Model, Judged | None]:
    """Both levels, learned of `data`, of variants and points, with choices on inputs not seen.

    `kept`: the features that are learned from; None: all.
    """
    levels = Levels.of(data.variants, spaces)
    fit = _Fit(
        trainer.learn_undecided(levels.variants(data), kept),
        {
            family: trainer.learn_undecided(levels.points(data, family), kept)
            for family in levels.refined(data)
        },
    )
    # All of `data` is in the region of the model that is deployed: no fold gets the default there.
    judging = replace(trainer, guarded=False)
    return fit.model(spaces), _cross_validated(judging, data, levels, fit, kept, spaces)


def learn_defaults(
    trainer: Trainer,
    data: TrainingSet,
    spaces: Mapping[str, VariantSpace],
    kept: tuple[str, ...] | None,
) -> tuple[Model, Judged] | None:
    """The upper level alone: the variants at their defaults, judged against all points.

    None where there is nothing else to choose among, or none of them works on some input.
    """
    defaults = _defaults(data, spaces)
    shown = data.only(defaults)
    works = np.isfinite(shown.costs).any(axis=1).all()
    if len(defaults) in (1, len(data.variants)) or not works:
        return None
    model, judged = learn_levels(trainer, shown, spaces, kept)
    if judged is None:
        return None
    indices = np.array([data.variants.index(name) for name in defaults], dtype=np.intp)
    return model, Judged(data, indices[judged.chosen], judged.feature_seconds)


def best_defaults(data: TrainingSet, spaces: Mapping[str, VariantSpace]) -> Judged:
    """The best variant at its defaults on each input: no model of them does better."""
    indices = np.array([data.variants.index(name) for name in _defaults(data, spaces)])
    chosen: Indices = indices[data.costs[:, indices].argmin(axis=1)]
    return Judged(data, chosen, np.zeros(len(data)))


def _defaults(data: TrainingSet, spaces: Mapping[str, VariantSpace]) -> list[str]:
    """The classes that are variants without parameters, or with these at their defaults."""
    families = {name: family_of(name, spaces) for name in data.variants}
    return [n for n, f in families.items() if f not in spaces or n == spaces[f].default_name]


def _cross_validated(
    trainer: Trainer,
    data: TrainingSet,
    levels: Levels,
    fit: _Fit,
    kept: tuple[str, ...] | None,
    spaces: Mapping[str, VariantSpace],
) -> Judged | None:
    folds = decision_folds(data, trainer.seed + 1)
    if not folds:
        return None
    chosen = np.zeros(len(data), dtype=np.intp)
    seconds = np.zeros(len(data))
    models = []
    for fold in folds:
        rest = data.rows(rest_of(data, fold))
        below = {
            family: trainer.fit_like(levels.points(rest, family), kept, fit.below.get(family))
            for family in levels.refined(rest)
        }
        upper = trainer.fit_like(levels.variants(rest), kept, fit.top)
        models.append((fold, _joined(upper, below, spaces)))
        part = judge_points(trainer, models[-1][1], data.rows(fold), spaces)
        chosen[fold] = part.chosen
        seconds[fold] = part.feature_seconds
    return Judged(data, chosen, seconds, folds=tuple(models))


def _joined(upper: Model, below: Mapping[str, Model], spaces: Mapping[str, VariantSpace]) -> Model:
    return replace(
        upper,
        parameters={variant: space.values for variant, space in spaces.items()},
        refinements={family: replace(one, guard=None) for family, one in below.items()},
    )
