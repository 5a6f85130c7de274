"""Programs report their computations; an error says why one cannot."""

from __future__ import annotations

from pathlib import Path

import pytest
from programs_build import COMPILER, INCLUDE, WITH_LIBRARY

from fettle.core.errors import FettleError
from fettle.ndp.analyze import analyze
from fettle.ndp.base.computation import Computation
from fettle.ndp.toolchain import Toolchain

FLAGS = ("-std=c++20", "-O3", f"-I{INCLUDE}", *WITH_LIBRARY[:1])
OPENMP = Toolchain("openmp", (COMPILER,), FLAGS, link_flags=tuple(WITH_LIBRARY[1:]))

HEAD = """
#include <fettle/ndp.hpp>
#include <cstdlib>
#include <thread>
#include <vector>
namespace ndp = fettle::ndp;
using ndp::platform::openmp;
struct row_sum {
  template <typename Row>
  auto operator()(const Row& row) const { return ndp::reduce(ndp::plus{}, row, 0.0); }
};
struct take_last {
  double operator()(double, double b) const { return b; }
};
std::vector<double> values(12), sums(4);
const std::vector<int> offsets{0, 3, 3, 8, 12};
const auto x = ndp::make_sequence(values);
const auto y = ndp::make_sequence(sums);
const auto rows = ndp::nest(x, ndp::make_sequence(offsets));
"""


def ask(folder: Path, body: str, *, seconds: float = 30.0) -> tuple[Computation, ...]:
    source = folder / "program.cpp"
    source.write_text(f"{HEAD}\n{body}\n")
    return analyze(source, OPENMP, seconds=seconds)


def test_each_computation_by_name_and_once(tmp_path: Path) -> None:
    found = ask(
        tmp_path,
        """
        void elsewhere(std::vector<float> z) {
          ndp::execute<"sums">(ndp::map(row_sum{}, rows), ndp::make_sequence(z), openmp{});
        }
        int main(int count, char**) {
          if (count < 7) return 3;  // without its inputs this program does nothing
          ndp::execute<"sums">(ndp::map(row_sum{}, rows), y, openmp{});
          ndp::execute<"sums">(ndp::map(row_sum{}, rows), y, openmp{});
          ndp::execute(ndp::map(ndp::negate{}, x), x, openmp{});
          ndp::execute<"last">(ndp::reduce(take_last{}, x, 0.0), sums[0], openmp{});
          elsewhere({});
          return ndp::execute<"all">(ndp::reduce(ndp::plus{}, x, 0.0), openmp{}) > 0;
        }
        """,
    )
    assert [each.name for each in found] == ["all", "last", "sums", None]
    total, last, spmv, unnamed = found
    assert total.commutative
    assert not last.commutative
    assert total.function == "all.openmp"
    assert total.form == "value"
    assert spmv.function == "sums.openmp"
    assert spmv.form == "destination"
    assert spmv.signature == "map>reduce irregular double double"
    assert spmv.features[:2] == ("rows", "average_row_length")
    assert spmv.value_bytes == 8
    assert spmv.limits["threads"] >= 1
    assert "flattened" in spmv.schedules
    assert unnamed.title == "an unnamed computation (map)"


def test_two_computations_with_one_name(tmp_path: Path) -> None:
    with pytest.raises(FettleError) as problem:
        ask(
            tmp_path,
            """
            int main() {
              ndp::execute<"it">(ndp::map(row_sum{}, rows), y, openmp{});
              ndp::execute<"it">(ndp::map(ndp::negate{}, x), x, openmp{});
            }
            """,
        )
    message = str(problem.value)
    assert 'two computations with the name "it"' in message
    assert "map>reduce irregular double double" in message
    assert "map flat double double" in message


def test_what_does_not_compile_is_shown_whole(tmp_path: Path) -> None:
    with pytest.raises(FettleError) as problem:
        ask(tmp_path, "int main() { return no_such_thing; }")
    message = str(problem.value)
    assert "does not compile for analysis; the command was" in message
    assert "-DFETTLE_INTROSPECT" in message
    assert "-O3" not in message
    assert "no_such_thing" in message
    assert "program.cpp:" in message


def test_a_program_that_executes_nothing(tmp_path: Path) -> None:
    with pytest.raises(FettleError, match="ended with exit code 0 and reported no computations"):
        ask(tmp_path, 'int main() { std::puts("nothing to do"); }')


def test_a_program_that_crashes(tmp_path: Path) -> None:
    body = """
    int main() {
      std::abort();
      ndp::execute(ndp::map(ndp::negate{}, x), x, openmp{});
    }
    """
    with pytest.raises(FettleError, match="was killed by SIGABRT and reported 1 computations"):
        ask(tmp_path, body)


def test_a_program_that_waits(tmp_path: Path) -> None:
    body = """
    int main() {
      std::this_thread::sleep_for(std::chrono::seconds(100));
      ndp::execute(ndp::map(ndp::negate{}, x), x, openmp{});
    }
    """
    with pytest.raises(FettleError, match=r"ran for 0\.5 s without reaching an"):
        ask(tmp_path, body, seconds=0.5)


def test_a_source_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FettleError, match=r"the source file .*missing\.cpp does not exist"):
        analyze(tmp_path / "missing.cpp", OPENMP)
