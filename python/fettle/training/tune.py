"""Tunes one function of a built program: measures, trains, judges and writes the model."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone

from fettle.core.wording import counted
from fettle.data.training_set import TrainingSet, TrainingWarning
from fettle.data.tuning_result import Evaluation, TuningResult
from fettle.model.reachable_variants import without_unreachable
from fettle.training.active import Goal
from fettle.training.approximation import admit
from fettle.training.code_variant import CodeVariant
from fettle.training.current import recall
from fettle.training.errors import check_approximate
from fettle.training.examples import Narrow
from fettle.training.finish import Finish
from fettle.training.incremental import MeasuredPart, measure_incrementally
from fettle.training.measure import Measurer
from fettle.training.measurements import Measurements
from fettle.training.parameter_stage import ParameterStage, VariantParameters
from fettle.training.program import Input
from fettle.training.settings import Settings
from fettle.training.tables import Tables
from fettle.training.train import Trained, train
from fettle.training.trainer import Trainer

# The part of a time budget that goes to measuring; the rest is for comparing what came of it.
MEASURING = 0.8


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
        measurements = self.measurements
        self.goal = goal
        self.may_be_current = not (self.measurer.has_changed or self.settings.fresh)
        measurements.renew()
        if goal is None:  # a time budget goes to what is learned from first
            measured = measurements.measure(self.settings.training_inputs)
            self._check_approximate()
            learned: Sequence[Input] = measurements.explore(measured)
            held_out = measurements.measure_test_inputs()
        else:
            held_out = measurements.measure_test_inputs()
            known = self._learned_before(goal)
            if known and (current := self._finish(known, held_out).current()) is not None:
                return current
            self.part = measure_incrementally(
                measurements, self.tables, self.trainer, goal, held_out, self.narrow
            )
            learned = self.part.inputs
        self.tables.warn_of_constraints(learned)
        self.tables.warn_of_results(learned)
        self.tables.warn_of_objectives()
        finish = self._finish(learned, held_out)
        if self.narrow is not None:
            every = counted(len(finish.table.data.variants), "variant")
            said = f"{self.function.name}: {len(finish.data.variants)} of {every} are kept"
            self.measurer.display.say(said)
        if (current := finish.current()) is not None:
            return current
        begin = time.monotonic()
        if measurements.parameters is None:
            trained = self._train(finish)
            if self.tables.offer.approximate:
                finish, trained = self._approximate(finish, trained)
        else:
            trained = self._train_with_parameters(measurements.parameters, finish)
        return finish.deployed(trained, time.monotonic() - begin)

    def _learned_before(self, goal: Goal) -> list[Input]:
        """The inputs that an earlier run learned from, where this one would choose no others."""
        inputs = self.settings.training_inputs
        complete = {one.name: one for one in inputs if self.measurer.is_complete(one)}
        if goal.iterations is not None and len(complete) < len(inputs):
            return []
        directory = self.settings.place(self.settings.model_directory) / self.function.name
        outcome = recall(self.measurer.store, self.measurer.subject, directory)
        if outcome is None or set(outcome.learned_from) != complete.keys():
            return []
        known = [complete[name] for name in outcome.learned_from]
        return self.measurements.measure(known, quiet=True)  # asks the program what it offers

    def _finish(self, learned: Sequence[Input], held_out: Sequence[Input]) -> Finish:
        """What is learned from and judged by, with all that is needed to deploy a model of it."""
        parameters, failed = self.measurements.parameters, self.tables.failed()
        self._check_approximate()
        test: TrainingSet | None = None
        classes: tuple[str, ...] = ()
        if parameters is None:
            table = self.tables.table(learned, failed)
        else:
            held_out = self.measurements.measured_test_inputs()
            classes = parameters.complete(learned, held_out, self.tables.failed)
            failed = self.tables.failed()
            table = parameters.table_of(learned, classes, failed)
        self.tables.check_usable(table, self.measurements.found.left_out)
        if held_out and parameters is None:
            test = self.tables.table(held_out, table.failed).data
        elif held_out and parameters is not None:
            test = parameters.table_of(held_out, classes, failed).data
        return Finish(
            settings=self.settings,
            function=self.function,
            measurements=self.measurements,
            tables=self.tables,
            trainer=self.trainer,
            deadline=self.end,
            started=self.started,
            goal=self.goal,
            part=self.part,
            may_be_current=self.may_be_current,
            narrowed=self.narrow is not None,
            learned_from=learned,
            classes=classes,
            table=table,
            data=table.kept(self.narrow),
            test=test,
        )

    def _check_approximate(self) -> None:
        has_parameters = self.measurements.parameters is not None
        check_approximate(self.function.name, self.tables.offer, has_parameters=has_parameters)

    def _train(self, finish: Finish) -> Trained:
        data = finish.data
        trained = train(
            self.trainer,
            data,
            finish.judging,
            feature_selection=self.function.feature_selection,
            say=self.measurer.display.say,
            warn=self.measurer.warn,
        )
        approximates = finish.approximation is None and bool(self.tables.offer.approximate)
        if self.narrow is not None and not approximates:
            # The program is compiled with what the model may choose. Where approximate variants
            # are among that, the exact ones that run in their place are needed, too.
            trained = replace(trained, model=without_unreachable(trained.model))
            said = f"{len(trained.model.variants)} of the {len(data.variants)} that were kept"
            self.measurer.display.say(f"{self.function.name}: the model chooses among {said}")
        return trained

    def _approximate(self, finish: Finish, trained: Trained) -> tuple[Finish, Trained]:
        """Admits approximate variants where that is proven; else the model has exact ones alone."""
        offer, test = self.tables.offer, finish.judging
        model, found = admit(self.trainer, self.function, offer, trained.model, finish.data, test)
        for line in found.lines():
            self.measurer.display.say(f"{self.function.name}: {line}")
        if found.reason:
            self.measurer.warn(f"{self.function.name}: {found.reason}")
        if found.is_admitted:
            assert test is not None
            judged = self.trainer.judge(model, test)
            evaluation = Evaluation("held-out", judged.charged(), judged.chosen)
            trained = replace(trained, model=model, judged=judged, evaluation=evaluation)
        else:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", TrainingWarning)
                finish = finish.exactly(offer.approximate)
            finish = replace(finish, approximation=found)
            trained = self._train(finish)
            errors = None if model.errors is None else model.errors.only(trained.model.variants)
            trained = replace(trained, model=replace(trained.model, errors=errors))
        return replace(finish, approximation=found), trained

    def _train_with_parameters(self, parameters: VariantParameters, finish: Finish) -> Trained:
        """Where variants have parameters."""
        learned, failed = finish.learned_from, finish.table.failed
        return parameters.learning.train(
            self.trainer,
            parameters.table_of(learned, finish.classes, failed, level=True).data,
            finish.test,
            feature_selection=self.function.feature_selection,
            standing=self.part.standing,
        )
