"""One run of the tuner over its functions: what is opened, written, told and left behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from quick_classifier import QuickClassifier
from stand_in import StandIn
from stand_in_measurer import Said, call, tell

from fettle import CodeVariant
from fettle.core.errors import FettleError
from fettle.core.progress import Display
from fettle.data.tuning_result import TuningResult
from fettle.training.program import InputError
from fettle.training.session import measure_session, measuring_session, run_session
from fettle.training.settings import Settings


def settings(folder: Path, count: int = 3, **more: Any) -> Settings:
    more = {"comparing": None, "config_header": None, **more}
    inputs = [tell(folder, f"in{n}", call(n, a=2e-3, b=1e-3)) for n in range(count)]
    return Settings(program="app", working_directory=folder, training_inputs=tuple(inputs), **more)


def function(name: str = "f") -> CodeVariant:
    return CodeVariant(name, 2, classifier=QuickClassifier())


def test_a_session_needs_training_inputs(tmp_path: Path) -> None:
    with pytest.raises(FettleError, match="call set_training_args first"):
        run_session(settings(tmp_path, 0), [function()], None, Said())
    assert not (tmp_path / "fettle.sqlite").exists()


def test_results_are_reported_as_soon_as_they_are_there(tmp_path: Path) -> None:
    StandIn(tmp_path)
    seen: list[tuple[str, Path | None]] = []

    def report(result: TuningResult, folder: Path | None, _: Display) -> None:
        seen.append((result.function, folder))

    with pytest.raises(FettleError):  # the program has no function g
        run_session(settings(tmp_path), [function(), function("g")], None, Said(), report=report)
    assert seen == [("f", tmp_path / "fettle_report/f")]
    bare = settings(tmp_path, report_directory=None)
    run_session(bare, [function()], None, Said(), report=report)
    assert seen[1:] == [("f", None)]


def test_measuring_trains_nothing(tmp_path: Path) -> None:
    app = StandIn(tmp_path)
    measure_session(settings(tmp_path), [function()], Said())
    assert len(app.runs()) == 6
    assert not (tmp_path / "fettle_models").exists()


def test_what_was_measured_stays_where_the_caller_fails(tmp_path: Path) -> None:
    app = StandIn(tmp_path)
    its = settings(tmp_path)
    with (
        pytest.raises(InputError, match="enough"),
        measuring_session(its, [function()], Said()) as measurer_of,
    ):
        measurer_of(function()).measure(its.training_inputs[0])
        raise InputError("enough")
    measure_session(its, [function()], Said())
    assert app.runs().count("a in0") == 1


def test_variants_to_measure_anew_have_to_be_there(tmp_path: Path) -> None:
    app = StandIn(tmp_path)
    measure_session(settings(tmp_path), [function()], Said())
    with pytest.raises(FettleError, match=r"no variant 'c' to measure anew: f has a, b"):
        measure_session(settings(tmp_path, fresh_variants=("c",)), [function()], Said())
    said = Said()
    measure_session(settings(tmp_path, fresh_variants=("b",)), [function()], said)
    assert "f: b is measured anew on all inputs, as asked for" in said.lines
    assert app.runs().count("b in0") == 2
