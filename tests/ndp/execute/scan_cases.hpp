// Cases of execute() for a scan that stands alone: sums of numbers, exclusive and inclusive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/scan.hpp>

#include "ndp/support/check_scan.hpp"

namespace {

namespace ndp = fettle::ndp;
using namespace ndp_test;

}  // namespace

TEST_CASE("scan of every element type") {
  fettle::for_each(element_types{}, []<typename T>(fettle::type_tag<T>) {
    for (const index_t n : execution_sizes) {
      CAPTURE(n);
      check_scan(ndp::plus{}, made_up<T>(n), T(3));
    }
  });
}

TEST_CASE("inclusive scans of numbers, in order, and of another type than the elements'") {
  for (const index_t n : execution_sizes) {
    CAPTURE(n);
    check_scan<true>(ndp::plus{}, made_up<double>(n), 3.0);
    check_scan<true>(ndp::plus{}, made_up<std::int16_t>(n), 0.5);
    check_scan<true>(compose{}, made_up<affine>(n), affine{3, 5});
  }
}

TEST_CASE("without a seed, reductions and scans begin with the operator's identity") {
  for (const index_t n : execution_sizes) {
    CAPTURE(n);
    const std::vector<int> x = made_up<int>(n);
    std::vector<int> sums;
    int sum = 0;
    for (const int element : x) sums.push_back(sum += element);
    const data<int> in(x);
    check_all(ndp::inclusive_scan(ndp::plus{}, in.read()), sums);
    check_all(ndp::reduce(ndp::plus{}, in.read()), std::vector<int>{sum});
  }
}

TEST_CASE("an inclusive scan may overwrite its source") {
  using scan_of = decltype(ndp::inclusive_scan(ndp::plus{}, ndp::sequence<double>{}));
  for_each_realisation<scan_of>([&](const auto& run) {
    data<double> y(std::vector<double>(70001, 1.0));
    run(ndp::inclusive_scan(ndp::plus{}, y.write()), y.write());
    const std::vector<double> sums = y.values();
    for (std::size_t i = 0; i < sums.size(); ++i) REQUIRE(sums[i] == static_cast<double>(i + 1));
  });
}
