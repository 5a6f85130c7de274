"""Which inputs incremental tuning measures, and which are left out, with their reasons."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from quick_classifier import QuickClassifier
from stand_in import StandIn
from stand_in_measurer import Said, call, measurer_in, tell

from fettle import CodeVariant
from fettle.training.active import Goal
from fettle.training.incremental import MeasuredPart, measure_incrementally
from fettle.training.measurements import Measurements
from fettle.training.program import Input
from fettle.training.settings import Settings
from fettle.training.tables import Tables
from fettle.training.trainer import Trainer

COUNT = 10


def learned(
    folder: Path, inputs: Sequence[Input], goal: Goal, held_out: Sequence[Input] = ()
) -> tuple[MeasuredPart, Measurements]:
    settings = Settings(program="app", working_directory=folder, training_inputs=tuple(inputs))
    function, measurer = CodeVariant("f"), measurer_in(folder, display=Said())
    measurements = Measurements(settings, function, measurer, None)
    measurements.measure(held_out, quiet=True) if held_out else None
    tables = Tables(settings, function, measurer)
    trainer = Trainer(QuickClassifier())
    return measure_incrementally(measurements, tables, trainer, goal, held_out), measurements


def inputs(folder: Path, start: int = 0, count: int = COUNT) -> list[Input]:
    return [
        tell(folder, f"in{n:02}", call(n, a=1e-3 * (n + 1), b=5.5e-3))
        for n in range(start, start + count)
    ]


def test_the_measured_inputs_stand_for_all(tmp_path: Path) -> None:
    StandIn(tmp_path)
    part, measurements = learned(tmp_path, inputs(tmp_path), Goal(1, None))
    assert len(part.inputs) < COUNT
    assert set(measurements.found.measured) == set(part.inputs)
    assert part.standing is not None
    assert part.standing.keys() == {given.name for given in part.inputs}
    assert sum(part.standing.values()) == COUNT
    assert [step.inputs for step in part.steps][-1] == len(part.inputs)


def test_held_out_inputs_judge_where_there_are_any(tmp_path: Path) -> None:
    StandIn(tmp_path)
    part, _ = learned(tmp_path, inputs(tmp_path), Goal(0, None))
    assert part.judged_by == "cross-validation"
    part, _ = learned(
        tmp_path, inputs(tmp_path), Goal(None, 0.9), inputs(tmp_path, start=COUNT, count=3)
    )
    assert part.judged_by == "test inputs"
    assert part.steps[-1].share_of_best >= 0.9


def test_an_input_without_features_is_left_out_with_its_reason(tmp_path: Path) -> None:
    app = StandIn(tmp_path)
    blind = tell(tmp_path, "blind", call("threw: no", a=1e-3))
    broken = tell(tmp_path, "broken", begin="crash")
    part, measurements = learned(tmp_path, [blind, broken, *inputs(tmp_path)], Goal(1, None))
    assert measurements.found.left_out["blind"] == "feature n threw: no"
    assert "crashed" in measurements.found.left_out["broken"]
    assert blind not in part.inputs
    assert "a blind" not in app.runs()


def test_nothing_to_learn_from_is_an_empty_part(tmp_path: Path) -> None:
    app = StandIn(tmp_path)
    blind = tell(tmp_path, "blind", call("threw: no", a=1e-3))
    part, _ = learned(tmp_path, [blind], Goal(1, None))
    assert part == MeasuredPart()
    assert app.runs() == []
