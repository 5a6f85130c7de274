"""Objectives of a program whose variants have parameters: points by each objective, one set of
measurements."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from programs_build import build_command, has_header

from fettle.autotuner import Autotuner, Measuring
from fettle.classifiers import TreeClassifier
from fettle.code_variant import CodeVariant
from fettle.core.progress import Silence
from fettle.data.tuning_result import TuningResult
from fettle.search.parameter_search import ParameterSearch

pytestmark = pytest.mark.skipif(not has_header("vector"), reason="needs a C++ compiler")


def scale(**options: Any) -> CodeVariant:
    return CodeVariant(
        "scale",
        classifier=TreeClassifier(),
        metrics={"seconds": "s", "joules": "J"},
        parameter_search=ParameterSearch("multilevel", measurements=5),
        **options,
    )


def tune(folder: Path, function: CodeVariant) -> TuningResult:
    tuner = Autotuner(
        "pointed_objectives",
        working_directory=folder,
        measuring=Measuring(maximum_samples=1, minimum_samples=1, warm_up=0),
        display=Silence(),
        report_directory=None,
        comparing=None,
    )
    tuner.set_training_args([str(n) for n in range(1, 41, 3)])
    tuner.set_build_command(build_command("pointed_objectives"))
    [result] = tuner.tune([function])
    return result


def chosen(folder: Path, *words: str) -> str:
    return subprocess.run(
        ["./pointed_objectives", *words],
        cwd=folder,
        env=dict(os.environ),
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()


def test_each_objective_has_points_of_its_own(tmp_path: Path) -> None:
    tune(tmp_path, scale(objectives={"fast": "seconds"}))
    result = tune(tmp_path, scale(objectives={"fast": "seconds", "eco": "joules"}))
    assert result.effort.variant_runs == 0  # one more objective is of the same measurements
    assert chosen(tmp_path, "37") == "wide lanes=16"
    assert chosen(tmp_path, "37", "eco") == "wide lanes=2"
    said = "\n".join(result.objectives)
    assert "objective eco: minimize joules" in said
    assert "model eco, each metric over that of a fixed variant" in said
    bounded = scale(minimize="joules", subject_to="seconds <= 3 * best(seconds)")
    tune(tmp_path, bounded)
    assert chosen(tmp_path, "37") == "wide lanes=4"
    assert tune(tmp_path, bounded).effort.variant_runs == 0
