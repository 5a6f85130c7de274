// Cases of execute() for the layer's own operators, and for elements that are sequences.
#pragma once

#include <cstdint>
#include <vector>

#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/scan.hpp>
#include <fettle/ndp/operator/split.hpp>

#include "ndp/support/on_platform.hpp"

namespace ndp_test {

template <typename Op, typename T>
struct reduce_row_by {
  T seed;

  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row) const {
    return fettle::ndp::reduce(Op{}, row, seed);
  }
};

/// By one realisation each: the whole, and in rows.
template <typename Op, typename T>
void check_operator(const std::vector<T>& x, T seed) {
  namespace ndp = fettle::ndp;
  namespace schedule = fettle::ndp::schedule;
  const data<T> in(x);
  REQUIRE(ndp::execute(ndp::reduce(Op{}, in.read(), seed), tested_platform{}) ==
          ndp::reduce(Op{}, ndp::make_sequence(x), seed).evaluate());
  const index_t length = 33;
  const auto rows = ndp::split(ndp::make_sequence(x), length);
  std::vector<T> expected;
  for (index_t i = 0; i < rows.size(); ++i) {
    expected.push_back(ndp::reduce(Op{}, rows[i], seed).evaluate());
  }
  data<T> y = room_for<T>(rows.size());
  ndp::execute(ndp::map(reduce_row_by<Op, T>{seed}, ndp::split(in.read(), length)), y.write(),
               tested_platform{}, schedule::flattened<>{});
  REQUIRE(y.values() == with_margin(expected));
}

template <typename Op, typename T>
void check_prefixes(const std::vector<T>& x, T seed) {
  namespace ndp = fettle::ndp;
  std::vector<T> expected;
  ndp::scan(Op{}, ndp::make_sequence(x), seed).for_each_serial([&](index_t, T value) {
    expected.push_back(value);
  });
  const data<T> in(x);
  data<T> y = room_for<T>(static_cast<index_t>(x.size()));
  ndp::execute(ndp::scan(Op{}, in.read(), seed), y.write(), tested_platform{},
               ndp::schedule::cooperative<>{});
  REQUIRE(y.values() == with_margin(expected));
}

/// How far a point is from a centroid, and which centroid that is.
struct labelled {
  double distance = 0;
  index_t label = 0;

  friend constexpr bool operator==(const labelled&, const labelled&) = default;
};
struct closer {
  static constexpr bool is_commutative = true;

  FETTLE_HOST_DEVICE constexpr labelled operator()(const labelled& a, const labelled& b) const {
    const bool first = a.distance < b.distance || (!(b.distance < a.distance) && a.label < b.label);
    return first ? a : b;
  }
};

struct squared_difference {
  FETTLE_HOST_DEVICE constexpr double operator()(double a, double b) const {
    return (a - b) * (a - b);
  }
};
template <typename Point>
struct distance_from {
  Point point;

  template <typename Centroid>
  FETTLE_HOST_DEVICE constexpr labelled operator()(const Centroid& centroid, index_t label) const {
    namespace ndp = fettle::ndp;
    const auto squares = ndp::map(squared_difference{}, point, centroid);
    return {ndp::reduce(ndp::plus{}, squares, 0.0).evaluate(), label};
  }
};
/// A point, which is a sequence, against sequences that another argument holds.
template <typename Centroids>
struct nearest {
  Centroids centroids;

  template <typename Point>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Point& point) const {
    namespace ndp = fettle::ndp;
    const auto labels = ndp::range(index_t{0}, centroids.size());
    return ndp::reduce(closer{}, ndp::map(distance_from<Point>{point}, centroids, labels),
                       labelled{1e300, -1});
  }
};

struct chain_points {
  template <typename A, typename B>
  FETTLE_HOST_DEVICE constexpr auto operator()(const A& a, const B& b) const {
    return fettle::ndp::map(compose{}, a, b);
  }
};

}  // namespace ndp_test

namespace {

namespace ndp = fettle::ndp;
using namespace ndp_test;

const index_t operator_count = sized<index_t>(70001, 4099);

}  // namespace

