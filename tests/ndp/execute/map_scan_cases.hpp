// Cases of execute() for map > scan: a scan a row, into rows or into flat memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/operator/scan.hpp>
#include <fettle/ndp/operator/split.hpp>

#include "ndp/support/on_platform.hpp"

namespace ndp_test {

template <typename Op, typename P>
struct row_scan {
  P seed;

  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row) const {
    return fettle::ndp::scan(Op{}, row, seed);
  }
};

template <typename Op, typename P>
struct inclusive_row_scan {
  P seed;

  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row) const {
    return fettle::ndp::inclusive_scan(Op{}, row, seed);
  }
};

/// The last step of the paper's listing 4.
struct seeded_scan {
  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row, double seed) const {
    return fettle::ndp::scan(fettle::ndp::plus{}, row, seed);
  }
};

template <typename Op, typename T, typename P>
[[nodiscard]] std::vector<T> scanned_rows(const std::vector<T>& x,
                                          const std::vector<index_t>& offsets, P seed) {
  std::vector<T> out = x;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    auto running = static_cast<T>(seed);
    for (auto k = static_cast<std::size_t>(offsets[i]);
         k < static_cast<std::size_t>(offsets[i + 1]); ++k) {
      out[k] = running;
      running = static_cast<T>(Op{}(running, x[k]));
    }
  }
  return out;
}

/// Flat and nested destinations, and in place.
template <typename Op, typename T>
void check_scans(const std::vector<rows>& shapes, T seed) {
  namespace ndp = fettle::ndp;
  for (const rows& shape : shapes) {
    CAPTURE(shape.name);
    const std::vector<T> x = made_up<T>(shape.count());
    const std::vector<index_t> offsets = shape.offsets();
    const std::vector<T> expected = scanned_rows<Op>(x, offsets, seed);
    const data<T> in(x);
    const data<index_t> begins(offsets);
    const auto e = ndp::map(row_scan<Op, T>{seed}, ndp::nest(in.read(), begins.read()));
    check_all(e, expected);
    for_each_realisation<decltype(e)>([&](const auto& run) {
      data<T> y = room_for<T>(shape.count());
      run(e, ndp::nest(y.write(), begins.read()));
      REQUIRE(y.values() == with_margin(expected));
    });
    using in_place =
        decltype(ndp::map(row_scan<Op, T>{seed}, ndp::nest(ndp::sequence<T>{}, begins.read())));
    for_each_realisation<in_place>([&](const auto& run) {
      data<T> y(x);
      run(ndp::map(row_scan<Op, T>{seed}, ndp::nest(y.write(), begins.read())), y.write());
      REQUIRE(y.values() == expected);
    });
  }
}

}  // namespace ndp_test

namespace {

namespace ndp = fettle::ndp;
using namespace ndp_test;

}  // namespace

TEST_CASE("scans of rows of every shape") {
  check_scans<ndp::plus, double>(row_shapes(), 3.0);
  check_scans<ndp::plus, std::int32_t>(row_shapes(), 3);
}

TEST_CASE("scans of rows by operators that do not commute") {
  check_scans<compose, affine>(row_shapes(), affine{3, 5});
}

TEST_CASE("scans of more and longer rows than a block or a chunk holds") {
  check_scans<ndp::plus, double>(row_shapes(10), 0.0);
}

TEST_CASE("inclusive scans of rows, in order, are the exclusive ones and an element more") {
  for (const rows& shape : row_shapes()) {
    CAPTURE(shape.name);
    const std::vector<affine> x = made_up<affine>(shape.count());
    const std::vector<index_t> offsets = shape.offsets();
    std::vector<affine> expected = scanned_rows<compose>(x, offsets, affine{3, 5});
    for (auto k = static_cast<std::size_t>(offsets.front());
         k < static_cast<std::size_t>(offsets.back()); ++k) {
      expected[k] = compose{}(expected[k], x[k]);
    }
    const data<affine> in(x);
    const data<index_t> begins(offsets);
    check_all(
        ndp::map(inclusive_row_scan<compose, affine>{{3, 5}}, ndp::nest(in.read(), begins.read())),
        expected);
  }
}

TEST_CASE("scans of tiles, seeded one by one, as in listing 4") {
  for (const index_t n : execution_sizes) {
    for (const index_t l : sized<index_t>({1, 7, 1000}, {7})) {
      CAPTURE(n, l);
      const std::vector<double> x = made_up<double>(n, 1);
      const std::vector<double> seeds = made_up<double>((n + l - 1) / l, 2);
      std::vector<double> expected;
      double running = 0.0;
      for (index_t i = 0; i < n; ++i) {
        if (i % l == 0) running = seeds[static_cast<std::size_t>(i / l)];
        expected.push_back(running);
        running += x[static_cast<std::size_t>(i)];
      }
      const data<double> in(x);
      const data<double> in_seeds(seeds);
      check_all(ndp::map(seeded_scan{}, ndp::split(in.read(), l), in_seeds.read()), expected);
    }
  }
}
