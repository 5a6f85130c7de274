"""Approximate variants of a real program: measured, proven, deployed, checked."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from programs_build import build_command, has_header

from fettle.autotuner import Autotuner, Measuring
from fettle.classifiers import TreeClassifier
from fettle.code_variant import CodeVariant
from fettle.core.progress import Silence
from fettle.data.tuning_result import TuningResult

pytestmark = pytest.mark.skipif(not has_header("vector"), reason="needs a C++ compiler")

NAME = "approximate"


def tune(
    folder: Path,
    *,
    build: bool = False,
    held_out: int = 30,
    environment: dict[str, str] | None = None,
) -> TuningResult:
    """Learns from 60 inputs; 29 held out would prove that 90 % keep the bound."""
    tuner = Autotuner(
        NAME,
        working_directory=folder,
        measuring=Measuring(maximum_samples=3, race=False),
        display=Silence(),
        report_directory=None,
        comparing=None,
    )
    if build:
        tuner.set_build_command(build_command(NAME))
    tuner.set_training_args(["1 30", "1.1 30"])
    tuner.set_test_args([f"1.05 {held_out}"])
    tuner.set_environment(environment or {})
    function = CodeVariant(NAME, 2, classifier=TreeClassifier(), coverage=0.9)
    [result] = tuner.tune([function])
    return result


def ran(folder: Path, *arguments: str) -> tuple[list[str], str]:
    """What ran in each call, and what the program was told."""
    done = subprocess.run(
        [f"./{NAME}", *arguments],
        cwd=folder,
        env={**os.environ, "FETTLE_MODEL_DIR": str(folder / "fettle_models")},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split(), done.stderr


def test_the_bound_is_proven_deployed_and_checked(tmp_path: Path) -> None:
    result = tune(tmp_path, build=True)
    found = result.approximation
    assert found is not None
    assert found.is_admitted
    assert found.bound == 0.05
    assert found.misses == 0
    assert found.approximate > 3
    assert (
        (tmp_path / "fettle_models" / NAME / "model.txt").read_text().startswith("fettle-model 4\n")
    )
    # The error is 1 / x: it keeps the bound from 20 on. The first call of `rough` is checked.
    variants, told = ran(tmp_path, "1.02", "30")
    assert set(variants[:15]) == {"exact"}
    assert variants.count("rough") > 3
    assert told == ""

    # A drift of the errors, found by the first check after it.
    variants, told = ran(tmp_path, "200", "3000", "0.0001")
    assert variants[1] == "rough"
    assert set(variants[1001:]) == {"exact"}
    assert "exact variants run from now on" in told

    # Another run of the tuner has nothing to do, and says the same.
    again = tune(tmp_path)
    assert again.approximation == found

    # With fewer held-out inputs the exact variant stays, and it is said how many are missing.
    fewer = tune(tmp_path, held_out=10)
    assert fewer.approximation is not None
    assert "19 more are needed" in fewer.approximation.reason
    assert any("19 more are needed" in warning for warning in fewer.warnings)
    assert set(ran(tmp_path, "200", "5")[0]) == {"exact"}

    # Without a bound the approximate variant does not even run.
    without = tune(tmp_path, environment={"WITHOUT_BOUND": "1"})
    assert without.approximation is not None
    assert without.approximation.bound is None
    assert set(ran(tmp_path, "200", "5")[0]) == {"exact"}
