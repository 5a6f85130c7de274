"""The training and test inputs of one function: which are held out, and what is measured again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from stand_in import StandIn
from stand_in_measurer import call, measurer_in, tell

from fettle import CodeVariant, Measuring, SecondRound
from fettle.training.measurements import Measurements
from fettle.training.program import Input, ProgramError
from fettle.training.settings import Settings


def measurements(
    folder: Path, train: Sequence[Input], test: Sequence[Input] = (), **options: Any
) -> Measurements:
    settings = Settings(
        program="app",
        working_directory=folder,
        training_inputs=tuple(train),
        test_inputs=tuple(test),
        second_round=options.pop("second_round", None),
    )
    return Measurements(settings, CodeVariant("f"), measurer_in(folder), None, **options)


def inputs(folder: Path, *names: str) -> list[Input]:
    return [tell(folder, name, call(a=1e-3, b=2e-3)) for name in names]


def test_an_input_that_is_trained_on_is_not_held_out(tmp_path: Path) -> None:
    StandIn(tmp_path)
    x, y = inputs(tmp_path, "x", "y")
    its = measurements(tmp_path, [x], [Input("x by another name", x.arguments), y])
    assert its.measured_test_inputs() == []
    assert its.measure_test_inputs() == [y]
    assert its.measurer.warnings == [
        "1 test input is among the training inputs, too, and not held out"
    ]
    assert its.measured_test_inputs() == [y]


def test_test_inputs_that_fail_are_a_warning(tmp_path: Path) -> None:
    StandIn(tmp_path)
    [x] = inputs(tmp_path, "x")
    bad = tell(tmp_path, "bad", begin="crash")
    its = measurements(tmp_path, [x], [bad])
    its.measure([x])
    assert its.measure_test_inputs() == []
    assert its.measurer.warnings[0].startswith("the test inputs cannot be used: 'f':")
    with pytest.raises(ProgramError):
        its.measure([bad])
    assert measurements(tmp_path, [x]).measure_test_inputs() == []


def test_what_was_found_adds_up(tmp_path: Path) -> None:
    StandIn(tmp_path)
    x, y = inputs(tmp_path, "x", "y")
    bad = tell(tmp_path, "bad", begin="crash")
    its = measurements(tmp_path, [x, y, bad])
    assert its.measure([x]) == [x]
    assert its.measure([x, y, bad]) == [x, y]
    assert its.found.measured == [x, y]
    assert its.found.reused == [x]
    assert list(its.found.left_out) == ["bad"]


def test_a_second_round_follows_on_measuring(tmp_path: Path) -> None:
    app = StandIn(tmp_path)
    x = tell(tmp_path, "x", call(a=1e-3, b=1.05e-3))
    again = SecondRound(Measuring(maximum_samples=30), near=0.9)
    measurements(tmp_path, [x]).measure([x])
    assert app.runs() == ["a x", "b x"]
    measurements(tmp_path, [x], second_round=again).measure([x])
    assert app.runs() == ["a x", "b x"] * 2


class Searched:
    """Parameters whose search fails on the input `bad`."""

    def explore(self, inputs: Sequence[Input], *, quiet: bool = False) -> dict[str, str]:
        return {given.name: "no point works" for given in inputs if given.name == "bad"}


class Stage:
    """A stage that tunes parameters; counts how often it is asked for them."""

    def __init__(self, found: Searched | None) -> None:
        self.found = found
        self.asked = 0

    def of_variants(self, *_: object) -> Searched | None:
        self.asked += 1
        return self.found


def test_inputs_on_which_the_search_of_parameters_fails_are_left_out(tmp_path: Path) -> None:
    StandIn(tmp_path)
    x, bad = inputs(tmp_path, "x", "bad")
    stage = Stage(Searched())
    its = measurements(tmp_path, [x, bad], stage=stage)
    assert its.explore([x, bad]) == [x]
    assert its.explore([x]) == [x]
    assert its.found.left_out == {"bad": "no point works"}
    assert stage.asked == 1, "the search goes on where it was"
    assert measurements(tmp_path, [x, bad], stage=Stage(None)).explore([x, bad]) == [x, bad]
    assert measurements(tmp_path, [x, bad]).explore([x, bad]) == [x, bad]