TEST_CASE("the layer's own operators, each with its identity") {
  std::vector<std::uint32_t> x = made_up<std::uint32_t>(operator_count);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = x[i] * 2654435761U + static_cast<std::uint32_t>(i);
  }
  check_operator<ndp::plus>(x, 7U);
  check_operator<ndp::minimum>(x, 4000000000U);
  check_operator<ndp::maximum>(x, 1U);
  check_operator<ndp::bit_and>(x, 0xFFFF0FFFU);
  check_operator<ndp::bit_or>(x, 1U);
  check_operator<ndp::bit_xor>(x, 5U);
  for (std::uint32_t& value : x) value |= 1U;  // odd numbers: no product is 0
  check_operator<ndp::multiplies>(x, 3U);
  check_prefixes<ndp::multiplies>(x, 3U);
}

TEST_CASE("minimum and maximum of numbers below zero, products of fractions") {
  const std::vector<std::int32_t> x = made_up<std::int32_t>(operator_count);
  std::vector<std::int32_t> below;
  std::vector<double> powers;
  for (const std::int32_t value : x) {
    below.push_back(-1 - value * value);
    powers.push_back(value % 3 == 0 ? 0.5 : value % 3 == 1 ? 2.0 : 1.0);
  }
  check_operator<ndp::maximum>(below, -1000000);
  check_operator<ndp::minimum>(below, 0);
  check_prefixes<ndp::minimum>(below, 0);
  // Powers of two, so that the order of multiplying does not show; few enough for a double.
  powers.resize(900);
  check_operator<ndp::multiplies>(powers, 1.0);
}

TEST_CASE("truths: all, any") {
  // One exception, at either end or in the middle.
  for (const index_t at : {index_t{0}, operator_count / 2, operator_count - 1}) {
    CAPTURE(at);
    std::vector<std::uint8_t> x(static_cast<std::size_t>(operator_count), 1);
    x[static_cast<std::size_t>(at)] = 0;
    const data<std::uint8_t> in(x);
    const auto truths = ndp::map(ndp::logical_and{}, in.read(), in.read());
    REQUIRE_FALSE(ndp::execute(ndp::reduce(ndp::logical_and{}, truths, true), tested_platform{}));
    REQUIRE(ndp::execute(ndp::reduce(ndp::logical_or{}, truths, false), tested_platform{}));
    const auto before = ndp::subsequence(truths, 0, at);
    REQUIRE(ndp::execute(ndp::reduce(ndp::logical_and{}, before, true), tested_platform{}));
    REQUIRE(ndp::execute(ndp::reduce(ndp::logical_or{}, before, false), tested_platform{}) ==
            (at > 0));
  }
}

TEST_CASE("elements that are sequences: points get the label of the nearest centroid") {
  const index_t width = 3;
  for (const index_t count : {0, 1, 700}) {
    CAPTURE(count);
    const std::vector<double> points = made_up<double>(count * width, 1);
    const std::vector<double> centres = made_up<double>(5 * width, 2);
    const auto serial =
        ndp::map(nearest<decltype(ndp::split(ndp::make_sequence(centres), width))>{ndp::split(
                     ndp::make_sequence(centres), width)},
                 ndp::split(ndp::make_sequence(points), width));
    std::vector<labelled> expected;
    for (index_t i = 0; i < count; ++i) expected.push_back(serial[i].evaluate());
    const data<double> in_points(points);
    const data<double> in_centres(centres);
    const auto centroids = ndp::split(in_centres.read(), width);
    check_all(ndp::map(nearest<std::remove_const_t<decltype(centroids)>>{centroids},
                       ndp::split(in_points.read(), width)),
              expected);
  }
}

TEST_CASE("vectors that are composed element by element keep their order") {
  const index_t width = 3;
  for (const index_t count : {0, 1, 2, 700}) {
    CAPTURE(count);
    const std::vector<affine> x = made_up<affine>(count * width);
    std::vector<affine> expected(static_cast<std::size_t>(width), affine{3, 5});
    for (std::size_t i = 0; i < x.size(); ++i) {
      affine& so_far = expected[i % static_cast<std::size_t>(width)];
      so_far = compose{}(so_far, x[i]);
    }
    const data<affine> in(x);
    check_all(ndp::reduce(chain_points{}, ndp::split(in.read(), width),
                          ndp::replicate(affine{3, 5}, width)),
              expected);
  }
}
