// Cases of execute() for a map over the reductions of rows, which is fused into their stores.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/operator/zip.hpp>

#include "ndp/support/on_platform.hpp"

namespace ndp_test {

struct row_total {
  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row) const {
    return fettle::ndp::reduce(fettle::ndp::plus{}, row, 0.0);
  }
};

struct negated {
  FETTLE_HOST_DEVICE constexpr double operator()(double total) const { return -total; }
};

/// Different in each of its arguments.
struct weighted {
  FETTLE_HOST_DEVICE constexpr double operator()(double before, double total, double after) const {
    return before + 2 * total + 4 * after;
  }
};

struct total_and_twice {
  FETTLE_HOST_DEVICE constexpr auto operator()(double total) const {
    return fettle::ndp::tuple_of<double, double>(total, 2 * total);
  }
};

struct numbered {
  double value;
  std::int32_t number;
};
struct lesser {
  FETTLE_HOST_DEVICE constexpr numbered operator()(const numbered& a, const numbered& b) const {
    return b.value < a.value ? b : a;
  }
};
struct number_element {
  FETTLE_HOST_DEVICE constexpr numbered operator()(double value, std::int32_t number) const {
    return {value, number};
  }
};
struct row_least {
  template <typename Row, typename Numbers>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row, const Numbers& each) const {
    namespace ndp = fettle::ndp;
    return ndp::reduce(lesser{}, ndp::map(number_element{}, row, each), numbered{1e9, -1});
  }
};
struct number_of {
  FETTLE_HOST_DEVICE constexpr std::int32_t operator()(const numbered& least) const {
    return least.number;
  }
};

}  // namespace ndp_test

namespace {

namespace ndp = fettle::ndp;
using namespace ndp_test;

/// The sums of rows of whole numbers, which are exact in any order.
[[nodiscard]] std::vector<double> totals_of(const std::vector<double>& x,
                                            const std::vector<index_t>& offsets) {
  std::vector<double> totals(offsets.size() - 1, 0.0);
  for (std::size_t i = 0; i < totals.size(); ++i) {
    for (index_t k = offsets[i]; k < offsets[i + 1]; ++k) {
      totals[i] += x[static_cast<std::size_t>(k)];
    }
  }
  return totals;
}

}  // namespace

TEST_CASE("a function of the sums of rows is the last step of the reduction") {
  for (const rows& shape : row_shapes()) {
    CAPTURE(shape.name);
    const std::vector<double> x = made_up<double>(shape.count());
    const std::vector<index_t> offsets = shape.offsets();
    std::vector<double> expected = totals_of(x, offsets);
    for (double& total : expected) total = -total;
    const data<double> in(x);
    const data<index_t> begins(offsets);
    check_all(ndp::map(negated{}, ndp::map(row_total{}, ndp::nest(in.read(), begins.read()))),
              expected);
  }
}

TEST_CASE("a function of sums and of other sequences, before and after them") {
  for (const rows& shape : row_shapes()) {
    CAPTURE(shape.name);
    const std::vector<double> x = made_up<double>(shape.count(), 1);
    const std::vector<index_t> offsets = shape.offsets();
    std::vector<double> expected = totals_of(x, offsets);
    const auto count = static_cast<index_t>(expected.size());
    const std::vector<double> before = made_up<double>(count, 2);
    const std::vector<double> after = made_up<double>(count, 3);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      expected[i] = before[i] + 2 * expected[i] + 4 * after[i];
    }
    const data<double> in(x);
    const data<double> in_before(before);
    const data<double> in_after(after);
    const data<index_t> begins(offsets);
    check_all(ndp::map(weighted{}, in_before.read(),
                       ndp::map(row_total{}, ndp::nest(in.read(), begins.read())), in_after.read()),
              expected);
  }
}

TEST_CASE("the numbers of the least elements of rows") {
  for (const rows& shape : row_shapes()) {
    CAPTURE(shape.name);
    const std::vector<double> x = made_up<double>(shape.count(), 1);
    const std::vector<index_t> offsets = shape.offsets();
    std::vector<std::int32_t> numbers(x.size());
    std::vector<std::int32_t> expected;
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
      std::int32_t least = -1;
      for (index_t k = offsets[i]; k < offsets[i + 1]; ++k) {
        const auto at = static_cast<std::size_t>(k);
        numbers[at] = static_cast<std::int32_t>(k);
        if (least < 0 || x[at] < x[static_cast<std::size_t>(least)]) {
          least = static_cast<std::int32_t>(k);
        }
      }
      expected.push_back(least);
    }
    const data<double> in(x);
    const data<std::int32_t> in_numbers(numbers);
    const data<index_t> begins(offsets);
    check_all(ndp::map(number_of{}, ndp::map(row_least{}, ndp::nest(in.read(), begins.read()),
                                             ndp::nest(in_numbers.read(), begins.read()))),
              expected);
  }
}

TEST_CASE("a function of the sums of tiles, into two destinations") {
  for (const index_t n : execution_sizes) {
    CAPTURE(n);
    const index_t l = 7;
    const std::vector<double> x = made_up<double>(n);
    std::vector<double> totals(static_cast<std::size_t>((n + l - 1) / l), 0.0);
    for (index_t i = 0; i < n; ++i) {
      totals[static_cast<std::size_t>(i / l)] += x[static_cast<std::size_t>(i)];
    }
    std::vector<double> twice;
    for (const double total : totals) twice.push_back(2 * total);
    const data<double> in(x);
    const auto e = ndp::map(total_and_twice{}, ndp::map(row_total{}, ndp::split(in.read(), l)));
    for_each_realisation<decltype(e)>([&](const auto& run) {
      data<double> first = room_for<double>(static_cast<index_t>(totals.size()));
      data<double> second = room_for<double>(static_cast<index_t>(totals.size()));
      run(e, ndp::zip(first.write(), second.write()));
      REQUIRE(first.values() == with_margin(totals));
      REQUIRE(second.values() == with_margin(twice));
    });
  }
}
