// Cases of execute() with the knobs of a policy: each result is what the knob's definition says,
// and as close to the exact one as that allows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/sequence/sampled.hpp>

#include "ndp/support/on_platform.hpp"

namespace ndp_test {

/// Adds nothing up, so that a sample stands for all as it is.
struct either_maximum {
  static constexpr bool is_commutative = true;
  static constexpr bool is_mean_like = true;
  FETTLE_HOST_DEVICE constexpr double operator()(double a, double b) const { return a < b ? b : a; }
};

struct sum_from_one {
  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row) const {
    return fettle::ndp::reduce(fettle::ndp::plus{}, row, 1.0);
  }
};
struct squared {
  FETTLE_HOST_DEVICE constexpr double operator()(double x) const { return x * x; }
};

}  // namespace ndp_test

namespace {

namespace ndp = fettle::ndp;
namespace schedule = fettle::ndp::schedule;
using namespace ndp_test;

#ifdef __CUDACC__
using policy = ndp::cuda::policy;
#else
using policy = ndp::openmp::policy;
#endif
template <policy P>
using fixed = ndp::constant<P>;

/// Numbers in [0, 1) without an order.
[[nodiscard]] std::vector<double> scattered(index_t count) {
  std::vector<double> x;
  for (index_t i = 0; i < count; ++i)
    x.push_back(std::fmod(0.6180339887 * static_cast<double>(i * i % 7919), 1.0));
  return x;
}

/// The elements of [first, last) that are in every k-th tile, by the definition.
[[nodiscard]] std::vector<double> in_sample(const std::vector<double>& x, index_t first,
                                            index_t last, index_t k) {
  std::vector<double> some;
  for (index_t i = first; i < last; ++i) {
    if ((i - first) / ndp::sampled_tile % k == 0) some.push_back(x[static_cast<std::size_t>(i)]);
  }
  return some;
}

[[nodiscard]] double sum_of(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 0.0);
}

/// The estimate of the sum of [first, last) from 1 on; checks that it is as close as the sample's
/// fraction f warrants: the means differ by (1 - f) of the range at most.
[[nodiscard]] double estimated_sum(const std::vector<double>& x, index_t first, index_t last,
                                   index_t k) {
  const std::vector<double> some = in_sample(x, first, last, k);
  if (some.empty()) return 1.0;
  const auto count = static_cast<double>(last - first);
  const double part = static_cast<double>(some.size()) / count;
  const double estimate = sum_of(some) / part;
  const double exact = std::accumulate(x.begin() + first, x.begin() + last, 0.0);
  CHECK(std::fabs(estimate - exact) <= count * (1 - part) + 1e-9);
  return 1.0 + estimate;
}

void check_near(double out, double expected, double tolerance = 1e-12) {
  CHECK(std::fabs(out - expected) <= tolerance * std::max(1.0, std::fabs(expected)));
}

template <typename Schedule, policy P>
void check_sums_of_samples() {
  for (const index_t n : {0, 1, 63, 64, 65, 256, 257, 320, 5000, 20001}) {
    CAPTURE(n, to_string(P));
    const std::vector<double> values = scattered(n);
    const data<double> x(values);
    const double out = ndp::execute<"tested">(ndp::reduce(ndp::plus{}, x.read(), 1.0),
                                              tested_platform{}, Schedule{}, fixed<P>{});
    check_near(out, estimated_sum(values, 0, n, P.sample));
    const data<double> same(std::vector<double>(static_cast<std::size_t>(n), 0.75));
    check_near(ndp::execute<"tested">(ndp::reduce(ndp::plus{}, same.read(), 0.0), tested_platform{},
                                      Schedule{}, fixed<P>{}),
               0.75 * static_cast<double>(n));
  }
}

struct ragged {
  std::vector<index_t> offsets{0};
  std::vector<double> values;
  ragged() {
    for (const index_t length : {0, 1, 64, 65, 300, 0, 1000, 4097, 7, 128}) {
      offsets.push_back(offsets.back() + length);
    }
    values = scattered(offsets.back());
  }
  [[nodiscard]] std::size_t count() const { return offsets.size() - 1; }
};

/// The sums of ragged rows with P, of which row i is expected to be expected(first, last, i).
template <typename Schedule, policy P, typename Expected>
void check_row_sums(double tolerance, const Expected& expected) {
  const ragged rows;
  const data<double> x(rows.values);
  const data<index_t> offsets(rows.offsets);
  data<double> sums = room_for<double>(static_cast<index_t>(rows.count()));
  ndp::execute<"tested">(ndp::map(sum_from_one{}, ndp::nest(x.read(), offsets.read())),
                         sums.write(), tested_platform{}, Schedule{}, fixed<P>{});
  const std::vector<double> out = sums.values();
  for (std::size_t i = 0; i < rows.count(); ++i) {
    CAPTURE(i, to_string(P));
    check_near(out[i], expected(rows, i), tolerance);
  }
  CHECK(out[rows.count()] == poison<double>());
}

