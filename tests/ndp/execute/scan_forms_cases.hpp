// Cases of execute() for a scan that stands alone and is not just sums of numbers: operators that
// do not commute, in place, computed sources.
#pragma once

#include <cstdint>
#include <vector>

#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/reverse.hpp>
#include <fettle/ndp/operator/scan.hpp>

#include "ndp/support/check_scan.hpp"

namespace {

namespace ndp = fettle::ndp;
using namespace ndp_test;

}  // namespace

TEST_CASE("scan keeps the order for operators that do not commute") {
  for (const index_t n : execution_sizes) {
    CAPTURE(n);
    check_scan(compose{}, made_up<affine>(n), affine{3, 5});
    check_scan(last_of{}, made_up<std::int32_t>(n), std::int32_t{77});
    check_scan(ndp::maximum{}, made_up<std::int32_t>(n), std::int32_t{-3});
  }
}

TEST_CASE("scan in place") {
  for (const index_t n : execution_sizes) {
    CAPTURE(n);
    const std::vector<std::int32_t> x = made_up<std::int32_t>(n);
    std::vector<std::int32_t> expected;
    std::int32_t running = 10;
    for (const std::int32_t element : x) {
      expected.push_back(running);
      running += element;
    }
    using in_place = decltype(ndp::scan(ndp::plus{}, ndp::sequence<std::int32_t>{}, 10));
    for_each_realisation<in_place>([&](const auto& run) {
      data<std::int32_t> y(x);
      run(ndp::scan(ndp::plus{}, y.write(), 10), y.write());
      REQUIRE(y.values() == expected);
    });
  }
}

TEST_CASE("scan of what is computed") {
  for (const index_t n : execution_sizes) {
    CAPTURE(n);
    std::vector<index_t> expected;
    index_t running = 0;
    for (index_t i = 0; i < n; ++i) {
      expected.push_back(running);
      running += -(n - 1 - i);
    }
    check_all(
        ndp::scan(ndp::plus{}, ndp::map(ndp::negate{}, ndp::reverse(ndp::range(index_t{0}, n))),
                  index_t{0}),
        expected);
  }
}
