"""Tuning on platforms beside OpenMP, end to end: `fettle ndp tune --platform` of a reduction."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest
from programs_build import COMPILER, INCLUDE, WITH_LIBRARY, has_header

from fettle.cli import main
from fettle.ndp.manifest import read_manifest

PROGRAM = """
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <fettle/ndp.hpp>
#include <fettle/ndp/PLATFORM.hpp>
#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"
#endif
namespace ndp = fettle::ndp;
int main(int count, char** words) {
  const long n = count > 1 ? std::atol(words[1]) : 10;
  const std::vector<double> x(static_cast<std::size_t>(n), 1.0);
  const auto whole = ndp::reduce(ndp::plus{}, ndp::make_sequence(x), 0.0);
  const double sum = ndp::execute<"total">(whole, ndp::platform::PLATFORM{});
  return sum == static_cast<double>(n) ? 0 : 1;
}
"""


@pytest.mark.parametrize("platform", ["openmp_nodes", "tbb"])
def test_tuning_from_the_command_line(here: Path, platform: str) -> None:
    if platform == "tbb" and not has_header("tbb/version.h"):
        pytest.skip("needs oneTBB")
    Path("total.cpp").write_text(PROGRAM.replace("PLATFORM", platform))
    flags = shlex.join(["-O0", *WITH_LIBRARY])
    words = ["ndp", "tune", "total.cpp", "--platform", platform, f"--flags={flags}"]
    words += ["--size", "small", "--inputs", "100", "3000", "20000", "--plain"]
    assert main(words) in (0, 1)
    built = read_manifest(Path(f"fettle_build/total.{platform}")).candidates(f"total.{platform}")
    assert {"cooperative", "sequential"} <= {one.schedule for one in built}
    if platform == "openmp_nodes":
        assert all("nodes=" in one.text for one in built)
    assert (
        f'tuned_computation<"total", fettle::ndp::platform::{platform}>'
        in Path("fettle_config.hpp").read_text()
    )
    command = [
        COMPILER,
        "-std=c++20",
        "-O0",
        "-fopenmp",
        f"-I{INCLUDE}",
        "total.cpp",
        "-o",
    ]
    libraries = [*WITH_LIBRARY, *(["-ltbb"] if platform == "tbb" else [])]
    subprocess.run([*command, "total", *libraries], check=True)
    subprocess.run(["./total", "5000"], check=True)
