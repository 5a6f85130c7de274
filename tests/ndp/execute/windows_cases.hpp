// Cases of execute() over windows of a sequence: every nested computation that rows have.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/scan.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/operator/windows.hpp>
#include <fettle/ndp/schedule/policy.hpp>

#include "ndp/support/check_one.hpp"
#include "ndp/support/on_platform.hpp"

namespace ndp_test {

/// A window -> its elements combined, from a seed.
template <typename Op, typename P>
struct combined_window {
  P seed;

  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row) const {
    return fettle::ndp::reduce(Op{}, row, seed);
  }
};

/// A window -> its product with weights.
struct weighted_window {
  fettle::ndp::sequence<const double> weights;

  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row) const {
    namespace ndp = fettle::ndp;
    return ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, row, weights), 0.0);
  }
};

struct scanned_window {
  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row) const {
    return fettle::ndp::inclusive_scan(fettle::ndp::plus{}, row, 1.0);
  }
};

struct negated_window {
  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row) const {
    return fettle::ndp::map(fettle::ndp::negate{}, row);
  }
};

/// work(elements of the window) for each, joined.
template <typename R, typename T, typename Work>
[[nodiscard]] std::vector<R> for_windows(const std::vector<T>& x, index_t k, index_t stride,
                                         const Work& work) {
  std::vector<R> out;
  for (index_t begin = 0; begin + k <= static_cast<index_t>(x.size()); begin += stride) {
    const std::vector<R> its = work(std::vector<T>(x.begin() + begin, x.begin() + begin + k));
    out.insert(out.end(), its.begin(), its.end());
  }
  return out;
}

/// By all realisations where windows are few and short, by the default rule everywhere.
template <typename Op, typename T, typename P>
void check_combined(index_t n, P seed) {
  namespace ndp = fettle::ndp;
  const std::vector<T> x = made_up<T>(n);
  const data<T> in(x);
  const auto check = [&](const auto& rows, index_t stride) {
    const index_t k = rows.row_size();
    CAPTURE(n, k, stride);
    const auto combine = [&](const std::vector<T>& row) {
      P value = seed;
      for (const T& element : row) value = Op{}(value, element);
      return std::vector<P>{value};
    };
    const std::vector<P> expected = for_windows<P>(x, k, stride, combine);
    REQUIRE(rows.size() == static_cast<index_t>(expected.size()));
    const auto e = ndp::map(combined_window<Op, P>{seed}, rows);
    if (n == 129 && k == 5) {
      check_all(e, expected);
    } else {
      check_one(e, expected);
    }
  };
  for (const index_t k : {index_t{1}, index_t{2}, index_t{5}, index_t{33}, n, n + 1}) {
    if (k == 0) continue;
    check(ndp::windows(in.read(), k), 1);
    check(ndp::windows(in.read(), k, 3), 3);
  }
  check(ndp::windows(in.read(), ndp::constant<5>{}), 1);
  check(ndp::windows(in.read(), ndp::constant<5>{}, ndp::constant<2>{}), 2);
}

}  // namespace ndp_test

namespace {

namespace ndp = fettle::ndp;
using namespace ndp_test;

}  // namespace

TEST_CASE("windows reduced: sums, least elements, compositions") {
  for (const index_t n : sized<index_t>({0, 1, 2, 3, 4, 5, 31, 32, 33, 127, 128, 129, 1025, 20001},
                                        {0, 1, 5, 129, 1025})) {
    check_combined<ndp::plus, double>(n, 1.0);
    check_combined<ndp::minimum, std::int16_t>(n, std::int16_t{5});
    check_combined<compose, affine>(n, affine{3, 4});
  }
}

TEST_CASE("windows of what is computed, and weighted windows") {
  const std::vector<double> weights = {0.5, 2.0, -1.0, 4.0};
  const data<double> in_weights(weights);
  const auto rows = ndp::windows(ndp::range(0.0, 1000.0), 4, ndp::constant<2>{});
  std::vector<double> expected;
  for (index_t i = 0; i < rows.size(); ++i) {
    double sum = 0;
    for (index_t j = 0; j < 4; ++j) {
      sum += static_cast<double>(2 * i + j) * weights[static_cast<std::size_t>(j)];
    }
    expected.push_back(sum);
  }
  check_all(ndp::map(weighted_window{in_weights.read()}, rows), expected);
}

TEST_CASE("windows scanned, mapped and copied, into rows of their own") {
  for (const index_t n : sized<index_t>({0, 2, 3, 64, 1003}, {0, 64})) {
    for (const index_t stride : {1, 2}) {
      CAPTURE(n, stride);
      const std::vector<double> x = made_up<double>(n);
      const data<double> in(x);
      const auto rows = ndp::windows(in.read(), 3, stride);
      const auto check = [&](const auto& e, const std::vector<double>& expected) {
        for_each_realisation<std::remove_cvref_t<decltype(e)>>([&](const auto& run) {
          data<double> y = room_for<double>(static_cast<index_t>(expected.size()));
          const auto room = ndp::subsequence(y.write(), 0, static_cast<index_t>(expected.size()));
          run(e, ndp::split(room, 3));
          REQUIRE(y.values() == with_margin(expected));
        });
      };
      check(rows, for_windows<double>(x, 3, stride, [](const auto& row) { return row; }));
      check(ndp::map(negated_window{}, rows), for_windows<double>(x, 3, stride, [](auto row) {
              for (double& value : row) value = -value;
              return row;
            }));
      check(ndp::map(scanned_window{}, rows), for_windows<double>(x, 3, stride, [](auto row) {
              double sum = 1;
              for (double& value : row) value = sum += value;
              return row;
            }));
    }
  }
}
