// reduce_by_key on a GPU against the serial result: of scalars, and of points coordinate by
// coordinate, with runs over many blocks.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <fettle/ndp/cuda/whole/reduce_by_key.cuh>
#include <fettle/ndp/cuda/whole/vector_reduce_by_key.cuh>
#include <fettle/ndp/operator/split.hpp>

#include "ndp/cuda/rows_on_gpu.hpp"
#include "support/catch.hpp"
#include "support/needs_gpu.hpp"

namespace ndp = fettle::ndp;
namespace kernels = fettle::ndp::cuda::detail;

namespace {

struct keyed {
  std::string name;
  std::vector<int> keys;
  std::size_t runs = 0;
};

// Runs of every length; neighbours differ, but keys come again.
std::vector<keyed> key_patterns() {
  std::vector<keyed> out;
  std::mt19937 random(3);
  const auto add = [&](std::size_t count, std::size_t most) {
    keyed k{std::to_string(count) + " elements in runs of up to " + std::to_string(most), {}};
    for (int key = 0; k.keys.size() < count; ++key) {
      const auto length = std::uniform_int_distribution<std::size_t>(1, most)(random);
      k.keys.insert(k.keys.end(), std::min(length, count - k.keys.size()), key % 5);
      ++k.runs;
    }
    out.push_back(std::move(k));
  };
  for (const std::size_t count :
       ndp_test::sized({0U, 1U, 33U, 4097U, 300000U}, {1U, 4097U, 20001U})) {
    for (const std::size_t most : ndp_test::sized({1U, 7U, 300U, 1000000U}, {7U, 1000000U})) {
      add(count, most);
    }
  }
  return out;
}

struct add_points {
  template <typename A, typename B>
  FETTLE_HOST_DEVICE auto operator()(const A& a, const B& b) const {
    return ndp::map(ndp::plus{}, a, b);
  }
};
struct compose_points {
  template <typename A, typename B>
  FETTLE_HOST_DEVICE auto operator()(const A& a, const B& b) const {
    return ndp::map(compose{}, a, b);
  }
};

template <typename T, typename Op>
std::vector<T> serial_runs(const keyed& k, const std::vector<T>& points, std::size_t width,
                           const Op& op, const T& seed) {
  std::vector<T> out;
  for (std::size_t i = 0; i < k.keys.size(); ++i) {
    if (i == 0 || k.keys[i] != k.keys[i - 1]) out.insert(out.end(), width, seed);
    for (std::size_t x = 0; x < width; ++x) {
      auto& sum = out[out.size() - width + x];
      sum = op(sum, points[i * width + x]);
    }
  }
  return out;
}

template <typename T, typename Op>
void require_scalar_runs(const keyed& k, const std::vector<T>& values, Op op, const T& seed) {
  const ndp_test::data<int> keys(k.keys);
  const ndp_test::data<T> elements(values);
  const auto e = ndp::reduce_by_key(op, elements.read(), keys.read(), seed);
  std::vector<T> expected = serial_runs(k, values, 1, op, seed);
  expected.insert(expected.end(), 4, T{});
  ndp_test::data<T> y(std::vector<T>(expected.size()));
  kernels::run_device_reduce_by_key(ndp::platform::cuda{}, tested, e, y.write());
  REQUIRE(y.values() == expected);
  if (!k.keys.empty()) {
    ndp_test::data<T> by_tiles(std::vector<T>(expected.size()));
    kernels::run_tiled_runs(ndp::platform::cuda{}, tested, e, by_tiles.write());
    REQUIRE(by_tiles.values() == expected);
    // Packets do not begin where threads' elements do.
    const auto count = static_cast<index_t>(k.keys.size());
    std::vector<int> later_keys(k.keys);
    std::vector<T> later_values(values);
    later_keys.insert(later_keys.begin(), -1);
    later_values.insert(later_values.begin(), T{});
    const ndp_test::data<int> shifted_keys(later_keys);
    const ndp_test::data<T> shifted(later_values);
    ndp_test::data<T> unaligned(std::vector<T>(expected.size()));
    kernels::run_tiled_runs(ndp::platform::cuda{}, tested,
                            ndp::reduce_by_key(op, subsequence(shifted.read(), 1, count),
                                               subsequence(shifted_keys.read(), 1, count), seed),
                            unaligned.write());
    REQUIRE(unaligned.values() == expected);
  }
  // Where the destination has no room, nothing is written.
  const auto room = static_cast<index_t>(k.runs / 2);
  ndp_test::data<T> less(std::vector<T>(expected.size()));
  kernels::run_device_reduce_by_key(ndp::platform::cuda{}, tested, e,
                                    subsequence(less.write(), 0, room));
  std::fill(expected.begin() + room, expected.end(), T{});
  REQUIRE(less.values() == expected);
}

template <typename Policy, bool InOrder, typename T, typename Op, typename Coordinate>
void require_vector_runs(const keyed& k, const std::vector<T>& values, std::size_t width, Op op,
                         const Coordinate& coordinate, const T& seed) {
  const ndp_test::data<int> keys(k.keys);
  const ndp_test::data<T> elements(values);
  const auto w = static_cast<index_t>(width);
  const auto e =
      ndp::reduce_by_key(op, ndp::split(elements.read(), w), keys.read(), ndp::replicate(seed, w));
  std::vector<T> expected = serial_runs(k, values, width, coordinate, seed);
  expected.insert(expected.end(), 2 * width, T{});
  ndp_test::data<T> rows(std::vector<T>(expected.size()));
  kernels::run_vector_reduce_by_key<Policy, InOrder>(ndp::platform::cuda{}, tested, e,
                                                     ndp::split(rows.write(), w));
  REQUIRE(rows.values() == expected);
  ndp_test::data<T> flat(std::vector<T>(expected.size()));
  kernels::run_vector_reduce_by_key<Policy, InOrder>(ndp::platform::cuda{}, tested, e,
                                                     flat.write());
  REQUIRE(flat.values() == expected);
}

using plain = ndp::constant<ndp::cuda::policy{}>;
using tall = ndp::constant<ndp::cuda::policy{.block_size_x = 32, .block_size_y = 8}>;
using narrow = ndp::constant<ndp::cuda::policy{
    .block_size_x = 2, .block_size_y = 64, .level = {.first = {.grain_size = 3}}}>;

}  // namespace

