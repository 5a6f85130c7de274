"""A fettle::ndp::program is tuned: what is fused in it becomes the choice of a model."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from programs_build import COMPILER, INCLUDE, WITH_LIBRARY
from quick_classifier import QuickClassifier
from tuned_program import has_openmp

from fettle.cli import main
from fettle.core.progress import Silence
from fettle.ndp.base.computation import Computation
from fettle.ndp.program_text import program_text
from fettle.ndp.result import NdpResult
from fettle.ndp_tuner import NdpTuner
from fettle.training.request import Measuring

SOURCE = Path(__file__).parent / "programs" / "chain.cpp"
FLAGS = ["-O0", *WITH_LIBRARY]

pytestmark = pytest.mark.skipif(not has_openmp(), reason="the compiler has no OpenMP")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("chain")


@pytest.fixture(scope="module")
def tuned(folder: Path) -> NdpResult:
    """The program, tuned on a few inputs, hardly measured."""
    source = folder / "chain.cpp"
    shutil.copy(SOURCE, source)
    return NdpTuner(
        source,
        platform="openmp",
        inputs=["10", "3000", "200000"],
        test_inputs=["100", "100000"],
        flags=FLAGS,
        compiler=COMPILER,
        build_directory=folder / "build",
        classifier=QuickClassifier(),
        feature_selection=False,
        measuring=Measuring(maximum_samples=3, budget_s=0.2),
        comparing=None,
        display=Silence(),
    ).tune()


def test_what_may_be_fused_is_measured_and_deployed(tuned: NdpResult) -> None:
    [outcome] = tuned.outcomes  # what the program consists of is left to it
    assert (outcome.function, outcome.expression) == ("chain.openmp", "program")
    assert outcome.failed == ()
    measured = tuned.results[0].measured
    assert measured is not None
    assert measured.variants[0] == "default"
    by_rules = {"squares:tile_map", "total:tile_reduce", "prefix:three_phase_scan"}
    assert {"unfused", "squares", "nexts", *by_rules} <= set(measured.variants)
    names = ("bytes", "intermediate_bytes", "largest_result", "bytes_a_result")
    assert set(measured.features) == set(names)
    header = tuned.header.read_text()
    assert 'struct fettle::ndp::tuned_program<"chain", fettle::ndp::platform::openmp> {' in header
    assert "#include <fettle/ndp/tuned_program.hpp>" in header
    assert "tuned_computation" not in header


def test_a_program_with_its_header_chooses(tuned: NdpResult, folder: Path) -> None:
    # How many variants are kept differs with the times that were measured.
    header = re.sub(r"variant_count = \d+", "variant_count = 3", tuned.header.read_text())
    before, _, rest = header.partition("std::array<std::string_view, ")
    listed = 'std::array<std::string_view, 2> variants{"unfused", "squares+gone"}'
    tuned.header.write_text(before + listed + rest[rest.index("}") + 1 :])
    program = folder / "chain"
    command = [COMPILER, "-std=c++20", "-fopenmp", f"-I{INCLUDE}", *FLAGS[:1], "chain.cpp"]
    subprocess.run([*command, "-o", str(program), *WITH_LIBRARY], cwd=folder, check=True)

    def explained(**environment: str) -> str:
        given = {**os.environ, "FETTLE_MODEL_DIR": str(folder / "nowhere"), **environment}
        ended = subprocess.run(
            [program, "3000"], env=given, capture_output=True, text=True, check=True
        )
        return ended.stdout

    assert "by the default rule (chain.openmp: no model)" in explained()
    forced = explained(FETTLE_FORCE="chain.openmp=unfused")
    assert "6 computations, 0 of them fused by FETTLE_FORCE" in forced
    gone = explained(FETTLE_FORCE="chain.openmp=squares+gone")
    assert "by the default rule (chain.openmp: " in gone


def test_the_command_says_what_may_be_fused(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["ndp", "schedules", str(SOURCE), "--compiler", COMPILER]
    assert main([*arguments, "--flags", " ".join(FLAGS), "--start", "40000"]) == 0
    said = capsys.readouterr().out
    assert "chain.openmp on openmp: a program of 6 computations, " in said
    assert "  nexts: map of squares\n" in said
    for variant in ("unfused", "squares+nexts", "squares+nexts+total:tile_reduce"):
        assert f"\n  {variant}\n" in said


def test_a_program_that_was_not_reached_says_what_to_do() -> None:
    program = Computation("openmp", "program", "program", (), "none", {}, function="chain.openmp")
    assert program_text(program) == (
        "chain.openmp on openmp: a program, which was not reached; give the arguments of a start "
        "that executes it by --start\n"
    )
