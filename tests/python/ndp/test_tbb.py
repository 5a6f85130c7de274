"""Tuning on oneTBB, end to end: `fettle ndp tune --platform tbb` of one reduction."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest
from programs_build import COMPILER, INCLUDE, WITH_LIBRARY, has_header

from fettle.cli import main
from fettle.ndp.manifest import read_manifest

pytestmark = pytest.mark.skipif(not has_header("tbb/version.h"), reason="needs oneTBB")

PROGRAM = """
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <fettle/ndp.hpp>
#include <fettle/ndp/tbb.hpp>
#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"
#endif
namespace ndp = fettle::ndp;
int main(int count, char** words) {
  const long n = count > 1 ? std::atol(words[1]) : 10;
  const std::vector<double> x(static_cast<std::size_t>(n), 1.0);
  const auto whole = ndp::reduce(ndp::plus{}, ndp::make_sequence(x), 0.0);
  const double sum = ndp::execute<"total">(whole, ndp::platform::tbb{});
  return sum == static_cast<double>(n) ? 0 : 1;
}
"""


def test_tuning_from_the_command_line(here: Path) -> None:
    Path("total.cpp").write_text(PROGRAM)
    flags = shlex.join(["-O1", *WITH_LIBRARY])
    words = ["ndp", "tune", "total.cpp", "--platform", "tbb", f"--flags={flags}", "--size", "small"]
    assert main([*words, "--inputs", "100", "3000", "20000", "--plain"]) in (0, 1)
    built = read_manifest(Path("fettle_build/total.tbb")).candidates("total.tbb")
    assert {"cooperative", "sequential"} <= {one.schedule for one in built}
    assert (
        'tuned_computation<"total", fettle::ndp::platform::tbb>'
        in Path("fettle_config.hpp").read_text()
    )
    command = [COMPILER, "-std=c++20", "-O0", f"-I{INCLUDE}", "total.cpp", "-o", "total"]
    subprocess.run([*command, *WITH_LIBRARY, "-ltbb"], check=True)
    subprocess.run(["./total", "5000"], check=True)
