"""Models of objectives where variants have parameters: of points that were measured anyway.

The search went by the first objective. The others choose among all points that it has measured, and
nothing is run for them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from fettle.data.score import Score
from fettle.model.model import Model
from fettle.model.never_chosen import never_choosing
from fettle.objectives.trade_off import TradeOff, trade_off
from fettle.training.failed import FailedVariants
from fettle.training.judged_points import choose_points
from fettle.training.measurements import Measurements
from fettle.training.objective_models import ObjectiveModel, ObjectiveModels, marked
from fettle.training.objectives import FunctionObjectives, by_objective
from fettle.training.program import Input
from fettle.training.tables import Tables
from fettle.training.trainer import Trainer


@dataclass(frozen=True)
class PointObjectives:
    """Trains the objectives of one function whose variants have parameters."""

    measurements: Measurements
    tables: Tables
    trainer: Trainer
    inputs: Sequence[Input]
    withheld: Collection[str]

    def trained(
        self,
        wanted: FunctionObjectives,
        model: Model,
        score: Score | None,
        failed: FailedVariants,
    ) -> ObjectiveModels:
        """The models of all objectives; `model` and `score` are those of the first."""
        measurer = self.measurements.measurer
        found = [ObjectiveModel(wanted.first, marked(model, wanted.first), score, None)]
        may_measure, measurer.may_measure = measurer.may_measure, False
        try:
            for objective in wanted.objectives[1:]:
                self.measurements.go_by(objective)
                found.append(ObjectiveModel(objective, *self._learned(failed), None))
            found[1:] = [
                one
                if one.model is None
                else ObjectiveModel(
                    one.objective, marked(one.model, one.objective), one.score, one.costs
                )
                for one in found[1:]
            ]
            measurer.view = None
            return ObjectiveModels(tuple(found), self._trade_off(wanted, found, failed))
        finally:
            measurer.may_measure = may_measure
            self.measurements.go_by(None)

    def _learned(self, failed: FailedVariants) -> tuple[Model | None, Score | None]:
        """A model by the objective that the measurer shows costs of."""
        parameters = self.measurements.parameters
        assert parameters is not None
        parameters.explore(self.inputs, quiet=True)
        classes = parameters.complete(self.inputs, [], self.tables.failed)
        data = parameters.table_of(self.inputs, classes, failed, level=True).data
        if not len(data):
            return None, None
        trained = parameters.learning.train(self.trainer, data, None, feature_selection=False)
        score = None if trained.judged is None else trained.judged.score()
        return never_choosing(trained.model, self.withheld), score

    def _trade_off(
        self, wanted: FunctionObjectives, found: Sequence[ObjectiveModel], failed: FailedVariants
    ) -> TradeOff:
        """Of all variants and points that some model may choose."""
        parameters = self.measurements.parameters
        assert parameters is not None
        names: dict[str, None] = dict.fromkeys(self.tables.offer.variants)
        for one in found:
            for model in () if one.model is None else (one.model, *one.model.refinements.values()):
                names |= dict.fromkeys(n for n in model.variants if n not in parameters.spaces)
        table = parameters.table_of(self.inputs, tuple(names), failed)
        runs = by_objective(
            wanted.first, wanted.metrics, table, self.tables.offer, self.tables.known(self.inputs)
        ).runs
        index = {name: k for k, name in enumerate(runs.variants)}
        chosen = {
            one.objective.name: np.array(
                [
                    index[name]
                    for name in choose_points(
                        self.trainer, one.model, table.data.values, parameters.spaces
                    )
                ],
                dtype=np.intp,
            )
            for one in found
            if one.model is not None
        }
        objectives = [one for one in wanted.objectives if one.function is None]
        return trade_off(runs, objectives, chosen)
