"""What follows on training a model: it is compared, written and described; or kept as it is.

Where an earlier run came to the deployed model from the same data and options, nothing is fitted or
compared (current.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from fettle.classifiers.comparison import comparison_of
from fettle.data.training_set import TrainingSet
from fettle.data.tuning_result import Delivered, TuningResult
from fettle.model.model import Model
from fettle.model.model_directory import read_model, write_model
from fettle.model.never_chosen import never_choosing
from fettle.training.current import recall, remember, remember_inputs, trained_on
from fettle.training.deploy import Deployer
from fettle.training.evidence import Evidence
from fettle.training.expectations import with_expectations
from fettle.training.importance import importance_of
from fettle.training.objective_models import (
    ObjectiveModels,
    train_objectives,
    write_objectives,
)
from fettle.training.point_objectives import PointObjectives
from fettle.training.provenance import gain_facts, provenance_of
from fettle.training.steadiness import why_not_deployed
from fettle.training.train import Trained
from fettle.training.trainer import Judged


@dataclass(kw_only=True)
class Finish(Evidence):
    """Ends the tuning of one function."""

    deadline: float | None  # of time.monotonic
    may_be_current: bool

    def current(self) -> TuningResult | None:
        """The result where there is nothing to do: an earlier run's, with this run's effort."""
        digest = self.digest
        if not self.may_be_current or digest is None:
            return None
        outcome = recall(self.measurer.store, self.measurer.subject, self.directory)
        if outcome is None or outcome.digest != digest:
            return None
        result = self.result(read_model(self.directory), None, self.effort(0.0))
        return outcome.restored(result, self.data, self.judging)

    def deployed(self, trained: Trained, fit_seconds: float) -> TuningResult:
        """Writes the model, unless another one is better, and says what came of it."""
        measurer, directory, table, test = self.measurer, self.directory, self.table, self.test
        names = [given.name for given in self.learned_from]
        trained = replace(trained, model=never_choosing(trained.model, self.withheld()))
        fitted = trained
        measured = table.data if test is None else test  # of all variants, kept or not
        judged = _against(trained.judged, measured)
        deployer = Deployer(
            self.settings,
            measurer,
            self.trainer,
            directory,
            self.deadline,
            self.narrowed,
            self._incomparable(),
            trained_on(measurer.store, measurer.subject, directory),
            self._unmeasured(names),
        )
        unsteady = why_not_deployed(
            table.data, None if judged is None else (judged.data, judged.chosen), directory
        )
        delivered: Delivered | None = None
        if unsteady:
            measurer.warn(f"{self.function.name}: {unsteady}")
            deployer.withdraw(trained.model, table)
        else:
            trained, delivered = deployer.settle(trained, table, test)
        model = trained.model
        objectives: ObjectiveModels | None = None
        if delivered is not None and delivered.deployed == "kept":
            measurer.display.say(f"model: {directory} stays")
        elif delivered is not None:
            facts = provenance_of(
                trained,
                _against(trained.judged, measured),
                self.data,
                table.failed,
                self.settings,
                self.tables.offer,
                machine=measurer.subject.machine,
                started=self.started,
            )
            self._warn_of_allowed(model)
            model = replace(model, provenance=facts | gain_facts(delivered))
            objectives = self._objectives(model, fitted)
            if objectives is not None and objectives.models[0].model is not None:
                model = objectives.models[0].model
            write_objectives(directory, self.tables.objectives, objectives)
            if self.function.monitor and not self.function.metrics:
                larger = self.function.larger_is_better
                model = with_expectations(model, self.table.data, larger_is_better=larger)
            write_model(directory, model)
            remember_inputs(measurer.store, measurer.subject, directory, names)
            measurer.display.say(f"model: {directory}")
        effort = self.effort(self.part.fit_seconds + fit_seconds)
        fit = None if fitted.learned is None else fitted.learned.fit
        result = replace(
            self.result(model, delivered, effort),
            evaluation=trained.evaluation,
            feature_curve=trained.curve,
            learning_curve=self.part.steps,
            learning_judged_by=self.part.judged_by,
            compared=None if fit is None else comparison_of(fit),
            importance=()
            if fitted.judged is None
            else importance_of(self.trainer, fitted.judged, fitted.model),
            unsteady=unsteady,
            objectives=() if objectives is None else tuple(objectives.lines()),
            approximation=self.approximation,
        )
        if self.digest is not None:
            whole = self.whole or self
            bases = whole.data, whole.judging
            subject = measurer.subject
            remember(measurer.store, subject, directory, self.digest, names, result, bases)
        return result

    def _objectives(self, model: Model, fitted: Trained) -> ObjectiveModels | None:
        """The models of all objectives; the first one's is to be deployed. None: there are none."""
        wanted, learned = self.tables.objectives, fitted.learned
        if wanted is None:
            return None
        if self.measurements.parameters is not None:
            score = None if fitted.judged is None else fitted.judged.score()
            points = PointObjectives(
                self.measurements, self.tables, self.trainer, self.learned_from, self.withheld()
            )
            return points.trained(wanted, model, score, self.table.failed)
        tables = [
            self.tables.by_objective(one, self.learned_from, self.table.failed)
            for one in wanted.objectives
        ]
        fit = None if learned is None else learned.fit
        score = None if fitted.judged is None else fitted.judged.score()
        return train_objectives(self.trainer, wanted, tables, (model, fit, score), self.withheld())

    def _unmeasured(self, learned: Sequence[str]) -> list[str]:
        """Training inputs that work, and were not measured because the model needs only some."""
        if self.goal is None:
            return []
        known = {*learned, *self.measurements.found.left_out}
        return [one.name for one in self.settings.training_inputs if one.name not in known]

    def _incomparable(self) -> str:
        """Why the deployed program is not compared with the untuned one by its own metric."""
        wanted = self.tables.objectives
        if wanted is None or wanted.is_own_metric:
            return ""
        return f"programs are not compared by an objective: {wanted.first}"

    def _warn_of_allowed(self, model: Model) -> None:
        """Says where the model chooses what failed there, as allow_failures lets it."""
        data = self.table.data
        chosen = self.trainer.choose(model, data.values)
        choice = {name: model.variants[k] for name, k in zip(data.inputs, chosen, strict=True)}
        failures = [one for one in self.table.failures if one.variant is not None]
        failed = [one for one in failures if choice.get(one.input) == one.variant]
        if failed:
            self.measurer.warn(
                f"{self.function.name}: the model chooses what failed on {len(failed)} of "
                f"{len(data)} training inputs, as allow_failures lets it, first "
                f"{failed[0].variant!r} on {failed[0].input!r}: add a constraint that excludes them"
            )


def _against(judged: Judged | None, measured: TrainingSet) -> Judged | None:
    return None if judged is None else judged.against(measured)
