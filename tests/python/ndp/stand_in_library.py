"""A stand-in for fettle/ndp/tuned.hpp that compiles in no time, and a program that uses it.

A candidate with 13 threads does not compile.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from fettle.ndp.base.computation import Computation
from fettle.ndp.build_steps import Plan
from fettle.ndp.candidate import Candidate
from fettle.ndp.toolchain import toolchain_of

FUNCTION = "f.openmp"
BAD = 13

_LIBRARY = """
#pragma once
#include <string_view>
#include <fettle/core/fixed_string.hpp>
namespace fettle::ndp {
namespace platform { struct openmp {}; }
namespace openmp { struct policy { int num_threads = 0; }; }
namespace schedule { template <typename Inner = void> struct independent {};
                     template <typename Inner = void> struct sequential {}; }
template <typename Schedule, auto Policy> struct candidate {
  static_assert(Policy.num_threads != 13, "thirteen brings bad luck");
  static constexpr int threads = Policy.num_threads;
};
template <typename... Candidate> struct candidate_list {
  static constexpr int sum = (Candidate::threads + ... + 0);
};
template <fixed_string Name, typename Platform> struct tuned_computation;
template <typename Expression> inline constexpr std::string_view signature_v = "";
}
"""

SOURCE = """
#include "more.hpp"
#include "fettle_config.hpp"
using tuned = fettle::ndp::tuned_computation<"f", fettle::ndp::platform::openmp>;
__attribute__((visibility("default"))) int sum() { return tuned::candidates::sum + MORE; }
int main() { return sum(); }
"""


def plan_of(folder: Path, threads: Iterable[int], *, jobs: int = 2) -> Plan:
    """A plan whose candidates have so many threads each; on first use with program and library."""
    library = folder / "library"
    if not library.exists():
        (library / "fettle" / "ndp").mkdir(parents=True)
        (library / "fettle" / "ndp" / "tuned.hpp").write_text(_LIBRARY)
        (library / "fettle" / "compiled.ipp").write_text("#pragma once\n")
        (folder / "program.cpp").write_text(SOURCE)
        (folder / "more.hpp").write_text("#define MORE 0\n")
    computation = Computation(
        platform="openmp",
        expression="map",
        input="flat",
        elements=("double",),
        result="double",
        schedules={"independent": ("num_threads",), "sequential": ()},
        name="f",
        function=FUNCTION,
    )
    return Plan(
        source=folder / "program.cpp",
        toolchain=toolchain_of("openmp", flags=["-O0", f"-I{library}"]),
        directory=folder / "build",
        computations={FUNCTION: computation},
        candidates={
            FUNCTION: [Candidate("openmp", "independent", {"num_threads": n}) for n in threads]
        },
        jobs=jobs,
    )
