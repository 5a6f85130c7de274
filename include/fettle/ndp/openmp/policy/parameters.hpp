// The parameters that an implementation on OpenMP has, by operator and schedule (the paper's tables
// IV and V).
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/ndp/schedule/parameters.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

template <>
struct parameter_sets<platform::openmp> {
  static constexpr void global(parameter_list& out) {
    out.insert({"num_threads"});
    out.insert({"enable_nesting"});
  }

  /// Every parallel loop has a schedule; sequential ones can be unrolled. Inside another level, a
  /// parallel one is for a thread or a team. Flattened deals equal shares and has nothing to set.
  static constexpr void local(parameter_list& out, const scheduled_level& its) {
    if (its.node == schedule::kind::sequential) {
      out.insert({"enable_unroll", its.level});
    } else if (its.node != schedule::kind::flattened) {
      out.insert({"omp_schedule", its.level});
      out.insert({"chunk_size", its.level});
      if (its.level > 1) out.insert({"execution_resource", its.level});
    }
  }
};

}  // namespace fettle::ndp
