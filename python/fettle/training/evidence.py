"""What the tuning of one function has brought when all is measured: the tables that its model is
trained and judged with, what must not be chosen, and the result that is made of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from fettle.data.approximation import Approximation
from fettle.data.training_set import TrainingSet
from fettle.data.tuning_result import Delivered, Effort, Failure, TuningResult
from fettle.model.model import Model
from fettle.training.active import Goal
from fettle.training.approximation import exactly
from fettle.training.code_variant import CodeVariant
from fettle.training.current import digest_of, model_options
from fettle.training.examples import Table
from fettle.training.incremental import MeasuredPart
from fettle.training.measure import Measurer
from fettle.training.measurements import Measurements
from fettle.training.program import Input
from fettle.training.settings import Settings
from fettle.training.tables import Tables
from fettle.training.trainer import Trainer

Its = TypeVar("Its", bound="Evidence")


@dataclass
class Evidence:
    """What was measured of one function, and how.

    `table` has the training inputs with all variants that were measured; `data` those of its
    variants that a model is trained with; `test` the test inputs. With `narrowed` the program is
    compiled afterwards, with what the model may choose.
    """

    settings: Settings
    function: CodeVariant
    measurements: Measurements
    tables: Tables
    trainer: Trainer
    started: datetime
    goal: Goal | None
    part: MeasuredPart
    narrowed: bool
    learned_from: Sequence[Input]
    classes: tuple[str, ...]  # the variants and points of a table with parameters
    table: Table
    data: TrainingSet
    test: TrainingSet | None
    approximation: Approximation | None = None
    whole: Evidence | None = None
    """Before approximate variants were left out: what a later run will be compared with."""

    def exactly(self: Its, approximate: tuple[str, ...]) -> Its:
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
        return None if self.test is None else self.test.narrowed(self.data.variants)

    @property
    def measurer(self) -> Measurer:
        """Which has measured it."""
        return self.measurements.measurer

    @property
    def directory(self) -> Path:
        """Of the function's model."""
        return self.settings.place(self.settings.model_directory) / self.function.name

    @cached_property
    def digest(self) -> str | None:
        """Of all that the outcome depends on; None where that is unknown."""
        if self.whole is not None:
            return self.whole.digest
        options = model_options(self.function)
        if options is None:
            return None
        settings = self.settings
        how = (settings.seed, settings.comparing, settings.measure, settings.built_with)
        return digest_of(
            options, how, self.goal, self.tables.offer, self.table, self.data, self.test
        )

    def withheld(self) -> set[str]:
        """What the model must not choose; a variant with parameters stands for its defaults."""
        withheld = set(self.table.failed.withheld)
        parameters = self.measurements.parameters
        if parameters is not None:
            spaces = parameters.spaces.items()
            withheld |= {name for name, space in spaces if space.default_name in withheld}
        return withheld

    def result(self, model: Model, delivered: Delivered | None, effort: Effort) -> TuningResult:
        """The result with a model, without what training has said of it."""
        left_out = self.measurements.found.left_out.items()
        table, measurer, offer = self.table, self.measurer, self.tables.offer
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
            model_directory=self.directory.parent,
            warnings=tuple(measurer.warnings),
            measured=table.data if self.narrowed else None,
            held_out=self.test if self.narrowed else None,
            failed=table.failed.variants,
            delivered=delivered,
        )

    def effort(self, fit_seconds: float) -> Effort:
        """What tuning has cost so far."""
        spent, found = self.measurer.spent, self.measurements.found  # may name inputs twice
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
