// Cases of execute() for filter, partition, unique and runs with keys, and how many results they
// have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fettle/core/error.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/operator/filter.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/reduce_by_key.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/operator/runs_by_key.hpp>
#include <fettle/ndp/operator/zip.hpp>
#include <fettle/ndp/shape/counted.hpp>

#include "ndp/support/message_of.hpp"
#include "ndp/support/on_platform.hpp"

namespace ndp_test {

/// Whether an element is below a limit.
struct below {
  double limit;
  template <typename T>
  FETTLE_HOST_DEVICE constexpr bool operator()(const T& x) const {
    return static_cast<double>(x) < limit;
  }
};

/// Of affine maps, which have a struct's size.
struct even_scale {
  FETTLE_HOST_DEVICE constexpr bool operator()(const affine& f) const { return f.scale % 2 == 0; }
};

/// Whether the element of a sequence at an index is below a limit.
struct below_at {
  fettle::ndp::sequence<const double> x;
  double limit;
  FETTLE_HOST_DEVICE constexpr bool operator()(index_t i) const { return x[i] < limit; }
};

/// The values of a run: whether all are found, and their number is returned and counted.
template <typename E, typename T>
void check_selection(const E& e, const std::vector<T>& expected, index_t count) {
  namespace ndp = fettle::ndp;
  const std::vector<T> wanted = with_margin(expected);
  for_each_realisation<E>([&](const auto& run) {
    data<T> y = room_for<T>(static_cast<index_t>(expected.size()));
    REQUIRE(run(e, y.write()) == count);
    REQUIRE(y.values() == wanted);
    data<T> z = room_for<T>(static_cast<index_t>(expected.size()));
    data<int> counted(std::vector<int>{-1, -2});
    run(e, ndp::counted(z.write(), counted.write()));
    REQUIRE(counted.values() == std::vector<int>{static_cast<int>(count), -2});
    REQUIRE(z.values() == wanted);
  });
}

template <typename T, typename F>
void check_selections(const std::vector<T>& x, const F& keep) {
  namespace ndp = fettle::ndp;
  const data<T> in(x);
  std::vector<T> kept;
  std::vector<T> others;
  std::vector<T> firsts;
  for (std::size_t i = 0; i < x.size(); ++i) {
    (keep(x[i]) ? kept : others).push_back(x[i]);
    if (i == 0 || !(x[i - 1] == x[i])) firsts.push_back(x[i]);
  }
  const auto count = static_cast<index_t>(kept.size());
  check_selection(ndp::filter(keep, in.read()), kept, count);
  check_selection(ndp::unique(in.read()), firsts, static_cast<index_t>(firsts.size()));
  kept.insert(kept.end(), others.begin(), others.end());
  check_selection(ndp::partition(keep, in.read()), kept, count);
}

/// Keys, sums and number of the runs that are as long as the rows of `shape`.
template <typename Op, typename T>
void check_keyed_runs(const rows& shape, T seed) {
  namespace ndp = fettle::ndp;
  CAPTURE(shape.name);
  std::vector<std::int32_t> keys;
  for (std::size_t i = 0; i < shape.lengths.size(); ++i) {
    const auto key = static_cast<std::int32_t>(i * 37 % 101);
    keys.insert(keys.end(), static_cast<std::size_t>(shape.lengths[i]), key);
  }
  const std::vector<T> x = made_up<T>(shape.count());
  std::vector<std::int32_t> run_keys;
  std::vector<T> sums;
  std::vector<index_t> lengths;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i == 0 || keys[i] != keys[i - 1]) {
      run_keys.push_back(keys[i]);
      sums.push_back(seed);
      lengths.push_back(0);
    }
    sums.back() = static_cast<T>(Op{}(sums.back(), x[i]));
    ++lengths.back();
  }
  const auto runs = static_cast<index_t>(sums.size());
  const data<T> in(x);
  const data<std::int32_t> in_keys(keys);
  const auto e = ndp::runs_by_key(Op{}, in.read(), in_keys.read(), seed);
  for_each_realisation<decltype(e)>([&](const auto& run) {
    data<std::int32_t> k = room_for<std::int32_t>(runs);
    data<T> y = room_for<T>(runs);
    REQUIRE(run(e, ndp::zip(k.write(), y.write())) == runs);
    REQUIRE(k.values() == with_margin(run_keys));
    REQUIRE(y.values() == with_margin(sums));
  });
  const auto by_length = ndp::run_lengths(in_keys.read());
  for_each_realisation<decltype(by_length)>([&](const auto& run) {
    data<std::int32_t> k = room_for<std::int32_t>(runs);
    data<index_t> y = room_for<index_t>(runs);
    REQUIRE(run(by_length, ndp::zip(k.write(), y.write())) == runs);
    REQUIRE(k.values() == with_margin(run_keys));
    REQUIRE(y.values() == with_margin(lengths));
  });
  std::vector<std::int64_t> multiples;
  for (const index_t length : lengths) multiples.push_back(2 - 7 * length);
  const auto of_one_integer = ndp::reduce_by_key(
      ndp::plus{}, ndp::replicate(-7, in_keys.read().size()), in_keys.read(), std::int64_t{2});
  for_each_realisation<decltype(of_one_integer)>([&](const auto& run) {
    data<std::int64_t> y = room_for<std::int64_t>(runs);
    run(of_one_integer, y.write());
    REQUIRE(y.values() == with_margin(multiples));
  });
  const auto without_keys = ndp::reduce_by_key(Op{}, in.read(), in_keys.read(), seed);
  for_each_realisation<decltype(without_keys)>([&](const auto& run) {
    data<T> y = room_for<T>(runs);
    data<index_t> counted(std::vector<index_t>{-1});
    run(without_keys, ndp::counted(y.write(), counted.write()));
    REQUIRE(y.values() == with_margin(sums));
    REQUIRE(counted.values() == std::vector<index_t>{runs});
  });
}

}  // namespace ndp_test

