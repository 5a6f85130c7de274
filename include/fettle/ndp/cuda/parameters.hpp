// The parameters that an implementation on CUDA has, by operator and schedule (the paper's tables
// IV and V). Needs no CUDA.
#pragma once

#include <string_view>

#include <fettle/ndp/op.hpp>
#include <fettle/ndp/parameters.hpp>
#include <fettle/ndp/platform.hpp>
#include <fettle/ndp/schedule.hpp>

namespace fettle::ndp {

template <>
struct parameter_sets<platform::cuda> {
  static constexpr void global(parameter_list& out) {
    out.insert({"block_size_x"});
    out.insert({"block_size_y"});
    out.insert({"logical_warp_size"});
  }

  /// Independent and flattened loops take a grain of elements at a time; a reduce that cooperates
  /// combines by one of CUB's block reductions, a scan and a reduce_by_key (a scan of segments) by
  /// one of its block scans. What cooperates, and what is parallel inside another level, is for a
  /// thread, a warp or a block.
  static constexpr void local(parameter_list& out, std::string_view operator_name,
                              schedule::kind node, int level) {
    if (node == schedule::kind::sequential) {
      out.insert({"enable_unroll", level});
      return;
    }
    if (node == schedule::kind::cooperative) {
      if (operator_name == op::reduce::name) {
        out.insert({"block_reduce_algo", level});
      } else {
        out.insert({"block_scan_algo", level});
        out.insert({"block_scan_grain_size", level});
      }
      out.insert({"execution_resource", level});
      return;
    }
    out.insert({"grain_size", level});
    if (node == schedule::kind::independent && level > 1) {
      out.insert({"execution_resource", level});
    }
  }
};

}  // namespace fettle::ndp
