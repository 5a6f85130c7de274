"""The generated header of tuned computations: its text, what is kept, what C++ makes of it."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from ndp_samples import sample
from programs_build import COMPILER, INCLUDE, WITH_LIBRARY

from fettle.code_variant import CodeVariant
from fettle.core.errors import FettleError
from fettle.ndp.base.computation import Computation
from fettle.ndp.candidate import Candidate, read_candidate
from fettle.ndp.header import ErrorBound, TunedComputation
from fettle.ndp.policies import candidates
from fettle.training.policy_header import policy_header

MODELS = Path("/models")
SIGNATURE = "map>reduce irregular double double"

PROGRAM = """
#include "fettle_config.hpp"
#include <fettle/ndp.hpp>
#include <cstdio>
#include <vector>
namespace ndp = fettle::ndp;
struct row_sum {
  template <typename Row>
  auto operator()(const Row& row) const { return ndp::reduce(ndp::plus{}, row, VALUE(0)); }
};
int main() {
  std::vector<VALUE> values{1, 2, 3, 4}, sums(3);
  const std::vector<int> offsets{0, 3, 3, 4};
  ndp::execute<"spmv">(
      ndp::map(row_sum{}, ndp::nest(ndp::make_sequence(values), ndp::make_sequence(offsets))),
      ndp::make_sequence(sums), ndp::platform::openmp{});
  std::printf("%g %g %g\\n", double(sums[0]), double(sums[1]), double(sums[2]));
}
"""


def named(platform: str = "openmp", name: str = "spmv") -> Computation:
    its = sample("map>reduce", platform)
    return replace(its, name=name, function=f"{name}.{platform}", signature=SIGNATURE)


def tuned(computation: Computation, chosen: tuple[Candidate, ...]) -> TunedComputation:
    return TunedComputation(computation, chosen, "fettle ndp tune spmv.cpp --platform openmp")


def header(*all_tuned: TunedComputation, existing: str = "", defines: tuple[str, ...] = ()) -> str:
    return policy_header(
        [CodeVariant(one.computation.function or "", list(one.variants)) for one in all_tuned],
        MODELS,
        existing=existing,
        computations={one.computation.function or "": one for one in all_tuned},
        defines=defines,
    )


def compiled(folder: Path, text: str, *flags: str) -> subprocess.CompletedProcess[str]:
    (folder / "fettle_config.hpp").write_text(text)
    (folder / "program.cpp").write_text(PROGRAM)
    command = [COMPILER, "-std=c++20", "-O0", "-Wall", "-Wextra", f"-I{INCLUDE}"]
    command += [*flags, str(folder / "program.cpp"), *WITH_LIBRARY]
    command += ["-o", str(folder / "program"), "-pthread"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_text() -> None:
    flattened = Candidate("openmp", "flattened", {"num_threads": 2})
    spmv = tuned(named(), (flattened,))
    assert spmv.variants == ("default", "flattened num_threads=2")
    lines = header(spmv).splitlines()
    assert lines[1:5] == [
        "#ifndef FETTLE_CONFIG_HPP",
        "#define FETTLE_CONFIG_HPP",
        "#include <fettle/variant/policy.hpp>",
        "#include <fettle/ndp/tuned.hpp>",
    ]
    assert "struct spmv_openmp {" in lines
    assert "  static constexpr std::size_t variant_count = 2;" in lines
    assert lines[lines.index("}") + 1 :] == [
        "template <>",
        'struct fettle::ndp::tuned_computation<"spmv", fettle::ndp::platform::openmp> {',
        "  using tuning_policy = fettle::tuning_policies::spmv_openmp;",
        "  using candidates = fettle::ndp::candidate_list<",
        f"      {flattened.cpp}>;",
        "  template <typename E>",
        "  static constexpr void check() {",
        f'    static_assert(fettle::ndp::signature_v<E> == "{SIGNATURE}",',
        '                  "spmv is no longer the computation that was tuned; tune it again: '
        'fettle ndp tune spmv.cpp --platform openmp");',
        "  }",
        "};",
        "#endif  // FETTLE_CONFIG_HPP",
    ]


def test_the_mode_of_a_build_stands_before_what_it_is_for() -> None:
    lines = header(tuned(named(), ()), defines=("FETTLE_NDP_TRAINING",)).splitlines()
    assert lines[3] == "#define FETTLE_NDP_TRAINING"
    assert "  using candidates = fettle::ndp::candidate_list<>;" in lines


def test_cuda_is_for_nvcc() -> None:
    text = header(tuned(named("cuda"), (Candidate("cuda", "flattened"),)))
    assert "#ifdef __CUDACC__\ntemplate <>\nstruct fettle::ndp::tuned_computation<" in text
    assert text.endswith("};\n#endif\n#endif  // FETTLE_CONFIG_HPP\n")


def test_other_computations_are_kept() -> None:
    spmv = tuned(named(), (Candidate("openmp", "flattened"),))
    on_gpu = tuned(named("cuda"), (Candidate("cuda", "flattened"),))
    sums = tuned(named(name='row "sums"\\'), ())
    first = header(spmv, on_gpu, sums)
    assert first.count("#ifdef __CUDACC__") == 1
    # Another script adds a function, without a word of these.
    more = policy_header([CodeVariant("sort")], MODELS, existing=first)
    assert "struct sort {" in more
    assert more.partition("template <>\n")[2] == first.partition("template <>\n")[2]
    # One of them is tuned again.
    again = tuned(named("cuda"), (Candidate("cuda", "flattened", {"block_size_x": 64}),))
    changed = header(again, existing=first)
    assert changed == header(spmv, again, sums)
    assert header(again, existing=changed) == changed


def test_an_unnamed_computation_cannot_be_written() -> None:
    with pytest.raises(FettleError, match=r'has no name .* write execute<"name">'):
        header(tuned(replace(named(), name=None), ()))


def test_the_program_that_was_tuned_compiles_and_runs(tmp_path: Path) -> None:
    # Not training: without a model the default rule runs, whatever the candidates are.
    every = tuple(candidates(named(), "small"))
    assert len({each.schedule for each in every}) == 5
    done = compiled(tmp_path, header(tuned(named(), every)), "-DVALUE=double")
    assert done.returncode == 0, done.stderr
    assert not re.search(r"fettle_config\.hpp:[\d:]+ warning", done.stderr), done.stderr
    ran = subprocess.run([tmp_path / "program"], capture_output=True, text=True, check=True)
    assert ran.stdout == "6 0 4\n"


def test_a_program_that_has_changed_since_does_not_compile(tmp_path: Path) -> None:
    flattened = (Candidate("openmp", "flattened"),)
    done = compiled(tmp_path, header(tuned(named(), flattened)), "-DVALUE=float")
    assert done.returncode != 0
    assert (
        "spmv is no longer the computation that was tuned; tune it again: "
        "fettle ndp tune spmv.cpp --platform openmp"
    ) in done.stderr


def test_a_header_that_is_forced_in_wins(tmp_path: Path) -> None:
    forced = tmp_path / "shard" / "fettle_config.hpp"
    forced.parent.mkdir()
    forced.write_text(header(tuned(named(), (Candidate("openmp", "flattened"),))))
    stale = header(tuned(replace(named(), signature="scan"), ()))
    flags = ["-DVALUE=double", "-include", str(forced)]
    done = compiled(tmp_path, stale, *flags)
    assert done.returncode == 0, done.stderr


def test_a_bound_and_its_measure_stand_beside_the_candidates() -> None:
    its = named()
    chosen = (Candidate("openmp", "sequential>sequential", {"sample": 4}),)
    bounded = replace(tuned(its, chosen), errors=ErrorBound(0.05, "own"))
    text = header(bounded)
    assert 'using quality = fettle::ndp::quality_of<"spmv">;' in text
    assert "static constexpr double bound = 0.05;" in text
    assert "fettle::ndp::openmp::policy{.sample = 4}" in text
    single = Candidate("openmp", "flattened", {"accumulation": "single"})
    assert ".accumulation = fettle::ndp::openmp::precision::single" in single.cpp
    assert read_candidate("openmp", single.text) == single
    assert "bound" not in header(tuned(its, ()))
    assert header(existing=text).count("quality_of") == 1
