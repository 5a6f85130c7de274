// Cases of execute() far beyond 2^31: what is counted there takes no memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/sequence/window.hpp>

#include "ndp/support/on_platform.hpp"
#include "ndp/support/sizes.hpp"

namespace ndp_test {

struct large_row_sum {
  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row) const {
    return fettle::ndp::reduce(fettle::ndp::plus{}, row, index_t{0});
  }
};

}  // namespace ndp_test

namespace {

namespace ndp = fettle::ndp;
using namespace ndp_test;

// Flattened kernels have a block for every share up to there.
const index_t far = sized(index_t{1} << 40, index_t{1} << 33);

// a + (a + 1) + ... + (b - 1)
constexpr index_t sum_between(index_t a, index_t b) {
  const index_t ends = a + b - 1;
  return (b - a) % 2 == 0 ? (b - a) / 2 * ends : ends / 2 * (b - a);
}

}  // namespace

TEST_CASE("elements and rows whose indices do not fit 32 bits") {
  const auto all = ndp::range(index_t{0}, far);
  std::vector<index_t> expected;
  for (index_t i = far - 300; i < far; ++i) expected.push_back(i);
  check_all(ndp::map(ndp::identity{}, ndp::subsequence(all, far - 300, 300)), expected);
  const data<index_t> at(expected);
  check_all(ndp::gather(all, at.read()), expected);
  // Rows near the far end: their offsets are large, they are not.
  std::vector<index_t> offsets;
  std::vector<index_t> sums;
  for (index_t i = 0; i <= 100; ++i) {
    offsets.push_back(far - 5000 + 49 * i + i % 3);
    if (i > 0) sums.push_back(sum_between(offsets[offsets.size() - 2], offsets.back()));
  }
  const data<index_t> begins(offsets);
  check_all(ndp::map(large_row_sum{}, ndp::nest(all, begins.read())), sums);
}

// A minute where nothing is optimised, and far longer for a single thread of a GPU.
#if defined(__CUDACC__) || (defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__))
TEST_CASE("reductions of more than 2^31 elements") {
  if (too_large("reductions of more than 2^31 elements")) return;
  const index_t n = (index_t{1} << 31) + 12345;
  CHECK(ndp::execute(ndp::reduce(ndp::plus{}, ndp::range(index_t{0}, n), index_t{1}),
                     tested_platform{}) == sum_between(0, n) + 1);
  const std::vector<index_t> offsets = {0, 3, n - 5, n - 5, n};
  const data<index_t> begins(offsets);
  const auto e = ndp::map(large_row_sum{}, ndp::nest(ndp::range(index_t{0}, n), begins.read()));
  const std::vector<index_t> expected = {3, sum_between(3, n - 5), 0, sum_between(n - 5, n)};
  const auto check = [&](const auto&... schedule) {
    data<index_t> y = room_for<index_t>(4);
    ndp::execute(e, y.write(), tested_platform{}, schedule...);
    CHECK(y.values() == with_margin(expected));
  };
  namespace schedule = ndp::schedule;
  check();
  check(schedule::flattened<>{});
#ifdef __CUDACC__
  check(schedule::independent<schedule::cooperative<>>{});
#endif
}
#endif
