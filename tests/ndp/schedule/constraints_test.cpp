// What the platforms refuse of a policy, and why.
#include <string_view>

#include <fettle/ndp/cuda.hpp>
#include <fettle/ndp/openmp.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

#include "support/catch.hpp"

namespace cuda = fettle::ndp::cuda;
namespace openmp = fettle::ndp::openmp;
namespace schedule = fettle::ndp::schedule;
using schedule::cooperative;
using schedule::flattened;
using schedule::independent;
using schedule::sequential;

// They are known at compile time.
static_assert(cuda::violation(cuda::policy{}, independent<cooperative<>>{}).empty());
static_assert(!cuda::violation(cuda::policy{.block_size_x = 100}, independent<>{}).empty());
static_assert(openmp::violation(openmp::policy{}, independent<cooperative<>>{}).empty());
static_assert(openmp::violation({.level = {{}, {.unroll = 8}}}, independent<>{}).empty());
static_assert(openmp::violation({.level = {{}, {.unroll = 3}}}, independent<>{}) ==
              "unroll must be 1, 2, 4 or 8, or 0 for the compiler's choice");

namespace {

constexpr independent<cooperative<>> row_wise{};

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string_view of_block(int x, int y) {
  return cuda::violation({.block_size_x = x, .block_size_y = y}, row_wise);
}

std::string_view of_level(const cuda::level& second) {
  return cuda::violation({.level = {{}, second}}, row_wise);
}

}  // namespace

TEST_CASE("CUDA: a block has whole warps and at most 1024 threads") {
  CHECK(of_block(32, 1).empty());
  CHECK(of_block(1024, 1).empty());
  CHECK(of_block(1, 1024).empty());
  CHECK(of_block(32, 32).empty());
  CHECK(of_block(8, 12).empty());
  CHECK(has(of_block(0, 32), "block_size_x must be from 1 to 1024"));
  CHECK(has(of_block(-32, -1), "block_size_x must be from 1 to 1024"));
  CHECK(has(of_block(2048, 1), "block_size_x must be from 1 to 1024"));
  CHECK(has(of_block(32, 0), "block_size_y must be from 1 to 1024"));
  CHECK(has(of_block(1, 1056), "block_size_y must be from 1 to 1024"));
  CHECK(has(of_block(64, 32), "block_size_x * block_size_y must be at most 1024"));
  CHECK(has(of_block(1024, 1024), "block_size_x * block_size_y must be at most 1024"));
  CHECK(has(of_block(33, 1), "must be a multiple of 32"));
  CHECK(has(of_block(16, 1), "must be a multiple of 32"));
}

TEST_CASE("CUDA: a smaller device") {
  const cuda::device_limits small{.threads_per_block = 512};
  CHECK(has(cuda::violation(cuda::policy{.block_size_x = 1024}, row_wise, {}, small), "at most"));
  CHECK(cuda::violation(cuda::policy{.block_size_x = 512}, row_wise, {}, small).empty());
}

TEST_CASE("CUDA: logical warps are powers of two up to a warp") {
  for (int size = -1; size <= 65; ++size) {
    const bool fine = size == 2 || size == 4 || size == 8 || size == 16 || size == 32;
    CAPTURE(size);
    CHECK(cuda::violation({.logical_warp_size = size}, row_wise).empty() == fine);
  }
  CHECK(has(cuda::violation({.logical_warp_size = 1}, row_wise), "must be 2, 4, 8, 16 or 32"));
}

TEST_CASE("CUDA: grain sizes are positive at every level") {
  CHECK(of_level({.grain_size = 8, .block_scan_grain_size = 4}).empty());
  CHECK(has(of_level({.grain_size = 0}), "grain_size must be 1 or more"));
  CHECK(has(of_level({.block_scan_grain_size = 0}), "block_scan_grain_size must be 1 or more"));
  CHECK(has(cuda::violation({.level = {{}, {}, {.grain_size = -1}}}, row_wise), "grain_size"));
}

