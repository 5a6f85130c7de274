// The parameters that an implementation on CUDA has, by operator and schedule (the paper's tables
// IV and V). Needs no CUDA.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/cuda/runtime/platform.hpp>
#include <fettle/ndp/schedule/parameters.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

template <>
struct parameter_sets<platform::cuda> {
  static constexpr void global(parameter_list& out) {
    out.insert({"block_size_x"});
    out.insert({"block_size_y"});
    out.insert({"logical_warp_size"});
  }

  /// Independent and flattened loops take a grain of elements at a time; a reduce that cooperates
  /// combines by one of CUB's block reductions, a scan and a reduce_by_key (a scan of segments) by
  /// one of its block scans. The innermost parallel level is for a thread, a warp or a block: what
  /// cooperates, what is nested, and rows that a thread each or a block together can walk. Blocks
  /// can also take rows of a map > reduce that are parallel themselves, and give each as many lanes
  /// as suit it.
  static constexpr void local(parameter_list& out, const scheduled_level& its) {
    const bool cooperates = its.node == schedule::kind::cooperative;
    if (its.node == schedule::kind::sequential) {
      out.insert({"enable_unroll", its.level});
    } else if (!cooperates) {
      out.insert({"grain_size", its.level});
    } else if (its.operator_name == op::reduce::name) {
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
};

}  // namespace fettle::ndp
