// Cases of execute() for a reduction that stands alone and is not just a sum of numbers: operators
// that do not commute, other types of seeds, fused sources, vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/operator/split.hpp>

#include "ndp/support/check_reduce.hpp"

namespace ndp_test {

struct add_points {
  template <typename A, typename B>
  FETTLE_HOST_DEVICE constexpr auto operator()(const A& a, const B& b) const {
    return fettle::ndp::map(fettle::ndp::plus{}, a, b);
  }
};

}  // namespace ndp_test

namespace {

namespace ndp = fettle::ndp;
using namespace ndp_test;

}  // namespace

TEST_CASE("reduce keeps the order for operators that do not commute") {
  for (const index_t n : execution_sizes) {
    CAPTURE(n);
    check_reduce(compose{}, made_up<affine>(n), affine{3, 5});
    check_reduce(first_of{}, made_up<std::int32_t>(n), std::int32_t{77});
    check_reduce(last_of{}, made_up<std::int32_t>(n), std::int32_t{77});
  }
}

TEST_CASE("reduce accumulates in what the operator yields") {
  // Of bytes: 300 times 100 does not fit one.
  check_reduce(ndp::plus{}, std::vector<std::int8_t>(300, 100), 0);
  check_reduce(ndp::plus{}, std::vector<float>(300, 0.5F), 0);
}

TEST_CASE("reduce of a fused map of several sequences") {
  const std::vector<double> x = made_up<double>(5000, 1);
  const std::vector<double> y = made_up<double>(5000, 2);
  const std::vector<index_t> at = shuffled(5000);
  double expected = 1.0;
  for (std::size_t i = 0; i < x.size(); ++i) expected += x[i] * y[static_cast<std::size_t>(at[i])];
  const data<double> in_x(x);
  const data<double> in_y(y);
  const data<index_t> indices(at);
  const auto e = ndp::reduce(
      ndp::plus{},
      ndp::map(ndp::multiplies{}, in_x.read(), ndp::gather(in_y.read(), indices.read())), 1.0);
  for_each_realisation<decltype(e)>([&](const auto& run) { REQUIRE(run(e) == expected); });
}

TEST_CASE("reduce of vectors adds them element by element") {
  for (const index_t count : sized<index_t>({0, 1, 2, 33, 500}, {0, 1, 500})) {
    for (const index_t width : sized<index_t>({1, 3, 8, 40}, {40})) {
      CAPTURE(count, width);
      const std::vector<double> x = made_up<double>(count * width);
      std::vector<double> expected(static_cast<std::size_t>(width), 2.0);
      for (index_t i = 0; i < count * width; ++i) {
        expected[static_cast<std::size_t>(i % width)] += x[static_cast<std::size_t>(i)];
      }
      const data<double> in(x);
      check_all(ndp::reduce(add_points{}, ndp::split(in.read(), width), ndp::replicate(2.0, width)),
                expected);
    }
  }
}
