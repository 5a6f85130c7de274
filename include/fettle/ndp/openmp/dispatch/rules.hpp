// rules: the limits and parameters of implementations on OpenMP (the paper's tables IV and V).
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/core/json_writer.hpp>
#include <fettle/ndp/host/dispatch/rules.hpp>
#include <fettle/ndp/openmp/policy/constraints.hpp>
#include <fettle/ndp/openmp/policy/policy.hpp>
#include <fettle/ndp/openmp/team/region.hpp>
#include <fettle/ndp/schedule/parameter_list.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::openmp::detail {

struct rules : host::detail::rules<openmp::policy> {
  static constexpr void global_parameters(parameter_list& out) {
    out.insert({"num_threads"});
    out.insert({"enable_nesting"});
  }
  /// Every parallel loop has a schedule; sequential ones can be unrolled. Inside another level, a
  /// parallel one is for a thread or a team. Flattened has nothing to set.
  static constexpr void local_parameters(parameter_list& out, const scheduled_level& its) {
    if (its.node == schedule::kind::sequential) {
      out.insert({"enable_unroll", its.level});
    } else if (its.node != schedule::kind::flattened) {
      out.insert({"omp_schedule", its.level});
      out.insert({"chunk_size", its.level});
      if (its.level > 1) out.insert({"execution_resource", its.level});
    }
  }

  [[nodiscard]] static int threads() noexcept { return thread_count(0); }
  static void describe_limits(json_writer& out) { out.field("threads", threads()); }
};

}  // namespace fettle::ndp::openmp::detail
