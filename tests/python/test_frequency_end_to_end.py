"""The clock frequency of a real program: measured, learned, set and set back, on a stand-in for
NVML. No test touches a real device."""

from __future__ import annotations

import json
import os
import subprocess
import time
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
from fettle.model.deployed import load
from fettle.objectives.clocked import device_clocks
from fettle.processes.supervised import SupervisedProcess

pytestmark = pytest.mark.skipif(not has_header("vector"), reason="needs a C++ compiler")

USUAL = 562
STAND_IN = Path(__file__).parents[1] / "measure/stand_in/nvml.cpp"


@pytest.fixture(scope="module")
def nvml(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The stand-in, compiled."""
    library = tmp_path_factory.mktemp("nvml") / "libnvidia-ml.so"
    compiler = os.environ.get("FETTLE_CXX", "c++")
    subprocess.run(
        [compiler, "-std=c++20", "-shared", "-fPIC", str(STAND_IN), "-o", str(library)], check=True
    )
    return library


class Clocks:
    """The file in which the stand-in keeps its clock, and what points programs to it."""

    def __init__(self, folder: Path, library: Path, status: int = 0) -> None:
        self.file = folder / "clocks"
        self.file.write_text(f"{USUAL} {status} 0\n")
        self.environment = {
            "FETTLE_NVML": str(library),
            "FETTLE_STAND_IN_CLOCKS": str(self.file),
        }

    @property
    def mhz(self) -> int:
        return int(self.file.read_text().split()[0])

    def becomes(self, mhz: int) -> bool:
        for _ in range(1000):
            now = self.file.read_text().split()  # nothing while it is being written
            if now and int(now[0]) == mhz:
                return True
            time.sleep(0.01)
        return False


def work(**options: Any) -> CodeVariant:
    return CodeVariant(
        "work",
        2,
        classifier=TreeClassifier(),
        metrics={"seconds": "s", "joules": "J"},
        define={"rate": "1 / seconds", "watts": "joules / seconds"},
        **options,
    )


OBJECTIVES = {"fast": "seconds", "eco": "joules", "cool": "maximize rate / watts**2"}


def tune(folder: Path, function: CodeVariant, clocks: Clocks) -> TuningResult:
    tuner = Autotuner(
        "frequency",
        working_directory=folder,
        measuring=Measuring(maximum_samples=1, minimum_samples=1, warm_up=0),
        display=Silence(),
        report_directory=None,
        comparing=None,
    )
    tuner.set_environment(clocks.environment)
    tuner.set_training_args([str(n) for n in range(1, 21)])
    tuner.set_build_command(build_command("frequency"))
    [result] = tuner.tune([function])
    return result


def run(folder: Path, clocks: Clocks, *words: str, **environment: str) -> tuple[str, str]:
    """What a run of the program prints, and what it says beside."""
    done = subprocess.run(
        ["./frequency", *words],
        cwd=folder,
        env={**os.environ, **clocks.environment, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip(), done.stderr.strip()


Tuned = tuple[Path, Clocks, TuningResult]


@pytest.fixture(scope="module")
def tuned(tmp_path_factory: pytest.TempPathFactory, nvml: Path) -> Tuned:
    folder = tmp_path_factory.mktemp("frequency")
    clocks = Clocks(folder, nvml)
    function = work(objectives=OBJECTIVES)
    function.tune_frequency([562, 654, 758, 875])
    return folder, clocks, tune(folder, function, clocks)


def test_each_objective_has_a_clock_of_its_own(tuned: Tuned) -> None:
    folder, clocks, result = tuned
    assert clocks.mhz == USUAL  # set back after each start
    assert run(folder, clocks, "20", FETTLE_FREQUENCY="1")[0].startswith("stream")
    fast = run(folder, clocks, "3", FETTLE_FREQUENCY="1", FETTLE_OBJECTIVE="fast")[0]
    assert fast == "compute@875MHz 875"
    eco = run(folder, clocks, "1", FETTLE_FREQUENCY="1", FETTLE_OBJECTIVE="eco")[0]
    assert eco == "compute@654MHz 654"
    assert clocks.mhz == USUAL
    said = "\n".join(result.objectives)
    assert "frequency of the objective eco, one model of both, of 4 clocks: share of best" in said
    model = load(folder / "fettle_models/work/objective-eco/frequency")
    assert "compute@654MHz" in model.variants


def test_nobody_sets_a_clock_who_was_not_asked_to(tuned: Tuned) -> None:
    folder, clocks, _ = tuned
    changes = clocks.file.read_text()
    assert run(folder, clocks, "3", FETTLE_OBJECTIVE="fast")[0] == "compute 562"
    assert run(folder, clocks, "3", FETTLE_OBJECTIVE="fast", FETTLE_FREQUENCY="0")[0] == (
        "compute 562"
    )
    assert clocks.file.read_text() == changes


def test_a_killed_program_leaves_the_clock_as_it_was(tuned: Tuned) -> None:
    folder, clocks, _ = tuned
    words = {"FETTLE_FREQUENCY": "1", "FETTLE_OBJECTIVE": "fast"}
    assert run(folder, clocks, "3", "kill", **words)[0] == "compute@875MHz 875"
    assert clocks.becomes(USUAL)


def test_a_program_that_the_tuner_kills_leaves_the_clock_as_it_was(
    tuned: Tuned,
) -> None:
    """The mark by which the tuner finds what a program has started is not the guard's."""
    folder, clocks, _ = tuned
    words = {"FETTLE_FREQUENCY": "1", "FETTLE_OBJECTIVE": "fast", "FETTLE_FORCE": ""}
    environment = {**os.environ, **clocks.environment, **words}
    with SupervisedProcess(
        ["./frequency", "3", "wait"], directory=folder, environment=environment
    ) as process:
        assert clocks.becomes(875)
        assert process.wait(0.1) is None
    assert clocks.becomes(USUAL)


def test_without_permission_variants_alone_are_chosen(tuned: Tuned) -> None:
    folder, clocks, _ = tuned
    words = {"FETTLE_FREQUENCY": "1", "FETTLE_OBJECTIVE": "fast"}
    chosen, said = run(folder, clocks, "3", FETTLE_NVML="no-such-library.so", **words)
    assert chosen == "compute 562"
    assert said.count("\n") == 0
    assert "work: variants alone are chosen, at the clock that is set: cannot load NVML" in said


def test_two_models_and_the_clocks_of_the_device(tmp_path: Path, nvml: Path) -> None:
    clocks = Clocks(tmp_path, nvml)
    function = work(minimize="joules")
    function.tune_frequency("auto", models="two", deploy=True)
    result = tune(tmp_path, function, clocks)
    said = "\n".join(result.objectives)
    assert "of 25 clocks" in said
    assert "are worth measuring by the power curve" in said
    assert "frequency of the objective default, a model of each" in said
    assert "compute@" in run(tmp_path, clocks, "1")[0]  # deploy=True: no word is needed
    assert run(tmp_path, clocks, "1", FETTLE_FREQUENCY="0")[0] == "compute 562"
    assert clocks.mhz == USUAL
    again = tune(tmp_path, function, clocks)
    assert again.effort.variant_runs == 0
    plain = work(minimize="joules")
    tune(tmp_path, plain, clocks)
    assert not (tmp_path / "fettle_models/work/frequency").exists()


def test_a_program_that_cannot_set_clocks_is_tuned_all_the_same(tmp_path: Path, nvml: Path) -> None:
    clocks = Clocks(tmp_path, nvml)
    clocks.environment["FETTLE_NVML"] = "no-such-library.so"
    function = work(minimize="seconds")
    function.tune_frequency([875])
    result = tune(tmp_path, function, clocks)
    assert "could not set the device's clock" in "\n".join(result.objectives)
    assert not (tmp_path / "fettle_models/work/frequency").exists()
    assert json.loads((tmp_path / "fettle_models/work/objectives.json").read_text())
    function.tune_frequency("auto")
    said = "\n".join(tune(tmp_path, function, clocks).objectives)
    assert "cannot be loaded; is the driver installed" in said
    assert "the model of the variants alone stays" in said


def test_the_clocks_of_a_device(nvml: Path) -> None:
    offered = device_clocks({"FETTLE_NVML": str(nvml)})
    assert (len(offered), offered[0], offered[-1]) == (25, 562, 875)
    with pytest.raises(FettleError, match="cannot be loaded; is the driver installed"):
        device_clocks({"FETTLE_NVML": "no-such-library.so"})
