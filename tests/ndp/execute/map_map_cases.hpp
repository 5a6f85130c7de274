// Cases of execute() for maps whose elements are sequences: nested results, and copies of views
// with two levels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/operator/cyclic.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/operator/reverse.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/operator/transpose.hpp>

#include "ndp/support/on_platform.hpp"

namespace ndp_test {

/// row i -> all its elements times a_i
struct scaled_row {
  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row, double factor) const {
    namespace ndp = fettle::ndp;
    return ndp::map(ndp::multiplies{}, row, ndp::replicate(factor, row.size()));
  }
};

struct reversed_row {
  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row) const {
    return fettle::ndp::reverse(row);
  }
};

struct row_itself {
  template <typename Row>
  FETTLE_HOST_DEVICE constexpr Row operator()(const Row& row) const {
    return row;
  }
};

/// Checks flat and nested destinations of the nested computation e, whose results lie as `offsets`
/// say.
template <typename E, typename T>
void check_nested(const E& e, const data<index_t>& offsets, const std::vector<T>& expected) {
  namespace ndp = fettle::ndp;
  for_each_realisation<E>([&](const auto& run) {
    data<T> y = room_for<T>(static_cast<index_t>(expected.size()));
    run(e, ndp::nest(y.write(), offsets.read()));
    REQUIRE(y.values() == with_margin(expected));
  });
  if constexpr (ndp::has_outer_shape_v<E>) check_all(e, expected);
}

/// Offsets of `count` rows of `width` elements.
[[nodiscard]] inline std::vector<index_t> equal_offsets(index_t count, index_t width) {
  std::vector<index_t> out;
  for (index_t i = 0; i <= count; ++i) out.push_back(i * width);
  return out;
}

}  // namespace ndp_test

namespace {

namespace ndp = fettle::ndp;
using namespace ndp_test;

}  // namespace

TEST_CASE("rows scaled one by one, into rows and into flat memory") {
  for (const rows& shape : row_shapes()) {
    CAPTURE(shape.name);
    const std::vector<double> x = made_up<double>(shape.count(), 1);
    const std::vector<double> factors =
        made_up<double>(static_cast<index_t>(shape.lengths.size()), 2);
    const std::vector<index_t> offsets = shape.offsets();
    std::vector<double> expected = x;
    for (std::size_t i = 0; i < factors.size(); ++i) {
      for (index_t k = offsets[i]; k < offsets[i + 1]; ++k) {
        expected[static_cast<std::size_t>(k)] *= factors[i];
      }
    }
    const data<double> in(x);
    const data<double> in_factors(factors);
    const data<index_t> begins(offsets);
    const auto e = ndp::map(scaled_row{}, ndp::nest(in.read(), begins.read()), in_factors.read());
    check_nested(e, begins, expected);
  }
}

TEST_CASE("rows scaled in place") {
  const std::vector<double> x = made_up<double>(1003);
  std::vector<double> expected;
  for (const double value : x) expected.push_back(2.0 * value);
  using in_place = decltype(ndp::map(scaled_row{}, ndp::split(ndp::sequence<double>{}, 7),
                                     ndp::replicate(2.0, 144)));
  for_each_realisation<in_place>([&](const auto& run) {
    data<double> y(x);
    const auto tiles = ndp::split(y.write(), 7);
    run(ndp::map(scaled_row{}, tiles, ndp::replicate(2.0, 144)), tiles);
    REQUIRE(y.values() == expected);
  });
}

TEST_CASE("rows turned round, and rows as they are") {
  for (const rows& shape : row_shapes()) {
    CAPTURE(shape.name);
    const std::vector<std::int32_t> x = made_up<std::int32_t>(shape.count());
    const std::vector<index_t> offsets = shape.offsets();
    std::vector<std::int32_t> turned = x;
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
      std::reverse(turned.begin() + offsets[i], turned.begin() + offsets[i + 1]);
    }
    const data<std::int32_t> in(x);
    const data<index_t> begins(offsets);
    const auto nested = ndp::nest(in.read(), begins.read());
    check_nested(ndp::map(reversed_row{}, nested), begins, turned);
    check_nested(ndp::map(row_itself{}, nested), begins, x);
  }
}

TEST_CASE("views with two levels are copied row by row") {
  for (const index_t n : sized<index_t>({0, 1, 6, 64, 1000}, {0, 1000})) {
    for (const index_t l : sized<index_t>({1, 5, 33}, {33})) {
      CAPTURE(n, l);
      const index_t whole = n / l * l;  // all tiles full, so that columns are equally long
      const std::vector<float> x = made_up<float>(whole);
      std::vector<float> columns;
      for (index_t j = 0; j < l; ++j) {
        for (index_t i = 0; i < whole / l; ++i) {
          columns.push_back(x[static_cast<std::size_t>(i * l + j)]);
        }
      }
      const data<float> in(x);
      const data<index_t> as_rows(equal_offsets(whole / l, l));
      const data<index_t> as_columns(equal_offsets(l, whole / l));
      check_nested(ndp::split(in.read(), l), as_rows, x);
      check_nested(ndp::nest(in.read(), as_rows.read()), as_rows, x);
      check_nested(ndp::cyclic(in.read(), l), as_columns, columns);
      check_nested(ndp::transpose(ndp::nest(in.read(), as_rows.read()), l), as_columns, columns);
    }
  }
}
