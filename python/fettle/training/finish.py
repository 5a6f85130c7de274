"""What follows on training a model: it is compared, written and described; or kept as it is.

Where an earlier run came to the deployed model from the same data and options, nothing is fitted or
compared (current.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import cached_property
from pathlib import Path

from fettle.classifiers.comparison import comparison_of
from fettle.data.approximation import Approximation
from fettle.data.training_set import TrainingSet
from fettle.data.tuning_result import Delivered, Effort, Failure, TuningResult
from fettle.model.model import Model
from fettle.model.model_directory import read_model, write_model
from fettle.model.never_chosen import never_choosing
from fettle.training.active import Goal
from fettle.training.approximation import exactly
from fettle.training.code_variant import CodeVariant
from fettle.training.current import digest_of, model_options, recall, remember
from fettle.training.deploy import Deployer
from fettle.training.examples import Table
from fettle.training.expectations import with_expectations
from fettle.training.importance import importance_of
from fettle.training.incremental import MeasuredPart
from fettle.training.measure import Measurer
from fettle.training.measurements import Measurements
from fettle.training.objective_models import (
    ObjectiveModels,
    train_objectives,
    write_objectives,
)
from fettle.training.point_objectives import PointObjectives
from fettle.training.program import Input
from fettle.training.provenance import gain_facts, provenance_of
from fettle.training.settings import Settings
from fettle.training.steadiness import why_not_deployed
from fettle.training.tables import Tables
from fettle.training.train import Trained
from fettle.training.trainer import Judged, Trainer


@dataclass
class Finish:
    """Ends the tuning of one function.

    `table` has the training inputs with all variants that were measured; `data` those of its
    variants that a model is trained with; `test` the test inputs. With `narrowed` the program is
    compiled afterwards, with what the model may choose.
    """

    settings: Settings
    function: CodeVariant
    measurements: Measurements
    tables: Tables
    trainer: Trainer
    deadline: float | None  # of time.monotonic
    started: datetime
    goal: Goal | None
    part: MeasuredPart
    may_be_current: bool
    narrowed: bool
    learned_from: Sequence[Input]
    classes: tuple[str, ...]  # the variants and points of a table with parameters
    table: Table
    data: TrainingSet
    test: TrainingSet | None
    approximation: Approximation | None = None
    whole: Finish | None = None
    """Before approximate variants were left out: what a later run will be compared with."""

    def exactly(self, approximate: tuple[str, ...]) -> Finish:
        """Without results of approximate variants."""
        return replace(
            self,
            table=replace(self.table, data=exactly(self.table.data, approximate)),
            data=exactly(self.data, approximate),
            test=None if self.test is None else exactly(self.test, approximate),
            whole=self,
        )

    @property
    def judging(self) -> TrainingSet | None:
        """The test inputs with the variants that a model is trained with."""
        return None if self.test is None else with_variants(self.test, self.data.variants)

    def current(self) -> TuningResult | None:
        """The result where there is nothing to do: an earlier run's, with this run's effort."""
        digest = self._digest
        if not self.may_be_current or digest is None:
            return None
        outcome = recall(self._measurer.store, self._measurer.subject, self._directory)
        if outcome is None or outcome.digest != digest:
            return None
        result = self._result(read_model(self._directory), None, self._effort(0.0))
        return outcome.restored(result, self.data, self.judging)

    def deployed(self, trained: Trained, fit_seconds: float) -> TuningResult:
        """Writes the model, unless another one is better, and says what came of it."""
        measurer, directory, table, test = self._measurer, self._directory, self.table, self.test
        trained = replace(trained, model=never_choosing(trained.model, self._withheld()))
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
            measurer.display.say(f"model: {directory}")
        effort = self._effort(self.part.fit_seconds + fit_seconds)
        fit = None if fitted.learned is None else fitted.learned.fit
        result = replace(
            self._result(model, delivered, effort),
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
        if self._digest is not None:
            names = [given.name for given in self.learned_from]
            whole = self.whole or self
            bases = whole.data, whole.judging
            subject = measurer.subject
            remember(measurer.store, subject, directory, self._digest, names, result, bases)
        return result

    def _result(self, model: Model, delivered: Delivered | None, effort: Effort) -> TuningResult:
        left_out = self.measurements.found.left_out.items()
        table, measurer, offer = self.table, self._measurer, self.tables.offer
        return TuningResult(
            function=self.function.name,
            training=self.data,
            model=model,
            evaluation=None,
            effort=effort,
            failures=(*table.failures, *(Failure(name, None, why) for name, why in left_out)),
            feature_curve=None,
            learning_curve=(),
            learning_judged_by="",
            machine=dict(offer.machine),
            unit=offer.unit,
            started=self.started,
            finished=datetime.now(timezone.utc),
            program=measurer.subject.program,
            model_directory=self._directory.parent,
            warnings=tuple(measurer.warnings),
            measured=table.data if self.narrowed else None,
            held_out=self.test if self.narrowed else None,
            failed=table.failed.variants,
            delivered=delivered,
        )

    def _objectives(self, model: Model, fitted: Trained) -> ObjectiveModels | None:
        """The models of all objectives; the first one's is to be deployed. None: there are none."""
        wanted, learned = self.tables.objectives, fitted.learned
        if wanted is None:
            return None
        if self.measurements.parameters is not None:
            score = None if fitted.judged is None else fitted.judged.score()
            points = PointObjectives(
                self.measurements, self.tables, self.trainer, self.learned_from, self._withheld()
            )
            return points.trained(wanted, model, score, self.table.failed)
        tables = [
            self.tables.by_objective(one, self.learned_from, self.table.failed)
            for one in wanted.objectives
        ]
        fit = None if learned is None else learned.fit
        score = None if fitted.judged is None else fitted.judged.score()
        return train_objectives(self.trainer, wanted, tables, (model, fit, score), self._withheld())

    def _incomparable(self) -> str:
        """Why the deployed program is not compared with the untuned one by its own metric."""
        wanted = self.tables.objectives
        if wanted is None or wanted.is_own_metric:
            return ""
        return f"programs are not compared by an objective: {wanted.first}"

    @property
    def _measurer(self) -> Measurer:
        return self.measurements.measurer

    @property
    def _directory(self) -> Path:
        return self.settings.place(self.settings.model_directory) / self.function.name

    @cached_property
    def _digest(self) -> str | None:
        """Of all that the outcome depends on; None where that is unknown."""
        if self.whole is not None:
            return self.whole._digest
        options = model_options(self.function)
        if options is None:
            return None
        settings = self.settings
        how = (settings.seed, settings.comparing, settings.measure, settings.built_with)
        return digest_of(
            options, how, self.goal, self.tables.offer, self.table, self.data, self.test
        )

    def _withheld(self) -> set[str]:
        """What the model must not choose; a variant with parameters stands for its defaults."""
        withheld = set(self.table.failed.withheld)
        parameters = self.measurements.parameters
        if parameters is not None:
            spaces = parameters.spaces.items()
            withheld |= {name for name, space in spaces if space.default_name in withheld}
        return withheld

    def _warn_of_allowed(self, model: Model) -> None:
        """Says where the model chooses what failed there, as allow_failures lets it."""
        data = self.table.data
        chosen = self.trainer.choose(model, data.values)
        choice = {name: model.variants[k] for name, k in zip(data.inputs, chosen, strict=True)}
        failed = [one for one in self.table.failures if choice.get(one.input) == one.variant]
        if failed:
            self._measurer.warn(
                f"{self.function.name}: the model chooses what failed on {len(failed)} of "
                f"{len(data)} training inputs, as allow_failures lets it, first "
                f"{failed[0].variant!r} on {failed[0].input!r}: add a constraint that excludes them"
            )

    def _effort(self, fit_seconds: float) -> Effort:
        spent, found = self._measurer.spent, self.measurements.found  # may name inputs twice
        return Effort(
            seconds=spent.seconds,
            program_starts=spent.program_starts,
            variant_runs=spent.variant_runs,
            fit_seconds=fit_seconds,
            measured_inputs=len(found.measured),
            reused_inputs=len({*found.reused} - {*found.measured}),
            evaluated_inputs=len({*found.evaluated}),
            points=spent.points,
        )


def with_variants(data: TrainingSet, variants: Sequence[str]) -> TrainingSet:
    """The inputs with some of the variants, without those on which none of them works."""
    return data if tuple(variants) == data.variants else data.only(variants).usable()


def _against(judged: Judged | None, measured: TrainingSet) -> Judged | None:
    return None if judged is None else judged.against(measured)
