"""Tuning with knobs: the bound is proven, deployed, chosen by and checked; without one none is."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from programs_build import INCLUDE, WITH_LIBRARY
from tuned_program import COMPILER, has_openmp

from fettle.classifiers import TreeClassifier
from fettle.core.errors import FettleError
from fettle.core.progress import Silence
from fettle.ndp_tuner import NdpTuner
from fettle.training.request import Measuring

pytestmark = pytest.mark.skipif(not has_openmp(), reason="needs a compiler with OpenMP")

# The sum of squares of so many sequences, each larger than the last; `rough` above 0 makes the
# tiles that a sample leaves out larger by as much.
PROGRAM = """
#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"
#endif
#include <fettle/ndp.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
namespace ndp = fettle::ndp;
struct square { double operator()(double x) const { return x * x; } };
int main(int argc, char** argv) {
  if (argc < 4) return 1;
  const double rough = std::atof(argv[3]);
  double size = 2000 * std::atof(argv[1]);
  for (int call = 0; call < std::atoi(argv[2]); ++call, size *= 1.1) {
    std::vector<double> x(static_cast<std::size_t>(size));
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = 1 + 0.01 * std::fmod(0.618 * double(i), 1.0) + (i / 64 % 4 != 0 ? rough : 0);
    }
    const auto squares = ndp::map(square{}, ndp::make_sequence(x));
    const double sum =
        ndp::execute<"squares">(ndp::reduce(ndp::plus{}, squares, 0.0), ndp::platform::openmp{});
    double exact = 0;
    for (const double value : x) exact += value * value;
    std::printf("%g\\n", std::fabs(sum - exact) / exact);
  }
}
"""


def tuner_of(folder: Path, **options: object) -> NdpTuner:
    source = folder / "squares.cpp"
    source.write_text(PROGRAM)
    usual: dict[str, object] = {
        "platform": "openmp",
        "inputs": ["1 50 0", "1.03 50 0"],
        "test_inputs": ["1.01 50 0"],
        "flags": ["-O0", *WITH_LIBRARY],
        "compiler": COMPILER,
        "build_directory": folder / "build",
        "size": "small",
        "schedules": ["cooperative"],
        "only": ["cooperative num_threads=1", "cooperative num_threads=1 sample=16"],
        "classifier": TreeClassifier(),
        "feature_selection": False,
        "measuring": Measuring(maximum_samples=3, budget_s=0.2),
        "comparing": None,
        "display": Silence(),
        "coverage": 0.9,
    }
    return NdpTuner(source, **{**usual, **options})  # type: ignore[arg-type]


def ran(folder: Path, *arguments: str) -> tuple[list[float], list[str], str]:
    """The errors of the calls, what ran, and what was said on standard error."""
    trace = folder / "trace.jsonl"
    trace.unlink(missing_ok=True)
    done = subprocess.run(
        [folder / "program", *arguments],
        env={**os.environ, "FETTLE_TRACE": str(trace)},
        capture_output=True,
        text=True,
        check=True,
    )
    chosen = [json.loads(line)["variant"] for line in trace.read_text().splitlines()]
    return [float(line) for line in done.stdout.splitlines()], chosen, done.stderr


def test_a_bound_is_proven_deployed_and_checked(tmp_path: Path) -> None:
    tuner = tuner_of(tmp_path, bound=0.05, check_every=5)
    found = tuner.tune().results[0].approximation
    assert found is not None
    assert found.is_admitted, found.reason
    assert found.misses == 0
    assert all(0 < one.worst_error < 0.05 for one in found.variants if not one.is_exact)
    assert any(not one.is_exact for one in found.variants)
    header = (tmp_path / "fettle_config.hpp").read_text()
    assert "using quality = fettle::ndp::relative_norm;" in header
    assert "static constexpr double bound = 0.05;" in header
    assert ".sample = 16" in header
    command = [COMPILER, "-std=c++20", "-O0", "-fopenmp", f"-I{INCLUDE}", "squares.cpp"]
    subprocess.run([*command, *WITH_LIBRARY, "-o", "program"], cwd=tmp_path, check=True)
    errors, chosen, told = ran(tmp_path, "1.02", "50", "0")
    assert sum("sample=16" in one for one in chosen) > 10
    assert max(errors) <= 0.05
    assert any(error > 1e-9 for error in errors)
    assert told == ""
    # Beyond the bound: the first call of a sample is checked, and none follows.
    errors, _, told = ran(tmp_path, "1.02", "50", "1")
    assert max(errors) <= 1e-9
    assert "its error was" in told
    # What is built is up to date: without a bound the same build has no approximate candidate.
    exact = tuner_of(tmp_path, only=["cooperative num_threads=1"])
    assert [one.is_approximate for one in exact.build().candidates("squares.openmp")] == [False]


def test_without_a_bound_no_candidate_sets_a_knob(tmp_path: Path) -> None:
    with pytest.raises(FettleError, match="there are no candidates left"):
        tuner_of(tmp_path, only=["*sample=*"]).plan()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"bound": -0.1}, "bound must be the largest relative error allowed"),
        ({"bound": float("nan")}, "without one no approximate candidate is tried"),
        ({"bound": 0.1, "quality": "norm"}, "use relative_norm, largest_relative, mean_relative"),
    ],
)
def test_wrong_options_are_said(tmp_path: Path, options: dict[str, object], says: str) -> None:
    with pytest.raises(FettleError, match=says):
        tuner_of(tmp_path, **options).plan()
