// Cases of execute() for operators without nesting or order: maps, views, scatter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/operator/reverse.hpp>
#include <fettle/ndp/operator/scatter.hpp>
#include <fettle/ndp/operator/zip.hpp>

#include "ndp/support/on_platform.hpp"

namespace ndp_test {

struct twice {
  template <typename T>
  FETTLE_HOST_DEVICE constexpr T operator()(const T& x) const {
    return static_cast<T>(x + x);
  }
};

struct heavier {
  FETTLE_HOST_DEVICE particle operator()(particle p, double by) const {
    p.mass += by;
    return p;
  }
};

struct swapped {
  template <typename A, typename B>
  FETTLE_HOST_DEVICE fettle::ndp::tuple<B, A> operator()(const A& a, const B& b) const {
    return fettle::ndp::make_tuple(b, a);
  }
};

// A function without a result: what it does is what it does to memory.
struct add_at {
  fettle::ndp::sequence<double> out;

  FETTLE_HOST_DEVICE void operator()(index_t i, double x) const { out[i] += x; }
};

}  // namespace ndp_test

namespace {

namespace ndp = fettle::ndp;
using namespace ndp_test;

}  // namespace

TEST_CASE("map, for every element type and size") {
  fettle::for_each(element_types{}, []<typename T>(fettle::type_tag<T>) {
    for (const index_t n : execution_sizes) {
      CAPTURE(n);
      const std::vector<T> x = made_up<T>(n);
      std::vector<T> expected;
      for (const T value : x) expected.push_back(static_cast<T>(value + value));
      const data<T> in(x);
      check_all(ndp::map(twice{}, in.read()), expected);
    }
  });
}

TEST_CASE("map in place, and in place against an offset") {
  for (const index_t n : execution_sizes) {
    CAPTURE(n);
    const std::vector<double> x = made_up<double>(n);
    std::vector<double> expected;
    for (const double value : x) expected.push_back(3.0 * value);
    using in_place =
        decltype(ndp::map(ndp::multiplies{}, ndp::sequence<double>{}, ndp::replicate(3.0, 0)));
    for_each_realisation<in_place>([&](const auto& run) {
      data<double> y(x);
      run(ndp::map(ndp::multiplies{}, y.write(), ndp::replicate(3.0, n)), y.write());
      REQUIRE(y.values() == expected);
    });
  }
}

TEST_CASE("map of structs and numbers to structs") {
  for (const index_t n : {index_t{0}, index_t{1}, index_t{1000}}) {
    CAPTURE(n);
    const std::vector<particle> x = made_up<particle>(n);
    const std::vector<double> by = made_up<double>(n, 2);
    std::vector<particle> expected = x;
    for (std::size_t i = 0; i < x.size(); ++i) expected[i].mass += by[i];
    const data<particle> in(x);
    const data<double> increments(by);
    check_all(ndp::map(heavier{}, in.read(), increments.read()), expected);
  }
}

TEST_CASE("map of a function that returns nothing updates memory by itself") {
  for (const index_t n : execution_sizes) {
    CAPTURE(n);
    const std::vector<double> x = made_up<double>(n);
    const std::vector<double> before = made_up<double>(n, 2);
    std::vector<double> expected = before;
    for (std::size_t i = 0; i < x.size(); ++i) expected[i] += x[i];
    const data<double> in(x);
    using update = decltype(ndp::map(add_at{}, ndp::range(index_t{0}, n), in.read()));
    for_each_realisation<update>([&](const auto& run) {
      data<double> y(before);
      run(ndp::map(add_at{y.write()}, ndp::range(index_t{0}, n), in.read()));
      REQUIRE(y.values() == expected);
    });
  }
}

TEST_CASE("map of tuples into a zip of destinations") {
  for (const index_t n : execution_sizes) {
    CAPTURE(n);
    const std::vector<double> a = made_up<double>(n, 1);
    const std::vector<std::int32_t> b = made_up<std::int32_t>(n, 2);
    const data<double> in_a(a);
    const data<std::int32_t> in_b(b);
    const auto e = ndp::map(swapped{}, in_a.read(), in_b.read());
    for_each_realisation<decltype(e)>([&](const auto& run) {
      data<std::int32_t> out_b = room_for<std::int32_t>(n);
      data<double> out_a = room_for<double>(n);
      run(e, ndp::zip(out_b.write(), out_a.write()));
      REQUIRE(out_b.values() == with_margin(b));
      REQUIRE(out_a.values() == with_margin(a));
    });
  }
}

TEST_CASE("views are realised as they are: gather, reverse, range, zip") {
  for (const index_t n : execution_sizes) {
    CAPTURE(n);
    const std::vector<float> x = made_up<float>(n);
    const std::vector<index_t> at = shuffled(n);
    std::vector<float> gathered;
    for (const index_t i : at) gathered.push_back(x[static_cast<std::size_t>(i)]);
    const data<float> in(x);
    const data<index_t> indices(at);
    check_all(ndp::gather(in.read(), indices.read()), gathered);
    check_all(ndp::reverse(in.read()), std::vector<float>(x.rbegin(), x.rend()));
    std::vector<int> counted;
    for (int i = 0; i < n; ++i) counted.push_back(7 - 2 * i);
    check_all(ndp::range<int>(7, 7 - 2 * n, -2), counted);
  }
}

TEST_CASE("scatter moves each element to its place") {
  for (const index_t n : execution_sizes) {
    CAPTURE(n);
    const std::vector<double> x = made_up<double>(n);
    std::vector<index_t> at = shuffled(2 * n);
    at.resize(x.size());
    std::vector<double> expected(static_cast<std::size_t>(2 * n), poison<double>());
    const std::vector<double> before = expected;
    for (std::size_t i = 0; i < x.size(); ++i) expected[static_cast<std::size_t>(at[i])] = x[i];
    const data<double> in(x);
    const data<index_t> indices(at);
    using update = decltype(ndp::scatter(in.read(), indices.read(), ndp::sequence<double>{}));
    for_each_realisation<update>([&](const auto& run) {
      data<double> y(before);
      run(ndp::scatter(in.read(), indices.read(), y.write()));
      REQUIRE(y.values() == expected);
    });
  }
}