template <typename Schedule, int K>
void check_sampled_rows() {
  check_row_sums<Schedule, policy{.sample = K}>(1e-12, [](const ragged& rows, std::size_t i) {
    return estimated_sum(rows.values, rows.offsets[i], rows.offsets[i + 1], K);
  });
}

double exact_row(const ragged& rows, std::size_t i) {
  return std::accumulate(rows.values.begin() + rows.offsets[i],
                         rows.values.begin() + rows.offsets[i + 1], 1.0);
}

/// Each addition of floats is off by half a unit at most.
template <typename Schedule>
void check_rows_in_floats() {
  constexpr double unit = std::numeric_limits<float>::epsilon();
  check_row_sums<Schedule, policy{.accumulation = ndp::precision::single}>(4100 * unit, exact_row);
}

template <typename Schedule, int K>
void check_perforated_rows() {
  check_row_sums<Schedule, policy{.perforate = K}>(
      1e-12, [](const ragged& rows, std::size_t i) { return exact_row(rows, i - i % K); });
}

}  // namespace

TEST_CASE("a sum of every k-th tile is scaled to all elements, its seed is not") {
  check_sums_of_samples<schedule::cooperative<>, policy{.sample = 4}>();
#ifndef __CUDACC__
  check_sums_of_samples<schedule::cooperative<>, policy{.num_threads = 3, .sample = 3}>();
  check_sums_of_samples<schedule::sequential<>, policy{.sample = 16}>();
#endif
}

TEST_CASE("an operator that is like a mean is not scaled") {
  const std::vector<double> values = scattered(5000);
  const data<double> x(values);
  const std::vector<double> some = in_sample(values, 0, 5000, 8);
  CHECK(ndp::execute<"tested">(ndp::reduce(either_maximum{}, x.read(), 0.0), tested_platform{},
                               schedule::cooperative<>{}, fixed<policy{.sample = 8}>{}) ==
        *std::max_element(some.begin(), some.end()));
}

TEST_CASE("rows are sampled each by itself, short ones not at all") {
  check_sampled_rows<schedule::independent<schedule::cooperative<>>, 4>();
  check_sampled_rows<schedule::flattened<>, 2>();
#ifndef __CUDACC__
  check_sampled_rows<schedule::independent<schedule::sequential<>>, 3>();
  check_sampled_rows<schedule::sequential<schedule::cooperative<>>, 8>();
#endif
}

TEST_CASE("sums of doubles add up in float") {
  check_rows_in_floats<schedule::flattened<>>();
#ifndef __CUDACC__
  check_rows_in_floats<schedule::independent<schedule::cooperative<>>>();
  check_rows_in_floats<schedule::sequential<schedule::sequential<>>>();
#endif
  const std::vector<double> tenths(10, 0.1);
  const data<double> x(tenths);
  const double out = ndp::execute<"tested">(
      ndp::reduce(ndp::plus{}, x.read(), 0.0), tested_platform{}, schedule::cooperative<>{},
      fixed<policy{.accumulation = ndp::precision::single}>{});
  CHECK(out == static_cast<double>(static_cast<float>(out)));
  CHECK(std::fabs(out - 1) < 1e-6);
}

TEST_CASE("every k-th result of a map is repeated, rows too") {
  check_perforated_rows<schedule::independent<schedule::cooperative<>>, 3>();
  for (const index_t n : {0, 1, 4, 5, 4099}) {
    CAPTURE(n);
    const std::vector<double> values = scattered(n);
    std::vector<double> expected(values.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      expected[i] = squared{}(values[i - i % 4]);
    }
    const data<double> x(values);
    data<double> out = room_for<double>(n);
    ndp::execute<"tested">(ndp::map(squared{}, x.read()), out.write(), tested_platform{},
                           schedule::independent<>{}, fixed<policy{.perforate = 4}>{});
    CHECK(out.values() == with_margin(expected));
  }
}

TEST_CASE("knobs act together") {
  constexpr policy both{.sample = 2, .perforate = 2, .accumulation = ndp::precision::single};
  check_row_sums<schedule::independent<schedule::cooperative<>>, both>(
      1e-3, [](const ragged& rows, std::size_t i) {
        const std::size_t from = i - i % 2;
        return estimated_sum(rows.values, rows.offsets[from], rows.offsets[from + 1], 2);
      });
}
