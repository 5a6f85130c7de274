"""The stage that tunes parameters: that the one there is fits what a tuning run asks of it."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest
from stand_in import StandIn
from stand_in_measurer import call, measurer_in, tell

from fettle import CodeVariant, Parameter
from fettle.core.errors import FettleError
from fettle.parameters.point_learning import PointLearning
from fettle.parameters.stage import Parameters
from fettle.parameters.tuning import ParameterTuning
from fettle.training.parameter_stage import ClassLearning, ParameterStage, VariantParameters
from fettle.training.settings import Settings


@pytest.mark.parametrize(
    ("asked", "made", "count"),
    [
        (ParameterStage, Parameters, 4),
        (VariantParameters, ParameterTuning, 5),
        (ClassLearning, PointLearning, 1),
    ],
)
def test_each_call_that_a_tuning_run_makes_is_taken(asked: type, made: type, count: int) -> None:
    calls = [name for name in vars(asked) if not name.startswith("_")]
    assert len(calls) == count
    assert set(calls) <= set(vars(made))
    for name in calls:
        if isinstance(getattr(asked, name), property):
            continue
        wanted = inspect.signature(getattr(asked, name)).parameters.values()
        has = inspect.signature(getattr(made, name)).parameters.values()
        assert [(one.name, one.kind) for one in wanted] == [(one.name, one.kind) for one in has], (
            name
        )


def test_variants_without_parameters_have_no_stage(tmp_path: Path) -> None:
    StandIn(tmp_path)
    tuner = measurer_in(tmp_path)
    tuner.measure(tell(tmp_path, "x", call(a=1e-3, b=2e-3)))
    settings = Settings(program="app", working_directory=tmp_path)
    assert Parameters().of_variants(CodeVariant("f"), settings, tuner, None) is None


def test_the_first_build_has_the_first_values(tmp_path: Path) -> None:
    tiled = CodeVariant("g", parameters=[Parameter("TILE", (8, 4)), Parameter("UNROLL", (1, 2))])
    assert Parameters().first_macros([CodeVariant("f"), tiled]) == {"TILE": 8, "UNROLL": 1}
    assert Parameters().first_macros([CodeVariant("f")]) == {}


def test_macros_need_a_build_command_that_takes_them(tmp_path: Path) -> None:
    tiled = CodeVariant("g", parameters=[Parameter("TILE", (8, 4))])
    settings = Settings(program="app", working_directory=tmp_path)
    with pytest.raises(FettleError, match="build command"):
        Parameters().check([tiled], settings)
    Parameters().check([tiled], settings.changed(build_command="make DEFINES='{defines}'"))
    Parameters().check([CodeVariant("f")], settings)
