"""Meters that Fettle runs around the variants of a real program, and what is known of them."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

import pytest
from programs_build import build_command, has_header

from fettle.autotuner import Autotuner, Measuring
from fettle.classifiers import TreeClassifier
from fettle.code_variant import CodeVariant
from fettle.core.errors import FettleError
from fettle.core.progress import Silence
from fettle.data.tuning_result import TuningResult

pytestmark = pytest.mark.skipif(not has_header("vector"), reason="needs a C++ compiler")

STAND_IN = Path(__file__).parents[1] / "measure/stand_in/nvml.cpp"
PROCFS = Path("/proc/self/clear_refs")


def fill(**options: Any) -> CodeVariant:
    return CodeVariant("fill", 2, classifier=TreeClassifier(), **options)


def tune(
    folder: Path, function: CodeVariant, inputs: int, environment: dict[str, str]
) -> TuningResult:
    tuner = Autotuner(
        "meters",
        working_directory=folder,
        measuring=Measuring(maximum_samples=2, minimum_samples=2, warm_up=0),
        display=Silence(),
        report_directory=None,
        comparing=None,
    )
    tuner.set_environment(environment)
    tuner.set_training_args([str(n) for n in range(1, inputs + 1)])
    tuner.set_build_command(build_command("meters"))
    [result] = tuner.tune([function])
    return result


def chosen(folder: Path, objective: str) -> str:
    environment = {**os.environ, "FETTLE_OBJECTIVE": objective}
    return subprocess.run(
        ["./meters", "3"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()


def rows(folder: Path) -> dict[str, list[str]]:
    """What the store has of each metric."""
    found: dict[str, list[str]] = {}
    with sqlite3.connect(folder / "fettle.sqlite") as store:
        for metric, value in store.execute("SELECT metric, value FROM sample"):
            found.setdefault(metric, []).append(value)
    return found


def test_memory_and_a_meter_of_the_program_are_optimised(tmp_path: Path) -> None:
    function = fill(
        meters="memory", objectives={"fast": "seconds", "lean": "peak_bytes", "few": "touches"}
    )
    result = tune(tmp_path, function, 8, {})
    if not os.access(PROCFS, os.W_OK):
        pytest.skip("the kernel does not let the largest resident size be forgotten")
    assert chosen(tmp_path, "lean") == "frugal"
    assert chosen(tmp_path, "few") == "lavish"
    found = rows(tmp_path)
    assert {"peak_bytes", "touches"} <= found.keys()
    how = [name for name in found if name.startswith("peak_bytes by Linux, VmHWM of ")]
    assert len(how) == 1
    assert "objective lean: minimize peak_bytes" in "\n".join(result.objectives)
    assert tune(tmp_path, function, 8, {}).effort.variant_runs == 0


def test_energy_is_kept_with_sensor_method_window_and_resolution(tmp_path: Path) -> None:
    library = tmp_path / "libnvidia-ml.so"
    compiler = os.environ.get("FETTLE_CXX", "c++")
    subprocess.run(
        [compiler, "-std=c++20", "-shared", "-fPIC", str(STAND_IN), "-o", str(library)], check=True
    )
    environment = {"FETTLE_NVML": str(library), "FETTLE_STAND_IN_REAL_TIME": "1"}
    function = fill(meters="gpu_energy", minimize="joules")
    tune(tmp_path, function, 2, environment)
    found = rows(tmp_path)
    assert len(found["joules"]) == len(found["watts"]) == len(found["max_watts"]) == 4
    for value in found["watts"]:
        assert float(value.strip("[]")) == pytest.approx(300, rel=0.1)
    [how] = [name for name in found if name.startswith("joules by")]
    assert how == "joules by NVML 0 Stand-in: energy counter"
    window, resolution = (float(one) for one in found[how][0].strip("[]").split(","))
    assert window > 0.9
    assert resolution > 0


def test_where_no_sensor_sees_the_run_nothing_is_learned(tmp_path: Path) -> None:
    environment = {"FETTLE_NVML": "no-such-library.so"}
    function = fill(meters="gpu_energy", objectives={"fast": "seconds", "eco": "joules"})
    result = tune(tmp_path, function, 6, environment)
    said = "\n".join(result.objectives)
    assert "objective eco: minimize joules: its metrics are not known on any input" in said
    assert not (tmp_path / "fettle_models/fill/objective-eco/model.txt").exists()
    assert chosen(tmp_path, "fast") in ("lavish", "frugal")
    [refused] = [name for name in rows(tmp_path) if name.startswith("joules by")]
    assert refused.startswith("joules by no sensor: refused: cannot load NVML")
    only = fill(meters="gpu_energy", minimize="joules")
    with pytest.raises(FettleError, match="no input to learn from"):
        tune(tmp_path, only, 6, environment)


def test_meters_have_names() -> None:
    with pytest.raises(FettleError, match="meters must be names among energy, gpu_energy"):
        fill(meters="enrgy")
    with pytest.raises(FettleError, match="each once"):
        fill(meters=["memory", "memory"])
