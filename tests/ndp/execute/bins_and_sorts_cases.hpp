// Cases of execute() for histograms, reductions by index and sorts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/base/order.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/reduce_by_index.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/operator/sort.hpp>
#include <fettle/ndp/operator/zip.hpp>

#include "ndp/support/message_of.hpp"
#include "ndp/support/on_platform.hpp"

namespace ndp_test {

/// Bins of `count` elements, some of them outside [0, bins); skewed: most are in the first.
[[nodiscard]] inline std::vector<std::int32_t> made_up_bins(index_t count, index_t bins,
                                                            bool skewed) {
  std::mt19937 random(7);
  std::vector<std::int32_t> out;
  for (index_t i = 0; i < count; ++i) {
    const auto any = static_cast<std::int32_t>(random() % static_cast<unsigned>(bins + 3)) - 1;
    out.push_back(skewed && random() % 8 != 0 ? 0 : any);
  }
  return out;
}

template <typename Op, typename T, typename Index, typename P>
void check_bins(const std::vector<T>& x, const std::vector<Index>& in_bins, index_t bins, P seed) {
  namespace ndp = fettle::ndp;
  const data<T> in(x);
  const data<Index> indices(in_bins);
  const auto e = ndp::reduce_by_index(Op{}, in.read(), indices.read(), bins, seed);
  using value = typename decltype(e)::value_type;
  std::vector<value> expected(static_cast<std::size_t>(bins), static_cast<value>(seed));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto b = static_cast<index_t>(in_bins[i]);
    if (b < 0 || b >= bins) continue;
    value& bin = expected[static_cast<std::size_t>(b)];
    bin = static_cast<value>(Op{}(bin, x[i]));
  }
  check_all(e, expected);
}

/// Orders by tens, so that many keys are neither less nor greater than each other.
struct by_tens {
  FETTLE_HOST_DEVICE constexpr bool operator()(std::int32_t a, std::int32_t b) const {
    return a / 10 < b / 10;
  }
};

template <typename Less, typename T>
void check_sorts(const std::vector<T>& x, const Less& less) {
  namespace ndp = fettle::ndp;
  std::vector<T> expected = x;
  std::stable_sort(expected.begin(), expected.end(), less);
  const data<T> in(x);
  check_all(ndp::sort(less, in.read()), expected);

  std::vector<index_t> order;
  for (std::size_t i = 0; i < x.size(); ++i) order.push_back(static_cast<index_t>(i));
  std::stable_sort(order.begin(), order.end(), [&](index_t a, index_t b) {
    return less(x[static_cast<std::size_t>(a)], x[static_cast<std::size_t>(b)]);
  });
  const auto count = static_cast<index_t>(x.size());
  const auto e = ndp::sort_by_key(less, in.read(), ndp::range(index_t{0}, count));
  for_each_realisation<decltype(e)>([&](const auto& run) {
    data<T> keys(std::vector<T>(x.size(), poison<T>()));
    data<index_t> values(std::vector<index_t>(x.size(), -1));
    run(e, ndp::zip(keys.write(), values.write()));
    REQUIRE(keys.values() == expected);
    REQUIRE(values.values() == order);
    data<T> in_place(x);
    run(ndp::sort_by_key(less, in_place.read(), ndp::range(index_t{0}, count)),
        ndp::zip(in_place.write(), values.write()));
    REQUIRE(in_place.values() == expected);
  });
}

}  // namespace ndp_test

namespace {

namespace ndp = fettle::ndp;
using namespace ndp_test;

}  // namespace

TEST_CASE("reductions by index: few and many bins, skewed, and in order") {
  for (const index_t n : execution_sizes) {
    for (const index_t bins : sized<index_t>({0, 1, 255, 4096, 5000}, {0, 1, 255})) {
      for (const bool skewed : {false, true}) {
        CAPTURE(n, bins, skewed);
        const std::vector<std::int32_t> indices = made_up_bins(n, bins, skewed);
        check_bins<ndp::plus>(made_up<double>(n), indices, bins, 3.0);
        if (skewed) check_bins<compose>(made_up<affine>(n), indices, bins, affine{3, 5});
      }
    }
  }
}

TEST_CASE("reductions by index into more bins than a cache holds, in order") {
  constexpr index_t count = 290'000;
  constexpr index_t bins = 1'100'000;
  check_bins<compose>(made_up<affine>(count), made_up_bins(count, bins, false), bins, affine{3, 5});
  check_bins<ndp::plus>(made_up<double>(count), made_up_bins(count, bins, true), bins, 3.0);
}

TEST_CASE("a histogram ignores indices without a bin") {
  for (const index_t n : execution_sizes) {
    CAPTURE(n);
    const std::vector<std::int32_t> indices = made_up_bins(n, 100, false);
    std::vector<index_t> expected(100);
    for (const std::int32_t index : indices) {
      if (index >= 0 && index < 100) ++expected[static_cast<std::size_t>(index)];
    }
    const data<std::int32_t> in(indices);
    check_all(ndp::histogram(in.read(), 100), expected);
  }
}

