// Compiled for AVX-512 where the machine that builds it has that (tests/cxx_tests.cmake); elsewhere
// there are no such loops, and the program is skipped.
#include <cstdint>
#include <limits>
#include <vector>

#include <fettle/ndp/openmp/gather_lanes.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>

#include "support/catch.hpp"
#include "support/skip.hpp"

namespace ndp = fettle::ndp;
using ndp::index_t;

namespace {

#if !(defined(__AVX512F__) && defined(__AVX512VL__))
[[maybe_unused]] const bool skipped = test::skip_program("not compiled for AVX-512");
#endif

// Every run of up to 70 elements at some offsets, against a loop.
template <typename T, typename Op>
bool folds_every_run(const Op& op, T seed) {
  std::vector<T> values(100);
  std::vector<T> vector(1000);
  std::vector<std::int32_t> columns(100);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<T>((i * 7) % 13) - T{5};
    columns[i] = static_cast<std::int32_t>((i * 613) % vector.size());
  }
  for (std::size_t i = 0; i < vector.size(); ++i) vector[i] = static_cast<T>(i % 11) - T{3};
  const auto source = ndp::map(ndp::multiplies{}, ndp::make_sequence(std::as_const(values)),
                               ndp::gather(ndp::make_sequence(std::as_const(vector)),
                                           ndp::make_sequence(std::as_const(columns))));
  using view = std::remove_const_t<decltype(source)>;
  if constexpr (ndp::openmp::gathered_lanes<Op, view, T>) {
    for (const index_t first : {0, 1, 7, 29}) {
      for (index_t last = first; last <= first + 70; ++last) {
        T expected = seed;
        for (index_t i = first; i < last; ++i) expected = op(expected, source[i]);
        const T found = ndp::openmp::detail::fold_gathered(op, source, first, last, seed);
        if (!(found == expected)) return false;  // small integers: exact in any order
      }
    }
    return true;
  }
  return false;  // no gathered lanes, though the program is compiled for them
}

}  // namespace

TEST_CASE("runs of any length, gathered by vectors") {
  CHECK(folds_every_run<double>(ndp::plus{}, 3.0));
  CHECK(folds_every_run<float>(ndp::plus{}, -2.0F));
  CHECK(folds_every_run<double>(ndp::minimum{}, std::numeric_limits<double>::infinity()));
  CHECK(folds_every_run<float>(ndp::maximum{}, 1.0F));
}

TEST_CASE("what does not gather, or not by 32-bit indices, has no gathered lanes") {
  using ndp::openmp::gathered_lanes;
  using plain = ndp::sequence<const double>;
  using wide = ndp::gathered_sequence<plain, ndp::sequence<const std::int64_t>>;
  using counted = ndp::gathered_sequence<ndp::sequence<const int>, ndp::sequence<const int>>;
  STATIC_REQUIRE_FALSE(gathered_lanes<ndp::plus, plain, double>);
  STATIC_REQUIRE_FALSE(gathered_lanes<ndp::plus, wide, double>);
  STATIC_REQUIRE_FALSE(gathered_lanes<ndp::plus, counted, int>);
}
