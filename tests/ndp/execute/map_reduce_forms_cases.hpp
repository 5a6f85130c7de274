// Cases of execute() for map > reduce: fused products, further arguments, and rows of tilings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/operator/cyclic.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/make_grid.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/operator/transpose.hpp>

#include "ndp/support/on_platform.hpp"

namespace ndp_test {

/// The paper's listing 1.
template <typename T>
struct row_dot {
  fettle::ndp::sequence<const T> x;

  template <typename Row, typename Columns>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row, const Columns& columns) const {
    namespace ndp = fettle::ndp;
    return ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, row, ndp::gather(x, columns)),
                       T(0));
  }
};

/// A seed that differs from row to row.
struct seeded_row {
  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row, double seed) const {
    return fettle::ndp::reduce(fettle::ndp::plus{}, row, seed);
  }
};

/// An operator that does not commute.
struct composed_row {
  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row) const {
    return fettle::ndp::reduce(compose{}, row, affine{3, 5});
  }
};

struct row_sum {
  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row) const {
    return fettle::ndp::reduce(fettle::ndp::plus{}, row, 0.0);
  }
};

}  // namespace ndp_test

namespace {

namespace ndp = fettle::ndp;
using namespace ndp_test;

}  // namespace

TEST_CASE("sparse matrix times vector, by listing 1") {
  for (const rows& shape : row_shapes()) {
    CAPTURE(shape.name);
    const index_t width = 500;
    const std::vector<double> x = made_up<double>(width, 1);
    const std::vector<double> a = made_up<double>(shape.count(), 2);
    const std::vector<std::int32_t> offsets = shape.offsets<std::int32_t>();
    std::vector<std::int32_t> columns;
    for (std::size_t k = 0; k < a.size(); ++k) {
      columns.push_back(static_cast<std::int32_t>(k * 7919 % static_cast<std::size_t>(width)));
    }
    std::vector<double> expected;
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
      double sum = 0.0;
      for (auto k = static_cast<std::size_t>(offsets[i]);
           k < static_cast<std::size_t>(offsets[i + 1]); ++k) {
        sum += a[k] * x[static_cast<std::size_t>(columns[k])];
      }
      expected.push_back(sum);
    }
    const data<double> in_x(x);
    const data<double> in_a(a);
    const data<std::int32_t> in_columns(columns);
    const data<std::int32_t> begins(offsets);
    check_all(ndp::map(row_dot<double>{in_x.read()}, ndp::nest(in_a.read(), begins.read()),
                       ndp::nest(in_columns.read(), begins.read())),
              expected);
  }
}

TEST_CASE("rows with seeds of their own") {
  for (const rows& shape : row_shapes()) {
    CAPTURE(shape.name);
    const std::vector<double> x = made_up<double>(shape.count(), 1);
    const std::vector<double> seeds =
        made_up<double>(static_cast<index_t>(shape.lengths.size()), 2);
    const std::vector<index_t> offsets = shape.offsets();
    std::vector<double> expected = seeds;
    for (std::size_t i = 0; i < seeds.size(); ++i) {
      for (index_t k = offsets[i]; k < offsets[i + 1]; ++k) {
        expected[i] += x[static_cast<std::size_t>(k)];
      }
    }
    const data<double> in(x);
    const data<double> in_seeds(seeds);
    const data<index_t> begins(offsets);
    check_all(ndp::map(seeded_row{}, ndp::nest(in.read(), begins.read()), in_seeds.read()),
              expected);
  }
}

TEST_CASE("sums of tiles, of which the last is short, and of cycles") {
  for (const index_t n : execution_sizes) {
    for (const index_t l : sized<index_t>({1, 7, 32, 1000}, {7, 1000})) {
      CAPTURE(n, l);
      const std::vector<double> x = made_up<double>(n);
      std::vector<double> tiles(static_cast<std::size_t>((n + l - 1) / l), 0.0);
      std::vector<double> cycles(static_cast<std::size_t>(l), 0.0);
      for (index_t i = 0; i < n; ++i) {
        tiles[static_cast<std::size_t>(i / l)] += x[static_cast<std::size_t>(i)];
        cycles[static_cast<std::size_t>(i % l)] += x[static_cast<std::size_t>(i)];
      }
      const data<double> in(x);
      const row_sum sum;
      check_all(ndp::map(sum, ndp::split(in.read(), l)), tiles);
      check_all(ndp::map(sum, ndp::cyclic(in.read(), l)), cycles);
    }
  }
}

// So few columns of so many rows that a GPU gives them to many blocks, whose results are combined.
TEST_CASE("few tall columns, by an operator that does not commute") {
  for (const index_t width : {7, 8, 31, 33}) {
    for (const index_t height : {index_t{1}, index_t{300}, index_t{small_sizes() ? 3000 : 40007}}) {
      CAPTURE(width, height);
      const std::vector<affine> x = made_up<affine>(width * height);
      std::vector<affine> expected;
      for (index_t j = 0; j < width; ++j) {
        affine value{3, 5};
        for (index_t i = 0; i < height; ++i) {
          value = compose{}(value, x[static_cast<std::size_t>(i * width + j)]);
        }
        expected.push_back(value);
      }
      const data<affine> in(x);
      data<affine> out = room_for<affine>(width);
      const auto columns = ndp::transpose(ndp::make_grid(in.read(), height, width), width);
      ndp::execute(ndp::map(composed_row{}, columns), out.write(), tested_platform{});
      REQUIRE(out.values() == with_margin(expected));
    }
  }
}
