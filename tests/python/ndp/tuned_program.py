"""A program with two named computations and an unnamed one, and tuners for it on a small space."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from programs_build import COMPILER, INCLUDE, WITH_LIBRARY
from quick_classifier import QuickClassifier

from fettle.core.progress import Silence
from fettle.ndp_tuner import NdpTuner
from fettle.training.request import Measuring

SOURCE = INCLUDE.parent / "tests" / "ndp" / "tuned" / "two_computations.cpp"


def matrices(rows: Sequence[int], row_lengths: Sequence[int], seed: int) -> list[str]:
    """Inputs of the program: matrices of each size, average row length and kind."""
    kinds = ("short", "skewed")
    return [f"{n} {mean} {kind} {seed}" for n in rows for mean in row_lengths for kind in kinds]


INPUTS = matrices((30, 1000), (2, 20), seed=1)
TEST_INPUTS = matrices((50, 700), (5,), seed=2)


def has_openmp() -> bool:
    """Whether the compiler knows OpenMP."""
    command = [COMPILER, "-fopenmp", "-x", "c++", "-E", "-o", os.devnull, "-"]
    done = subprocess.run(command, input="#include <omp.h>\n", text=True, capture_output=True)
    return done.returncode == 0


def tuner_of(folder: Path, program: Path = SOURCE, **options: Any) -> NdpTuner:
    """A tuner of a copy of the program in `folder`: few candidates, hardly measured."""
    source = folder / program.name
    if not source.exists():
        folder.mkdir(parents=True, exist_ok=True)
        source.write_text(program.read_text())
    usual: dict[str, Any] = {
        "platform": "openmp",
        "inputs": INPUTS,
        "test_inputs": TEST_INPUTS,
        "flags": ["-O0", *WITH_LIBRARY],
        "compiler": COMPILER,
        "build_directory": folder / "build",
        "size": "small",
        "schedules": ["independent>*", "sequential*", "cooperative"],
        "only": ["*sequential", "*static*", "cooperative"],
        "classifier": QuickClassifier(),
        "feature_selection": False,
        "measuring": Measuring(maximum_samples=3, budget_s=0.2),
        "comparing": None,  # candidates that are not optimised may gain nothing
        "display": Silence(),
        "report": None,  # pictures take longer than the models
    }
    return NdpTuner(source, **{**usual, **options})


def run_program(program: Path, given: str) -> subprocess.CompletedProcess[str]:
    """Starts the program with an input's arguments."""
    return subprocess.run([program, *given.split()], capture_output=True, text=True, check=False)
