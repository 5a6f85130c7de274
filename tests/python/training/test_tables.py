"""Tables of a function's measurements: what is in them, and what is said where nothing is."""

from __future__ import annotations

from pathlib import Path

import pytest
from stand_in import StandIn
from stand_in_measurer import Said, call, measurer_in, tell

from fettle import CodeVariant, ThresholdClassifier
from fettle.core.errors import FettleError
from fettle.training.collect import collect
from fettle.training.program import Input, ProgramError
from fettle.training.settings import Settings
from fettle.training.tables import Tables


def tables(folder: Path, *inputs: Input, schedules: bool = False, **options: object) -> Tables:
    measurer = measurer_in(folder, display=Said())
    collect(measurer, inputs)
    settings = Settings(
        program="app", working_directory=folder, training_inputs=inputs, schedules=schedules
    )
    return Tables(settings, CodeVariant("f", **options), measurer)  # type: ignore[arg-type]


def test_a_variant_that_fails_on_any_input_is_withheld_on_all(tmp_path: Path) -> None:
    StandIn(tmp_path)
    x, y = tell(tmp_path, "x", call(a=2e-3, b=1e-3)), tell(tmp_path, "y", call(a=2e-3, b="wrong"))
    its = tables(tmp_path, x, y)
    assert its.failed().withheld == {"b"}
    assert its.failed([x]).withheld == set(), "it did not fail there"
    table = its.table([x], its.failed())
    assert table.data.costs.tolist() == [[2e-3, float("inf")]]
    allowed = tables(tmp_path, x, y, allow_failures=["b"])
    assert allowed.failed().withheld == set()


def test_an_objective_takes_the_place_of_the_function_s_metric(tmp_path: Path) -> None:
    StandIn(tmp_path)
    x = tell(tmp_path, "x", call(a=2e-3, b=1e-3))
    plain, by = tables(tmp_path, x), tables(tmp_path, x, maximize="seconds")
    assert plain.objectives is None
    costs = [its.table([x], its.failed()).data.costs[0] for its in (plain, by)]
    assert (costs[0].argmin(), costs[1].argmin()) == (1, 0)


def test_points_are_the_calls_that_have_features(tmp_path: Path) -> None:
    StandIn(tmp_path)
    x = tell(tmp_path, "x", call(3, a=1e-3), call("threw: no", a=1e-3), call(5, a=1e-3))
    its = tables(tmp_path, x)
    assert its.points(x).tolist() == [[3.0], [5.0]]
    assert its.points(Input("unknown", ("unknown",))).shape == (0, 1)


def test_an_empty_table_says_why(tmp_path: Path) -> None:
    StandIn(tmp_path)
    x = tell(tmp_path, "x", call(a="wrong", b="throw"))
    its = tables(tmp_path, x)
    table = its.table([x], its.failed())
    with pytest.raises(ProgramError) as raised:
        its.check_usable(table, {"z": "it crashed"})
    said = str(raised.value)
    assert said.startswith("'f': there is no input to learn from\n  'a' failed on 1 of 1 input")
    assert "wrong result" in said
    assert "  z: it crashed" in said or "more" in said
    assert "what was deployed before stays" in said
    many = {f"z{k}": "it crashed" for k in range(20)}
    with pytest.raises(ProgramError, match=r"\n  and \d+ more"):
        its.check_usable(table, many)


def test_a_classifier_of_thresholds_must_not_name_what_fails(tmp_path: Path) -> None:
    StandIn(tmp_path)
    x, y = tell(tmp_path, "x", call(a=2e-3, b=1e-3)), tell(tmp_path, "y", call(a=2e-3, b="wrong"))
    its = tables(tmp_path, x, y, classifier=ThresholdClassifier([("b", "n")], "a"))
    with pytest.raises(FettleError, match=r"f: the classifier names the variant 'b'"):
        its.check_usable(its.table([x, y], its.failed()), {})


def test_a_variant_that_is_excluded_everywhere_is_named(tmp_path: Path) -> None:
    StandIn(tmp_path, variants=["a", "b", "c"])
    x = tell(tmp_path, "x", call(a=2e-3, b="exclude", c="exclude"))
    y = tell(tmp_path, "y", call(a=2e-3, b="exclude", c=1e-3))
    its = tables(tmp_path, x, y)
    its.warn_of_constraints([x, y])
    [warning] = its.measurer.warnings
    assert warning.startswith("f: constraints exclude b on all 2 inputs, so")
    of_schedules = tables(tmp_path, x, y, schedules=True)
    of_schedules.warn_of_constraints([x, y])
    assert of_schedules.measurer.warnings == []


def test_a_constraint_that_throws_is_named_with_what_it_threw(tmp_path: Path) -> None:
    StandIn(tmp_path)
    x, y = (tell(tmp_path, name, call(a=2e-3, b="constraint threw: no")) for name in "xy")
    its = tables(tmp_path, x, y)
    its.warn_of_constraints([x, y])
    threw, excluded = its.measurer.warnings
    assert threw.startswith(
        "f: a constraint of b threw in 2 calls, where it counts as false; first"
    )
    assert threw.endswith("x: constraint threw: no")
    assert "exclude b on all 2 inputs" in excluded


@pytest.mark.parametrize(("metric", "is_said"), [(3.5, True), (3.6, False)])
def test_numbers_that_may_be_results_are_said(metric: float, is_said: bool, tmp_path: Path) -> None:
    StandIn(tmp_path, unit="returned")
    inputs = [tell(tmp_path, name, call(a=3.5, b=3.5)) for name in "xy"]
    inputs.append(tell(tmp_path, "z", call(a=3.5, b=metric)))
    its = tables(tmp_path, *inputs)
    its.warn_of_results(inputs)
    assert len(its.measurer.warnings) == is_said
    if is_said:
        assert its.measurer.warnings[0] == (
            "f: all variants return the same number in each of 3 calls; if it is what they compute "
            'and not what they cost, set metric="elapsed"'
        )
