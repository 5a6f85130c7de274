"""Incremental tuning of one function: which training inputs are measured, and what that costs."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from fettle.data.score import Score
from fettle.data.training_set import TrainingSet, TrainingWarning
from fettle.data.tuning_result import LearningStep
from fettle.training.active import Goal, Learner
from fettle.training.collect import collect
from fettle.training.examples import Narrow, Table
from fettle.training.measurements import Measurements
from fettle.training.program import Input
from fettle.training.tables import Tables
from fettle.training.trainer import Learned, Trainer


@dataclass(frozen=True)
class MeasuredPart:
    """The training inputs that were measured, and how the model became better by them."""

    inputs: tuple[Input, ...] = ()
    steps: tuple[LearningStep, ...] = ()
    judged_by: Literal["", "test inputs", "cross-validation"] = ""
    standing: Mapping[str, float] | None = None
    """How many training inputs each measured one stands for, by its name; None: only itself."""
    fit_seconds: float = 0.0


def measure_incrementally(
    measurements: Measurements,
    tables: Tables,
    trainer: Trainer,
    goal: Goal,
    held_out: Sequence[Input],
    narrow: Narrow | None = None,
) -> MeasuredPart:
    """Measures training inputs until the goal is reached.

    Models are judged by the inputs `held_out`, or by cross-validation where there are none. With
    `narrow` they choose from some of the variants, those that are worth it on the inputs measured
    so far. Raises FettleError.
    """
    measurer, training_inputs = measurements.measurer, measurements.settings.training_inputs
    test = tables.table(held_out, tables.failed(held_out)).data if held_out else None
    pool = collect(measurer, training_inputs, "features")
    measurements.found.left_out |= pool.left_out
    measurements.found.evaluated += pool.evaluated
    points = {given: tables.points(given) for given in pool.complete(training_inputs)}
    known = [given for given, rows in points.items() if len(rows)]
    for given in points.keys() - set(known):
        [reason, *_] = [example.featureless for example in measurer.examples(given)]
        measurements.found.left_out[given.name] = reason
    if not known:
        return MeasuredPart()

    def measure(inputs: Sequence[Input]) -> list[Input]:
        return measurements.explore(measurements.measure(inputs, quiet=True), quiet=True)

    learner = Learner(
        inputs=known,
        points=[points[given] for given in known],
        measured=[given for given in known if measurer.is_complete(given)],
        measure=measure,
        table=lambda inputs: _table(measurements, tables, inputs).kept(narrow),
        trainer=trainer,
        judge=(lambda learned: learned.score) if test is None else judge_by(trainer, test),
        tell=measurer.display.say,
    )
    begin, spent = time.monotonic(), measurer.spent.seconds
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TrainingWarning)  # of models that are not kept
        learner.learn(goal)
    measuring = measurer.spent.seconds - spent
    return MeasuredPart(
        inputs=tuple(learner.labelled),
        steps=tuple(learner.steps),
        judged_by="test inputs" if test else "cross-validation",
        standing=learner.standing(),
        fit_seconds=time.monotonic() - begin - measuring,
    )


def _table(measurements: Measurements, tables: Tables, inputs: Sequence[Input]) -> Table:
    parameters, failed = measurements.parameters, tables.failed(inputs)
    if parameters is None:
        return tables.table(inputs, failed)
    return parameters.variants_table(inputs, failed)


def judge_by(trainer: Trainer, test: TrainingSet) -> Callable[[Learned], Score]:
    """Judges models, of some of the variants, by what the best of all takes on the test inputs."""

    def judged(learned: Learned) -> Score:
        chosen = trainer.judge(learned.model, test.narrowed(learned.model.variants))
        return chosen.against(test).score()

    return judged
