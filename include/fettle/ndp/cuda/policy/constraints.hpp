// The limits of policies on CUDA, as predicates with reasons. Needs no CUDA.
#pragma once

#include <bit>
#include <cstddef>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/policy/flattened_memory.hpp>
#include <fettle/ndp/cuda/policy/policy.hpp>
#include <fettle/ndp/schedule/knobs.hpp>
#include <fettle/ndp/schedule/policy_limit.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda {

/// What a device allows a block; the defaults hold on every GPU that CUDA 12 supports.
struct device_limits {
  int threads_per_block = 1024;
  int block_dimension = 1024;  // along x and along y
  std::size_t shared_bytes = 48 * 1024;
};

/// What is known of a computation beyond its expression.
struct workload {
  std::size_t value_bytes = sizeof(double);  // of what is reduced or scanned
  index_t inner_size = -1;                   // elements of every row; -1: not known
  bool is_scan = false;                      // rather than a reduce
  bool is_commutative = true;                // the operator
};

namespace detail {

/// The shared memory of a block with a tile of a flattened computation.
[[nodiscard]] constexpr std::size_t flattened_memory(const policy& p, const level& its,
                                                     const workload& work) noexcept {
  const int threads = p.block_size_x * p.block_size_y;
  if (work.is_scan) return flattened_scan_memory(threads, its.grain_size, work.value_bytes);
  return flattened_reduce_memory(threads, its.grain_size, work.value_bytes, work.is_commutative,
                                 its.block_reduce_algo);
}

/// An estimate of the shared memory that a block needs to combine its threads' values: one a
/// thread for the raking algorithms, one a warp for the others, and a tile of values where a thread
/// scans several; a tile of a flattened computation. Rows staged by a block, whose kernel chooses
/// its tile by the memory there is, count for nothing, and so do warps, which exchange values in
/// registers.
[[nodiscard]] constexpr std::size_t shared_memory_estimate(const policy& p,
                                                           const schedule::nodes& nodes,
                                                           const workload& work) noexcept {
  const auto threads =
      static_cast<std::size_t>(p.block_size_x) * static_cast<std::size_t>(p.block_size_y);
  std::size_t values = 0;
  std::size_t of_tiles = 0;
  int level = 1;
  for (const schedule::kind node : nodes) {
    const cuda::level& its = p.level[level - 1];
    const bool by_block = its.resource == execution_resource::block ||
                          (its.resource == execution_resource::automatic && level == 1);
    if (node == schedule::kind::cooperative && by_block) {
      const bool one_a_warp = its.block_reduce_algo == block_reduce_algorithm::warp_reductions &&
                              its.block_scan_algo == block_scan_algorithm::warp_scans;
      values += one_a_warp ? (threads + 31) / 32 : threads;
      if (its.block_scan_grain_size > 1) {
        values += threads * static_cast<std::size_t>(its.block_scan_grain_size);
      }
    }
    if (node == schedule::kind::flattened) of_tiles += flattened_memory(p, its, work);
    level += schedule::levels_covered(node);
  }
  return values * work.value_bytes + of_tiles;
}

}  // namespace detail

/// Calls visit(fields, holds, reason) for every limit: the fields of the policy that it reads,
/// whether the policy keeps it, and what is wrong where it does not.
template <typename Visit>
constexpr void visit_limits(const policy& p, const schedule::nodes& nodes, const workload& work,
                            const device_limits& device, Visit&& visit) {
  const auto in_range = [](int value, int last) { return value >= 1 && value <= last; };
  const bool has_width = in_range(p.block_size_x, device.block_dimension);
  const bool has_height = in_range(p.block_size_y, device.block_dimension);
  const index_t threads = index_t{p.block_size_x} * p.block_size_y;
  visit({"block_size_x"}, has_width, "block_size_x must be from 1 to 1024, the device's limit");
  visit({"block_size_y"}, has_height, "block_size_y must be from 1 to 1024, the device's limit");
  visit({"block_size_x", "block_size_y"}, threads <= device.threads_per_block,
        "block_size_x * block_size_y must be at most 1024, the device's limit");
  visit({"block_size_x", "block_size_y"}, threads % 32 == 0,
        "block_size_x * block_size_y must be a multiple of 32");
  visit({"logical_warp_size"},
        in_range(p.logical_warp_size - 1, 31) &&
            std::has_single_bit(static_cast<unsigned>(p.logical_warp_size)),
        "logical_warp_size must be 2, 4, 8, 16 or 32");
  bool has_grain = true;
  bool has_scan_grain = true;
  bool has_unroll = true;
  for (int i = 0; i < p.level.count; ++i) {
    has_grain = has_grain && p.level[i].grain_size >= 1;
    has_scan_grain = has_scan_grain && p.level[i].block_scan_grain_size >= 1;
    has_unroll = has_unroll && ndp::detail::is_unroll_factor(p.level[i].unroll);
  }
  visit({"grain_size"}, has_grain, "grain_size must be 1 or more");
  visit({"block_scan_grain_size"}, has_scan_grain, "block_scan_grain_size must be 1 or more");
  visit({"unroll"}, has_unroll, ndp::detail::unroll_factors_allowed);
  const bool is_block = has_width && has_height && threads >= 32;
  visit({"block_size_x", "block_size_y", "grain_size", "resource", "block_reduce_algo",
         "block_scan_algo", "block_scan_grain_size"},
        !is_block || detail::shared_memory_estimate(p, nodes, work) <= device.shared_bytes,
        "the block needs more shared memory than the device has: make the block or its grain "
        "sizes smaller");
  const bool parallel_rows = nodes.count > 1 && nodes[0] != schedule::kind::flattened &&
                             nodes.at_level(2) != schedule::kind::sequential;
  visit({"resource"},
        !parallel_rows || p.level[1].resource != execution_resource::block || work.inner_size < 0 ||
            work.inner_size >= 32,
        "rows of fewer than 32 elements leave most of a block idle: use resource=warp or "
        "resource=thread on level 2");
  ndp::detail::visit_knob_limits(p, nodes, visit);
}

/// Why the policy cannot be used with the schedule; empty where it can.
template <ndp::detail::schedule_or_nodes S>
[[nodiscard]] constexpr std::string_view violation(const policy& p, const S& given,
                                                   const workload& work = {},
                                                   const device_limits& device = {}) noexcept {
  return ndp::detail::broken_limit(p, given, work, device);
}

}  // namespace fettle::ndp::cuda
