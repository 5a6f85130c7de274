"""Tunes one function of a built program: measures, trains, judges and writes the model."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import TypeAlias

from fettle.data.training_set import TrainingSet
from fettle.data.tuning_result import Delivered, Effort, Failure, TuningResult
from fettle.model.model import Model
from fettle.model.model_directory import write_model
from fettle.model.never_chosen import never_choosing
from fettle.model.reachable_variants import without_unreachable
from fettle.training.active import Goal
from fettle.training.code_variant import CodeVariant
from fettle.training.deploy import Deployer
from fettle.training.examples import Table
from fettle.training.incremental import MeasuredPart, measure_incrementally
from fettle.training.measure import Measurer
from fettle.training.measurements import Measurements
from fettle.training.parameter_stage import ParameterStage, VariantParameters
from fettle.training.program import Input
from fettle.training.provenance import gain_facts, provenance_of
from fettle.training.settings import Settings
from fettle.training.steadiness import why_not_deployed
from fettle.training.tables import Tables
from fettle.training.train import Trained, train
from fettle.training.trainer import Judged, Trainer

# The part of a time budget that goes to measuring; the rest is for comparing what came of it.
MEASURING = 0.8

# Which of the variants that were measured the model is to choose from.
Narrow: TypeAlias = Callable[[Table], Sequence[str]]


def tune_function(
    settings: Settings,
    function: CodeVariant,
    measurer: Measurer,
    goal: Goal | None,
    narrow: Narrow | None = None,
    parameters: ParameterStage | None = None,
) -> TuningResult:
    """Tunes a function, with a goal incrementally, and writes its model. Raises FettleError.

    Without `parameters` those of its variants stay at their defaults.
    """
    return _Tuning(settings, function, measurer, narrow, parameters).run(goal)


def measure_function(settings: Settings, function: CodeVariant, measurer: Measurer) -> None:
    """Brings the store up to date for all inputs of a function. Raises FettleError."""
    tuning = _Tuning(settings, function, measurer)
    tuning.measure_all()


@dataclass
class _Tuning:
    settings: Settings
    function: CodeVariant
    measurer: Measurer
    narrow: Narrow | None = None
    parameters: ParameterStage | None = None
    part: MeasuredPart = field(default_factory=MeasuredPart)  # in incremental tuning
    fit_seconds: float = 0.0

    def __post_init__(self) -> None:
        self.started = datetime.now(timezone.utc)
        budget = self.settings.time_budget
        begin = time.monotonic()
        self.end = None if budget is None else begin + budget
        deadline = None if budget is None else begin + MEASURING * budget
        self.measurements = Measurements(
            self.settings, self.function, self.measurer, deadline, self.parameters
        )
        self.tables = Tables(self.settings, self.function, self.measurer)
        self.trainer = Trainer(
            classifier=self.function.classifier,
            guarded=self.function.outside_region == "default",
            seed=self.settings.seed,
        )

    def measure_all(self) -> None:
        """Measures training and test inputs."""
        self.measurements.renew()
        self.measurements.measure(self.settings.training_inputs)
        self.measurements.measure_test_inputs()

    def run(self, goal: Goal | None) -> TuningResult:
        measurements, tables = self.measurements, self.tables
        measurements.renew()
        if goal is None:  # a time budget goes to what is learned from first
            measured = measurements.measure(self.settings.training_inputs)
            learned: Sequence[Input] = measurements.explore(measured)
            held_out = measurements.measure_test_inputs()
        else:
            held_out = measurements.measure_test_inputs()
            self.part = measure_incrementally(measurements, tables, self.trainer, goal, held_out)
            learned = self.part.inputs
        parameters = measurements.parameters
        if parameters is not None:
            return self._finish_with_parameters(parameters, learned)
        table = tables.table(learned, tables.failed())
        tables.check_usable(table, measurements.found.left_out)
        test = tables.table(held_out, table.failed).data if held_out else None
        begin = time.monotonic()
        kept = table.data.variants if self.narrow is None else tuple(self.narrow(table))
        data = _only(table.data, kept)
        trained = train(
            self.trainer,
            data,
            None if test is None else _only(test, kept),
            feature_selection=self.function.feature_selection,
            say=self.measurer.display.say,
            warn=self.measurer.warn,
        )
        self.fit_seconds += time.monotonic() - begin
        if self.narrow is not None:  # the program is compiled with what the model may choose
            trained = replace(trained, model=without_unreachable(trained.model))
            said = f"{len(trained.model.variants)} of the {len(kept)} that were kept"
            self.measurer.display.say(f"{self.function.name}: the model chooses among {said}")
        return self._deployed(trained, table, data, test)

    def _finish_with_parameters(
        self, parameters: VariantParameters, learned: Sequence[Input]
    ) -> TuningResult:
        """What follows on measuring where variants have parameters."""
        held_out = self.measurements.measured_test_inputs()
        classes = parameters.complete(learned, held_out, self.tables.failed)
        failed = self.tables.failed()
        table = parameters.table_of(learned, classes, failed)
        self.tables.check_usable(table, self.measurements.found.left_out)
        test = parameters.table_of(held_out, classes, failed).data if held_out else None
        begin = time.monotonic()
        trained = parameters.train(
            self.trainer,
            parameters.table_of(learned, classes, failed, level=True).data,
            test,
            feature_selection=self.function.feature_selection,
            standing=self.part.standing,
        )
        self.fit_seconds += time.monotonic() - begin
        return self._deployed(trained, table, table.data, test)

    def _deployed(
        self, trained: Trained, table: Table, data: TrainingSet, test: TrainingSet | None
    ) -> TuningResult:
        """Writes the model, unless another one is better, and says what came of it."""
        directory = self.settings.place(self.settings.model_directory)
        place = directory / self.function.name
        trained = replace(trained, model=never_choosing(trained.model, self._withheld(table)))
        measured = table.data if test is None else test  # of all variants, kept or not
        judged = _against(trained.judged, measured)
        deployer = Deployer(
            self.settings, self.measurer, self.trainer, place, self.end, self.narrow is not None
        )
        unsteady = why_not_deployed(
            table.data, None if judged is None else (judged.data, judged.chosen), place
        )
        delivered: Delivered | None = None
        if unsteady:
            self.measurer.warn(f"{self.function.name}: {unsteady}")
            deployer.withdraw(trained.model, table)
        else:
            trained, delivered = deployer.settle(trained, table, test)
        model = trained.model
        if delivered is not None and delivered.deployed == "kept":
            self.measurer.display.say(f"model: {place} stays")
        elif delivered is not None:
            facts = provenance_of(
                trained,
                _against(trained.judged, measured),
                data,
                table.failed,
                self.settings,
                self.tables.offer,
                machine=self.measurer.subject.machine,
                started=self.started,
            )
            self._warn_of_allowed(model, table)
            model = replace(model, provenance=facts | gain_facts(delivered))
            write_model(place, model)
            self.measurer.display.say(f"model: {place}")
        left_out = self.measurements.found.left_out.items()
        return TuningResult(
            function=self.function.name,
            training=data,
            model=model,
            evaluation=trained.evaluation,
            effort=self._effort(),
            failures=(*table.failures, *(Failure(name, None, why) for name, why in left_out)),
            feature_curve=trained.curve,
            learning_curve=self.part.steps,
            learning_judged_by=self.part.judged_by,
            machine=dict(self.tables.offer.machine),
            unit=self.tables.offer.unit,
            started=self.started,
            finished=datetime.now(timezone.utc),
            program=self.measurer.subject.program,
            model_directory=directory,
            warnings=tuple(self.measurer.warnings),
            measured=None if self.narrow is None else table.data,
            held_out=None if self.narrow is None else test,
            failed=table.failed.variants,
            delivered=delivered,
            unsteady=unsteady,
        )

    def _withheld(self, table: Table) -> set[str]:
        """What the model must not choose; a variant with parameters stands for its defaults."""
        withheld = set(table.failed.withheld)
        parameters = self.measurements.parameters
        if parameters is not None:
            spaces = parameters.spaces.items()
            withheld |= {name for name, space in spaces if space.default_name in withheld}
        return withheld

    def _warn_of_allowed(self, model: Model, table: Table) -> None:
        """Says where the model chooses what failed there, as allow_failures lets it."""
        data = table.data
        chosen = self.trainer.choose(model, data.values)
        choice = {name: model.variants[k] for name, k in zip(data.inputs, chosen, strict=True)}
        failed = [one for one in table.failures if choice.get(one.input) == one.variant]
        if failed:
            self.measurer.warn(
                f"{self.function.name}: the model chooses what failed on {len(failed)} of "
                f"{len(data)} training inputs, as allow_failures lets it, first "
                f"{failed[0].variant!r} on {failed[0].input!r}: add a constraint that excludes them"
            )

    def _effort(self) -> Effort:
        spent, found = self.measurer.spent, self.measurements.found
        return Effort(
            seconds=spent.seconds,
            program_starts=spent.program_starts,
            variant_runs=spent.variant_runs,
            fit_seconds=self.part.fit_seconds + self.fit_seconds,
            measured_inputs=len(found.measured),
            reused_inputs=len(found.reused),
            evaluated_inputs=len(found.evaluated),
            points=spent.points,
        )


def _only(data: TrainingSet, variants: Sequence[str]) -> TrainingSet:
    """The inputs with some of the variants, without those on which none of them works."""
    return data if tuple(variants) == data.variants else data.only(variants).usable()


def _against(judged: Judged | None, measured: TrainingSet) -> Judged | None:
    return None if judged is None else judged.against(measured)
