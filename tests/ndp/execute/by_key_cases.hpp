// Cases of execute() for reduce_by_key: runs of every length, numbers and points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/reduce_by_key.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/operator/split.hpp>

#include "ndp/support/on_platform.hpp"

namespace ndp_test {

struct add_coordinates {
  template <typename A, typename B>
  FETTLE_HOST_DEVICE constexpr auto operator()(const A& a, const B& b) const {
    return fettle::ndp::map(fettle::ndp::plus{}, a, b);
  }
};

/// Runs as long as the rows of `shape`; keys that do not increase, so that only equality can tell
/// one run from the next.
template <typename Key>
[[nodiscard]] std::vector<Key> keys_of(const rows& shape) {
  std::vector<Key> out;
  for (std::size_t i = 0; i < shape.lengths.size(); ++i) {
    // Rows without elements leave no key; the two beside them must still differ.
    const auto key = static_cast<Key>(i * 37 % 101);
    out.insert(out.end(), static_cast<std::size_t>(shape.lengths[i]), key);
  }
  return out;
}

template <typename Key, typename Op, typename T, typename P>
void check_runs(const rows& shape, P seed) {
  namespace ndp = fettle::ndp;
  CAPTURE(shape.name);
  const std::vector<Key> keys = keys_of<Key>(shape);
  const std::vector<T> x = made_up<T>(shape.count());
  std::vector<P> expected;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i == 0 || keys[i] != keys[i - 1]) expected.push_back(seed);
    expected.back() = static_cast<P>(Op{}(expected.back(), x[i]));
  }
  const data<T> in(x);
  const data<Key> in_keys(keys);
  check_all(ndp::reduce_by_key(Op{}, in.read(), in_keys.read(), seed), expected);
}

}  // namespace ndp_test

namespace {

namespace ndp = fettle::ndp;
using namespace ndp_test;

}  // namespace

TEST_CASE("sums of runs of every length") {
  for (const rows& shape : row_shapes()) {
    check_runs<std::int32_t, ndp::plus, double>(shape, 3.0);
    check_runs<std::uint8_t, ndp::plus, float>(shape, 0.0F);
  }
  for (const rows& shape : row_shapes(20)) check_runs<index_t, ndp::plus, double>(shape, 0.0);
}

TEST_CASE("runs reduced by operators that do not commute") {
  for (const rows& shape : row_shapes()) {
    check_runs<std::int32_t, compose, affine>(shape, affine{3, 5});
    check_runs<std::int32_t, last_of, std::int32_t>(shape, std::int32_t{77});
  }
}

TEST_CASE("points of one label are added coordinate by coordinate, as in listing 5") {
  for (const rows& shape : row_shapes()) {
    for (const index_t width : sized<index_t>({1, 3, 16}, {3})) {
      CAPTURE(shape.name, width);
      const std::vector<std::int32_t> labels = keys_of<std::int32_t>(shape);
      const auto count = static_cast<index_t>(labels.size());
      const std::vector<double> points = made_up<double>(count * width);
      const std::vector<index_t> order = shuffled(count);
      std::vector<double> expected;
      for (std::size_t i = 0; i < labels.size(); ++i) {
        if (i == 0 || labels[i] != labels[i - 1]) {
          expected.insert(expected.end(), static_cast<std::size_t>(width), 0.5);
        }
        const auto last = expected.size() - static_cast<std::size_t>(width);
        for (index_t j = 0; j < width; ++j) {
          expected[last + static_cast<std::size_t>(j)] +=
              points[static_cast<std::size_t>(order[i] * width + j)];
        }
      }
      const data<double> in(points);
      const data<index_t> indices(order);
      const data<std::int32_t> in_labels(labels);
      const auto e = ndp::reduce_by_key(add_coordinates{},
                                        ndp::gather(ndp::split(in.read(), width), indices.read()),
                                        in_labels.read(), ndp::replicate(0.5, width));
      for_each_realisation<decltype(e)>([&](const auto& run) {
        data<double> y(std::vector<double>(expected.size() + static_cast<std::size_t>(2 * width),
                                           poison<double>()));
        std::vector<double> wanted = expected;
        wanted.insert(wanted.end(), static_cast<std::size_t>(2 * width), poison<double>());
        run(e, ndp::split(y.write(), width));
        REQUIRE(y.values() == wanted);
      });
    }
  }
}
