// reduce_by_key cut in chunks and tiles, on the host by loops over blocks and threads, compared
// with the serial result.
#include <random>
#include <vector>

#include <fettle/ndp/cuda/block/run_chunk.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>

#include "ndp/support/row_computations.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;
namespace cuda = fettle::ndp::cuda;

namespace {

// What the kernels of vector_reduce_by_key.cuh do for one coordinate.
template <typename Op, typename T>
std::vector<T> emulate(const std::vector<int>& host_keys, const std::vector<T>& values,
                       const Op& op, index_t length, index_t chunks_per_tile) {
  using partial = cuda::detail::partial_value<Op, T>;
  const auto keys = ndp::make_sequence(host_keys);
  const index_t count = keys.size();
  const index_t tile_length = length * chunks_per_tile;
  const index_t tiles = ndp::ceiling_quotient(count, tile_length);
  std::vector<index_t> runs_before{0};
  for (index_t t = 0; t < tiles; ++t) {
    runs_before.push_back(
        runs_before.back() +
        cuda::detail::count_runs(keys, cuda::detail::run_chunk::of(t, tile_length, count)));
  }
  std::vector<T> out(static_cast<std::size_t>(runs_before.back()));
  std::vector<int> written(out.size());
  const auto complete = [&](index_t run, const partial& sum) {
    out[static_cast<std::size_t>(run)] = sum.value;
    ++written[static_cast<std::size_t>(run)];
  };
  std::vector<cuda::detail::run_parts<partial>> parts;
  for (index_t t = 0; t < tiles; ++t) {
    index_t runs = runs_before[static_cast<std::size_t>(t)];
    auto joiner = cuda::detail::run_joiner<partial>::at(t == 0);
    for (index_t c = 0; c < chunks_per_tile; ++c) {
      const auto chunk = cuda::detail::run_chunk::of(t * chunks_per_tile + c, length, count);
      const auto part = cuda::detail::walk_runs<partial>(
          chunk, runs, op, keys, [&](index_t i) { return values[static_cast<std::size_t>(i)]; },
          complete);
      joiner.add(op, part, runs - 1 + (chunk.begin == 0 ? 1 : 0), complete);
      runs += cuda::detail::count_runs(keys, chunk);
    }
    parts.push_back(joiner.tile);
  }
  for (index_t t = 0; t < tiles; ++t) {
    if (!parts[static_cast<std::size_t>(t)].ends_run) continue;
    index_t first = t - 1;
    while (runs_before[static_cast<std::size_t>(first)] ==
           runs_before[static_cast<std::size_t>(first) + 1]) {
      --first;
    }
    auto sum = partial::none();
    for (index_t s = first; s < t; ++s) sum.append(op, parts[static_cast<std::size_t>(s)].last);
    sum.append(op, parts[static_cast<std::size_t>(t)].first);
    complete(runs_before[static_cast<std::size_t>(t)] - 1, sum);
  }
  for (const int times : written) REQUIRE(times == 1);
  return out;
}

template <typename Op, typename T>
std::vector<T> serial_runs(const std::vector<int>& keys, const std::vector<T>& values,
                           const Op& op) {
  std::vector<T> out;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i == 0 || keys[i] != keys[i - 1]) {
      out.push_back(values[i]);
    } else {
      out.back() = op(out.back(), values[i]);
    }
  }
  return out;
}

}  // namespace

TEST_CASE("run chunks: runs of all lengths, cut in all ways") {
  std::mt19937 random(5);
  for (const std::size_t count : {1U, 2U, 31U, 64U, 1000U, 4096U}) {
    for (const int most : {1, 2, 5, 40, 700, 100000}) {
      std::vector<int> keys;
      for (int key = 0; keys.size() < count; ++key) {
        const auto length =
            std::uniform_int_distribution<std::size_t>(1, static_cast<std::size_t>(most))(random);
        keys.insert(keys.end(), length, key % 3);
      }
      keys.resize(count);
      const auto numbers = random_numbers(count, 4);
      const auto affines = random_affines(count, 6);
      for (const index_t length : {1, 3, 8, 100, 5000}) {
        for (const index_t chunks : {1, 2, 8}) {
          INFO(count << " elements, runs up to " << most << ", " << chunks << " chunks of "
                     << length);
          REQUIRE((emulate(keys, numbers, ndp::plus{}, length, chunks) ==
                   serial_runs(keys, numbers, ndp::plus{})));
          REQUIRE((emulate(keys, affines, compose{}, length, chunks) ==
                   serial_runs(keys, affines, compose{})));
        }
      }
    }
  }
}