TEST_CASE("counts and sums of whole numbers into narrower ones") {
  for (const index_t n : execution_sizes) {
    for (const index_t bins : {index_t{1}, index_t{100}, index_t{5000}}) {
      CAPTURE(n, bins);
      const std::vector<std::int32_t> indices = made_up_bins(n, bins, false);
      std::vector<std::int32_t> counts(static_cast<std::size_t>(bins));
      std::vector<std::uint32_t> sums(counts.size(), 7);  // modulo 2^32, where they are negative
      std::vector<std::int8_t> x;
      for (std::size_t i = 0; i < indices.size(); ++i) {
        x.push_back(static_cast<std::int8_t>(i % 5 == 0 ? 3 : -9));
        if (indices[i] < 0 || indices[i] >= bins) continue;
        ++counts[static_cast<std::size_t>(indices[i])];
        sums[static_cast<std::size_t>(indices[i])] += static_cast<std::uint32_t>(x.back());
      }
      const data<std::int32_t> in(indices);
      const data<std::int8_t> values(x);
      check_all(ndp::histogram(in.read(), bins), counts);
      check_all(ndp::reduce_by_index(ndp::plus{}, values.read(), in.read(), bins, index_t{7}),
                sums);
    }
  }
}

template <typename T, typename Index>
void check_sums_of(index_t count, index_t bins, T scale) {
  for (const bool skewed : {false, true}) {
    CAPTURE(count, bins, skewed);
    std::vector<Index> indices;
    for (const std::int32_t b : made_up_bins(count, bins, skewed)) {
      indices.push_back(static_cast<Index>(b));
    }
    std::vector<T> x;
    for (const std::int32_t value : made_up<std::int32_t>(count)) {
      x.push_back(static_cast<T>(static_cast<T>(value) * scale));
    }
    check_bins<ndp::plus>(x, indices, bins, T{3});
  }
}

TEST_CASE("sums of numbers of every width by indices of every width, most of them in one bin") {
  for (const index_t n : execution_sizes) {
    for (const index_t bins : {index_t{100}, index_t{7000}}) {
      check_sums_of<std::int64_t, std::int32_t>(n, bins, std::int64_t{1} << 33);
      check_sums_of<std::uint64_t, std::uint16_t>(n, bins, std::uint64_t{3'000'000'007});
      check_sums_of<std::int32_t, std::int64_t>(n, bins, 5);
      check_sums_of<std::uint32_t, std::uint32_t>(n, bins, 77);
      check_sums_of<float, std::int32_t>(n, bins, 1);
    }
    check_sums_of<double, std::int8_t>(n, 100, 1);
  }
}

TEST_CASE("sums of one integer, as often as a bin has it") {
  for (const index_t n : execution_sizes) {
    CAPTURE(n);
    const std::vector<std::int32_t> indices = made_up_bins(n, 100, true);
    std::vector<std::int64_t> expected(100, 11);
    for (const std::int32_t index : indices) {
      if (index >= 0 && index < 100) expected[static_cast<std::size_t>(index)] -= 7;
    }
    const data<std::int32_t> in(indices);
    check_all(
        ndp::reduce_by_index(ndp::plus{}, ndp::replicate(-7, n), in.read(), 100, std::int64_t{11}),
        expected);
  }
}

TEST_CASE("sorts of every size are stable, also in place") {
  for (const index_t n : execution_sizes) {
    CAPTURE(n);
    check_sorts(made_up<std::int32_t>(n), by_tens{});
    check_sorts(made_up<std::int32_t>(n), ndp::greater{});
    check_sorts(made_up<double>(n), ndp::less{});
  }
}

TEST_CASE("NaNs are sorted by their sign, and zeros are equal") {
  const double nan = std::copysign(std::numeric_limits<double>::quiet_NaN(), 1.0);
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> x = {nan, 0.0, -nan, -0.0, 5.0, infinity, -infinity, -3.0, nan, -nan};
  const data<double> in(x);
  const auto e = ndp::sort(in.read());
  for_each_realisation<decltype(e)>([&](const auto& run) {
    data<double> y(std::vector<double>(x.size()));
    run(e, y.write());
    std::string signs;
    for (const double value : y.values()) {
      signs += std::isnan(value) ? 'n' : std::isinf(value) ? 'i' : value == 0 ? '0' : 'x';
      signs += std::signbit(value) ? '-' : '+';
    }
    REQUIRE(signs == "n-n-i-x-0+0-x+i+n+n+");
  });
}

TEST_CASE("sorts and reductions by index check their sizes") {
  const data<int> ten(std::vector<int>(10, 1));
  const data<int> three(std::vector<int>(3, 1));
  data<int> y(std::vector<int>(9));
  CHECK(message_of([&] {
          ndp::execute<"order">(ndp::sort(ten.read()), y.write(), tested_platform{});
        }) == "order: the destination has 9 elements, the result has 10");
  auto by_index = ndp::reduce_by_index(ndp::plus{}, ten.read(), ten.read(), 5, 0);
  by_index.indices = three.read();
  CHECK(message_of([&] { ndp::execute<"bins">(by_index, y.write(), tested_platform{}); }) ==
        "bins: reduce_by_index: the sequence of keys or indices has 3 elements, the source has 10");
}
