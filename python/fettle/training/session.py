"""One run of the tuner over a list of functions, from the policy header to the report."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from fettle.core.errors import FettleError
from fettle.core.progress import Display
from fettle.data.tuning_result import TuningResult
from fettle.model.model_directory import check_model_directory
from fettle.store.base import Store
from fettle.store.place import open_store
from fettle.training.active import Goal
from fettle.training.built_program import BuiltProgram
from fettle.training.code_variant import CodeVariant
from fettle.training.examples import Narrow
from fettle.training.frequency_stage import FrequencyStage, forget_frequency
from fettle.training.interruptible import interruptible, log_folder
from fettle.training.measure import Measurer
from fettle.training.objectives import check_stated
from fettle.training.parameter_stage import ParameterStage
from fettle.training.remote_pool import with_workers
from fettle.training.renew import check_fresh_variants
from fettle.training.settings import Settings
from fettle.training.subject import open_measurer
from fettle.training.tune import measure_function, tune_function

# Shows a result, and writes a page of it into a folder where one is given.
Report: TypeAlias = Callable[[TuningResult, Path | None, Display], None]

_unsteady: list[str] = []


def unsteady_functions() -> tuple[str, ...]:
    """The functions that this process has tuned on a machine that was too busy for it, so far."""
    return tuple(_unsteady)


def run_session(
    settings: Settings,
    functions: Sequence[CodeVariant],
    goal: Goal | None,
    display: Display,
    narrow: Narrow | None = None,
    *,
    parameters: ParameterStage | None = None,
    report: Report | None = None,
) -> list[TuningResult]:
    """Tunes the functions one after the other; what is measured is kept whatever happens.

    With `narrow` each model learns to choose from some of the variants that were measured. Without
    `parameters` these stay at their defaults. `report` gets each result as soon as it is there.
    """
    if parameters is not None:
        parameters.check(functions, settings)
    with _opened(settings, functions, display) as session:
        session.goal, session.narrow = goal, narrow
        session.parameters, session.report = parameters, report
        return session.run()


def measure_session(settings: Settings, functions: Sequence[CodeVariant], display: Display) -> None:
    """Measures the functions one after the other and trains nothing."""
    with _opened(settings, functions, display) as session:
        session.measure()


@contextlib.contextmanager
def measuring_session(
    settings: Settings, functions: Sequence[CodeVariant], display: Display
) -> Iterator[Callable[[CodeVariant], Measurer]]:
    """The program, built: yields what opens a measurer for each function, for callers who choose.

    Raises FettleError; what was measured until then is kept.
    """
    with _opened(settings, functions, display) as session:
        session.prepare()
        yield session.measurer


@contextlib.contextmanager
def _opened(
    settings: Settings, functions: Sequence[CodeVariant], display: Display
) -> Iterator[_Session]:
    if not settings.training_inputs:
        raise FettleError("there are no training inputs; call set_training_args first")
    for function in functions:
        check_stated(function)
    with (
        open_store(settings.measurements) as store,
        log_folder() as logs,
        interruptible(display, store.place),
    ):
        for other in store.other_tuners():
            display.say(
                f"warning: another tuner works with {store.place} ({other}); both keep their "
                "results, but what is measured at the same time on the same machine is not reliable"
            )
        for warning in store.warnings():
            display.say(f"warning: {warning}")
        with with_workers(settings, display) as settings:
            yield _Session(settings, functions, display, store, logs)


@dataclass
class _Session:
    settings: Settings
    functions: Sequence[CodeVariant]
    display: Display
    store: Store
    logs: Path
    goal: Goal | None = None
    narrow: Narrow | None = None
    parameters: ParameterStage | None = None
    report: Report | None = None
    opened: dict[str, Measurer] = field(default_factory=dict)  # by functions measured together

    def run(self) -> list[TuningResult]:
        for function in self.functions:
            directory = self.settings.place(self.settings.model_directory)
            check_model_directory(directory / function.name)
        self.prepare()
        self._check_fresh_variants()
        self._measure_together()
        return [self._tune(function) for function in self.functions]

    def measure(self) -> None:
        self.prepare()
        self._check_fresh_variants()
        self._measure_together()
        for function in self.functions:
            measurer = self._measurer_in_turn(function)
            measure_function(self.settings, function, measurer)
            measurer.rebuilt()

    def _check_fresh_variants(self) -> None:
        if self.settings.fresh_variants:
            measurers = [self.measurer(function) for function in self.functions]
            check_fresh_variants(measurers, self.settings.training_inputs)

    def _measure_together(self) -> None:
        """Has workers measure all functions' inputs in one queue, where these are known now.

        Not so where what is measured depends on what was measured before, where the program is
        built again between functions, or where old results have to be looked at first.
        """
        settings, workers = self.settings, self.settings.workers
        depends = self.goal is not None or settings.time_budget is not None
        rebuilds = bool(settings.build_command) and any(one.embed_model for one in self.functions)
        searches = any(one.parameters or one.frequency for one in self.functions)
        if workers is None or len(self.functions) < 2 or depends or rebuilds or searches:
            return
        if settings.fresh_variants or not settings.measure:
            return
        opened = {function.name: self.measurer(function) for function in self.functions}
        if any(one.has_changed for one in opened.values()):
            return
        self.opened = opened
        inputs = {one.arguments: one for one in (*settings.training_inputs, *settings.test_inputs)}
        workers.measure_together([(one, [*inputs.values()]) for one in opened.values()])

    def _measurer_in_turn(self, function: CodeVariant) -> Measurer:
        """The measurer that has measured already, for those that were measured together."""
        return self.opened.pop(function.name, None) or self.measurer(function)

    def prepare(self) -> None:
        macros = {} if self.parameters is None else self.parameters.first_macros(self.functions)
        self.built = BuiltProgram(self.settings, self.functions, self.display, self.store, macros)
        if self.settings.measure:
            self.built.prepare()

    def _find_build(self, function: CodeVariant, stage: ParameterStage) -> None:
        """Builds the program with the best values of its compile-time parameters."""
        best = stage.best_macros(
            function, self.settings, self.store, self.logs, self.display, self.built.try_macros
        )
        # A later build by the user, without the macros on its command line, is the same.
        self.settings = self.settings.changed(built_with=best, fresh=False, fresh_variants=())
        self.built.settle(self.settings)

    def measurer(self, function: CodeVariant) -> Measurer:
        return open_measurer(self.settings, function, self.store, self.logs, self.display)

    def _tune(self, function: CodeVariant) -> TuningResult:
        if self.parameters is not None and function.parameters and self.settings.measure:
            self._find_build(function, self.parameters)
        measurer = self._measurer_in_turn(function)
        result = tune_function(
            self.settings, function, measurer, self.goal, self.narrow, self.parameters
        )
        result = self._with_frequency(function, result)
        embeds = function.embed_model and not result.unsteady
        if embeds and self.settings.config_header is not None:
            self.built.embed(function)
        if self.settings.measure:
            measurer.rebuilt()
        # Counted for the first function after it.
        effort = replace(result.effort, build_seconds=self.built.take_seconds())
        result = replace(result, effort=effort)
        if self.report is not None:
            folder = self.settings.report_directory
            named = None if folder is None else self.settings.place(folder) / result.function
            self.report(result, named, self.display)
        if result.unsteady:
            _unsteady.append(result.function)
        return result

    def _with_frequency(self, function: CodeVariant, result: TuningResult) -> TuningResult:
        """What came of the clock frequencies, where the script tunes them."""
        place = self.settings.place(self.settings.model_directory) / function.name
        if function.frequency is None:
            forget_frequency(place)
            return result
        if result.unsteady or not self.settings.measure:
            return result
        measurer = self.measurer(function)
        subject = measurer.subject
        apart = replace(subject, conditions=f"{subject.conditions} clocks")
        measurer = replace(measurer, subject=apart, variants=None, workers=None)
        said = FrequencyStage(self.settings, function, measurer).run()
        return replace(result, objectives=(*result.objectives, *said))