namespace {

namespace ndp = fettle::ndp;
using namespace ndp_test;

}  // namespace

TEST_CASE("filter, partition and unique of every size, and of few, most and no elements") {
  for (const index_t n : execution_sizes) {
    for (const double limit : {-1000.0, 0.0, 1000.0}) {
      CAPTURE(n, limit);
      check_selections(made_up<double>(n), below{limit});
    }
    check_selections(made_up<affine>(n), even_scale{});
  }
}

TEST_CASE("selections of a block's tile, of some tiles, and of more than one kernel takes") {
  for (const index_t n : sized<index_t>({2047, 2048, 2049, 525'000, 2'097'153}, {2049})) {
    CAPTURE(n);
    const std::vector<std::int32_t> x = made_up<std::int32_t>(n);
    const data<std::int32_t> in(x);
    std::vector<std::int32_t> kept;
    for (const std::int32_t one : x) {
      if (one < 3) kept.push_back(one);
    }
    data<std::int32_t> y = room_for<std::int32_t>(static_cast<index_t>(kept.size()));
    REQUIRE(ndp::execute(ndp::filter(below{3.0}, in.read()), y.write(), tested_platform{}) ==
            static_cast<index_t>(kept.size()));
    REQUIRE((y.values() == with_margin(kept)));
  }
}

TEST_CASE("indices and pairs are selected like numbers") {
  for (const index_t n : execution_sizes) {
    CAPTURE(n);
    const std::vector<double> x = made_up<double>(n);
    const data<double> in(x);
    std::vector<index_t> expected;
    for (index_t i = 0; i < n; ++i) {
      if (x[static_cast<std::size_t>(i)] < 0.0) expected.push_back(i);
    }
    check_selection(ndp::filter(below_at{in.read(), 0.0}, ndp::range(index_t{0}, n)), expected,
                    static_cast<index_t>(expected.size()));
    const auto pairs = ndp::unique(ndp::zip(in.read(), ndp::range(index_t{0}, n)));
    data<double> y = room_for<double>(n);
    data<index_t> z = room_for<index_t>(n);
    REQUIRE(ndp::execute(pairs, ndp::zip(y.write(), z.write()), tested_platform{}) == n);
    REQUIRE(y.values() == with_margin(x));
  }
}

TEST_CASE("runs with keys, and how many they are") {
  for (const rows& shape : row_shapes()) {
    check_keyed_runs<ndp::plus, double>(shape, 3.0);
    check_keyed_runs<compose, affine>(shape, affine{3, 5});
  }
  if (small_sizes()) return;
  // Of a block's tile and over many; the last ones are more than one kernel takes.
  rows shape{"runs over tiles", {1, 2048, 2047, 1, 100'000, 3, 70'000, 2049, 5}};
  check_keyed_runs<compose, affine>(shape, affine{3, 5});
  for (index_t i = 0; i < 100'000; ++i) shape.lengths.push_back(i % 8);
  check_keyed_runs<compose, affine>(shape, affine{3, 5});
  check_keyed_runs<ndp::plus, double>(shape, 3.0);
}

TEST_CASE("a destination that is too short for what is selected names the computation") {
  const data<double> in(std::vector<double>(1000, 1.0));
  const auto e = ndp::filter(below{2.0}, in.read());
  for_each_realisation<decltype(e)>([&](const auto& run) {
    data<double> y = room_for<double>(10);
    const std::string message = message_of([&] { run(e, y.write()); });
    REQUIRE(message.find("tested: ") == 0);
    REQUIRE(message.find("the result has 1000") != std::string::npos);
  });
  const auto others = ndp::partition(below{2.0}, in.read());
  data<double> y = room_for<double>(10);
  REQUIRE(message_of([&] { ndp::execute<"halves">(others, y.write(), tested_platform{}); }) ==
          "halves: the destination has 13 elements, the result has 1000");
  data<int> nothing(std::vector<int>{});
  REQUIRE(message_of([&] {
            ndp::execute<"halves">(e, ndp::counted(y.write(), nothing.write()), tested_platform{});
          }) == "halves: counted: the sequence that takes the number of results has no element");
}