TEST_CASE("reduce_by_key: scalars in runs of every length") {
  for (const keyed& k : key_patterns()) {
    INFO(k.name);
    require_scalar_runs(k, random_numbers(k.keys.size(), 1), ndp::plus{}, index_t{100});
    require_scalar_runs(k, random_affines(k.keys.size(), 2), compose{}, affine{3, 7});
  }
}

TEST_CASE("reduce_by_key of points: runs of every length, blocks of several shapes") {
  for (const keyed& k : key_patterns()) {
    for (const std::size_t width : ndp_test::sized({1U, 3U, 40U}, {3U, 40U})) {
      if (k.keys.size() * width > 1000000) continue;
      if (ndp_test::small_sizes() && k.keys.size() > 5000) continue;
      INFO(k.name << ", " << width << " coordinates");
      const auto numbers = random_numbers(k.keys.size() * width, 3);
      require_vector_runs<plain, false>(k, numbers, width, add_points{}, ndp::plus{}, index_t{5});
      require_vector_runs<tall, false>(k, numbers, width, add_points{}, ndp::plus{}, index_t{5});
      const auto maps = random_affines(k.keys.size() * width, 4);
      require_vector_runs<narrow, false>(k, maps, width, compose_points{}, compose{}, affine{3, 7});
      if (k.keys.size() < 25000) {
        require_vector_runs<tall, true>(k, maps, width, compose_points{}, compose{}, affine{3, 7});
      }
    }
  }
}