TEST_CASE("CUDA: shared memory is estimated and limited") {
  const auto bytes = [](const cuda::policy& p, const schedule::nodes& nodes) {
    return cuda::detail::shared_memory_estimate(p, nodes, {});
  };
  constexpr schedule::nodes rows = schedule::nodes_v<independent<cooperative<>>>;
  const cuda::level by_block{.resource = cuda::execution_resource::block};
  const cuda::level raking{.block_reduce_algo = cuda::block_reduce_algorithm::raking,
                           .resource = cuda::execution_resource::block};
  CHECK(bytes({}, rows) == 0);  // warps exchange values in registers
  CHECK(bytes({.level = {{}, by_block}}, rows) == 8 * 8);
  CHECK(bytes({.level = {{}, raking}}, rows) == 256 * 8);
  CHECK(bytes({.level = {{}, raking}}, schedule::nodes_v<independent<>>) == 0);

  CHECK(cuda::violation({.level = {{}, raking}}, row_wise, {.value_bytes = 192}).empty());
  CHECK(has(cuda::violation({.level = {{}, raking}}, row_wise, {.value_bytes = 200}),
            "more shared memory than the device has"));
  CHECK(cuda::violation({.level = {{}, raking}}, row_wise, {.value_bytes = 200},
                        {.shared_bytes = 227 * 1024})
            .empty());
  const cuda::level scanning{.block_scan_grain_size = 8,
                             .resource = cuda::execution_resource::block};
  CHECK(bytes({.level = {{}, scanning}}, rows) == (8 + 256 * 8) * 8);
  CHECK(has(cuda::violation({.block_size_x = 1024, .level = {{}, scanning}}, row_wise),
            "more shared memory"));
}

TEST_CASE("CUDA: flattened shares fit the block's shared memory") {
  // As nvcc counts it.
  CHECK(cuda::detail::flattened_scan_memory(256, 1, 96) == 25992);
  CHECK(cuda::detail::flattened_scan_memory(512, 1, 88) == 47696);
  CHECK(cuda::detail::flattened_scan_memory(256, 1, 184) == 49224);

  const auto flat = [](int threads, std::size_t bytes, bool is_scan, bool is_commutative = true,
                       cuda::level level = {}) {
    return cuda::violation(
        {.block_size_x = threads, .level = {level}}, flattened<>{},
        {.value_bytes = bytes, .is_scan = is_scan, .is_commutative = is_commutative});
  };
  CHECK(flat(256, 176, true).empty());
  CHECK(has(flat(256, 184, true), "more shared memory than the device has"));
  CHECK(has(flat(256, 256, true), "more shared memory"));
  CHECK(flat(128, 256, true).empty());
  CHECK(flat(256, 168, false).empty());
  CHECK(has(flat(256, 176, false), "more shared memory"));
  CHECK(flat(256, 176, false, false).empty());  // no row is reduced by all threads together
  const cuda::level raking{.block_reduce_algo = cuda::block_reduce_algorithm::raking};
  CHECK(flat(128, 96, false).empty());
  CHECK(has(flat(128, 96, false, true, raking), "more shared memory"));
  for (int threads = 32; threads <= 1024; threads += 32) {
    for (const int grain : {1, 2, 4}) {
      cuda::level level = raking;
      level.grain_size = grain;
      INFO(threads << " threads, grain " << grain);
      CHECK(flat(threads, 8, false, true, level).empty());
      CHECK(flat(threads, 4, true, true, level).empty());
    }
  }
}

TEST_CASE("CUDA: a block for rows that are known to be short") {
  const cuda::policy by_block{.level = {{}, {.resource = cuda::execution_resource::block}}};
  const cuda::policy by_warp{.level = {{}, {.resource = cuda::execution_resource::warp}}};
  CHECK(cuda::violation(by_block, row_wise).empty());  // not known
  CHECK(cuda::violation(by_block, row_wise, {.inner_size = 32}).empty());
  CHECK(has(cuda::violation(by_block, row_wise, {.inner_size = 31}), "use resource=warp"));
  CHECK(cuda::violation(by_warp, row_wise, {.inner_size = 3}).empty());
  CHECK(cuda::violation(by_block, independent<>{}, {.inner_size = 3}).empty());
}

TEST_CASE("OpenMP: numbers are not negative") {
  CHECK(openmp::violation({.num_threads = 7}, row_wise).empty());
  CHECK(has(openmp::violation({.num_threads = -1}, row_wise), "num_threads must be positive"));
  CHECK(has(openmp::violation({.level = {{}, {}, {.chunk_size = -1}}}, row_wise),
            "chunk_size must be positive"));
}

TEST_CASE("OpenMP: nested parallel regions only where they are enabled") {
  const openmp::level team{.resource = openmp::execution_resource::team};
  const openmp::policy nested{.level = {{}, team}};
  CHECK(has(openmp::violation(nested, row_wise), "set enable_nesting, or use resource=thread"));
  CHECK(openmp::violation({.enable_nesting = true, .level = {{}, team}}, row_wise).empty());
  CHECK(openmp::violation(nested, independent<sequential<>>{}).empty());
  CHECK(openmp::violation(nested, sequential<cooperative<>>{}).empty());
  CHECK(openmp::violation({.level = {team}}, row_wise).empty());
  CHECK(openmp::violation(nested, flattened<>{}).empty());
  CHECK_FALSE(openmp::violation({.level = {{}, {}, team}}, independent<sequential<cooperative<>>>{})
                  .empty());
}
