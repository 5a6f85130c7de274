// rules: what CUDA can implement, what its implementations are tuned by (the paper's tables IV and
// V), and on which inputs. Needs no CUDA.
#pragma once

#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/core/json_writer.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/cuda/generic/workload_of.hpp>
#include <fettle/ndp/cuda/policy/constraints.hpp>
#include <fettle/ndp/cuda/policy/policy.hpp>
#include <fettle/ndp/schedule/limit.hpp>
#include <fettle/ndp/schedule/parameter_list.hpp>
#include <fettle/ndp/schedule/policy.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/shape/featured_input.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Elements and rows up to which launch latency dominates, so that one thread or block is enough.
inline constexpr index_t most_work_alone = index_t{1} << 19;

struct rules {
  using policy = cuda::policy;
  using default_policy = constant<cuda::policy{}>;

#ifdef __CUDACC__
  static constexpr bool is_available = true;
#else
  static constexpr bool is_available = false;
#endif

  /// Threads of a GPU read side by side.
  static constexpr index_t rows_read_together = 1;

  /// Two parallel levels (the paper's section 3.2): blocks or warps, and the threads in them.
  /// Levels are counted as they nest, so sequential>independent>cooperative is out too. Two
  /// parallel levels side by side need not become one: the inner one may take other blocks or
  /// warps.
  [[nodiscard]] static constexpr schedule::limit schedule_limit(
      const schedule::nodes& nodes) noexcept {
    const schedule::limit found = schedule::flattened_limit(nodes);
    if (found != schedule::limit::none) return found;
    for (int level = 3; level <= nodes.levels(); ++level) {
      if (nodes.at_level(level) != schedule::kind::sequential) {
        return schedule::limit::parallel_below_level_2;
      }
    }
    return schedule::limit::none;
  }
  [[nodiscard]] static constexpr std::string_view violation(const policy& p,
                                                            const schedule::nodes& nodes) noexcept {
    return cuda::violation(p, nodes);
  }

  static constexpr void global_parameters(parameter_list& out) {
    out.insert({"block_size_x"});
    out.insert({"block_size_y"});
    out.insert({"logical_warp_size"});
  }
  /// grain_size: the elements that an independent or flattened loop takes at a time, and that each
  /// member of a row program keeps.
  /// block_reduce_algo: how a cooperative reduce and a row program combine values.
  /// block_scan_algo, block_scan_grain_size: how a cooperative scan and a reduce_by_key (a scan of
  /// segments) combine values.
  /// execution_resource: whether a thread, a warp or a block performs an instance of the innermost
  /// parallel level. Also of the rows of a map > reduce that are parallel themselves: then a block
  /// takes several rows, and gives each as many threads as suit it.
  static constexpr void local_parameters(parameter_list& out, const scheduled_level& its) {
    const bool cooperates = its.node == schedule::kind::cooperative;
    if (its.node == schedule::kind::sequential) {
      out.insert({"enable_unroll", its.level});
    } else if (!cooperates) {
      out.insert({"grain_size", its.level});
    } else if (its.operator_name == op::reduce::name) {
      out.insert({"block_reduce_algo", its.level});
    } else if (its.operator_name == op::row_program::name) {
      out.insert({"grain_size", its.level});
      out.insert({"block_reduce_algo", its.level});
    } else {
      out.insert({"block_scan_algo", its.level});
      out.insert({"block_scan_grain_size", its.level});
    }
    const bool parallel = cooperates || its.node == schedule::kind::independent;
    const bool has_choice = cooperates || its.level > 1 || !its.is_innermost;
    const bool takes_rows = its.node == schedule::kind::independent && its.level == 1 &&
                            !its.is_sequential_below && its.operator_below == op::reduce::name;
    if (takes_rows || (parallel && its.is_sequential_below && has_choice)) {
      out.insert({"execution_resource", its.level});
    }
  }

  /// The smallest block must have room for a flattened tile of E.
  template <typename E, typename Schedule>
  [[nodiscard]] static constexpr std::string_view why_pruned() noexcept {
    if constexpr (schedule::kind_v<Schedule> == schedule::kind::flattened) {
      constexpr cuda::policy smallest{.block_size_x = 32};
      if (!cuda::violation(smallest, schedule::flattened<>{},
                           workload_of<E, schedule::flattened<>>())
               .empty()) {
        return "flattened needs more shared memory for values of this size than a block has";
      }
    }
    return {};
  }
  static void describe_limits(json_writer& out) {
    const device_limits limits;
    out.field("threads_per_block", limits.threads_per_block);
    out.field("block_dimension", limits.block_dimension);
    out.field("shared_bytes", limits.shared_bytes);
  }

  /// Single-thread and single-block variants are allowed only for inputs so small that launch
  /// latency dominates: on others they take seconds where others take microseconds, which would
  /// make training endless and a wrong prediction expensive.
  [[nodiscard]] static constexpr bool is_restricted(const policy& /*p*/,
                                                    const schedule::nodes& nodes) noexcept {
    return nodes[0] == schedule::kind::sequential;
  }
  template <typename E>
  [[nodiscard]] static bool admits(const E& e) {
    return ndp::detail::elements_going_in(e) + featured_input(e).size() <= most_work_alone;
  }
};

}  // namespace fettle::ndp::cuda::detail
